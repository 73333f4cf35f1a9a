# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The completions work, and contain every command and option of --help.
. tests/lib/case.sh

# An option may need a command: one of these is its argument.
needs_command() {
    local argument
    for argument in 1 1s 1x1 text thread delay last pass; do
        "$TRACETUI" "$1" "$argument" no.kev 2>&1 </dev/null | grep -q 'needs a command' && return 0
    done
    return 1
}

# options_of COMMAND: the long options that its help lists; without one, those that need none.
# The result is cached.
options_of() {
    local option told=$WORK/options.$1
    if [ ! -f "$told" ]; then
        options_in_help "$1" | while read -r option; do
            [ -z "$1" ] && needs_command "$option" || echo "$option"
        done >"$told"
    fi
    cat "$told"
}

options_in_help() {
    # shellcheck disable=SC2086 # no command: no word
    "$TRACETUI" $1 --help | grep -oE '^  (-.,|   ) --[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u
}
commands=$("$TRACETUI" --help | sed -n 's/^  tracetui \([a-z][a-z]*\) .*/\1/p')
same_text "--help names commands" 1 "$(($(wc -w <<<"$commands") >= 4))"

# ---- bash: the function is called as readline calls it
# shellcheck source=docs/completions/tracetui.bash
. docs/completions/tracetui.bash
completed() { # completed WORD...: what the last word may become, a line each
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _tracetui
    printf '%s\n' "${COMPREPLY[@]}" | sed '/^$/d'
}
same_text "bash: commands" "$(sort <<<"$commands")" "$(completed tracetui '' | sort)"
for command in '' $commands; do
    if [ -n "$command" ]; then words=(tracetui "$command" --); else words=(tracetui --); fi
    same_text "bash: options of ${command:-no command}" "$(options_of "$command" | grep -v '^--version$')" \
        "$(completed "${words[@]}" | grep -v '^--version$' | sort)"
done
same_text "bash: a word of --format" "$(printf 'jsonl')" "$(completed tracetui dump --format js)"
same_text "bash: behind =" "$(printf 'jsonl')" "$(completed tracetui dump --format = js)"
same_text "bash: right behind =" "$(completed tracetui stats --by '')" "$(completed tracetui stats --by =)"
same_text "bash: a view" "threads" "$(completed tracetui render th)"
same_text "bash: a view behind an option" "threads" "$(completed tracetui render --size 80x24 th)"
same_text "bash: behind a file no view" "" "$(completed tracetui render events th)"
same_text "bash: the file of -o" "" "$(completed tracetui dump -o d)"
same_text "bash: a theme" "mono" "$(completed tracetui --theme mo)"
same_text "bash: is offered for tracetui" "complete -o default -F _tracetui tracetui" "$(complete -p tracetui)"

# ---- zsh
if command -v zsh >/dev/null 2>&1; then
    run zsh -n docs/completions/_tracetui
    same_text "zsh: it parses" "0" "$code$(cat "$WORK/err")"
    # A replacement of _arguments prints its arguments for a command.
    zsh_options() {
        # shellcheck disable=SC2016 # zsh expands
        zsh -f -c 'compdef() { :; }; _describe() { :; }; _files() { :; }
            _arguments() { print -l -- "$@"; }
            words=(tracetui "$@" --); CURRENT=$#words
            . docs/completions/_tracetui' zsh "$@" | grep -oE '^\*?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u
    }
    for command in '' $commands; do
        # shellcheck disable=SC2086 # no command: no word
        same_text "zsh: options of ${command:-no command}" "$(options_of "$command")" "$(zsh_options $command)"
    done
else
    skip "zsh" "it is not installed"
fi
for command in '' $commands; do # by its text, with or without a zsh
    same_text "zsh: the text has the options of ${command:-no command}" "$(options_of "$command")" \
        "$(awk -v start="    '$command') options=(" '$0 == start { on = 1; next } /^        \) ;;/ { on = 0 } on' \
            docs/completions/_tracetui | grep -oE "^ *'\*?--[a-z-]+" | grep -oE -- '--[a-z-]+' | sort -u)"
done

# ---- fish
if command -v fish >/dev/null 2>&1; then
    fish_completed() {
        HOME=$WORK fish --no-config -c "source docs/completions/tracetui.fish; complete -C '$1'" | cut -f 1 | sort -u
    }
    for command in '' $commands; do
        same_text "fish: options of ${command:-no command}" "$(options_of "$command")" \
            "$(fish_completed "tracetui ${command:+$command }--")"
    done
    same_text "fish: a view" "threads" "$(fish_completed 'tracetui render th')"
    same_text "fish: a word of --format" "jsonl" "$(fish_completed 'tracetui dump --format js')"
else
    skip "fish" "it is not installed"
fi
for command in '' $commands; do
    same_text "fish: the text has the options of ${command:-no command}" "$(options_of "$command")" \
        "$(grep -E "__tracetui_is [^']*\b${command:-open}\b" docs/completions/tracetui.fish |
            grep -oE -- ' -l [a-z-]+' | sed 's/ -l /--/' | sort -u)"
done
