/* SPDX-License-Identifier: Apache-2.0 */
#include "format/btrace/btrace_damage.h"

#include "format/btrace/btrace_record_inline.h"

enum {
    CHAIN = 12,          /* records that agree after damage */
    LONG_CHAIN = 64,     /* the same if their time does not continue the one before */
    LEAST_CHAIN = 2,     /* the same up to the end of the file */
    AFTER_UNKNOWN = 3,   /* records after one of an unknown category */
    AHEAD = 64,          /* records that are searched for a CPU or a clock */
    RUNNING_AHEAD = 256, /* that are searched for a thread that may run on */
    AGREEING = 8,        /* of them, those that must agree if the time of a record does not */
};

/* A chain after damage continues a 64-bit count within this. */
#define CONTINUES (UINT64_C(1) << 40)
/* A step of time that is believed only if a record follows. */
#define LONG_STEP (UINT64_C(1) << 32)

/* ---- steps of time ---------------------------------------------------------------------- */

/* A step of time, forward and backward, modulo the width of the count. */
struct step {
    uint64_t ahead;
    uint64_t back;
};

static inline struct step step_to(const struct btrace_clock *clock, uint64_t from,
                                  const struct btrace_record *record)
{
    uint8_t has = clock->second_only ? BTRACE_HAS_TIMESTAMP2 : BTRACE_HAS_TIMESTAMP;
    if (!(record->flags & has)) {
        return (struct step){0};
    }
    if (clock->wide && (record->flags & BTRACE_HAS_TIMESTAMP2)) {
        uint64_t value = (uint64_t)record->timestamp2 << 32 | record->timestamp;
        uint64_t ticks = clock->down ? clock->base - value : value;
        return (struct step){ticks - from, from - ticks};
    }
    uint32_t value = clock->second_only ? record->timestamp2 : record->timestamp,
             before = (uint32_t)from;
    if (clock->down) {
        value = (clock->wide ? (uint32_t)clock->base : UINT32_MAX) - value;
    }
    return (struct step){(uint32_t)(value - before), (uint32_t)(before - value)};
}

static bool btrace_damage_is_near(const struct btrace_clock *clock, struct step step)
{
    return step.ahead < clock->step || step.back <= BTRACE_STEP_BACK;
}

/* Returns whether a step is one between records of which one is odd already. */
static bool is_close(const struct btrace_clock *clock, struct step step)
{
    return step.ahead < clock->far_step || step.back <= BTRACE_STEP_BACK;
}

static bool is_back(const struct btrace_clock *clock, struct step step)
{
    uint64_t half = clock->wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
    return step.ahead >= half;
}

static uint64_t btrace_damage_after(uint64_t ticks, struct step step)
{
    return step.ahead < step.back ? ticks + step.ahead : ticks - step.back;
}

/* ---- single records --------------------------------------------------------------------- */

static inline bool has_stream_flags(const struct btrace_judge *judge,
                                    const struct btrace_record *record)
{
    return (record->flags & BTRACE_STREAM_FLAGS) == judge->clock->stream_flags;
}

/* Returns whether a record has the stream's timestamps, and numbers that are known. */
static inline bool btrace_damage_is_usual(const struct btrace_judge *judge,
                                          const struct btrace_record *record)
{
    return has_stream_flags(judge, record) && btrace_record_is_plausible_inline(record);
}

/*
 * Checks a record of unknown category, or with other timestamps, but not both. It is accepted if three
 * more records follow, since newer kernels have more categories.
 */
static enum btrace_read check_unknown(const struct btrace_judge *judge,
                                      const struct btrace_record *record)
{
    struct btrace_record next = *record;
    if (!has_stream_flags(judge, record) && !btrace_record_is_plausible(record)) {
        return BTRACE_READ_BAD;
    }
    for (unsigned i = 0; i < AFTER_UNKNOWN; i++) {
        switch (btrace_record_read(judge->bytes, btrace_record_next(&next), &next)) {
        case BTRACE_READ_END:
        case BTRACE_READ_PARTIAL:
            return judge->final ? BTRACE_READ_OK : BTRACE_READ_PARTIAL;
        case BTRACE_READ_OK:
            break;
        default:
            return BTRACE_READ_BAD;
        }
        uint8_t flags = next.flags & BTRACE_STREAM_FLAGS;
        if (flags != judge->clock->stream_flags && flags != (record->flags & BTRACE_STREAM_FLAGS)) {
            return BTRACE_READ_BAD;
        }
    }
    return BTRACE_READ_OK;
}

