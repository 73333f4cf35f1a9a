/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/writers.h"
#include "tracetui/event_line.h"
#include "tracetui/event_row.h"

const char tt_csv_header[] =
    "n,ticks,ns,cpu,pid,tid,thread,class,event,kind,args,offset,length,inferred,derived\n";

void tt_export_csv(struct tt_text *text, const struct tt_record *r)
{
    tt_row_head(text, TT_ROW_CSV, r->capture, r->rows, r->event, r->number);
    size_t start = text->used;
    tt_line_args(text, r->args);
    tt_csv_text_from(text, start);
    tt_row_tail(text, TT_ROW_CSV, r->capture, r->event);
}
