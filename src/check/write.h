/* SPDX-License-Identifier: Apache-2.0 */
/* write: names as rules have them, for the files that write or complete rules. Any thread. */
#ifndef TT_CHECK_WRITE_H
#define TT_CHECK_WRITE_H

#include "check/check_write.h"

/* Appends the name of a process; its number if another one has the same name. */
void tt_rule_write_process(struct tt_text *text, const struct tt_capture *capture,
                           uint32_t process);
/* Appends the name of a thread without its own name: `sensor/1`. Another thread may have the same. */
void tt_rule_write_name_of(struct tt_text *text, const struct tt_capture *capture, uint32_t thread);

#endif
