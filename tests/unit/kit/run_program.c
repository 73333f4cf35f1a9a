/* SPDX-License-Identifier: Apache-2.0 */
#include "run_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 64 };

int tt_main(int argc, char **argv);

static char *text_of(FILE *f)
{
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(f);
    char *text = malloc(size + 1);
    rewind(f);
    cr_assert(text && fread(text, 1, size, f) == size);
    text[size] = '\0';
    fclose(f);
    return text;
}

/* Makes a descriptor write to a file until `give_back`; returns a copy of the descriptor. */
static int take(int descriptor, FILE *file)
{
    int copy = dup(descriptor);
    cr_assert(copy >= 0 && dup2(fileno(file), descriptor) >= 0);
    return copy;
}

static void give_back(int descriptor, int copy)
{
    cr_assert_geq(dup2(copy, descriptor), 0);
    close(copy);
}

struct run run_program(const char *const *words)
{
    char *copies[MOST_WORDS + 1] = {NULL};
    int count = 0;
    for (; words[count]; count++) {
        cr_assert_lt(count, MOST_WORDS);
        copies[count] = strdup(words[count]);
        cr_assert_not_null(copies[count]);
    }
    FILE *out = tmpfile(), *err = tmpfile();
    cr_assert(out && err && freopen("/dev/null", "r", stdin));
    fflush(stdout);
    fflush(stderr);
    int old_out = take(STDOUT_FILENO, out), old_err = take(STDERR_FILENO, err);
    struct run run = {.status = tt_main(count, copies)};
    fflush(stdout);
    fflush(stderr);
    give_back(STDOUT_FILENO, old_out);
    give_back(STDERR_FILENO, old_err);
    run.out = text_of(out);
    run.err = text_of(err);
    for (int i = 0; i < count; i++) {
        free(copies[i]);
    }
    return run;
}

void run_free(struct run *run)
{
    free(run->out);
    free(run->err);
    run->out = run->err = NULL;
}
