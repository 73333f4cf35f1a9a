/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_json: declarations of CTF 2. */
#include "format/ctf/ctf_internal.h"

struct tt_status ctf_json_read(struct ctf_trace *trace, const char *text, size_t length)
{
    (void)trace;
    (void)text;
    (void)length;
    return tt_error(TT_ERR_FORMAT, "metadata of CTF 2 are not read");
}
