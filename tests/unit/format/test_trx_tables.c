/* SPDX-License-Identifier: Apache-2.0 */
/* Every event id of the tables: its name, its words, and each word decoded from a buffer. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/trx/trx_tables.h"
#include "trx_build.h"

#define THREAD   0x1000u
#define DOCUMENT "../shared/formats/trx.md"

static size_t event_count(void)
{
    size_t count = 0;
    while (trx_event_at(count)) {
        count++;
    }
    return count;
}

Test(trx_tables, ids_are_sorted_and_found)
{
    unsigned before = 0;
    for (size_t i = 0; i < event_count(); i++) {
        const struct trx_event_info *info = trx_event_at(i);
        cr_assert_gt(info->id, before, "%s", info->name);
        cr_assert_eq(trx_event_find(info->id), info, "%s", info->name);
        cr_assert_lt(info->kind, TT_KIND_COUNT);
        cr_assert_lt(info->class_, TRX_CLASS_USER);
        before = info->id;
    }
    cr_assert_null(trx_event_find(0));
    cr_assert_null(trx_event_find(7));
    cr_assert_null(trx_event_find(130));
    cr_assert_null(trx_event_find(307));
    cr_assert_null(trx_event_find(1000));
    cr_assert_null(trx_event_find(65535));
}

Test(trx_tables, products_are_complete)
{
    cr_assert_eq(trx_events_threadx.count, 88);
    cr_assert_eq(trx_events_filex.count, 73);
    cr_assert_eq(trx_events_netx.count, 175);
    cr_assert_eq(trx_events_usbx.count, 286);
}

/* ---- each id in a buffer ---------------------------------------------------------------- */

/* One object of every type, at an address derived from the type; and a word for each argument. */
enum { OBJECT_BASE = 0x2000, OBJECT_STEP = 0x100 };

static const char *object_name(unsigned type)
{
    static char name[16];
    snprintf(name, sizeof name, "object %u", type);
    return name;
}

static uint64_t word_for(const struct trx_arg_info *arg, unsigned index)
{
    const uint8_t *types = trx_arg_objects(arg->type);
    if (types[0] != TRX_OBJECT_NONE) {
        return OBJECT_BASE + (uint64_t)types[0] * OBJECT_STEP;
    }
    return 0x80000001u + index * 0x11u;
}

static struct trx_bytes buffer_with_all_ids(void)
{
    struct trx_kit_object objects[TRX_OBJECT_TYPES];
    char names[TRX_OBJECT_TYPES][16];
    for (unsigned type = 0; type < TRX_OBJECT_TYPES; type++) {
        snprintf(names[type], sizeof names[type], "object %u", type);
        objects[type] = (struct trx_kit_object){.type = (uint8_t)type,
                                                .address = OBJECT_BASE + type * OBJECT_STEP,
                                                .name = names[type]};
    }
    size_t count = event_count();
    struct trx_kit_entry *entries = calloc(count, sizeof *entries);
    cr_assert_not_null(entries);
    for (size_t i = 0; i < count; i++) {
        const struct trx_event_info *info = trx_event_at(i);
        uint64_t *words = entries[i].words;
        words[0] = THREAD;
        words[2] = info->id;
        words[3] = i;
        for (unsigned k = 0; k < 4; k++) {
            words[4 + k] = word_for(&info->args[k], k);
        }
    }
    struct trx_kit_buffer buffer = {.mask = UINT32_MAX,
                                    .objects = objects,
                                    .object_count = TRX_OBJECT_TYPES,
                                    .entries = entries,
                                    .entry_count = (uint32_t)count};
    struct trx_bytes bytes = trx_kit_make(&buffer);
    free(entries);
    return bytes;
}

