/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without a fuzzer: replay FILE|FOLDER ...: each file is one input. Prints the
 * number of inputs; the last line on stderr is the name of the input that ends the target.
 */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "fuzz.h"

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
    LLVMFuzzerTestOneInput(bytes, size);
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
    for (int i = 1; i < argc; i++) {
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
