/* Lists of functions at the top of a pack: which of them autocast casts the operands of, what each
 * needs again for backward, and of what shape its result is.
 *
 *     autocast: {cuda: {low: [matmul, linear], f32: [exp, sum]}}
 *     saves:
 *     - {what: [a if b, b if a], by: [mul]}
 *     shapes:
 *     - {what: broadcast a b, by: [add, mul]}
 *
 * A name stands for every function of the pack that is called so, with whatever prefix. */
#include "analyzer/pack/private.h"

#include <stdio.h>
#include <string.h>

struct lists {
    struct pack_set *set;
    struct pack *pack;
    struct error *error;
};

static bool unknown_function(const struct lists *l, const struct node *n)
{
    LIST(const char *) known = {0};
    for (int i = 0; i < l->set->functions.count; i++)
        if (l->set->functions.items[i]->pack == l->pack)
            LIST_ADD(l->set->arena, &known, l->set->functions.items[i]->word);
    return unknown_word(l->pack->file, n, 0, "function", n->text, known.items, known.count,
                        l->error);
}

/* Calls apply for each function that the list names. */
static bool each_named(const struct lists *l, const struct node *list,
                       bool (*apply)(const struct lists *, struct pack_function *, const void *),
                       const void *what)
{
    if (!expect_kind(l->pack->file, list, NODE_LIST, "a list of functions", l->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct node *n = list->items[i];
        bool found = false;
        if (!expect_kind(l->pack->file, n, NODE_TEXT, "the name of a function", l->error))
            return false;
        for (int k = 0; k < l->set->functions.count; k++) {
            struct pack_function *f = l->set->functions.items[k];
            if (f->pack != l->pack || strcmp(f->word, n->text) != 0)
                continue;
            found = true;
            if (!apply(l, f, what))
                return false;
        }
        if (!found && !l->set->is_wanted)
            return unknown_function(l, n);
    }
    return true;
}

/* ---- autocast ------------------------------------------------------------------------------- */

static const char *const classes[] = {"none", "low", "f32", "first", "promote", "refused"};
enum { CLASS_COUNT = sizeof classes / sizeof classes[0] };

struct cast_class {
    enum device device;
    enum autocast how;
};

static bool set_class(const struct lists *l, struct pack_function *f, const void *what)
{
    const struct cast_class *c = what;
    (void)l;
    f->autocast[c->device] = c->how;
    return true;
}

static bool read_classes(const struct lists *l, enum device d, const struct node *map)
{
    if (!expect_kind(l->pack->file, map, NODE_MAP, "autocast classes", l->error) ||
        !expect_keys(l->pack->file, map, classes, CLASS_COUNT, "autocast", l->error))
        return false;
    for (int i = 0; i < CLASS_COUNT; i++) {
        const struct node *list = node_get(map, classes[i]);
        struct cast_class c = {d, (enum autocast)i};
        if (list && !each_named(l, list, set_class, &c))
            return false;
    }
    return true;
}

static bool read_autocast(const struct lists *l, const struct node *map)
{
    const char *devices[DEVICE_COUNT];
    for (int d = 0; d < DEVICE_COUNT; d++)
        devices[d] = device_name((enum device)d);
    if (!expect_kind(l->pack->file, map, NODE_MAP, "devices", l->error) ||
        !expect_keys(l->pack->file, map, devices, DEVICE_COUNT, "autocast", l->error))
        return false;
    for (int d = 0; d < DEVICE_COUNT; d++) {
        const struct node *n = node_get(map, devices[d]);
        if (n && !read_classes(l, (enum device)d, n))
            return false;
    }
    return true;
}

/* ---- what backward needs --------------------------------------------------------------------- */

static bool find_param(const struct lists *l, const struct pack_function *f, const struct node *n,
                       const char *name, int *out)
{
    const char *known[PACK_MAX_PARAMS];
    for (int i = 0; i < f->param_count; i++) {
        known[i] = f->params[i].name;
        if (strcmp(known[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    char what[120];
    snprintf(what, sizeof what, "parameter of %s", f->word);
    return unknown_word(l->pack->file, n, 0, what, name, known, f->param_count, l->error);
}

/* "x", "result", "own", "x if y": only if y requires grad, "x if tensor": not as a number, or
 * "x if no count": only if that number is 0 or left out, "x if cuda": only if it is on the GPU. */
static bool read_save(const struct lists *l, const struct pack_function *f, const struct node *n,
                      struct pack_save *out)
{
    char what[64], with[64], without[64];
    *out = (struct pack_save){-1, -1, false, -1, false};
    if (!expect_kind(l->pack->file, n, NODE_TEXT, "a parameter, or result", l->error))
        return false;
    int words = sscanf(n->text, "%63s if %63s %63s", what, with, without);
    if (words < 1)
        return error_at(l->error, l->pack->file, n->line, n->column,
                        "expected a parameter, or result");
    if (strcmp(what, "own") == 0)
        out->what = SAVES_OWN;
    else if (strcmp(what, "result") != 0 && !find_param(l, f, n, what, &out->what))
        return false;
    if (words == 3 && strcmp(with, "no") == 0)
        return find_param(l, f, n, without, &out->only_without);
    out->only_tensor = words == 2 && strcmp(with, "tensor") == 0;
    out->only_cuda = words == 2 && strcmp(with, "cuda") == 0;
    return words < 2 || out->only_tensor || out->only_cuda ||
           find_param(l, f, n, with, &out->only_with);
}

static bool set_saves(const struct lists *l, struct pack_function *f, const void *what)
{
    const struct node *list = what;
    struct pack_save *saves = arena_array(l->set->arena, struct pack_save, list->count);
    for (int i = 0; i < list->count; i++)
        if (!read_save(l, f, list->items[i], &saves[i]))
            return false;
    f->saves = saves;
    f->save_count = list->count;
    return true;
}

static bool read_saves(const struct lists *l, const struct node *list)
{
    static const char *const keys[] = {"what", "by"};
    if (!expect_kind(l->pack->file, list, NODE_LIST, "a list of what is saved", l->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct node *n = list->items[i];
        if (!expect_kind(l->pack->file, n, NODE_MAP, "'what' and 'by'", l->error) ||
            !expect_keys(l->pack->file, n, keys, 2, "saves", l->error))
            return false;
        const struct node *what = node_get(n, "what"), *by = node_get(n, "by");
        if (!what || !by)
            return error_at(l->error, l->pack->file, n->line, n->column,
                            "expected 'what' and 'by', two lists");
        if (!expect_kind(l->pack->file, what, NODE_LIST, "a list of parameters", l->error) ||
            !each_named(l, by, set_saves, what))
            return false;
    }
    return true;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum shape_rule rule;
    int params;
} shapes[] = {{"like", SHAPE_LIKE, 1},
              {"broadcast", SHAPE_BROADCAST, 2},
              {"matmul", SHAPE_MATMUL, 2},
              {"linear", SHAPE_LINEAR, 2},
              {"sizes", SHAPE_SIZES, 1}};
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

/* "like x", "broadcast a b", "matmul a b", "linear a b", "sizes dims by ndim" */
static bool set_shape(const struct lists *l, struct pack_function *f, const void *what)
{
    const struct node *n = what;
    char word[24], first[64], second[64] = "";
    int count = sscanf(n->text, "%23s %63s %63s", word, first, second), which = 0;
    while (which < SHAPE_COUNT && strcmp(word, shapes[which].word) != 0)
        which++;
    bool sizes = which < SHAPE_COUNT && shapes[which].rule == SHAPE_SIZES;
    struct pack_shape *s = &f->shape;
    *s = (struct pack_shape){.of = {-1, -1}};
    if (sizes) {
        s->field = arena_text(l->set->arena, first, strlen(first));
        count = sscanf(n->text, "%*s %*s by %63s", first) + 1;
    }
    if (which == SHAPE_COUNT || count != shapes[which].params + 1)
        return error_at(
            l->error, l->pack->file, n->line, n->column,
            "expected 'like x', 'broadcast a b', 'matmul a b', 'linear a b' or 'sizes dims "
            "by n'");
    s->rule = shapes[which].rule;
    return find_param(l, f, n, first, &s->of[0]) &&
           (shapes[which].params < 2 || find_param(l, f, n, second, &s->of[1]));
}

static bool read_shapes(const struct lists *l, const struct node *list)
{
    static const char *const keys[] = {"what", "by"};
    if (!expect_kind(l->pack->file, list, NODE_LIST, "a list of shapes", l->error))
        return false;
    for (int i = 0; i < list->count; i++) {
        const struct node *n = list->items[i];
        if (!expect_kind(l->pack->file, n, NODE_MAP, "'what' and 'by'", l->error) ||
            !expect_keys(l->pack->file, n, keys, 2, "shapes", l->error))
            return false;
        const struct node *what = node_get(n, "what"), *by = node_get(n, "by");
        if (!what || !by)
            return error_at(l->error, l->pack->file, n->line, n->column,
                            "expected 'what', a shape, and 'by', a list");
        if (!expect_kind(l->pack->file, what, NODE_TEXT, "a shape", l->error) ||
            !each_named(l, by, set_shape, what))
            return false;
    }
    return true;
}

bool lists_load(struct pack_set *s, struct pack *p, const struct node *root, struct error *e)
{
    struct lists l = {s, p, e};
    const struct node *autocast = node_get(root, "autocast"), *saves = node_get(root, "saves");
    const struct node *shapes_said = node_get(root, "shapes");
    return (!autocast || read_autocast(&l, autocast)) && (!saves || read_saves(&l, saves)) &&
           (!shapes_said || read_shapes(&l, shapes_said));
}
