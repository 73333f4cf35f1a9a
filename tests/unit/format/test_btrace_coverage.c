/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every category and sub-category of the documents (class BTrace of the reference, the older
 * header, the newest header): its name, and an argument for each field.
 *
 *  The list was written from the documents, not the decoder's tables, and follows the kernel's
 * writers where they differ from the header. A layout has a letter per field: 4, 2, 1 bytes of a
 * number, 3 spare bytes, t the rest as text, n a length and a name, w words up to the end, d a
 * number in decimal text separated by blanks, D the same with a blank after each.
 */
#include <string.h>

#include "btrace_build.h"

struct documented {
    uint8_t category;
    uint8_t sub;
    const char *name;
    const char *layout;
};

static const struct documented all[] = {
    {3, 0x00, "ENanoThreadCreate", "4"},
    {3, 0x01, "ENanoThreadDestroy", "4"},
    {3, 0x02, "EThreadCreate", "44t"},
    {3, 0x03, "EThreadDestroy", "444"},
    {3, 0x04, "EThreadName", "44t"},
    {3, 0x05, "EProcessName", "44t"},
    {3, 0x06, "EThreadId", "444"},
    {3, 0x07, "EProcessCreate", "4"},
    {3, 0x08, "EProcessDestroy", "4"},
    {4, 0x00, "EIrqStart", "4"},
    {4, 0x01, "EIrqEnd", ""},
    {4, 0x02, "EFiqStart", ""},
    {4, 0x03, "EFiqEnd", ""},
    {4, 0x04, "EIDFCStart", ""},
    {4, 0x05, "EIDFCEnd", ""},
    {4, 0x06, "ENewThreadContext", ""},
    {5, 0x00, "PerfLog", "444"},
    {6, 0x00, "EServerCreate", "44t"},
    {6, 0x01, "EServerDestroy", "4"},
    {6, 0x02, "ESessionAttach", "444"},
    {6, 0x03, "ESessionDetach", "44"},
    {6, 0x04, "EMessageSend", "444"},
    {6, 0x05, "EMessageReceive", "4"},
    {6, 0x06, "EMessageComplete", "44"},
    {7, 0x00, "ERequestComplete", "444"},
    {8, 0x00, "EChunkCreated", "44t"},
    {8, 0x01, "EChunkInfo", "444"},
    {8, 0x02, "EChunkDestroyed", "4"},
    {8, 0x03, "EChunkMemoryAllocated", "444"},
    {8, 0x04, "EChunkMemoryDeallocated", "444"},
    {8, 0x05, "EChunkMemoryAdded", "444"},
    {8, 0x06, "EChunkMemoryRemoved", "444"},
    {8, 0x07, "EChunkOwner", "44"},
    {9, 0x00, "ECodeSegCreated", "4t"},
    {9, 0x01, "ECodeSegInfo", "4444444444"},
    {9, 0x02, "ECodeSegDestroyed", "4"},
    {9, 0x03, "ECodeSegMapped", "44"},
    {9, 0x04, "ECodeSegUnmapped", "44"},
    {9, 0x05, "ECodeSegMemoryAllocated", "44"},
    {9, 0x06, "ECodeSegMemoryDeallocated", "44"},
    {10, 0x00, "EPagingPageInBegin", "4413"},
    {10, 0x01, "EPagingPageInUnneeded", ""},
    {10, 0x02, "EPagingPageInROM", "44"},
    {10, 0x03, "EPagingPageOutROM", "44"},
    {10, 0x04, "EPagingPageInFree", "4"},
    {10, 0x05, "EPagingPageOutFree", "4"},
    {10, 0x06, "EPagingRejuvenate", "444"},
    {10, 0x07, "EPagingPageNop", "444"},
    {10, 0x08, "EPagingPageLock", "44"},
    {10, 0x09, "EPagingPageUnlock", "44"},
    {10, 0x0a, "EPagingPageOutCache", "44"},
    {10, 0x0b, "EPagingPageInCode", "44"},
    {10, 0x0c, "EPagingPageOutCode", "44"},
    {10, 0x0d, "EPagingMapCode", "44"},
    {10, 0x0e, "EPagingAged", "4"},
    {10, 0x0f, "EPagingDecompressStart", "4"},
    {10, 0x10, "EPagingDecompressEnd", ""},
    {10, 0x11, "EPagingMemoryModel", "4"},
    {10, 0x12, "EPagingChunkDonatePage", "44"},
    {10, 0x13, "EPagingChunkReclaimPage", "44"},
    {10, 0x14, "EPagingPageIn", "444"},
    {10, 0x15, "EPagingPageOut", "4"},
    {10, 0x16, "EPagingMapPage", "4"},
    {10, 0x17, "EPagingDonatePage", "444"},
    {10, 0x18, "EPagingReclaimPage", "4"},
    {10, 0x19, "EPagingAgedClean", "4"},
    {10, 0x1a, "EPagingAgedDirty", "4"},
    {10, 0x1b, "EPagingPageTableAlloc", "4"},
    {11, 0x00, "ENThreadPriority", "44"},
    {11, 0x01, "EDThreadPriority", "444"},
    {11, 0x02, "EProcessPriority", "44"},
    {12, 0x00, "EPagingMediaLocMedPageInBegin", "44444"},
    {12, 0x01, "EPagingMediaLocMedPageInPagedIn", "444"},
    {12, 0x02, "EPagingMediaLocMedPageInDeferred", "44"},
    {12, 0x03, "EPagingMediaLocMedPageInDeferredReposted", "44"},
    {12, 0x04, "EPagingMediaLocMedPageInReDeferred", "44"},
    {12, 0x05, "EPagingMediaLocMedPageInQuietlyDeferred", "444"},
    {12, 0x06, "EPagingMediaLocMedFragmentBegin", "444444"},
    {12, 0x07, "EPagingMediaLocMedFragmentEnd", "44"},
    {12, 0x08, "EPagingMediaPagingMedDrvBegin", "44"},
    {12, 0x09, "EPagingMediaMedDrvWriteBack", "44444"},
    {12, 0x0a, "EPagingMediaMedDrvOnHold", "44"},
    {12, 0x0b, "EPagingMediaMedDrvRead", "44444"},
    {12, 0x0c, "EPagingMediaLocMedPageOutBegin", "4444"},
    {12, 0x0d, "EPagingMediaLocMedDeleteNotifyBegin", "4444"},
    {13, 0x00, "EKernelMemoryInitialFree", "4"},
    {13, 0x01, "EKernelMemoryCurrentFree", "4"},
    {13, 0x02, "EKernelMemoryMiscAlloc", "4"},
    {13, 0x03, "EKernelMemoryMiscFree", "4"},
    {13, 0x04, "EKernelMemoryDemandPagingCache", "4"},
    {13, 0x05, "EKernelMemoryDrvPhysAlloc", "44"},
    {13, 0x06, "EKernelMemoryDrvPhysFree", "44"},
    {14, 0x00, "EHeapCreate", "422"},
    {14, 0x01, "EHeapChunkCreate", "44"},
    {14, 0x02, "EHeapAlloc", "44444"},
    {14, 0x03, "EHeapReAlloc", "44444"},
    {14, 0x04, "EHeapFree", "444"},
    {14, 0x05, "EHeapAllocFail", "44"},
    {14, 0x06, "EHeapReAllocFail", "444"},
    {14, 0x07, "EHeapCorruption", "444"},
    {14, 0x08, "EHeapCallStack", "4w"},
    {15, 0x00, "EMetaTraceTimestampsInfo", "444"},
    {15, 0x01, "EMetaTraceMeasurementStart", "44t"},
    {15, 0x02, "EMetaTraceMeasurementEnd", "44"},
    {15, 0x03, "EMetaTraceFilterChange", "112"},
    {16, 0x00, "ERamAllocZoneCount", "4"},
    {16, 0x01, "ERamAllocZoneConfig", "444112"},
    {16, 0x02, "ERamAllocBootAllocation", "44"},
    {16, 0x03, "ERamAllocBootAllocationEnd", ""},
    {16, 0x04, "ERamAllocZoneFlagsModified", "44"},
    {16, 0x05, "ERamAllocClaimRam", "44"},
    {16, 0x06, "ERamAllocMarkAllocated", "44"},
    {16, 0x07, "ERamAllocContiguousRam", "444"},
    {16, 0x08, "ERamAllocFreePage", "44"},
    {16, 0x09, "ERamAllocFreePhysical", "44"},
    {16, 0x0a, "ERamAllocRamPages", "444"},
    {16, 0x0b, "ERamAllocFreePages", "444"},
    {16, 0x0c, "ERamAllocRamPagesEnd", ""},
    {16, 0x0d, "ERamAllocFreePagesEnd", ""},
    {16, 0x0e, "ERamAllocChangePageType", "44"},
    {16, 0x0f, "ERamAllocZoneContiguousRam", "444"},
    {16, 0x10, "ERamAllocZoneRamPagesEnd", ""},
    {16, 0x11, "ERamAllocClaimZone", "4"},
    {17, 0x00, "EFastMutexWait", "4"},
    {17, 0x01, "EFastMutexSignal", "4"},
    {17, 0x02, "EFastMutexFlash", "4"},
    {17, 0x03, "EFastMutexName", "44t"},
    {17, 0x04, "EFastMutexBlock", "4"},
    {18, 0x00, "ECpuFullSample", "44"},
    {18, 0x01, "ECpuOptimisedSample", "4"},
    {18, 0x02, "ECpuIdfcSample", "4"},
    {18, 0x03, "ECpuNonSymbianThreadSample", ""},
    {19, 0x00, "ERegisterResource", "44444n"},
    {19, 0x01, "ERegisterClient", "44n"},
    {19, 0x02, "EDeRegisterClient", "44n"},
    {19, 0x03, "ESetResourceStateStart", "444nn"},
    {19, 0x04, "ESetResourceStateEnd", "4444nn"},
    {19, 0x05, "EPostNotificationRegister", "4444"},
    {19, 0x06, "EPostNotificationDeRegister", "4444"},
    {19, 0x07, "EPostNotificationSent", "44"},
    {19, 0x08, "ECallbackComplete", "44"},
    {19, 0x09, "EMemoryUsage", "4"},
    {19, 0x0a, "EGetResourceStateStart", "44nn"},
    {19, 0x0b, "EGetResourceStateEnd", "4444nn"},
    {19, 0x0c, "ECancelLongLatencyOperation", "444nn"},
    {19, 0x0d, "EBooting", "4"},
    {19, 0x0e, "EPslChangeResourceStateStart", "4444n"},
    {19, 0x0f, "EPslChangeResourceStateEnd", "44444n"},
    {19, 0x10, "EPslGetResourceStateStart", "44n"},
    {19, 0x11, "EPslGetResourceStateEnd", "4444n"},
    {19, 0x12, "EPslResourceCreate", "4444n"},
    {19, 0x13, "ERegisterStaticResourceWithDependency", "44444n"},
    {19, 0x14, "ERegisterDynamicResource", "444nn"},
    {19, 0x15, "EDeRegisterDynamicResource", "4444nn"},
    {19, 0x16, "ERegisterResourceDependency", "44444nnn"},
    {19, 0x17, "EDeRegisterResourceDependency", "44444nnn"},
    {20, 0x00, "EOpenChannelUsStart", "4n"},
    {20, 0x01, "EOpenChannelUsEnd", "4n"},
    {20, 0x02, "ERegisterClientUsStart", "41111n"},
    {20, 0x03, "ERegisterClientUsEnd", "44"},
    {20, 0x04, "EDeRegisterClientUsStart", "4n"},
    {20, 0x05, "EDeRegisterClientUsEnd", "4"},
    {20, 0x06, "EGetResourceStateUsStart", "44n"},
    {20, 0x07, "EGetResourceStateUsEnd", "4444"},
    {20, 0x08, "ESetResourceStateUsStart", "444n"},
    {20, 0x09, "ESetResourceStateUsEnd", "4444"},
    {20, 0x0a, "ECancelGetResourceStateUsStart", "44n"},
    {20, 0x0b, "ECancelGetResourceStateUsEnd", "44n"},
    {20, 0x0c, "ECancelSetResourceStateUsStart", "44n"},
    {20, 0x0d, "ECancelSetResourceStateUsEnd", "44n"},
    {21, 0x01, "ESetEvent", "4"},
    {21, 0x02, "ESetTipEvent", "4"},
    {21, 0x03, "ESetTiltEvent", "444"},
    {21, 0x04, "ESetRotationtEvent", "44"},
    {21, 0x05, "ESetPointerNumberEvent", "4"},
    {21, 0x06, "EUserAddEvent", "4"},
    {21, 0x07, "EKernelAddEvent", "4"},
    {23, 0x00, "ESemaphoreCreate", "44t"},
    {23, 0x01, "ESemaphoreDestroy", "4"},
    {23, 0x02, "ESemaphoreAcquire", "4"},
    {23, 0x03, "ESemaphoreRelease", "4"},
    {23, 0x04, "ESemaphoreBlock", "4"},
    {23, 0x10, "EMutexCreate", "44t"},
    {23, 0x11, "EMutexDestroy", "4"},
    {23, 0x12, "EMutexAcquire", "4"},
    {23, 0x13, "EMutexRelease", "4"},
    {23, 0x14, "EMutexBlock", "4"},
    {23, 0x20, "ECondVarCreate", "44t"},
    {23, 0x21, "ECondVarDestroy", "4"},
    {23, 0x22, "ECondVarBlock", "44"},
    {23, 0x23, "ECondVarWakeUp", "44"},
    {23, 0x24, "ECondVarSignal", "44"},
    {23, 0x25, "ECondVarBroadcast", "44"},
    {24, 0x00, "EMemoryObjectCreate", "44"},
    {24, 0x01, "EMemoryObjectDestroy", "4"},
    {24, 0x02, "EMemoryMappingCreate", "4444224"},
    {24, 0x03, "EMemoryMappingDestroy", "4"},
    {24, 0x04, "EMemoryObjectIsChunk", "44"},
    {24, 0x05, "EMemoryObjectIsCodeSeg", "44"},
    {24, 0x06, "EMemoryObjectIsProcessStaticData", "44"},
    {24, 0x07, "EMemoryObjectIsDllStaticData", "444"},
    {24, 0x08, "EMemoryObjectIsSupervisorStack", "44"},
    {24, 0x09, "EMemoryObjectIsUserStack", "44"},
    {24, 0x0a, "EAddressSpaceId", "422"},
    {25, 0x00, "ERegisterChansStartPsl", "44"},
    {25, 0x01, "ERegisterChansStartPil", "444"},
    {25, 0x02, "ERegisterChansEndPil", "44"},
    {25, 0x03, "ERegisterChansEndPsl", "44"},
    {25, 0x04, "EDeRegisterChanStartPsl", "4"},
    {25, 0x05, "EDeRegisterChanStartPil", "44"},
    {25, 0x06, "EDeRegisterChanEndPil", "44"},
    {25, 0x07, "EDeRegisterChanEndPsl", "44"},
    {25, 0x08, "EMQTransSyncStartPil", "44"},
    {25, 0x09, "EMQTransSyncEndPil", "44"},
    {25, 0x0a, "EMQTransAsyncStartPil", "444"},
    {25, 0x0b, "EMQTransAsyncEndPil", "44"},
    {25, 0x0c, "EMCancelTransStartPil", "44"},
    {25, 0x0d, "EMCancelTransEndPil", "44"},
    {25, 0x0e, "EMProcessTransStartPil", "44d"},
    {25, 0x0f, "EMProcessTransStartPsl", "4"},
    {25, 0x10, "EMProcessTransEndPsl", "4"},
    {25, 0x11, "EMProcessTransEndPil", "444"},
    {25, 0x12, "ESCaptChanSyncStartPil", "44"},
    {25, 0x13, "ESCaptChanSyncStartPsl", "44"},
    {25, 0x14, "ESCaptChanSyncEndPsl", "44"},
    {25, 0x15, "ESCaptChanSyncEndPil", "444"},
    {25, 0x16, "ESCaptChanASyncStartPil", "444"},
    {25, 0x17, "ESCaptChanASyncStartPsl", "44"},
    {25, 0x18, "ESCaptChanASyncEndPsl", "44"},
    {25, 0x19, "ESCaptChanASyncEndPil", "44d"},
    {25, 0x1a, "ESRelChanStartPil", "44"},
    {25, 0x1b, "ESRelChanStartPsl", "4"},
    {25, 0x1c, "ESRelChanEndPsl", "44"},
    {25, 0x1d, "ESRelChanEndPil", "44"},
    {25, 0x1e, "ESRegRxBufStartPil", "44dd"},
    {25, 0x1f, "ESRegRxBufStartPsl", "44ddd"},
    {25, 0x20, "ESRegRxBufEndPsl", "44"},
    {25, 0x21, "ESRegRxBufEndPil", "4"},
    {25, 0x22, "ESRegTxBufStartPil", "44dd"},
    {25, 0x23, "ESRegTxBufStartPsl", "44ddd"},
    {25, 0x24, "ESRegTxBufEndPsl", "44"},
    {25, 0x25, "ESRegTxBufEndPil", "4"},
    {25, 0x26, "ESNotifTrigStartPil", "44"},
    {25, 0x27, "ESNotifTrigStartPsl", "4"},
    {25, 0x28, "ESNotifTrigEndPsl", "4"},
    {25, 0x29, "ESNotifTrigEndPil", "44"},
    {25, 0x2a, "EMSStatExtStartPil", "44DD"},
    {25, 0x2b, "EMSStatExtEndPil", "44D"},
    {25, 0x2c, "EMStatExtStartPil", "44DD"},
    {25, 0x2d, "EMStatExtStartPsl", "44DD"},
    {25, 0x2e, "EMStatExtEndPsl", "44D"},
    {25, 0x2f, "EMStatExtEndPil", "44D"},
    {25, 0x30, "ESStatExtStartPil", "44DD"},
    {25, 0x31, "ESStatExtStartPsl", "44DD"},
    {25, 0x32, "ESStatExtEndPsl", "44D"},
    {25, 0x33, "ESStatExtEndPil", "44D"},
    {26, 0x00, "ELbDone", "44"},
};

