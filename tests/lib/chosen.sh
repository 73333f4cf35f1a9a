#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the tests to run, one a line: bash tests/lib/chosen.sh [SUITE ...]
#
# tests/sets has the set of each test. RARE (changed) selects the rare ones: `all`, `none`, or those whose
# paths have changed since the base. The base is $BASE, a commit; without it the last release tag (v1.2.3) before
# HEAD; without one the parent of HEAD. Files that are not committed count as changed. Without git or a base all
# rare tests run. Standard error has the chosen rare tests, and why.
set -u
cd "$(dirname "$0")/../.." || exit 2
SETS=tests/sets
suites=" $* "

# base: prints the commit with which the checkout is compared
base() {
    local commit
    if [ -n "${BASE:-}" ]; then
        git rev-parse -q --verify "$BASE^{commit}"
        return
    fi
    commit=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 'HEAD^' 2>/dev/null) ||
        commit='HEAD^'
    git rev-parse -q --verify "$commit^{commit}"
}

rare=${RARE:-changed}
if [ "$rare" = changed ] && ! from=$(base 2>/dev/null); then
    echo "sets: no commit to compare with: all rare tests run" >&2
    rare=all
fi
if [ "$rare" = changed ]; then
    # An untracked file has changed as well.
    changed=$({ git diff --name-only "$from" && git ls-files --others --exclude-standard; } | sort -u)
    echo "sets: compared with $(git log -1 --format='%h (%s)' "$from")" >&2
fi

# change_of TEST PATH...: prints the first changed file of these paths, or of the test itself
change_of() {
    local file=tests/${1%:whole}.sh path
    shift
    while IFS= read -r path; do
        for wanted in "$file" "$@"; do
            # shellcheck disable=SC2053 # a pattern
            if [[ $path = $wanted || $path = $wanted/* ]]; then
                echo "$path"
                return
            fi
        done
    done <<<"$changed"
    return 1
}

chosen=()
while read -r set name paths; do
    case $set in common | rare) ;; *) continue ;; esac
    [ "$suites" = "  " ] || [[ $suites = *" ${name%%/*} "* ]] || continue
    if [ "$set" = rare ]; then
        case $rare in
        none) continue ;;
        changed)
            # shellcheck disable=SC2086 # a list of words
            why=$(set -f && change_of "$name" $paths) || continue
            echo "sets: $name: $why has changed" >&2
            ;;
        esac
    fi
    chosen+=("$name")
done <"$SETS"
# A file that has no row is missing in tests/house/sets.sh, but runs.
for file in tests/{golden,house,sim,truth,live,screens,faults,cache,builds}/*.sh; do
    name=${file#tests/} name=${name%.sh}
    [ -f "$file" ] && { [ "$suites" = "  " ] || [[ $suites = *" ${name%%/*} "* ]]; } || continue
    grep -qE "^(common|rare) +$name( |\$)" "$SETS" 2>/dev/null || chosen+=("$name")
done

for name in "${chosen[@]}"; do
    case $name in
    unit | unit/*) echo "$name" ;;
    *:whole) echo "tests/${name%:whole}.sh:whole" ;;
    *) [[ " ${chosen[*]} " = *" $name:whole "* ]] || echo "tests/$name.sh" ;; # the whole includes it
    esac
done
