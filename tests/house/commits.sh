# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Subjects of commits: imperative, at most 72 characters (docs/contributing.md). The rule applies to
# commits since that page exists.
. tests/lib/case.sh

# wrong_subjects: reads subjects and prints those that break the rule, without the area that they may begin with
wrong_subjects() {
    sed -E '/^.{73,}$/!s/^[a-z][a-z0-9, _-]*: //' | grep -E '^.{73,}$|^[^A-Z]|\.$|^(The|A|An|It|This|That|There|Which|Who|Whose|What|How|Where|When|Of|After|Before|In|On|Two|One|All|Each|Every|No|Some|Also|More|Most)\b|^[A-Z][a-z]+(ed|ing|[^su]s) '
}

same_text "a wrong subject is seen" 7 "$(wrong_subjects <<'END' | wc -l
The index is built
Added a test
Fixes the index
Fix the index.
fix the index
Fix the index of captures that are larger than all of the memory that there is
index: Fixes the index
index: Fix the index
Fix the index
Pass the bus to the process
END
)"

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    skip "subjects of commits" "not a git checkout"
    exit 0
fi
since=$(git log --diff-filter=A --format=%H -- docs/contributing.md | tail -n 1)
if [ -z "$since" ]; then
    skip "subjects of commits" "the history does not reach back to docs/contributing.md"
    exit 0
fi
same_text "subjects of commits" "" "$(git log --no-merges --format=%s "$since..HEAD" | wrong_subjects)"
