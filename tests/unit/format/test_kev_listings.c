/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listings that QNX's own traceprinter printed, in the "System Analysis Toolkit User's Guide":
 * each is converted to a .kev and must print identically, header block included. The
 * guide's text was scanned, so what the scan did to it is put right first (the table below), and
 * runs of blanks are one blank.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kev_build.h"

#define GUIDE "../shared/seeds/004_eafc63ed1a2ad19b.txt"

/* Errors of the scan, and the printed text. */
static const struct correction {
    const char *scanned;
    const char *printed;
} corrections[] = {
    {"MSG_SENDRV", "MSG_SENDV"},        {"MSG_SENDDV", "MSG_SENDV"},
    {"MSG_SENDBV", "MSG_SENDV"},        {"MSG_SENDEV", "MSG_SENDV"},
    {"CONTROL: TIME", "CONTROL :TIME"}, {" -dl ", " -d1 "},
    {"TRACELLOGGER", "TRACELOGGER"},
};

/* Numbers for the names in the listings, from the public headers. Calls carry their own. */
static const struct event_number {
    const char *name;
    unsigned class_;
    unsigned event;
} event_numbers[] = {
    {"THDEAD", KB_THREAD, 0},         {"THRUNNING", KB_THREAD, 1},
    {"THREADY", KB_THREAD, 2},        {"THRECEIVE", KB_THREAD, 5},
    {"THREPLY", KB_THREAD, 6},        {"THWAITTHREAD", KB_THREAD, 8},
    {"THSIGWAITINFO", KB_THREAD, 11}, {"THCREATE", KB_THREAD, 24},
    {"THDESTROY", KB_THREAD, 25},     {"PROCCREATE_NAME", KB_THREAD, 192},
    {"PROCDESTROY", KB_THREAD, 128},  {"SND_MESSAGE", KB_COMM, 0},
    {"REC_MESSAGE", KB_COMM, 2},      {"REC_PULSE", KB_COMM, 3},
    {"SND_PULSE_EXE", KB_COMM, 4},    {"REPLY_MESSAGE", KB_COMM, 10},
};

#define LINES_MAX 512
#define LINE_MAX_ 256

struct listing {
    char name[64]; /* of the file that was printed */
    char lines[LINES_MAX][LINE_MAX_];
    size_t count;
    size_t events_from; /* first line after the header block */
};

/* ---- reading the guide -------------------------------------------------------------------- */

static void replace_all(char *line, const char *from, const char *to)
{
    char *at = strstr(line, from);
    while (at) {
        char rest[LINE_MAX_];
        snprintf(rest, sizeof rest, "%s", at + strlen(from));
        snprintf(at, (size_t)(line + LINE_MAX_ - at), "%s%s", to, rest);
        at = strstr(at + strlen(to), from);
    }
}

/* Blanks at the ends go, runs of them are one. */
static void normalise(char *line)
{
    char *to = line;
    bool blank = true; /* also: nothing written yet */
    for (const char *from = line; *from; from++) {
        if (isspace((unsigned char)*from)) {
            blank = true;
        } else {
            if (blank && to > line) {
                *to++ = ' ';
            }
            blank = false;
            *to++ = *from;
        }
    }
    *to = '\0';
}

static bool is_argument(const char *line)
{
    const char *colon = strchr(line, ':');
    if (!colon || colon == line || !colon[1] || colon[1] == ' ') {
        return false;
    }
    for (const char *ch = line; ch < colon; ch++) {
        if (!isalnum((unsigned char)*ch) && !strchr("_.->[]()", *ch)) {
            return false;
        }
    }
    return true;
}

/* Returns whether the arguments of an event are in the lines after it. */
static bool arguments_follow(const char *line)
{
    const char *at = strstr(line, "CPU:");
    const char *colon = at ? strchr(at + 4, ':') : NULL;
    return colon && !strchr(colon, ' ');
}

static void add_line(struct listing *l, const char *line)
{
    cr_assert_lt(l->count, LINES_MAX);
    snprintf(l->lines[l->count++], LINE_MAX_, "%s", line);
}

/* Adds a line of the guide that belongs to the listing; prose and code between are left out. */
static void take_line(struct listing *l, const char *line, bool *open_event)
{
    if (strncmp(line, "t:0x", 4) == 0) {
        if (l->events_from == 0) {
            l->events_from = l->count;
        }
        add_line(l, line);
        *open_event = arguments_follow(line);
    } else if (*open_event && is_argument(line)) {
        add_line(l, line);
    } else if (l->events_from == 0 &&
               (strncmp(line, "TRACE", 5) == 0 || strncmp(line, "-- ", 3) == 0)) {
        add_line(l, line);
        if (strncmp(line, "TRACE_FILE_NAME:: ", 18) == 0) {
            snprintf(l->name, sizeof l->name, "%.63s", line + 18);
        }
    } else if (*line && strncmp(line, "```", 3) != 0) {
        *open_event = false;
    }
}

