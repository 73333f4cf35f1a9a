# SPDX-License-Identifier: Apache-2.0
# fish completion of tracetui, made from the tables of options by tests/unit/cli/test_completions.c

# Is the command that was typed so far one of these? `open`: none was named.
function __tracetui_is
    set -l command open
    set -l words (commandline -opc)
    if contains -- "$words[2]" dump info stats why at measure check diff export save report render
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

complete -c tracetui -n __tracetui_is_first -a dump -d 'print events, one per line'
complete -c tracetui -n __tracetui_is_first -a info -d 'print contents and health of the capture'
complete -c tracetui -n __tracetui_is_first -a stats -d 'print scheduling statistics'
complete -c tracetui -n __tracetui_is_first -a why -d 'explain delays and waits'
complete -c tracetui -n __tracetui_is_first -a at -d 'print what every thread was doing at an instant'
complete -c tracetui -n __tracetui_is_first -a measure -d 'measure from event to event'
complete -c tracetui -n __tracetui_is_first -a check -d 'judge captures by the rules of a file'
complete -c tracetui -n __tracetui_is_first -a diff -d 'compare two captures, or two ranges'
complete -c tracetui -n __tracetui_is_first -a export -d 'write the capture for Perfetto (fxt)'
complete -c tracetui -n __tracetui_is_first -a save -d 'write a part of the capture in its own format'
complete -c tracetui -n __tracetui_is_first -a report -d 'write a page about the capture (HTML)'
complete -c tracetui -n __tracetui_is_first -a render -d 'print one screen of a view'
complete -c tracetui -n __tracetui_is_view -x -a 'events threads cpus summary info messages snapshot'
complete -c tracetui -n '__tracetui_is dump info stats why at measure check diff export render' -l format -x -a 'text csv jsonl table fxt svg html ansi tap junit' -d 'text, csv or jsonl (info, why: text or jsonl; stats, diff: table, csv or jsonl; check: table, jsonl, tap or junit; export: fxt; a view: text, ansi, svg or html)'
complete -c tracetui -n '__tracetui_is stats diff' -l by -x -a 'thread cpu process pair event total job interrupt blame inversion message server client channel imposed matrix object' -d 'one row per thread, cpu, process, pair (threads that ran one after the other), event, job (jobs of a thread), interrupt, or the total; blame: what threads wait for; inversion: priority inversions, longest first; message (pairs of processes), server, client, channel: messages; imposed: CPU time by client; matrix: the same by server; object: locks, semaphores and queues'
complete -c tracetui -n '__tracetui_is dump' -l style -x -a 'traceprinter traceprinter7' -d 'print like the format'\''s own tools, in record order; QNX: traceprinter, traceprinter7'
complete -c tracetui -n '__tracetui_is dump' -l resolve -d 'print names beside pids, tids, owners and connections in the arguments: pid=4102 fusion'
complete -c tracetui -n '__tracetui_is dump' -l messages -d 'print messages with their parts, one per line'
complete -c tracetui -n '__tracetui_is dump info stats why measure diff export save report render' -l from -x -d 'from here, as 1.2s 3ms 4us 5ns, 500t (ticks), #1234 (event number), 40%'
complete -c tracetui -n '__tracetui_is dump info stats why measure diff export save report render' -l to -x -d 'up to here, exclusive; same forms as --from'
complete -c tracetui -n '__tracetui_is diff' -l from-a -x -d 'the range of A begins here; --from is for both sides'
complete -c tracetui -n '__tracetui_is diff' -l to-a -x -d 'the range of A ends here'
complete -c tracetui -n '__tracetui_is diff' -l from-b -x -d 'the range of B begins here'
complete -c tracetui -n '__tracetui_is diff' -l to-b -x -d 'the range of B ends here'
complete -c tracetui -n '__tracetui_is diff' -l min-change -x -d 'smaller changes count as none (5%)'
complete -c tracetui -n '__tracetui_is diff' -l alpha -x -d 'probability that any row of equal runs is called changed (0.01)'
complete -c tracetui -n '__tracetui_is diff' -l fail-if -x -d 'exit status 3 if it holds, as '\''delay p99 of thread ~ /^sensor/ worse by 10%'\''; repeatable'
complete -c tracetui -n '__tracetui_is stats' -l save-baseline -x -d 'write the values of the table to a file that diff compares captures with'
complete -c tracetui -n '__tracetui_is diff' -l all -d 'also print values that did not change'
complete -c tracetui -n '__tracetui_is dump info stats why at measure export save' -l thread -x -d 'events of one thread (PROCESS/TID) or of all threads of PROCESS, by number or name; repeatable'
complete -c tracetui -n '__tracetui_is dump info stats at export save' -l cpu -x -d 'events on these CPUs, as 0,2-3'
complete -c tracetui -n '__tracetui_is open dump info stats export save render' -l filter -x -d 'matching events: terms such as '\''cpu = 0 and thread ~ /^io-/'\'', or a regex on the line'
complete -c tracetui -n '__tracetui_is open dump stats check' -l follow -s f -d 'keep reading while the file or pipe (-) grows'
complete -c tracetui -n '__tracetui_is open dump stats check' -l on-change -x -a 'reload keep' -d 'if a followed file is truncated, replaced or rewritten: reload it, or keep the events read so far (in a temporary copy)'
complete -c tracetui -n '__tracetui_is dump check' -l until -x -d 'with -f: stop after the first matching event; exit status 3 if there is none (check: 4)'
complete -c tracetui -n '__tracetui_is dump stats check' -l timeout -x -d 'with -f: stop after TIME: 5s, 250ms'
complete -c tracetui -n '__tracetui_is stats' -l interval -x -d 'with -f: print statistics every TIME (1s)'
complete -c tracetui -n '__tracetui_is why' -l at -x -d 'explain what --thread does here: a wait, the time it was ready, or a run from the wake that led to it'
complete -c tracetui -n '__tracetui_is why' -l worst -x -a 'delay wait reply lock preempted response message' -d 'explain the longest: delay, wait, reply, lock, preempted, message or response (of a job)'
complete -c tracetui -n '__tracetui_is why' -l each -x -a 'delay wait reply lock preempted response message' -d 'explain every one, in order of time'
complete -c tracetui -n '__tracetui_is why' -l wakes -d 'list every wake with its waker'
complete -c tracetui -n '__tracetui_is why report' -l number -s n -x -d 'with --worst, and of a report: how many (5)'
complete -c tracetui -n '__tracetui_is why' -l depth -x -d 'follow causes for this many levels (64)'
complete -c tracetui -n '__tracetui_is dump' -l jobs -d 'print the jobs (activations) of threads, one per line, instead of events'
complete -c tracetui -n '__tracetui_is dump stats why check diff report' -l job-ends -x -d 'states that end a job: RECEIVE,SEM; +MUTEX,-SEM changes the format'\''s list'
complete -c tracetui -n '__tracetui_is dump stats check report' -l deadline -x -d 'deadlines of jobs, as '\''sensor/1=2ms,/^fusion/=5ms'\'': a thread, or a regex on its name'
complete -c tracetui -n '__tracetui_is at' -l state -x -d 'threads in these states, or classes of states, as MUTEX,ready'
complete -c tracetui -n '__tracetui_is at' -l tree -d 'what is waited for, and below it what waits for it'
complete -c tracetui -n '__tracetui_is measure' -l begin -x -d 'measure from the events that match'
complete -c tracetui -n '__tracetui_is measure' -l end -x -d 'to those that match this filter'
complete -c tracetui -n '__tracetui_is measure' -l same -x -d 'pair events of the same thread, cpu, process, or arg:NAME (an argument)'
complete -c tracetui -n '__tracetui_is measure' -l pair -x -a 'last first' -d 'pair an end with the last open begin (default), or the first'
complete -c tracetui -n '__tracetui_is measure' -l interrupt -x -d 'with --thread: from this interrupt to the thread that it wakes, in parts'
complete -c tracetui -n '__tracetui_is check' -l rules -x -d 'a rules file; repeatable; all words are then FILEs'
complete -c tracetui -n '__tracetui_is check' -l rule -s e -x -d 'one rule, as '\''lost = 0'\''; repeatable; all words are then FILEs'
complete -c tracetui -n '__tracetui_is check' -l set -x -d 'set a variable of the rules; repeatable'
complete -c tracetui -n '__tracetui_is check' -l undecided -x -a 'report pass' -d 'report: exit status 4 for undecided rules; pass: accept them'
complete -c tracetui -n '__tracetui_is check' -l github -d 'also print annotations for GitHub Actions'
complete -c tracetui -n '__tracetui_is check' -l explain -d 'print what each rule selects; without rules: the measures and names to write rules with'
complete -c tracetui -n '__tracetui_is check' -l fail-fast -d 'with -f: stop at the first failure that later events cannot change'
complete -c tracetui -n '__tracetui_is report' -l title -x -d 'title of the page (the name of the file)'
complete -c tracetui -n '__tracetui_is dump info stats why at measure check diff export save report render' -l output -s o -r -d 'write to FILE; it appears when it is complete; - is standard output'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l clock -x -d 'ticks per second, for captures without a clock: 1M'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l names -r -d 'names for events that have only numbers'
complete -c tracetui -n '__tracetui_is open dump render' -l definitions -d 'also list records that define names and objects (fxt)'
complete -c tracetui -n '__tracetui_is render' -l size -x -d 'columns and rows of the screen (80x24)'
complete -c tracetui -n '__tracetui_is open render' -l keys -x -d 'keys typed at the start, as '\''jj<Enter>'\'''
complete -c tracetui -n '__tracetui_is open render' -l ascii -d 'draw with ASCII characters only'
complete -c tracetui -n '__tracetui_is open dump render' -l color -x -a 'auto always never 16 256' -d 'auto, always, never, or at most 16 or 256 colours; render prints colours only on request; without MODE: always'
complete -c tracetui -n '__tracetui_is open dump render' -l theme -r -a 'colour-blind dark default high-contrast light mono' -d 'colours and glyphs: a name (:theme lists them) or a file'
complete -c tracetui -n '__tracetui_is open render' -l script -x -d 'play a file with keys or one :command per line'
complete -c tracetui -n '__tracetui_is open render' -l config -x -d 'read settings and keys from CONFIG instead of the user'\''s file'
complete -c tracetui -n '__tracetui_is open render' -l no-config -d 'read no configuration file'
complete -c tracetui -n '__tracetui_is open' -l dump-config -d 'print the default configuration'
complete -c tracetui -n '__tracetui_is open' -l no-session -d 'do not restore or save positions, marks and history'
complete -c tracetui -n '__tracetui_is open' -l no-mouse -d 'leave the mouse to the terminal'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l spool-limit -x -d 'maximum size of unpacked standard input or of an unpacked file, as 2G (default: half of the free space)'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l no-cache -d 'do not read or write the index cache'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l cache-limit -x -d 'maximum total size of the index cache (2G)'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l help -s h -d 'print this help'
complete -c tracetui -n '__tracetui_is open dump info stats why at measure check diff export save report render' -l version -d 'print the version'
