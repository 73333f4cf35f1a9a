/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/symbol_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "trace/arg_names.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/text.h"

#define NAME_MOST 200u /* bytes of a symbol's name in a symbol_names_label */

struct program {
    const char *process; /* not NUL-terminated; NULL: all processes */
    size_t process_length;
    struct tt_symbols *symbols;
};

struct tt_programs {
    uint32_t count;
    struct program list[];
};

/* ---- programs ----------------------------------------------------------------------------- */

/* Reads the address after the last @ of a text; returns the @, or NULL if there is none. */
static const char *find_address(const char *text, uint64_t *address)
{
    const char *at = strrchr(text, '@');
    if (!at || at[1] != '0' || at[2] != 'x' || at[3] == '\0' || strlen(at + 3) > 16) {
        return NULL;
    }
    *address = 0;
    for (const char *p = at + 3; *p; p++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = strchr(digits, *p >= 'A' && *p <= 'F' ? *p - 'A' + 'a' : *p);
        if (!digit) {
            return NULL;
        }
        *address = *address << 4 | (uint64_t)(digit - digits);
    }
    return at;
}

/*
 * Moves the offset of an error into its text, because it is an offset in the program and not in the
 * capture.
 */
static struct tt_status about_program(struct tt_status status, const char *path)
{
    if (tt_failed(&status) && status.offset != TT_NO_OFFSET) {
        status = tt_error(status.code, "%s (offset 0x%llx)", status.text,
                          (unsigned long long)status.offset);
    }
    return tt_status_context(tt_status_context(status, path), "--symbols");
}

static struct tt_status open_program(const char *text, struct program *program)
{
    uint64_t address = 0;
    const char *equals = strchr(text, '='), *slash = strchr(text, '/'), *path = text;
    if (equals && equals > text && (!slash || equals < slash)) {
        program->process = text;
        program->process_length = (size_t)(equals - text);
        path = equals + 1;
    }
    const char *at = find_address(path, &address);
    size_t length = at ? (size_t)(at - path) : strlen(path);
    char *copy = malloc(length + 1);
    if (!copy) {
        return tt_error_memory();
    }
    memcpy(copy, path, length);
    copy[length] = '\0';
    struct tt_status status = tt_symbols_read(copy, at ? &address : NULL, &program->symbols);
    status = about_program(status, copy);
    free(copy);
    return status;
}

struct tt_status tt_programs_open(const char *const *texts, uint32_t count,
                                  struct tt_programs **result)
{
    *result = NULL;
    if (count == 0) {
        return tt_ok();
    }
    struct tt_programs *programs = calloc(1, sizeof *programs + count * sizeof *programs->list);
    struct tt_status status = programs ? tt_ok() : tt_error_memory();
    for (uint32_t i = 0; i < count && !tt_failed(&status); i++) {
        status = open_program(texts[i], &programs->list[i]);
        programs->count++;
    }
    if (tt_failed(&status)) {
        tt_programs_free(programs);
        return status;
    }
    *result = programs;
    return status;
}

void tt_programs_free(struct tt_programs *programs)
{
    for (uint32_t i = 0; programs && i < programs->count; i++) {
        tt_symbols_free(programs->list[i].symbols);
    }
    free(programs);
}

/* ---- addresses ---------------------------------------------------------------------------- */

static bool is_bytes(const struct program *program, const char *bytes, size_t length)
{
    return program->process_length == length && memcmp(program->process, bytes, length) == 0;
}

/* Returns whether a program belongs to a process: by name, base name or number. */
static bool is_program_of(const struct program *program, const struct tt_capture *capture,
                          uint32_t number)
{
    char digits[24];
    struct tt_text pid = tt_text_of(digits, sizeof digits);
    size_t length;
    if (!program->process) {
        return true;
    }
    if (number >= tt_process_count(capture)) {
        return false;
    }
    const struct tt_process *process = tt_process_at(capture, number);
    const char *name = tt_process_base_name(capture, process, &length);
    if (is_bytes(program, name, length)) {
        return true;
    }
    name = tt_capture_text(capture, process->name, &length);
    tt_text_u64(&pid, process->pid);
    return is_bytes(program, name, length) || is_bytes(program, digits, pid.used);
}

/* Returns the process of an address: that of the argument with a pid, or of the event's thread. */
static uint32_t symbol_names_process_of(const struct tt_capture *capture,
                                        const struct tt_event *event, const struct tt_args *args,
                                        const struct tt_arg_rule *rule)
{
    for (unsigned i = 0; rule && rule->process && i < args->count; i++) {
        const struct tt_arg *arg = &args->v[i];
        if (arg->name.length == strlen(rule->process) &&
            memcmp(arg->name.data, rule->process, arg->name.length) == 0 && arg->value.u != 0) {
            return tt_registry_find_process(capture, arg->value.u,
                                            capture->lanes_by_time ? event->ticks : event->pos);
        }
    }
    return event->thread < tt_thread_count(capture) ? tt_thread_at(capture, event->thread)->process
                                                    : UINT32_MAX;
}

bool tt_programs_find(const struct tt_programs *programs, const struct tt_capture *capture,
                      uint32_t process, uint64_t address, struct tt_symbol *found)
{
    for (uint32_t i = 0; i < programs->count; i++) {
        if (is_program_of(&programs->list[i], capture, process) &&
            tt_symbols_find(programs->list[i].symbols, address, found)) {
            return true;
        }
    }
    return false;
}

void tt_programs_name(const struct tt_programs *programs, const struct tt_capture *whole,
                      const struct tt_event *of_whole, struct tt_args *args)
{
    struct tt_symbol found;
    struct tt_event own;
    const struct tt_capture *capture = tt_merge_own(whole, of_whole, &own);
    const struct tt_event *event = &own;
    for (unsigned i = 0; i < args->count; i++) {
        struct tt_arg *arg = &args->v[i];
        bool pointer = arg->type == TT_ARG_POINTER;
        if (arg->hidden || arg->label.length > 0 || (!pointer && arg->type != TT_ARG_HEX)) {
            continue;
        }
        const struct tt_arg_rule *rule =
            tt_arg_rule_of(capture, event->type, arg->name.data, arg->name.length);
        bool code = rule && rule->meaning == TT_ARG_CODE;
        if ((pointer || code) &&
            tt_programs_find(programs, capture, symbol_names_process_of(capture, event, args, rule),
                             arg->value.u, &found)) {
            /* Labels an argument with "name+0x12" in the scratch space, if it has room. */
            char buffer[NAME_MOST + 24];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_text_bytes(&text, found.name, found.length < NAME_MOST ? found.length : NAME_MOST);
            if (found.offset > 0) {
                tt_text_str(&text, "+0x");
                tt_text_hex(&text, found.offset, 1);
            }
            char *kept = text.used > TT_ARGS_SCRATCH - args->scratch_used
                             ? NULL
                             : tt_args_scratch(args, (uint32_t)text.used);
            if (kept) {
                memcpy(kept, buffer, text.used);
                tt_arg_label(arg, kept, (uint32_t)text.used);
                arg->named = 1;
            }
        }
    }
}
