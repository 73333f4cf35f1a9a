/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history: the lists of the places that jumps have left, and of results, oldest first.
 *
 *      -- places -----------------------------------------
 *         1  Threads 0.0123 s, logger/1
 *       > 2  Summary: Threads, sensor/1
 */
#include "tui/app/places.h"
#include "tui/panes/pane.h"

#define NUMBER_WIDTH 4

struct places {
    struct tt_list list;
    bool has_results;
    size_t count, at; /* of the entries, and the present one, in the last layout */
};

/* Puts the cursor on the present entry, or else the newest one, when the entries have changed. */
static void history_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct places *places = state;
    const struct tt_trail *trail = &ws->trail;
    places->has_results = ws->nav.overlay == TT_OVERLAY_RESULTS;
    const size_t count = places->has_results ? trail->result_count : trail->count;
    const size_t at = places->has_results ? trail->results_made : trail->at;
    const size_t most = (size_t)(area.height > 3 ? area.height - 2 : 1);
    if (places->count != count || places->at != at) {
        places->count = count;
        places->at = at;
        places->list.at = at < count ? at : count > 0 ? count - 1 : 0;
    }
    tt_list_layout(&places->list, count, 1, (int)(count > most ? most : count > 0 ? count : 1));
}

/* Returns whether the entry is the present place, or the result of its pane. */
static bool is_present(const struct places *places, const struct tt_trail *trail, size_t number)
{
    const struct tt_result *result = places->has_results ? &trail->results[number] : NULL;
    return result
               ? result->pane != TT_OVERLAY_NONE && trail->current[result->pane] == result->number
               : number == trail->at;
}

static void history_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct places *places = state;
    const struct tt_list *list = &places->list;
    struct tt_area box = tt_area_part(area, 0, 0, area.width, list->lines + 2);
    tt_pane_box(ws, box, places->has_results ? " results " : " places ", true);
    if (list->count == 0) {
        tt_draw(box, 4, 1, box.width - 4, TT_ROLE_DIM,
                places->has_results ? "no results: :measure, :check, :sql and searches leave them"
                                    : "no places: a jump, as Enter or n, leaves one");
    }
    for (int i = 0; tt_list_row(list, i) < list->count; i++) {
        char buffer[TT_STATUS_TEXT];
        const size_t number = tt_list_row(list, i);
        tt_draw_put_right(box, 2, 1 + i, NUMBER_WIDTH, TT_ROLE_DIM, "%zu", number + 1);
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (places->has_results) {
            tt_results_name(&ws->trail, number, &text);
        } else {
            tt_places_name(&ws->trail, number, &text);
        }
        tt_draw_text(box, 3 + NUMBER_WIDTH, 1 + i, box.width - 3 - NUMBER_WIDTH,
                     is_present(places, &ws->trail, number) ? TT_ROLE_TITLE : TT_ROLE_TEXT, buffer,
                     text.used);
    }
    tt_list_draw_cursor(list, &ws->term, box);
}

static bool history_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    const struct places *places = state;
    if (action == TT_DO_GO && places->has_results) {
        ws->host.show_result(ws->host.app, places->list.at);
    } else if (action == TT_DO_GO) {
        ws->host.show_place(ws->host.app, places->list.at);
    }
    return action == TT_DO_GO;
}

static const enum tt_do history_offers[] = {TT_DO_GO, TT_DO_QUIT, TT_DO_NOTHING};
static const enum tt_do results_offers[] = {TT_DO_GO, TT_DO_QUIT, TT_DO_NOTHING};

static const char *const history_about[] = {
    "The places that jumps have left, oldest first, in all files. Enter shows one as it was.",
    NULL,
};

static const char *const results_about[] = {
    "What :measure, :check, :diff, :align, :sql, :deadline and searches have found, oldest first. "
    "Enter shows one as it was, computed again if another took its pane.",
    NULL,
};

static const struct tt_verb history_verbs[] = {
    {TT_DO_GO, "go there", "go to the place, as it was"},
    {TT_DO_NOTHING, NULL, NULL},
};

static const struct tt_verb results_verbs[] = {
    {TT_DO_GO, "show", "show the result, as it was"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_history = {
    .about = history_about,
    .state_size = sizeof(struct places),
    .layout = history_layout,
    .draw = history_draw,
    .list = tt_pane_list,
    .act = history_act,
    .footer = history_offers,
    .verbs = history_verbs,
};

const struct tt_view tt_overlay_results = {
    .about = results_about,
    .state_size = sizeof(struct places),
    .layout = history_layout,
    .draw = history_draw,
    .list = tt_pane_list,
    .act = history_act,
    .footer = results_offers,
    .verbs = results_verbs,
};
