/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of the status line, and those kept of them. */
#include <criterion/criterion.h>

#include "tui/model/message.h"

Test(tui_message, the_latest_come_first_and_repeats_are_counted)
{
    static struct tt_notices message;
    cr_assert_eq(tt_message_kept(&message), 0);
    tt_message_set(&message, TT_ROLE_STATUS, "one");
    tt_message_set(&message, TT_ROLE_ERROR, "two %d", 2);
    tt_message_set(&message, TT_ROLE_ERROR, "two %d", 2);
    cr_assert_eq(tt_message_kept(&message), 2);
    cr_assert_str_eq(tt_message_past(&message, 0)->text, "two 2");
    cr_assert_eq(tt_message_past(&message, 0)->times, 2);
    cr_assert_eq(tt_message_past(&message, 0)->role, TT_ROLE_ERROR);
    cr_assert_str_eq(tt_message_past(&message, 1)->text, "one");
    cr_assert_str_eq(message.text, "two 2");
}

Test(tui_message, the_number_of_messages_is_limited)
{
    static struct tt_notices message;
    for (unsigned i = 0; i < TT_MESSAGES_KEPT + 3; i++) {
        tt_message_set(&message, TT_ROLE_STATUS, "number %u", i);
    }
    cr_assert_eq(tt_message_kept(&message), TT_MESSAGES_KEPT);
    cr_assert_str_eq(tt_message_past(&message, 0)->text, "number 66");
    cr_assert_str_eq(tt_message_past(&message, TT_MESSAGES_KEPT - 1)->text, "number 3");
}