/* Reads the n-th listing of the guide; returns false after the last one. */
static bool read_listing(FILE *guide, unsigned n, struct listing *l)
{
    char line[LINE_MAX_];
    bool inside = false;
    bool open_event = false;
    memset(l, 0, sizeof *l);
    rewind(guide);
    while (fgets(line, sizeof line, guide)) {
        for (size_t i = 0; i < sizeof corrections / sizeof corrections[0]; i++) {
            replace_all(line, corrections[i].scanned, corrections[i].printed);
        }
        normalise(line);
        if (strcmp(line, "TRACEPRINTER version 1.02") == 0) {
            if (inside) {
                return true;
            }
            inside = n-- == 0;
        }
        if (inside) {
            take_line(l, line, &open_event);
        }
    }
    return inside;
}

/* ---- putting it back into slots ----------------------------------------------------------- */

struct words {
    uint32_t v[64];
    size_t count;
};

static void add_word(struct words *w, uint32_t word)
{
    cr_assert_lt(w->count, 64);
    w->v[w->count++] = word;
}

/* "0x..." is hexadecimal, so is what is named as an address; the rest is signed decimal. */
static uint32_t number_of(const char *name, size_t name_length, const char *value)
{
    if (strncmp(value, "0x", 2) == 0) {
        return (uint32_t)strtoul(value, NULL, 16);
    }
    bool address = name_length > 2 && strncmp(name + name_length - 2, "_p", 2) == 0;
    return (uint32_t)strtoll(value, NULL, address ? 16 : 10);
}

/* name:value, name:"text" (0x... 0x...); returns the rest. */
static const char *add_argument(const struct kev_build *b, struct words *w, const char *text)
{
    const char *colon = strchr(text, ':');
    cr_assert_not_null(colon, "no argument in '%s'", text);
    size_t length = (size_t)(colon - text);
    const char *value = colon + 1;
    if (strncmp(text, "name:", 5) == 0) {
        w->count += kev_build_text_words(b, value, w->v + w->count, 64 - w->count);
        return value + strlen(value);
    }
    if (*value == '"') {
        value = strchr(value, '(');
        cr_assert_not_null(value);
        char *end = NULL;
        for (value++; *value != ')'; value = end) {
            add_word(w, (uint32_t)strtoul(value, &end, 16));
            cr_assert(end > value);
        }
        value++;
    } else {
        add_word(w, number_of(text, length, value));
        value += strcspn(value, " ");
    }
    return *value == ' ' ? value + 1 : value;
}

static void add_arguments(const struct kev_build *b, struct words *w, const char *text)
{
    while (*text) {
        text = add_argument(b, w, text);
    }
}

/* Parses the line after "t:0x... CPU:00 ", with its arguments in `w`: class and event. */
static void event_of(const struct kev_build *b, const char *text, unsigned *class_, unsigned *event,
                     struct words *w)
{
    unsigned number = 0;
    uint32_t a = 0;
    uint32_t c = 0;
    char name[64];
    if (sscanf(text, "CONTROL: BUFFER sequence = %u, num_events = %u", &a, &c) == 2) {
        *class_ = KB_CONTROL, *event = 2;
        add_word(w, a), add_word(w, c);
    } else if (sscanf(text, "CONTROL :TIME msb:%x lsb(offset):%x", &a, &c) == 2) {
        *class_ = KB_CONTROL, *event = 1;
        add_word(w, a), add_word(w, c);
    } else if (sscanf(text, "KER_CALL:%*[A-Z_0-9]/%u", &number) == 1 ||
               sscanf(text, "KER_EXIT:%*[A-Z_0-9]/%u", &number) == 1) {
        *class_ = KB_CALL, *event = number + (text[4] == 'E' ? 128 : 0);
        const char *arguments = strchr(text, ' ');
        add_arguments(b, w, arguments ? arguments + 1 : "");
    } else if (sscanf(text, "INT_ENTR:%x (%*d) IP:%x", &a, &c) == 2) {
        *class_ = KB_INT, *event = 1;
        add_word(w, a), add_word(w, c);
    } else if (sscanf(text, "INT_EXIT:%x (%*d) inkernel:%x", &a, &c) == 2) {
        *class_ = KB_INT, *event = 2;
        add_word(w, a), add_word(w, c);
    } else if (sscanf(text, "INT_HANDLER_ENTR:%x (%*d) PID:%u", &a, &c) == 2) {
        *class_ = KB_INT, *event = 3;
        add_word(w, c), add_word(w, a);
        add_arguments(b, w, strstr(text, "IP:0x"));
    } else if (sscanf(text, "INT_HANDLER_EXIT:%x (%*d) SIGEVENT:%60s", &a, name) == 2) {
        cr_assert_str_eq(name, "NONE");
        *class_ = KB_INT, *event = 4;
        add_word(w, a);
        for (int i = 0; i < 4; i++) {
            add_word(w, 0);
        }
    } else if (sscanf(text, "USREVENT:EVENT:%u, d0:%x d1:%x", &number, &a, &c) == 3) {
        *class_ = KB_USER, *event = number;
        add_word(w, a), add_word(w, c);
    } else if (sscanf(text, "USREVENT:EVENT:%u STR:\"%60[^\"]\"", &number, name) == 2) {
        *class_ = KB_USER, *event = number;
        w->count = kev_build_text_words(b, name, w->v, 64);
    } else {
        cr_assert_eq(sscanf(text, "%*[A-Z] :%60[A-Z_]", name), 1, "'%s'", text);
        for (size_t i = 0;; i++) {
            cr_assert_lt(i, sizeof event_numbers / sizeof event_numbers[0], "%s", name);
            if (strcmp(event_numbers[i].name, name) == 0) {
                *class_ = event_numbers[i].class_, *event = event_numbers[i].event;
                break;
            }
        }
        const char *arguments = strchr(strchr(text, ':'), ' ');
        add_arguments(b, w, arguments ? arguments + 1 : "");
    }
}

