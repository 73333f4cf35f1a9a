/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any lines as a session of the open capture, with a valid header and checksum unless the first
 * byte is 0. An accepted session can be drawn and navigated; a refused one has a message.
 */
#include <xxhash.h>

#include "fuzz_app.h"
#include "tracetui/text.h"
#include "tui/app/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] = "tracetui-session 1\n";
    if (size < 1 || size > 8192) {
        return 0;
    }
    struct tt_app *app = fuzz_app_open();
    size_t room = size + sizeof head + 32;
    char *lines = calloc(room, 1);
    require(lines != NULL);
    struct tt_text text = tt_text_of(lines, room);
    if (data[0] == 0) {
        tt_text_bytes(&text, (const char *)data + 1, size - 1);
    } else {
        tt_text_str(&text, head);
        tt_text_bytes(&text, (const char *)data, size);
        tt_text_char(&text, '\n');
        uint64_t sum = XXH3_64bits(text.buffer, text.used);
        tt_text_str(&text, "end ");
        tt_text_hex(&text, sum, 16);
        tt_text_char(&text, '\n');
    }
    char *exact = fuzz_copy((const uint8_t *)lines, text.used, 0);
    struct tt_status status = tt_session_restore_text(app, exact, text.used, false);
    if (tt_failed(&status)) {
        require(status.text[0] != '\0');
    } else {
        app->session.takes_places = true;
        tt_session_restore_text(app, exact, text.used, true);
        tt_event_loop_settle(app);
        tt_event_loop_type(app, "jn<C-o>j<C-o>j<C-o>l<Enter>");
    }
    free(exact);
    free(lines);
    fuzz_app_close(app);
    return 0;
}
