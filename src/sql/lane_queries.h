/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane_queries: the lanes that are a query (lane/lane.h), in a session of their own. A row has a time
 * in a column whose name ends in ts_ns or ts_ticks, or is `time`; a duration in dur_ns, dur_ticks or `duration`, or an end in
 * end_ns or end_ticks; and maybe `state`, `key` and `value`. Such a query reads no lanes of queries. One thread per query.
 */
#ifndef TT_SQL_LANE_QUERIES_H
#define TT_SQL_LANE_QUERIES_H

#include "lane/lane.h"

extern const struct tt_lane_queries tt_sql_lane_queries;

#endif
