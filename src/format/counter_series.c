/* SPDX-License-Identifier: Apache-2.0 */
/* counter_series: the append-only list of counter series. */
#include "format/capture_tables.h"

uint32_t tt_series_add(struct tt_capture *capture, tt_string name, uint32_t process)
{
    struct tt_column *list = &capture->tables->series;
    uint64_t count = tt_column_count(list);
    struct tt_series *series = count < UINT32_MAX ? tt_column_next(list) : NULL;
    if (!tt_tables_saved(capture->tables, series != NULL)) {
        return UINT32_MAX;
    }
    series->name = name;
    series->process = process;
    tt_column_publish(list);
    return (uint32_t)count;
}

uint32_t tt_series_count(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(&capture->tables->series);
}

const struct tt_series *tt_series_at(const struct tt_capture *capture, uint32_t series)
{
    return tt_column_at(&capture->tables->series, series);
}
