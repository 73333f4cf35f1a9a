/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/history_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/file_read.h"
#include "base/xdg.h"

#define PATH_BYTES 1024
#define FILE_BYTES ((size_t)1 << 20)

void tt_history_load(struct tt_history *history, const char *name)
{
    char path[PATH_BYTES];
    char *text = NULL;
    size_t length;
    if (!tt_xdg_path(TT_FOLDER_STATE, name, path, sizeof path) ||
        tt_file_text(path, FILE_BYTES, &text, &length) != 0) {
        return;
    }
    for (char *line = text; line < text + length;) {
        size_t size = strcspn(line, "\n");
        char *next = line + size + 1;
        line[size] = '\0';
        tt_history_add(history, line);
        line = next;
    }
    free(text);
}

static bool history_file_write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written <= 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

void tt_history_save(const struct tt_history *history, const char *name)
{
    char path[PATH_BYTES];
    struct tt_atomic_file file;
    if (history->count == 0 || !tt_xdg_path(TT_FOLDER_STATE, name, path, sizeof path) ||
        !tt_xdg_make_directory(path) ||
        tt_atomic_open(&file, path, TT_ATOMIC_REPLACE | TT_ATOMIC_PRIVATE) != 0) {
        return;
    }
    bool ok = true;
    for (unsigned i = 0; i < history->count && ok; i++) {
        ok = history_file_write_all(file.fd, history->lines[i], strlen(history->lines[i])) &&
             history_file_write_all(file.fd, "\n", 1);
    }
    if (ok) {
        tt_atomic_commit(&file);
    } else {
        tt_atomic_abandon(&file);
    }
}