/* Reads a record by its structure alone. */
static inline enum btrace_read read_structure(const struct btrace_judge *judge, uint64_t pos,
                                              struct btrace_record *record)
{
    enum btrace_read read = btrace_record_read_inline(judge->bytes, pos, record);
    if (read == BTRACE_READ_OK && !btrace_damage_is_usual(judge, record)) {
        read = check_unknown(judge, record);
    }
    if (read == BTRACE_READ_OK && !judge->final && btrace_record_next(record) > judge->bytes.size) {
        read = BTRACE_READ_PARTIAL; /* its padding is still missing */
    }
    return read;
}

/* Accepts a record that nothing contradicts up to the end of the bytes. */
static enum btrace_read believe(const struct btrace_judge *judge)
{
    if (!judge->final) {
        *judge->open = true;
    }
    return BTRACE_READ_OK;
}

static bool btrace_damage_ends(enum btrace_read read)
{
    return read == BTRACE_READ_END || read == BTRACE_READ_PARTIAL;
}

/* Judges a record of a CPU that was not seen: there is another one soon. */
static enum btrace_read judge_cpu(const struct btrace_judge *judge,
                                  const struct btrace_record *record)
{
    struct btrace_record next = *record;
    for (unsigned i = 0; i < AHEAD; i++) {
        enum btrace_read read = read_structure(judge, btrace_record_next(&next), &next);
        if (read == BTRACE_READ_BAD) {
            break;
        }
        if (read != BTRACE_READ_OK) {
            return believe(judge);
        }
        if (next.cpu == record->cpu) {
            return BTRACE_READ_OK;
        }
    }
    return BTRACE_READ_BAD;
}

/*
 * Judges a record with the time `ticks` whose successors are nearer to the time before: that is wrong,
 * unless others share it, as those of a core with its own clock do.
 */
static enum btrace_read judge_single(const struct btrace_judge *judge,
                                     const struct btrace_record *record, uint64_t ticks)
{
    struct btrace_record next = *record;
    uint64_t line = judge->ticks;
    unsigned agree = 0;
    enum btrace_read read = BTRACE_READ_OK;
    for (unsigned i = 0; i < AHEAD; i++) {
        read = read_structure(judge, btrace_record_next(&next), &next);
        if (read != BTRACE_READ_OK) {
            break;
        }
        struct step step = step_to(judge->clock, line, &next);
        if (!btrace_damage_is_near(judge->clock, step) &&
            btrace_damage_is_near(judge->clock, step_to(judge->clock, ticks, &next))) {
            return BTRACE_READ_OK;
        }
        if (is_close(judge->clock, step)) {
            line = btrace_damage_after(line, step);
            agree++;
        }
    }
    if (read == BTRACE_READ_BAD && agree < AGREEING) {
        return BTRACE_READ_BAD;
    }
    if (btrace_damage_ends(read) && !judge->final) {
        return BTRACE_READ_PARTIAL;
    }
    return agree >= AGREEING ? BTRACE_READ_BAD_TIME : BTRACE_READ_OK;
}

static bool is_of_thread(const struct btrace_record *record)
{
    return (record->flags & BTRACE_HAS_CONTEXT) && (record->context & 3u) == BTRACE_IN_THREAD;
}

static bool btrace_damage_is_switch(const struct btrace_record *record)
{
    return record->category == BTRACE_CPU_USAGE && record->sub == BTRACE_NEW_THREAD_CONTEXT;
}

uint32_t btrace_judge_named(const struct btrace_record *record)
{
    bool names = record->category == BTRACE_THREAD_IDENTIFICATION &&
                 record->sub != BTRACE_PROCESS_CREATE && record->sub != BTRACE_PROCESS_DESTROY &&
                 record->sub != BTRACE_PROCESS_NAME;
    return names && record->length >= 4 ? btrace_record_word(record, 0) : 0;
}

static bool mentions(const struct btrace_record *record, uint32_t nthread)
{
    return (is_of_thread(record) && record->context == nthread) ||
           btrace_judge_named(record) == nthread;
}

