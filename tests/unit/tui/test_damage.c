/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged bytes on the screen: the message after opening, the status line, Info, the lanes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "open_app.h"

static const struct damaged {
    const char *sample;
    long at;
    const char *message, *status;
} captures[] = {
    {"samples/demo.kev", 30000, "damage: 512 bytes at 0x752b; 99.5 % of the file is good",
     "damage: 512 bytes at 0x752b"},
    {"samples/demo.trx", 33296, "damage: 544 bytes at 0x8200; 99.1 % of the file is good",
     "damage: 544 bytes at 0x8200"},
    {"samples/demo.fxt", 49120, "damage: 528 bytes at 0xbfd0; 99.4 % of the file is good",
     "damage: 528 bytes at 0xbfd0"},
    {"samples/demo.btrace", 34532, "damage: 496 bytes at 0x86e8; 99.2 % of the file is good",
     "damage: 496 bytes at 0x86e8"},
};

/* Writes a copy with 500 other bytes. */
static void write_damaged(const struct damaged *d, char *path)
{
    static char bytes[200000];
    FILE *file = fopen(d->sample, "rb");
    cr_assert_not_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    memset(bytes + d->at, 'U', 500);
    const int to = mkstemp(path);
    cr_assert(to >= 0 && write(to, bytes, size) == (ssize_t)size);
    close(to);
}

Test(tui_damage, is_shown_where_it_is)
{
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++) {
        const struct damaged *d = &captures[i];
        char path[] = "/tmp/damageXXXXXX";
        write_damaged(d, path);
        struct tt_app *app = open_app_in(path, "events");
        cr_expect(screen_shows(app, d->message), "%s", app->ws.message.text);
        /* The message goes with the first key; the first event is not at the damage. */
        type_settled(app, "j");
        cr_expect_not(screen_shows(app, "damage:"));
        /* The last event before it, the first one after it, and a later one. */
        char there[32];
        snprintf(there, sizeof there, ":%s<Enter>", strstr(d->status, "0x"));
        type_settled(app, there);
        cr_expect(screen_shows(app, d->status));
        type_settled(app, "j");
        cr_expect(screen_shows(app, d->status));
        type_settled(app, "jj");
        cr_expect_not(screen_shows(app, "damage:"));
        /* Info lists it, and the time lanes mark it. */
        type_settled(app, "5");
        cr_expect(screen_shows(app, "1 damage"));
        type_settled(app, "<End>");
        cr_expect_geq(screen_line(app, strstr(d->status, "0x")), 0);
        type_settled(app, "2");
        cr_expect(screen_shows(app, "!"));
        unlink(path);
        close_app(app);
    }
}
