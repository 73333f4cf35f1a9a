/* SPDX-License-Identifier: Apache-2.0 */
#include "check/write.h"

#include <string.h>

#include "base/text_units.h"
#include "check/judge.h"
#include "check/rules_internal.h"
#include "filter/thread_word.h"
#include "table/registry.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"

#define NAME_BYTES   1024u
#define THREADS_MOST 100000u /* threads whose names are compared at most */

/* ---- names -------------------------------------------------------------------------------- */

void tt_rule_write_word(struct tt_text *text, const char *name, size_t length)
{
    bool word = length > 0 && name[0] != '#' && name[0] != '/' && name[0] != '*';
    for (size_t i = 0; i < length; i++) {
        word &= (unsigned char)name[i] > ' ' && !strchr("\"{}<>=!~", name[i]) &&
                !(name[i] == '-' && i + 1 < length && name[i + 1] == '>');
    }
    tt_text_str(text, word ? "" : "\"");
    for (size_t i = 0; i < length; i++) {
        tt_text_str(text, name[i] == '"' || name[i] == '\\' ? "\\" : "");
        tt_text_str(text, name[i] == '$' ? "$" : ""); /* $$ is not a variable */
        tt_text_char(text, name[i]);
    }
    tt_text_str(text, word ? "" : "\"");
}

void tt_rule_write_name_of(struct tt_text *text, const struct tt_capture *capture, uint32_t thread)
{
    char buffer[NAME_BYTES];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread(&shown, capture, thread);
    tt_rule_write_word(text, buffer, strcspn(tt_text_cstr(&shown), " "));
}

static bool names_only(const char *word, const struct tt_capture *capture, uint32_t thread)
{
    uint32_t count = tt_thread_count(capture);
    bool only = tt_word_names_thread(word, capture, thread);
    for (uint32_t i = 0; i < count && i < THREADS_MOST && only; i++) {
        only = i == thread || !tt_word_names_thread(word, capture, i);
    }
    return only;
}

void tt_rule_write_thread(struct tt_text *text, const struct tt_capture *capture, uint32_t thread)
{
    char buffer[NAME_BYTES], numbers[64];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    struct tt_text ids = tt_text_of(numbers, sizeof numbers);
    if (thread >= tt_thread_count(capture)) {
        tt_text_str(text, "idle");
        return;
    }
    const struct tt_thread *t = tt_thread_at(capture, thread);
    tt_line_thread(&shown, capture, thread);
    const char *name = tt_text_cstr(&shown);
    size_t length = strcspn(name, " ");
    char rest = name[length];
    buffer[length] = '\0'; /* sensor/1 */
    if (!names_only(name, capture, thread)) {
        buffer[length] = rest;
        length = shown.used;
    }
    if (t->process < tt_process_count(capture)) {
        tt_text_put(&ids, "%ju/", tt_process_at(capture, t->process)->pid);
    }
    tt_text_u64(&ids, t->tid);
    if (!names_only(name, capture, thread) && names_only(tt_text_cstr(&ids), capture, thread)) {
        tt_rule_write_word(text, numbers, ids.used);
    } else {
        tt_rule_write_word(text, name, length);
    }
}

void tt_rule_write_process(struct tt_text *text, const struct tt_capture *capture, uint32_t process)
{
    size_t length, matches = 0;
    if (process >= tt_process_count(capture)) {
        tt_text_char(text, '-');
        return;
    }
    char word[NAME_BYTES];
    struct tt_text copy = tt_text_of(word, sizeof word);
    const char *base = tt_process_base_name(capture, tt_process_at(capture, process), &length);
    tt_text_bytes(&copy, base, length);
    for (uint32_t i = 0; i < tt_process_count(capture) && i < THREADS_MOST && matches < 2; i++) {
        matches += length > 0 && tt_word_names_process(tt_text_cstr(&copy), capture, i);
    }
    if (matches == 1) {
        tt_rule_write_word(text, base, length);
    } else {
        tt_text_u64(text, tt_process_at(capture, process)->pid);
    }
}

/* Appends the thread, process, name or number that a cell of the row is of; "-": it is unknown. */
static void write_put_side(struct tt_text *text, const struct tt_rule_number *number,
                           const struct tt_table_column *column)
{
    char buffer[TT_TABLE_CELL_BYTES];
    const struct tt_capture *capture = number->sheet->capture;
    struct tt_table_cell cell =
        tt_table_cell_of(number->sheet, column, number->row, buffer, sizeof buffer);
    if (cell.thread != TT_NO_THREAD) {
        tt_rule_write_thread(text, capture, cell.thread);
    } else if (cell.process != TT_NO_THREAD) {
        tt_rule_write_process(text, capture, cell.process);
    } else if (cell.kind == TT_CELL_TEXT && cell.text.used > 0) {
        tt_rule_write_word(text, cell.text.buffer, cell.text.used);
    } else {
        tt_table_put_cell(text, &cell);
    }
}