static const struct {
    uint8_t number;
    const char *name;
} categories[] = {
    {0, "ERDebugPrintf"},
    {1, "EKernPrintf"},
    {2, "EPlatsecPrintf"},
    {3, "EThreadIdentification"},
    {4, "ECpuUsage"},
    {5, "EKernPerfLog"},
    {6, "EClientServer"},
    {7, "ERequests"},
    {8, "EChunks"},
    {9, "ECodeSegs"},
    {10, "EPaging"},
    {11, "EThreadPriority"},
    {12, "EPagingMedia"},
    {13, "EKernelMemory"},
    {14, "EHeap"},
    {15, "EMetaTrace"},
    {16, "ERamAllocator"},
    {17, "EFastMutex"},
    {18, "EProfiling"},
    {19, "EResourceManager"},
    {20, "EResourceManagerUs"},
    {21, "ERawEvent"},
    {22, "EUsb"},
    {23, "ESymbianKernelSync"},
    {24, "EFlexibleMemModel"},
    {25, "EIic"},
    {26, "EHSched"},
    {27, "ENKern"},
    {254, "ETest1"},
    {255, "ETest2"},
    {128, "EPlatformSpecific128"},
    {191, "EPlatformSpecific191"},
    {192, "ESymbianExtentions192"},
    {253, "ESymbianExtentions253"},
    {28, "Category28"},
    {127, "Category127"},
};

