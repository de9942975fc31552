/* How fixes are written in the API's own words: a pack's `spelling` comes in, checked text with
 * placeholders goes out. What a call or a member looks like is a matter of the language; what the
 * function that casts is called is a matter of the pack.
 *
 *     spelling:
 *       cast: ggml_cast({ctx}, {tensor}, {dtype})
 *       dtypes: {f16: GGML_TYPE_F16, f32: GGML_TYPE_F32} */
#include "analyzer/pack/private.h"

#include <stdio.h>
#include <string.h>

struct spelling {
    struct pack_set *set;
    struct pack *pack;
    struct error *error;
};

/* The keys with placeholders; needs: those that must occur, once each. */
static const struct text_key {
    const char *key;
    size_t offset;
    const char *needs[3];
} texts[] = {
    {"cast", offsetof(struct pack_spelling, cast), {"tensor", "dtype"}},
    {"move", offsetof(struct pack_spelling, move), {"tensor", "device"}},
    {"dtype_of", offsetof(struct pack_spelling, dtype_of), {"tensor", NULL}},
    {"device_of", offsetof(struct pack_spelling, device_of), {"tensor", NULL}},
    {"clone", offsetof(struct pack_spelling, clone), {"tensor", NULL}},
    {"detach", offsetof(struct pack_spelling, detach), {"tensor", NULL}},
    {"lowest", offsetof(struct pack_spelling, lowest), {"tensor", NULL}},
    {"largest", offsetof(struct pack_spelling, largest), {"tensor", NULL}},
    {"weight", offsetof(struct pack_spelling, weight), {NULL}},
    {"registered", offsetof(struct pack_spelling, registered), {"object", "name", "tensor"}},
    {"modules", offsetof(struct pack_spelling, modules), {NULL}},
    {"module_table", offsetof(struct pack_spelling, module_table), {NULL}},
    {"no_grad", offsetof(struct pack_spelling, no_grad), {NULL}},
};
enum { TEXT_COUNT = sizeof texts / sizeof texts[0] };

const char *const spelling_keys[] = {"prefix",       "cast",    "move",   "dtype_of",   "device_of",
                                     "clone",        "detach",  "dtypes", "devices",    "casts",
                                     "lowest",       "largest", "weight", "registered", "modules",
                                     "module_table", "no_grad"};
const int spelling_key_count = sizeof spelling_keys / sizeof spelling_keys[0];

/* ---- placeholders --------------------------------------------------------------------------- */

typedef LIST(const char *) word_list;

/* The names of all arguments of the pack's functions and templates. */
static void add_arguments(const struct spelling *s, word_list *out)
{
    const struct node *groups[] = {s->pack->functions, s->pack->templates};
    for (int g = 0; g < 2; g++)
        for (int i = 0; groups[g] && i < groups[g]->count; i++) {
            const struct node *params = node_get(groups[g]->items[i], "params");
            for (int k = 0; params && params->keys && k < params->count; k++)
                LIST_ADD(s->set->arena, out, params->keys[k]->text);
        }
}

static bool check_placeholder(const struct spelling *s, const struct node *n,
                              const struct text_key *t, const char *name, int offset)
{
    word_list known = {0};
    for (int i = 0; i < 3 && t->needs[i]; i++) {
        LIST_ADD(s->set->arena, &known, t->needs[i]);
        if (strcmp(t->needs[i], name) == 0)
            return true;
    }
    add_arguments(s, &known);
    for (int i = 0; i < known.count; i++)
        if (strcmp(known.items[i], name) == 0)
            return true;
    return unknown_word(s->pack->file, n, offset, "placeholder", name, known.items, known.count,
                        s->error);
}

static int count_of(const char *text, const char *name)
{
    char braced[32];
    int count = 0;
    snprintf(braced, sizeof braced, "{%s}", name);
    for (const char *at = strstr(text, braced); at; at = strstr(at + 1, braced))
        count++;
    return count;
}

