/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/members.h"

uint64_t tt_member_get(struct tt_member member, const void *object)
{
    const void *at = (const char *)object + member.offset;
    return member.size == 1   ? *(const uint8_t *)at
           : member.size == 2 ? *(const uint16_t *)at
           : member.size == 4 ? *(const uint32_t *)at
                              : *(const uint64_t *)at;
}

void tt_member_set(struct tt_member member, void *object, uint64_t number)
{
    void *at = (char *)object + member.offset;
    switch (member.size) {
    case 1:
        *(uint8_t *)at = (uint8_t)number;
        break;
    case 2:
        *(uint16_t *)at = (uint16_t)number;
        break;
    case 4:
        *(uint32_t *)at = (uint32_t)number;
        break;
    default:
        *(uint64_t *)at = number;
        break;
    }
}

uint64_t *tt_members_save(const struct tt_member *members, const void *object, uint64_t *numbers)
{
    for (; members->size > 0; members++) {
        *numbers++ = tt_member_get(*members, object);
    }
    return numbers;
}

const uint64_t *tt_members_restore(const struct tt_member *members, void *object,
                                   const uint64_t *numbers)
{
    for (; members->size > 0; members++) {
        tt_member_set(*members, object, *numbers++);
    }
    return numbers;
}
