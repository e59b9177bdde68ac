# A Debian for those who have another system: to change Schlitten and to test it, not to serve a table.
#   docker build -t schlitten .                            # ends well if the README's commands do
#   docker run --rm -it --network host schlitten           # an evening: open http://127.0.0.1:8080/
#   docker run --rm -it --security-opt seccomp=unconfined schlitten scripts/test
# The last one lets tests be root in a namespace of theirs, which Docker forbids; else they are skipped.
FROM debian:bookworm-slim
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates git sudo && \
    useradd --create-home --shell /bin/bash croupier && \
    echo "croupier ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/croupier
USER croupier
WORKDIR /home/croupier/schlitten
COPY --chown=croupier . .
RUN scripts/run --once --speed max
RUN scripts/test --quick
CMD ["scripts/run"]