enum { COUNT = sizeof all / sizeof all[0], WORDS = 3 };

static const char text[] = "Some text 42";
static const char *const decimals[] = {"64", "-5", "1234567"};
static const int32_t decimal_values[] = {64, -5, 1234567};
static const char name[] = "resource";

/* Writes data for a layout: ascending bytes, so that each field has a different value. */
static void fill(struct stream *data, const char *layout)
{
    uint8_t next = 1;
    for (const char *l = layout; *l; l++) {
        if (*l == 't') {
            stream_bytes(data, text, sizeof text - 1);
        } else if (*l == 'n') {
            uint8_t length[4] = {sizeof name - 1, 0, 0, 0};
            stream_bytes(data, length, 4);
            stream_bytes(data, name, sizeof name - 1);
        } else if (*l == 'd' || *l == 'D') {
            const char *digits = decimals[l - strpbrk(layout, "dD")];
            stream_bytes(data, digits, strlen(digits));
            stream_bytes(data, " ", *l == 'D' || l[1] == 'd');
        } else {
            unsigned count = *l == 'w' ? WORDS * 4 : (unsigned)(*l - '0');
            for (unsigned i = 0; i < count; i++) {
                stream_bytes(data, &next, 1);
                next++;
            }
        }
    }
}

static void expect_field(const struct documented *d, const char *layout, const struct tt_arg *arg,
                         const uint8_t *data)
{
    char letter = *layout;

    cr_expect_gt(arg->name.length, 0);
    if (letter == 't' || letter == 'n') {
        const char *wanted = letter == 't' ? text : name;
        cr_expect_eq(arg->type, TT_ARG_STRING, "%s", d->name);
        cr_expect_eq(arg->value.s.length, strlen(wanted), "%s", d->name);
        cr_expect_eq(memcmp(arg->value.s.data, wanted, strlen(wanted)), 0, "%s", d->name);
        return;
    }
    if (letter == 'd' || letter == 'D') {
        cr_expect_eq(arg->type, TT_ARG_I64, "%s", d->name);
        cr_expect_eq(arg->value.i, decimal_values[layout - strpbrk(d->layout, "dD")], "%s",
                     d->name);
        return;
    }
    unsigned bytes = letter == 'w' ? 4 : (unsigned)(letter - '0');
    cr_expect_eq(arg->raw_length, bytes, "%s: %.*s", d->name, (int)arg->name.length,
                 arg->name.data);
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)data[arg->raw_offset + i] << (8 * i);
    }
    cr_expect_eq(arg->value.u, value, "%s: %.*s", d->name, (int)arg->name.length, arg->name.data);
}

