/* SPDX-License-Identifier: Apache-2.0 */
/* btrace_tables_memory: paging, RAM and the flexible memory model: e32btrace.h, class BTrace. */
#include "format/btrace/btrace_tables.h"
#include "tracetui/event.h"

#define PHYSICAL                                                                                   \
    {                                                                                              \
        "physical", BF_ADDRESS                                                                     \
    }
#define VIRTUAL                                                                                    \
    {                                                                                              \
        "virtual", BF_ADDRESS                                                                      \
    }
#define FAULT_PC                                                                                   \
    {                                                                                              \
        "fault_pc", BF_ADDRESS                                                                     \
    }
#define REQUEST                                                                                    \
    {                                                                                              \
        "request", BF_ADDRESS                                                                      \
    }
#define OBJECT                                                                                     \
    {                                                                                              \
        "memory_object", BF_ADDRESS                                                                \
    }

/* enum TPaging. Only the flexible memory model writes the permissions. */
/* clang-format off */
const struct btrace_sub btrace_paging[] = {
    {0, TT_KIND_EVENT, false, "EPagingPageInBegin", {VIRTUAL, FAULT_PC, {"permissions", BF_U8}, {"spare", BF_SPARE24}}},
    {1, TT_KIND_EVENT, false, "EPagingPageInUnneeded", {{0}}},
    {2, TT_KIND_EVENT, false, "EPagingPageInROM", {PHYSICAL, VIRTUAL}},
    {3, TT_KIND_EVENT, false, "EPagingPageOutROM", {PHYSICAL, VIRTUAL}},
    {4, TT_KIND_EVENT, false, "EPagingPageInFree", {PHYSICAL}},
    {5, TT_KIND_EVENT, false, "EPagingPageOutFree", {PHYSICAL}},
    {6, TT_KIND_EVENT, false, "EPagingRejuvenate", {PHYSICAL, VIRTUAL, FAULT_PC}},
    {7, TT_KIND_EVENT, false, "EPagingPageNop", {PHYSICAL, VIRTUAL, FAULT_PC}},
    {8, TT_KIND_EVENT, false, "EPagingPageLock", {PHYSICAL, {"lock_count", BF_U32}}},
    {9, TT_KIND_EVENT, false, "EPagingPageUnlock", {PHYSICAL, {"lock_count", BF_U32}}},
    {10, TT_KIND_EVENT, false, "EPagingPageOutCache", {PHYSICAL, VIRTUAL}},
    {11, TT_KIND_EVENT, false, "EPagingPageInCode", {PHYSICAL, VIRTUAL}},
    {12, TT_KIND_EVENT, false, "EPagingPageOutCode", {PHYSICAL, VIRTUAL}},
    {13, TT_KIND_EVENT, false, "EPagingMapCode", {PHYSICAL, VIRTUAL}},
    {14, TT_KIND_EVENT, false, "EPagingAged", {PHYSICAL}},
    {15, TT_KIND_EVENT, false, "EPagingDecompressStart", {{"compression", BF_U32}}},
    {16, TT_KIND_EVENT, false, "EPagingDecompressEnd", {{0}}},
    {17, TT_KIND_EVENT, false, "EPagingMemoryModel", {{"model", BF_HEX}}},
    {18, TT_KIND_EVENT, false, "EPagingChunkDonatePage", {{"chunk", BF_CHUNK}, {"page", BF_U32}}},
    {19, TT_KIND_EVENT, false, "EPagingChunkReclaimPage", {{"chunk", BF_CHUNK}, {"page", BF_U32}}},
    {20, TT_KIND_EVENT, false, "EPagingPageIn", {PHYSICAL, OBJECT, {"page", BF_U32}}},
    {21, TT_KIND_EVENT, false, "EPagingPageOut", {PHYSICAL}},
    {22, TT_KIND_EVENT, false, "EPagingMapPage", {PHYSICAL}},
    {23, TT_KIND_EVENT, false, "EPagingDonatePage", {PHYSICAL, OBJECT, {"page", BF_U32}}},
    {24, TT_KIND_EVENT, false, "EPagingReclaimPage", {PHYSICAL}},
    {25, TT_KIND_EVENT, false, "EPagingAgedClean", {PHYSICAL}},
    {26, TT_KIND_EVENT, false, "EPagingAgedDirty", {PHYSICAL}},
    {27, TT_KIND_EVENT, false, "EPagingPageTableAlloc", {PHYSICAL}},
};
/* clang-format on */

