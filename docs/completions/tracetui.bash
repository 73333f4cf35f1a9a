# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# bash completion of tracetui, made from the tables of options by tests/unit/cli/test_completions.c

_tracetui_options() {
    case $1 in
    '') echo '--filter --follow --on-change --lane --lanes --merge --log --align --offset --one-system --clock --names --metadata --symbols --definitions --keys --ascii --color --theme --zone --script --config --no-config --dump-config --no-session --no-mouse --spool-limit --remote-shell --find --no-cache --cache-limit --help --version' ;;
    'dump') echo '--format --style --resolve --messages --from --to --thread --cpu --filter --follow --on-change --until --timeout --jobs --job-ends --deadline --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --definitions --blobs --ascii --color --theme --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'info') echo '--format --from --to --thread --cpu --filter --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'stats') echo '--format --by --from --to --save-baseline --thread --cpu --filter --follow --on-change --timeout --interval --number --condition --job-ends --deadline --lane --lanes --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'why') echo '--format --from --to --thread --at --worst --each --wakes --number --depth --job-ends --deadline --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'at') echo '--format --thread --cpu --state --tree --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'measure') echo '--format --from --to --thread --begin --end --same --pair --interrupt --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'lanes') echo '--format --from --to --thread --lane --lanes --output --capture --parallel --keep-going --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'check') echo '--format --follow --on-change --until --timeout --job-ends --deadline --lane --lanes --rules --rule --set --undecided --github --explain --fail-fast --output --parallel --merge --log --align --offset --one-system --clock --names --metadata --symbols --ascii --config --no-config --spool-limit --remote-shell --find --no-cache --cache-limit --help --version' ;;
    'diff') echo '--format --by --from --to --from-a --to-a --from-b --to-b --min-change --alpha --fail-if --all --job-ends --lane --lanes --output --clock --names --metadata --symbols --ascii --spool-limit --remote-shell --no-cache --cache-limit --help --version' ;;
    'sql') echo '--format --timeout --lane --lanes --file --to --memory-limit --output --parallel --log --align --offset --clock --names --metadata --symbols --config --no-config --no-session --spool-limit --remote-shell --find --no-cache --cache-limit --help --version' ;;
    'export') echo '--format --from --to --thread --cpu --filter --lane --lanes --output --merge --log --align --offset --one-system --clock --names --metadata --symbols --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'save') echo '--from --to --thread --cpu --filter --output --clock --names --metadata --symbols --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'report') echo '--from --to --number --job-ends --deadline --title --output --merge --log --align --offset --one-system --clock --names --metadata --symbols --config --no-config --spool-limit --remote-shell --find --strict --no-cache --cache-limit --help --version' ;;
    'render') echo '--format --from --to --filter --lane --lanes --output --merge --log --align --offset --one-system --clock --names --metadata --symbols --definitions --size --keys --ascii --color --theme --zone --script --config --no-config --spool-limit --remote-shell --find --no-cache --cache-limit --help --version' ;;
    esac
}

_tracetui_words() {
    case $1 in
    --format) echo 'text csv jsonl table fxt svg html ansi tap junit chrome-json folded' ;;
    --by) echo 'thread cpu process pair event total job interrupt blame inversion service profile stack filex netx message server client channel imposed matrix object migration lane mode queue call calltree caller single captures facts health processes threads types events args states cpu_time switches wakes messages objects lock_waits lock_releases jobs slices counters irqs lanes' ;;
    --style) echo 'traceprinter traceprinter7 traceprinter traceprinter7 tracex btrace' ;;
    --on-change) echo 'reload keep' ;;
    --worst) echo 'delay wait reply lock preempted response message inversion miss' ;;
    --each) echo 'delay wait reply lock preempted response message inversion miss' ;;
    --pair) echo 'last first' ;;
    --undecided) echo 'report pass' ;;
    --color) echo 'auto always never 16 256' ;;
    --theme) echo 'colour-blind dark default high-contrast light mono' ;;
    render) echo 'events threads cpus summary info messages snapshot' ;;
    esac
}

_tracetui_takes_argument() {
    case $1 in
    --format | --by | --style | --from | --to | --from-a | --to-a | --from-b | --to-b | --min-change | --alpha | --fail-if | --save-baseline | --thread | --cpu | --filter | --on-change | --until | --timeout | --interval | --at | --worst | --each | --number | -n | --condition | --depth | --job-ends | --deadline | --state | --begin | --end | --same | --pair | --interrupt | --lane | --lanes | --rules | --rule | -e | --set | --undecided | --file | -f | --to | --memory-limit | --title | --output | -o | --parallel | -j | --log | --align | --offset | --clock | --names | --metadata | --symbols | --blobs | --size | --keys | --color | --theme | --zone | --script | --config | --spool-limit | --remote-shell | --cache-limit) return 0 ;;
    esac
    return 1
}

_tracetui() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' first='' i plain=0
    COMPREPLY=()
    if [ "$word" = = ]; then # --option=
        word=''
    elif [ "$before" = = ] && [ "$COMP_CWORD" -ge 2 ]; then # --option=part
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        =) i=$((i + 1)) ;;
        -?*)
            if _tracetui_takes_argument "${COMP_WORDS[i]}" &&
                [ "${COMP_WORDS[i + 1]}" != = ]; then
                i=$((i + 1))
            fi
            ;;
        *)
            plain=$((plain + 1))
            [ $plain -gt 1 ] || first=${COMP_WORDS[i]}
            ;;
        esac
    done
    case $first in
    dump | info | stats | why | at | measure | lanes | check | diff | sql | export | save | report | render) command=$first ;;
    esac

    local words=''
    if _tracetui_takes_argument "$before"; then
        words=$(_tracetui_words "$before")
    elif [[ $word == -* ]]; then
        words=$(_tracetui_options "$command")
    elif [ $plain -eq 0 ]; then
        words='dump info stats why at measure lanes check diff sql export save report render'
    elif [ "$command" = render ] && [ $plain -eq 1 ]; then
        words=$(_tracetui_words render)
    fi
    # What the words do not complete, readline completes as the name of a file.
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -o default -F _tracetui tracetui