static bool check_placeholders(const struct spelling *s, const struct node *n,
                               const struct text_key *t)
{
    for (const char *open = strchr(n->text, '{'); open; open = strchr(open + 1, '{')) {
        size_t length = strcspn(open + 1, "{}");
        if (open[1 + length] != '}')
            return error_at(s->error, s->pack->file, n->line, n->column, "expected '}' after '%s'",
                            open);
        const char *name = arena_text(s->set->arena, open + 1, length);
        if (!check_placeholder(s, n, t, name, (int)(open + 1 - n->text)))
            return false;
    }
    for (int i = 0; i < 3; i++)
        if (t->needs[i] && count_of(n->text, t->needs[i]) != 1)
            return error_at(s->error, s->pack->file, n->line, n->column,
                            "expected '{%s}' once in '%s'", t->needs[i], t->key);
    return true;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* It becomes a part of a line. */
static bool expect_line(const struct spelling *s, const struct node *n, const char *what)
{
    if (!expect_kind(s->pack->file, n, NODE_TEXT, what, s->error))
        return false;
    return !strpbrk(n->text, "\n\t") || error_at(s->error, s->pack->file, n->line, n->column,
                                                 "expected %s on one line, without tabs", what);
}

static bool read_text(const struct spelling *s, const struct node *map, const struct text_key *t)
{
    const struct node *n = node_get(map, t->key);
    if (!n)
        return true;
    if (!expect_line(s, n, "a text") || !check_placeholders(s, n, t))
        return false;
    memcpy((char *)&s->pack->spelling + t->offset, &n->text, sizeof n->text);
    return true;
}

static bool read_prefix(const struct spelling *s, const struct node *n)
{
    if (n)
        s->pack->spelling.prefix = n->text;
    return !n || expect_line(s, n, "what names begin with");
}

/* "{f16: torch.float16}"; needs: {tensor} must occur in each. */
static bool read_dtypes(const struct spelling *s, const struct node *map, const char **out,
                        bool needs)
{
    static const struct text_key cast = {.key = "casts", .needs = {"tensor"}};
    const char *known[DTYPE_END];
    int end = dtype_end();
    for (int d = DTYPE_BOOL; d < end; d++)
        known[d - DTYPE_BOOL] = dtype_word((enum dtype)d);
    if (!map)
        return true;
    if (!expect_kind(s->pack->file, map, NODE_MAP, "dtypes and how they are written", s->error) ||
        !expect_keys(s->pack->file, map, known, end - DTYPE_BOOL, "dtypes", s->error))
        return false;
    for (int i = 0; i < map->count; i++) {
        if (!expect_line(s, map->items[i], "a text") ||
            (needs && !check_placeholders(s, map->items[i], &cast)))
            return false;
        out[dtype_of_pack(s->pack, map->keys[i]->text)] = map->items[i]->text;
    }
    return true;
}

/* "{cpu: torch.device('cpu')}" */
static bool read_devices(const struct spelling *s, const struct node *map)
{
    const char *known[DEVICE_COUNT];
    for (int d = 0; d < DEVICE_COUNT; d++)
        known[d] = device_name((enum device)d);
    if (!map)
        return true;
    if (!expect_kind(s->pack->file, map, NODE_MAP, "devices and how they are written", s->error) ||
        !expect_keys(s->pack->file, map, known, DEVICE_COUNT, "devices", s->error))
        return false;
    for (int i = 0; i < map->count; i++) {
        bool cuda = !strcmp(map->keys[i]->text, device_name(DEVICE_CUDA));
        if (!expect_line(s, map->items[i], "a text"))
            return false;
        s->pack->spelling.devices[cuda ? DEVICE_CUDA : DEVICE_CPU] = map->items[i]->text;
    }
    return true;
}

bool spelling_load(struct pack_set *set, struct pack *p, const struct node *map, struct error *e)
{
    struct spelling s = {set, p, e};
    if (!expect_kind(p->file, map, NODE_MAP, "how casts and moves are written", e) ||
        !expect_keys(p->file, map, spelling_keys, spelling_key_count, "spelling", e) ||
        !read_prefix(&s, node_get(map, "prefix")) ||
        !read_dtypes(&s, node_get(map, "dtypes"), p->spelling.dtypes, false) ||
        !read_dtypes(&s, node_get(map, "casts"), p->spelling.casts, true) ||
        !read_devices(&s, node_get(map, "devices")))
        return false;
    for (int i = 0; i < TEXT_COUNT; i++)
        if (!read_text(&s, map, &texts[i]))
            return false;
    return true;
}

/* ---- questions ------------------------------------------------------------------------------ */

const struct pack_spelling *pack_spelling_of(const struct pack_function *f)
{
    return &f->pack->spelling;
}

const char *pack_written_name(struct arena *a, const struct pack_function *f)
{
    const char *prefix = f->pack->spelling.prefix;
    return prefix ? arena_printf(a, "%s%s", prefix, f->word) : f->name;
}

int pack_argument_named(const struct pack_function *f, const char *name)
{
    for (int i = 0; f->arguments && i < f->arguments->count; i++)
        if (strcmp(f->arguments->keys[i]->text, name) == 0)
            return i;
    return -1;
}