#define BUFFER                                                                                     \
    {                                                                                              \
        "buffer", BF_ADDRESS                                                                       \
    }
#define MEDIA                                                                                      \
    {                                                                                              \
        "media", BF_U32                                                                            \
    }
#define COMPLETION                                                                                 \
    {                                                                                              \
        "completion", BF_I32                                                                       \
    }
#define REQUEST_ID                                                                                 \
    {                                                                                              \
        "request_id", BF_U32                                                                       \
    }

/* enum TPagingMedia */
/* clang-format off */
const struct btrace_sub btrace_paging_media[] = {
    {0, TT_KIND_EVENT, false, "EPagingMediaLocMedPageInBegin", {BUFFER, {"offset", BF_HEX}, {"length", BF_U32}, {"drive", BF_I32}, REQUEST}},
    {1, TT_KIND_EVENT, false, "EPagingMediaLocMedPageInPagedIn", {REQUEST, COMPLETION, REQUEST_ID}},
    {2, TT_KIND_EVENT, false, "EPagingMediaLocMedPageInDeferred", {REQUEST, REQUEST_ID}},
    {3, TT_KIND_EVENT, false, "EPagingMediaLocMedPageInDeferredReposted", {REQUEST, REQUEST_ID}},
    {4, TT_KIND_EVENT, false, "EPagingMediaLocMedPageInReDeferred", {REQUEST, REQUEST_ID}},
    {5, TT_KIND_EVENT, false, "EPagingMediaLocMedPageInQuietlyDeferred", {REQUEST, {"media_state", BF_U32}, REQUEST_ID}},
    {6, TT_KIND_EVENT, false, "EPagingMediaLocMedFragmentBegin", {REQUEST, {"fragment", BF_U32}, {"length", BF_U32}, {"request_offset", BF_HEX}, {"offset", BF_HEX}, {"issuer", BF_THREAD}}},
    {7, TT_KIND_EVENT, false, "EPagingMediaLocMedFragmentEnd", {REQUEST, COMPLETION}},
    {8, TT_KIND_EVENT, false, "EPagingMediaPagingMedDrvBegin", {MEDIA, REQUEST}},
    {9, TT_KIND_EVENT, false, "EPagingMediaMedDrvWriteBack", {MEDIA, REQUEST, BUFFER, {"buffer_offset", BF_HEX}, {"length", BF_U32}}},
    {10, TT_KIND_EVENT, false, "EPagingMediaMedDrvOnHold", {MEDIA, REQUEST}},
    {11, TT_KIND_EVENT, false, "EPagingMediaMedDrvRead", {MEDIA, REQUEST, BUFFER, {"buffer_offset", BF_HEX}, {"length", BF_U32}}},
    {12, TT_KIND_EVENT, false, "EPagingMediaLocMedPageOutBegin", {BUFFER, {"offset", BF_HEX}, {"length", BF_U32}, REQUEST}},
    {13, TT_KIND_EVENT, false, "EPagingMediaLocMedDeleteNotifyBegin", {{"null", BF_SPARE32}, {"offset", BF_HEX}, {"length", BF_U32}, REQUEST}},
};
/* clang-format on */

#define PAGE_TYPE                                                                                  \
    {                                                                                              \
        "page_type", BF_U32                                                                        \
    }
#define PAGES                                                                                      \
    {                                                                                              \
        "pages", BF_U32                                                                            \
    }
#define BASE                                                                                       \
    {                                                                                              \
        "base", BF_ADDRESS                                                                         \
    }
#define PAGE                                                                                       \
    {                                                                                              \
        "page", BF_ADDRESS                                                                         \
    }
#define ZONE                                                                                       \
    {                                                                                              \
        "zone", BF_U32                                                                             \
    }

