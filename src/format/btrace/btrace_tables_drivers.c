/* SPDX-License-Identifier: Apache-2.0 */
/* btrace_tables_drivers: resource manager and IIC bus: e32btrace.h, class BTrace. */
#include "format/btrace/btrace_tables.h"
#include "tracetui/event.h"

#define CLIENT                                                                                     \
    {                                                                                              \
        "client", BF_HEX                                                                           \
    }
#define CADDR                                                                                      \
    {                                                                                              \
        "client_address", BF_ADDRESS                                                               \
    }
#define CNAME                                                                                      \
    {                                                                                              \
        "client_name", BF_NAME                                                                     \
    }
#define RES                                                                                        \
    {                                                                                              \
        "resource", BF_HEX                                                                         \
    }
#define RADDR                                                                                      \
    {                                                                                              \
        "resource_address", BF_ADDRESS                                                             \
    }
#define RNAME                                                                                      \
    {                                                                                              \
        "resource_name", BF_NAME                                                                   \
    }
#define STATE                                                                                      \
    {                                                                                              \
        "state", BF_I32                                                                            \
    }
#define RESULT                                                                                     \
    {                                                                                              \
        "result", BF_I32                                                                           \
    }
#define CALLBACK                                                                                   \
    {                                                                                              \
        "callback", BF_ADDRESS                                                                     \
    }

/* enum TResourceManager */
/* clang-format off */
const struct btrace_sub btrace_resource_manager[] = {
    {0, TT_KIND_EVENT, false, "ERegisterResource", {RES, RADDR, {"min", BF_I32}, {"max", BF_I32}, {"default", BF_I32}, RNAME}},
    {1, TT_KIND_EVENT, false, "ERegisterClient", {CLIENT, CADDR, CNAME}},
    {2, TT_KIND_EVENT, false, "EDeRegisterClient", {CLIENT, CADDR, CNAME}},
    {3, TT_KIND_EVENT, false, "ESetResourceStateStart", {CLIENT, RES, STATE, CNAME, RNAME}},
    {4, TT_KIND_EVENT, false, "ESetResourceStateEnd", {CLIENT, RES, RESULT, STATE, CNAME, RNAME}},
    {5, TT_KIND_EVENT, false, "EPostNotificationRegister", {CLIENT, RES, CALLBACK, RESULT}},
    {6, TT_KIND_EVENT, false, "EPostNotificationDeRegister", {CLIENT, RES, CALLBACK, RESULT}},
    {7, TT_KIND_EVENT, false, "EPostNotificationSent", {CLIENT, RES}},
    {8, TT_KIND_EVENT, false, "ECallbackComplete", {CLIENT, RES}},
    {9, TT_KIND_EVENT, false, "EMemoryUsage", {{"bytes", BF_U32}}},
    {10, TT_KIND_EVENT, false, "EGetResourceStateStart", {CLIENT, RES, CNAME, RNAME}},
    {11, TT_KIND_EVENT, false, "EGetResourceStateEnd", {CLIENT, RES, STATE, RESULT, CNAME, RNAME}},
    {12, TT_KIND_EVENT, false, "ECancelLongLatencyOperation", {CLIENT, RES, RESULT, CNAME, RNAME}},
    {13, TT_KIND_EVENT, false, "EBooting", {{"entry_point", BF_U32}}},
    {14, TT_KIND_EVENT, false, "EPslChangeResourceStateStart", {CLIENT, RES, STATE, {"requested", BF_I32}, RNAME}},
    {15, TT_KIND_EVENT, false, "EPslChangeResourceStateEnd", {CLIENT, RES, STATE, {"requested", BF_I32}, RESULT, RNAME}},
    {16, TT_KIND_EVENT, false, "EPslGetResourceStateStart", {CLIENT, RES, RNAME}},
    {17, TT_KIND_EVENT, false, "EPslGetResourceStateEnd", {CLIENT, RES, STATE, RESULT, RNAME}},
    {18, TT_KIND_EVENT, false, "EPslResourceCreate", {{"min", BF_I32}, {"max", BF_I32}, {"default", BF_I32}, {"properties", BF_HEX}, RNAME}},
    {19, TT_KIND_EVENT, false, "ERegisterStaticResourceWithDependency", {RES, RADDR, {"min", BF_I32}, {"max", BF_I32}, {"default", BF_I32}, RNAME}},
    {20, TT_KIND_EVENT, false, "ERegisterDynamicResource", {CLIENT, RES, RADDR, CNAME, RNAME}},
    {21, TT_KIND_EVENT, false, "EDeRegisterDynamicResource", {CLIENT, RES, RADDR, {"level", BF_I32}, CNAME, RNAME}},
    {22, TT_KIND_EVENT, false, "ERegisterResourceDependency", {CLIENT, RES, {"resource2", BF_HEX}, RADDR, {"resource2_address", BF_ADDRESS}, CNAME, RNAME, {"resource2_name", BF_NAME}}},
    {23, TT_KIND_EVENT, false, "EDeRegisterResourceDependency", {CLIENT, RES, {"resource2", BF_HEX}, RADDR, {"resource2_address", BF_ADDRESS}, CNAME, RNAME, {"resource2_name", BF_NAME}}},
};
/* clang-format on */

