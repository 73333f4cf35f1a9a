# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Comments, messages and documents contain no phrase of the list below (docs/contributing.md).
. tests/lib/case.sh

# A line per rule: an extended regular expression, a tab, the replacement.
rules() {
    cat <<'TABLE'
\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Ww]homever|[Ww]hatsoever)\b	the noun
\b(anew|at hand|by and by|to and fro)\b	again; current
\bso (many|much|long|often)\b	N; as many
\bthe other way round\b	in reverse
\bbehind (the|it|them|its|that|which) ?(last|first|end|event|others?|header|name|place|record|slot)?\b	after
\bone behind the other\b	one after the other
(^|[.:;] +|\* |/\* |# )(Who|Whose|Whom) [a-z]+	a noun
(/\*|//|^ \*|^ *#) What [a-z]	a noun
(^|[.] +|\* |/\* )What [a-z' ]+ (is|are|was|were|has|have|stands?|says?|means?)\b	a noun
\b(the|a|each|every) (person|persons)\b	the user
\bkept (index|file|indexes|files)\b	index cache
\b(says|tells|knows|wants|hears) (what|which|who|how|where|when|whether|that|of|it)\b	contains, returns, has
\b(is|are|was|were|be|been) told\b	is reported, is given
\bheard of\b	recorded
\b(a|is|as a) remark in\b	reported in
\bone does\b	passive or imperative
\b(take|takes|taken|took) away\b	delete, clear
\b(gives?|given|gave) (it )?back\b	return, free
\b(goes|went|gone) on\b	continue
\b(how|too|as|that) (great|greatest)\b	large
\b(greatest|least) (time|key|value|number|of)\b	largest, smallest
\bpictures? (is|are|was|of the screen|at once)\b	frame
\bas (it|they) (stands?|lies?|lay)\b	unchanged
(/\*|//|^ *\*|^ *#) (Is|Are|Was|Were|Has|Have|Does|Do|Did|Can|May|Must|Should) [^.:;(]*[?]( \*/)?$	Returns whether
\b(held|hold|holds) [a-z ]*against (the|a|it|one|each|another)\b	compare
\bagainst each other\b	with each other
\b(is|are|was|were|be) (then )?no good\b	invalid
\bmemory is out\b	out of memory
\bused again\b	reused
\b(stands?|stood) (too far |right )?(after|before|behind|in)\b	is
\bwithout a word\b	without a message
\blives? through\b	survive
\bgood for (nobody|nothing|what)\b	valid
\b(is|are) (no|not) longer to be (had|found)\b	is missing
TABLE
}

# Text of a simulated program.
exceptions='high wants it, round'

text_files() {
    git ls-files '*.c' '*.h' '*.sh' '*.md' '*.1' '*.def' Makefile .ci/run |
        grep -vE '^(docs/contributing.md|tests/house/language.sh)$'
}

# translated FILE...: the lines that break a rule, with the replacement
translated() {
    local rule instead
    while IFS=$'\t' read -r rule instead; do
        grep -nHE -e "$rule" -- "$@" | grep -v "$exceptions" | cut -c 1-150 | sed "s|\$| [$instead]|"
    done < <(rules)
}

printf '%s\n' 'Whose event it is, nobody knows at hand.' ' * Is there such a place?' >"$WORK/text"
same_text "phrases are found" 4 "$(translated "$WORK/text" | wc -l)"
mapfile -t files < <(text_files)
same_text "no phrase of the list" "" "$(translated "${files[@]}")"
