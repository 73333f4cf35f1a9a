/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/slice_name.h"

#include <string.h>

#include "base/scan_number.h"
#include "base/symbols.h"
#include "trace/symbol_names.h"
#include "trace/trace_internal.h"

void tt_slice_name(const struct tt_trace *trace, uint32_t process, uint32_t number,
                   struct tt_text *text)
{
    const struct tt_capture *capture = trace->capture;
    const struct tt_event_type *type = tt_types_at(capture, number);
    const char *name = type->name;
    size_t length = strlen(name);
    uint64_t address;
    struct tt_symbol found;
    if (trace->programs && strcmp(type->class_name, "function") == 0 &&
        strncmp(name, "0x", 2) == 0) {
        const uint8_t *digits = (const uint8_t *)name + 2, *end = (const uint8_t *)name + length;
        if (tt_scan_hex(&digits, end, &address) && digits == end &&
            tt_programs_find(trace->programs, capture, process, address, &found)) {
            name = found.name;
            length = found.length;
        }
    }
    tt_text_escaped(text, name, length);
}
