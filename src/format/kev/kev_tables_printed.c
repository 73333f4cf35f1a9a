/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_tables_printed: argument lists of 6.4's traceprinter where it prints other names, types or
 * fewer arguments than the event tables have. Source: the output of that printer.
 */
#include <stddef.h>

#include "format/kev/kev_tables_notation.h"

static const struct printed_list {
    uint32_t class_;
    uint32_t event;
    const struct kev_field *fields;
} printed_lists[] = {
    {KEV_CLASS_SYSTEM, 4, FIELDS(D("partition_id"), D("percentage_budget"), WD("critical_budget"))},
    {KEV_CLASS_SYSTEM, 6,
     FIELDS(D("pid"), X("vaddr"), X("len"), H("flags"), WH("prot"), WD("fd"), WX("align"),
            WX("offset"), WN("path"))},
    {KEV_CLASS_SYSTEM, 7, FIELDS(D("pid"), X("vaddr"), X("len"))},
    {KEV_CLASS_SYSTEM, 8, FIELDS(D("pid"), H("vaddr"), H("len"), N("name"))},
    {KEV_CLASS_SYSTEM, 9, FIELDS(H("addr"))},
    {KEV_CLASS_SYSTEM_6_4, 9, FIELDS(H("addr"))},
    {KEV_CLASS_SYSTEM, 12, FIELDS(D("opcode"), D("severity"), N("message"))},
    {KEV_CLASS_COMM, 9,
     FIELDS(D("si_signo"), D("si_code"), WD("si_errno"), WH("__pad[0]"), WH("__pad[1]"),
            WH("__pad[2]"), WH("__pad[3]"), WH("__pad[4]"), WH("__pad[5]"))},
};

const struct kev_field *kev_print_fields_6(uint32_t code)
{
    for (size_t i = 0; i < sizeof printed_lists / sizeof printed_lists[0]; i++) {
        if ((printed_lists[i].class_ << 10 | printed_lists[i].event) == code) {
            return printed_lists[i].fields;
        }
    }
    return NULL;
}
