/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_describe: the arguments of one record: header fields, atoms and the record's own arguments,
 * each with name, label and place in the record.
 */
#include "base/text_units.h"
#include "format/fxt/fxt_sched.h"
#include "tracetui/text.h"

/* Bytes of a large payload in an argument; the raw view shows all of it. */
#define PAYLOAD_SHOWN 32u
/* Addresses of a backtrace with an argument each; the rest is one argument. */
#define FRAMES_SHOWN 48u

struct job {
    const struct tt_fxt *fxt;
    const struct tt_fxt_layout *layout;
    const struct tt_fxt_record *record;
    const struct tt_fxt_view *view;
    const struct tt_event *event;
    struct tt_args *args;
    uint32_t provider;
};

bool tt_fxt_find_record(const struct tt_fxt *fxt, const struct tt_event *event, uint64_t limit,
                        struct tt_fxt_record *record)
{
    if (event->pos > limit || limit - event->pos < 8) {
        return false;
    }
    record->bytes = fxt->capture->bytes.data + event->pos;
    record->pos = event->pos;
    record->big = fxt->big;
    record->words = tt_fxt_claimed_words(tt_load_u64(record->bytes, fxt->big));
    return record->words != 0 && record->words <= (limit - event->pos) / 8;
}

/* ---- single arguments ------------------------------------------------------------------- */

static void set_raw(struct tt_arg *arg, uint32_t word, uint64_t bytes)
{
    uint64_t offset = ((uint64_t)word - 1) * 8;
    if (word != 0 && offset + bytes <= UINT32_MAX) {
        arg->raw_offset = (uint32_t)offset;
        arg->raw_length = (uint32_t)bytes;
    }
}

static struct tt_arg *fxt_describe_add(struct job *job, const char *name, unsigned type,
                                       uint32_t word, uint64_t bytes)
{
    struct tt_arg *arg = tt_args_add(job->args, name);
    if (arg) {
        arg->type = (uint8_t)type;
        set_raw(arg, word, bytes);
    }
    return arg;
}

static uint64_t event_pid(const struct job *job)
{
    const struct tt_capture *capture = job->fxt->capture;
    if (job->event->thread >= tt_thread_count(capture)) {
        return 0;
    }
    return tt_process_at(capture, tt_thread_at(capture, job->event->thread)->process)->pid;
}

/* Labels a number with the name of the object. */
static void fxt_describe_label_object(const struct job *job, struct tt_arg *arg)
{
    if (arg->type == TT_ARG_KOID) {
        tt_fxt_koid_label(job->fxt, arg->value.u, &arg->label);
    } else if (arg->type == TT_ARG_POINTER) {
        tt_fxt_pointer_label(job->fxt, event_pid(job), arg->value.u, job->record->pos, &arg->label);
    }
}

static void label_value(struct tt_arg *arg, const struct tt_fxt_labels *labels)
{
    if (labels && arg->value.u < labels->count && labels->names[arg->value.u]) {
        const char *name = labels->names[arg->value.u];
        tt_arg_label(arg, name, (uint32_t)strlen(name));
    }
}

static void fxt_describe_add_number(struct job *job, const struct tt_fxt_atom *atom, uint32_t word)
{
    uint64_t value = tt_fxt_word(job->record, word);
    if (atom->op == TT_FXT_OP_OPTIONAL && atom->labels && value >= atom->labels->count) {
        return; /* an undefined word after the record's own */
    }
    struct tt_arg *arg = fxt_describe_add(job, atom->name, atom->show, word, 8);
    if (arg) {
        arg->value.u = value;
        fxt_describe_label_object(job, arg);
        label_value(arg, atom->labels);
    }
}