/* enum TRamAllocator */
/* clang-format off */
const struct btrace_sub btrace_ram_allocator[] = {
    {0, TT_KIND_EVENT, false, "ERamAllocZoneCount", {{"zones", BF_U32}}},
    {1, TT_KIND_EVENT, false, "ERamAllocZoneConfig", {PAGES, BASE, ZONE, {"preference", BF_U8}, {"flags", BF_U8}, {"spare", BF_SPARE16}}},
    {2, TT_KIND_EVENT, false, "ERamAllocBootAllocation", {PAGES, BASE}},
    {3, TT_KIND_EVENT, false, "ERamAllocBootAllocationEnd", {{0}}},
    {4, TT_KIND_EVENT, false, "ERamAllocZoneFlagsModified", {ZONE, {"flags", BF_HEX}}},
    {5, TT_KIND_EVENT, false, "ERamAllocClaimRam", {PAGES, BASE}},
    {6, TT_KIND_EVENT, false, "ERamAllocMarkAllocated", {PAGE_TYPE, PAGE}},
    {7, TT_KIND_EVENT, false, "ERamAllocContiguousRam", {PAGE_TYPE, PAGES, BASE}},
    {8, TT_KIND_EVENT, false, "ERamAllocFreePage", {PAGE_TYPE, PAGE}},
    {9, TT_KIND_EVENT, false, "ERamAllocFreePhysical", {PAGES, BASE}},
    {10, TT_KIND_EVENT, false, "ERamAllocRamPages", {PAGE_TYPE, PAGES, BASE}},
    {11, TT_KIND_EVENT, false, "ERamAllocFreePages", {PAGE_TYPE, PAGES, BASE}},
    {12, TT_KIND_EVENT, false, "ERamAllocRamPagesEnd", {{0}}},
    {13, TT_KIND_EVENT, false, "ERamAllocFreePagesEnd", {{0}}},
    {14, TT_KIND_EVENT, false, "ERamAllocChangePageType", {PAGE_TYPE, PAGE}},
    {15, TT_KIND_EVENT, false, "ERamAllocZoneContiguousRam", {PAGE_TYPE, PAGES, BASE}},
    {16, TT_KIND_EVENT, false, "ERamAllocZoneRamPagesEnd", {{0}}},
    {17, TT_KIND_EVENT, false, "ERamAllocClaimZone", {ZONE}},
};
/* clang-format on */

#define ASID                                                                                       \
    {                                                                                              \
        "asid", BF_U16                                                                             \
    }
#define SPARE                                                                                      \
    {                                                                                              \
        "spare", BF_SPARE16                                                                        \
    }
#define PROCESS                                                                                    \
    {                                                                                              \
        "process", BF_PROCESS                                                                      \
    }
#define MAPPING                                                                                    \
    {                                                                                              \
        "mapping", BF_ADDRESS                                                                      \
    }
#define CODE_SEG                                                                                   \
    {                                                                                              \
        "code_seg", BF_CODE_SEG                                                                    \
    }

/* enum TFlexibleMemModel */
/* clang-format off */
const struct btrace_sub btrace_flexible_memory[] = {
    {0, TT_KIND_LIFETIME, false, "EMemoryObjectCreate", {OBJECT, PAGES}},
    {1, TT_KIND_LIFETIME, false, "EMemoryObjectDestroy", {OBJECT}},
    {2, TT_KIND_LIFETIME, false, "EMemoryMappingCreate", {MAPPING, OBJECT, {"offset", BF_U32}, PAGES, ASID, SPARE, VIRTUAL}},
    {3, TT_KIND_LIFETIME, false, "EMemoryMappingDestroy", {MAPPING}},
    {4, TT_KIND_EVENT, false, "EMemoryObjectIsChunk", {OBJECT, {"chunk", BF_CHUNK}}},
    {5, TT_KIND_EVENT, false, "EMemoryObjectIsCodeSeg", {OBJECT, CODE_SEG}},
    {6, TT_KIND_EVENT, false, "EMemoryObjectIsProcessStaticData", {OBJECT, PROCESS}},
    {7, TT_KIND_EVENT, false, "EMemoryObjectIsDllStaticData", {OBJECT, CODE_SEG, PROCESS}},
    {8, TT_KIND_EVENT, false, "EMemoryObjectIsSupervisorStack", {OBJECT, {"thread", BF_THREAD}}},
    {9, TT_KIND_EVENT, false, "EMemoryObjectIsUserStack", {OBJECT, {"thread", BF_THREAD}}},
    {10, TT_KIND_EVENT, false, "EAddressSpaceId", {PROCESS, ASID, SPARE}},
};
/* clang-format on */
