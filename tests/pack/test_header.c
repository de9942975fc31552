/* The pack of our tensor API against its headers, both ways: every function that is declared is in
 * the pack and the other way round; every parameter of the pack is an argument, or a field of
 * options, of a type that fits; every tensor, number, dtype and device that a function takes is a
 * parameter. The headers are read as text, which their style allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/pack/pack.h"

/* A C declaration: mc_tensor **indices is "mc_tensor**" and "indices". */
struct declared {
    const char *type, *name;
};

/* A function with its arguments, or a struct with its fields. */
struct group {
    const char *name;
    LIST(struct declared) members;
};

struct header {
    struct arena *arena;
    LIST(struct group) functions, structs;
};

/* ---- reading ------------------------------------------------------------------------------------
 */

/* Overwrites comments, preprocessor lines and what only C++ sees by spaces. */
static void blank(char *from, char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

static char *line_end(char *at)
{
    char *end = strchr(at, '\n');
    while (end && end > at && end[-1] == '\\')
        end = strchr(end + 1, '\n');
    return end ? end : at + strlen(at);
}

static void strip(char *text)
{
    for (char *at = strstr(text, "/*"); at; at = strstr(at, "/*"))
        blank(at, strstr(at, "*/") + 2);
    int plus_plus = 0; /* how deep inside #ifdef __cplusplus */
    for (char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = line_end(at);
        if (strncmp(at, "#if", 3) == 0)
            plus_plus += plus_plus || strncmp(at, "#ifdef __cplusplus", 18) == 0;
        else if (plus_plus == 1 && strncmp(at, "#else", 5) == 0)
            plus_plus = -1;
        else if (strncmp(at, "#endif", 6) == 0 && plus_plus)
            plus_plus = plus_plus < 0 ? 0 : plus_plus - 1;
        if (*at == '#' || plus_plus > 0)
            blank(at, end);
    }
}

/* "const mc_tensor *x": the last word is the name, stars belong to the type. */
static struct declared declaration(struct arena *a, const char *from, const char *to)
{
    struct text type = {0};
    while (to > from && (isspace((unsigned char)to[-1]) || to[-1] == ']')) {
        to--;
        while (*to == ']' && to > from && to[-1] != '[')
            to--;
        if (*to != ']' && to > from && to[-1] == '[')
            to--;
    }
    const char *name = to;
    while (name > from && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    for (const char *at = from; at < name; at++)
        if (!isspace((unsigned char)*at))
            text_add_range(&type, at, 1);
    struct declared d = {arena_printf(a, "%s", type.data ? type.data : ""),
                         arena_text(a, name, (size_t)(to - name))};
    text_free(&type);
    return d;
}

static void read_members(struct header *h, struct group *g, const char *from, const char *to,
                         char separator)
{
    while (from < to) {
        const char *end = memchr(from, separator, (size_t)(to - from));
        end = end ? end : to;
        struct declared d = declaration(h->arena, from, end);
        if (*d.name)
            LIST_ADD(h->arena, &g->members, d);
        from = end + 1;
    }
}

/* typedef struct NAME { … } NAME; */
static void read_structs(struct header *h, const char *text)
{
    for (const char *at = strstr(text, "typedef struct "); at; at = strstr(at, "typedef struct ")) {
        const char *name = at + 15, *open = strpbrk(name, "{;");
        at = name;
        if (*open == ';')
            continue;
        const char *close = strstr(open, "\n}");
        struct group g = {.name = arena_text(h->arena, name, strcspn(name, " {"))};
        read_members(h, &g, open + 1, close, ';');
        LIST_ADD(h->arena, &h->structs, g);
    }
}

static void read_function(struct header *h, const char *at)
{
    const char *open = strchr(at, '('), *close = strchr(open, ')'), *name = open;
    while (isalnum((unsigned char)name[-1]) || name[-1] == '_')
        name--;
    struct group g = {.name = arena_text(h->arena, name, (size_t)(open - name))};
    read_members(h, &g, open + 1, close, ',');
    LIST_ADD(h->arena, &h->functions, g);
}

/* MC_FUNCTION(relu): mc_tensor *(mc_relu)(mc_tensor *x) */
static void read_plain_function(struct header *h, const char *at)
{
    struct group g = {.name = arena_printf(h->arena, "mc_%.*s", (int)strcspn(at, ")"), at)};
    struct declared x = {"mc_tensor*", "x"};
    LIST_ADD(h->arena, &g.members, x);
    LIST_ADD(h->arena, &h->functions, g);
}

static void read_functions(struct header *h, const char *text)
{
    static const char *const begin[] = {"MC_API ", "static inline "};
    for (int i = 0; i < 2; i++)
        for (const char *at = strstr(text, begin[i]); at; at = strstr(at + 1, begin[i]))
            read_function(h, at);
    for (const char *at = strstr(text, "MC_FUNCTION("); at; at = strstr(at + 1, "MC_FUNCTION("))
        read_plain_function(h, at + 12);
}

static void read_header(struct header *h, const char *name)
{
    struct error e = {0};
    char *text = file_read(h->arena, arena_printf(h->arena, "%s/%s", HEADERS, name), NULL, &e);
    if (!text)
        fail_msg("%s", e.message);
    strip(text);
    read_structs(h, text);
    read_functions(h, text);
}

/* ---- comparing ----------------------------------------------------------------------------------
 */

static const struct group *find_group(const struct group *groups, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(groups[i].name, name) == 0)
            return &groups[i];
    return NULL;
}

/* Which C types a parameter may have; needed: one of that type must be a parameter. */
static const struct fit {
    const char *type;
    enum operand_kind kind;
    bool also_number, out, needed;
} fits[] = {
    {"mc_tensor*", OPERAND_TENSOR, false, false, true},
    {"constmc_tensor*", OPERAND_TENSOR, false, false, true},
    {"mc_tensor*const*", OPERAND_TENSOR, false, false, true},
    {"mc_tensor**", OPERAND_TENSOR, false, true, true},
    {"mc_arg", OPERAND_TENSOR, true, false, true},
    {"mc_arg", OPERAND_FLOAT, true, false, true},
    {"mc_dtype", OPERAND_DTYPE, false, false, true},
    {"mc_device", OPERAND_DEVICE, false, false, true},
    {"constvoid*", OPERAND_BUFFER, false, false, false},
    {"void*", OPERAND_BUFFER, false, false, false},
    {"bool", OPERAND_BOOL, false, false, false},
    {"double", OPERAND_FLOAT, false, false, false},
    {"int", OPERAND_INT, false, false, false},
    {"int64_t", OPERAND_INT, false, false, false},
    {"size_t", OPERAND_INT, false, false, false},
    {"unsigned", OPERAND_INT, false, false, false},
    {"mc_reduction", OPERAND_INT, false, false, false},
};

static bool fitting(const char *type, const struct pack_param *p)
{
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++)
        if (strcmp(fits[i].type, type) == 0 && fits[i].kind == p->kind &&
            fits[i].also_number == p->also_number && fits[i].out == p->out)
            return true;
    return false;
}

