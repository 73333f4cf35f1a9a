/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metadata of CTF, sound and hostile: what is refused and why, limits, and the arguments that a stream has by them:
 * alignments, bit fields of both byte orders, sequences, variants, references. Packets: sizes that contradict, losses, rings.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/ctf/ctf_internal.h"

/* A trace in a temporary directory. */
struct folder {
    char path[40];
    struct tt_map *map;
    struct tt_capture *capture;
    struct tt_status status;
};

static void write_part(const struct folder *f, const char *name, const void *bytes, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

/* Opens what was written to the directory. */
static void open_parts(struct folder *f, bool follow)
{
    const struct tt_map_options options = {.folders = true, .follow = follow};
    struct tt_status status = tt_map_open(f->path, &options, &f->map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_capture_new(tt_map_bytes(f->map), &f->capture);
    cr_assert(!tt_failed(&status));
    f->capture->files = f->map;
    f->status = tt_capture_open(f->capture, f->path, NULL);
}

static void make_folder(struct folder *f)
{
    *f = (struct folder){.path = "/tmp/tracetui-ctf-XXXXXX"};
    cr_assert_not_null(mkdtemp(f->path));
}

static void open_folder(struct folder *f, const char *metadata, const void *stream, size_t size)
{
    make_folder(f);
    write_part(f, "metadata", metadata, strlen(metadata));
    write_part(f, "stream", stream, size);
    open_parts(f, false);
}

static void close_folder(struct folder *f)
{
    char command[80];
    tt_capture_free(f->capture);
    tt_map_close(f->map);
    snprintf(command, sizeof command, "%s/metadata", f->path);
    unlink(command);
    snprintf(command, sizeof command, "%s/stream", f->path);
    unlink(command);
    if (rmdir(f->path) != 0) {
        snprintf(command, sizeof command, "rm -r %s", f->path);
        cr_assert_eq(system(command), 0);
    }
}

/* Writes the names, the times and the arguments of the next events, one a line. */
static const char *tell_next(struct folder *f, struct tt_cursor *cursor, bool final)
{
    static char text[8192];
    static struct tt_event events[64];
    static struct tt_args args;
    struct tt_text t = tt_text_of(text, sizeof text);
    struct tt_batch batch = {.events = events, .capacity = 64};
    f->capture->format->decode(cursor, tt_map_bytes(f->map).size, final, &batch);
    for (uint32_t i = 0; i < batch.count; i++) {
        tt_text_str(&t, tt_types_at(f->capture, events[i].type)->name);
        tt_text_char(&t, '@');
        tt_text_u64(&t, events[i].ticks);
        cr_assert(
            f->capture->format->describe(f->capture, &events[i], tt_map_bytes(f->map).size, &args));
        for (unsigned k = 0; k < args.count; k++) {
            const struct tt_arg *arg = &args.v[k];
            tt_text_char(&t, ' ');
            tt_text_bytes(&t, arg->name.data, arg->name.length);
            tt_text_char(&t, '=');
            if (arg->type == TT_ARG_STRING) {
                tt_text_bytes(&t, arg->value.s.data, arg->value.s.length);
            } else if (arg->type == TT_ARG_DOUBLE) {
                tt_text_double(&t, arg->value.d);
            } else {
                tt_text_i64(&t, arg->value.i);
            }
            if (arg->label.length > 0) {
                tt_text_char(&t, '(');
                tt_text_bytes(&t, arg->label.data, arg->label.length);
                tt_text_char(&t, ')');
            }
        }
        tt_text_char(&t, '\n');
    }
    return tt_text_cstr(&t);
}

static const char *tell(struct folder *f)
{
    cr_assert(!tt_failed(&f->status), "%s", f->status.text);
    struct tt_cursor *cursor = f->capture->format->cursor_new(f->capture, true);
    const char *told = tell_next(f, cursor, true);
    tt_cursor_free(f->capture->format, cursor);
    return told;
}

#define HEAD        "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };\n"
#define BYTE        "integer { size = 8; }"
#define FIELD(text) HEAD "event { name = e; fields := struct { " text " }; };"

Test(ctf, metadata_that_are_refused)
{
    static const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {HEAD "event { name = ", "metadata end"},
        {HEAD "event { fields := struct { unknown x; }; };", "not declared"},
        {HEAD "event { fields := struct { integer { size = 65; } x; }; };", "1 to 64 bits"},
        {HEAD "event { fields := struct { integer { size = 8; align = 3; } x; }; };",
         "power of two"},
        {HEAD "event { fields := struct { floating_point { exp_dig = 5; mant_dig = 11; } x; }; };",
         "32 or 64"},
        {HEAD "event { fields := struct { " BYTE " x[nothing]; }; };", "no number before it"},
        {HEAD "event { fields := struct { " BYTE " x[y]; " BYTE " y; }; };", "no number before it"},
        {HEAD "event { fields := struct { variant { " BYTE " a; } v; }; };", "without a selector"},
        {HEAD "event { fields := struct { enum : struct { } { A } x; }; };", "integer type"},
        {HEAD "event { fields := " BYTE "; };", "no structure"},
        {HEAD "stream { id = 1; }; stream { id = 1; };", "one id"},
        {HEAD "event { name = \"open; };", "metadata"},
        {HEAD "/* no end", "metadata"},
        {"/* CTF 1.8 */ trace { major = 2; };", "version is not 1.8"},
        {"\x1e{\"type\":\"preamble\",\"version\":3}", "version is not 2"},
        {"\x1e{\"type\":\"preamble\",\"version\":2", "fragment 1"},
        {"\x1e{\"type\":\"preamble\",\"version\":2}\n\x1e{\"type\":\"event-record-class\","
         "\"payload-field-class\":\"a\"}",
         "alias"},
        {"\x1e{\"type\":\"event-record-class\",\"payload-field-class\":{\"type\":\"structure\","
         "\"member-classes\":"
         "[{\"name\":\"a\",\"field-class\":{\"type\":\"fixed-length-boolean\",\"length\":99}}]}}",
         "1 to 64 bits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct folder f;
        open_folder(&f, cases[i].text, "x", 1);
        cr_expect(tt_failed(&f.status), "%s", cases[i].text);
        cr_expect(strstr(f.status.text, cases[i].why), "%s: %s", cases[i].text, f.status.text);
        close_folder(&f);
    }
}

/* Classes within each other, more fields and events than any capture has. */
Test(ctf, limits)
{
    enum { SIZE = 4 << 20 };
    char *text = malloc(SIZE);
    struct folder f;
    struct tt_text t = tt_text_of(text, SIZE);
    tt_text_str(&t, HEAD "event { fields := ");
    for (unsigned i = 0; i < 1000; i++) {
        tt_text_str(&t, "struct { ");
    }
    open_folder(&f, tt_text_cstr(&t), "x", 1);
    cr_expect(strstr(f.status.text, "nested too deeply"), "%s", f.status.text);
    close_folder(&f);

    t = tt_text_of(text, SIZE); /* each has the one before twice: 2^20 fields and more */
    tt_text_str(&t, HEAD "typealias struct { " BYTE " a; " BYTE " b; } := t0;\n");
    for (unsigned i = 1; i < 22; i++) {
        char line[80];
        snprintf(line, sizeof line, "typealias struct { t%u a; t%u b; } := t%u;\n", i - 1, i - 1,
                 i);
        tt_text_str(&t, line);
    }
    tt_text_str(&t, "event { fields := struct { t21 x; }; };");
    open_folder(&f, tt_text_cstr(&t), "x", 1);
    cr_expect(strstr(f.status.text, "too many fields"), "%s", f.status.text);
    close_folder(&f);

    t = tt_text_of(text, SIZE);
    tt_text_str(&t, HEAD);
    for (unsigned i = 0; i < 65537; i++) {
        tt_text_str(&t, "event { };\n");
    }
    open_folder(&f, tt_text_cstr(&t), "x", 1);
    cr_expect(strstr(f.status.text, "too many events"), "%s", f.status.text);
    close_folder(&f);

    static const struct {
        const char *begin, *repeated, *end, *why; /* %u: its number */
        unsigned times;
    } cases[] = {
        {HEAD, "typealias integer { size = 8; } := n%u;\n", "", "too many names", 65537},
        {HEAD "event { fields := struct { ", "words%u ", "x; }; };", "too long", 1000},
        {HEAD "event { name = \"", "0123456789abcdef%u\" \"", "\"; };", "too long", 9000},
        {"\x1e{\"type\":\"preamble\",\"version\":2}\n",
         "\x1e{\"type\":\"event-record-class\",\"id\":%u}\n", "", "too many events", 65538},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        t = tt_text_of(text, SIZE);
        tt_text_str(&t, cases[i].begin);
        for (unsigned k = 0; k < cases[i].times; k++) {
            const char *number = strstr(cases[i].repeated, "%u");
            tt_text_bytes(&t, cases[i].repeated, (size_t)(number - cases[i].repeated));
            tt_text_u64(&t, k);
            tt_text_str(&t, number + 2);
        }
        tt_text_str(&t, cases[i].end);
        open_folder(&f, tt_text_cstr(&t), "x", 1);
        cr_expect(strstr(f.status.text, cases[i].why), "case %zu: %s", i, f.status.text);
        close_folder(&f);
    }
    free(text);
}

Test(ctf, fields)
{
    static const struct {
        const char *metadata;
        const char *stream;
        size_t size;
        const char *told;
    } cases[] = {
        {FIELD(BYTE " a; integer { size = 16; align = 16; } b;"), "\1\xff\2\0", 4, "e@0 a=1 b=2\n"},
        {FIELD("integer { size = 3; } a; integer { size = 13; signed = true; } b;"), "\xfd\xff", 2,
         "e@0 a=5 b=-1\n"},
        {"/* CTF 1.8 */ trace { byte_order = be; }; event { name = e; fields := struct { integer { "
         "size = 3; } a;"
         "integer { size = 13; } b; }; };",
         "\xa0\x07", 2, "e@0 a=5 b=7\n"},
        {FIELD("integer { size = 16; byte_order = be; } _a; string { encoding = UTF8; } s;"),
         "\0\1hi\0", 5, "e@0 a=1 s=hi\n"},
        {FIELD("integer { size = 8; encoding = ASCII; } t[4]; " BYTE " n[2][1];"), "ab\0x\1\2", 6,
         "e@0 t=ab n[0][0]=1 n[1][0]=2\n"},
        {FIELD(BYTE " _q_length; " BYTE " q[_q_length]; " BYTE " z;"), "\2\5\6\7", 4,
         "e@0 q_length=2 q[0]=5 q[1]=6 z=7\n"},
        {FIELD(BYTE " n; struct { integer { size = 32; align = 32; } x; } s[n]; " BYTE " z;"),
         "\0\0\0\0\7", 5, "e@0 n=0 s= z=7\n"},
        {FIELD("enum : " BYTE " { A, B = 4 ... 5, C } t; variant <t> { string A; struct { " BYTE
               " x; } _B; } v;"),
         "\5\x09", 2, "e@0 t=5(B) v.x=9\n"},
        {FIELD("enum : " BYTE " { A = 1, \"B C\" = 1 } t; floating_point { exp_dig = 8; mant_dig = "
               "24; align = 8; } f;"),
         "\1\0\0\xc0\x3f", 5, "e@0 t=1(A, B C) f=1.5\n"},
        {FIELD("struct { " BYTE " n; } a; " BYTE " b[a.n];"), "\1\3", 2, "e@0 a.n=1 b[0]=3\n"},
        {HEAD "clock { name = c; freq = 100; offset = 250; };\n"
              "stream { event.header := struct { integer { size = 8; map = clock.c.value; } "
              "timestamp; }; };\n"
              "event { name = e; };",
         "\5\3", 2, "e@55\ne@309\n"},
        {"\x1e{\"type\":\"preamble\",\"version\":2}\n\x1e{\"type\":\"event-record-class\",\"name\":"
         "\"e\","
         "\"payload-field-class\":{\"type\":\"structure\",\"member-classes\":["
         "{\"name\":\"a\",\"field-class\":{\"type\":\"variable-length-signed-integer\"}},"
         "{\"name\":\"b\",\"field-class\":{\"type\":\"dynamic-length-string\",\"length-field-"
         "location\":"
         "{\"path\":[\"a\"]}}}]}}\n",
         "\2hi", 3, "e@0 a=2 b=hi\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct folder f;
        open_folder(&f, cases[i].metadata, cases[i].stream, cases[i].size);
        const char *told = tell(&f);
        cr_expect_str_eq(told, cases[i].told, "%zu: %s%s", i, told, cases[i].metadata);
        cr_expect(!tt_health_damaged(f.capture), "%zu", i);
        close_folder(&f);
    }
}

#define PACKETS                                                                                    \
    "/* CTF 1.8 */ typealias " BYTE                                                                \
    " := u8; trace { byte_order = le; packet.header := struct { u8 magic_of_ours; }; };\n"         \
    "stream { packet.context := struct { u8 content_size; u8 packet_size; u8 events_discarded; "   \
    "u8 packet_seq_num; };\n"                                                                      \
    "event.header := struct { u8 id; }; };\n"                                                      \
    "event { id = 1; name = a; fields := struct { u8 n; u8 s[n]; }; }; event { id = 2; name = b; " \
    "};\n"

/* Events of packets that are read, and the report of the others. */
Test(ctf, packets)
{
    static const struct {
        const char *stream;
        size_t size;
        const char *told;
        unsigned kind;
        uint64_t value;
    } cases[] = {
        {"\0\x38\x40\0\0\2\2\xff"
         "\0\x30\x38\3\1\2\xff",
         15, "b@0\nb@0\nb@0\n", TT_HEALTH_LOST, 3},
        {"\0\x30\x30\0\0\2"
         "\0\x30\x30\0\5\2",
         12, "b@0\nb@0\n", TT_HEALTH_LOST, 4},
        {"\0\x40\x40\0\0\2\7\2", 8, "b@0\n", TT_HEALTH_UNKNOWN_EVENT, 7},
        {"\0\x40\x40\0\0\2\1\xff", 8, "b@0\n", TT_HEALTH_MALFORMED, 2},
        {"\0\x40\x38\0\0\2\2\2", 8, "", TT_HEALTH_NOT_READ, 8},
        {"\0\0\0\0\0\2", 6, "", TT_HEALTH_NOT_READ, 6},
        {"\0\x40\x50\0\0\2\2", 7, "b@0\nb@0\n", TT_HEALTH_TRUNCATED, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct folder f;
        open_folder(&f, PACKETS, cases[i].stream, cases[i].size);
        const char *told = tell(&f);
        cr_expect_str_eq(told, cases[i].told, "%zu: %s", i, told);
        uint32_t at = tt_health_next(f.capture, cases[i].kind, 0);
        cr_assert_neq(at, UINT32_MAX, "%zu", i);
        cr_expect_eq(tt_health_at(f.capture, at).value, cases[i].value, "%zu: %llu", i,
                     (unsigned long long)tt_health_at(f.capture, at).value);
        close_folder(&f);
    }
}

/* A sequence of 2^32 items ends at the end of its packet, without a walk over them. */
Test(ctf, long_sequence)
{
    struct folder f;
    open_folder(&f, FIELD("integer { size = 32; align = 8; } n; struct { string s; } x[n];"),
                "\xff\xff\xff\xff"
                "a\0b\0",
                8);
    cr_expect_str_eq(tell(&f), "");
    cr_expect_eq(tt_health_count(f.capture, TT_HEALTH_MALFORMED), 1);
    close_folder(&f);
    open_folder(&f, FIELD("integer { size = 32; align = 8; } n; struct { } x[n];"),
                "\xff\xff\xff\xff", 4);
    tell(&f);
    close_folder(&f);
}

/* The newest packet of a ring is anywhere; slots with the number 0 and without events were not used. */
Test(ctf, ring)
{
    struct folder f;
    open_folder(&f, PACKETS,
                "\0\x40\x48\0\3\1\1\3\0"
                "\0\x40\x48\0\1\1\1\1\0"
                "\0\x40\x48\0\2\1\1\2\0"
                "\0\x28\x48\0\0\0\0\0\0",
                36);
    const char *told = tell(&f);
    cr_expect_str_eq(told, "a@0 n=1 s[0]=1\na@0 n=1 s[0]=2\na@0 n=1 s[0]=3\n", "%s", told);
    close_folder(&f);
}

#define CLOCK(offset)                                                                              \
    HEAD "clock { name = c; freq = 1000; offset_s = " offset "; };\n"                              \
         "stream { event.header := struct { integer { size = 8; map = clock.c.value; } "           \
         "timestamp; }; };\n"                                                                      \
         "event { name = e; fields := struct { integer { size = 8; } x; }; };"

static void make_part(const struct folder *f, const char *name)
{
    char command[80];
    snprintf(command, sizeof command, "mkdir -p %s/%s", f->path, name);
    cr_assert_eq(system(command), 0);
}

/* Directories with metadata are one capture; one whose metadata cannot be read is left out. */
Test(ctf, session)
{
    struct folder f;
    make_folder(&f);
    make_part(&f, "a/b");
    make_part(&f, "c/index");
    make_part(&f, "d");
    write_part(&f, "a/b/metadata", CLOCK("11"), strlen(CLOCK("11")));
    write_part(&f, "a/b/stream", "\5\1", 2);
    write_part(&f, "c/metadata", CLOCK("10"), strlen(CLOCK("10")));
    write_part(&f, "c/stream", "\6\2\7\3", 4);
    write_part(&f, "c/index/stream.idx", "x", 1);
    write_part(&f, "d/metadata", "/* CTF 1.8 */ trace {", 21);
    write_part(&f, "d/stream", "x", 1);
    open_parts(&f, false);
    cr_expect_eq(f.capture->wall_clock, 10);
    const char *told = tell(&f);
    cr_expect_str_eq(told, "e@6 x=2\ne@7 x=3\ne@1005 x=1\n", "%s", told);
    cr_expect_eq(tt_health_count(f.capture, TT_HEALTH_NOT_READ), 1);
    close_folder(&f);
}

/* New bytes of a stream: without packets its next events, otherwise its next complete packets. */
Test(ctf, growth)
{
    static const struct {
        const char *metadata;
        const char *parts[3];
        size_t sizes[3];
        const char *told[3];
    } cases[] = {
        {CLOCK("0"), {"\5\1\6", "\2\7", "\3"}, {3, 2, 1}, {"e@5 x=1\n", "e@6 x=2\n", "e@7 x=3\n"}},
        {PACKETS, {"\0\x30\x30\0\0\2\0\x30", "\x30\0", "\1\2"}, {8, 2, 2}, {"b@0\n", "", "b@0\n"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct folder f;
        char path[64];
        make_folder(&f);
        write_part(&f, "metadata", cases[i].metadata, strlen(cases[i].metadata));
        write_part(&f, "stream", "", 0);
        open_parts(&f, true);
        cr_assert(!tt_failed(&f.status), "%s", f.status.text);
        struct tt_cursor *cursor = f.capture->format->cursor_new(f.capture, true);
        cr_expect_str_eq(tell_next(&f, cursor, false), "");
        snprintf(path, sizeof path, "%s/stream", f.path);
        for (unsigned k = 0; k < 3; k++) {
            FILE *file = fopen(path, "ab");
            cr_assert(file &&
                      fwrite(cases[i].parts[k], 1, cases[i].sizes[k], file) == cases[i].sizes[k]);
            fclose(file);
            bool grown = false;
            struct tt_status status = tt_map_grow(f.map, &grown);
            cr_assert(!tt_failed(&status) && grown);
            const char *told = tell_next(&f, cursor, false);
            cr_expect_str_eq(told, cases[i].told[k], "%zu.%u: %s", i, k, told);
        }
        cr_expect(!tt_health_damaged(f.capture), "%zu", i);
        tt_cursor_free(f.capture->format, cursor);
        close_folder(&f);
    }
}

/* A description that uses what the language has. */
static const char *const whole_language =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; base = hex; } := "
    "uint8_t;\n"
    "typealias integer { size = 64; align = 8; signed = 0; map = clock.c.value; } := stamp;\n"
    "typedef integer { size = 16; align = 8; signed = true; byte_order = be; } big;\n"
    "typealias floating_point { exp_dig = 8; mant_dig = 24; align = 8; byte_order = native; } := "
    "float;\n"
    "struct point { uint8_t x; uint8_t y; } align(16);\n"
    "enum kind : uint8_t { NONE, SOME = 3, MORE = 5 ... 7, \"the last\" = 9, };\n"
    "variant choice { uint8_t NONE; struct point SOME; string MORE; };\n"
    "trace { major = 1; minor = 8; uuid = \"0123abcd-0000-1111-2222-333344445555\"; byte_order = "
    "le;\n"
    " packet.header := struct { integer { size = 32; } magic; uint8_t uuid[16]; uint8_t stream_id; "
    "}; };\n"
    "env { hostname = \"a\\tb\\x41\\101\\\"\"; version = 0x1f; signed = -7; tracer_name = "
    "\"other\"; };\n"
    "clock { name = c; uuid = \"0123abcd-0000-1111-2222-333344445555\"; description = \"d\" \"e\"; "
    "freq = 1000; "
    "precision = 010; offset_s = -1; offset = 5; absolute = TRUE; };\n"
    "callsite { name = \"x\"; func = \"f\"; file = \"g\"; line = 3; };\n"
    "stream { id = 1; event.header := struct { enum : integer { size = 5; } { small = 0 ... 30, "
    "large = 31 } id;\n"
    "  variant <id> { struct { integer { size = 27; map = clock.c.value; } timestamp; } small;\n"
    "   struct { integer { size = 32; } id; stamp timestamp; } large; } v; } align(8);\n"
    " event.context := struct { uint8_t level; };\n"
    " packet.context := struct { stamp timestamp_begin; stamp timestamp_end; stamp content_size; "
    "stamp packet_size;\n"
    "  stamp events_discarded; uint8_t cpu_id; }; };\n"
    "event { name = \"e\"; id = 3; stream_id = 1; loglevel = 13; model.emf.uri = \"u\";\n"
    " context := struct { big c; };\n"
    " fields := struct { uint8_t _size; uint8_t list[_size]; uint8_t text[4]; struct point where;\n"
    "  enum kind _tag; variant choice <_tag> what; variant <_tag> { string NONE; float SOME; } "
    "other;\n"
    "  struct { string { encoding = ASCII; } inner; } nested[2]; enum : big { P, Q = -1 } bare; } "
    "align(8); };\n"
    "typealias integer { size = 32; } := unsigned int;\n"
    "typedef struct { unsigned int a; } never;\n";

/* The same for CTF 2, in single quotes. */
#define UINT(length, more)                                                                         \
    "{'type':'fixed-length-unsigned-integer','length':" #length                                    \
    ",'byte-order':'little-endian'" more "}"
static const char *const whole_json =
    "\x1e{'type':'preamble','version':2,'uuid':[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]}\n"
    "\x1e{'type':'field-class-alias','name':'byte','field-class':" UINT(
        8,
        ",'alignment':8") "}\n"
                          "\x1e{'type':'trace-class','name':'t','environment':{'hostname':'a','"
                          "version':-3},'packet-header-field-class':"
                          "{'type':'structure','minimum-alignment':8,'member-classes':["
                          "{'name':'magic','field-class':" UINT(
                              32,
                              ",'roles':['packet-magic-number']") "},"
                                                                  "{'name':'uuid','field-class':{'"
                                                                  "type':'static-length-blob','"
                                                                  "length':16,'roles':['metadata-"
                                                                  "stream-uuid']}}]}}\n"
                                                                  "\x1e{'type':'clock-class','name'"
                                                                  ":'c','frequency':1000,'"
                                                                  "description':'d','precision':3,"
                                                                  "'offset-from-origin':{'seconds':"
                                                                  "-1,'cycles':5},'origin':'unix-"
                                                                  "epoch'}\n"
                                                                  "\x1e{'type':'data-stream-class',"
                                                                  "'id':1,'default-clock-class-"
                                                                  "name':'c','event-record-header-"
                                                                  "field-class':"
                                                                  "{'type':'structure','member-"
                                                                  "classes':["
                                                                  "{'name':'id','field-class'"
                                                                  ":" UINT(
                                                                      8,
                                                                      ",'roles':['event-record-"
                                                                      "class-id']") "},"
                                                                                    "{'name':'time'"
                                                                                    ",'field-class'"
                                                                                    ":" UINT(
                                                                                        64,
                                                                                        ",'roles':["
                                                                                        "'default-"
                                                                                        "clock-"
                                                                                        "timestamp'"
                                                                                        "]") "}]},"
                                                                                             "'pack"
                                                                                             "et-"
                                                                                             "conte"
                                                                                             "xt-"
                                                                                             "field"
                                                                                             "-clas"
                                                                                             "s':{'"
                                                                                             "type'"
                                                                                             ":'"
                                                                                             "struc"
                                                                                             "ture'"
                                                                                             ",'"
                                                                                             "membe"
                                                                                             "r-"
                                                                                             "class"
                                                                                             "es':["
                                                                                             "{'"
                                                                                             "name'"
                                                                                             ":'"
                                                                                             "size'"
                                                                                             ",'"
                                                                                             "field"
                                                                                             "-clas"
                                                                                             "s'"
                                                                                             ":" UINT(
                                                                                                 32,
                                                                                                 ","
                                                                                                 "'"
                                                                                                 "r"
                                                                                                 "o"
                                                                                                 "l"
                                                                                                 "e"
                                                                                                 "s"
                                                                                                 "'"
                                                                                                 ":"
                                                                                                 "["
                                                                                                 "'"
                                                                                                 "p"
                                                                                                 "a"
                                                                                                 "c"
                                                                                                 "k"
                                                                                                 "e"
                                                                                                 "t"
                                                                                                 "-"
                                                                                                 "t"
                                                                                                 "o"
                                                                                                 "t"
                                                                                                 "a"
                                                                                                 "l"
                                                                                                 "-"
                                                                                                 "l"
                                                                                                 "e"
                                                                                                 "n"
                                                                                                 "g"
                                                                                                 "t"
                                                                                                 "h"
                                                                                                 "'"
                                                                                                 "]") "},"
                                                                                                      "{'name':'lost','field-class':" UINT(
                                                                                                          32,
                                                                                                          ",'roles':['discarded-event-record-counter-snapshot']") "}]}}\n"
                                                                                                                                                                  "\x1e{'type':'event-record-class','name':'e','id':3,'data-stream-class-id':1,'namespace':'n',"
                                                                                                                                                                  "'attributes':{'x':{'log-level':3}},'payload-field-class':{'type':'structure','member-classes':["
                                                                                                                                                                  "{'name':'n','field-class':'byte'},"
                                                                                                                                                                  "{'name':'s','field-class':{'type':'null-terminated-string','encoding':'utf-8'}},"
                                                                                                                                                                  "{'name':'a','field-class':{'type':'static-length-array','length':2,'element-field-class':'byte'}},"
                                                                                                                                                                  "{'name':'q','field-class':{'type':'dynamic-length-array','length-field-location':{'path':['n']},"
                                                                                                                                                                  "'element-field-class':{'type':'fixed-length-signed-integer','length':16,'byte-order':'big-endian',"
                                                                                                                                                                  "'preferred-display-base':16,'mappings':{'few':[[-1,3],[7,7]]}}}},"
                                                                                                                                                                  "{'name':'b','field-class':{'type':'dynamic-length-blob','length-field-location':{'path':['n']},'media-type':'m'}},"
                                                                                                                                                                  "{'name':'t','field-class':{'type':'dynamic-length-string','length-field-location':{'path':['n']}}},"
                                                                                                                                                                  "{'name':'u','field-class':{'type':'static-length-string','length':3}},"
                                                                                                                                                                  "{'name':'f','field-class':{'type':'fixed-length-floating-point-number','length':32,'byte-order':'little-endian'}},"
                                                                                                                                                                  "{'name':'o','field-class':{'type':'optional','selector-field-location':{'path':['n']},"
                                                                                                                                                                  "'selector-field-ranges':[[1,2]],'field-class':'byte'}},"
                                                                                                                                                                  "{'name':'v','field-class':{'type':'variant','selector-field-location':{'path':['n']},'options':["
                                                                                                                                                                  "{'name':'p','selector-field-ranges':[[0,3]],'field-class':'byte'},"
                                                                                                                                                                  "{'selector-field-ranges':[[4,255]],'field-class':{'type':'structure','member-classes':[]}}]}},"
                                                                                                                                                                  "{'name':'w','field-class':{'type':'variable-length-unsigned-integer'}},"
                                                                                                                                                                  "{'name':'z','field-class':{'type':'fixed-length-boolean','length':8,'byte-order':'little-endian'}},"
                                                                                                                                                                  "{'name':'m','field-class':{'type':'fixed-length-bit-array','length':8,'byte-order':'little-endian',"
                                                                                                                                                                  "'flags':{'x':[[0,1]]}}}]}}\n";

/* Opens a description in which the text from `from` to `to` is another. It is refused with a reason, or opens. */
static void open_changed(const char *whole, const char *from, const char *to, const char *other)
{
    char text[8192];
    struct folder f;
    int length = snprintf(text, sizeof text, other[0] ? "%.*s %s %s" : "%.*s%s%s",
                          (int)(from - whole), whole, other, to);
    cr_assert(length > 0 && (size_t)length < sizeof text);
    for (char *quote = text; whole == whole_json && (quote = strchr(quote, '\''));) {
        *quote = '"';
    }
    open_folder(&f, text, "\x01\x02\x03", 3);
    cr_expect(!tt_failed(&f.status) || f.status.text[0] != '\0', "%s", text);
    cr_expect(from < to || other[0] != '\0' || !tt_failed(&f.status), "%s", f.status.text);
    close_folder(&f);
}

/* Returns the end of a token: a word, a text in quotes, or one character. */
static const char *token_end(const char *from)
{
    const char *to = from;
    if (*from == '"' || *from == '\'') {
        for (to++; *to != *from;) {
            to += *to == '\\' ? 2 : 1;
        }
        return to + 1;
    }
    while (isalnum((unsigned char)*to) || *to == '_' || *to == '.') {
        to++;
    }
    return to > from ? to : from + 1;
}

/* Tries each `step`th change of a token to one of the others. */
static void change_tokens(const char *whole, const char *const *others, unsigned step)
{
    unsigned change = 0;
    open_changed(whole, whole, whole, "");
    for (const char *from = whole; *from; from = token_end(from)) {
        for (size_t i = 0; !isspace((unsigned char)*from) && others[i]; i++) {
            if (change++ % step == 0) {
                open_changed(whole, from, token_end(from), others[i]);
            }
        }
    }
}

static void change_descriptions(unsigned step)
{
    static const char *const tsdl[] = {"",       ";",   "{", "}", "7", "-99999999999999999999",
                                       "struct", "\"s", "<", NULL};
    static const char *const json[] = {"",       "null", "[]", "-7", "99999999999999999999",
                                       "'none'", "{}",   NULL};
    change_tokens(whole_language, tsdl, step);
    change_tokens(whole_json, json, step);
}

Test(ctf, some_tokens_of_a_description_lost_or_another)
{
    change_descriptions(3);
}

Test(ctf, every_token_of_a_description_lost_or_another)
{
    change_descriptions(1);
}

/* Ids far from each other, as of events that a tracer numbers by address. */
Test(ctf, ids_far_apart)
{
    static const char text[] =
        HEAD "stream { event.header := struct { integer { size = 32; } id; }; };\n"
             "event { id = 5; name = a; fields := struct { " BYTE " x; }; };\n"
             "event { id = 4000000000; name = b; fields := struct { " BYTE " x; }; };\n"
             "event { id = 70000; name = c; fields := struct { " BYTE " x; }; };\n";
    static const uint8_t stream[] = {5, 0, 0, 0, 1, 0x00, 0x28, 0x6b, 0xee, 2, 0x70, 0x11, 1, 0, 3};
    struct folder f;
    open_folder(&f, text, stream, sizeof stream);
    cr_expect_str_eq(tell(&f), "a@0 x=1\nb@0 x=2\nc@0 x=3\n");
    close_folder(&f);
}