/* Returns the text of a string ref; an undefined one is written into the scratch space. */
static struct tt_arg_span fxt_describe_text_of(struct job *job, uint32_t ref, uint32_t word)
{
    struct tt_arg_span span = {"", 0};
    if (tt_fxt_ref_is_inline(ref)) {
        span.data = tt_fxt_bytes_at(job->record, word);
        span.length = tt_fxt_ref_length(ref);
        return span;
    }
    tt_string string = 0;
    if (ref == 0 || tt_fxt_string_at(job->fxt, job->provider, ref, job->record->pos, &string)) {
        size_t length;
        span.data = tt_capture_text(job->fxt->capture, string, &length);
        span.length = (uint32_t)length;
        return span;
    }
    char text[TT_FXT_UNKNOWN_TEXT];
    uint32_t length = tt_fxt_unknown_text(text, ref);
    char *scratch = tt_args_scratch(job->args, length);
    if (scratch) {
        memcpy(scratch, text, length);
        span.data = scratch;
        span.length = length;
    }
    return span;
}

/* ---- threads ---------------------------------------------------------------------------- */

/* Finds the process and thread of a ref; returns false if it is not registered. */
static bool fxt_describe_thread_of(const struct job *job, uint32_t ref, uint32_t word,
                                   bool process_alone, uint64_t koids[2])
{
    if (ref == 0) {
        koids[0] = tt_fxt_word(job->record, word);
        koids[1] = process_alone ? 0 : tt_fxt_word(job->record, word + 1);
        return true;
    }
    uint32_t lane;
    if (!tt_fxt_thread_at(job->fxt, job->provider, ref, job->record->pos, &lane)) {
        return false;
    }
    const struct tt_thread *thread = tt_thread_at(job->fxt->capture, lane);
    koids[0] = tt_process_at(job->fxt->capture, thread->process)->pid;
    koids[1] = thread->tid;
    return true;
}

static void add_koid(struct job *job, const char *name, uint64_t koid, uint32_t word)
{
    struct tt_arg *arg = fxt_describe_add(job, name, TT_ARG_KOID, word, word ? 8 : 0);
    if (arg) {
        arg->value.u = koid;
        fxt_describe_label_object(job, arg);
    }
}

static void fxt_describe_add_thread(struct job *job, const struct tt_fxt_atom *atom, uint32_t ref,
                                    uint32_t word)
{
    uint64_t koids[2];
    bool process_alone = atom->op == TT_FXT_OP_PROCESS;
    if (!fxt_describe_thread_of(job, ref, word, process_alone, koids)) {
        return;
    }
    if (atom->role == TT_FXT_THREAD && job->layout->does == TT_FXT_DOES_USER_OBJECT) {
        add_koid(job, atom->name, koids[0], word);
        return;
    }
    bool incoming = atom->role == TT_FXT_INCOMING;
    add_koid(job, incoming ? "incoming_process" : "outgoing_process", koids[0], word);
    add_koid(job, atom->name, koids[1], word ? word + 1 : 0);
}

/* ---- arguments of the record ------------------------------------------------------------ */

/* clang-format off */
static const uint8_t shown_types[16] = {
    [TT_FXT_ARG_NULL] = TT_ARG_NULL,
    [TT_FXT_ARG_INT32] = TT_ARG_I64,
    [TT_FXT_ARG_UINT32] = TT_ARG_U64,
    [TT_FXT_ARG_INT64] = TT_ARG_I64,
    [TT_FXT_ARG_UINT64] = TT_ARG_U64,
    [TT_FXT_ARG_DOUBLE] = TT_ARG_DOUBLE,
    [TT_FXT_ARG_STRING] = TT_ARG_STRING,
    [TT_FXT_ARG_POINTER] = TT_ARG_POINTER,
    [TT_FXT_ARG_KOID] = TT_ARG_KOID,
    [TT_FXT_ARG_BOOL] = TT_ARG_BOOL,
    [TT_FXT_ARG_BLOB] = TT_ARG_BYTES,
    [TT_FXT_ARG_TYPES] = TT_ARG_BYTES,
    [TT_FXT_ARG_TYPES + 1] = TT_ARG_BYTES,
    [TT_FXT_ARG_TYPES + 2] = TT_ARG_BYTES,
    [TT_FXT_ARG_TYPES + 3] = TT_ARG_BYTES,
    [TT_FXT_ARG_TYPES + 4] = TT_ARG_BYTES,
};
static void put_units(struct tt_text *text, int64_t units)
{
    const int64_t in_ms = 1000000 / TT_FXT_DEADLINE_UNIT;
    if (units % in_ms == 0) {
        tt_text_i64(text, units / in_ms);
        tt_text_str(text, " ms");
    } else {
        tt_text_i64(text, units * (TT_FXT_DEADLINE_UNIT / 1000));
        tt_text_str(text, TT_MICROSECONDS);
    }
}

