# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Check pane: its screens, and that its reports are those of `check`.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev
RULES=tests/screens/demo.check
CHECK=":check $RULES<Enter>"

rendered "verdicts, the worst first" check-80x24.txt threads --keys "$CHECK" $DEMO
rendered "the second rule in ASCII" check-ascii.txt events --ascii --size 120x40 --keys "${CHECK}j" $DEMO
rendered "to the place of the worst" check-go.txt events --keys "$CHECK<Enter>" $DEMO

for format in xml:junit tap:tap jsonl:jsonl txt:table; do
    file=$WORK/report.${format%:*}
    rm -f "$file"
    run "$TRACETUI" render threads --keys "${CHECK}w<C-u>write $file<Enter>" $DEMO
    "$TRACETUI" check --format "${format#*:}" $RULES $DEMO >"$WORK/want"
    same "the report is that of check --format ${format#*:}" "$WORK/want" "$file"
done
for size in 40x10 41x11 300x100 20x5 1x1; do
    run "$TRACETUI" render threads --size $size --keys "$CHECK" $DEMO
    same_text "$size is kept" "${size#*x} 1" "$(wc -l <"$WORK/out") $(($(wc -L <"$WORK/out") <= ${size%x*}))"
done
