/* SPDX-License-Identifier: Apache-2.0 */
/* `at --cpu` with CPUs whose numbers are at the edges of the words of a set. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "fxt_build.h"

static const unsigned cpus[] = {0, 1, 62, 63, 64, 65, 126, 127, 128};

/* Threads 100, 101, ... run from time 10, each on a CPU of its own. */
static void write_capture(const char *path)
{
    struct fxt_out out = {.big = false};
    fxt_magic(&out);
    fxt_init(&out, 1000000000);
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        size_t at = fxt_begin(&out, fxt_switch(cpus[i], 3, 0));
        fxt_word(&out, 10 + i);
        fxt_word(&out, 0);
        fxt_word(&out, 100 + i);
        fxt_end(&out, at);
    }
    fxt_simple_event(&out, 0, 100, 1, 2, "app", "end");
    FILE *f = fopen(path, "wb");
    cr_assert(f && fwrite(out.bytes, 1, out.size, f) == out.size);
    cr_assert_eq(fclose(f), 0);
    free(out.bytes);
}

/* Returns the last thread on a CPU that is one of the written ones; 0 without one. */
static int thread_on(const char *capture, const char *list, const char *cpu)
{
    char line[1000] = "", printed[80];
    int thread = 0;
    snprintf(printed, sizeof printed, "%s.csv", list);
    char *words[] = {"tracetui",
                     "at",
                     "90t",
                     "--format",
                     "csv",
                     "--cpu",
                     (char *)(uintptr_t)cpu,
                     "-o",
                     printed,
                     "--no-cache",
                     (char *)(uintptr_t)capture,
                     NULL};
    struct tt_options options;
    struct tt_status status = tt_options_parse(11, words, &options);
    cr_assert(!tt_failed(&status), "%s", status.text);
    cr_assert_eq(tt_command_snapshot(&options), TT_EXIT_GOOD, "CPU %s", cpu);
    tt_options_free(&options);
    FILE *f = fopen(printed, "r");
    cr_assert_not_null(f);
    while (fgets(line, sizeof line, f)) {
        for (int tid = 100; tid < 110; tid++) {
            char field[16];
            snprintf(field, sizeof field, ",%d,", tid);
            thread = strstr(line, field) ? tid : thread;
        }
    }
    fclose(f);
    unlink(printed);
    return thread;
}

Test(at_cpus, each_number_selects_its_cpu)
{
    char folder[] = "/tmp/tt-at-XXXXXX", capture[64], list[64], cpu[16];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(capture, sizeof capture, "%s/c.fxt", folder);
    snprintf(list, sizeof list, "%s/list", folder);
    write_capture(capture);
    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        snprintf(cpu, sizeof cpu, "%u", cpus[i]);
        cr_expect_eq(thread_on(capture, list, cpu), 100 + (int)i, "CPU %s", cpu);
    }
    unlink(capture);
    rmdir(folder);
}
