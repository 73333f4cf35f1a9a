# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The effects of the hardening flags, checked with readelf (docs/building.md).
. tests/lib/case.sh

program=build/release/tracetui
if ! command -v readelf >/dev/null 2>&1; then
    skip "hardening" "no readelf here"
    exit 0
fi
needs_release
env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory hardening >"$WORK/flags"
readelf -hldW "$program" >"$WORK/headers"
# In an object: the linker drops the property if the system's start-up code lacks it.
readelf -nW build/release/src/main.o >"$WORK/notes" 2>/dev/null
readelf --dyn-syms -W "$program" >"$WORK/symbols"
readelf --debug-dump=info "$program" 2>/dev/null | grep -m 1 'DW_AT_producer' >"$WORK/producer"

# has FLAG PATTERN FILE: if the compiler accepts the flag, the program has its effect
has() {
    if ! grep -qxe "$1" "$WORK/flags"; then
        skip "$1" "the compiler does not take it"
    else
        says "$1 is in the program" "$2" "$3"
    fi
}

says "the compiler takes flags" '^-' "$WORK/flags"
has -pie '^ *Type: +DYN' "$WORK/headers"
has -Wl,-z,relro '^ *GNU_RELRO' "$WORK/headers"
has -Wl,-z,now 'BIND_NOW|Flags:.* NOW' "$WORK/headers"
has -D_FORTIFY_SOURCE=3 ' __v?snprintf_chk' "$WORK/symbols"
has -fstack-protector-strong ' __stack_chk_fail' "$WORK/symbols"
case $(uname -m) in
x86_64) has -fcf-protection 'IBT.*SHSTK' "$WORK/notes" ;;
*) skip "-fcf-protection" "readelf shows it for x86-64 only" ;;
esac
if grep -q 'GNU C' "$WORK/producer"; then
    has -fstack-clash-protection 'fstack-clash-protection' "$WORK/producer"
else
    skip "-fstack-clash-protection" "the compiler does not record its flags"
fi
if grep -E '^ *GNU_STACK' "$WORK/headers" | grep -q 'RWE'; then
    not_ok "the stack is not executable" "it is"
else
    ok "the stack is not executable"
fi

env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory HARDEN=no hardening >"$WORK/none"
same_text "HARDEN=no leaves all out" "" "$(tr -d '\n' <"$WORK/none")"
env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory VARIANT=asan hardening >"$WORK/none"
same_text "sanitizers go without" "" "$(tr -d '\n' <"$WORK/none")"

# Output of make: a line per file, and with V=1 the commands.
env -u MAKEFLAGS -u MAKELEVEL make -n --no-print-directory B="$WORK/b" "$WORK/b/src/main.o" >"$WORK/short"
says "make prints the file" "printf '  %-4s %s.n' CC src/main\\.c" "$WORK/short"
env -u MAKEFLAGS -u MAKELEVEL make -n V=1 --no-print-directory B="$WORK/b" "$WORK/b/src/main.o" >"$WORK/long"
same_text "make V=1 prints no such line" "" "$(grep 'printf' "$WORK/long")"
