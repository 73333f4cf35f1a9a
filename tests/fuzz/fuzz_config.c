/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a configuration: the first error has its line number. With the settings read so far
 * the screen can be drawn and handles keys.
 */
#include "fuzz_app.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tt_app *app = fuzz_app_open();
    char *text = fuzz_copy(data, size, 0);
    struct tt_status status = tt_config_apply(app, "a.config", text, size);
    free(text);
    require(!tt_failed(&status) || strncmp(status.text, "a.config:", 9) == 0);
    tt_event_loop_type(app, "jj2");
    fuzz_app_close(app);
    return 0;
}
