/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_class: classes of fields, as metadata describe them: integers, texts, structures, arrays, variants.
 *
 * They are in the decoder's arena, and do not change after open: any thread may read them.
 */
#ifndef TRACETUI_FORMAT_CTF_CTF_CLASS_H
#define TRACETUI_FORMAT_CTF_CTF_CLASS_H

#include <stdbool.h>
#include <stdint.h>

enum ctf_kind {
    CTF_INTEGER, /* also an enumeration (labels), a boolean, a bit array */
    CTF_FLOAT,
    CTF_VARINT, /* LEB128 */
    CTF_STRING, /* up to its NUL */
    CTF_TEXT,   /* `length` bytes, up to a NUL in them */
    CTF_BLOB,   /* `length` bytes */
    CTF_STRUCT,
    CTF_ARRAY,   /* `length` times members[0] */
    CTF_VARIANT, /* one of the members; an optional field is a variant with one option */
};

enum ctf_order { CTF_NATIVE, CTF_LITTLE, CTF_BIG };

/* Meanings of numbers in packets and in headers of events. */
enum ctf_role {
    CTF_ROLE_NONE,
    CTF_ROLE_MAGIC,
    CTF_ROLE_UUID,
    CTF_ROLE_STREAM_ID,
    CTF_ROLE_INSTANCE,
    CTF_ROLE_BEGIN,
    CTF_ROLE_END,
    CTF_ROLE_CONTENT,
    CTF_ROLE_SIZE,
    CTF_ROLE_DISCARDED,
    CTF_ROLE_SEQUENCE,
    CTF_ROLE_CPU,
    CTF_ROLE_ID,
    CTF_ROLE_TIME,
    CTF_ROLES,
};

/* A label of an enumeration, or a range of values that selects an option. */
struct ctf_label {
    const char *text;
    uint64_t low; /* of a signed number: its 64 bits */
    uint64_t high;
    struct ctf_label *next;
};

struct ctf_class;

struct ctf_member {
    const char *name; /* without the underscore that protects it */
    struct ctf_class *type;
    struct ctf_label *ranges; /* of an option: the values of the selector */
    bool any;                 /* of an option: selected by any value but 0 (an optional field) */
    struct ctf_member *next;
};

/* Another field that a class depends on: its length, or its selector. */
struct ctf_path {
    const char *name; /* "trace.packet.header", or a part; NULL: the parent (CTF 2) */
    struct ctf_path *next;
};

struct ctf_class {
    uint8_t kind;  /* enum ctf_kind */
    uint8_t order; /* enum ctf_order, until it is bound */
    uint8_t bits;  /* of a number */
    uint8_t base;  /* 2, 8, 10 or 16 */
    uint8_t role;  /* enum ctf_role */
    bool big;      /* once it is bound */
    bool is_signed;
    bool is_text;        /* an integer that is a character */
    bool is_enumeration; /* it may have no labels */
    bool is_clock;       /* its values are those of the clock */
    bool has_path;
    bool reversed;  /* bits last to first */
    bool is_simple; /* 8, 16, 32 or 64 bits that are not reversed, once it is bound */
    uint16_t save;  /* register + 1 that receives its value; 0: none */
    uint16_t from;  /* register + 1 with its length or its selector; 0: none */
    uint32_t align;
    uint32_t member_count;
    uint64_t length;
    uint64_t
        fixed; /* bits from its aligned begin; CTF_NONE: they depend on values or on the position */
    struct ctf_label *labels;
    struct ctf_member *members;
    struct ctf_path *path;
    bool selector_is_signed;
};

#endif