static void check_word(const struct trx_kit *kit, const struct tt_args *args,
                       const struct trx_event_info *info, unsigned k)
{
    const struct tt_arg *arg = trx_kit_word(kit, args, 4 + k);
    cr_assert_not_null(arg, "%s: word %u is missing", info->name, k + 1);
    cr_assert_eq(arg->value.u, word_for(&info->args[k], k), "%s: word %u", info->name, k + 1);
    cr_assert_not(arg->hidden);
    if (info->args[k].name) {
        cr_assert_eq(trx_kit_arg(args, info->args[k].name), arg, "%s: %s", info->name,
                     info->args[k].name);
    }
    const uint8_t *types = trx_arg_objects(info->args[k].type);
    if (types[0] != TRX_OBJECT_NONE) {
        cr_assert(trx_kit_labelled(arg, object_name(types[0])), "%s: %s is not named", info->name,
                  info->args[k].name);
    }
}

/* Returns real event `n`, skipping derived ones. */
static uint32_t real_event(const struct trx_kit *kit, uint32_t n)
{
    uint32_t i = 0;
    while ((kit->events[i].flags & TT_EVENT_DERIVED) || n-- > 0) {
        i++;
    }
    return i;
}

Test(trx_tables, every_id_decodes)
{
    static struct tt_args args;
    struct trx_bytes bytes = buffer_with_all_ids();
    struct trx_kit kit;
    trx_kit_load(&kit, &bytes);
    cr_assert_eq(kit.records, event_count());
    for (size_t i = 0; i < event_count(); i++) {
        const struct trx_event_info *info = trx_event_at(i);
        uint32_t at = real_event(&kit, (uint32_t)i);
        const struct tt_event_type *type = tt_types_at(kit.capture, kit.events[at].type);
        cr_assert_eq(type->code, info->id);
        cr_assert_str_eq(type->name, info->name);
        cr_assert_str_eq(type->class_name, trx_class_name(info->class_));
        cr_assert_eq(kit.events[at].kind, info->kind);
        cr_assert(trx_kit_describe(&kit, at, &args));
        for (unsigned k = 0; k < 4; k++) {
            check_word(&kit, &args, info, k);
        }
    }
    cr_assert_eq(tt_health_count(kit.capture, TT_HEALTH_UNKNOWN_EVENT), 0);
    trx_kit_close(&kit);
    trx_bytes_free(&bytes);
}

/* ---- document --------------------------------------------------------------------------- */

/* Splits "| 1 | 0x1 | NAME | cap | I1 | I2 | I3 | I4 |" in place; returns the number of cells. */
static unsigned split_row(char *line, char *cells[10])
{
    unsigned count = 0;
    for (char *at = line; *at == '|' && count < 10;) {
        char *end = strchr(at + 1, '|');
        if (!end) {
            break;
        }
        *end = '\0';
        char *cell = at + 1 + strspn(at + 1, " ");
        for (char *last = end; last > cell && last[-1] == ' ';) {
            *--last = '\0';
        }
        cells[count++] = cell;
        *end = '|';
        at = end;
        if (cell == end) {
            cells[count - 1] = (char *)"";
        }
    }
    return count;
}

static void check_row(char *const cells[10], const struct trx_event_info *info)
{
    char name[80];
    bool duo = strncmp(cells[2], "(NXD) ", 6) == 0;
    snprintf(name, sizeof name, "%s%s", duo ? "NXD_" : "", cells[2] + (duo ? 6 : 0));
    cr_assert_str_eq(info->name, name);
    if (info->id == 418 || info->id == 638) {
        return; /* rows with two words in a cell, or two cells for a word */
    }
    for (unsigned k = 0; k < 4; k++) {
        const char *cell = cells[4 + k];
        bool used = cell[0] != '\0' && strncmp(cell, "0 (", 3) != 0;
        cr_assert_eq(info->args[k].name != NULL, used, "%s: word %u is '%s'", info->name, k + 1,
                     cell);
    }
}

