# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Scripts of `render`: many pictures, sizes, and parts that begin as the program does.
. tests/lib/case.sh

DEMO=samples/demo.kev
export LC_ALL=C.UTF-8
draws() { run "$TRACETUI" render threads "$@" --script "$WORK/script" $DEMO; }

cat >"$WORK/script" <<END
# A part: two pictures of one view, and one of another size.
:picture $WORK/first.txt
:zoom 10ms..20ms
jj
:picture $WORK/zoomed.txt
:size 120x40
:picture $WORK/large.txt
:restart
:picture $WORK/again.txt
:filter cpu = 1
:set glyphs ascii
:view.events
:mark a
q
:picture $WORK/after-quit.txt
:restart
:picture $WORK/last.txt
END
draws --keys j
same_text "a script of three parts" 0 "$code"
cp "$WORK/out" "$WORK/printed"
# is NAME FILE ARGUMENTS...: the file has what `render` prints
is() {
    run "$TRACETUI" render threads "${@:3}" $DEMO
    same "$1" "$WORK/out" "$WORK/$2"
}
is "a part writes what render prints" first.txt
is "... after a command and keys" zoomed.txt --keys ':zoom 10ms..20ms<Enter>jj'
is "... at another size" large.txt --size 120x40 --keys ':zoom 10ms..20ms<Enter>jj'
is "the second part begins as the program does" again.txt
is "... and the third" last.txt
is "the keys of the options come last, and then the screen is printed" printed --keys j
if [ -e "$WORK/after-quit.txt" ]; then not_ok "quit ends its part" "after-quit.txt is there"; else ok "quit ends its part"; fi

# Colours are those of the options; glyphs depend on whether there are any.
printf ':picture %s\n' "$WORK"/colored.ansi "$WORK"/drawn.svg "$WORK"/drawn.html >"$WORK/script"
draws --color 256
is ".ansi has colours" colored.ansi --format ansi
is ".svg is a picture" drawn.svg --format svg
is ".html is a page" drawn.html --format html

printf ':picture %s\n:restart\n:picture %s\n' "$WORK/first.txt" "$WORK/never.txt" >"$WORK/script"
draws
same_text "an existing file is a failure" 2 "$code"
says "... with its reason" 'first\.txt.*exists|exists.*first\.txt' "$WORK/err"
nothing "... without a screen" "$WORK/out"
if [ -e "$WORK/never.txt" ]; then not_ok "... and the end" "the next part was played"; else ok "... and the end"; fi
printf ':picture! %s\n' "$WORK/drawn.html" >"$WORK/script"
draws
same_text "picture! overwrites" 0 "$code"
for size in 0x24 80x0 80 1001x20 80x1001 80x24x2 80x24a; do
    printf ':size %s\n' "$size" >"$WORK/script"
    draws
    says "refused: size $size" '^ a size is as 120x40' "$WORK/out"
done
printf ':say hello\n:picture %s\n:picture %s\n' "$WORK"/hello.txt "$WORK"/again-hello.txt >"$WORK/script"
draws
says "a picture has the message" '^ hello  ' "$WORK/hello.txt"
same "... and so has the next one" "$WORK/hello.txt" "$WORK/again-hello.txt"
