/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_header: the text header and the system page after it. Source: "System Analysis Toolkit User's
 * Guide", chapters 6 and 7 (keys, in the listings), and the public headers sys/trace.h and
 * sys/syspage.h.
 *
 * Keys come in any order. A value runs up to the next "TRACE_key::", so neither line ends nor
 * NULs separate them; the system page begins on the byte after the last "::".
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/kev/kev_internal.h"

#define PREFIX      "TRACE_"
#define BEGIN_KEY   "TRACE_HEADER_BEGIN::"
#define END_KEY     "HEADER_END"
#define BEGIN_REACH 99u          /* the range that QNX's own reader searches */
#define HEADER_MAX  (256u << 10) /* typical: 500 bytes; the logger's arguments can be long */
#define KEY_MAX     64u
#define KEYS_MAX    4096u

/* Position of a key in the text and length of "TRACE_key::". */
struct key_place {
    uint64_t offset;
    uint32_t length;
};

static bool is_key_char(uint8_t ch)
{
    return (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') ||
           ch == '_' || ch == '-' || ch == '.';
}

/* Returns the length of the "TRACE_key::" at `offset`, or 0. */
static uint32_t key_at(struct tt_bytes text, uint64_t offset)
{
    const uint32_t prefix = sizeof PREFIX - 1;
    if (!tt_bytes_has(text, offset, prefix) || memcmp(text.data + offset, PREFIX, prefix) != 0) {
        return 0;
    }
    uint32_t length = prefix;
    while (length < prefix + KEY_MAX && tt_bytes_has(text, offset, length + 1u) &&
           is_key_char(text.data[offset + length])) {
        length++;
    }
    if (length == prefix || !tt_bytes_has(text, offset, length + 2u) ||
        text.data[offset + length] != ':' || text.data[offset + length + 1] != ':') {
        return 0;
    }
    return length + 2;
}

static bool next_key(struct tt_bytes text, uint64_t from, struct key_place *key)
{
    while (from < text.size) {
        const uint8_t *t = memchr(text.data + from, 'T', (size_t)(text.size - from));
        if (!t) {
            return false;
        }
        from = (uint64_t)(t - text.data);
        key->length = key_at(text, from);
        if (key->length > 0) {
            key->offset = from;
            return true;
        }
        from++;
    }
    return false;
}

static uint64_t kev_header_parse_decimal(struct tt_bytes value, bool *whole)
{
    uint64_t number = 0;
    uint64_t i = 0;
    while (i < value.size && value.data[i] >= '0' && value.data[i] <= '9' &&
           number < UINT64_MAX / 10 - 1) {
        number = number * 10 + (uint64_t)(value.data[i] - '0');
        i++;
    }
    *whole = i > 0 && i == value.size;
    return number;
}

static void read_release(struct kev_header *header, struct tt_bytes value)
{
    /* Copies printable ASCII only: these texts go to status lines. */
    char *to = header->c->version;
    size_t capacity = sizeof header->c->version;
    size_t used = 0;
    for (uint64_t i = 0; i < value.size && used + 1 < capacity; i++) {
        if (value.data[i] >= ' ' && value.data[i] < 0x7f) {
            to[used++] = (char)value.data[i];
        }
    }
    to[used] = '\0';

    if (sscanf(header->c->version, "%u.%u", &header->major, &header->minor) >= 1) {
        header->has_release = true;
    }
}

static void note_value(struct kev_header *header, uint64_t offset, const char *detail)
{
    tt_health_add(header->c, TT_HEALTH_HEADER, offset, offset, 0, detail);
}

static bool key_is(struct tt_bytes key, const char *name)
{
    return key.size == strlen(name) && memcmp(key.data, name, (size_t)key.size) == 0;
}

/* Reads the keys that the decoder uses; all keys are stored as facts as well. */
static void read_key(struct kev_header *header, struct tt_bytes key, struct tt_bytes value)
{
    uint64_t offset = (uint64_t)(key.data - header->c->bytes.data);
    bool whole = true;
    if (key_is(key, "LITTLE_ENDIAN")) {
        header->little = true;
    } else if (key_is(key, "BIG_ENDIAN")) {
        header->big = true;
    } else if (key_is(key, "MIDDLE_ENDIAN")) {
        header->middle = true;
    } else if (key_is(key, "ENCODING")) {
        header->encoding_supported = value.size >= 3 && memcmp(value.data, "16 ", 3) == 0;
    } else if (key_is(key, "CYCLES_PER_SEC")) {
        header->cycles_per_sec = kev_header_parse_decimal(value, &whole);
    } else if (key_is(key, "CPU_NUM")) {
        uint64_t count = kev_header_parse_decimal(value, &whole);
        whole = whole && count >= 1 && count <= KEV_CPUS;
        header->d->cpu_num = whole ? (uint32_t)count : 0;
    } else if (key_is(key, "SYS_RELEASE")) {
        read_release(header, value);
    } else if (key_is(key, "SYSPAGE_LEN")) {
        header->syspage_length = kev_header_parse_decimal(value, &whole);
    }
    if (!whole) {
        note_value(header, offset, "a number is expected here");
    }
}

bool kev_header_take(struct kev_header *header, struct tt_bytes key, struct tt_bytes value)
{
    char name[KEY_MAX + 1];
    if (key.size > KEY_MAX) {
        return true;
    }
    read_key(header, key, value);
    memcpy(name, key.data, (size_t)key.size);
    name[key.size] = '\0';
    return header->key_count++ >= KEYS_MAX ||
           tt_facts_add(header->c, "header", name, (const char *)value.data, (size_t)value.size);
}

/* Reads the keys between BEGIN_KEY and END_KEY; sets header->syspage to the byte after END_KEY. */
static struct tt_status read_keys(struct kev_header *header, uint64_t begin)
{
    const uint32_t prefix = sizeof PREFIX - 1;
    struct tt_bytes text = tt_bytes_slice(header->c->bytes, 0, begin + HEADER_MAX);
    struct key_place key;
    if (!next_key(text, begin, &key)) {
        return tt_error_at(TT_ERR_FORMAT, text.size, "the header has no end (TRACE_HEADER_END::)");
    }
    for (;;) {
        struct tt_bytes name = {text.data + key.offset + prefix, key.length - prefix - 2};
        uint64_t value_at = key.offset + key.length;
        if (key_is(name, END_KEY)) {
            header->syspage = value_at;
            return tt_ok();
        }
        struct key_place following;
        if (!next_key(text, value_at, &following)) {
            return tt_error_at(TT_ERR_FORMAT, text.size,
                               "the header has no end (TRACE_HEADER_END::)");
        }
        struct tt_bytes value = tt_bytes_slice(text, value_at, following.offset - value_at);
        if (!kev_header_take(header, name, value)) {
            return tt_error_memory();
        }
        key = following;
    }
}

/* ---- system page -------------------------------------------------------------------------- */

/* Offsets in the system page; all numbers in the target's byte order. */
struct syspage_layout {
    uint32_t qtime; /* entry {u16 offset, u16 size} of struct qtime_entry */
    uint32_t boot_time;
    uint32_t intr;
    uint32_t flags;
};

static const struct syspage_layout syspage_6_7 = {32, 28, 52, 60};
static const struct syspage_layout syspage_8 = {20, 20, 40, 48};

#define SYSPAGE_TYPE_8       0x1000u /* type bit: the versioned page of 8.0 */
#define QTIME_GLOBAL_CLOCK   8u      /* ClockCycles() agrees across CPUs */
#define SYSPAGE_TYPE_AT      4u
#define SYSPAGE_CPUS_AT      6u
#define SYSPAGE_TYPE_X86_64  0x100u
#define SYSPAGE_TYPE_AARCH64 0x101u

static const char *syspage_type_name(uint32_t type)
{
    static const struct {
        uint16_t type;
        const char *name;
    } names[] = {{0, "x86"},
                 {1, "PPC"},
                 {2, "MIPS"},
                 {4, "ARM"},
                 {5, "SH"},
                 {SYSPAGE_TYPE_X86_64, "x86_64"},
                 {SYSPAGE_TYPE_AARCH64, "aarch64"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].type == (type & ~SYSPAGE_TYPE_8)) {
            return names[i].name;
        }
    }
    return NULL;
}