static bool is_needed(const char *type)
{
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++)
        if (strcmp(fits[i].type, type) == 0 && fits[i].needed)
            return true;
    return false;
}

/* What decides nothing of dtypes and devices. */
static bool is_let_go(const char *function, const char *member)
{
    static const char *const pairs[][2] = {{"mc_op_add_", "out"},
                                           {"mc_op_sub_", "out"},
                                           {"mc_op_argsort", "indices"},
                                           {"mc_op_cross_entropy", "ignore_index"},
                                           {"mc_op_nll_loss", "ignore_index"},
                                           {"mc_dtype_name", "d"},
                                           {"mc_device_name", "d"},
                                           {"mc_backend_name", "d"},
                                           {"mc_arg_pointer", "null"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(pairs[i][0], function) == 0 && strcmp(pairs[i][1], member) == 0)
            return true;
    return false;
}

struct walk {
    const struct header *header;
    const struct pack_function *function;
    const char *path[4];
    int argument, depth;
    int found, wrong;
};

static const struct pack_param *param_here(const struct walk *w)
{
    for (int i = 0; i < w->function->param_count; i++) {
        const struct pack_param *p = &w->function->params[i];
        int same = p->argument == w->argument;
        for (int k = 0; same && k < 3; k++) {
            const char *want = k < w->depth ? w->path[k] : NULL;
            same = !want == !p->path[k] && (!want || strcmp(want, p->path[k]) == 0);
        }
        if (same)
            return p;
    }
    return NULL;
}

static void visit(struct walk *w, const struct declared *d)
{
    const struct group *record =
        find_group(w->header->structs.items, w->header->structs.count, d->type);
    bool boxed = strcmp(d->type, "mc_arg") == 0;
    const struct pack_param *p = param_here(w);
    w->found += p != NULL;
    if (record && !boxed && !p && w->depth < 3) {
        for (int i = 0; i < record->members.count; i++) {
            w->path[w->depth++] = record->members.items[i].name;
            visit(w, &record->members.items[i]);
            w->depth--;
        }
        return;
    }
    bool let_go = is_let_go(w->function->name, d->name);
    bool fine = p ? p->held || fitting(d->type, p) : !is_needed(d->type);
    if (!fine && !let_go) {
        print_error("%s: %s %s is %s in the pack\n", w->function->name, d->type, d->name,
                    p ? "something else" : "not");
        w->wrong++;
    }
}

static int compare(const struct header *h, const struct group *g, const struct pack_function *f)
{
    struct walk w = {.header = h, .function = f};
    for (w.argument = 0; w.argument < g->members.count; w.argument++)
        visit(&w, &g->members.items[w.argument]);
    if (w.found != f->param_count) {
        print_error("%s: parameters of the pack are none of the function\n", f->name);
        w.wrong++;
    }
    return w.wrong;
}

static struct pack_set *load_pack(struct arena *a)
{
    struct error e = {0};
    struct pack_set *packs = packs_new(a, names_new(a));
    if (!packs_load(packs, arena_printf(a, "%s/miscast.yaml", packs_builtin_dir()), &e))
        fail_msg("%s:%d:%d: %s", e.file, e.line, e.column, e.message);
    return packs;
}

static void pack_and_header_agree(void **state)
{
    (void)state;
    struct header h = {.arena = arena_new()};
    struct pack_set *packs = load_pack(h.arena);
    int wrong = 0;
    read_header(&h, "types.h");
    read_header(&h, "tensor.h");
    read_header(&h, "amp.h");
    read_header(&h, "optim.h");
    for (int i = 0; i < h.functions.count; i++) {
        const struct group *g = &h.functions.items[i];
        const struct pack_function *f = packs_find(packs, g->name);
        if (!f)
            print_error("%s is not in the pack\n", g->name);
        wrong += f ? compare(&h, g, f) : 1;
    }
    for (int i = 0; i < packs_function_count(packs); i++) {
        const char *name = packs_function_at(packs, i)->name;
        if (!find_group(h.functions.items, h.functions.count, name)) {
            print_error("%s is in no header\n", name);
            wrong++;
        }
    }
    assert_true(h.functions.count > 400);
    assert_int_equal(wrong, 0);
    arena_free(h.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pack_and_header_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
