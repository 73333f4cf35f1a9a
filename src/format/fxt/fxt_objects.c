/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_objects: names of objects that records refer to by number: kernel objects by koid (one table
 * for the file: koids are not reused, so a late name applies to earlier records too), and userspace
 * objects by process and pointer (addresses are reused, so a name applies from its position on).
 */
#include "format/fxt/fxt_names.h"

#define OBJECT_PROCESS 1
#define OBJECT_THREAD  2

static tt_string object_name(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                             const struct tt_fxt_view *view)
{
    uint32_t ref = view->value[TT_FXT_NAME];
    tt_string name = tt_fxt_string_ref(cursor, record, ref, view->at[TT_FXT_NAME]);
    if (name != TT_FXT_UNKNOWN) {
        return name;
    }
    char text[TT_FXT_UNKNOWN_TEXT];
    tt_fxt_health(cursor, TT_HEALTH_UNKNOWN_REFERENCE, record->pos, ref,
                  "string that is not registered");
    return tt_fxt_text(cursor, text, tt_fxt_unknown_text(text, ref));
}

/* Finds the koid in the argument "process"; returns false if there is none. */
static bool process_argument(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                             const struct tt_fxt_view *view, uint64_t *koid)
{
    uint32_t at = view->at[TT_FXT_ARGS];
    for (uint32_t i = 0; i < view->args; i++) {
        struct tt_fxt_arg arg;
        if (!tt_fxt_arg_at(record, at, &arg)) {
            return false;
        }
        bool number = arg.type == TT_FXT_ARG_KOID || arg.type == TT_FXT_ARG_UINT64;
        if (number &&
            tt_fxt_string_ref(cursor, record, arg.name_ref, at + 1) == cursor->fxt->words.process) {
            *koid = arg.value;
            return true;
        }
        at += arg.words;
    }
    return false;
}

static void name_process(struct tt_cursor *cursor, uint64_t koid, tt_string name)
{
    struct tt_capture *capture = cursor->fxt->capture;
    uint32_t process = tt_registry_process(capture, koid, 0);
    if (process == UINT32_MAX) {
        cursor->no_memory = true;
    } else if (name != 0) {
        tt_registry_process_name(capture, process, name);
    }
}

void tt_fxt_learn_kernel_object(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                                const struct tt_fxt_view *view)
{
    uint64_t koid = tt_fxt_word(record, view->at[TT_FXT_A]);
    uint64_t type = tt_fxt_bits(tt_fxt_word(record, 0), 16, 8);
    tt_string name = object_name(cursor, record, view);
    uint64_t process = 0;
    if (type == OBJECT_PROCESS) {
        name_process(cursor, koid, name);
    } else if (type == OBJECT_THREAD) {
        uint32_t lane = process_argument(cursor, record, view, &process)
                            ? tt_fxt_lane(cursor, process, koid)
                            : tt_fxt_lane_of_tid(cursor, koid);
        if (lane != TT_NO_THREAD && name != 0) {
            tt_registry_thread_name(cursor->fxt->capture, lane, name);
        }
    }
    if (!tt_fxt_table_put(&cursor->fxt->koids, koid, 0, record->pos, type << 32 | name)) {
        cursor->no_memory = true;
    }
}

/* Finds the process of a userspace object; returns false if it is not known. */
static bool object_process(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                           const struct tt_fxt_view *view, uint64_t *pid)
{
    uint32_t ref = view->value[TT_FXT_THREAD];
    if (ref == 0) {
        *pid = tt_fxt_word(record, view->at[TT_FXT_THREAD]);
        return true;
    }
    const struct tt_capture *capture = cursor->fxt->capture;
    uint32_t lane = tt_fxt_thread_ref(cursor, record, ref, 0);
    if (lane == TT_NO_THREAD) {
        return false;
    }
    *pid = tt_process_at(capture, tt_thread_at(capture, lane)->process)->pid;
    return true;
}

void tt_fxt_learn_user_object(struct tt_cursor *cursor, const struct tt_fxt_record *record,
                              const struct tt_fxt_view *view)
{
    uint64_t pid;
    tt_string name = object_name(cursor, record, view);
    if (object_process(cursor, record, view, &pid) &&
        !tt_fxt_table_put(&cursor->fxt->objects, pid, tt_fxt_word(record, view->at[TT_FXT_A]),
                          record->pos, name)) {
        cursor->no_memory = true;
    }
}

/* ---- labels ----------------------------------------------------------------------------- */

static struct tt_arg_span text_span(const struct tt_fxt *fxt, tt_string string)
{
    size_t length;
    struct tt_arg_span span;
    span.data = tt_capture_text(fxt->capture, string, &length);
    span.length = (uint32_t)length;
    return span;
}

bool tt_fxt_koid_label(const struct tt_fxt *fxt, uint64_t koid, struct tt_arg_span *label)
{
    uint64_t known;
    if (!tt_fxt_table_get(&fxt->koids, koid, 0, UINT64_MAX, &known)) {
        return false;
    }
    if ((tt_string)known != 0) {
        *label = text_span(fxt, (tt_string)known);
        return true;
    }
    const struct tt_fxt_labels *types = tt_fxt_object_types();
    uint64_t type = known >> 32;
    if (type >= types->count || !types->names[type]) {
        return false;
    }
    label->data = types->names[type];
    label->length = (uint32_t)strlen(label->data);
    return true;
}

bool tt_fxt_pointer_label(const struct tt_fxt *fxt, uint64_t pid, uint64_t pointer, uint64_t pos,
                          struct tt_arg_span *label)
{
    uint64_t name;
    if (!tt_fxt_table_get(&fxt->objects, pid, pointer, pos, &name) || name == 0) {
        return false;
    }
    *label = text_span(fxt, (tt_string)name);
    return true;
}
