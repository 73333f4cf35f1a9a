/* SPDX-License-Identifier: Apache-2.0 */
/* screen_keys: reads keys and the terminal's answers. */
#define _XOPEN_SOURCE    700
#define NCURSES_WIDECHAR 1
#include "tui/term/screen_internal.h"

#include <string.h>

#define SEQUENCE_MS 1000

static uint32_t key_of_curses(wint_t code)
{
    static const struct {
        int code;
        uint32_t key;
    } keys[] = {
        {KEY_UP, TT_KEY_UP},
        {KEY_DOWN, TT_KEY_DOWN},
        {KEY_LEFT, TT_KEY_LEFT},
        {KEY_RIGHT, TT_KEY_RIGHT},
        {KEY_HOME, TT_KEY_HOME},
        {KEY_END, TT_KEY_END},
        {KEY_PPAGE, TT_KEY_PAGE_UP},
        {KEY_NPAGE, TT_KEY_PAGE_DOWN},
        {KEY_IC, TT_KEY_INSERT},
        {KEY_DC, TT_KEY_DELETE},
        {KEY_BTAB, TT_KEY_BACK_TAB},
        {KEY_ENTER, TT_KEY_ENTER},
        {KEY_BACKSPACE, TT_KEY_BS},
        {KEY_FIND, TT_KEY_HOME},
        {KEY_SELECT, TT_KEY_END},
        {CODE_PASTE, TT_KEY_PASTE},
        {CODE_PASTE + 1, TT_KEY_PASTE_END},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if ((wint_t)keys[i].code == code) {
            return keys[i].key;
        }
    }
    if (code >= (wint_t)KEY_F(1) && code <= (wint_t)KEY_F(12)) {
        return TT_KEY_F1 + (uint32_t)(code - (wint_t)KEY_F(1));
    }
    return TT_KEY_NONE;
}

static uint32_t read_mouse(struct tt_screen *screen)
{
    MEVENT event;
    if (getmouse(&event) != OK) {
        return TT_KEY_NONE;
    }
    struct tt_mouse mouse = {event.x, event.y, 0, (event.bstate & BUTTON1_PRESSED) != 0};
    mouse.wheel = event.bstate & BUTTON4_PRESSED ? -1 : event.bstate & BUTTON5_PRESSED ? 1 : 0;
    screen->last_mouse = mouse;
    return mouse.click || mouse.wheel ? TT_KEY_MOUSE : TT_KEY_NONE;
}

/* Reads the next code from curses; false if there is none. */
static bool next_code(struct tt_screen *screen, wint_t *code, bool *is_key)
{
    if (screen->held) {
        *code = screen->held;
        *is_key = screen->held_is_key;
        screen->held = 0;
        return true;
    }
    int result = wget_wch(screen->keys, code);
    *is_key = result == KEY_CODE_YES;
    return result != ERR;
}

/* Handles an answer of the terminal. */
static void take_answer(struct tt_screen *screen)
{
    static const char mode[] = "?2026;";
    const char *text = screen->sequence;
    size_t length = screen->sequence_length;
    if (length == sizeof mode + 2 && memcmp(text, mode, sizeof mode - 1) == 0 &&
        memcmp(text + length - 2, "$y", 2) == 0) {
        char state = text[sizeof mode - 1];
        screen->can_sync = state == '1' || state == '2'; /* set or reset, and changeable */
    } else if (length > 1 && text[0] == '?' && text[length - 1] == 'c') {
        screen->answer_pending = false;
    }
}

/* Reads the available part of a sequence; the rest may come later. */
static void go_on_with_sequence(struct tt_screen *screen)
{
    wint_t code;
    bool is_key;
    while (next_code(screen, &code, &is_key)) {
        screen->sequence_ms = tt_screen_now_ms();
        if (is_key) {
            screen->held = code;
            screen->held_is_key = true;
            screen->in_sequence = false;
            return;
        }
        if (screen->sequence_length < SEQUENCE_MAX && code < 0x80) {
            screen->sequence[screen->sequence_length++] = (char)code;
        }
        if (code >= '@' && code <= '~') {
            screen->in_sequence = false;
            take_answer(screen);
            return;
        }
    }
}

/*
 * Handles input after an Esc. A sequence unknown to terminfo (ESC [ ... letter, ESC O letter) is
 * discarded, since its letters would act as keys; it may be an answer of the terminal. Anything
 * else is a separate key.
 */
static bool swallow_sequence(struct tt_screen *screen)
{
    wint_t code;
    bool is_key;
    if (!next_code(screen, &code, &is_key)) {
        return false;
    }
    if (is_key || (code != '[' && code != 'O')) {
        screen->held = code;
        screen->held_is_key = is_key;
        return false;
    }
    screen->in_sequence = true;
    screen->sequence_length = 0;
    screen->sequence_ms = tt_screen_now_ms();
    go_on_with_sequence(screen);
    return true;
}

uint32_t tt_screen_key(struct tt_screen *screen)
{
    wint_t code;
    bool is_key;
    if (screen->in_sequence) {
        go_on_with_sequence(screen);
        screen->in_sequence &= tt_screen_now_ms() - screen->sequence_ms < SEQUENCE_MS;
    }
    while (!screen->in_sequence && next_code(screen, &code, &is_key)) {
        uint32_t key = TT_KEY_NONE;
        if (is_key) {
            key = code == KEY_MOUSE ? read_mouse(screen) : key_of_curses(code);
        } else if (code == TT_KEY_ESC) {
            key = swallow_sequence(screen) ? TT_KEY_NONE : TT_KEY_ESC;
        } else {
            key = code == '\n' ? TT_KEY_ENTER : (uint32_t)code;
        }
        if (key != TT_KEY_NONE) {
            return key;
        }
    }
    return TT_KEY_NONE;
}

struct tt_mouse tt_screen_mouse(const struct tt_screen *screen)
{
    return screen->last_mouse;
}
