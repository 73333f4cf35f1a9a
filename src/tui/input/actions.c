/* SPDX-License-Identifier: Apache-2.0 */
/* actions: the table, the keymap, and the generated page. */
#include "tui/input/actions.h"

#include <string.h>

#include "tracetui/text.h"
#include "tui/term/keys.h"

static const struct tt_do_info table[TT_DO_COUNT] = {{"", "", 0, TT_GROUP_PROGRAM, "", ""},
#define X(id, name, keys, contexts, group, footer, help)                                           \
    {name, keys, contexts, group, footer, help},
                                                     TT_DO_INFO(X)
#undef X
};

static const char *const group_names[TT_GROUP_COUNT] = {
#define X(id, name) name,
    TT_GROUP_INFO(X)
#undef X
};

const struct tt_do_info *tt_do_at(unsigned action)
{
    return &table[action < TT_DO_COUNT ? action : 0];
}

#define EVERYWHERE (TT_IN_VIEWS | TT_IN_OVERLAY)

static const struct tt_mouse_use uses[] = {
    {"click", "go to the line, column, tab or heading", EVERYWHERE},
    {"double click", "as Enter", EVERYWHERE},
    {"wheel", "three lines up or down", EVERYWHERE},
    {"drag", "in the lanes: select the columns; on the overview: pan", TT_IN_LANES},
    {"Ctrl+wheel", "zoom at the pointer", TT_IN_LANES | TT_IN_ALIGN},
    {"Shift+wheel", "pan; so does the wheel to the side", TT_IN_TIMED},
};

const struct tt_mouse_use *tt_mouse_use_at(unsigned number)
{
    return number < sizeof uses / sizeof *uses ? &uses[number] : NULL;
}

static const struct tt_do_alias aliases[] = {
#define X(name, action, contexts) {name, action, contexts},
    TT_DO_ALIAS_INFO(X)
#undef X
};

const struct tt_do_alias *tt_do_alias_at(unsigned number)
{
    return number < sizeof aliases / sizeof *aliases ? &aliases[number] : NULL;
}

enum tt_do tt_do_find(const char *name, size_t length, unsigned *contexts)
{
    *contexts = 0;
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        if (strlen(table[action].name) == length && memcmp(table[action].name, name, length) == 0) {
            *contexts = table[action].contexts;
            return (enum tt_do)action;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strlen(aliases[i].name) == length && memcmp(aliases[i].name, name, length) == 0) {
            *contexts = aliases[i].contexts;
            return aliases[i].action;
        }
    }
    return TT_DO_NOTHING;
}

const char *tt_group_name(unsigned group)
{
    return group < TT_GROUP_COUNT ? group_names[group] : "";
}

static void bind_default(struct tt_keymap *keymap, unsigned action)
{
    const char *keys = table[action].keys;
    size_t left = strlen(keys);
    while (left > 0) {
        uint32_t key;
        size_t used = *keys == ' ' ? 1 : tt_key_parse(keys, left, &key);
        if (used == 0) {
            return;
        }
        if (*keys != ' ' && keymap->count < TT_BINDINGS) {
            struct tt_binding binding = {key, table[action].contexts, (uint16_t)action};
            keymap->bindings[keymap->count++] = binding;
        }
        keys += used;
        left -= used;
    }
}

void tt_keymap_default(struct tt_keymap *keymap)
{
    keymap->count = 0;
    for (unsigned action = 1; action < TT_DO_COUNT; action++) {
        bind_default(keymap, action);
    }
}

void tt_keymap_unbind(struct tt_keymap *keymap, enum tt_do action, unsigned contexts)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < keymap->count; i++) {
        struct tt_binding binding = keymap->bindings[i];
        binding.contexts &= binding.action == action ? ~contexts : UINT32_MAX;
        if (binding.contexts) {
            keymap->bindings[kept++] = binding;
        }
    }
    keymap->count = kept;
}

unsigned tt_keymap_contexts(const struct tt_keymap *keymap, uint32_t key, unsigned action)
{
    unsigned contexts = 0;
    for (unsigned i = 0; i < keymap->count; i++) {
        const struct tt_binding *binding = &keymap->bindings[i];
        contexts |= binding->key == key && binding->action == action ? binding->contexts : 0;
    }
    return contexts;
}

bool tt_keymap_bind(struct tt_keymap *keymap, const struct tt_binding *binding)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < keymap->count; i++) {
        struct tt_binding other = keymap->bindings[i];
        if (other.key == binding->key) {
            other.contexts &= ~binding->contexts;
        }
        if (other.contexts) {
            keymap->bindings[kept++] = other;
        }
    }
    keymap->count = kept;
    if (kept == TT_BINDINGS) {
        return false;
    }
    keymap->bindings[keymap->count++] = *binding;
    return true;
}

