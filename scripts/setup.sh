# Sourced by the scripts beside it: what a fresh Debian or Raspberry Pi OS lacks is installed, said aloud.
# Asks for root (sudo) only where something is missing.

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# packages NAME...: install those of Debian's packages that are not there.
packages() {
    local missing=()
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' ||
            missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "Missing: ${missing[*]}. As root, run: apt-get install ${missing[*]}" >&2
            exit 2
        }
        root=(sudo)
    fi
    echo "Installing from Debian's packages: ${missing[*]}"
    "${root[@]}" apt-get update -q >/dev/null
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

# texts: compile the catalogues anew where a text was changed since the package was installed.
texts() {
    local po mo
    for po in table_controller/words/locales/*/LC_MESSAGES/*.po; do
        mo=${po%.po}.mo
        [ -e "$mo" ] && ! [ "$mo" -ot "$po" ] && ! [ "$mo" -nt "$po" ] && continue
        echo "Compiling the texts"
        if .venv/bin/python -c 'import babel, hatchling' 2>/dev/null; then
            .venv/bin/python hatch_build.py
        else # what compiles them is no part of the program: pip fetches it
            .venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps -e .
        fi
        return
    done
}

# python_for LOCK: a virtual environment in .venv with what LOCK pins, and this project.
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
        texts
        return
    fi
    echo "Installing the Python packages of $lock into .venv"
    # A Pi's camera module comes from its own packages: its environment sees them.
    local pi=()
    [ -e /usr/lib/python3/dist-packages/picamera2 ] && pi=(--system-site-packages)
    [ -x .venv/bin/python ] || "$python" -m venv "${pi[@]}" .venv
    local pip=(.venv/bin/python -m pip --disable-pip-version-check --quiet install)
    "${pip[@]}" --require-hashes -r "$lock"
    "${pip[@]}" --no-deps -e .
    cat "$lock" pyproject.toml >"$stamp"
}
