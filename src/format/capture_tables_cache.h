/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_tables_cache: a capture's tables in the index cache.
 *
 *  Opening finds its entries each time, so a capture that has just been opened has the first
 * entries of each table. They have to equal the saved ones; the others are appended. Texts stay in
 * the mapped cache file, which therefore outlives the capture.
 *
 *  Saving: any thread, once the tables no longer change. Restoring: before any reader uses the
 * capture.
 */
#ifndef TRACETUI_FORMAT_CAPTURE_TABLES_CACHE_H
#define TRACETUI_FORMAT_CAPTURE_TABLES_CACHE_H

#include "base/section_file.h"
#include "tracetui/capture.h"

/* Writes all tables and the capture's members into the current section. */
void tt_tables_save(const struct tt_capture *capture, struct tt_section_writer *writer);
/*
 * Restores them. Returns false if they do not belong to this capture, are invalid, or when out of
 * memory; the capture has to be freed then. Every number is checked, so that all functions of
 * capture.h are safe.
 */
bool tt_tables_restore(struct tt_capture *capture, struct tt_reader *reader);

#endif
