/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The completions of docs/completions/ are made here from the tables of options, commands, views,
 * styles and themes. Where they differ, what they should be is left in build/completions/.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/options.h"
#include "style/style.h"
#include "tracetui/format.h"
#include "tui/app/app.h"
#include "tui/draw/builtin_themes.h"

struct command {
    const char *word;
    const char *help;
};

static const struct command commands[] = {
#define X(id, word, arguments, help) {word, help},
    TT_COMMAND_INFO(X)
#undef X
};

static const char licence[] = "SPDX-License-Identifier: Apache-2.0";
static const char origin[] = "made from the tables of options by tests/unit/cli/test_completions.c";

/* ---- words of an option's argument ---------------------------------------------------------- */

static void views_words(FILE *out)
{
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        fprintf(out, "%s%s", i > 0 ? " " : "", tt_view_names((enum tt_view_id)i)->name);
    }
}

static void style_words(FILE *out)
{
    for (const struct tt_style *style = tt_styles; style->name; style++) {
        fprintf(out, "%s%s", style == tt_styles ? "" : " ", style->name);
    }
}

static void theme_words(FILE *out)
{
    for (const struct tt_builtin_theme *theme = tt_builtin_themes; theme->name; theme++) {
        fprintf(out, "%s%s", theme == tt_builtin_themes ? "" : " ", theme->name);
    }
}

static bool is(const struct tt_option *option, const char *name)
{
    return strcmp(option->name, name) == 0;
}

/* Returns whether there are words to choose from. */
static bool has_words(const struct tt_option *option)
{
    return option->choices || is(option, "style") || is(option, "theme");
}

/* Returns whether its argument may be a file. */
static bool takes_file(const struct tt_option *option)
{
    return option->argument && (strcmp(option->argument, "FILE") == 0 || is(option, "theme"));
}

static void argument_words(FILE *out, const struct tt_option *option)
{
    if (is(option, "style")) {
        style_words(out);
    } else if (is(option, "theme")) {
        theme_words(out);
    } else {
        for (int i = 0; option->choices[i]; i++) {
            fprintf(out, "%s%s", i > 0 ? " " : "", option->choices[i]);
        }
    }
}

static bool goes_with(const struct tt_option *option, unsigned command)
{
    return (option->commands & TT_TAKES(command)) != 0;
}

/* The commands that have a name. */
static void command_words(FILE *out, const char *between)
{
    for (unsigned i = 1; i < TT_COMMAND_COUNT; i++) {
        fprintf(out, "%s%s", i > 1 ? between : "", commands[i].word);
    }
}

/* ---- bash ----------------------------------------------------------------------------------- */

static void bash_options_of(FILE *out, unsigned command)
{
    fprintf(out, "    '%s') echo '", commands[command].word);
    const struct tt_option *option;
    const char *between = "";
    for (unsigned i = 0; (option = tt_option_at(i)); i++) {
        if (goes_with(option, command)) {
            fprintf(out, "%s--%s", between, option->name);
            between = " ";
        }
    }
    fprintf(out, "' ;;\n");
}

static void bash_words(FILE *out)
{
    const struct tt_option *option;
    for (unsigned i = 0; (option = tt_option_at(i)); i++) {
        if (has_words(option)) {
            fprintf(out, "    --%s) echo '", option->name);
            argument_words(out, option);
            fprintf(out, "' ;;\n");
        }
    }
}

static void bash_takers(FILE *out)
{
    const struct tt_option *option;
    const char *between = "";
    for (unsigned i = 0; (option = tt_option_at(i)); i++) {
        if (option->argument) {
            fprintf(out, "%s--%s", between, option->name);
            between = " | ";
            if (option->letter) {
                fprintf(out, " | -%c", option->letter);
            }
        }
    }
}