static void expect_documented(const struct reading *r, uint32_t event, const struct documented *d)
{
    struct stream data = {0};
    fill(&data, d->layout);
    cr_expect_str_eq(type_name(r, event), d->name);
    cr_expect_eq(tt_types_at(r->capture, r->events[event].type)->code,
                 (uint64_t)d->category << 8 | d->sub);
    struct tt_args *args = calloc(1, sizeof *args);
    describe(r, event, args);
    uint32_t at = 0;
    unsigned n = 0;
    for (const char *l = d->layout; *l; l++) {
        for (unsigned repeat = *l == 'w' ? WORDS : 1; repeat > 0; repeat--) {
            cr_assert_lt(n, args->count, "%s has %u arguments", d->name, args->count);
            const struct tt_arg *arg = &args->v[n++];
            expect_field(d, l, arg, data.bytes);
            cr_expect_eq(arg->raw_offset, at + (*l == 'n' ? 4u : 0u), "%s", d->name);
            at = arg->raw_offset + arg->raw_length;
        }
    }
    cr_expect_eq(at, data.size, "%s: %zu bytes, %u explained", d->name, data.size, at);
    /* The data are followed by words of the header only. */
    for (; n < args->count; n++) {
        cr_expect_eq(args->v[n].raw_length, 0, "%s: a field too many", d->name);
    }
    free(args);
    stream_free(&data);
}