Test(trx_tables, match_the_document)
{
    char line[1024];
    unsigned rows = 0;
    bool inside = false;
    FILE *file = fopen(DOCUMENT, "r");
    if (!file) {
        cr_skip_test(DOCUMENT " is not there");
    }
    while (fgets(line, sizeof line, file)) {
        char *cells[10];
        inside = inside || strncmp(line, "## 9. ", 6) == 0;
        if (!inside || strncmp(line, "| ", 2) != 0 || split_row(line, cells) < 8 ||
            strncmp(cells[1], "0x", 2) != 0) {
            continue;
        }
        unsigned id = (unsigned)strtoul(cells[0], NULL, 10);
        const struct trx_event_info *info = trx_event_find(id);
        cr_assert_not_null(info, "id %u has no row", id);
        check_row(cells, info);
        rows++;
    }
    fclose(file);
    cr_assert_eq(rows, event_count());
}

/* ---- values with names ------------------------------------------------------------------ */

Test(trx_tables, values_by_name)
{
    cr_assert_str_eq(trx_value_name(TRX_ARG_WAIT, 0), "NO_WAIT");
    cr_assert_str_eq(trx_value_name(TRX_ARG_WAIT, 0xffffffff), "WAIT_FOREVER");
    cr_assert_null(trx_value_name(TRX_ARG_WAIT, 100));
    cr_assert_str_eq(trx_value_name(TRX_ARG_STATE, 0), "READY");
    cr_assert_str_eq(trx_value_name(TRX_ARG_STATE, 5), "QUEUE_SUSP");
    cr_assert_str_eq(trx_value_name(TRX_ARG_STATE, 14), "PRIORITY_CHANGE");
    cr_assert_null(trx_value_name(TRX_ARG_STATE, 15));
    cr_assert_str_eq(trx_value_name(TRX_ARG_SOCKET_STATE, 1), "CLOSED");
    cr_assert_str_eq(trx_value_name(TRX_ARG_SOCKET_STATE, 11), "LAST_ACK");
    cr_assert_null(trx_value_name(TRX_ARG_SOCKET_STATE, 0));
    cr_assert_null(trx_value_name(TRX_ARG_SOCKET_STATE, 12));
    cr_assert_str_eq(trx_value_name(TRX_ARG_GET_OPTION, 3), "AND_CLEAR");
    cr_assert_null(trx_value_name(TRX_ARG_SET_OPTION, 1));
    cr_assert_str_eq(trx_value_name(TRX_ARG_SET_OPTION, 2), "AND");
    cr_assert_str_eq(trx_value_name(TRX_ARG_INHERIT, 1), "INHERIT");
    cr_assert_str_eq(trx_value_name(TRX_ARG_ACTIVATE, 0), "NO_ACTIVATE");
    cr_assert_str_eq(trx_value_name(TRX_ARG_OPEN_TYPE, 2), "FAST_READ");
    cr_assert_str_eq(trx_value_name(TRX_ARG_NEXT, 0), "idle");
    cr_assert_null(trx_value_name(TRX_ARG_THREAD, 0));
    cr_assert_null(trx_value_name(TRX_ARG_STATE, UINT64_MAX));
}

Test(trx_tables, states_have_their_classes)
{
    static const uint8_t classes[] = {
        TT_CLASS_READY, TT_CLASS_DEAD,      TT_CLASS_DEAD,      TT_CLASS_STOPPED, TT_CLASS_SLEEP,
        TT_CLASS_IPC,   TT_CLASS_CONDITION, TT_CLASS_CONDITION, TT_CLASS_WAIT,    TT_CLASS_WAIT,
        TT_CLASS_WAIT,  TT_CLASS_WAIT,      TT_CLASS_IPC,       TT_CLASS_LOCK,
    };
    cr_assert_eq(trx_state_count, TRX_STATE_CODES + 2);
    cr_assert_eq(trx_states[0].class_, TT_CLASS_UNKNOWN);
    cr_assert_eq(trx_states[TRX_STATE_RUNNING].class_, TT_CLASS_RUNNING);
    for (unsigned code = 0; code < sizeof classes; code++) {
        cr_assert_eq(trx_states[TRX_STATE_OF(code)].class_, classes[code], "state %u", code);
    }
}