static bool kev_header_add_fact(struct kev_header *header, const char *key, const char *value)
{
    return tt_facts_add(header->c, "system page", key, value, strlen(value));
}

/* Returns whether the page was recorded: otherwise it is all zeros. */
static bool page_is_recorded(struct tt_bytes page)
{
    for (uint64_t i = 8; i < page.size; i++) {
        if (page.data[i] != 0) {
            return true;
        }
    }
    return false;
}

static bool read_qtime(struct kev_header *header, struct tt_reader page,
                       const struct syspage_layout *layout)
{
    tt_read_seek(&page, layout->qtime);
    uint32_t offset = tt_read_u16(&page);
    uint32_t size = tt_read_u16(&page);
    struct tt_reader qtime =
        tt_reader_of(tt_bytes_slice(page.bytes, offset, size), page.big_endian);
    uint64_t cycles = tt_read_u64(&qtime);
    tt_read_seek(&qtime, layout->boot_time);
    uint32_t boot_time = tt_read_u32(&qtime);
    if (qtime.failed) {
        return true;
    }
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, cycles);
    bool added = kev_header_add_fact(header, "cycles a second", text);
    if (header->cycles_per_sec == 0) {
        header->cycles_per_sec = cycles;
    }
    if (boot_time != 0) {
        header->c->has_wall_clock = true;
        header->c->wall_clock = boot_time;
    }
    tt_read_seek(&qtime, layout->intr);
    uint32_t intr = tt_read_u32(&qtime);
    tt_read_seek(&qtime, layout->flags);
    uint32_t flags = tt_read_u32(&qtime);
    if (!qtime.failed) {
        header->d->clock_vector = intr;
        header->d->global_clock = (flags & QTIME_GLOBAL_CLOCK) != 0;
        added = added && kev_header_add_fact(header, "clocks of the CPUs agree",
                                             header->d->global_clock ? "yes" : "no");
    }
    return added;
}

