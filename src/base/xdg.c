/* SPDX-License-Identifier: Apache-2.0 */
/* xdg: folders of the XDG Base Directory Specification. */
#include "base/xdg.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define PATH_BYTES 1024

bool tt_xdg_path(enum tt_xdg_directory folder, const char *name, char *path, size_t capacity)
{
    static const struct {
        const char *variable;
        const char *in_home;
    } places[] = {
        [TT_FOLDER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
        [TT_FOLDER_STATE] = {"XDG_STATE_HOME", ".local/state"},
        [TT_FOLDER_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    };
    const char *base = getenv(places[folder].variable);
    const char *home = getenv("HOME");
    int length = -1;
    if (base && base[0] == '/') {
        length = snprintf(path, capacity, "%s/tracetui/%s", base, name);
    } else if (home && home[0] == '/') {
        length = snprintf(path, capacity, "%s/%s/tracetui/%s", home, places[folder].in_home, name);
    }
    return length > 0 && (size_t)length < capacity;
}

bool tt_xdg_make_directory(const char *file)
{
    char path[PATH_BYTES];
    size_t length = strlen(file);
    if (length >= sizeof path) {
        return false;
    }
    memcpy(path, file, length + 1);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) {
            return false;
        }
        *slash = '/';
    }
    return true;
}

mode_t tt_xdg_file_mode(const struct stat *old)
{
    if (old) {
        return old->st_mode & 0777;
    }
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

bool tt_xdg_directory_available(const char *path, uint64_t *bytes)
{
    struct statvfs system;
    if (statvfs(path, &system) != 0) {
        return false;
    }
    uint64_t unit = system.f_frsize, blocks = system.f_bavail;
    *bytes = unit > 0 && blocks < UINT64_MAX / 2 / unit ? blocks * unit : UINT64_MAX / 2;
    return true;
}
