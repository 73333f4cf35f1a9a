# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The commands of README.md on a fresh machine: a minimal Debian 12 in a directory, with git, make and gcc only. It
# takes about 400 MB and as long as `make test`. FRESH_ROOT=DIRECTORY keeps and reuses the minimal system.
. tests/lib/case.sh

if [ "$(id -u)" -ne 0 ] || ! command -v unshare >/dev/null || ! unshare -m true 2>/dev/null; then
    skip "a fresh machine" "only root may mount"
    exit 0
fi
if ! command -v debootstrap >/dev/null; then
    skip "a fresh machine" "debootstrap is not installed"
    exit 0
fi
root=${FRESH_ROOT:-$WORK/root}
if [ ! -e "$root/usr/bin/git" ]; then
    mirror=$(sed -nE 's/^(deb|URIs:) *(\[[^]]*\] *)?((https?|file|copy):[^ ]+).*/\3/p' /etc/apt/sources.list \
        /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
    # shellcheck disable=SC2086 # no mirror is debootstrap's own
    if ! debootstrap --variant=minbase --include=git,make,gcc,libc6-dev,ca-certificates bookworm "$root" $mirror \
        >"$WORK/log" 2>&1; then
        skip "a fresh machine" "no Debian 12 can be fetched: $(tail -n 1 "$WORK/log")"
        exit 0
    fi
fi
# Packages are fetched as here.
rm -rf "$root/etc/apt/sources.list.d" "$root/etc/apt/sources.list"
cp -rL /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/auth.conf.d /etc/apt/keyrings \
    "$root/etc/apt/" 2>/dev/null
cp -L /etc/resolv.conf "$root/etc/" 2>/dev/null
cp -rL /etc/ssl/certs /usr/local/share/ca-certificates "$root/tmp/" 2>/dev/null
rm -rf "$root/etc/ssl/certs" "$root/root/tracetui" && mkdir -p "$root/etc/ssl" "$root/root" && mv "$root/tmp/certs" "$root/etc/ssl/certs"
exits "the checkout is copied" 0 git clone -q "$PWD" "$root/root/tracetui"
git diff HEAD --binary >"$WORK/changes"
[ ! -s "$WORK/changes" ] || git -C "$root/root/tracetui" apply "$WORK/changes"

# inside COMMAND: runs it in the checkout there, with /proc and /dev
inside() {
    # shellcheck disable=SC2016 # of the inner shell
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 http_proxy="${http_proxy:-}" \
        https_proxy="${https_proxy:-}" no_proxy="${no_proxy:-}" unshare -m sh -c '
        for folder in proc dev dev/pts; do mount --bind "/$folder" "$1/$folder" || exit 9; done
        exec chroot "$1" sh -c "cd && cd tracetui && $2" </dev/null' sh "$root" "$1" >"$WORK/out" 2>&1
    code=$?
}
inside 'make demo'
same_text "make demo: exit status" 0 "$code"
says "make demo prints the main view" 'demo.kev' "$WORK/out"
inside 'make test'
same_text "make test: exit status" 0 "$code"
grep -aE '^not ok' "$WORK/out"
says "make test: $(tail -n 1 "$WORK/out")" '^[1-9][0-9]+ passed, 0 failed' "$WORK/out"
[ "$code" -eq 0 ] || tail -n 30 "$WORK/out"
