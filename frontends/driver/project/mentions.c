/* Which model files a program can get to. What a model file imports from another, name by name, is
 * only needed if the name is mentioned: nobody can ask for one that no file of the program, and
 * none of the model files that it needs, has in it. */
#include "frontends/driver/project/project.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* "from module import name as bound", in a model file; without names: all that it has. */
struct offer {
    const char *module, *name, *bound;
};

/* What is only called is no module. */
enum mentioned { IS_CALLED = 1, IS_READ };

struct mentions {
    struct arena *arena;
    struct map *names;         /* enum mentioned, by hash */
    LIST(struct offer) offers; /* of model files that are needed */
    text_list parts;           /* of texts in the program, of which names may be put together */
    bool computes;             /* the program asks for members by names that it has put together */
};

struct mentions *mentions_new(struct arena *a)
{
    struct mentions *m = arena_one(a, struct mentions);
    m->arena = a;
    m->names = map_new(a);
    return m;
}

/* ---- what is mentioned ----------------------------------------------------------------------- */

static uint64_t hash_of(const char *name, size_t length)
{
    return hash_bytes(name, length, 1);
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static enum mentioned mentioned_as(const struct mentions *m, const char *name, size_t length)
{
    return (enum mentioned)(uintptr_t)map_get(m->names, hash_of(name, length));
}

/* "torch.nn" mentions both. */
static void mention(struct mentions *m, const char *dotted, enum mentioned as)
{
    for (const char *p = dotted; *p;) {
        size_t length = 0;
        while (is_of_name(p[length]))
            length++;
        if (length && mentioned_as(m, p, length) < as)
            map_put(m->names, hash_of(p, length), (void *)(uintptr_t)as);
        p += length ? length : 1;
    }
}

enum { LONGEST_TEXT = 256, SHORTEST_PART = 3 };

/* Names are made of texts that are short and one word. */
static void mention_text(struct mentions *m, const char *text, bool is_model)
{
    size_t length = strnlen(text, LONGEST_TEXT);
    if (length == LONGEST_TEXT || strpbrk(text, " \n\t"))
        return;
    mention(m, text, IS_READ);
    for (const char *p = text; *p && !is_model;) {
        size_t part = 0;
        while (is_of_name(p[part]))
            part++;
        if (part >= SHORTEST_PART)
            LIST_ADD(m->arena, &m->parts, arena_text(m->arena, p, part));
        p += part ? part : 1;
    }
}

/* Functions that find a member by a text. */
static bool is_computing(const char *name)
{
    static const char *const all[] = {"getattr", "attrgetter", "__dict__",      "__getattribute__",
                                      "vars",    "dir",        "import_module", "__import__",
                                      "eval",    "globals",    "locals"};
    for (int i = 0; i < COUNT(all); i++)
        if (!strcmp(all[i], name))
            return true;
    return false;
}

/* ---- units ----------------------------------------------------------------------------------- */

/* The instruction that takes a value as its first operand, if all who read the value do so. */
static bool is_read_by(const struct ir_function *fn, ir_value v, enum ir_op op)
{
    for (int i = 1; i < fn->insts.count; i++) {
        const struct ir_inst *by = &fn->insts.items[i];
        for (int k = 0; k < by->arg_count; k++)
            if (by->args[k] == v && by->op != op)
                return false;
    }
    return true;
}

/* Marks the instructions of "from module import name, …" in the body of a model file: all that is
 * done with the module is to take members of it, and with those, to give them names. */
static void note_offers(struct mentions *m, const struct ir_function *fn, bool *is_offer)
{
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *import = &fn->insts.items[n];
        bool is_all = import->op == IR_IMPORT && is_read_by(fn, n, IR_APPLY);
        if (is_all)
            LIST_ADD(m->arena, &m->offers, ((struct offer){.module = import->name}));
        is_offer[n] |= is_all;
        if (is_all || import->op != IR_IMPORT || !is_read_by(fn, n, IR_ATTR))
            continue;
        is_offer[n] = true;
        for (int k = n + 1; k + 1 < fn->insts.count; k++) {
            const struct ir_inst *member = &fn->insts.items[k], *set = member + 1;
            if (member->op != IR_ATTR || member->args[0] != n)
                continue;
            struct offer o = {.module = import->name};
            if (set->op == IR_SETNAME && set->args[0] == k && is_read_by(fn, k, IR_SETNAME)) {
                is_offer[k] = is_offer[k + 1] = true;
                o.name = member->name;
                o.bound = set->name;
            }
            LIST_ADD(m->arena, &m->offers, o);
        }
    }
}

