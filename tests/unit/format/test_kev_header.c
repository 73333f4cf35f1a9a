/* SPDX-License-Identifier: Apache-2.0 */
/* The text header, the system page, and headers that are not as they should be. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_internal.h"
#include "kev_build.h"

#define TEXT(s) kev_build_text(&b, s)

static const struct kev_decoder *decoder(const struct kev_read *r)
{
    return r->capture->decoder;
}

static const char *fact(const struct kev_read *r, const char *section, const char *key)
{
    for (uint32_t i = 0; i < tt_facts_count(r->capture); i++) {
        const struct tt_fact *f = tt_facts_at(r->capture, i);
        if (strcmp(f->section, section) == 0 && strcmp(f->key, key) == 0) {
            return f->value;
        }
    }
    return NULL;
}

Test(kev_header, keys_in_any_order_and_unknown_ones_kept)
{
    struct kev_build b;
    kev_build_empty(&b, true);
    TEXT("TRACE_HEADER_BEGIN::TRACE_SYSPAGE_LEN::3TRACE_my-key::a b=c\nTRACE_X TRACE_Y:z"
         "TRACE_SYS_RELEASE::7.1.0TRACE_CPU_NUM::2TRACE_BIG_ENDIAN::TRUETRACE_NORMALIZEDN::1"
         "TRACE_CYCLES_PER_SEC::24000000TRACE_ENCODING::16 byte eventsTRACE_HEADER_END::xyz");
    kev_build_event(&b, 1, KB_THREAD, 1, 5, 2, 4099, 3);
    struct kev_read r = kev_read_all(&b);
    cr_assert_str_eq(fact(&r, "header", "my-key"), "a b=c\nTRACE_X TRACE_Y:z");
    cr_assert_str_eq(fact(&r, "header", "NORMALIZEDN"), "1");
    cr_assert_str_eq(fact(&r, "header", "CPU_NUM"), "2");
    cr_assert_null(fact(&r, "header", "HEADER_END"));
    cr_assert_eq(r.capture->clock_hz, 24000000);
    cr_assert_eq(r.capture->cpu_count, 2);
    cr_assert(r.capture->big_endian);
    cr_assert_str_eq(r.capture->title, "QNX 7.1.0");
    cr_assert_eq(r.event_count, 1);
    cr_assert_str_eq(kev_read_args(&r, 0), "pid=4099 tid=3");
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A key has at most 64 characters; a longer word is text of the value before it. */
Test(kev_header, keys_of_any_length)
{
    for (size_t length = 1; length <= 66; length++) {
        struct kev_build b;
        char key[67] = "";
        memset(key, 'K', length);
        kev_build_empty(&b, false);
        TEXT("TRACE_HEADER_BEGIN::TRACE_SYS_RELEASE::7.1.0TRACE_");
        TEXT(key);
        TEXT("::valueTRACE_LITTLE_ENDIAN::TRUETRACE_HEADER_END::");
        kev_build_event(&b, 1, KB_THREAD, 1, 5, 2, 4099, 3);
        struct kev_read r = kev_read_all(&b);
        const char *value = fact(&r, "header", key);
        cr_expect_eq(value != NULL, length <= 64, "%zu", length);
        cr_expect(!value || strcmp(value, "value") == 0, "%zu: %s", length, value);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

Test(kev_header, slots_at_any_alignment_in_both_byte_orders)
{
    for (unsigned length = 0; length < 17; length++) {
        for (int big = 0; big < 2; big++) {
            struct kev_build b;
            char key[64];
            kev_build_empty(&b, big);
            TEXT("TRACE_HEADER_BEGIN::");
            TEXT(big ? "TRACE_BIG_ENDIAN::TRUE" : "TRACE_LITTLE_ENDIAN::TRUE");
            snprintf(key, sizeof key, "TRACE_SYSPAGE_LEN::%u", length);
            TEXT(key);
            TEXT("TRACE_SYS_RELEASE::6.5.0TRACE_CYCLES_PER_SEC::1000TRACE_HEADER_END::");
            /* A system page may hold anything, line ends and zeros too. */
            kev_build_bytes(&b, "\n\0\n\0\n\0\n\0\n\0\n\0\n\0\n\0\n", length);
            kev_build_event(&b, 0, KB_USER, 5, 77, 2, 0x01020304, 0x05060708);
            struct kev_read r = kev_read_all(&b);
            cr_assert_eq(r.event_count, 1);
            cr_assert_eq(r.events[0].ticks, 77);
            cr_assert_str_eq(kev_read_args(&r, 0), "d0=0x01020304 d1=0x05060708");
            kev_read_free(&r);
            kev_build_free(&b);
        }
    }
}

static void put(uint8_t *page, bool big, size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        page[at + i] = (uint8_t)(value >> 8 * (big ? bytes - 1 - i : i));
    }
}

static struct kev_read read_page(struct kev_build *b, const uint8_t *page, const char *keys,
                                 bool big)
{
    kev_build_empty(b, big);
    kev_build_text(b, "TRACE_HEADER_BEGIN::");
    kev_build_text(b, big ? "TRACE_BIG_ENDIAN::TRUE" : "TRACE_LITTLE_ENDIAN::TRUE");
    kev_build_text(b, keys);
    kev_build_text(b, "TRACE_SYSPAGE_LEN::256TRACE_HEADER_END::");
    kev_build_bytes(b, page, 256);
    kev_build_slots_begin(b);
    kev_build_event(b, 0, KB_THREAD, 7, 1, 2, 1, 1);
    return kev_read_all(b);
}

Test(kev_header, system_page_of_7)
{
    for (int big = 0; big < 2; big++) {
        uint8_t page[256] = {0};
        put(page, big, 2, 256, 2);
        put(page, big, 4, 0x101, 2);
        put(page, big, 6, 3, 2);
        put(page, big, 32, 128, 2); /* qtime */
        put(page, big, 34, 72, 2);
        put(page, big, 128, 24000000, 8);
        put(page, big, 128 + 28, 1700000000, 4);
        put(page, big, 128 + 60, 8, 4);
        struct kev_build b;
        struct kev_read r = read_page(&b, page, "TRACE_SYS_RELEASE::7.1.0", big);
        cr_assert_eq(r.capture->clock_hz, 24000000, "the page has the rate if the keys have not");
        cr_assert_eq(r.capture->cpu_count, 3);
        cr_assert(r.capture->has_wall_clock);
        cr_assert_eq(r.capture->wall_clock, 1700000000);
        cr_assert(decoder(&r)->global_clock);
        cr_assert_str_eq(fact(&r, "system page", "processor"), "aarch64");
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

Test(kev_header, system_page_of_8_selects_the_release)
{
    uint8_t page[256] = {0};
    put(page, false, 2, 256, 2);
    put(page, false, 4, 0x1101, 2);
    put(page, false, 6, 1, 2);
    put(page, false, 20, 100, 2); /* qtime */
    put(page, false, 22, 80, 2);
    put(page, false, 100, 31250000, 8);
    put(page, false, 100 + 20, 1700000001, 4);
    put(page, false, 100 + 48, 8, 4);
    struct kev_build b;
    struct kev_read r = read_page(&b, page, "TRACE_CYCLES_PER_SEC::31250000", false);
    cr_assert_str_eq(kev_read_name(&r, 0), "THMQ_SEND");
    cr_assert_eq(r.capture->wall_clock, 1700000001);
    cr_assert(decoder(&r)->global_clock);
    cr_assert_geq(tt_health_count(r.capture, TT_HEALTH_HEADER), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* A page whose entries point nowhere gives nothing and breaks nothing. */
Test(kev_header, random_system_page)
{
    uint8_t page[256];
    memset(page, 0xff, sizeof page);
    struct kev_build b;
    struct kev_read r = read_page(&b, page, "TRACE_SYS_RELEASE::6.4.1", false);
    cr_assert_eq(r.event_count, 1);
    cr_assert_not(r.capture->has_wall_clock);
    cr_assert_eq(r.capture->clock_hz, 0);
    cr_assert_geq(tt_health_count(r.capture, TT_HEALTH_HEADER), 1);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_header, byte_order_inferred_from_the_first_event)
{
    for (int big = 0; big < 2; big++) {
        struct kev_build b;
        kev_build_empty(&b, big);
        TEXT("TRACE_HEADER_BEGIN::TRACE_SYS_RELEASE::6.4.1TRACE_HEADER_END::");
        kev_build_buffer(&b, 0, 1, 33, 2);
        kev_build_event(&b, 0, KB_THREAD, 1, 5, 2, 4099, 3);
        struct kev_read r = kev_read_all(&b);
        cr_assert_str_eq(kev_read_args(&r, 1), "pid=4099 tid=3");
        cr_assert_geq(tt_health_count(r.capture, TT_HEALTH_HEADER), 1);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

/* Texts of a big-endian file that was swapped word by word read as well as those of a target. */
Test(kev_header, texts_of_swapped_files)
{
    struct kev_build b;
    kev_build_begin(&b, "6.4.1", true);
    uint32_t words[16] = {0, 1};
    struct kev_build little = {.big = false};
    size_t count = 2 + kev_build_text_words(&little, "proc/boot/procnto-smp-instr", words + 2, 14);
    kev_build_words(&b, 0, KB_THREAD, 192, 1, words, count);
    count = kev_build_text_words(&little, "Hello world", words, 16);
    kev_build_words(&b, 0, KB_USER, 1, 2, words, count);
    struct kev_read r = kev_read_all(&b);
    cr_assert_str_eq(kev_read_args(&r, 0), "ppid=0 pid=1 name=\"proc/boot/procnto-smp-instr\"");
    cr_assert_str_eq(kev_read_args(&r, 1), "text=\"Hello world\"");
    kev_read_free(&r);
    kev_build_free(&b);

    kev_build_begin(&b, "6.4.1", true);
    kev_build_named(&b, 0, 192, 1, 0, 1, "proc/boot/procnto-smp-instr");
    r = kev_read_all(&b);
    cr_assert_str_eq(kev_read_args(&r, 0), "ppid=0 pid=1 name=\"proc/boot/procnto-smp-instr\"");
    kev_read_free(&r);
    kev_build_free(&b);
}

/* ---- unusable ----------------------------------------------------------------------------- */

static void check_refused(const char *text, enum tt_code code, const char *why)
{
    struct kev_build b;
    kev_build_empty(&b, false);
    TEXT(text);
    struct tt_status status = kev_read_status(&b);
    cr_assert_eq(status.code, code, "'%.40s': %d %s", text, status.code, status.text);
    cr_assert_not_null(strstr(status.text, why), "'%s'", status.text);
    cr_assert_null(strchr(status.text, '\n'));
    kev_build_free(&b);
}

Test(kev_header, unusable_headers_report_cause_and_offset)
{
    check_refused("", TT_ERR_NOT_CAPTURE, "empty");
    check_refused("words of a script\nTRACE_HEADER_END::\n", TT_ERR_NOT_CAPTURE, "");
    check_refused("TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::1", TT_ERR_FORMAT,
                  "TRACE_HEADER_END");
    check_refused("TRACE_HEADER_BEGIN::", TT_ERR_FORMAT, "TRACE_HEADER_END");
    check_refused("TRACE_HEADER_BEGIN::TRACE_CPU_NUM::1TRACE_HEADER_END::", TT_ERR_FORMAT,
                  "byte order");
    check_refused("TRACE_HEADER_BEGIN::TRACE_MIDDLE_ENDIAN::TRUETRACE_HEADER_END::", TT_ERR_FORMAT,
                  "middle");
    check_refused("TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_BIG_ENDIAN::TRUE"
                  "TRACE_HEADER_END::",
                  TT_ERR_FORMAT, "more than one byte order");
    check_refused("TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_ENCODING::20 byte events"
                  "TRACE_HEADER_END::",
                  TT_ERR_FORMAT, "ENCODING");
    check_refused("TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_SYSPAGE_LEN::"
                  "18400000000000000000TRACE_HEADER_END::",
                  TT_ERR_FORMAT, "SYSPAGE_LEN");
}

Test(kev_header, system_page_longer_than_the_file)
{
    struct kev_build b;
    kev_build_empty(&b, false);
    TEXT("TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_SYS_RELEASE::6.4.1"
         "TRACE_CYCLES_PER_SEC::1000TRACE_SYSPAGE_LEN::4096TRACE_HEADER_END::short");
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 0);
    cr_assert_str_eq(fact(&r, "header", "SYS_RELEASE"), "6.4.1");
    cr_assert(tt_health_damaged(r.capture));
    cr_assert_eq(tt_health_kept(r.capture), 1);
    cr_assert_eq(tt_health_at(r.capture, 0).kind, TT_HEALTH_TRUNCATED);
    cr_assert_eq(tt_health_at(r.capture, 0).offset, b.size);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_header, invalid_values_are_noted)
{
    struct kev_build b;
    kev_build_empty(&b, false);
    TEXT("TRACE_HEADER_BEGIN::TRACE_LITTLE_ENDIAN::TRUETRACE_CPU_NUM::900"
         "TRACE_CYCLES_PER_SEC::fastTRACE_SYS_RELEASE::\033[31m7.0\nTRACE_HEADER_END::");
    kev_build_event(&b, 0, KB_COMM, 2, 5, 2, 1, 2);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 1);
    cr_assert_eq(r.capture->clock_hz, 0);
    cr_assert_eq(r.capture->cpu_count, 1);
    cr_assert_geq(tt_health_count(r.capture, TT_HEALTH_HEADER), 2);
    cr_assert_not(tt_health_damaged(r.capture));
    for (const char *ch = r.capture->title; *ch; ch++) {
        cr_assert(*ch >= ' ' && *ch <= '~', "the title goes to the status line");
    }
    kev_read_free(&r);
    kev_build_free(&b);
}

/* ---- names from a file -------------------------------------------------------------------- */

/* On success the caller frees *b and *read; else there is nothing to free. */
static struct tt_status open_with_names(const char *names, struct kev_build *b,
                                        struct kev_read *read)
{
    char path[] = "/tmp/kev_names_XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    FILE *file = fdopen(fd, "w");
    cr_assert_not_null(file);
    fputs(names, file);
    fclose(file);
    kev_build_begin(b, "7.1.0", false);
    kev_build_event(b, 0, KB_USER, 111, 1, 2, 1, 2);
    kev_build_event(b, 0, KB_USER, 112, 2, 2, 1, 2);
    kev_build_event(b, 0, KB_INT, 1, 3, 2, 0x25, 0x1000);
    kev_build_event(b, 0, KB_INT, 2, 4, 2, 0x26, 0);
    struct tt_capture *c = NULL;
    struct tt_status status = tt_capture_new(tt_bytes_of(b->bytes, b->size), &c);
    cr_assert_eq(status.code, TT_OK);
    struct tt_capture_options options = {.names_path = path};
    status = tt_capture_open(c, "x.kev", &options);
    tt_capture_free(c);
    if (status.code == TT_OK) {
        *read = kev_read_bytes(b->bytes, b->size, path);
    } else {
        kev_build_free(b);
    }
    remove(path);
    return status;
}

Test(kev_names, user_events_and_vectors)
{
    struct kev_build b;
    struct kev_read r;
    struct tt_status status = open_with_names(
        "; ours\n[user]\n111 = frame begin\n[interrupt]\n0x25 = eth0\n7=x\n", &b, &r);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    cr_assert_str_eq(kev_read_name(&r, 0), "frame begin");
    cr_assert_str_eq(kev_read_name(&r, 1), "EVENT_112");
    cr_assert_str_eq(kev_read_args(&r, 2), "vector=0x00000025(eth0) IP=0x00001000");
    cr_assert_str_eq(kev_read_args(&r, 3), "vector=0x00000026 inkernel=0x00000000");
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_names, invalid_files_report_the_line)
{
    static const struct {
        const char *text;
        const char *why;
    } wrong[] = {{"[user]\n111 = a\nx = y\n", "line 3"},
                 {"[user]\n1024 = a\n", "line 2"},
                 {"[user]\n-1 = a\n", "line 2"},
                 {"[colours]\n1 = a\n", "line 2"},
                 {"[user]\nnothing here\n", "line 2"}};
    struct kev_build b;
    struct kev_read r;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct tt_status status = open_with_names(wrong[i].text, &b, &r);
        cr_assert_eq(status.code, TT_ERR_USAGE, "%zu", i);
        cr_assert_not_null(strstr(status.text, wrong[i].why), "%s", status.text);
    }
    kev_build_begin(&b, "7.1.0", false);
    struct tt_capture *c = NULL;
    struct tt_capture_options options = {.names_path = "/nowhere/names"};
    cr_assert_eq(tt_capture_new(tt_bytes_of(b.bytes, b.size), &c).code, TT_OK);
    struct tt_status status = tt_capture_open(c, "x.kev", &options);
    cr_assert_eq(status.code, TT_ERR_IO);
    cr_assert_not_null(strstr(status.text, "/nowhere/names"));
    tt_capture_free(c);
    kev_build_free(&b);
}