/* Labels a weight of a scheduling record that has a deadline: "capacity 1 ms, deadline 10 ms". */
static void label_deadline(struct job *job, struct tt_arg_span name, struct tt_arg *arg)
{
    static const char suffix[] = "weight";
    const size_t length = sizeof suffix - 1;
    bool sched = job->layout->does == TT_FXT_DOES_SWITCH || job->layout->does == TT_FXT_DOES_WAKEUP;
    bool weight =
        name.length >= length && memcmp(name.data + name.length - length, suffix, length) == 0;
    if (!sched || !weight || arg->type != TT_ARG_I64 || !tt_fxt_is_deadline(arg->value.i)) {
        return;
    }
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "capacity ");
    put_units(&text, -arg->value.i / TT_FXT_PACK);
    tt_text_str(&text, ", deadline ");
    put_units(&text, -arg->value.i % TT_FXT_PACK);
    char *scratch = tt_args_scratch(job->args, (uint32_t)text.used);
    if (scratch) {
        memcpy(scratch, text.buffer, text.used);
        tt_arg_label(arg, scratch, (uint32_t)text.used);
    }
}

static void add_args(struct job *job)
{
    uint32_t at = job->view->at[TT_FXT_ARGS];
    for (uint32_t i = 0; i < job->view->args; i++) {
        struct tt_fxt_arg from;
        if (!tt_fxt_arg_at(job->record, at, &from)) {
            return;
        }
        struct tt_arg_span name = fxt_describe_text_of(job, from.name_ref, at + 1);
        struct tt_arg *arg = tt_args_add_span(job->args, name.data, name.length);
        if (!arg) {
            return;
        }

        /* clang-format on */
        arg->type = shown_types[from.type];
        switch (arg->type) {
        case TT_ARG_NULL:
            break;
        case TT_ARG_STRING:
            arg->value.s = fxt_describe_text_of(job, from.text_ref, from.data);
            set_raw(arg, from.data, from.length);
            break;
        case TT_ARG_BYTES:
            arg->value.s.data = tt_fxt_bytes_at(job->record, from.data);
            arg->value.s.length = from.length;
            set_raw(arg, from.data, from.length);
            break;
        case TT_ARG_DOUBLE:
            memcpy(&arg->value.d, &from.value, sizeof arg->value.d);
            set_raw(arg, from.data, 8);
            break;
        default:
            arg->value.u = from.value;
            set_raw(arg, from.data ? from.data : from.at, 8);
            fxt_describe_label_object(job, arg);
            break;
        }

        label_deadline(job, name, arg);
        at += from.words;
    }
}

static void add_frames(struct job *job, const struct tt_fxt_atom *atom, uint32_t word,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count && i < FRAMES_SHOWN; i++) {
        fxt_describe_add_number(job, atom, word + i);
    }
    if (count > FRAMES_SHOWN) {
        uint32_t rest = (count - FRAMES_SHOWN) * 8;
        struct tt_arg *arg = fxt_describe_add(job, "pcs", TT_ARG_BYTES, word + FRAMES_SHOWN, rest);
        if (arg) {
            arg->value.s.data = tt_fxt_bytes_at(job->record, word + FRAMES_SHOWN);
            arg->value.s.length = rest;
        }
    }
}