/* enum TResourceManagerUs */
/* clang-format off */
const struct btrace_sub btrace_resource_manager_us[] = {
    {0, TT_KIND_EVENT, false, "EOpenChannelUsStart", {{"thread", BF_OWNER}, CNAME}},
    {1, TT_KIND_EVENT, false, "EOpenChannelUsEnd", {CLIENT, CNAME}},
    {2, TT_KIND_EVENT, false, "ERegisterClientUsStart", {CLIENT, {"notifications", BF_U8}, {"change_requests", BF_U8}, {"get_requests", BF_U8}, {"spare", BF_SPARE8}, CNAME}},
    {3, TT_KIND_EVENT, false, "ERegisterClientUsEnd", {CLIENT, RESULT}},
    {4, TT_KIND_EVENT, false, "EDeRegisterClientUsStart", {CLIENT, CNAME}},
    {5, TT_KIND_EVENT, false, "EDeRegisterClientUsEnd", {CLIENT}},
    {6, TT_KIND_EVENT, false, "EGetResourceStateUsStart", {RES, CLIENT, CNAME}},
    {7, TT_KIND_EVENT, false, "EGetResourceStateUsEnd", {RES, {"level", BF_I32}, CLIENT, RESULT}},
    {8, TT_KIND_EVENT, false, "ESetResourceStateUsStart", {RES, {"requested", BF_I32}, CLIENT, CNAME}},
    {9, TT_KIND_EVENT, false, "ESetResourceStateUsEnd", {RES, {"requested", BF_I32}, CLIENT, RESULT}},
    {10, TT_KIND_EVENT, false, "ECancelGetResourceStateUsStart", {RES, CLIENT, CNAME}},
    {11, TT_KIND_EVENT, false, "ECancelGetResourceStateUsEnd", {RES, CLIENT, CNAME}},
    {12, TT_KIND_EVENT, false, "ECancelSetResourceStateUsStart", {RES, CLIENT, CNAME}},
    {13, TT_KIND_EVENT, false, "ECancelSetResourceStateUsEnd", {RES, CLIENT, CNAME}},
};
/* clang-format on */

#define ARRAY                                                                                      \
    {                                                                                              \
        "array", BF_ADDRESS                                                                        \
    }
#define COUNT                                                                                      \
    {                                                                                              \
        "count", BF_U32                                                                            \
    }
#define REGISTERED                                                                                 \
    {                                                                                              \
        "registered", BF_U32                                                                       \
    }
#define CHANNEL                                                                                    \
    {                                                                                              \
        "channel", BF_ADDRESS                                                                      \
    }
#define BUS                                                                                        \
    {                                                                                              \
        "bus", BF_HEX                                                                              \
    }
#define TRANSACTION                                                                                \
    {                                                                                              \
        "transaction", BF_ADDRESS                                                                  \
    }
#define CONFIG                                                                                     \
    {                                                                                              \
        "config", BF_ADDRESS                                                                       \
    }
#define COOKIE                                                                                     \
    {                                                                                              \
        "cookie", BF_HEX                                                                           \
    }
#define BUFFER                                                                                     \
    {                                                                                              \
        "buffer", BF_ADDRESS                                                                       \
    }
