#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Packs what `make install` installs: sh docs/packaging/deb.sh VERSION
# makes build/tracetui_VERSION_ARCH.deb. `make deb` builds first.
set -eu
cd "$(dirname "$0")/../.."
version=$1
arch=$(dpkg --print-architecture)
root=build/deb
rm -rf "$root"
make --no-print-directory install DESTDIR="$root" PREFIX=/usr >/dev/null
mkdir -p "$root/DEBIAN" "$root/usr/share/doc/tracetui"
cp LICENSE "$root/usr/share/doc/tracetui/copyright"
gzip -9n "$root/usr/share/man/man1/tracetui.1"

# The packages that own the libraries the program is linked with.
# dpkg may know a file below /lib that really lies below /usr/lib.
depends=$(ldd build/tracetui | awk '$2 == "=>" { print $3 }' | while read -r library; do
    real=$(readlink -f "$library")
    dpkg-query -S "$real" 2>/dev/null || dpkg-query -S "${real#/usr}" 2>/dev/null || true
done | cut -d: -f1 | sort -u | paste -sd, | sed 's/,/, /g')

cat >"$root/DEBIAN/control" <<CONTROL
Package: tracetui
Version: $version
Architecture: $arch
Maintainer: the tracetui authors <tracetui@localhost>
Section: devel
Priority: optional
Depends: $depends
Description: terminal explorer for kernel event captures of real-time systems
 Shows every event, thread state and number of a QNX, Fuchsia, ThreadX or
 Symbian kernel capture in a terminal, and prints them for scripts.
CONTROL
dpkg-deb --build --root-owner-group "$root" "build/tracetui_${version}_$arch.deb"
