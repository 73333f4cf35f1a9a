# SPDX-License-Identifier: Apache-2.0
# fish completion of tracetui, made from the tables of options by tests/unit/cli/test_completions.c

# Is the command that was typed so far one of these? `open`: none was named.
function __tracetui_is
    set -l command open
    set -l words (commandline -opc)
    if contains -- "$words[2]" dump info stats render
        set command $words[2]
    end
    contains -- $command $argv
end

function __tracetui_is_first
    test (count (commandline -opc)) -eq 1
end

function __tracetui_is_view
    __tracetui_is render; and test (count (commandline -opc)) -eq 2
end

complete -c tracetui -n __tracetui_is_first -a dump -d 'print the events, a line each'
complete -c tracetui -n __tracetui_is_first -a info -d 'print what the capture holds and its health'
complete -c tracetui -n __tracetui_is_first -a stats -d 'print scheduling numbers, a row each'
complete -c tracetui -n __tracetui_is_first -a render -d 'print one screen of a view'
complete -c tracetui -n __tracetui_is_view -x -a 'events threads cpus summary info'
complete -c tracetui -n '__tracetui_is dump info stats' -l format -x -a 'text csv jsonl table' -d 'text, csv or jsonl (info: text or jsonl; stats: table, csv or jsonl)'
complete -c tracetui -n '__tracetui_is stats' -l by -x -a 'thread cpu process pair event total' -d 'a row for each thread, cpu, process, pair (of threads that followed each other), event; or the total'
complete -c tracetui -n '__tracetui_is dump' -l style -x -a 'traceprinter traceprinter7' -d 'print as the format'\''s own tools do, in the file'\''s order; for QNX: traceprinter, traceprinter7'
complete -c tracetui -n '__tracetui_is dump info stats render' -l from -x -d 'events from here on, as 1.2s 3ms 4us 5ns, 500t (ticks), #1234 (the event'\''s n), 40%'
complete -c tracetui -n '__tracetui_is dump info stats render' -l to -x -d 'events before here'
complete -c tracetui -n '__tracetui_is dump info stats' -l thread -x -d 'events of a thread, as PROCESS/TID, or of PROCESS, by number or name; may be given again'
complete -c tracetui -n '__tracetui_is dump info stats' -l cpu -x -d 'events of these CPUs: 0,2-3'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l filter -x -d 'events that match: terms such as '\''cpu = 0 and thread ~ /^io-/'\'', or a regex on the line'
complete -c tracetui -n '__tracetui_is open dump stats' -l follow -s f -d 'go on while the file grows; it may be a pipe (-)'
complete -c tracetui -n '__tracetui_is open dump stats' -l on-change -x -a 'reload keep' -d 'when a followed file is replaced, cut or written anew: reload it, or keep what was had (which is copied for that)'
complete -c tracetui -n '__tracetui_is dump' -l until -x -d 'with -f: stop behind the first event that matches; exit status 3 if none came'
complete -c tracetui -n '__tracetui_is dump stats' -l timeout -x -d 'with -f: stop after so long: 5s, 250ms'
complete -c tracetui -n '__tracetui_is stats' -l interval -x -d 'with -f: print the numbers so often (1s)'
complete -c tracetui -n '__tracetui_is dump info stats render' -l output -s o -r -d 'write to FILE, which appears when it is complete'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l clock -x -d 'ticks a second, where the capture doesn'\''t say: 1M'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l names -r -d 'names for what the capture has only numbers for'
complete -c tracetui -n '__tracetui_is open dump render' -l definitions -d 'list records that define names and objects too, where the format has them among the events (fxt)'
complete -c tracetui -n '__tracetui_is render' -l size -x -d 'columns and rows of the screen (80x24)'
complete -c tracetui -n '__tracetui_is open render' -l keys -x -d 'keys typed at the start, as in '\''jj<Enter>'\'''
complete -c tracetui -n '__tracetui_is open render' -l ascii -d 'draw with ASCII characters only'
complete -c tracetui -n '__tracetui_is open render' -l color -x -a 'auto always never 16 256' -d 'auto, always, never, or how many: 16, 256; what is printed (render) has none unless asked for'
complete -c tracetui -n '__tracetui_is open render' -l theme -r -a 'colour-blind dark default high-contrast light mono' -d 'colours and glyphs: a name, as :theme lists them, or a file'
complete -c tracetui -n '__tracetui_is open render' -l script -x -d 'play a file of keys and :commands, a line each'
complete -c tracetui -n '__tracetui_is open render' -l config -x -d 'settings and keys instead of one'\''s own file'
complete -c tracetui -n '__tracetui_is open render' -l no-config -d 'take no configuration'
complete -c tracetui -n '__tracetui_is open' -l dump-config -d 'print the configuration there is without a file'
complete -c tracetui -n '__tracetui_is open' -l no-session -d 'neither restore nor keep places, marks, history'
complete -c tracetui -n '__tracetui_is open' -l no-mouse -d 'leave the mouse to the terminal'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l spool-limit -x -d 'most that standard input or a compressed file may take when it is unpacked, as 2G; by default half of the free space there'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l no-cache -d 'neither take nor keep the index of a large file'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l cache-limit -x -d 'most that kept indexes may take together (2G)'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l help -s h -d 'print this and stop'
complete -c tracetui -n '__tracetui_is open dump info stats render' -l version -d 'print the version and stop'