Test(btrace_coverage, every_sub_category_of_the_documents)
{
    struct stream s = {0};
    for (unsigned i = 0; i < COUNT; i++) {
        struct stream data = {0};
        fill(&data, all[i].layout);
        stream_record(&s, &(struct rec){.flags = TS,
                                        .category = all[i].category,
                                        .sub = all[i].sub,
                                        .ts = i,
                                        .data = data.bytes,
                                        .length = data.size});
        stream_free(&data);
    }
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        expect_documented(&r, i, &all[i]);
    }
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNKNOWN_EVENT), 0);
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_MALFORMED), 0);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_coverage, every_category_has_a_name)
{
    struct stream s = {0};
    unsigned count = sizeof categories / sizeof categories[0];
    for (unsigned i = 0; i < count; i++) {
        uint8_t sub = categories[i].number == 21 ? 1 : 0;
        stream_words(&s, categories[i].number, sub, i, &(uint32_t){0xfedcba98}, 1);
    }
    for (unsigned i = 0; i < 4; i++) {
        stream_words(&s, 7, 0, count + i, (const uint32_t[]){1, 2, 3}, 3);
    }
    struct reading r = read_stream(&s);
    cr_assert_eq(r.count, count + 4);
    for (unsigned i = 0; i < count; i++) {
        cr_expect_str_eq(class_name(&r, i), categories[i].name);
    }
    /* 28 and 127 are unassigned. */
    cr_expect_eq(tt_health_count(r.capture, TT_HEALTH_UNKNOWN_EVENT), 2);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_coverage, data_shorter_than_its_layout_has_fewer_arguments)
{
    for (unsigned i = 0; i < COUNT; i++) {
        struct stream data = {0}, s = {0};
        fill(&data, all[i].layout);
        for (size_t length = 0; length <= data.size; length++) {
            stream_record(&s, &(struct rec){.flags = TS,
                                            .category = all[i].category,
                                            .sub = all[i].sub,
                                            .data = data.bytes,
                                            .length = length});
        }
        struct reading r = read_stream(&s);
        cr_assert_eq(r.count, data.size + 1, "%s", all[i].name);
        struct tt_args *args = calloc(1, sizeof *args);
        for (uint32_t event = 0; event < r.count; event++) {
            describe(&r, event, args);
            uint32_t explained = 0;
            for (unsigned a = 0; a < args->count; a++) {
                explained += args->v[a].raw_length;
                cr_expect_leq(args->v[a].raw_offset + args->v[a].raw_length, event);
            }
            /* Only the length of a name is not an argument. */
            const char *names = strchr(all[i].layout, 'n');
            cr_expect(names ? explained <= event : explained == event, "%s: %u of %u bytes",
                      all[i].name, explained, event);
        }
        free(args);
        reading_free(&r);
        stream_free(&s);
        stream_free(&data);
    }
}

