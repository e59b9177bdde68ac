# Sourced by scripts/bare, scripts/boot-test and scripts/lab, after setup.sh: bare Debian roots, made as root.
# This machine's own settings say where Debian's packages come from, and which proxy and certificates to use.

cache=/var/cache/schlitten-roots # each base root is made once, then used through overlays
binds=() handed=()               # folders and files to bind (FROM=TO), and variables to pass in

# debian: prints the address that apt on this machine has for Debian's own packages.
debian() { # debian [Debian-Security]
    local label=${1:-Debian} found
    found() {
        apt-get indextargets --format '$(REPO_URI)' \
            "Created-By: Packages" "Origin: Debian" "Label: $label" | head -n 1
    }
    [ -n "$(found)" ] || apt-get update -q >/dev/null
    found
}

# base NAME RELEASE ARCH PACKAGES: makes the base root $cache/NAME once; PACKAGES separated by commas.
base() {
    local one=$cache/$1 release=$2 arch=$3 from
    [ -e "$one/etc/schlitten-base" ] && return
    from=$(debian)
    [ -n "$from" ] || {
        echo "apt has no source of Debian packages. Add one to /etc/apt/sources.list.d and run: apt-get update" >&2
        return 2
    }
    if [ "$arch" != "$(dpkg --print-architecture)" ] && [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
        mountpoint -q /proc/sys/fs/binfmt_misc ||
            mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
        update-binfmts --enable qemu-aarch64
    fi
    echo "Making the base root $one" >&2
    rm -rf "$one"
    mkdir -p "$cache"
    debootstrap --arch="$arch" --variant=minbase --include="$4" "$release" "$one" "$from" >"$one.log" 2>&1 || {
        echo "debootstrap failed; $one.log says why. Its last lines:" >&2
        tail -n 5 "$one.log" >&2
        return 2
    }
    touch "$one/etc/schlitten-base"
}

# over NAME: mounts an overlay of the base NAME; sets work and root.
over() {
    work=$(mktemp -d "$cache/work.XXXXXX")
    root=$work/root
    mkdir "$root" "$work/upper" "$work/work"
    mount -t overlay overlay -o "lowerdir=$cache/$1,upperdir=$work/upper,workdir=$work/work" "$root"
}

# laid: unmounts everything, whatever happened.
laid() {
    [ -z "${root:-}" ] || ! mountpoint -q "$root" || { umount "$root" && rm -rf "$work"; }
    root=
}

# network_variables: prints our variables of pip, proxies and certificates, each as NAME=VALUE.
network_variables() {
    local name
    for name in $(compgen -e | grep -iE '^pip_|_proxy$|^(ssl|requests|curl)_.*(cert|ca)'); do
        echo "$name=${!name}"
    done
}

# settings RELEASE HOME: gives the root folder this machine's settings of apt and pip; adds to `handed` and `binds`.
settings() {
    local release=$1 home=$2 mine file from security
    mine=$(getent passwd "${SUDO_USER:-root}" | cut -d: -f6)
    security=$(debian Debian-Security)
    {
        echo "deb $(debian) $release main"
        echo "deb $(debian) $release-updates main"
        [ -z "$security" ] || echo "deb $security $release-security main"
    } >"$root/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(Check|Retries|http|https)' >"$root/etc/apt/apt.conf.d/99machine"
    cp -r /etc/apt/auth.conf* "$root/etc/apt/" 2>/dev/null
    mkdir -p "$root/usr/local/share/ca-certificates" "$root/etc/xdg" "$root$home/.config"
    cp -r /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates"
    chroot "$root" update-ca-certificates >/dev/null 2>&1
    for file in /etc/pip.conf /etc/xdg/pip; do
        [ ! -e "$file" ] || cp -r "$file" "$root$file"
    done
    [ ! -e "$mine/.config/pip" ] || cp -r "$mine/.config/pip" "$root$home/.config/"
    [ ! -e "$mine/.pip" ] || cp -r "$mine/.pip" "$root$home/"
    mapfile -t -O ${#handed[@]} handed < <(network_variables)
    # Folders named in these settings, such as wheels, are bound too. An index is bound with its folder.
    for from in $(cat "$root"/etc/pip.conf "$root"/etc/xdg/pip/* "$root$home"/.config/pip/* \
        "$root$home"/.pip/* 2>/dev/null | cat - <(printf '%s\n' "${handed[@]}") |
        grep -oE '(file://)?/[^ ,:]*' | sed 's,^file://,,; s,/simple/*$,,' | sort -u); do
        [ -n "$(find "$root$from" -maxdepth 0 ! -empty 2>/dev/null)" ] || [ ! -e "$from" ] ||
            binds+=("$from=$from")
    done
}

# entered online|offline USER COMMAND...: runs the command in $root, in separate namespaces, with no variable
# of ours except those `handed`. It is no chroot, since nobody can make a user namespace in one.
entered() {
    local network=$1 user=$2 home
    shift 2
    home=$(sed -n "s/^$user:.*:\([^:]*\):[^:]*$/\1/p" "$root/etc/passwd")
    local own=()
    [ "$network" = online ] || own=(--net)
    local path=/usr/local/bin:/usr/bin:/bin:/usr/games
    [ "$user" != root ] || path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    BINDS=$(printf '%s\n' "${binds[@]}") unshare --mount --pid --fork --kill-child --ipc "${own[@]}" sh -c '
        [ "$1" = online ] || ip link set lo up
        cd "$2" && shift 2
        for bind in $BINDS; do
            if [ -d "${bind%=*}" ]; then mkdir -p ".${bind#*=}"; else
                mkdir -p "$(dirname ".${bind#*=}")" && touch ".${bind#*=}"; fi
            mount --bind "${bind%=*}" ".${bind#*=}" && mount -o remount,bind,ro ".${bind#*=}"
        done
        mount -t proc proc proc && mount -t sysfs sysfs sys && mount -t tmpfs -o mode=755 run run
        mkdir -p dev/pts dev/shm && mount -t tmpfs -o mode=1777 shm dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts && ln -sf pts/ptmx dev/ptmx
        mkdir -p run/systemd run/lock && chmod 1777 run/lock # as if systemd had started
        pivot_root . mnt && umount -l /mnt && cd / || exit 2
        "$@" # not exec: the first process must reap orphans
        ' sh "$network" "$root" setpriv --reuid="$user" --regid="$user" --init-groups \
        env -i PATH="$path" HOME="$home" USER="$user" LOGNAME="$user" \
        LANG=C.UTF-8 TERM="${TERM:-dumb}" "${handed[@]}" "$@"
}
