/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without a fuzzer: replay TARGET FILE|FOLDER ...: each file is one input. Prints the
 * number of inputs; the last line on stderr is the name of the input that ends the target. The Makefile
 * gives the function of each target the name of its file.
 */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "fuzz.h"

#define TARGETS(X)                                                                                 \
    X(fuzz_btrace)                                                                                 \
    X(fuzz_config)                                                                                 \
    X(fuzz_container)                                                                              \
    X(fuzz_ctf)                                                                                    \
    X(fuzz_filter)                                                                                 \
    X(fuzz_fxt)                                                                                    \
    X(fuzz_keep)                                                                                   \
    X(fuzz_kev)                                                                                    \
    X(fuzz_log)                                                                                    \
    X(fuzz_names)                                                                                  \
    X(fuzz_open)                                                                                   \
    X(fuzz_session)                                                                                \
    X(fuzz_spool)                                                                                  \
    X(fuzz_theme)                                                                                  \
    X(fuzz_tpt)                                                                                    \
    X(fuzz_trx)                                                                                    \
    X(fuzz_words)

typedef int run_input(const uint8_t *data, size_t size);
#define DECLARE(name) run_input name;
TARGETS(DECLARE)

static const struct target {
    const char *name;
    run_input *run;
} targets[] = {
#define TARGET(name) {#name, name},
    TARGETS(TARGET)};

static run_input *target;
static unsigned long inputs;

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t room = 1 << 20;
    uint8_t *bytes = malloc(room);
    require(bytes != NULL);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    fprintf(stderr, "replay: %s\n", path);
    target(bytes, size);
    free(bytes);
    inputs++;
}

static void run_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        exit(2);
    }
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[4096];
        int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof name) {
            run_file(name);
        }
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof targets / sizeof *targets; i++) {
        target = strcmp(targets[i].name, argv[1]) == 0 ? targets[i].run : target;
    }
    if (!target) {
        fprintf(stderr, "replay: no such target: %s\n", argc > 1 ? argv[1] : "");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode)) {
            run_folder(argv[i]);
        } else {
            run_file(argv[i]);
        }
    }
    printf("%lu\n", inputs);
    return 0;
}