/* If the bytes after two words are not decimal text, each field is a word, as in the header. */
Test(btrace_coverage, words_in_place_of_decimal_text)
{
    const uint32_t words[] = {0x1000, 2, 3, 0xfffffffc};
    struct stream s = {0};
    stream_words(&s, 25, 30, 1, words, 4);
    stream_words(&s, 25, 44, 2, words, 4);
    stream_words(&s, 25, 47, 3, (const uint32_t[]){0x1000, 2, 0x30303030}, 3);
    stream_record(&s, &(struct rec){.flags = TS,
                                    .category = 25,
                                    .sub = 44,
                                    .ts = 4,
                                    .data = "\1\0\0\0\2\0\0\0"
                                            "99999999999 -",
                                    .length = 21});
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 0), "buffer=0x00001000 granularity=2 words=3 offset=-4");
    cr_expect_str_eq(args_line(&r, 1), "token=0x1000 function=2 arg=3 arg2=-4");
    cr_expect_str_eq(args_line(&r, 2), "token=0x1000 function=2 result=0"); /* the text "0000" */
    cr_expect_str_eq(args_line(&r, 3), "token=0x1 function=2 text=\"99999999999 -\"");
    reading_free(&r);
    stream_free(&s);
}

/* EIic writes some sub-categories with the number of another. */
Test(btrace_coverage, sub_categories_with_another_number)
{
    struct stream s = {0};
    stream_words(&s, 25, 8, 1, (const uint32_t[]){0x20, 0xc8001234}, 2);
    stream_words(&s, 25, 8, 2, (const uint32_t[]){0x20, 0}, 2);
    stream_words(&s, 25, 8, 3, (const uint32_t[]){0x20, 0xfffffffa}, 2);
    stream_words(&s, 25, 26, 4, (const uint32_t[]){0x77}, 1);
    stream_words(&s, 25, 26, 5, (const uint32_t[]){0x77, 0xffffffff}, 2);
    stream_words(&s, 25, 3, 6, (const uint32_t[]){0x5000, 0xffffffff}, 2);
    stream_words(&s, 25, 17, 7, (const uint32_t[]){0x5000, 0, 0x6000}, 3);
    stream_words(&s, 25, 8, 8, (const uint32_t[]){0x20, 0xc8001234}, 2);
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 0), "bus=0x20 transaction=0xc8001234");
    cr_expect_str_eq(args_line(&r, 1), "bus=0x20 result=0 stands_for=\"EMQTransSyncEndPil\"");
    cr_expect_str_eq(args_line(&r, 2), "bus=0x20 result=-6 stands_for=\"EMQTransSyncEndPil\"");
    cr_expect_str_eq(type_name(&r, 2), "EMQTransSyncStartPil"); /* as the file has it */
    cr_expect_str_eq(args_line(&r, 3), "cookie=0x77");
    cr_expect_str_eq(args_line(&r, 4), "cookie=0x77 result=-1 stands_for=\"ESRelChanEndPil\"");
    cr_expect_str_eq(args_line(&r, 5), "array=0x00005000 result=-1");
    cr_expect_str_eq(args_line(&r, 6), "transaction=0x00005000 result=0 callback=0x00006000");
    reading_free(&r);
    stream_free(&s);
}

