/* SPDX-License-Identifier: Apache-2.0 */
/* screen_keys: reads keys and the terminal's answers. */
#define _XOPEN_SOURCE    700
#define NCURSES_WIDECHAR 1
#include "tui/term/screen_internal.h"

#include "base/clock.h"

#define SEQUENCE_MS 1000
#define ESCAPE_MS   100u
#define SYNC_MODE   2026u

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

/*
 * Reads the next code from curses; false if there is none. Skips the code that resizeterm adds: it may
 * come in the middle of an answer, whose rest would be keys then.
 */
static bool next_code(struct tt_screen *screen, wint_t *code, bool *is_key)
{
    if (screen->held) {
        *code = screen->held;
        *is_key = screen->held_is_key;
        screen->held = 0;
        return true;
    }
    int result = ERR;
    do {
        result = wget_wch(screen->keys, code);
        *is_key = result == KEY_CODE_YES;
    } while (*is_key && *code == KEY_RESIZE);
    return result != ERR;
}

/* Reads the available part of a sequence; the rest may come later. */
static void resume_sequence(struct tt_screen *screen)
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
        if (tt_reply_add(&screen->reader, (uint32_t)code)) {
            screen->in_sequence = false;

            /* Handles an answer of the terminal. */
            struct tt_reply reply = tt_reply_parse(&screen->reader);
            switch (reply.kind) {
            case TT_REPLY_STATUS:
                tt_pace_answered(&screen->pace, tt_now_ns());
                break;
            case TT_REPLY_MODE: /* set or reset, and changeable */
                screen->can_sync =
                    reply.mode == SYNC_MODE && (reply.state == 1 || reply.state == 2);
                break;
            case TT_REPLY_ATTRIBUTES:
                if (screen->answer_pending && !screen->pace.answers) {
                    tt_pace_silent(&screen->pace); /* the question before this one had no answer */
                }
                screen->answer_pending = false;
                break;
            case TT_REPLY_BACKGROUND:
                screen->background = (struct tt_background){reply.red, reply.green, reply.blue};
                screen->has_background = true;
                break;
            case TT_REPLY_MOUSE:
                screen->last_mouse = tt_mouse_of(&screen->press, &reply, tt_now_ns());
                screen->mouse_arrived = screen->mouse && screen->last_mouse.kind != TT_MOUSE_NONE;
                break;
            default:
                break;
            }

            return;
        }
    }
}

enum after_escape { SEQUENCE, ESCAPE_KEY, NOTHING_YET };

/*
 * Handles input after an Esc. A sequence unknown to terminfo (ESC [ ... letter, ESC O letter) is
 * discarded, since its letters would act as keys; it may be an answer of the terminal. Anything
 * else is a separate key.
 */
static enum after_escape read_after_escape(struct tt_screen *screen)
{
    wint_t code;
    bool is_key;
    if (!next_code(screen, &code, &is_key)) {
        return NOTHING_YET;
    }
    if (is_key || !tt_reply_begins((uint32_t)code, screen->modern)) {
        screen->held = code;
        screen->held_is_key = is_key;
        return ESCAPE_KEY;
    }
    screen->in_sequence = true;
    screen->sequence_ms = tt_screen_now_ms();
    tt_reply_begin(&screen->reader, (uint32_t)code);
    resume_sequence(screen);
    return SEQUENCE;
}

/*
 * Handles an Esc. While an answer is expected, an Esc without more may be its first byte, and acts
 * as a key ESCAPE_MS later.
 */
static uint32_t handle_escape(struct tt_screen *screen)
{
    enum after_escape after = read_after_escape(screen);
    uint64_t now = tt_screen_now_ms();
    if (after == NOTHING_YET && tt_screen_expects(screen) &&
        (screen->escape_ms == 0 || now - screen->escape_ms < ESCAPE_MS)) {
        screen->escape_ms = screen->escape_ms ? screen->escape_ms : now;
        return TT_KEY_NONE;
    }
    screen->escape_ms = 0;
    return after == SEQUENCE ? TT_KEY_NONE : TT_KEY_ESC;
}

int tt_screen_timeout(const struct tt_screen *screen)
{
    if (screen->escape_ms == 0) {
        return -1;
    }
    uint64_t since = tt_screen_now_ms() - screen->escape_ms;
    return since < ESCAPE_MS ? (int)(ESCAPE_MS - since) : 0;
}

/* Returns true once after a mouse report. */
static bool pop_mouse(struct tt_screen *screen)
{
    bool arrived = screen->mouse_arrived;
    screen->mouse_arrived = false;
    return arrived;
}

uint32_t tt_screen_key(struct tt_screen *screen)
{
    wint_t code;
    bool is_key;
    if (screen->in_sequence) {
        resume_sequence(screen);
        screen->in_sequence &= tt_screen_now_ms() - screen->sequence_ms < SEQUENCE_MS;
    }
    if (pop_mouse(screen)) {
        return TT_KEY_MOUSE;
    }
    if (screen->escape_ms != 0) {
        uint32_t key = handle_escape(screen);
        key = pop_mouse(screen) ? TT_KEY_MOUSE : key;
        if (key != TT_KEY_NONE || screen->escape_ms != 0) {
            return key;
        }
    }
    while (!screen->in_sequence && next_code(screen, &code, &is_key)) {
        uint32_t key = TT_KEY_NONE;
        if (is_key) {
            key = key_of_curses(code);
        } else if (code == TT_KEY_ESC) {
            key = handle_escape(screen);
            if (screen->escape_ms != 0) {
                return TT_KEY_NONE;
            }
            key = pop_mouse(screen) ? TT_KEY_MOUSE : key;
        } else {
            key = code == '\n' ? TT_KEY_ENTER : (uint32_t)code;
        }
        if (key != TT_KEY_NONE) {
            return key;
        }
    }
    return TT_KEY_NONE;
}

const struct tt_background *tt_screen_background(const struct tt_screen *screen)
{
    return screen->has_background ? &screen->background : NULL;
}

struct tt_mouse tt_screen_mouse(const struct tt_screen *screen)
{
    return screen->last_mouse;
}
