/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_word: a word that names threads: "sensor/1", "4102/sample", "sensor", as for the option
 * --thread. One thread.
 */
#ifndef TT_FILTER_THREAD_WORD_H
#define TT_FILTER_THREAD_WORD_H

#include "tracetui/capture.h"

/* Returns whether a word names a thread. */
bool tt_word_names_thread(const char *text, const struct tt_capture *capture, uint32_t thread);
/* Returns whether a word names a process: by number, path or base name. */
bool tt_word_names_process(const char *text, const struct tt_capture *capture, uint32_t process);

#endif
