# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Debian packages hold the files of `make install`, install into a root and are removed from there
# completely; lintian has no findings. The SPDX lists name each library that is linked. The packages are
# made of the release build; DEB_BUILDS=2 builds them from the sources, in two directories: the same bytes.
. tests/lib/case.sh

needs_release
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
libraries=$(make -s --no-print-directory --eval 'print-libs: ; @echo $(LDLIBS)' print-libs)

# ---- SPDX ---------------------------------------------------------------------------------------
# shellcheck disable=SC2086 # a list of words
exits "the SPDX list of the program" 0 sh docs/packaging/spdx.sh build/tracetui "$version" $libraries
cp "$WORK/out" "$WORK/spdx"
sed -n 's/^PackageName: lib//p' "$WORK/spdx" | sort >"$WORK/listed"
LC_ALL=C readelf -dW build/tracetui | sed -n 's/.*NEEDED.*\[lib\(.*\)\.so.*/\1/p' | sort >"$WORK/needed"
same_text "it names every linked library" "" "$(comm -13 "$WORK/listed" "$WORK/needed")"
same_text "each library is linked, its licence is known" "" "$(
    sed -n 's/^PackageName: //p' "$WORK/spdx" | while read -r package; do
        awk -v RS= -v name="$package" '$0 ~ "PackageName: " name "\n" && !/LicenseDeclared: [A-Za-z]/' "$WORK/spdx"
        [ "$package" = tracetui ] ||
            grep -q "^Relationship: SPDXRef-Package-tracetui DYNAMIC_LINK SPDXRef-Package-$package\$" "$WORK/spdx" ||
            echo "$package"
    done
)"
same_text "the checksum is that of the program" "$(sha256sum build/tracetui | cut -d ' ' -f 1)" \
    "$(sed -n 's/^PackageChecksum: SHA256: //p' "$WORK/spdx")"
exits "a library without a licence is an error" 1 sh docs/packaging/spdx.sh build/tracetui "$version" -lunknown

# ---- packages -----------------------------------------------------------------------------------
same_text "the changelog has the version of the Makefile" "$version" \
    "$(sed -n '1s/.*(\(.*\)).*/\1/p' docs/packaging/debian/changelog)"
if ! command -v dpkg-buildpackage >/dev/null 2>&1 || ! command -v dh >/dev/null 2>&1; then
    skip "deb" "dpkg-dev or debhelper is not installed"
    exit 0
fi
if ! dpkg-checkbuilddeps docs/packaging/debian/control 2>"$WORK/err"; then
    skip "deb" "$(head -n 1 "$WORK/err")" # build-essential, which dpkg-buildpackage needs as well
    exit 0
fi
export DEBEMAIL=packager@debian.org
exits "the packages are built" 0 sh docs/packaging/deb.sh "$WORK/deb" build/release
arch=$(dpkg --print-architecture)
deb=$WORK/deb/tracetui_${version}_$arch.deb
dev=$WORK/deb/libtracetui-dev_${version}_$arch.deb

# All installed files, with the changes that Debian requires, and nothing else.
for package in "$deb" "$dev"; do
    dpkg-deb -c "$package" | awk '$1 ~ /^-/ { print substr($6, 2) }'
done | sort >"$WORK/packed"
libdir=/usr/lib/$(${CC:-cc} -print-multiarch)
{
    PREFIX=/usr LIBDIR=${libdir%/} ZSHDIR=/usr/share/zsh/vendor-completions \
        sh docs/packaging/install.sh list | sed 's|tracetui\.1$|&.gz|'
    for package in tracetui libtracetui-dev; do
        echo /usr/share/doc/$package/copyright
        echo /usr/share/doc/$package/changelog.gz
    done
} | sort >"$WORK/expected"
# debhelper compresses long pages.
sed -E 's|(/usr/share/doc/tracetui/.*\.md)\.gz$|\1|' "$WORK/packed" | sort >"$WORK/packed.plain"
same "the packages hold what is installed" "$WORK/expected" "$WORK/packed.plain"

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
into -i "$deb" "$dev" >"$WORK/out" 2>&1
code=$?
same_text "dpkg installs them: $([ $code -eq 0 ] || tail -n 2 "$WORK/out")" 0 "$code"
exits "the installed program runs" 0 "$root/usr/bin/tracetui" info "$root/usr/share/tracetui/samples/demo.kev"
same_text "its files are as packed" "" "$(cd "$root" && md5sum --quiet -c var/lib/dpkg/info/*.md5sums 2>&1)"
into --purge tracetui libtracetui-dev >"$WORK/out" 2>&1
code=$?
same_text "dpkg removes them: $([ $code -eq 0 ] || tail -n 2 "$WORK/out")" 0 "$code"
same_text "no file is left" "" "$(find "$root" -path "$root/var/lib/dpkg" -prune -o -iname '*tracetui*' -print)"

if command -v lintian >/dev/null 2>&1; then
    lintian --fail-on none "$deb" "$dev" >"$WORK/lint" 2>/dev/null
    same_text "lintian has no findings" "" "$(grep -E '^[EW]:' "$WORK/lint")"
else
    skip "lintian" "it is not installed"
fi

for n in $(seq 1 "${DEB_BUILDS:-0}"); do
    exits "build $n from the sources" 0 sh docs/packaging/deb.sh "$WORK/build$n"
    (cd "$WORK/build$n" && sha256sum ./*.deb) >"$WORK/sums$n"
    [ "$n" -eq 1 ] || same "build $n has the bytes of the first" "$WORK/sums1" "$WORK/sums$n"
done
