# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Check pane: its screens, and that its reports are those of `check`.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev
RULES=tests/screens/demo.check
CHECK=":check $RULES<Enter>"

golden check-verdicts:the-worst-first 80x24 threads kev "$CHECK"
golden check-verdicts:the-second-rule-in-ascii 120x40 events+ascii kev "${CHECK}j" 2,16
at "to the place of the worst" 80x24 events kev "$CHECK<Enter>" '\[2 Thr\]'
for size in 40x10 41x11 300x100 20x5 1x1; do sized "the Check pane" $size threads kev "$CHECK"; done
screens_draw

for format in xml:junit tap:tap jsonl:jsonl txt:table; do
    file=$WORK/report.${format%:*}
    rm -f "$file"
    run "$TRACETUI" render threads --keys "${CHECK}w<C-u>write $file<Enter>" $DEMO
    "$TRACETUI" check --format "${format#*:}" $RULES $DEMO >"$WORK/want"
    same "the report is that of check --format ${format#*:}" "$WORK/want" "$file"
done
