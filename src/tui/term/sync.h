/* SPDX-License-Identifier: Apache-2.0 */
/* sync: whether frames are sent as synchronized output (mode 2026). */
#ifndef TRACETUI_TUI_TERM_SYNC_H
#define TRACETUI_TUI_TERM_SYNC_H

/* In the order of the setting "synchronized". AUTO: if the terminal reports support. */
enum tt_sync { TT_SYNC_AUTO, TT_SYNC_ON, TT_SYNC_OFF };

#endif