/* A name that is given to something asks for nothing. */
static bool is_definition(enum ir_op op)
{
    return op == IR_SETNAME || op == IR_SETATTR || op == IR_CLOSURE || op == IR_CLASS;
}

/* Classes that derive from containers need the model file of these. */
static bool derives_from_container(const struct ir_function *fn, const struct ir_inst *class)
{
    static const char *const containers[] = {"dict", "list", "OrderedDict", "UserDict", "UserList"};
    for (int k = 0; class->op == IR_CLASS && k < class->arg_count; k++) {
        const struct ir_inst *base = &fn->insts.items[class->args[k]];
        for (int i = 0; base->name && i < COUNT(containers); i++)
            if (!strcmp(base->name, containers[i]))
                return true;
    }
    return false;
}

static void add_function(struct mentions *m, const struct ir_function *fn, bool is_model)
{
    bool *is_offer = arena_array(m->arena, bool, fn->insts.count + 1);
    if (is_model && !strcmp(fn->name, "(init)"))
        note_offers(m, fn, is_offer);
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (derives_from_container(fn, i))
            mention(m, "_containers", IS_READ);
        if (!i->name || is_offer[n] || is_definition(i->op))
            continue;
        if (i->op == IR_TEXT)
            mention_text(m, i->name, is_model);
        else
            mention(m, i->name, i->op == IR_INVOKE ? IS_CALLED : IS_READ);
        m->computes |= !is_model && i->op != IR_TEXT && is_computing(i->name);
    }
}

void mentions_add(struct mentions *m, const struct ir_unit *u, bool is_model)
{
    for (int k = 0; k < u->functions.count; k++)
        add_function(m, u->functions.items[k], is_model);
}

/* ---- what is needed -------------------------------------------------------------------------- */

static bool contains(const char *name, const char *part)
{
    size_t length = strlen(part);
    int first = tolower((unsigned char)*part);
    for (; *name; name++)
        if (tolower((unsigned char)*name) == first && !strncasecmp(name, part, length))
            return true;
    return false;
}

static bool is_mentioned(const struct mentions *m, const char *name, enum mentioned as)
{
    if (mentioned_as(m, name, strlen(name)) >= as)
        return true;
    for (int i = 0; i < m->parts.count && m->computes; i++)
        if (contains(name, m->parts.items[i]))
            return true;
    return false;
}

/* "a.b.c" is asked for by all its names, in whichever order. */
static bool are_mentioned(const struct mentions *m, const char *module)
{
    for (const char *p = module; *p;) {
        size_t length = strcspn(p, ".");
        if (!is_mentioned(m, arena_text(m->arena, p, length), IS_READ))
            return false;
        p += length + (p[length] == '.');
    }
    return true;
}

/* "a.b" and "c" are "a.b.c". */
static bool is_member(const char *module, const char *of, const char *name)
{
    size_t length = strlen(of);
    return !strncmp(module, of, length) && module[length] == '.' &&
           !strcmp(module + length + 1, name);
}

bool mentions_module(const struct mentions *m, const char *module)
{
    if (are_mentioned(m, module))
        return true;
    for (int i = 0; i < m->offers.count; i++) {
        const struct offer *o = &m->offers.items[i];
        bool is_of =
            !strcmp(module, o->module) || (o->name && is_member(module, o->module, o->name));
        if (is_of && (!o->bound || is_mentioned(m, o->bound, IS_CALLED)))
            return true;
    }
    return false;
}
