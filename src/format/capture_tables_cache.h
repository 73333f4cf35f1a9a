/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables_keep: what a capture learnt while it was read, put into a kept file and taken out again.
 *
 * What opening finds is found again at every opening, so a capture that was just opened has the
 * first entries of each table. They have to be the kept ones; the others are added behind them.
 * Texts stay where the kept file is mapped, which therefore outlives the capture.
 *
 * Keeping: any thread, once nothing is learnt any more. Restoring: before anybody else sees the
 * capture.
 */
#ifndef TRACETUI_FORMAT_CAPTURE_TABLES_CACHE_H
#define TRACETUI_FORMAT_CAPTURE_TABLES_CACHE_H

#include "base/section_file.h"
#include "tracetui/capture.h"

/* Puts all tables, and what the capture says of itself, into the section at hand. */
void tt_tables_save(const struct tt_capture *c, struct tt_section_writer *w);
/*
 * False when it does not belong to this capture, makes no sense, or out of memory: the capture is
 * to be thrown away then. Every number is checked, so that all that capture.h has can be asked.
 */
bool tt_tables_restore(struct tt_capture *c, struct tt_reader *r);

#endif