static struct tt_status read_syspage(struct kev_header *header, uint32_t *type)
{
    struct tt_bytes bytes =
        tt_bytes_slice(header->c->bytes, header->syspage, header->syspage_length);
    struct tt_reader page = tt_reader_of(bytes, header->d->big);
    tt_read_seek(&page, 2);
    uint32_t total_size = tt_read_u16(&page);
    *type = tt_read_u16(&page);
    uint32_t cpus = tt_read_u16(&page);
    if (page.failed) {
        *type = 0;
        return tt_ok();
    }
    if (total_size != 0 && total_size != (header->syspage_length & 0xffff)) {
        note_value(header, header->syspage, "the system page records another size");
    }
    if (header->d->cpu_num == 0 && cpus >= 1 && cpus <= KEV_CPUS) {
        header->d->cpu_num = cpus;
    }
    if (!page_is_recorded(bytes)) {
        return tt_ok();
    }
    const char *name = syspage_type_name(*type);
    bool added = !name || kev_header_add_fact(header, "processor", name);
    bool is_8 = (*type & SYSPAGE_TYPE_8) != 0;
    added = added && read_qtime(header, page, is_8 ? &syspage_8 : &syspage_6_7);
    return added ? tt_ok() : tt_error_memory();
}

/* ---- byte order and release --------------------------------------------------------------- */

static struct tt_status find_byte_order(struct kev_header *header)
{
    if (header->middle) {
        return tt_error_at(TT_ERR_FORMAT, 0, "captures of middle-endian targets are not readable");
    }
    if (header->little != header->big) {
        header->d->big = header->big;
        return tt_ok();
    }

    /*
     * Handles a header with neither or both byte orders: the first slot of a capture is a CONTROL
     * event in the right order and usually not in the other.
     */
    uint64_t slots = header->syspage + header->syspage_length;
    if (slots < header->syspage || !tt_bytes_has(header->c->bytes, slots, KEV_SLOT)) {
        return tt_error_at(TT_ERR_FORMAT, 0,
                           "the header gives %s byte order (TRACE_LITTLE_ENDIAN, TRACE_BIG_ENDIAN)",
                           header->little ? "more than one" : "no");
    }
    const uint8_t *slot = header->c->bytes.data + slots;
    bool little = kev_class_of(kev_code(tt_load_u32(slot, false))) == KEV_CLASS_CONTROL;
    bool big = kev_class_of(kev_code(tt_load_u32(slot, true))) == KEV_CLASS_CONTROL;
    header->d->big = big;
    if (little == big) {
        return tt_error_at(TT_ERR_FORMAT, 0,
                           "the header gives %s byte order (TRACE_LITTLE_ENDIAN, TRACE_BIG_ENDIAN)",
                           header->little ? "more than one" : "no");
    }