/* EKernPerfLog: the tick count is the last word. */
Test(btrace_coverage, the_tick_of_a_performance_log_is_its_last_word)
{
    struct stream s = {0};
    const uint32_t words[] = {11, 12, 13};
    for (unsigned i = 0; i < 10; i++) {
        stream_words(&s, 5, 3, i, words, 1 + i % 3);
    }
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 0), "tick=11");
    cr_expect_str_eq(args_line(&r, 1), "a=0xb tick=12");
    cr_expect_str_eq(args_line(&r, 2), "a=0xb b=0xc tick=13");
    reading_free(&r);
    stream_free(&s);
}

/* The direct memory model writes the address first, the others the size. */
Test(btrace_coverage, physical_memory_freed)
{
    struct stream s = {0};
    stream_words(&s, 13, 5, 1, (const uint32_t[]){0x3000, 0x80100000}, 2);
    stream_words(&s, 13, 6, 2, (const uint32_t[]){0x1000, 0x80100000}, 2);
    stream_words(&s, 13, 6, 3, (const uint32_t[]){0x80101000, 0x2000}, 2);
    for (unsigned i = 0; i < 6; i++) {
        stream_words(&s, 13, 2, 4 + i, (const uint32_t[]){64}, 1);
    }
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 1), "size=4096 physical=0x80100000");
    cr_expect_str_eq(args_line(&r, 2), "physical=0x80101000 size=8192");
    cr_expect_str_eq(args_line(&r, 3), "size=64");
    const uint64_t wanted[] = {0x3000, 0x2000, 0};
    for (uint32_t i = 0; i < 3; i++) {
        double now;
        memcpy(&now, &action_at(&r, TT_ACTION_COUNTER, i)->value, sizeof now);
        cr_expect_eq(now, (double)wanted[i], "after %u", i);
    }
    reading_free(&r);
    stream_free(&s);
}

/* NThread words are labelled with the thread's name; a DThread is not a thread of the stream. */
Test(btrace_coverage, words_that_point_to_threads)
{
    enum { THREAD = 0x98e254, PROCESS = 0x98347c };
    struct stream s = {0};
    stream_name(&s, 3, 5, 1, THREAD, PROCESS, "app.exe");
    stream_name(&s, 3, 4, 2, THREAD, PROCESS, "Main");
    stream_words(&s, 3, 6, 3, (const uint32_t[]){THREAD, PROCESS, 7}, 3);
    stream_words(&s, 24, 8, 4, (const uint32_t[]){1, THREAD}, 2);
    stream_words(&s, 24, 9, 5, (const uint32_t[]){1, THREAD}, 2);
    stream_words(&s, 12, 6, 6, (const uint32_t[]){1, 2, 3, 4, 5, THREAD}, 6);
    stream_name(&s, 20, 0, 7, 7, 3, "abc"); /* seven is no thread id here */
    stream_record(&s, &(struct rec){.flags = TS,
                                    .category = 20,
                                    .sub = 2,
                                    .ts = 8,
                                    .data = "\x09\0\0\0\1\2\3\0\3\0\0\0abc",
                                    .length = 15});
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 3), "memory_object=0x00000001 thread=0x0098e254(Main)");
    cr_expect_str_eq(args_line(&r, 4), "memory_object=0x00000001 thread=0x0098e254(Main)");
    cr_expect_str_eq(args_line(&r, 5), "request=0x00000001 fragment=2 length=3 request_offset=0x4 "
                                       "offset=0x5 issuer=0x0098e254(Main)");
    cr_expect_str_eq(args_line(&r, 6), "thread=0x00000007 client_name=\"abc\"");
    cr_expect_str_eq(args_line(&r, 7), "client=0x9 notifications=1 change_requests=2 "
                                       "get_requests=3 client_name=\"abc\"");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_coverage, a_key_that_repeats)
{
    struct stream s = {0};
    stream_words(&s, 21, 1, 1, (const uint32_t[]){17, 0x41, 3}, 3); /* EKeyRepeat */
    for (unsigned i = 0; i < 8; i++) {
        stream_words(&s, 21, 1, 2 + i, (const uint32_t[]){3, 0x41}, 2);
    }
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 0), "type=17 scan_code=0x41 repeats=3");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_coverage, the_text_of_a_measurement_ends_at_its_nul)
{
    struct stream s = {0};
    stream_record(&s, &(struct rec){.flags = TS,
                                    .category = 15,
                                    .sub = 1,
                                    .ts = 1,
                                    .data = "\1\0\0\0\2\0\0\0boot\0x\xff",
                                    .length = 15});
    for (unsigned i = 0; i < 8; i++) {
        stream_words(&s, 15, 2, 2 + i, (const uint32_t[]){1, 2}, 2);
    }
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 0), "id=0x1 id2=0x2 text=\"boot\"");
    reading_free(&r);
    stream_free(&s);
}

