/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_tables_kercalls: the kernel calls of QNX 6.4 to 8.0 and their arguments.
 *
 * One row is one layout: the first and last release that use it, the event number, the name and
 * the arguments. The rows of a call stand together: entry, 64-bit entry, exit, 64-bit exit. In 7.x
 * and 8.0 a 64-bit form without a row of its own has the layout of the 32-bit form. A release in
 * which a number has no row does not define it. NULL instead of arguments: no published layout, so
 * the payload is shown as words.
 *
 * Sources:
 *   6.4   argument lists of traceprinter 6.4; the listing in the "System Analysis Toolkit User's
 *         Guide", chapter 7, for the entry of THREAD_CREATE
 *   6.6   argument lists of traceprinter 6.6; that of 6.4 where 6.6 has none or has that of the
 *         call's other direction
 *   7.x   "System Analysis Toolkit User's Guide", appendix B, with entry and exit exchanged where
 *         the guide confuses them; that of 6.4 for calls the guide omits
 *   8.0   sys/kercalls.h; the payloads of calls that are new in 8.0 are not published
 */
#include "format/kev/kev_tables_notation.h"

/* clang-format off */

/* Event numbers of a call. */
#define ENTER(call)   (call)
#define EXIT(call)    ((call) + KEV_EXIT)
#define ENTER64(call) ((call) + KEV_64_BIT)
#define EXIT64(call)  ((call) + KEV_64_BIT + KEV_EXIT)

/* Arguments that several rows share. _WIDE: in wide mode only; 64: of 64-bit forms. */
#define MSG               S("msg[0]"), WS("msg[1]"), WS("msg[2]")
#define MSG_WIDE          WS("msg[0]"), WS("msg[1]"), WS("msg[2]")
#define RMSG              S("rmsg[0]"), WS("rmsg[1]"), WS("rmsg[2]")
#define RMSG_WIDE         WS("rmsg[0]"), WS("rmsg[1]"), WS("rmsg[2]")
#define SMSG              WS("smsg[0]"), WS("smsg[1]"), WS("smsg[2]")
#define MSG_INFO \
    WD("info->srcnd"), WD("info->pid"), WD("info->tid"), WD("info->chid"), WD("info->scoid"), \
    WD("info->coid"), WD("info->msglen"), WD("info->srcmsglen"), WD("info->dstmsglen"), \
    WD("info->priority"), WD("info->flags")
#define MSG_INFO64 \
    WD("info->srcnd"), WD("info->pid"), WD("info->tid"), WD("info->chid"), WD("info->scoid"), \
    WD("info->coid"), WE("info->msglen"), WE("info->srcmsglen"), WE("info->dstmsglen"), \
    WD("info->priority"), WD("info->flags"), WD("info->reserved[0]"), WD("info->reserved[1]")
#define SIGEVENT(prefix) \
    WP(prefix "sigev_notify_function_p"), WH(prefix "sigev_value"), \
    WP(prefix "sigev_notify_attributes_p")
#define SIGEVENT64(prefix) \
    WQ(prefix "sigev_notify_function_p"), WX(prefix "sigev_value"), \
    WQ(prefix "sigev_notify_attributes_p")
#define SIGACTION(prefix) \
    WH(prefix "sa_flags"), WH(prefix "sa_mask.bits[0]"), WH(prefix "sa_mask.bits[1]")
#define SIGINFO_PAD \
    WD("p[0]"), WD("p[1]"), WD("p[2]"), WD("p[3]"), WD("p[4]"), WD("p[5]"), WD("p[6]")
#define CRED_INFO \
    WD("info->ruid"), WD("info->euid"), WD("info->suid"), WD("info->rgid"), WD("info->egid"), \
    WD("info->sgid"), WD("info->ngroups"), WD("info->grouplist[0]"), WD("info->grouplist[1]"), \
    WD("info->grouplist[2]"), WD("info->grouplist[3]"), WD("info->grouplist[4]"), \
    WD("info->grouplist[5]"), WD("info->grouplist[6]"), WD("info->grouplist[7]")
#define THREAD_ATTR_END \
    WD("param.empty"), WD("param.empty"), WD("guardsize"), WD("empty"), WD("empty"), WD("empty")
#define SCHED_PARAM(prefix) \
    WD(prefix "low_priority"), WD(prefix "max_repl"), WD(prefix "repl_period.tv_sec"), \
    WD(prefix "repl_period.tv_nsec"), WD(prefix "init_budget.tv_sec"), \
    WD(prefix "init_budget.tv_nsec")
#define SCHED_PARAM64 \
    WD("param.ss_low_priority"), WD("param.ss_max_repl"), WE("param.ss_repl_period.tv_sec"), \
    WE("param.ss_repl_period.tv_nsec"), WE("param.ss_init_budget.tv_sec"), \
    WE("param.ss_init_budget.tv_nsec")
#define ITIMER(prefix) \
    D(prefix "nsec(sec)"), WD(prefix "nsec(nsec)"), WD(prefix "interval_nsec(sec)"), \
    WD(prefix "interval_nsec(nsec)")
#define TIMER_INFO \
    D("info->itime.nsec(sec)"), WD("info->itime.nsec(nsec)"), \
    WD("info->itime.interval_nsec(sec)"), WD("info->itime.interval_nsec(nsec)"), \
    WD("info->otime.nsec(sec)"), WD("info->otime.nsec(nsec)"), \
    WD("info->otime.interval_nsec(sec)"), WD("info->otime.interval_nsec(nsec)"), \
    WD("info->flags"), WD("info->tid"), WD("info->notify"), WD("info->clockid"), \
    WD("info->overruns"), WD("info->event.sigev_notify")
#define VTID_INFO \
    WD("tid"), WH("coid"), WD("priority"), WD("srcmsglen"), WH("keydata"), WD("srcnd"), \
    WD("dstmsglen")