    note_value(header, 0, "byte order inferred from the first event");
    return tt_ok();
}

void kev_header_end(struct kev_header *header)
{
    struct tt_capture *capture = header->c;
    capture->clock_hz = header->cycles_per_sec;
    capture->big_endian = header->d->big;
    if (capture->clock_hz == 0) {
        note_value(header, 0, "TRACE_CYCLES_PER_SEC missing: times are ticks");
    }
    if (!header->has_release) {
        snprintf(capture->title, sizeof capture->title, "QNX");
        return;
    }
    if (header->major >= 8) {
        header->d->release = KEV_8;
    } else if (header->major == 7) {
        header->d->release = KEV_7;
    } else {
        header->d->release = header->major == 6 && header->minor >= 6 ? KEV_6_6 : KEV_6_4;
    }
    snprintf(header->c->title, sizeof header->c->title, "QNX %s", header->c->version);
}

struct tt_status kev_header_read(struct tt_capture *capture, struct kev_decoder *decoder)
{
    struct kev_header h = {.c = capture, .d = decoder, .encoding_supported = true};
    struct tt_bytes head = tt_bytes_slice(capture->bytes, 0, BEGIN_REACH);
    uint64_t begin = 0;
    while (key_at(head, begin) != sizeof BEGIN_KEY - 1 ||
           memcmp(head.data + begin, BEGIN_KEY, sizeof BEGIN_KEY - 1) != 0) {
        begin++;
        if (begin >= head.size) {
            return tt_error_at(TT_ERR_NOT_CAPTURE, 0, "no TRACE_HEADER_BEGIN:: at the beginning");
        }
    }
    struct tt_status status = read_keys(&h, begin + sizeof BEGIN_KEY - 1);
    if (tt_failed(&status)) {
        return status;
    }
    if (!h.encoding_supported) {
        return tt_error_at(TT_ERR_FORMAT, 0, "TRACE_ENCODING is not \"16 byte events\"");
    }
    if (h.syspage_length > UINT64_MAX / 2) {
        return tt_error_at(TT_ERR_FORMAT, 0, "TRACE_SYSPAGE_LEN is out of range");
    }
    status = find_byte_order(&h);
    uint32_t syspage_type = 0;
    if (!tt_failed(&status)) {
        status = read_syspage(&h, &syspage_type);
    }
    if (tt_failed(&status)) {
        return status;
    }

    if (!h.has_release) {
        uint32_t machine = syspage_type & ~SYSPAGE_TYPE_8;
        bool is_64 = machine == SYSPAGE_TYPE_X86_64 || machine == SYSPAGE_TYPE_AARCH64;
        h.d->release = syspage_type & SYSPAGE_TYPE_8 ? KEV_8 : is_64 ? KEV_7 : KEV_6_4;
        note_value(&h, 0, "TRACE_SYS_RELEASE missing: release inferred from the system page");
    }

    kev_header_end(&h);
    decoder->slots = h.syspage + h.syspage_length;
    return tt_ok();
}

uint64_t kev_other_header(const struct tt_capture *capture, uint64_t pos, uint64_t limit)
{
    const uint64_t length = sizeof BEGIN_KEY - 1;
    const uint64_t from = pos >= KEV_SLOT ? pos - (KEV_SLOT - 1) : 0;
    /* It may begin in the word of the slot that has the class. */
    const uint64_t last = pos + sizeof(uint32_t) - 1;
    for (uint64_t at = from; at <= last && at + length <= limit; at++) {
        if (memcmp(capture->bytes.data + at, BEGIN_KEY, length) == 0) {
            return at;
        }
    }
    return UINT64_MAX;
}