#define GRANULARITY                                                                                \
    {                                                                                              \
        "granularity", BF_U32                                                                      \
    }
#define GRANULARITY_TEXT                                                                           \
    {                                                                                              \
        "granularity", BF_DECIMAL                                                                  \
    }
#define WORDS                                                                                      \
    {                                                                                              \
        "words", BF_DECIMAL                                                                        \
    }
#define OFFSET                                                                                     \
    {                                                                                              \
        "offset", BF_DECIMAL                                                                       \
    }
#define TRIGGER                                                                                    \
    {                                                                                              \
        "trigger", BF_HEX                                                                          \
    }
#define TOKEN                                                                                      \
    {                                                                                              \
        "token", BF_HEX                                                                            \
    }
#define FUNCTION                                                                                   \
    {                                                                                              \
        "function", BF_U32                                                                         \
    }
#define ARG                                                                                        \
    {                                                                                              \
        "arg", BF_DECIMAL                                                                          \
    }
#define ARG2                                                                                       \
    {                                                                                              \
        "arg2", BF_DECIMAL                                                                         \
    }
#define RESULT_TEXT                                                                                \
    {                                                                                              \
        "result", BF_DECIMAL                                                                       \
    }
#define ZERO_TEXT                                                                                  \
    {                                                                                              \
        "spare", BF_SPARE_DECIMAL                                                                  \
    }

/*
 * enum TIic, as the kernel's writer fills the records. The data after the second word are decimal
 * text; otherwise each field is a word. Subs 9, 29, 42 and 43 are never written: see
 * btrace_fields_of.
 */
