# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `make deb`: the package contains the files of `make install`, installs into a root and is removed
# from there completely.
. tests/lib/case.sh

if ! command -v dpkg-deb >/dev/null 2>&1; then
    skip "deb" "no dpkg-deb here"
    exit 0
fi
needs_release
exits "make deb" 0 env -u MAKEFLAGS -u MAKELEVEL DEBEMAIL=packager@debian.org make -s --no-print-directory deb
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
deb=build/tracetui_${version}_$(dpkg --print-architecture).deb

# All installed files, with the changes that Debian requires, and nothing else.
dpkg-deb -c "$deb" | awk '$1 ~ /^-/ { print substr($6, 2) }' | sort >"$WORK/packed"
libdir=/usr/lib/$(${CC:-cc} -print-multiarch)
{
    PREFIX=/usr LIBDIR=${libdir%/} ZSHDIR=/usr/share/zsh/vendor-completions \
        sh docs/packaging/install.sh list | sed 's|tracetui\.1$|&.gz|'
    echo /usr/share/doc/tracetui/copyright
    echo /usr/share/doc/tracetui/changelog.gz
} | sort >"$WORK/expected"
same "the package holds what is installed" "$WORK/expected" "$WORK/packed"

# Each dependency is a package, and every library of the program belongs to one of them.
dpkg-deb -f "$deb" Depends | tr ',' '\n' | awk '{ print $1 }' >"$WORK/depends"
strange=$(while read -r package; do
    dpkg-query -W "$package" >/dev/null 2>&1 || echo "$package"
done <"$WORK/depends")
same_text "its dependencies are packages" "" "$strange"
missing=$(ldd build/tracetui | awk '$2 == "=>" { print $3 }' | while read -r library; do
    owner=$({ dpkg-query -S "$(readlink -f "$library")" ||
        dpkg-query -S "$(readlink -f "$library" | sed 's|^/usr||')"; } 2>/dev/null | head -n 1 | cut -d: -f1)
    grep -qx "${owner:-none}" "$WORK/depends" || echo "$library of ${owner:-none}"
done)
same_text "they bring every library" "" "$missing"

# Installs into a separate root, and removes.
root=$WORK/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/usr/bin"
: >"$root/var/lib/dpkg/status"
into() { PATH=$PATH:/usr/sbin:/sbin dpkg --force-depends --force-not-root --root="$root" --log=/dev/null "$@"; }
into -i "$deb" >"$WORK/out" 2>&1
code=$?
same_text "dpkg installs it: $([ $code -eq 0 ] || tail -n 2 "$WORK/out")" 0 "$code"
exits "the installed program runs" 0 "$root/usr/bin/tracetui" info "$root/usr/share/tracetui/samples/demo.kev"
same_text "its files are as packed" "" "$(cd "$root" && md5sum --quiet -c var/lib/dpkg/info/tracetui.md5sums 2>&1)"
into --purge tracetui >"$WORK/out" 2>&1
code=$?
same_text "dpkg removes it: $([ $code -eq 0 ] || tail -n 2 "$WORK/out")" 0 "$code"
same_text "nothing is left" "" "$(find "$root" -path "$root/var/lib/dpkg" -prune -o -iname '*tracetui*' -print)"

if command -v lintian >/dev/null 2>&1; then
    lintian --fail-on none "$deb" >"$WORK/lint" 2>/dev/null
    same_text "lintian has nothing to say" "" "$(grep -E '^[EW]:' "$WORK/lint")"
else
    skip "lintian" "it is not installed"
fi