/* UTF: the UID of a module and the format id; in older traces, a length and a text. fshell: words. */
Test(btrace_coverage, extensions_of_utf)
{
    static const struct {
        uint8_t category, sub;
        const char *data;
        size_t length;
        const char *wanted;
    } rows[] = {
        {192, 0, "\x1b\x8a\x0f\x10\0\0\0\0hi", 10,
         "uid=0x100f8a1b format=0(printf ASCII) text=\"hi\""},
        {193, 1, "\x1b\x8a\x0f\x10h\0i\0", 8,
         "uid=0x100f8a1b format=1(printf Unicode) data=68 00 69 00"},
        {222, 0, "\x1b\x8a\x0f\x10\0\2\0\0\1\2\3", 11, "uid=0x100f8a1b format=512 data=01 02 03"},
        {201, 9, "\x1b\x8a\x0f\x10", 4, "uid=0x100f8a1b format=9"},
        {194, 2, "\5\0\0\0HelloX\1", 11, "length=5 text=\"Hello\" data=58 01"},
        {214, 5, "\x4d\0\0\0\5\0\0\0c:\\log", 14, "word=0x4d word=0x5 text=\"c:\\\\log\""},
        {213, 0, "\x88\x88\x1f\x10\3\0\0\0\x2a\0", 10, "word=0x101f8888 word=0x3 data=2a 00"},
        {212, 9, "\x1b\x8a\x0f\x10", 4, "uid=0x100f8a1b format=9"},
        {223, 0, "\x1b\x8a\x0f\x10\0\0\0\0", 8, "data=1b 8a 0f 10 00 00 00 00"},
        {192, 0, "\x1b\x8a", 2, "data=1b 8a"},
    };
    struct stream s = {0};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        stream_record(&s, &(struct rec){.flags = TS,
                                        .category = rows[i].category,
                                        .sub = rows[i].sub,
                                        .ts = i,
                                        .data = rows[i].data,
                                        .length = rows[i].length});
    }
    stream_words(&s, 15, 2, 9, (const uint32_t[]){1, 2}, 2);
    struct reading r = read_stream(&s);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_str_eq(args_line(&r, i), rows[i].wanted);
    }
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_coverage, pointer_events_by_the_length_of_their_data)
{
    static const char *const wanted[] = {
        "",
        "type=1",
        "type=1 scan_code=0x2",
        "type=1 x=2 y=3",
        "type=1 x=2 y=3 z=4",
        "type=1 x=2 y=3 z=4 pointer=5",
        NULL,
        "type=1 x=2 y=3 z=4 phi=5 theta=6 alpha=7",
    };
    const uint32_t words[] = {1, 2, 3, 4, 5, 6, 7};
    struct stream s = {0};
    for (unsigned i = 0; i < 8; i++) {
        stream_words(&s, 21, 1, i, words, i);
    }
    struct reading r = read_stream(&s);
    for (unsigned i = 0; i < 8; i++) {
        if (wanted[i]) {
            cr_expect_str_eq(args_line(&r, i), wanted[i]);
        }
    }
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_coverage, printf_is_text_and_extensions_are_raw)
{
    struct stream s = {0};
    stream_name(&s, 3, 5, 1, 0x1000, 0x2000, "EKern.exe[100041af]0001");
    stream_name(&s, 3, 4, 2, 0x1000, 0x2000, "Main");
    stream_words(&s, 3, 6, 3, (const uint32_t[]){0x1000, 0x2000, 7}, 3);
    stream_record(&s, &(struct rec){.flags = TS | CTX,
                                    .category = 0,
                                    .ts = 4,
                                    .context = 0x1000,
                                    .data = "\x07\0\0\0hello \x1b[31m",
                                    .length = 15});
    stream_record(&s, &(struct rec){.flags = TS,
                                    .category = 223,
                                    .sub = 9,
                                    .ts = 5,
                                    .data = "\x01\x02\xff\0\x05",
                                    .length = 5});
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 3), "thread=7(Main) text=\"hello \\e[31m\"");
    cr_expect_eq(r.events[3].kind, TT_KIND_LOG);
    cr_expect_str_eq(class_name(&r, 4), "ESymbianExtentions223");
    cr_expect_str_eq(type_name(&r, 4), "Sub9");
    cr_expect_str_eq(args_line(&r, 4), "data=01 02 ff 00 05");
    reading_free(&r);
    stream_free(&s);
}