/* Appends the names of a row after its selector; false: the row has none. */
static bool put_names(struct tt_text *text, const struct tt_rule_number *number)
{
    const struct tt_table *table = number->sheet->table;
    const struct tt_table_column *connection = tt_table_column_of(table, "connection");
    if (connection) { /* a channel: its server and the number of the connection */
        if (tt_table_ticks_of(number->sheet, connection, number->row) == TT_TABLE_NONE) {
            return false;
        }
        write_put_side(text, number, tt_table_column_of(table, "server"));
        tt_text_char(text, ' ');
        write_put_side(text, number, connection);
        return true;
    }
    write_put_side(text, number, tt_table_name_column(table, 0));
    if (tt_rule_has_two(number->table)) {
        tt_text_put(text, " %s ", tt_rule_between(number->table));
        write_put_side(text, number, tt_table_name_column(table, 1));
    }
    return true;
}

/* ---- limits ------------------------------------------------------------------------------- */

/* Appends ` <= 203.4us`. */
static void write_put_limit(struct tt_text *text, struct tt_decimal value, enum tt_rule_unit unit)
{
    char buffer[80];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_rule_put_value(&shown, value, unit);
    tt_text_ascii_units(&shown, 0);
    tt_text_str(text, " <= ");
    for (size_t i = 0; i < shown.used; i++) {
        if (buffer[i] != ' ') {
            tt_text_char(text, buffer[i]);
        }
    }
}

void tt_rule_write_time(struct tt_text *text, const struct tt_capture *capture, uint64_t ticks)
{
    bool clock = capture->clock_hz > 0;
    write_put_limit(text, (struct tt_decimal){clock ? tt_line_ns(capture, ticks) : ticks, 0},
                    clock ? TT_RULE_UNIT_NS : TT_RULE_UNIT_TICKS);
}

/* Appends ` within 100t..200t` unless the range is the whole capture. */
static void rule_write_range(struct tt_text *text, struct tt_trace *trace,
                             const struct tt_key_range *keys)
{
    uint64_t first = tt_trace_progress(trace).first_ticks;
    if (keys->from_ticks <= first && keys->to_ticks == UINT64_MAX) {
        return;
    }
    tt_text_str(text, " within ");
    if (keys->from_ticks > first) {
        tt_text_put(text, "%jut", keys->from_ticks - first);
    }
    tt_text_str(text, "..");
    if (keys->to_ticks < UINT64_MAX) {
        tt_text_put(text, "%jut", keys->to_ticks > first ? keys->to_ticks - first : 0);
    }
}

/* ---- rules -------------------------------------------------------------------------------- */

/* Returns the error that a column is no measure, with some that are. */
static struct tt_status no_measure(const struct tt_rule_number *number)
{
    char buffer[120];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    enum tt_rule_unit unit;
    unsigned used = 0;
    for (size_t i = 0; i < number->table->column_count && used < 6; i++) {
        const struct tt_table_column *column = &number->table->columns[i];
        if (tt_rule_column(column, &unit) && tt_table_prints(number->sheet, column)) {
            tt_text_put(&text, "%s%s", used++ > 0 ? ", " : "", column->key);
        }
    }
    return tt_error(TT_ERR_USAGE, "%s is no measure; choose a column such as %.110s",
                    number->column->key, tt_text_cstr(&text));
}

struct tt_status tt_rule_write_number(struct tt_text *text, const struct tt_rule_number *number)
{
    const struct tt_capture *capture = tt_trace_capture(number->trace);
    const char *selector = tt_rule_selector(number->table);
    char buffer[TT_TABLE_CELL_BYTES];
    enum tt_rule_unit unit;
    if (!selector) {
        return tt_error(TT_ERR_USAGE, "rules judge no single %s; choose another table",
                        number->table == &tt_table_single_messages ? "message"
                                                                   : number->table->name);
    }
    if (!tt_rule_column(number->column, &unit)) {
        return no_measure(number);
    }
    struct tt_table_cell cell =
        tt_table_cell_of(number->sheet, number->column, number->row, buffer, sizeof buffer);
    if (cell.kind == TT_CELL_NONE || cell.kind == TT_CELL_TEXT ||
        (cell.kind == TT_CELL_SIGNED && cell.signed_number < 0)) {
        return tt_error(TT_ERR_USAGE, "%s has no number in this row", number->column->key);
    }
    const char *key = number->column->key, *last = tt_rule_key_quantile(number->table, key);
    tt_text_bytes(text, key, last ? (size_t)(last - key) - 1 : strlen(key));
    tt_text_put(text, "%s%s of %s ", last ? " " : "", last ? last : "", selector);
    if (!put_names(text, number)) {
        return tt_error(TT_ERR_USAGE, "a rule needs a name, which this %s does not have", selector);
    }
    struct tt_decimal value = tt_check_number(&cell);
    unit = unit == TT_RULE_UNIT_NS && capture->clock_hz == 0 ? TT_RULE_UNIT_TICKS : unit;
    write_put_limit(text, value, unit);
    rule_write_range(text, number->trace, &number->keys);
    return text->truncated ? tt_error(TT_ERR_USAGE, "the names are too long for a rule") : tt_ok();
}
