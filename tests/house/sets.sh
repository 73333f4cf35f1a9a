# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tests/sets: each test is in exactly one set, and the rare ones run when their paths change.
. tests/lib/case.sh
unset RARE BASE # those of the run that this is a part of

sed '/^#/d; /^$/d' tests/sets >"$WORK/rows"
awk '{ print $2 }' "$WORK/rows" | sort >"$WORK/named"
same_text "no test is in both sets" "" "$(uniq -d "$WORK/named")"
{
    echo unit
    for suite in golden house sim truth live screens faults cache builds; do
        for file in tests/$suite/*.sh; do
            name=${file#tests/}
            echo "${name%.sh}"
            # A file that tries more when it is whole has a row for that.
            ! grep -q '{WHOLE:' "$file" || [ "$name" = house/sets.sh ] || echo "${name%.sh}:whole"
        done
    done
    "$BUILD/unit-tests" --list >"$WORK/cases"
    awk '$2 ~ /^unit\// { print $2 }' "$WORK/rows"
} | sort >"$WORK/expected"
same "each test is in a set" "$WORK/expected" "$WORK/named"
same_text "a row has the name of a set" "" "$(awk '$1 != "common" && $1 != "rare"' "$WORK/rows")"
same_text "a whole test and unit cases are rare" "" "$(awk '$1 == "common" && /:whole|unit\//' "$WORK/rows")"
same_text "a rare test has paths, a common one has none" "" \
    "$(awk '($1 == "rare") != (NF > 2)' "$WORK/rows")"
missing=
while read -r _ name paths; do
    case $name in
    unit/*)
        # shellcheck disable=SC2053 # a pattern
        while IFS= read -r case; do [[ $case == ${name#unit/} ]] && break; done <"$WORK/cases" ||
            missing="$missing $name"
        ;;
    esac
    for path in $paths; do [ -e "$path" ] || missing="$missing $path"; done
done <"$WORK/rows"
same_text "each case and path is there" "" "$missing"

# ---- the choice, in a repository of its own
tree=$WORK/tree
mkdir -p "$tree/tests/lib" "$tree/tests/golden" "$tree/src/filter"
cp tests/lib/chosen.sh "$tree/tests/lib/"
cat >"$tree/tests/sets" <<'SETS'
common  golden/always
common  golden/much
rare    golden/much:whole  src/filter
rare    golden/seldom  src/filter/*.h docs
SETS
touch "$tree/src/filter/a.c" "$tree/src/filter/a.h" "$tree/other" "$tree/tests/golden/"{always,much,seldom}.sh
save() { git -C "$tree" add -A && git -C "$tree" -c user.name=t -c user.email=t@t -c commit.gpgsign=false commit -q -m "$1"; }
# chosen EXPECTED WHAT [NAME=VALUE...]
chosen() {
    same_text "$2" "$1" "$(env "${@:3}" bash "$tree/tests/lib/chosen.sh" 2>/dev/null | sed 's|tests/golden/||' | paste -sd ' ')"
}
git -C "$tree" init -q
save first
chosen "always.sh much.sh:whole seldom.sh" "the first commit has no base: all run"
echo 1 >"$tree/other" && save second
chosen "always.sh much.sh" "another file has changed"
echo 1 >"$tree/src/filter/a.c"
chosen "always.sh much.sh:whole" "a file that is not committed"
save third
chosen "always.sh much.sh:whole" "a file of the last commit"
echo 2 >"$tree/other" && save fourth
chosen "always.sh much.sh" "a commit later"
chosen "always.sh much.sh:whole" "with a base of its own" BASE=HEAD~2
chosen "always.sh much.sh:whole seldom.sh" "all" RARE=all
chosen "always.sh much.sh" "none" RARE=none BASE=HEAD~2
git -C "$tree" tag v0.1.0 HEAD~2
echo 2 >"$tree/src/filter/a.h" && save fifth
echo 3 >"$tree/other" && save sixth
chosen "always.sh much.sh:whole seldom.sh" "since the last release tag"
git -C "$tree" tag v0.2.0
chosen "always.sh much.sh:whole seldom.sh" "a release itself is compared with the one before it"
echo 4 >"$tree/other" && echo 1 >"$tree/tests/golden/seldom.sh" && save seventh
chosen "always.sh much.sh seldom.sh" "its own file has changed"
touch "$tree/tests/golden/new.sh"
chosen "always.sh much.sh seldom.sh new.sh" "a test without a row runs"