static void rebuild_header(struct kev_build *b, const struct listing *l)
{
    unsigned syspage = 0;
    kev_build_text(b, "TRACE_HEADER_BEGIN::");
    for (size_t i = 0; i < l->events_from; i++) {
        const char *separator = strstr(l->lines[i], ":: ");
        if (strncmp(l->lines[i], "TRACE_", 6) == 0 && separator) {
            kev_build_bytes(b, l->lines[i], (size_t)(separator - l->lines[i]) + 2);
            kev_build_text(b, separator + 3);
            sscanf(l->lines[i], "TRACE_SYSPAGE_LEN:: %u", &syspage);
        }
    }
    kev_build_text(b, "TRACE_HEADER_END::");
    cr_assert(syspage >= 8);
    uint8_t *page = calloc(1, syspage);
    cr_assert_not_null(page);
    page[2] = (uint8_t)syspage; /* total size, CPUs; the rest is not in a listing */
    page[3] = (uint8_t)(syspage >> 8);
    page[6] = 1;
    kev_build_bytes(b, page, syspage);
    free(page);
    kev_build_slots_begin(b);
}

static void rebuild(struct kev_build *b, const struct listing *l)
{
    kev_build_empty(b, false);
    rebuild_header(b, l);
    for (size_t i = l->events_from; i < l->count;) {
        unsigned stamp = 0;
        unsigned cpu = 0;
        int used = 0;
        unsigned class_ = 0;
        unsigned event = 0;
        struct words w = {.count = 0};
        cr_assert_eq(sscanf(l->lines[i], "t:%x CPU:%u %n", &stamp, &cpu, &used), 2);
        event_of(b, l->lines[i++] + used, &class_, &event, &w);
        while (i < l->count && strncmp(l->lines[i], "t:0x", 4) != 0) {
            add_arguments(b, &w, l->lines[i++]);
        }
        kev_build_words(b, cpu, class_, event, stamp, w.v, w.count);
    }
}

/* ---- the comparison ----------------------------------------------------------------------- */

static void compare(const struct listing *l, char *printed)
{
    size_t n = 0;
    for (char *line = strtok(printed, "\n"); line; line = strtok(NULL, "\n")) {
        char text[LINE_MAX_];
        snprintf(text, sizeof text, "%s", line);
        normalise(text);
        cr_assert_lt(n, l->count, "%s: more lines than the listing: '%s'", l->name, text);
        cr_assert_str_eq(text, l->lines[n], "%s: line %zu: printed '%s', listed '%s'", l->name,
                         n + 1, text, l->lines[n]);
        n++;
    }
    cr_assert_eq(n, l->count, "%s: %zu lines of %zu", l->name, n, l->count);
}

Test(kev_listings, listings_round_trip)
{
    static const char *const names[] = {
        "all_classes.kev",  "one_class.kev", "five_events.kev",     "ker_calls.all.kev",
        "ker_calls.14.kev", "eh_simple.kev", "usr_event_simple.kev"};
    static struct listing listing;
    FILE *guide = fopen(GUIDE, "r");
    if (!guide) {
        cr_skip_test("the guide with the listings is not there: " GUIDE);
    }
    unsigned seen[sizeof names / sizeof names[0]] = {0};
    unsigned listings = 0;
    for (; read_listing(guide, listings, &listing); listings++) {
        struct kev_build b;
        rebuild(&b, &listing);
        struct kev_read r = kev_read_all(&b);
        char *printed = kev_read_style(&r, "traceprinter");
        compare(&listing, printed);
        cr_assert_not(tt_health_damaged(r.capture), "%s", listing.name);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            seen[i] += strcmp(names[i], listing.name) == 0;
        }
        cr_assert_gt(listing.count - listing.events_from, 15, "%s: too few lines", listing.name);
        free(printed);
        kev_read_free(&r);
        kev_build_free(&b);
    }
    fclose(guide);
    cr_assert_eq(listings, 8, "%u listings", listings);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cr_assert_geq(seen[i], 1, "%s was not there", names[i]);
    }
}