static void make_bash(FILE *out)
{
    fprintf(out, "# %s\n# shellcheck shell=bash\n# bash completion of tracetui, %s\n\n", licence,
            origin);
    fprintf(out, "_tracetui_options() {\n    case $1 in\n");
    for (unsigned i = 0; i < TT_COMMAND_COUNT; i++) {
        bash_options_of(out, i);
    }
    fprintf(out, "    esac\n}\n\n_tracetui_words() {\n    case $1 in\n");
    bash_words(out);
    fprintf(out, "    render) echo '");
    views_words(out);
    fprintf(out, "' ;;\n    esac\n}\n\n_tracetui_takes_argument() {\n    case $1 in\n    ");
    bash_takers(out);
    fprintf(out, ") return 0 ;;\n    esac\n    return 1\n}\n\n");
    fprintf(out, "_tracetui() {\n"
                 "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                 "    local command='' first='' i plain=0\n"
                 "    COMPREPLY=()\n"
                 "    if [ \"$word\" = = ]; then # --option=\n"
                 "        word=''\n"
                 "    elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -ge 2 ]; then # --option=part\n"
                 "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                 "    fi\n"
                 "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                 "        case ${COMP_WORDS[i]} in\n"
                 "        =) i=$((i + 1)) ;;\n"
                 "        -?*)\n"
                 "            if _tracetui_takes_argument \"${COMP_WORDS[i]}\" &&\n"
                 "                [ \"${COMP_WORDS[i + 1]}\" != = ]; then\n"
                 "                i=$((i + 1))\n"
                 "            fi\n"
                 "            ;;\n"
                 "        *)\n"
                 "            plain=$((plain + 1))\n"
                 "            [ $plain -gt 1 ] || first=${COMP_WORDS[i]}\n"
                 "            ;;\n"
                 "        esac\n"
                 "    done\n"
                 "    case $first in\n    ");
    command_words(out, " | ");
    fprintf(out, ") command=$first ;;\n    esac\n\n    local words=''\n"
                 "    if _tracetui_takes_argument \"$before\"; then\n"
                 "        words=$(_tracetui_words \"$before\")\n"
                 "    elif [[ $word == -* ]]; then\n"
                 "        words=$(_tracetui_options \"$command\")\n"
                 "    elif [ $plain -eq 0 ]; then\n"
                 "        words='");
    for (unsigned i = 1; i < TT_COMMAND_COUNT; i++) {
        fprintf(out, "%s%s", i > 1 ? " " : "", commands[i].word);
    }
    fprintf(out, "'\n"
                 "    elif [ \"$command\" = render ] && [ $plain -eq 1 ]; then\n"
                 "        words=$(_tracetui_words render)\n"
                 "    fi\n"
                 "    # What the words do not complete, readline completes as the name of a file.\n"
                 "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                 "}\n\n"
                 "complete -o default -F _tracetui tracetui\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

/* Help as one line inside '...' and [...] of zsh, or '...' of fish. */
static void quoted_help(FILE *out, const char *help, const char *escaped)
{
    for (const char *p = help; *p; p++) {
        if (*p == '\'') {
            fputs("'\\''", out);
        } else if (*p == '\n') {
            fputc(' ', out);
        } else {
            if (strchr(escaped, *p)) {
                fputc('\\', out);
            }
            fputc(*p, out);
        }
    }
}

static void zsh_argument(FILE *out, const struct tt_option *option)
{
    fprintf(out, ":%s:", option->argument);
    if (has_words(option) && takes_file(option)) {
        fprintf(out, "_alternative \"words\\:%s\\:(", option->argument);
        argument_words(out, option);
        fprintf(out, ")\" \"files\\:file\\:_files\"");
    } else if (has_words(option)) {
        fprintf(out, "(");
        argument_words(out, option);
        fprintf(out, ")");
    } else if (takes_file(option)) {
        fprintf(out, "_files");
    }
}

static void zsh_option(FILE *out, const struct tt_option *option)
{
    bool again = option->kind == TT_OPTION_LIST || option->kind == TT_OPTION_CPUS;
    for (int letter = option->letter != 0; letter >= 0; letter--) {
        fprintf(out, "        '%s", again ? "*" : "");
        if (letter) {
            fprintf(out, "-%c%s[", option->letter, option->argument ? "+" : "");
        } else {
            fprintf(out, "--%s%s[", option->name, option->argument ? "=" : "");
        }
        quoted_help(out, option->help, "[]:\\");
        fprintf(out, "]");
        if (option->argument) {
            zsh_argument(out, option);
        }
        fprintf(out, "'\n");
    }
}

static void make_zsh(FILE *out)
{
    fprintf(out, "#compdef tracetui\n# %s\n# zsh completion of tracetui, %s\n\n", licence, origin);
    fprintf(out, "_tracetui() {\n"
                 "    local command=''\n"
                 "    local -a options\n"
                 "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
                 "        local -a commands=(\n");
    for (unsigned i = 1; i < TT_COMMAND_COUNT; i++) {
        fprintf(out, "            '%s:", commands[i].word);
        quoted_help(out, commands[i].help, ":\\");
        fprintf(out, "'\n");
    }
    fprintf(out, "        )\n"
                 "        _describe -t commands command commands\n"
                 "        _files\n"
                 "        return\n"
                 "    fi\n"
                 "    case $words[2] in\n    ");
    command_words(out, " | ");
    fprintf(out, ")\n        command=$words[2]\n        shift words\n        ((CURRENT--))\n"
                 "        ;;\n    esac\n    case $command in\n");
    for (unsigned i = 0; i < TT_COMMAND_COUNT; i++) {
        fprintf(out, "    '%s') options=(\n", commands[i].word);
        const struct tt_option *option;
        for (unsigned j = 0; (option = tt_option_at(j)); j++) {
            if (goes_with(option, i)) {
                zsh_option(out, option);
            }
        }
        if (i == TT_COMMAND_RENDER) {
            fprintf(out, "        '1:view:(");
            views_words(out);
            fprintf(out, ")'\n");
        }
        fprintf(out, "        ) ;;\n");
    }
    fprintf(out, "    esac\n    _arguments -s $options '*:file:_files'\n}\n\n_tracetui \"$@\"\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

static void fish_option(FILE *out, const struct tt_option *option)
{
    fprintf(out, "complete -c tracetui -n '__tracetui_is");
    for (unsigned i = 0; i < TT_COMMAND_COUNT; i++) {
        if (goes_with(option, i)) {
            fprintf(out, " %s", commands[i].word[0] ? commands[i].word : "open");
        }
    }
    fprintf(out, "' -l %s", option->name);
    if (option->letter) {
        fprintf(out, " -s %c", option->letter);
    }
    if (option->argument) {
        fprintf(out, takes_file(option) ? " -r" : " -x");
    }
    if (has_words(option)) {
        fprintf(out, " -a '");
        argument_words(out, option);
        fprintf(out, "'");
    }
    fprintf(out, " -d '");
    quoted_help(out, option->help, "\\");
    fprintf(out, "'\n");
}

static void make_fish(FILE *out)
{
    fprintf(out, "# %s\n# fish completion of tracetui, %s\n\n", licence, origin);
    fprintf(out, "# Is the command that was typed so far one of these? `open`: none was named.\n"
                 "function __tracetui_is\n"
                 "    set -l command open\n"
                 "    set -l words (commandline -opc)\n"
                 "    if contains -- \"$words[2]\" ");
    command_words(out, " ");
    fprintf(out, "\n        set command $words[2]\n    end\n"
                 "    contains -- $command $argv\nend\n\n"
                 "function __tracetui_is_first\n"
                 "    test (count (commandline -opc)) -eq 1\nend\n\n"
                 "function __tracetui_is_view\n"
                 "    __tracetui_is render; and test (count (commandline -opc)) -eq 2\nend\n\n");
    for (unsigned i = 1; i < TT_COMMAND_COUNT; i++) {
        fprintf(out, "complete -c tracetui -n __tracetui_is_first -a %s -d '", commands[i].word);
        quoted_help(out, commands[i].help, "\\");
        fprintf(out, "'\n");
    }
    fprintf(out, "complete -c tracetui -n __tracetui_is_view -x -a '");
    views_words(out);
    fprintf(out, "'\n");
    const struct tt_option *option;
    for (unsigned i = 0; (option = tt_option_at(i)); i++) {
        fish_option(out, option);
    }
}

/* ---- made against kept ---------------------------------------------------------------------- */

static char *read_all(const char *path)
{
    static char kept[65536];
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    size_t length = fread(kept, 1, sizeof kept - 1, file);
    fclose(file);
    kept[length] = '\0';
    return kept;
}

static void leave_for_the_person(const char *name, const char *made)
{
    char path[128];
    mkdir("build/completions", 0777);
    snprintf(path, sizeof path, "build/completions/%s", name);
    FILE *file = fopen(path, "wb");
    if (file) {
        fputs(made, file);
        fclose(file);
    }
}

static void hold_against(const char *name, void (*make)(FILE *out))
{
    char *made = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&made, &length);
    cr_assert_not_null(out);
    make(out);
    fclose(out);
    char path[128];
    snprintf(path, sizeof path, "docs/completions/%s", name);
    const char *kept = read_all(path);
    bool same = kept && strcmp(kept, made) == 0;
    if (!same) {
        leave_for_the_person(name, made);
    }
    free(made);
    cr_assert(same, "%s is not as the tables have it: cp build/completions/* docs/completions/",
              path);
}

Test(completions, bash)
{
    hold_against("tracetui.bash", make_bash);
}

Test(completions, zsh)
{
    hold_against("_tracetui", make_zsh);
}

Test(completions, fish)
{
    hold_against("tracetui.fish", make_fish);
}