/* clang-format off */
const struct btrace_sub btrace_iic[] = {
    {0, TT_KIND_EVENT, false, "ERegisterChansStartPsl", {ARRAY, COUNT}},
    {1, TT_KIND_EVENT, false, "ERegisterChansStartPil", {ARRAY, COUNT, REGISTERED}},
    {2, TT_KIND_EVENT, false, "ERegisterChansEndPil", {ARRAY, REGISTERED}},
    {3, TT_KIND_EVENT, false, "ERegisterChansEndPsl", {ARRAY, RESULT}},
    {4, TT_KIND_EVENT, false, "EDeRegisterChanStartPsl", {CHANNEL}},
    {5, TT_KIND_EVENT, false, "EDeRegisterChanStartPil", {CHANNEL, REGISTERED}},
    {6, TT_KIND_EVENT, false, "EDeRegisterChanEndPil", {CHANNEL, REGISTERED}},
    {7, TT_KIND_EVENT, false, "EDeRegisterChanEndPsl", {CHANNEL, RESULT}},
    {8, TT_KIND_EVENT, false, "EMQTransSyncStartPil", {BUS, TRANSACTION}},
    {9, TT_KIND_EVENT, false, "EMQTransSyncEndPil", {BUS, RESULT}},
    {10, TT_KIND_EVENT, false, "EMQTransAsyncStartPil", {BUS, TRANSACTION, CALLBACK}},
    {11, TT_KIND_EVENT, false, "EMQTransAsyncEndPil", {BUS, RESULT}},
    {12, TT_KIND_EVENT, false, "EMCancelTransStartPil", {BUS, TRANSACTION}},
    {13, TT_KIND_EVENT, false, "EMCancelTransEndPil", {TRANSACTION, RESULT}},
    {14, TT_KIND_EVENT, false, "EMProcessTransStartPil", {CHANNEL, TRANSACTION, ZERO_TEXT}},
    {15, TT_KIND_EVENT, false, "EMProcessTransStartPsl", {TRANSACTION}},
    {16, TT_KIND_EVENT, false, "EMProcessTransEndPsl", {RESULT}},
    {17, TT_KIND_EVENT, false, "EMProcessTransEndPil", {TRANSACTION, RESULT, CALLBACK}},
    {18, TT_KIND_EVENT, false, "ESCaptChanSyncStartPil", {BUS, CONFIG}},
    {19, TT_KIND_EVENT, false, "ESCaptChanSyncStartPsl", {CHANNEL, CONFIG}},
    {20, TT_KIND_EVENT, false, "ESCaptChanSyncEndPsl", {CHANNEL, RESULT}},
    {21, TT_KIND_EVENT, false, "ESCaptChanSyncEndPil", {BUS, COOKIE, RESULT}},
    {22, TT_KIND_EVENT, false, "ESCaptChanASyncStartPil", {BUS, CONFIG, CALLBACK}},
    {23, TT_KIND_EVENT, false, "ESCaptChanASyncStartPsl", {CHANNEL, CONFIG}},
    {24, TT_KIND_EVENT, false, "ESCaptChanASyncEndPsl", {CHANNEL, RESULT}},
    {25, TT_KIND_EVENT, false, "ESCaptChanASyncEndPil", {CHANNEL, RESULT, ZERO_TEXT}},
    {26, TT_KIND_EVENT, false, "ESRelChanStartPil", {COOKIE, RESULT}},
    {27, TT_KIND_EVENT, false, "ESRelChanStartPsl", {CHANNEL}},
    {28, TT_KIND_EVENT, false, "ESRelChanEndPsl", {CHANNEL, RESULT}},
    {29, TT_KIND_EVENT, false, "ESRelChanEndPil", {COOKIE, RESULT}},
    {30, TT_KIND_EVENT, false, "ESRegRxBufStartPil", {BUFFER, GRANULARITY, WORDS, OFFSET}},
    {31, TT_KIND_EVENT, false, "ESRegRxBufStartPsl", {CHANNEL, BUFFER, GRANULARITY_TEXT, WORDS, OFFSET}},
    {32, TT_KIND_EVENT, false, "ESRegRxBufEndPsl", {CHANNEL, RESULT}},
    {33, TT_KIND_EVENT, false, "ESRegRxBufEndPil", {RESULT}},
    {34, TT_KIND_EVENT, false, "ESRegTxBufStartPil", {BUFFER, GRANULARITY, WORDS, OFFSET}},
    {35, TT_KIND_EVENT, false, "ESRegTxBufStartPsl", {CHANNEL, BUFFER, GRANULARITY_TEXT, WORDS, OFFSET}},
    {36, TT_KIND_EVENT, false, "ESRegTxBufEndPsl", {CHANNEL, RESULT}},
    {37, TT_KIND_EVENT, false, "ESRegTxBufEndPil", {RESULT}},
    {38, TT_KIND_EVENT, false, "ESNotifTrigStartPil", {COOKIE, TRIGGER}},
    {39, TT_KIND_EVENT, false, "ESNotifTrigStartPsl", {TRIGGER}},
    {40, TT_KIND_EVENT, false, "ESNotifTrigEndPsl", {RESULT}},
    {41, TT_KIND_EVENT, false, "ESNotifTrigEndPil", {COOKIE, RESULT}},
    {42, TT_KIND_EVENT, false, "EMSStatExtStartPil", {TOKEN, FUNCTION, ARG, ARG2}},
    {43, TT_KIND_EVENT, false, "EMSStatExtEndPil", {TOKEN, FUNCTION, RESULT_TEXT}},
    {44, TT_KIND_EVENT, false, "EMStatExtStartPil", {TOKEN, FUNCTION, ARG, ARG2}},
    {45, TT_KIND_EVENT, false, "EMStatExtStartPsl", {CHANNEL, FUNCTION, ARG, ARG2}},
    {46, TT_KIND_EVENT, false, "EMStatExtEndPsl", {CHANNEL, FUNCTION, RESULT_TEXT}},
    {47, TT_KIND_EVENT, false, "EMStatExtEndPil", {TOKEN, FUNCTION, RESULT_TEXT}},
    {48, TT_KIND_EVENT, false, "ESStatExtStartPil", {TOKEN, FUNCTION, ARG, ARG2}},
    {49, TT_KIND_EVENT, false, "ESStatExtStartPsl", {CHANNEL, FUNCTION, ARG, ARG2}},
    {50, TT_KIND_EVENT, false, "ESStatExtEndPsl", {CHANNEL, FUNCTION, RESULT_TEXT}},
    {51, TT_KIND_EVENT, false, "ESStatExtEndPil", {TOKEN, FUNCTION, RESULT_TEXT}},
};
/* clang-format on */
