/* SPDX-License-Identifier: Apache-2.0 */
#include "input/remote_name.h"

#include <string.h>
#include <unistd.h>

#include "tracetui/remote.h"

/* Opens the file as "$f" and prints the first line: its kind, inode and size, or the error. */
#define BEGIN_SCRIPT                                                                               \
    "LC_ALL=C; export LC_ALL; set -f; from=$2; f=$4; "                                             \
    "if [ \"$3\" = 1 ]; then f=$(printf %b. \"$f\"); f=${f%.}; fi; "                               \
    "case $f in /*) ;; *) f=./$f ;; esac; "                                                        \
    "k=missing; if [ -d \"$f\" ]; then k=folder; elif [ -f \"$f\" ]; then k=unreadable; "          \
    "if [ -r \"$f\" ]; then k=; fi; elif [ -e \"$f\" ]; then k=special; fi; "                      \
    "if [ -n \"$k\" ]; then echo " TT_REMOTE_MARK " $k 0 0; exit 0; fi; "                          \
    "set -- $(ls -lniLd -- \"$f\"); i=$1; s=$6; "

/* Sends the file once, compressed if there is a program for it. */
#define WHOLE_SCRIPT                                                                               \
    "exec 3<\"$f\"; k=plain; z=cat; "                                                              \
    "case $f in *.gz|*.zst) ;; "                                                                   \
    "*) if command -v zstd >/dev/null 2>&1; then k=zstd; z=\"zstd -q -1 -c\"; "                    \
    "elif command -v gzip >/dev/null 2>&1; then k=gzip; z=\"gzip -1 -c\"; fi ;; esac; "            \
    "echo " TT_REMOTE_MARK " $k $i $s; "                                                           \
    "if [ $from = 1 ]; then exec $z <&3; else tail -c +$from <&3 | $z; fi"

/*
 * Sends the file as it grows. Ends when the connection ends, which closes standard input, and when
 * the file is replaced or becomes smaller.
 */
#define FOLLOW_SCRIPT                                                                              \
    "echo " TT_REMOTE_MARK " tail $i $s; exec 4<&0; "                                              \
    "tail -c +$from -f -- \"$f\" </dev/null & t=$!; "                                              \
    "( cat <&4; kill $t $$ ) >/dev/null 2>&1 & w=$!; r=1; "                                        \
    "while sleep 1; do kill -0 $t 2>/dev/null || break; "                                          \
    "set -- $(ls -lniLd -- \"$f\" 2>/dev/null); [ -n \"$1\" ] || continue; "                       \
    "if [ \"$1\" -ne $i ]; then r=71; break; fi; if [ \"$6\" -lt $s ]; then r=72; break; fi; "     \
    "s=$6; done; kill $t $w 2>/dev/null; exit $r"

/* ---- names ---------------------------------------------------------------------------------- */

/* Returns the length of the host before the colon, 0 if there is none. */
static size_t host_length(const char *path)
{
    if (path[0] == '[' || strstr(path, "@[")) {
        const char *end = strstr(path, "]:");
        const char *slash = strchr(path, '/');
        return end && (!slash || end < slash) ? (size_t)(end - path) + 1 : 0;
    }
    size_t length = strcspn(path, ":/");
    return path[length] == ':' ? length : 0;
}

bool tt_remote_has_host(const char *path)
{
    return host_length(path) > 0;
}

bool tt_remote_is(const char *path)
{
    return tt_remote_has_host(path) && access(path, F_OK) != 0;
}

static bool is_host_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte && strchr("._-@%:+~=", byte));
}

struct tt_status tt_remote_split(const char *path, struct tt_remote_name *name)
{
    size_t length = host_length(path), used = 0;
    if (path[0] == '-') {
        return tt_error(TT_ERR_USAGE, "the name of a host does not begin with '-'");
    }
    for (size_t i = 0; i < length; i++) {
        bool bracket = path[i] == '[' || path[i] == ']';
        if (!bracket && !is_host_byte(path[i])) {
            return tt_error(TT_ERR_USAGE, "not the name of a host: '%.*s'",
                            (int)(length < 80 ? length : 80), path);
        }
        if (!bracket && used + 1 < sizeof name->host) {
            name->host[used++] = path[i];
        }
    }
    name->host[used] = '\0';
    if (used == 0 || used + 1 == sizeof name->host || name->host[0] == '-') {
        return tt_error(TT_ERR_USAGE, "not the name of a host: '%.*s'",
                        (int)(length < 80 ? length : 80), path);
    }
    name->path = path + length + 1;
    if (strncmp(name->path, "~/", 2) == 0) {
        name->path += 2; /* a relative path begins in the home directory anyway */
    }
    if (name->path[0] == '\0') {
        return tt_error(TT_ERR_USAGE, "expected HOST:PATH, the path is missing");
    }
    return tt_ok();
}

/* ---- the command ---------------------------------------------------------------------------- */

/* Returns whether no shell gives a byte a meaning, neither bare nor between single quotes. */
static bool is_harmless(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || (byte && strchr("/._-+,@:=", byte));
}

void tt_remote_command(struct tt_text *text, const char *path, uint64_t from, bool follow)
{
    tt_text_str(text, "exec sh -c '");
    tt_text_str(text, BEGIN_SCRIPT);
    tt_text_str(text, follow ? FOLLOW_SCRIPT : WHOLE_SCRIPT);
    tt_text_str(text, follow ? "' tracetui follow " : "' tracetui whole ");
    tt_text_u64(text, from + 1);

    bool encoded = false;
    for (const char *p = path; *p && !encoded; p++) {
        encoded = !is_harmless(*p);
    }
    tt_text_str(text, encoded ? " 1 '" : " 0 '");
    for (const char *p = path; *p; p++) {
        unsigned byte = (unsigned char)*p;
        if (is_harmless(*p)) {
            tt_text_char(text, *p);
            continue;
        }
        const char octal[] = {'\\',
                              '0',
                              (char)('0' + (byte >> 6)),
                              (char)('0' + (byte >> 3 & 7)),
                              (char)('0' + (byte & 7)),
                              '\0'};
        tt_text_str(text, octal);
    }
    tt_text_char(text, '\'');
}

/* ---- the remote shell ----------------------------------------------------------------------- */

int tt_remote_words(char *text, char **words, int most)
{
    int count = 0;
    char *to = text;
    for (const char *from = text; *from;) {
        if (*from == ' ' || *from == '\t') {
            from++;
            continue;
        }
        if (count == most) {
            return 0;
        }
        words[count++] = to;
        char quote = '\0';
        for (; *from && (quote || (*from != ' ' && *from != '\t')); from++) {
            if (quote ? *from == quote : *from == '\'' || *from == '"') {
                quote = quote ? '\0' : *from;
            } else {
                *to++ = *from;
            }
        }
        if (quote) {
            return 0;
        }
        from += *from != '\0';
        *to++ = '\0';
    }
    return count;
}

bool tt_remote_is_ssh(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash ? slash + 1 : program, "ssh") == 0;
}
