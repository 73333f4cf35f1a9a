// SPDX-License-Identifier: Apache-2.0
//
// fxt_records: Fuchsia trace records: providers with separate clocks and tables, string and thread
// references, arguments.
//
// A record is built word by word and is added to its provider's chunk when it is complete, after
// the definitions of strings and threads that it refers to. Full chunks are written to the file,
// each after a provider section record if there are several providers. A file of several providers
// is therefore not in time order, like real ones. Document: "Fuchsia trace format".

#ifndef TTSIM_FXT_RECORDS_H
#define TTSIM_FXT_RECORDS_H

#include "writer.h"

enum fxt_type {
    FXT_METADATA = 0,
    FXT_INITIALIZATION = 1,
    FXT_STRING = 2,
    FXT_THREAD = 3,
    FXT_EVENT = 4,
    FXT_BLOB = 5,
    FXT_USERSPACE = 6,
    FXT_KERNEL = 7,
    FXT_SCHEDULING = 8,
    FXT_LOG = 9,
    FXT_PROFILER = 10,
    FXT_LARGE = 15
};
enum fxt_event_type {
    FXT_INSTANT,
    FXT_COUNTER,
    FXT_BEGIN,
    FXT_FINISH,
    FXT_COMPLETE,
    FXT_ASYNC_BEGIN,
    FXT_ASYNC_INSTANT,
    FXT_ASYNC_END,
    FXT_FLOW_BEGIN,
    FXT_FLOW_STEP,
    FXT_FLOW_END
};
enum { FXT_PROVIDERS_MAX = 8, FXT_STRINGS = 512, FXT_THREADS = 256, FXT_TEXT_MAX = 64 };
enum { FXT_RECORD_WORDS = 6000, FXT_CHUNK = 65536 };

struct fxt_provider {
    uint32_t id;
    uint64_t ticks_per_second;
    uint8_t *chunk;
    uint32_t used;                    // bytes in the chunk
    uint32_t dropping;                // number of events that are still to be dropped
    uint64_t events;                  // received, kept or not
    char (*strings)[FXT_TEXT_MAX];    // by index; "" is free
    uint64_t threads[FXT_THREADS][2]; // process and thread by index
};

// The record under construction.
struct fxt_record {
    struct fxt_provider *provider;
    uint64_t words[FXT_RECORD_WORDS];
    bool is_stream[FXT_RECORD_WORDS]; // the word holds bytes of a text, in their own order
    uint32_t count;
    uint32_t arguments;
    uint32_t referred[32]; // table indexes that it refers to: strings, then threads from 0x8000 on
    uint32_t references;
};

struct fxt_file {
    struct sim_out *out;
    struct sim_counts *counts;
    bool big_endian, dry;
    uint64_t clock_hz;
    struct fxt_provider provider[FXT_PROVIDERS_MAX];
    uint32_t providers;
    uint32_t section;   // index + 1 of the provider whose section the file is in, 0: none
    struct sim_rng rng; // decides which references are written inline
    struct fxt_record record;
};

bool fxt_file_open(struct fxt_file *file, const struct sim_write_config *config,
                   struct sim_out *out, struct sim_counts *counts);
void fxt_file_close(struct fxt_file *file);
void fxt_file_flush(struct fxt_file *file);

// Begin, fill and end a record. The end sets the size in the header.
void fxt_begin(struct fxt_file *file, struct fxt_provider *provider, enum fxt_type type);
void fxt_word(struct fxt_file *file, uint64_t word);
void fxt_bits(struct fxt_file *file, uint32_t shift, uint64_t bits); // into the header
void fxt_stream(struct fxt_file *file, const char *bytes, size_t length);
void fxt_end(struct fxt_file *file);

// Converts the run's time to the provider's ticks, rounded down.
uint64_t fxt_ticks(const struct fxt_file *file, const struct fxt_provider *provider, uint64_t time);

// Returns a reference to a text: an index, defined if necessary, or an inline reference, whose stream
// must follow at its place: fxt_string_tail writes it if needed.
uint32_t fxt_string(struct fxt_file *file, const char *text);
uint32_t fxt_string_inline(const char *text);
void fxt_string_tail(struct fxt_file *file, uint32_t reference, const char *text);

// Returns a reference to a thread: 0 is inline, fxt_thread_tail writes its two words.
uint32_t fxt_thread(struct fxt_file *file, uint64_t process, uint64_t thread);
void fxt_thread_tail(struct fxt_file *file, uint32_t reference, uint64_t process, uint64_t thread);

// Arguments come after all words but the last word of the event type. fxt_arguments sets their number
// in the header at `shift`.
void fxt_arg_null(struct fxt_file *file, const char *name);
void fxt_arg_int32(struct fxt_file *file, const char *name, int32_t value);
void fxt_arg_uint32(struct fxt_file *file, const char *name, uint32_t value);
void fxt_arg_int64(struct fxt_file *file, const char *name, int64_t value);
void fxt_arg_uint64(struct fxt_file *file, const char *name, uint64_t value);
void fxt_arg_double(struct fxt_file *file, const char *name, double value);
void fxt_arg_string(struct fxt_file *file, const char *name, const char *text);
void fxt_arg_pointer(struct fxt_file *file, const char *name, uint64_t value);
void fxt_arg_koid(struct fxt_file *file, const char *name, uint64_t value);
void fxt_arg_bool(struct fxt_file *file, const char *name, bool value);
void fxt_arg_blob(struct fxt_file *file, const char *name, const char *bytes, uint32_t length);
void fxt_arguments(struct fxt_file *file, uint32_t shift);

#endif
