/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_metadata: the text of metadata, which is plain or in packets:
 *
 *      | magic 4 | uuid 16 | checksum 4 | content 4 | size 4 | schemes 3 | version 2 | text | padding |   sizes in bits
 */
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"

#define PACKET_MAGIC  0x75D11D57u
#define PACKET_HEADER 37u
#define RECORD        0x1e /* before each fragment of CTF 2 */

static const char signature[] = "/* CTF 1";

/* Returns whether metadata are in packets, and their byte order. */
static bool is_packetized(struct tt_bytes bytes, bool *big)
{
    if (!tt_bytes_has(bytes, 0, PACKET_HEADER)) {
        return false;
    }
    *big = tt_load_u32(bytes.data, true) == PACKET_MAGIC;
    return *big || tt_load_u32(bytes.data, false) == PACKET_MAGIC;
}

bool ctf_is_metadata(struct tt_bytes head)
{
    bool big;
    return is_packetized(head, &big) ||
           (tt_bytes_has(head, 0, sizeof signature - 1) &&
            memcmp(head.data, signature, sizeof signature - 1) == 0) ||
           (tt_bytes_has(head, 0, 2) && head.data[0] == RECORD &&
            memchr(head.data, '{', head.size < 8 ? head.size : 8));
}

bool ctf_read_uuid(const char *text, uint8_t uuid[16])
{
    unsigned count = 0;
    memset(uuid, 0, 16);
    for (; *text && count < 32; text++) {
        unsigned c = (unsigned char)*text;
        unsigned digit = c >= '0' && c <= '9'   ? c - '0'
                         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                : 16;
        if (digit < 16) {
            uuid[count / 2] = (uint8_t)(uuid[count / 2] << 4 | digit);
            count++;
        } else if (c != '-') {
            return false;
        }
    }
    return count == 32 && *text == '\0';
}

/* Joins the texts of packets. Damage ends them, with health. */
static struct tt_status join_packets(struct ctf_trace *trace, struct tt_bytes bytes, bool big,
                                     char *text, size_t *length)
{
    struct ctf *ctf = trace->decoder;
    uint64_t at = 0;
    *length = 0;
    while (tt_bytes_has(bytes, at, PACKET_HEADER)) {
        const uint8_t *p = bytes.data + at;
        uint64_t content = tt_load_u32(p + 24, big) / 8, size = tt_load_u32(p + 28, big) / 8;
        if (tt_load_u32(p, big) != PACKET_MAGIC || content < PACKET_HEADER || size < content) {
            tt_health_add(ctf->capture, TT_HEALTH_MALFORMED, at, 0, bytes.size - at,
                          "bytes of metadata that are no packet");
            break;
        }
        if (p[32] || p[33]) {
            return tt_error(TT_ERR_FORMAT, "metadata are compressed or encrypted");
        }
        trace->version = p[35] == 2 ? 2 : 1;
        if (!tt_bytes_has(bytes, at, content)) {
            tt_health_add(ctf->capture, TT_HEALTH_TRUNCATED, at, 0, bytes.size - at,
                          "bytes of a packet of metadata that is longer");
            content = bytes.size - at;
        }
        memcpy(text + *length, p + PACKET_HEADER, content - PACKET_HEADER);
        *length += content - PACKET_HEADER;
        at += size;
    }
    return tt_ok();
}

struct tt_status ctf_metadata_read(struct ctf_trace *trace, struct tt_bytes bytes)
{
    bool big = false;
    struct tt_status status = tt_ok();
    if (bytes.size > CTF_METADATA_MOST) {
        return tt_error(TT_ERR_FORMAT, "metadata are larger than 64 MB");
    }
    /* A copy: the parser owns memory, so it must not be interrupted by a file that shrinks. */
    char *text = tt_arena_bytes(&trace->decoder->arena, bytes.size + 1);
    if (!text) {
        return tt_error_memory();
    }
    size_t length = bytes.size;
    trace->is_packetized = is_packetized(bytes, &big);
    if (trace->is_packetized) {
        status = join_packets(trace, bytes, big, text, &length);
    } else {
        memcpy(text, bytes.data, length);
        trace->version = length > 0 && text[0] == RECORD ? 2 : 1;
    }
    if (!tt_failed(&status)) {
        text[length] = '\0';
        if (length > 0 && text[0] == RECORD) {
            trace->version = 2;
        }
        status = trace->version == 2 ? ctf_json_read(trace, text, length)
                                     : ctf_tsdl_read(trace, text, length);
    }
    if (!tt_failed(&status) && !trace->has_order) {
        trace->big = trace->is_packetized && big;
    }
    return tt_failed(&status) ? status : ctf_bind(trace);
}