enum tt_do tt_keymap_find(const struct tt_keymap *keymap, uint32_t key, const unsigned *contexts)
{
    for (; *contexts; contexts++) {
        for (unsigned i = 0; i < keymap->count; i++) {
            const struct tt_binding *binding = &keymap->bindings[i];
            if (binding->key == key && (binding->contexts & *contexts)) {
                return (enum tt_do)binding->action;
            }
        }
    }
    return TT_DO_NOTHING;
}

uint32_t tt_keymap_key(const struct tt_keymap *keymap, enum tt_do action, unsigned contexts)
{
    for (unsigned i = 0; i < keymap->count; i++) {
        const struct tt_binding *binding = &keymap->bindings[i];
        if (binding->action == action && (binding->contexts & contexts)) {
            return binding->key;
        }
    }
    return TT_KEY_NONE;
}

static const struct {
    unsigned contexts;
    const char *name;
} context_names[] = {
    {TT_IN_VIEWS, "everywhere"},
#define X(id, name, key, title, tab, by_time) {TT_IN_##id, title},
    TT_VIEW_INFO(X)
#undef X
        {TT_IN_DETAIL, "detail pane"},
    {TT_IN_PLOT, "plot pane"},
#define X(id, name, action, title) {TT_IN_##id, title},
    TT_OVERLAY_INFO(X)
#undef X
        {TT_IN_PROMPT, "prompt"},
};

const char *tt_context_name(unsigned context)
{
    for (size_t i = 0; i < sizeof context_names / sizeof *context_names; i++) {
        if (context_names[i].contexts == context) {
            return context_names[i].name;
        }
    }
    return "";
}

void tt_contexts_write(struct tt_text *text, unsigned contexts)
{
    if ((contexts & TT_IN_LISTS) == TT_IN_LISTS) {
        tt_text_str(text, "every list");
        return;
    }
    bool first = true;
    if (!(contexts & TT_IN_VIEWS) && (contexts & TT_IN_NEXT_ROWS) == TT_IN_NEXT_ROWS) {
        tt_text_str(text, "lists");
        contexts &= ~(unsigned)TT_IN_NEXT_ROWS;
        first = false;
    }
    for (size_t i = 0; i < sizeof context_names / sizeof *context_names; i++) {
        if (contexts & context_names[i].contexts) {
            tt_text_put(text, "%s%s", first ? "" : ", ", context_names[i].name);
            first = false;
            if (context_names[i].contexts == TT_IN_VIEWS) {
                return;
            }
        }
    }
}

static void actions_write_row(struct tt_text *text, const struct tt_keymap *keymap, unsigned action)
{
    tt_text_str(text, "| ");
    for (unsigned i = 0, shown = 0; i < keymap->count; i++) {
        if (keymap->bindings[i].action == action) {
            char name[TT_KEY_NAME];
            tt_text_put(text, "%s%s`", shown++ ? " `" : "`",
                        tt_key_name(keymap->bindings[i].key, name));
        }
    }
    tt_text_put(text, " | %s | ", table[action].help);
    tt_contexts_write(text, table[action].contexts);
    tt_text_put(text, " | `%s` |\n", table[action].name);
}

void tt_actions_page(struct tt_text *text)
{
    struct tt_keymap keymap;
    tt_keymap_default(&keymap);
    tt_text_str(
        text,
        "# Keys\n\nEvery key is an action, and every action has a name. This page is "
        "generated from the table in\n`src/tui/input/actions.h`; the help (`?`) shows the same. "
        "`^` before a letter means Ctrl.\n");
    for (unsigned group = 0; group < TT_GROUP_COUNT; group++) {
        tt_text_put(text, "\n## %s\n\n| keys | description | where | action |\n|---|---|---|---|\n",
                    group_names[group]);
        for (unsigned action = 1; action < TT_DO_COUNT; action++) {
            if (table[action].group == group) {
                actions_write_row(text, &keymap, action);
            }
        }
    }
    tt_text_str(
        text, "\n## Earlier names\n\nThe verbs `go`, `why`, `write`, `sort`, `reverse` and `plot` "
              "had a name for each place. Configuration files and `:map`\ntake these names, "
              "too; a key for one of them is the verb's in that place alone.\n\n"
              "| name | action | where |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        tt_text_put(text, "| `%s` | `%s` | ", aliases[i].name, table[aliases[i].action].name);
        tt_contexts_write(text, aliases[i].contexts);
        tt_text_str(text, " |\n");
    }
    tt_text_str(text, "\n## Mouse\n\n| mouse | description | where |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        tt_text_put(text, "| %s | %s | ", uses[i].mouse, uses[i].help);
        tt_contexts_write(text, uses[i].contexts);
        tt_text_str(text, " |\n");
    }
    tt_text_str(
        text, "\nShift with click or drag selects text in most terminals; `M`, the setting `mouse` "
              "and `--no-mouse` leave\nthe mouse to the terminal altogether.\n");
}
