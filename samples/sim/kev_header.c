// SPDX-License-Identifier: Apache-2.0
//
// kev_header: see kev_header.h. All dates are fixed: the same seed gives the same bytes.
//
// The system page is minimal: its head, an entry for the clock (qtime) and one for the typed strings,
// and these two sections.

#include "kev_header.h"

#include <string.h>

enum { PAGE_SIZE = 256, QTIME_AT = 112, STRINGS_AT = 192 };
enum { BOOT_TIME = 1762160400 }; // 2025-11-03 09:00:00 UTC
enum { GLOBAL_CLOCKCYCLES = 8 };

struct page {
    uint8_t bytes[PAGE_SIZE];
    bool big_endian;
};

static void set(struct page *page, uint32_t at, uint32_t size, uint64_t value)
{
    for (uint32_t i = 0; i < size; i++) {
        uint32_t shift = 8 * (page->big_endian ? size - 1 - i : i);
        page->bytes[at + i] = (uint8_t)(value >> shift);
    }
}

static void section(struct page *page, uint32_t entry, uint32_t at, uint32_t size)
{
    set(page, entry, 2, at);
    set(page, entry + 2, 2, size);
}

static void typed_string(struct page *page, uint32_t *at, uint32_t type, const char *text)
{
    set(page, *at, 4, type);
    memcpy(page->bytes + *at + 4, text, strlen(text));
    *at += 4 + ((uint32_t)strlen(text) / 4 + 1) * 4;
}

static void make_page(const struct sim_write_config *config, struct page *page)
{
    const struct sim_config *run = config->run;
    bool v8 = run->model == SIM_QNX80;
    memset(page, 0, sizeof *page);
    page->big_endian = config->big_endian;
    set(page, 0, 2, v8 ? 40 : 68);
    set(page, 2, 2, PAGE_SIZE);
    uint32_t type = run->model == SIM_QNX64 ? 0 : 0x101;
    set(page, 4, 2, v8 ? 0x1101 : config->big_endian ? 1 : type);
    set(page, 6, 2, run->cpus);
    if (v8)
        set(page, 12, 2, 2);
    section(page, v8 ? 20 : 32, QTIME_AT, v8 ? 80 : 64);
    section(page, v8 ? 28 : 44, STRINGS_AT, 28);
    set(page, QTIME_AT, 8, run->clock_hz);
    set(page, QTIME_AT + (v8 ? 16 : 24), 4, 1000000);
    set(page, QTIME_AT + (v8 ? 20 : 28), 4, BOOT_TIME);
    set(page, QTIME_AT + (v8 ? 48 : 60), 4, run->model == SIM_QNX64 ? 0 : GLOBAL_CLOCKCYCLES);
    uint32_t at = STRINGS_AT;
    typed_string(page, &at, 1, "simulated");
    typed_string(page, &at, 5, "ttsim");
}

static void key(struct sim_out *out, const char *name, const char *value)
{
    sim_out_put(out, "TRACE_", 6);
    sim_out_put(out, name, strlen(name));
    sim_out_put(out, "::", 2);
    sim_out_put(out, value, strlen(value));
}

static void key_number(struct sim_out *out, const char *name, uint64_t value)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    key(out, name, digits + at);
}

void kev_header_write(const struct sim_write_config *config, struct sim_out *out)
{
    static const char *const releases[] = {"6.4.1", "7.1.0", "8.0.0"};
    const struct sim_config *run = config->run;
    bool v64 = run->model == SIM_QNX64;
    struct page page;
    make_page(config, &page);
    key(out, "HEADER_BEGIN", "");
    key(out, "FILE_NAME", "/dev/shmem/tracebuffer.kev");
    key(out, "DATE", "Mon Nov  3 10:15:00 2025");
    key(out, "VER_MAJOR", "1");
    key(out, "VER_MINOR", "01");
    key(out, config->big_endian ? "BIG_ENDIAN" : "LITTLE_ENDIAN", "TRUE");
    key(out, "ENCODING", "16 byte events");
    key(out, "BOOT_DATE", "Mon Nov  3 09:00:00 2025");
    key_number(out, "CYCLES_PER_SEC", run->clock_hz);
    key_number(out, "CPU_NUM", run->cpus);
    key(out, "SYSNAME", "QNX");
    key(out, "NODENAME", "ttsim");
    key(out, "SYS_RELEASE", releases[run->model]);
    key(out, "SYS_VERSION", "2025/01/02-03:04:05UTC");
    key(out, "MACHINE", config->big_endian ? "ppcbe" : v64 ? "x86pc" : "aarch64le");
    key_number(out, "SYSPAGE_LEN", PAGE_SIZE);
    // QNX's reader of 6.4 reads 99 bytes at a time, and loops if this key's value and the end of
    // the header do not fit: this value does fit.
    key(out, "TRACELOGGER_ARGS", "-d1");
    key(out, "HEADER_END", "");
    sim_out_put(out, page.bytes, sizeof page.bytes);
}
