#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Packs what `make install` installs: sh docs/packaging/deb.sh VERSION
# makes build/tracetui_VERSION_ARCH.deb. `make deb` builds first. The maintainer is who DEBFULLNAME and
# DEBEMAIL name, as for other Debian tools.
set -eu
cd "$(dirname "$0")/../.."
version=$1
maintainer="${DEBFULLNAME:-the tracetui authors} <${DEBEMAIL:-tracetui@localhost}>"
arch=$(dpkg --print-architecture)
root=build/deb
doc=$root/usr/share/doc/tracetui
rm -rf "$root"
multiarch=$(${CC:-cc} -print-multiarch 2>/dev/null) || multiarch=
libdir=/usr/lib${multiarch:+/$multiarch}
DESTDIR=$root PREFIX=/usr LIBDIR=$libdir ZSHDIR=/usr/share/zsh/vendor-completions \
    VERSION=$version sh docs/packaging/install.sh install >/dev/null

# Debian policy: no symbols, compressed pages, a copyright and a changelog.
strip --strip-unneeded "$root/usr/bin/tracetui"
strip --strip-debug "$root$libdir/libtracetui.a"
gzip -9n "$root/usr/share/man/man1/tracetui.1"
cat >"$doc/copyright" <<COPYRIGHT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tracetui

Files: *
Copyright: 2026 the tracetui authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License version 2.0 can be
 found in the file /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
# The last change of the tree is the package's date, so that a tree always gives the same package.
when=$(git log -1 --format=%cd --date=rfc 2>/dev/null) || when=
[ -n "$when" ] || when=$(date -R -r Makefile)
printf 'tracetui (%s) unstable; urgency=medium\n\n  * Packed from the source tree.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$when" | gzip -9n >"$doc/changelog.gz"

# The packages that own the libraries the program is linked with, with the versions that have what
# it uses; where dpkg-shlibdeps is missing, without the versions.
depends() {
    work=build/deb-depends
    rm -rf "$work"
    mkdir -p "$work/debian"
    echo 'Source: tracetui' >"$work/debian/control"
    program=$(pwd)/$root/usr/bin/tracetui
    if command -v dpkg-shlibdeps >/dev/null 2>&1 &&
        (cd "$work" && dpkg-shlibdeps -O "$program" 2>/dev/null) >"$work/answer"; then
        sed -n 's/^shlibs:Depends=//p' "$work/answer"
    else
        # dpkg may know a file below /lib that really lies below /usr/lib.
        ldd "$root/usr/bin/tracetui" | awk '$2 == "=>" { print $3 }' | while read -r library; do
            real=$(readlink -f "$library")
            dpkg-query -S "$real" 2>/dev/null || dpkg-query -S "${real#/usr}" 2>/dev/null || true
        done | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g'
    fi
    rm -rf "$work"
}

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: tracetui
Version: $version
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -sk "$root" | cut -f 1)
Depends: $(depends)
Suggests: libpcre2-dev, libxxhash-dev, zlib1g-dev, libzstd-dev, libinih-dev
Section: devel
Priority: optional
Description: terminal explorer for kernel event captures of real-time systems
 Shows every event, thread state and number of a QNX, Fuchsia, ThreadX or
 Symbian kernel capture in a terminal, and prints them for scripts.
 .
 The library that reads the captures and its headers are included; programs
 that use it also need the suggested packages.
CONTROL
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --build --root-owner-group "$root" "build/tracetui_${version}_$arch.deb"
rm -rf "$root"
