/* SPDX-License-Identifier: Apache-2.0 */
/* event_role: the roles of events and thread states in a theme. Pure functions; any thread. */
#ifndef TRACETUI_TUI_DRAW_EVENT_ROLE_H
#define TRACETUI_TUI_DRAW_EVENT_ROLE_H

#include "tui/draw/theme.h"

/* Returns the role of events of a kind (enum tt_kind), whatever their names in the format. */
enum tt_role tt_role_of_kind(unsigned kind);
/* Returns the role of thread states of a class (enum tt_class). */
enum tt_role tt_role_of_class(unsigned class_);

#endif