const struct kev_call kev_calls[] = {
    /* first  last      event          name, arguments */
    {KEV_6_4, KEV_8,   {ENTER(0),     "NOP", FIELDS(H("dummy"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(0),      "NOP", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(1),     "TRACE_EVENT", FIELDS(H("mode"), H("class[header]"), WH("event[time_off]"), WH("data_1"), WH("data_2"))}},
    {KEV_7,   KEV_8,   {ENTER64(1),   "TRACE_EVENT", FIELDS(FH("mode"), FH("class[header]"), WX("mode"), WX("class[header]"), WX("event[time_off]"), WX("data_1"), WX("data_2"))}},
    {KEV_6_4, KEV_8,   {EXIT(1),      "TRACE_EVENT", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(2),     "RING0", FIELDS(P("func_p"), P("arg_p"))}},
    {KEV_7,   KEV_8,   {ENTER64(2),   "RING0", FIELDS(Q("func_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(2),      "RING0", RET_H}},
    {KEV_6_4, KEV_6_4, {ENTER(3),     "SPARE1", NOTHING}},
    {KEV_6_6, KEV_7,   {ENTER(3),     "CACHE_FLUSH", FIELDS(H("addr"), H("nlines"), WH("flags"), WD("index"))}},
    {KEV_8,   KEV_8,   {ENTER(3),     "CACHE_CONTROL", NULL}},
    {KEV_7,   KEV_7,   {ENTER64(3),   "CACHE_FLUSH", FIELDS(WX("addr"), WX("nlines"), WH("flags"), WD("index"))}},
    {KEV_6_4, KEV_6_4, {EXIT(3),      "SPARE1", NOTHING}},
    {KEV_6_6, KEV_7,   {EXIT(3),      "CACHE_FLUSH", RET_H}},
    {KEV_8,   KEV_8,   {EXIT(3),      "CACHE_CONTROL", NULL}},
    {KEV_6_4, KEV_6_6, {ENTER(4),     "SPARE2", NOTHING}},
    {KEV_7,   KEV_8,   {ENTER(4),     "SYS_SRANDOM", NO_FIELDS}},
    {KEV_6_4, KEV_6_6, {EXIT(4),      "SPARE2", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(4),      "SYS_SRANDOM", NULL}},
    {KEV_6_4, KEV_6_6, {ENTER(5),     "SPARE3", NOTHING}},
    {KEV_7,   KEV_8,   {ENTER(5),     "MSG_REGISTER_EVENT", NULL}},
    {KEV_6_4, KEV_6_6, {EXIT(5),      "SPARE3", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(5),      "MSG_REGISTER_EVENT", RET_D}},
    {KEV_6_4, KEV_6_6, {ENTER(6),     "SPARE4", NOTHING}},
    {KEV_7,   KEV_8,   {ENTER(6),     "MSG_SEND_PULSEPTR", FIELDS(H("coid"), WD("priority"), H("code"), WH("value"))}},
    {KEV_7,   KEV_8,   {ENTER64(6),   "MSG_SEND_PULSEPTR", FIELDS(H("coid"), WD("priority"), H("code"), WX("value"))}},
    {KEV_6_4, KEV_6_6, {EXIT(6),      "SPARE4", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(6),      "MSG_SEND_PULSEPTR", FIELDS(D("status"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(7),     "SYS_CPUPAGE_GET", FIELDS(D("index"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(7),      "SYS_CPUPAGE_GET", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(8),     "SYS_CPUPAGE_SET", FIELDS(D("index"), H("value"))}},
    {KEV_6_4, KEV_8,   {EXIT(8),      "SYS_CPUPAGE_SET", RET_H}},
    {KEV_6_4, KEV_6_4, {ENTER(9),     "SYS_SPARE1", NOTHING}},
    {KEV_6_6, KEV_8,   {ENTER(9),     "MSG_PAUSE", FIELDS(H("rcvid"), H("cookie"))}},
    {KEV_6_4, KEV_6_4, {EXIT(9),      "SYS_SPARE1", NOTHING}},
    {KEV_6_6, KEV_8,   {EXIT(9),      "MSG_PAUSE", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(10),    "MSG_CURRENT", FIELDS(H("rcvid"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(10),     "MSG_CURRENT", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(11),    "MSG_SENDV", FIELDS(H("coid"), WD("sparts"), WD("rparts"), MSG)}},
    {KEV_7,   KEV_8,   {ENTER64(11),  "MSG_SENDV", FIELDS(H("coid"), WE("sparts"), WE("rparts"), MSG)}},
    {KEV_6_4, KEV_8,   {EXIT(11),     "MSG_SENDV", FIELDS(D("status"), RMSG)}},
    {KEV_7,   KEV_8,   {EXIT64(11),   "MSG_SENDV", FIELDS(E("status"), RMSG_WIDE)}},
    {KEV_6_4, KEV_8,   {ENTER(12),    "MSG_SENDVNC", FIELDS(H("coid"), WD("sparts"), WD("rparts"), MSG)}},
    {KEV_7,   KEV_8,   {ENTER64(12),  "MSG_SENDVNC", FIELDS(H("coid"), WE("sparts"), WE("rparts"), MSG)}},
    {KEV_6_4, KEV_8,   {EXIT(12),     "MSG_SENDVNC", FIELDS(H("ret_val"), RMSG)}},
    {KEV_7,   KEV_8,   {EXIT64(12),   "MSG_SENDVNC", FIELDS(X("ret_val"), RMSG_WIDE)}},
    {KEV_6_4, KEV_8,   {ENTER(13),    "MSG_ERROR", FIELDS(H("rcvid"), D("err"))}},
    {KEV_6_4, KEV_8,   {EXIT(13),     "MSG_ERROR", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(14),    "MSG_RECEIVEV", FIELDS(H("chid"), D("rparts"))}},
    {KEV_7,   KEV_8,   {ENTER64(14),  "MSG_RECEIVEV", FIELDS(WH("chid"), WE("rparts"))}},
    {KEV_6_4, KEV_8,   {EXIT(14),     "MSG_RECEIVEV", FIELDS(H("rcvid"), RMSG, WD("info->nd"), MSG_INFO, WD("info->reserved"))}},
    {KEV_7,   KEV_8,   {EXIT64(14),   "MSG_RECEIVEV", FIELDS(H("rcvid"), RMSG, WD("info->nd"), MSG_INFO64)}},
    {KEV_6_4, KEV_8,   {ENTER(15),    "MSG_REPLYV", FIELDS(H("rcvid"), WD("sparts"), H("status"), SMSG)}},
    {KEV_7,   KEV_8,   {ENTER64(15),  "MSG_REPLYV", FIELDS(WH("rcvid"), WE("sparts"), WX("status"), SMSG)}},
    {KEV_6_4, KEV_8,   {EXIT(15),     "MSG_REPLYV", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(16),    "MSG_READV", FIELDS(H("rcvid"), WP("rmsg_p"), WD("rparts"), H("offset"))}},
    {KEV_7,   KEV_8,   {ENTER64(16),  "MSG_READV", FIELDS(H("rcvid"), FH("empty"), WQ("rmsg_p"), WE("rparts"), WX("offset"))}},
    {KEV_6_4, KEV_8,   {EXIT(16),     "MSG_READV", FIELDS(D("rbytes"), RMSG)}},
    {KEV_7,   KEV_8,   {EXIT64(16),   "MSG_READV", FIELDS(E("rbytes"), RMSG_WIDE)}},
    {KEV_6_4, KEV_8,   {ENTER(17),    "MSG_WRITEV", FIELDS(H("rcvid"), WD("sparts"), H("offset"), MSG_WIDE)}},
    {KEV_7,   KEV_8,   {ENTER64(17),  "MSG_WRITEV", FIELDS(H("rcvid"), FH("empty"), WE("sparts"), WX("offset"), MSG_WIDE)}},
    {KEV_6_4, KEV_8,   {EXIT(17),     "MSG_WRITEV", FIELDS(D("wbytes"), H("empty"))}},
    {KEV_7,   KEV_8,   {EXIT64(17),   "MSG_WRITEV", FIELDS(E("wbytes"))}},
    {KEV_6_4, KEV_7,   {ENTER(18),    "MSG_READWRITEV", FIELDS(H("src_rcvid"), H("dst_rcvid"))}},
    {KEV_6_4, KEV_7,   {EXIT(18),     "MSG_READWRITEV", FIELDS(D("msglen"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(19),    "MSG_INFO", FIELDS(H("rcvid"), P("info_p"))}},
    {KEV_6_4, KEV_6_6, {EXIT(19),     "MSG_INFO", FIELDS(H("ret_val"), D("info->nd"), MSG_INFO, WH("empty"))}},
    {KEV_7,   KEV_8,   {EXIT(19),     "MSG_INFO", FIELDS(H("ret_val"), D("info->nd"), MSG_INFO, WD("info->reserved"))}},
    {KEV_7,   KEV_8,   {EXIT64(19),   "MSG_INFO", FIELDS(H("ret_val"), D("info->nd"), MSG_INFO64)}},
    {KEV_6_4, KEV_8,   {ENTER(20),    "MSG_SEND_PULSE", FIELDS(H("coid"), WD("priority"), H("code"), WH("value"))}},
    {KEV_6_4, KEV_8,   {EXIT(20),     "MSG_SEND_PULSE", FIELDS(D("status"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(21),    "MSG_DELIVER_EVENT", FIELDS(H("rcvid"), D("event->sigev_notify"), SIGEVENT("event->"))}},
    {KEV_7,   KEV_8,   {ENTER64(21),  "MSG_DELIVER_EVENT", FIELDS(H("rcvid"), D("event->sigev_notify"), SIGEVENT64("event->"))}},
    {KEV_6_4, KEV_6_6, {EXIT(21),     "MSG_DELIVER_EVENT", RET_H}},
    {KEV_7,   KEV_8,   {EXIT(21),     "MSG_DELIVER_EVENT", FIELDS(H("ret_val"), P("eventp"))}},
    {KEV_7,   KEV_8,   {EXIT64(21),   "MSG_DELIVER_EVENT", FIELDS(WH("ret_val"), WQ("eventp"))}},
    {KEV_6_4, KEV_7,   {ENTER(22),    "MSG_KEYDATA", FIELDS(H("rcvid"), H("op"))}},
    {KEV_6_4, KEV_7,   {EXIT(22),     "MSG_KEYDATA", FIELDS(H("ret_val"), D("newkey"))}},
    {KEV_6_4, KEV_7,   {ENTER(23),    "MSG_READIOV", FIELDS(H("rcvid"), WD("parts"), H("offset"), WH("flags"))}},
    {KEV_6_4, KEV_7,   {EXIT(23),     "MSG_READIOV", FIELDS(D("rbytes"), RMSG)}},
    {KEV_6_4, KEV_8,   {ENTER(24),    "MSG_RECEIVEPULSEV", FIELDS(H("chid"), D("rparts"))}},
    {KEV_7,   KEV_8,   {ENTER64(24),  "MSG_RECEIVEPULSEV", FIELDS(WH("chid"), WE("rparts"))}},
    {KEV_6_4, KEV_8,   {EXIT(24),     "MSG_RECEIVEPULSEV", FIELDS(H("rcvid"), RMSG, WD("info->nd"), MSG_INFO, WD("info->reserved"))}},
    {KEV_7,   KEV_8,   {EXIT64(24),   "MSG_RECEIVEPULSEV", FIELDS(H("rcvid"), RMSG, WD("info->nd"), MSG_INFO64)}},
    {KEV_6_4, KEV_6_6, {ENTER(25),    "MSG_VERIFY_EVENT", FIELDS(H("rcvid"), D("event->sigev_notify"), SIGEVENT("event->"))}},
    {KEV_7,   KEV_8,   {ENTER(25),    "MSG_VERIFY_EVENT", FIELDS(H("rcvid"), D("event->sigev_notify"), SIGEVENT64("event->"))}},
    {KEV_6_4, KEV_8,   {EXIT(25),     "MSG_VERIFY_EVENT", FIELDS(D("status"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(26),    "SIGNAL_KILL", FIELDS(WH("nd"), D("pid"), WD("tid"), D("signo"), WH("code"), WH("value"))}},
    {KEV_6_4, KEV_8,   {EXIT(26),     "SIGNAL_KILL", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(27),    "SIGNAL_RETURN", FIELDS(P("s_p"), H("empty"))}},
    {KEV_7,   KEV_8,   {ENTER64(27),  "SIGNAL_RETURN", FIELDS(Q("s_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(27),     "SIGNAL_RETURN", RET_H}},
    {KEV_6_4, KEV_7,   {ENTER(28),    "SIGNAL_FAULT", FIELDS(D("sigcode"), P("addr"))}},
    {KEV_7,   KEV_7,   {ENTER64(28),  "SIGNAL_FAULT", FIELDS(D("sigcode"), H("empty"))}},
    {KEV_6_4, KEV_7,   {EXIT(28),     "SIGNAL_FAULT", FIELDS(H("ret_val"), H("reg_1"), WH("reg_2"), WH("reg_3"), WH("reg_4"), WH("reg_5"))}},
    {KEV_6_4, KEV_8,   {ENTER(29),    "SIGNAL_ACTION", FIELDS(WD("pid"), WP("sigstub_p"), D("signo"), P("act->sa_handler_p"), SIGACTION("act->"))}},
    {KEV_7,   KEV_8,   {ENTER64(29),  "SIGNAL_ACTION", FIELDS(WD("pid"), WQ("sigstub_p"), D("signo"), WQ("act->sa_handler_p"), SIGACTION("act->"))}},
    {KEV_6_4, KEV_8,   {EXIT(29),     "SIGNAL_ACTION", FIELDS(H("ret_val"), P("oact->sa_handler_p"), SIGACTION("oact->"))}},
    {KEV_7,   KEV_8,   {EXIT64(29),   "SIGNAL_ACTION", FIELDS(H("ret_val"), WQ("oact->sa_handler_p"), SIGACTION("oact->"))}},
    {KEV_6_4, KEV_8,   {ENTER(30),    "SIGNAL_PROCMASK", FIELDS(D("pid"), D("tid"), WH("how"), WH("sig_blocked->bits[0]"), WH("sig_blocked->bits[1]"))}},
    {KEV_6_4, KEV_8,   {EXIT(30),     "SIGNAL_PROCMASK", FIELDS(D("ret_val"), H("old_sig_blocked->bits[0]"), WH("old_sig_blocked->bits[1]"))}},
    {KEV_6_4, KEV_8,   {ENTER(31),    "SIGNAL_SUSPEND", FIELDS(H("sig_blocked->bits[0]"), H("sig_blocked->bits[1]"))}},
    {KEV_6_4, KEV_8,   {EXIT(31),     "SIGNAL_SUSPEND", FIELDS(H("ret_val"), P("sig_blocked_p"))}},
    {KEV_7,   KEV_8,   {EXIT64(31),   "SIGNAL_SUSPEND", FIELDS(WH("ret_val"), WQ("sig_blocked_p"))}},
    {KEV_6_4, KEV_8,   {ENTER(32),    "SIGNAL_WAITINFO", FIELDS(H("sig_wait->bits[0]"), H("sig_wait->bits[1]"))}},
    {KEV_6_4, KEV_8,   {EXIT(32),     "SIGNAL_WAITINFO", FIELDS(D("sig_num"), WD("si_signo"), D("si_code"), WD("si_errno"), SIGINFO_PAD)}},
    {KEV_6_4, KEV_6_6, {ENTER(33),    "SIGNAL_SPARE1", NOTHING}},
    {KEV_7,   KEV_8,   {ENTER(33),    "SIGNAL_KILL_SIGVAL", FIELDS(WH("nd"), D("pid"), WD("tid"), D("signo"), WH("code"), WH("value"))}},
    {KEV_7,   KEV_8,   {ENTER64(33),  "SIGNAL_KILL_SIGVAL", FIELDS(WH("nd"), D("pid"), WD("tid"), D("signo"), WH("code"), WX("value"))}},
    {KEV_6_4, KEV_6_6, {EXIT(33),     "SIGNAL_SPARE1", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(33),     "SIGNAL_KILL_SIGVAL", RET_D}},
    {KEV_6_4, KEV_7,   {ENTER(34),    "SIGNAL_SPARE2", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(34),     "SIGNAL_SPARE2", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(35),    "CHANNEL_CREATE", FIELDS(H("flags"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(35),     "CHANNEL_CREATE", FIELDS(H("chid"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(36),    "CHANNEL_DESTROY", FIELDS(H("chid"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(36),     "CHANNEL_DESTROY", RET_H}},
    {KEV_6_4, KEV_6_6, {ENTER(37),    "CHANCON_ATTR", FIELDS(D("chid"), H("flags"))}},
    {KEV_7,   KEV_7,   {ENTER(37),    "CHANCON_ATTR", FIELDS(H("chid"), H("flags"), WH("new_attr"))}},
    {KEV_8,   KEV_8,   {ENTER(37),    "CHANNEL_CTL", NULL}},
    {KEV_6_4, KEV_6_6, {EXIT(37),     "CHANCON_ATTR", FIELDS(D("chid"), H("flags"))}},
    {KEV_7,   KEV_7,   {EXIT(37),     "CHANCON_ATTR", FIELDS(H("ret_val"), FH("empty"), WH("old_attr"))}},
    {KEV_8,   KEV_8,   {EXIT(37),     "CHANNEL_CTL", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(38),    "CHANNEL_SPARE1", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(38),     "CHANNEL_SPARE1", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(39),    "CONNECT_ATTACH", FIELDS(H("nd"), D("pid"), WH("chid"), WD("index"), WH("flags"))}},
    {KEV_6_4, KEV_8,   {EXIT(39),     "CONNECT_ATTACH", FIELDS(H("coid"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(40),    "CONNECT_DETACH", FIELDS(H("coid"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(40),     "CONNECT_DETACH", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(41),    "CONNECT_SERVER_INFO", FIELDS(D("pid"), H("coid"))}},
    {KEV_6_4, KEV_8,   {EXIT(41),     "CONNECT_SERVER_INFO", FIELDS(H("coid"), D("info->nd"), MSG_INFO, WD("info->reserved"))}},
    {KEV_7,   KEV_8,   {EXIT64(41),   "CONNECT_SERVER_INFO", FIELDS(H("coid"), D("info->nd"), MSG_INFO64)}},
    {KEV_6_4, KEV_8,   {ENTER(42),    "CONNECT_CLIENT_INFO", FIELDS(H("scoid"), D("ngroups"))}},
    {KEV_6_4, KEV_8,   {EXIT(42),     "CONNECT_CLIENT_INFO", FIELDS(H("ret_val"), D("info->nd"), WD("info->pid"), WD("info->sid"), WH("flags"), CRED_INFO)}},
    {KEV_6_4, KEV_8,   {ENTER(43),    "CONNECT_FLAGS", FIELDS(WD("pid"), H("coid"), WH("masks"), H("bits"))}},
    {KEV_6_4, KEV_8,   {EXIT(43),     "CONNECT_FLAGS", FIELDS(H("old_flags"), H("empty"))}},
    {KEV_6_4, KEV_7,   {ENTER(44),    "CONNECT_SPARE1", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(44),    "CONNECT_DUPFD", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(44),     "CONNECT_SPARE1", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(44),     "CONNECT_DUPFD", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(45),    "CONNECT_SPARE2", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(45),     "CONNECT_SPARE2", NOTHING}},
    {KEV_6_4, KEV_6_6, {ENTER(46),    "THREAD_CREATE", FIELDS(WD("pid"), P("func_p"), P("arg_p"), WH("flags"), WD("stacksize"), WP("stackaddr_p"), WP("exitfunc_p"), WD("policy"), WD("sched_priority"), WD("sched_curpriority"), SCHED_PARAM("param.__ss_"), THREAD_ATTR_END)}},
    {KEV_7,   KEV_8,   {ENTER(46),    "THREAD_CREATE", FIELDS(WD("pid"), P("func_p"), P("arg_p"), WH("flags"), WD("stacksize"), WP("stackaddr_p"), WP("exitfunc_p"), WD("policy"), WD("sched_priority"), WD("sched_curpriority"), SCHED_PARAM("param.ss_"), THREAD_ATTR_END)}},
    {KEV_7,   KEV_8,   {ENTER64(46),  "THREAD_CREATE", FIELDS(WD("pid"), Q("func_p"), WQ("arg_p"), WH("flags"), WPAD, WE("stacksize"), WQ("stackaddr_p"), WQ("exitfunc_p"), WD("policy"), WD("sched_priority"), WD("sched_curpriority"), SCHED_PARAM64)}},
    {KEV_6_4, KEV_8,   {EXIT(46),     "THREAD_CREATE", FIELDS(H("thread_id"), H("owner"))}},
    {KEV_6_4, KEV_8,   {ENTER(47),    "THREAD_DESTROY", FIELDS(D("tid"), WD("priority"), P("status_p"))}},
    {KEV_7,   KEV_8,   {ENTER64(47),  "THREAD_DESTROY", FIELDS(WD("tid"), WD("priority"), WQ("status_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(47),     "THREAD_DESTROY", RET_H}},
    {KEV_6_4, KEV_7,   {ENTER(48),    "THREAD_DESTROYALL", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(48),     "THREAD_DESTROYALL", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(49),    "THREAD_DETACH", FIELDS(D("tid"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(49),     "THREAD_DETACH", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(50),    "THREAD_JOIN", FIELDS(D("tid"), P("status_p"))}},
    {KEV_7,   KEV_8,   {ENTER64(50),  "THREAD_JOIN", FIELDS(WD("tid"), WQ("status_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(50),     "THREAD_JOIN", FIELDS(H("ret_val"), P("status_p"))}},
    {KEV_7,   KEV_8,   {EXIT64(50),   "THREAD_JOIN", FIELDS(WH("ret_val"), WQ("status_p"))}},
    {KEV_6_4, KEV_8,   {ENTER(51),    "THREAD_CANCEL", FIELDS(D("tid"), P("canstub_p"))}},
    {KEV_7,   KEV_8,   {ENTER64(51),  "THREAD_CANCEL", FIELDS(WD("tid"), WQ("canstub_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(51),     "THREAD_CANCEL", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(52),    "THREAD_CTL", FIELDS(H("cmd"), P("data_p"))}},
    {KEV_7,   KEV_8,   {ENTER64(52),  "THREAD_CTL", FIELDS(WH("cmd"), WQ("data_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(52),     "THREAD_CTL", RET_H}},
    {KEV_6_4, KEV_6_6, {ENTER(53),    "THREAD_SPARE1", NOTHING}},
    {KEV_7,   KEV_8,   {ENTER(53),    "THREAD_CTLEXT", NULL}},
    {KEV_6_4, KEV_6_6, {EXIT(53),     "THREAD_SPARE1", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(53),     "THREAD_CTLEXT", RET_D}},
    {KEV_6_4, KEV_6_6, {ENTER(54),    "THREAD_SPARE2", NOTHING}},
    {KEV_7,   KEV_7,   {ENTER(54),    "THREAD_SPARE1", NOTHING}},
    {KEV_6_4, KEV_6_6, {EXIT(54),     "THREAD_SPARE2", NOTHING}},
    {KEV_7,   KEV_7,   {EXIT(54),     "THREAD_SPARE1", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(55),    "INTERRUPT_ATTACH", FIELDS(D("intr"), WP("handler_p"), WP("area_p"), WD("areasize"), H("flags"))}},
    {KEV_7,   KEV_8,   {ENTER64(55),  "INTERRUPT_ATTACH", FIELDS(D("intr"), WQ("handler_p"), WQ("area_p"), WD("areasize"), H("flags"))}},
    {KEV_6_4, KEV_8,   {EXIT(55),     "INTERRUPT_ATTACH", FIELDS(H("int_fun_id"), H("empty"))}},
    {KEV_6_4, KEV_7,   {ENTER(56),    "INTERRUPT_DETACH_FUNC", FIELDS(D("intr"), P("handler_p"))}},
    {KEV_8,   KEV_8,   {ENTER(56),    "INTERRUPT_QUERY", NULL}},
    {KEV_7,   KEV_7,   {ENTER64(56),  "INTERRUPT_DETACH_FUNC", FIELDS(WD("intr"), WQ("handler_p"))}},
    {KEV_6_4, KEV_7,   {EXIT(56),     "INTERRUPT_DETACH_FUNC", RET_D}},
    {KEV_8,   KEV_8,   {EXIT(56),     "INTERRUPT_QUERY", NULL}},
    {KEV_6_4, KEV_8,   {ENTER(57),    "INTERRUPT_DETACH", FIELDS(D("id"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(57),     "INTERRUPT_DETACH", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(58),    "INTERRUPT_WAIT", FIELDS(H("flags"), D("timeout_tv_sec"), WD("timeout_tv_nsec"))}},
    {KEV_6_4, KEV_6_6, {EXIT(58),     "INTERRUPT_WAIT", RET_D}},
    {KEV_7,   KEV_8,   {EXIT(58),     "INTERRUPT_WAIT", FIELDS(D("ret_val"), P("timeout_p"))}},
    {KEV_7,   KEV_8,   {EXIT64(58),   "INTERRUPT_WAIT", FIELDS(WD("ret_val"), WQ("timeout_p"))}},
    {KEV_6_4, KEV_8,   {ENTER(59),    "INTERRUPT_MASK", FIELDS(D("intr"), D("id"))}},
    {KEV_6_4, KEV_8,   {EXIT(59),     "INTERRUPT_MASK", FIELDS(H("mask_level"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(60),    "INTERRUPT_UNMASK", FIELDS(D("intr"), D("id"))}},
    {KEV_6_4, KEV_8,   {EXIT(60),     "INTERRUPT_UNMASK", FIELDS(H("mask_level"), H("empty"))}},
    {KEV_6_4, KEV_6_4, {ENTER(61),    "INTERRUPT_SPARE1", NOTHING}},
    {KEV_6_6, KEV_7,   {ENTER(61),    "INTERRUPT_CHARACTERISTIC", FIELDS(D("id"), H("type"), D("new"))}},
    {KEV_8,   KEV_8,   {ENTER(61),    "INTERRUPT_UNBLOCK", NULL}},
    {KEV_6_4, KEV_6_4, {EXIT(61),     "INTERRUPT_SPARE1", NOTHING}},
    {KEV_6_6, KEV_6_6, {EXIT(61),     "INTERRUPT_CHARACTERISTIC", FIELDS(D("id"), D("old"))}},
    {KEV_7,   KEV_7,   {EXIT(61),     "INTERRUPT_CHARACTERISTIC", FIELDS(D("ret_val"), H("old"))}},
    {KEV_8,   KEV_8,   {EXIT(61),     "INTERRUPT_UNBLOCK", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(62),    "INTERRUPT_SPARE2", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(62),    "INTERRUPT_CTL", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(62),     "INTERRUPT_SPARE2", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(62),     "INTERRUPT_CTL", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(63),    "INTERRUPT_SPARE3", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(63),     "INTERRUPT_SPARE3", NOTHING}},
    {KEV_6_4, KEV_7,   {ENTER(64),    "INTERRUPT_SPARE4", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(64),     "INTERRUPT_SPARE4", NOTHING}},
    {KEV_6_4, KEV_8,   {ENTER(65),    "CLOCK_TIME", FIELDS(D("id"), D("new(sec)"), WD("new(nsec)"))}},
    {KEV_6_4, KEV_8,   {EXIT(65),     "CLOCK_TIME", FIELDS(D("ret_val"), D("old(sec)"), WD("old(nsec)"))}},
    {KEV_6_4, KEV_8,   {ENTER(66),    "CLOCK_ADJUST", FIELDS(D("id"), D("new->tick_count"), WD("new->tick_nsec_inc"))}},
    {KEV_6_4, KEV_8,   {EXIT(66),     "CLOCK_ADJUST", FIELDS(D("ret_val"), D("old->tick_count"), WD("old->tick_nsec_inc"))}},
    {KEV_6_4, KEV_8,   {ENTER(67),    "CLOCK_PERIOD", FIELDS(D("id"), D("new->nsec"), WD("new->fract"))}},
    {KEV_6_4, KEV_8,   {EXIT(67),     "CLOCK_PERIOD", FIELDS(D("ret_val"), D("old->nsec"), WD("old->fract"))}},
    {KEV_6_4, KEV_8,   {ENTER(68),    "CLOCK_ID", FIELDS(D("pid"), D("tid"))}},
    {KEV_6_4, KEV_8,   {EXIT(68),     "CLOCK_ID", RET_H}},
    {KEV_6_4, KEV_7,   {ENTER(69),    "CLOCK_SPARE2", NOTHING}},
    {KEV_6_4, KEV_7,   {EXIT(69),     "CLOCK_SPARE2", NOTHING}},
    {KEV_6_4, KEV_6_6, {ENTER(70),    "TIMER_CREATE", FIELDS(H("id"), D("event->sigev_notify"), SIGEVENT("event->"))}},
    {KEV_7,   KEV_8,   {ENTER(70),    "TIMER_CREATE", FIELDS(H("timer_id"), D("event->sigev_notify"), SIGEVENT("event->"))}},
    {KEV_7,   KEV_8,   {ENTER64(70),  "TIMER_CREATE", FIELDS(H("timer_id"), D("event->sigev_notify"), WPAD, SIGEVENT64("event->"))}},
    {KEV_6_4, KEV_8,   {EXIT(70),     "TIMER_CREATE", FIELDS(H("timer_id"), H("empty"))}},
    {KEV_6_4, KEV_8,   {ENTER(71),    "TIMER_DESTROY", FIELDS(H("id"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(71),     "TIMER_DESTROY", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(72),    "TIMER_SETTIME", FIELDS(H("id"), WH("flags"), ITIMER("itime->"))}},
    {KEV_6_4, KEV_8,   {EXIT(72),     "TIMER_SETTIME", FIELDS(H("ret_val"), ITIMER("oitime->"))}},
    {KEV_6_4, KEV_8,   {ENTER(73),    "TIMER_INFO", FIELDS(D("pid"), H("id"), WH("flags"), WP("info_p"))}},
    {KEV_7,   KEV_8,   {ENTER64(73),  "TIMER_INFO", FIELDS(D("pid"), H("id"), WH("flags"), WQ("info_p"))}},
    {KEV_6_4, KEV_8,   {EXIT(73),     "TIMER_INFO", FIELDS(D("prev_id"), TIMER_INFO, SIGEVENT("info->event."))}},
    {KEV_7,   KEV_8,   {EXIT64(73),   "TIMER_INFO", FIELDS(D("prev_id"), TIMER_INFO, WPAD, SIGEVENT64("info->event."))}},
    {KEV_6_4, KEV_8,   {ENTER(74),    "TIMER_ALARM", FIELDS(H("id"), ITIMER("itime->"))}},
    {KEV_6_4, KEV_8,   {EXIT(74),     "TIMER_ALARM", FIELDS(H("ret_val"), ITIMER("oitime->"))}},
    {KEV_6_4, KEV_8,   {ENTER(75),    "TIMER_TIMEOUT", FIELDS(WD("id"), H("timeout_flags"), D("ntime(sec)"), WD("ntime(nsec)"), WD("event->sigev_notify"), SIGEVENT("event->"))}},
    {KEV_7,   KEV_8,   {ENTER64(75),  "TIMER_TIMEOUT", FIELDS(WD("id"), H("timeout_flags"), D("ntime(sec)"), WD("ntime(nsec)"), WD("event->sigev_notify"), WPAD, SIGEVENT64("event->"))}},
    {KEV_6_4, KEV_8,   {EXIT(75),     "TIMER_TIMEOUT", FIELDS(H("prev_timeout_flags"), D("otime(sec)"), WD("otime(nsec)"))}},
    {KEV_6_4, KEV_7,   {ENTER(76),    "TIMER_SPARE1", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(76),    "TIMER_DELEGATE", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(76),     "TIMER_SPARE1", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(76),     "TIMER_DELEGATE", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(77),    "TIMER_SPARE2", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(77),    "SYNC_RWLOCK", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(77),     "TIMER_SPARE2", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(77),     "SYNC_RWLOCK", NULL}},
    {KEV_6_4, KEV_8,   {ENTER(78),    "SYNC_CREATE", FIELDS(D("type"), P("sync_p"), WD("count"), WD("owner"), WD("protocol"), WH("flags"), WD("prioceiling"), WD("clockid"))}},
    {KEV_7,   KEV_8,   {ENTER64(78),  "SYNC_CREATE", FIELDS(WD("type"), WQ("sync_p"), WD("count"), WD("owner"), WD("protocol"), WH("flags"), WD("prioceiling"), WD("clockid"))}},
    {KEV_6_4, KEV_8,   {EXIT(78),     "SYNC_CREATE", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(79),    "SYNC_DESTROY", FIELDS(P("sync_p"), WD("count"), D("owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(79),  "SYNC_DESTROY", FIELDS(Q("sync_p"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(79),     "SYNC_DESTROY", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(80),    "SYNC_MUTEX_LOCK", FIELDS(P("sync_p"), WD("count"), D("owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(80),  "SYNC_MUTEX_LOCK", FIELDS(Q("sync_p"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(80),     "SYNC_MUTEX_LOCK", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(81),    "SYNC_MUTEX_UNLOCK", FIELDS(P("sync_p"), WD("count"), D("owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(81),  "SYNC_MUTEX_UNLOCK", FIELDS(Q("sync_p"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(81),     "SYNC_MUTEX_UNLOCK", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(82),    "SYNC_CONDVAR_WAIT", FIELDS(P("sync_p"), P("mutex_p"), WD("sync->count"), WD("sync->owner"), WD("mutex->count"), WD("mutex->owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(82),  "SYNC_CONDVAR_WAIT", FIELDS(Q("sync_p"), WQ("mutex_p"), WD("sync->count"), WD("sync->owner"), WD("mutex->count"), WD("mutex->owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(82),     "SYNC_CONDVAR_WAIT", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(83),    "SYNC_CONDVAR_SIGNAL", FIELDS(P("sync_p"), D("all"), WD("sync->count"), WD("sync->owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(83),  "SYNC_CONDVAR_SIGNAL", FIELDS(Q("sync_p"), WD("all"), WD("sync->count"), WD("sync->owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(83),     "SYNC_CONDVAR_SIGNAL", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(84),    "SYNC_SEM_POST", FIELDS(P("sync_p"), D("count"), WD("owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(84),  "SYNC_SEM_POST", FIELDS(Q("sync_p"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(84),     "SYNC_SEM_POST", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(85),    "SYNC_SEM_WAIT", FIELDS(P("sync_p"), WD("try"), D("count"), WD("owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(85),  "SYNC_SEM_WAIT", FIELDS(Q("sync_p"), WD("try"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(85),     "SYNC_SEM_WAIT", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(86),    "SYNC_CTL", FIELDS(D("cmd"), P("sync_p"), WP("data_p"), WD("count"), WD("owner"))}},
    {KEV_7,   KEV_8,   {ENTER64(86),  "SYNC_CTL", FIELDS(D("cmd"), WQ("sync_p"), WQ("data_p"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_8,   {EXIT(86),     "SYNC_CTL", RET_D}},
    {KEV_6_4, KEV_7,   {ENTER(87),    "SYNC_MUTEX_REVIVE", FIELDS(P("sync_p"), WD("count"), D("owner"))}},
    {KEV_8,   KEV_8,   {ENTER(87),    "SYNC_BARRIER_WAIT", NULL}},
    {KEV_7,   KEV_7,   {ENTER64(87),  "SYNC_MUTEX_REVIVE", FIELDS(Q("sync_p"), WD("count"), WD("owner"))}},
    {KEV_6_4, KEV_7,   {EXIT(87),     "SYNC_MUTEX_REVIVE", RET_D}},
    {KEV_8,   KEV_8,   {EXIT(87),     "SYNC_BARRIER_WAIT", NULL}},
    {KEV_6_4, KEV_8,   {ENTER(88),    "SCHED_GET", FIELDS(D("pid"), D("tid"))}},
    {KEV_6_4, KEV_6_6, {EXIT(88),     "SCHED_GET", FIELDS(D("ret_val"), D("sched_priority"), WD("sched_curpriority"), SCHED_PARAM("param.__ss_"), WD("param.empty"), WD("param.empty"))}},
    {KEV_7,   KEV_8,   {EXIT(88),     "SCHED_GET", FIELDS(D("ret_val"), D("sched_priority"), SCHED_PARAM("param.ss_"))}},
    {KEV_7,   KEV_8,   {EXIT64(88),   "SCHED_GET", FIELDS(D("ret_val"), D("sched_priority"), SCHED_PARAM64)}},
    {KEV_6_4, KEV_6_6, {ENTER(89),    "SCHED_SET", FIELDS(D("pid"), WD("tid"), WD("policy"), D("sched_priority"), WD("sched_curpriority"), SCHED_PARAM("param.__ss_"), WD("param.empty"), WD("param.empty"))}},
    {KEV_7,   KEV_8,   {ENTER(89),    "SCHED_SET", FIELDS(D("pid"), WD("tid"), WD("policy"), D("sched_priority"), WD("sched_curpriority"), SCHED_PARAM("param.ss_"))}},
    {KEV_7,   KEV_8,   {ENTER64(89),  "SCHED_SET", FIELDS(D("pid"), WD("tid"), WD("policy"), D("sched_priority"), WD("sched_curpriority"), SCHED_PARAM64)}},
    {KEV_6_4, KEV_8,   {EXIT(89),     "SCHED_SET", RET_D}},
    {KEV_6_4, KEV_8,   {ENTER(90),    "SCHED_YIELD", NOTHING}},
    {KEV_6_4, KEV_8,   {EXIT(90),     "SCHED_YIELD", RET_H}},
    {KEV_6_4, KEV_8,   {ENTER(91),    "SCHED_INFO", FIELDS(D("pid"), D("policy"))}},
    {KEV_6_4, KEV_8,   {EXIT(91),     "SCHED_INFO", FIELDS(D("ret_val"), WD("priority_min"), D("priority_max"), WD("interval_sec"), WD("interval_nsec"), WD("priority_priv"))}},
    {KEV_6_4, KEV_8,   {ENTER(92),    "SCHED_CTL", FIELDS(H("cmd"), H("empty"))}},
    {KEV_6_4, KEV_8,   {EXIT(92),     "SCHED_CTL", NOTHING}},
    {KEV_6_4, KEV_7,   {ENTER(93),    "NET_CRED", FIELDS(H("coid"), P("info_p"))}},
    {KEV_8,   KEV_8,   {ENTER(93),    "MSG_QUEUE_OPEN", NULL}},
    {KEV_7,   KEV_7,   {ENTER64(93),  "NET_CRED", FIELDS(H("coid"), H("empty"))}},
    {KEV_6_4, KEV_7,   {EXIT(93),     "NET_CRED", FIELDS(D("ret_val"), D("info->nd"), WD("info->pid"), WD("info->sid"), WH("info->flags"), CRED_INFO)}},
    {KEV_8,   KEV_8,   {EXIT(93),     "MSG_QUEUE_OPEN", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(94),    "NET_VTID", FIELDS(D("vtid"), P("info_p"), VTID_INFO, WD("zero"))}},
    {KEV_8,   KEV_8,   {ENTER(94),    "MSG_QUEUE_SEND", NULL}},
    {KEV_7,   KEV_7,   {ENTER64(94),  "NET_VTID", FIELDS(WD("vtid"), WQ("info_p"), VTID_INFO)}},
    {KEV_6_4, KEV_7,   {EXIT(94),     "NET_VTID", RET_H}},
    {KEV_8,   KEV_8,   {EXIT(94),     "MSG_QUEUE_SEND", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(95),    "NET_UNBLOCK", FIELDS(H("vtid"), H("empty"))}},
    {KEV_8,   KEV_8,   {ENTER(95),    "MSG_QUEUE_RECEIVE", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(95),     "NET_UNBLOCK", RET_H}},
    {KEV_8,   KEV_8,   {EXIT(95),     "MSG_QUEUE_RECEIVE", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(96),    "NET_INFOSCOID", FIELDS(H("scoid"), H("infoscoid"))}},
    {KEV_8,   KEV_8,   {ENTER(96),    "MSG_QUEUE_CLOSE", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(96),     "NET_INFOSCOID", RET_H}},
    {KEV_8,   KEV_8,   {EXIT(96),     "MSG_QUEUE_CLOSE", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(97),    "NET_SIGNAL_KILL", FIELDS(WD("cred->ruid"), WD("cred->euid"), WH("nd"), D("pid"), WD("tid"), D("signo"), WH("code"), WH("value"))}},
    {KEV_8,   KEV_8,   {ENTER(97),    "MSG_QUEUE_CTL", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(97),     "NET_SIGNAL_KILL", FIELDS(D("status"), H("empty"))}},
    {KEV_8,   KEV_8,   {EXIT(97),     "MSG_QUEUE_CTL", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(98),    "NET_SPARE1", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(98),    "PIPE_OPEN", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(98),     "NET_SPARE1", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(98),     "PIPE_OPEN", NULL}},
    {KEV_6_4, KEV_7,   {ENTER(99),    "NET_SPARE2", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(99),    "PIPE_CTL", NULL}},
    {KEV_6_4, KEV_7,   {EXIT(99),     "NET_SPARE2", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(99),     "PIPE_CTL", NULL}},
    {KEV_6_4, KEV_6_6, {ENTER(100),   "BAD", NOTHING}},
    {KEV_7,   KEV_7,   {ENTER(100),   "POWER_PARAMETER", NULL}},
    {KEV_8,   KEV_8,   {ENTER(100),   "PIPE_CLOSE", NULL}},
    {KEV_6_4, KEV_6_6, {EXIT(100),    "BAD", RET_H}},
    {KEV_7,   KEV_7,   {EXIT(100),    "POWER_PARAMETER", RET_D}},
    {KEV_8,   KEV_8,   {EXIT(100),    "PIPE_CLOSE", NULL}},
    {KEV_7,   KEV_8,   {ENTER(101),   "POWER_ACTIVE", NULL}},
    {KEV_7,   KEV_8,   {EXIT(101),    "POWER_ACTIVE", RET_D}},
    {KEV_7,   KEV_8,   {ENTER(102),   "SCHED_WAYPOINT", FIELDS(P("job"), P("new"), P("max"), P("old"), E("*new"), E("*max"))}},
    {KEV_7,   KEV_8,   {ENTER64(102), "SCHED_WAYPOINT", FIELDS(Q("job"), Q("new"), Q("max"), Q("old"), E("*new"), E("*max"))}},
    {KEV_7,   KEV_8,   {EXIT(102),    "SCHED_WAYPOINT", FIELDS(D("ret_val"), P("job"), E("*old"))}},
    {KEV_7,   KEV_8,   {EXIT64(102),  "SCHED_WAYPOINT", FIELDS(D("ret_val"), Q("job"), E("*old"))}},
    {KEV_7,   KEV_8,   {ENTER(103),   "POWER_SPARE2", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(103),    "POWER_SPARE2", NOTHING}},
    {KEV_7,   KEV_7,   {ENTER(104),   "POWER_SPARE3", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(104),   "SYNC_TYPE_DESTROY", NULL}},
    {KEV_7,   KEV_7,   {EXIT(104),    "POWER_SPARE3", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(104),    "SYNC_TYPE_DESTROY", NULL}},
    {KEV_7,   KEV_7,   {ENTER(105),   "POWER_SPARE4", NOTHING}},
    {KEV_8,   KEV_8,   {ENTER(105),   "TEST", NULL}},
    {KEV_7,   KEV_7,   {EXIT(105),    "POWER_SPARE4", NOTHING}},
    {KEV_8,   KEV_8,   {EXIT(105),    "TEST", NULL}},
    {KEV_7,   KEV_8,   {ENTER(106),   "SYS_CUSTOM", NULL}},
    {KEV_7,   KEV_8,   {EXIT(106),    "SYS_CUSTOM", RET_D}},
    {KEV_7,   KEV_8,   {ENTER(107),   "BAD", NOTHING}},
    {KEV_7,   KEV_8,   {EXIT(107),    "BAD", RET_H}},
    {KEV_6_4, KEV_6_4, {0, NULL, NULL}},
};

/*
 * Kernels of 7.x are assumed to write these layouts beside the one that the guide shows. The ones of
 * 14 and 12 words contain a whole struct sched_param, as 6.4 writes it.
 */
const struct kev_variant kev_call_variants[] = {
    /* event  words  arguments */
    {ENTER(25),   6,  FIELDS(H("rcvid"), D("event->sigev_notify"), SIGEVENT("event->"))},
    {ENTER(25),   10, FIELDS(H("rcvid"), D("event->sigev_notify"), PAD, SIGEVENT64("event->"))},
    {ENTER64(21), 10, FIELDS(H("rcvid"), D("event->sigev_notify"), PAD, SIGEVENT64("event->"))},
    {ENTER(89),   14, FIELDS(D("pid"), D("tid"), D("policy"), D("sched_priority"), D("sched_curpriority"), SCHED_PARAM("param.ss_"), D("param.empty"), D("param.empty"))},
    {EXIT(88),    10, FIELDS(D("ret_val"), D("sched_priority"), D("sched_curpriority"), SCHED_PARAM("param.ss_"))},
    {EXIT(88),    12, FIELDS(D("ret_val"), D("sched_priority"), D("sched_curpriority"), SCHED_PARAM("param.ss_"), D("param.empty"), D("param.empty"))},
    {EXIT64(88),  14, FIELDS(D("ret_val"), D("sched_priority"), D("sched_curpriority"), SCHED_PARAM64)},
    {0, 0, NULL},
};
/* clang-format on */