bool btrace_judge_thread(const struct btrace_judge *judge, const struct btrace_record *record,
                         uint32_t nthread, bool far, bool switches)
{
    struct btrace_record next = *record;
    bool first = switches; /* the next record of a thread on the CPU is the first one */
    bool odd = far;
    for (unsigned i = 0; i < AHEAD; i++) {
        enum btrace_read read = btrace_record_read(judge->bytes, btrace_record_next(&next), &next);
        if (btrace_damage_ends(read)) {
            return believe(judge) == BTRACE_READ_OK;
        }
        if (read != BTRACE_READ_OK) {
            break;
        }
        if (mentions(&next, nthread)) {
            return true;
        }
        if (first && next.cpu == record->cpu && is_of_thread(&next)) {
            first = false;
            odd |= !btrace_damage_is_switch(&next);
        }
    }
    return !odd;
}

/* Judges records that are all far from each other in time: they go forward. */
static enum btrace_read judge_pauses(const struct btrace_judge *judge,
                                     const struct btrace_record *record, uint64_t ticks)
{
    struct btrace_record next = *record;
    for (unsigned i = 0; i < AGREEING; i++) {
        enum btrace_read read = read_structure(judge, btrace_record_next(&next), &next);
        if (btrace_damage_ends(read)) {
            return believe(judge);
        }
        struct step step = step_to(judge->clock, ticks, &next);
        if (read != BTRACE_READ_OK ||
            (is_back(judge->clock, step) && !is_close(judge->clock, step))) {
            return BTRACE_READ_BAD;
        }
        ticks = btrace_damage_after(ticks, step);
    }
    return BTRACE_READ_OK;
}

/* Judges a record after which another one has its time: records follow. */
static enum btrace_read judge_followers(const struct btrace_judge *judge,
                                        const struct btrace_record *record)
{
    struct btrace_record next = *record;
    for (unsigned i = 0; i < AFTER_UNKNOWN; i++) {
        enum btrace_read read = read_structure(judge, btrace_record_next(&next), &next);
        if (read != BTRACE_READ_OK) {
            return btrace_damage_ends(read) ? believe(judge) : read;
        }
    }
    return BTRACE_READ_OK;
}

/* Judges a record whose time is far from that of the record before. */
static enum btrace_read judge_time(const struct btrace_judge *judge,
                                   const struct btrace_record *record)
{
    struct step step = step_to(judge->clock, judge->ticks, record);
    uint64_t ticks = judge->ticks + step.ahead; /* modulo the width of the count */
    struct btrace_record next;

    /* Reads the next usual record after `record`; if the next ones are not, one that is not. */
    enum btrace_read read = BTRACE_READ_OK;
    next = *record;
    for (unsigned i = 0; i < AGREEING && read == BTRACE_READ_OK; i++) {
        read = read_structure(judge, btrace_record_next(&next), &next);
        if (read == BTRACE_READ_OK && btrace_damage_is_usual(judge, &next)) {
            break;
        }
    }

    if (btrace_damage_ends(read)) {
        bool waits = !judge->final && (is_back(judge->clock, step) || step.ahead >= LONG_STEP);
        return waits ? BTRACE_READ_PARTIAL : believe(judge);
    }
    if (read != BTRACE_READ_OK) {
        return read;
    }
    if (btrace_damage_is_near(judge->clock, step_to(judge->clock, ticks, &next))) {
        return judge_followers(judge, &next);
    }
    struct step over = step_to(judge->clock, judge->ticks, &next);
    if (over.ahead < step.ahead || over.back <= BTRACE_STEP_BACK) {
        return judge_single(judge, record, ticks);
    }
    return judge_pauses(judge, record, ticks);
}

enum btrace_read btrace_judge_read(const struct btrace_judge *judge, uint64_t pos,
                                   struct btrace_record *record)
{
    enum btrace_read read = read_structure(judge, pos, record);
    if (read != BTRACE_READ_OK) {
        return read;
    }
    if (record->cpu >= judge->cpus) {
        read = judge_cpu(judge, record);
    }
    if (read == BTRACE_READ_OK && judge->started &&
        !btrace_damage_is_near(judge->clock, step_to(judge->clock, judge->ticks, record))) {
        read = judge_time(judge, record);
    }
    return read;
}

