#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lists a program and the libraries inside it as an SPDX 2.3 document (tag-value form):
#
#     sh docs/packaging/spdx.sh PROGRAM VERSION LINKER-FLAG...
#
# prints the list. A LINKER-FLAG -lNAME is a library; libc is added, and other flags are ignored. A static
# program contains its libraries (STATIC_LINK), another one loads them (DYNAMIC_LINK). Versions are those
# of the Debian packages that own the files, NOASSERTION elsewhere. SOURCE_DATE_EPOCH (0) is the date.
set -eu
cd "$(dirname "$0")/../.."
program=$1
version=$2
shift 2

# Licences of the libraries by the name after -l, as the libraries' own notices state them.
licence_of() {
    case $1 in
    c | m | pthread) echo LGPL-2.1-or-later ;;
    ncursesw | tinfo) echo X11-distribute-modifications-variant ;;
    pcre2-8 | inih) echo BSD-3-Clause ;;
    zstd) echo 'BSD-3-Clause OR GPL-2.0-only' ;;
    xxhash) echo BSD-2-Clause ;;
    z) echo Zlib ;;
    jansson) echo MIT ;;
    sqlite3) echo blessing ;;
    *) return 1 ;;
    esac
}

# The versions of the packages that own the file of a library.
version_of() {
    file=$(${CC:-cc} -print-file-name="lib$1.$suffix")
    file=$(readlink -f "$file" 2>/dev/null) || file=
    owner=$(dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}" 2>/dev/null) || owner=
    [ -n "$owner" ] && dpkg-query -W -f='${Version}\n' "${owner%%: /*}" 2>/dev/null | head -n 1 || echo NOASSERTION
}

package() { # NAME VERSION LICENCE FILES-ANALYZED
    printf '\nPackageName: %s\nSPDXID: SPDXRef-Package-%s\nPackageVersion: %s\n' "$1" "$1" "$2"
    printf 'PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\n'
    printf 'PackageLicenseConcluded: %s\nPackageLicenseDeclared: %s\nPackageCopyrightText: NOASSERTION\n' "$3" "$3"
}

# A program without an interpreter is static, also if it is position-independent.
if LC_ALL=C readelf -lW "$program" | grep -q INTERP; then
    link=DYNAMIC_LINK suffix=so
else
    link=STATIC_LINK suffix=a
fi
sum=$(sha256sum "$program" | cut -d ' ' -f 1)
name=$(basename "$program")

cat <<HEADER
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: $name-$version
DocumentNamespace: urn:sha256:$sum
Creator: Tool: docs/packaging/spdx.sh
Created: $(date -u -d "@${SOURCE_DATE_EPOCH:-0}" +%Y-%m-%dT%H:%M:%SZ)
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-Package-tracetui
HEADER
package tracetui "$version" Apache-2.0
echo "PackageChecksum: SHA256: $sum"
for flag in "$@" -lc; do
    library=${flag#-l}
    [ "$library" != "$flag" ] || continue
    if ! licence=$(licence_of "$library"); then
        echo "spdx: no licence is listed for '$flag'" >&2
        exit 1
    fi
    package "lib$library" "$(version_of "$library")" "$licence"
    echo "Relationship: SPDXRef-Package-tracetui $link SPDXRef-Package-lib$library"
done