static void add_sized(struct job *job, const struct tt_fxt_atom *atom, uint32_t word)
{
    uint64_t size = tt_fxt_word(job->record, word);
    struct tt_arg *arg = fxt_describe_add(job, "size", TT_ARG_U64, word, 8);
    if (arg) {
        arg->value.u = size;
    }
    arg = fxt_describe_add(job, atom->name, atom->show, word + 1, size);
    if (arg) {
        arg->value.s.data = tt_fxt_bytes_at(job->record, word + 1);
        arg->value.s.length = (uint32_t)(size < PAYLOAD_SHOWN ? size : PAYLOAD_SHOWN);
    }
}

static void add_atom(struct job *job, const struct tt_fxt_atom *atom)
{
    uint32_t word = job->view->at[atom->role];
    uint32_t field = job->view->value[atom->role];
    switch (atom->op) {
    case TT_FXT_OP_WORD:
    case TT_FXT_OP_OPTIONAL:
        if (word) {
            fxt_describe_add_number(job, atom, word);
        }
        break;
    case TT_FXT_OP_WORDS:
        add_frames(job, atom, word, word ? field : 0);
        break;
    case TT_FXT_OP_THREAD:
    case TT_FXT_OP_PROCESS:
        if (word || field) {
            fxt_describe_add_thread(job, atom, field, word);
        }
        break;
    case TT_FXT_OP_TEXT:
        if (word || !tt_fxt_ref_is_inline(field)) {
            struct tt_arg_span text = fxt_describe_text_of(job, field, word);
            struct tt_arg *arg =
                fxt_describe_add(job, atom->name, atom->show, word, word ? text.length : 0);
            if (arg) {
                arg->value.s = text;
            }
        }
        break;
    case TT_FXT_OP_STREAM:
        if (word) {
            struct tt_arg *arg = fxt_describe_add(job, atom->name, atom->show, word, field);
            if (arg) {
                arg->value.s.data = tt_fxt_bytes_at(job->record, word);
                arg->value.s.length = field;
            }
        }
        break;
    default:
        if (word) {
            add_sized(job, atom, word);
        }
        break;
    }
}

bool tt_fxt_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    const struct tt_fxt *fxt = capture->decoder;
    struct tt_fxt_record record;
    struct tt_fxt_view view;
    tt_args_clear(args);
    if (!tt_fxt_find_record(fxt, event, limit, &record)) {
        return false;
    }
    const struct tt_fxt_layout *layout = tt_fxt_layout_of(tt_fxt_word(&record, 0));
    if (!layout) {
        return true;
    }
    tt_fxt_parse(&record, layout, &view);
    struct job job = {
        fxt, layout, &record, &view, event, args, tt_fxt_provider_at(fxt, event->pos)};

    /* ---- fields and atoms ------------------------------------------------------------------- */
    const struct tt_fxt_field *field = job.layout->fields;
    for (; field && field->name; field++) {
        struct tt_arg *arg = fxt_describe_add(&job, field->name, field->show, 0, 0);
        if (arg) {
            uint64_t word = tt_fxt_word(job.record, field->word);
            arg->value.u = tt_fxt_bits(word, field->lsb, field->width);
            label_value(arg, field->labels);
        }
    }

    /* The list from which the view was made. */
    for (const struct tt_fxt_atom *atom = view.is_other ? layout->other : layout->atoms;
         atom->op != TT_FXT_OP_END; atom++) {
        if (atom->op == TT_FXT_OP_ARGS) {
            add_args(&job);
        } else if (atom->show != TT_FXT_HIDE) {
            add_atom(&job, atom);
        }
    }
    return true;
}

uint32_t tt_fxt_parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max)
{
    (void)capture;
    if (max > 0 && event->pos < limit) {
        uint64_t left = limit - event->pos;
        parts[0].offset = event->pos;
        parts[0].length = event->length < left ? event->length : (uint32_t)left;
        parts[0].header = parts[0].length < 8 ? parts[0].length : 8;
    }
    return 1;
}