bool btrace_judge_next(const struct btrace_judge *judge, const struct btrace_record *record)
{
    struct btrace_record next;
    enum btrace_read read = btrace_record_read(judge->bytes, btrace_record_next(record), &next);
    if (read == BTRACE_READ_OK &&
        !(has_stream_flags(judge, &next) && btrace_record_is_known_inline(&next))) {
        read = check_unknown(judge, &next);
    }
    return btrace_damage_ends(read) ? believe(judge) == BTRACE_READ_OK : read == BTRACE_READ_OK;
}

/* ---- the place after damage ------------------------------------------------------------- */

enum chain { CHAIN_BROKEN, CHAIN_GOOD, CHAIN_TOO_SHORT };

/* Returns whether a chain may begin at a record as far as its time is concerned. */
static bool continues(const struct btrace_judge *judge, const struct btrace_record *record)
{
    struct step step = step_to(judge->clock, judge->ticks, record);
    return !judge->started || step.ahead < CONTINUES || step.back <= BTRACE_STEP_BACK;
}

/* Checks a chain of records; at the end of a file that does not grow, of fewer. */
static enum chain check_chain(const struct btrace_judge *judge, uint64_t pos)
{
    struct btrace_record r;
    uint64_t ticks = 0;
    unsigned wanted = CHAIN;
    for (unsigned i = 0; i < wanted; i++) {
        enum btrace_read read = btrace_record_read(judge->bytes, pos, &r);
        if (btrace_damage_ends(read)) {
            return judge->final && i >= LEAST_CHAIN ? CHAIN_GOOD : CHAIN_TOO_SHORT;
        }
        if (read != BTRACE_READ_OK || !btrace_damage_is_usual(judge, &r) || r.cpu >= judge->cpus) {
            return CHAIN_BROKEN;
        }
        struct step step = step_to(judge->clock, ticks, &r);
        if (i == 0) {
            wanted = continues(judge, &r) ? CHAIN : LONG_CHAIN;
        } else if (!is_close(judge->clock, step)) {
            return CHAIN_BROKEN;
        }
        ticks = i == 0 ? step.ahead : btrace_damage_after(ticks, step);
        pos = btrace_record_next(&r);
    }
    return CHAIN_GOOD;
}

bool btrace_judge_recover(const struct btrace_judge *judge, uint64_t *resume, uint64_t *found)
{
    for (; *resume < judge->bytes.size; (*resume)++) {
        enum chain chain = check_chain(judge, *resume);
        if (chain == CHAIN_GOOD) {
            *found = *resume;
            return true;
        }
        if (chain == CHAIN_TOO_SHORT && !judge->final) {
            return false; /* undecided without more bytes */
        }
    }
    return false;
}

/* ---- threads after damage --------------------------------------------------------------- */

/* Applies a record's context to the threads that are thought to run; `switched`: CPUs that switched. */
static void check_running(const struct btrace_record *record, uint32_t *threads, unsigned cpus,
                          uint64_t *switched)
{
    if (!is_of_thread(record)) {
        return;
    }
    bool switches = btrace_damage_is_switch(record);
    for (unsigned i = 0; i < cpus; i++) {
        bool same_cpu = i == record->cpu, same = threads[i] == record->context;
        if (!(*switched >> i & 1) && (same_cpu ? same == switches : same)) {
            threads[i] = 0;
        }
    }
    if (switches && record->cpu < cpus) {
        *switched |= UINT64_C(1) << record->cpu;
    }
}

bool btrace_judge_running(const struct btrace_judge *judge, uint64_t pos, uint32_t *threads,
                          unsigned cpus)
{
    struct btrace_record r;
    uint64_t switched = 0;
    for (unsigned i = 0; i < RUNNING_AHEAD; i++) {
        enum btrace_read read = btrace_record_read(judge->bytes, pos, &r);
        if (btrace_damage_ends(read)) {
            return judge->final;
        }
        if (read != BTRACE_READ_OK || !btrace_damage_is_usual(judge, &r)) {
            return true;
        }
        check_running(&r, threads, cpus, &switched);
        pos = btrace_record_next(&r);
    }
    return true;
}
