/* SPDX-License-Identifier: Apache-2.0 */
/* sink: a file as the destination of a writer. */
#include "base/sink.h"

static bool sink_write_file(void *arg, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, arg) == length;
}

struct tt_sink tt_sink_of_file(FILE *file)
{
    return (struct tt_sink){.write = sink_write_file, .arg = file};
}
