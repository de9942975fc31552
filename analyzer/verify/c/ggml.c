/* Programs on ggml: the records of the library that was loaded into them (verify/ggml) come in,
 * with addresses; events of operations at source lines go out. What cannot be resolved leaves the
 * run without an answer, never with a wrong one. */
#include "analyzer/verify/c/private.h"
#include "analyzer/verify/judge.h"
#include "analyzer/verify/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern char **environ;

#define GGML "ggml"
static const char prefix[] = "ggml_", library[] = "libggml", computes[] = "ggml_compute_forward_";

enum { MODULES = 256, ADDRESSES_AT_ONCE = 2000 };

/* A function and a line that an address is in; the innermost first, if functions are inlined. */
struct place {
    const char *function, *file; /* file NULL: not known */
    bool is_library;             /* one of ggml's */
    int line;
    struct place *outer;
};

struct module {
    const char *path;
    bool is_library; /* one of ggml's */
    bool is_same;    /* the file is that which ran */
    LIST(uint64_t) addresses;
    struct map *places; /* by address; NULL: none was resolved */
};

struct reading {
    struct verifier *v;
    struct run *run;
    struct module modules[MODULES];
    bool lacks_lines;    /* some call of ggml has none */
    bool has_operations; /* some tensor was made by a function of ggml */
};

typedef LIST(struct place) place_list;

/* ---- starting ---------------------------------------------------------------------------------
 */

static bool is_about_ggml(struct verifier *v, const struct finding *f)
{
    const struct pack_function *callee = callee_at(v, f);
    return callee && !strcmp(pack_of(callee), GGML);
}

static bool is_any_about_ggml(struct verifier *v, const finding_list *findings)
{
    for (int i = 0; i < findings->count; i++)
        if (is_about_ggml(v, findings->items[i]))
            return true;
    return false;
}

const char *c_library_for(struct verifier *v, const finding_list *findings)
{
    return is_any_about_ggml(v, findings) ? "the runtime or ggml" : v->in->runner->library;
}

const char *const *c_command_variables(struct verifier *v, const finding_list *findings)
{
    text_list words = {0};
    if (is_any_about_ggml(v, findings) && c_tools(v)->observer) {
        const char *before = getenv("LD_PRELOAD");
        LIST_ADD(v->arena, &words,
                 arena_printf(v->arena, "LD_PRELOAD=%s%s%s", c_tools(v)->observer,
                              before && *before ? ":" : "", before ? before : ""));
        LIST_ADD(v->arena, &words, "GGML_NO_BACKTRACE=1"); /* else it starts a debugger */
    }
    LIST_ADD(v->arena, &words, NULL);
    return words.items;
}

static bool is_of_ggml(const struct run *r)
{
    const char *library = json_string_value(json_object_get(r->first, "library"));
    return library && !strcmp(library, GGML);
}

const char *c_unobserved(struct verifier *v, const struct finding *f, const struct run *r)
{
    if (is_of_ggml(r) != is_about_ggml(v, f))
        return "";
    return is_of_ggml(r) && !f->failure ? "ggml does not notice how its data are used" : NULL;
}

/* Only what makes a tensor of its own has a place among those that are computed. */
const char *c_unseen(const struct pack_function *callee)
{
    bool is_seen = callee->returns_tensor && callee->alias != ALIAS_VIEW;
    return strcmp(pack_of(callee), GGML) != 0 || is_seen
               ? NULL
               : "this call adds no operation to a graph, and is only seen if it aborts";
}

/* ---- addresses --------------------------------------------------------------------------------
 */

static void take_module(struct reading *d, const json_t *o)
{
    int64_t number = json_integer_value(json_object_get(o, "module"));
    const char *path = json_string_value(json_object_get(o, "path"));
    struct stat s;
    if (number < 0 || number >= MODULES || !path)
        return;
    struct module *m = &d->modules[number];
    m->path = path;
    m->places = map_new(d->v->arena);
    m->is_library = !strncmp(path_last(path), library, sizeof library - 1);
    m->is_same = !stat(path, &s) && s.st_size == json_integer_value(json_object_get(o, "size")) &&
                 (int64_t)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec ==
                     json_integer_value(json_object_get(o, "written"));
}

static struct module *module_of(struct reading *d, const json_t *frame, uint64_t *address)
{
    int64_t number = json_integer_value(json_array_get(frame, 0));
    *address = (uint64_t)json_integer_value(json_array_get(frame, 1));
    return number >= 0 && number < MODULES && d->modules[number].path ? &d->modules[number] : NULL;
}

/* Addresses are keys; 0 is none. */
static uint64_t key_of(uint64_t address)
{
    return hash_bytes(&address, sizeof address, 1);
}

static void take_addresses(struct reading *d, const json_t *stack)
{
    static char asked;
    for (size_t i = 0; i < json_array_size(stack); i++) {
        uint64_t address;
        struct module *m = module_of(d, json_array_get(stack, i), &address);
        if (!m || map_get(m->places, key_of(address)))
            continue;
        map_put(m->places, key_of(address), &asked);
        LIST_ADD(d->v->arena, &m->addresses, address);
    }
}

static const char *next_line(struct arena *a, const char **at)
{
    const char *end = strchr(*at, '\n');
    const char *line = end ? arena_printf(a, "%.*s", (int)(end - *at), *at) : NULL;
    *at = end ? end + 1 : *at;
    return line;
}

/* "FILE:LINE (discriminator 2)", "??:?" */
static void read_place(struct reading *d, const char *text, struct place *p)
{
    const char *colon = strrchr(text, ':');
    p->line = colon && *text != '?' ? atoi(colon + 1) : 0;
    if (p->line > 0) {
        p->file = source_path(d->v, arena_printf(d->v->arena, "%.*s", (int)(colon - text), text));
    }
}

/* "0x…", then a function and a place for each that is inlined there. */
static void read_resolved(struct reading *d, struct module *m, const char *said)
{
    struct arena *a = d->v->arena;
    struct place *last = NULL;
    uint64_t address = 0;
    for (const char *line; (line = next_line(a, &said));) {
        if (!strncmp(line, "0x", 2)) {
            address = strtoull(line, NULL, 16);
            last = NULL;
            continue;
        }
        const char *where = next_line(a, &said);
        struct place *p = arena_one(a, struct place);
        *p = (struct place){.function = line, .is_library = m->is_library};
        if (!where)
            return;
        read_place(d, where, p);
        if (last)
            last->outer = p;
        else
            map_put(m->places, key_of(address), p);
        last = p;
    }
}

static const char *resolve_some(struct reading *d, struct module *m, int from, int to)
{
    struct verifier *v = d->v;
    const char *out = arena_printf(v->arena, "%s/places%d", v->room, v->made++);
    const char *const first[] = {"addr2line", "-a", "-f", "-i", "-e", m->path};
    text_list argv = {0};
    struct error unread;
    size_t length;
    for (size_t i = 0; i < COUNT(first); i++)
        LIST_ADD(v->arena, &argv, first[i]);
    for (int i = from; i < to; i++)
        LIST_ADD(v->arena, &argv,
                 arena_printf(v->arena, "%#llx", (unsigned long long)m->addresses.items[i]));
    LIST_ADD(v->arena, &argv, NULL);
    const struct tool_command c = {.argv = argv.items, .environment = environ, .output = out};
    const char *wrong = tool_run(v, &c);
    return wrong ? NULL : file_read(v->arena, out, &length, &unread);
}

static void resolve(struct reading *d, struct module *m)
{
    struct map *asked = m->places;
    if (!asked)
        return;
    m->places = map_new(d->v->arena);
    for (int from = 0; m->is_same && from < m->addresses.count; from += ADDRESSES_AT_ONCE) {
        int left = m->addresses.count - from;
        const char *said =
            resolve_some(d, m, from, from + (left < ADDRESSES_AT_ONCE ? left : ADDRESSES_AT_ONCE));
        if (said)
            read_resolved(d, m, said);
    }
}

static place_list places_of(struct reading *d, const json_t *o)
{
    place_list out = {0};
    const json_t *stack = json_object_get(o, "stack");
    for (size_t i = 0; i < json_array_size(stack); i++) {
        uint64_t address;
        struct module *m = module_of(d, json_array_get(stack, i), &address);
        const struct place *p = m ? map_get(m->places, key_of(address)) : NULL;
        for (; p; p = p->outer)
            LIST_ADD(d->v->arena, &out, *p);
    }
    return out;
}

static bool is_ggml(const char *function)
{
    return !strncmp(function, prefix, sizeof prefix - 1);
}

/* ---- operations -------------------------------------------------------------------------------
 */

/* Adds an event for each call of a function of ggml on the stack whose line is known. */
static void add_calls(struct reading *d, const place_list *stack, const struct event *what)
{
    for (int i = 0; i + 1 < stack->count; i++) {
        const char *name = stack->items[i].function;
        struct event e = *what;
        if (!is_ggml(name) || !stack->items[i + 1].file)
            continue;
        name += sizeof prefix - 1;
        e.op = arena_printf(d->v->arena, "%.*s", (int)strcspn(name, "."), name);
        e.file = stack->items[i + 1].file;
        e.line = stack->items[i + 1].line;
        LIST_ADD(d->run->arena, &d->run->events, e);
    }
}

/* What it says is about types, not about sizes or the order of elements. In kernels a switch over
 * types ends without saying so. */
static bool is_about_types(const char *message, const place_list *stack)
{
    static const char *const words[] = {"GGML_TYPE_", "type ==",     "type !=", "== type",
                                        "quantized",  "unsupported", " only"};
    static const char *const ends[] = {"fatal error", "not implemented"};
    bool is_end = false;
    for (size_t i = 0; i < COUNT(words); i++)
        if (strstr(message, words[i]))
            return true;
    for (size_t i = 0; i < COUNT(ends); i++)
        is_end |= !strcmp(message, ends[i]);
    for (int i = 0; i < stack->count && is_end; i++)
        if (strstr(stack->items[i].function, computes))
            return true;
    return false;
}

static const json_t *site_at(const struct reading *d, int64_t number)
{
    for (size_t i = 0; number >= 0 && i < json_array_size(d->run->lines); i++) {
        const json_t *o = json_array_get(d->run->lines, i), *site = json_object_get(o, "site");
        if (site && json_integer_value(site) == number)
            return o;
    }
    return NULL;
}

/* The operation that a kernel computes: "mul_mat"; NULL: none is on the stack. */
static const char *computed_op(const place_list *stack)
{
    const char *op = NULL;
    for (int i = 0; i < stack->count; i++)
        if (!strncmp(stack->items[i].function, computes, sizeof computes - 1))
            op = stack->items[i].function + sizeof computes - 1;
    return op;
}

/* Whether the functions that made a tensor are of an operation, or of one whose name goes on. */
static bool is_of(const place_list *stack, const char *op)
{
    size_t n = strcspn(op, ".");
    for (int i = 0; i < stack->count; i++) {
        const char *name = stack->items[i].function;
        if (!strncmp(name, prefix, sizeof prefix - 1) && !strncmp(name + sizeof prefix - 1, op, n))
            return true;
    }
    return false;
}

/* Kernels of what functions with other names make. */
static bool is_of_many(const char *op)
{
    static const char *const names[] = {"dup", "unary", "glu"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (!strcmp(op, names[i]))
            return true;
    return false;
}

/* The only place that made tensors of an operation; NULL: there are none, or several. */
static const json_t *only_site_of(struct reading *d, const char *op)
{
    const json_t *found = NULL;
    if (!op || is_of_many(op))
        return NULL;
    for (size_t i = 0; i < json_array_size(d->run->lines); i++) {
        const json_t *o = json_array_get(d->run->lines, i);
        place_list stack = {0};
        if (!json_object_get(o, "site"))
            continue;
        stack = places_of(d, o);
        if (!is_of(&stack, op))
            continue;
        if (found)
            return NULL;
        found = o;
    }
    return found;
}

/* "ggml says …" of what ended the run elsewhere. */
static void say_ended(struct reading *d, const char *message, const place_list *stack)
{
    json_t *ended = json_pack("{s:s,s:s}", "type", "ggml's abort", "message", message);
    for (int i = 1; i < stack->count; i++) {
        bool calls = is_ggml(stack->items[i - 1].function) && !is_ggml(stack->items[i].function);
        if (!calls || !stack->items[i].file)
            continue;
        json_object_set_new(ended, "file", json_string(stack->items[i].file));
        json_object_set_new(ended, "line", json_integer(stack->items[i].line));
        break;
    }
    json_object_set_new((json_t *)(uintptr_t)d->run->last, "ended", ended);
}

static void leave(struct reading *d, const char *why)
{
    d->run->unknown = why;
    d->run->complete = false;
}

static const char not_by_name[] = "ggml is linked statically, or its functions do not call each "
                                  "other by name: what they do is not "
                                  "observed";

static bool has_ggml(const place_list *stack)
{
    for (int i = 0; i < stack->count; i++)
        if (is_ggml(stack->items[i].function))
            return true;
    return false;
}

static void take_abort(struct reading *d, const json_t *o)
{
    struct arena *a = d->v->arena;
    const char *message = json_string_value(json_object_get(o, "message"));
    place_list stack = places_of(d, o), made = stack;
    const char *op = computed_op(&stack);
    if (!message) { /* not ggml's, or ggml is part of the program */
        if (has_ggml(&stack))
            leave(d, not_by_name);
        else
            d->run->end =
                (struct sandbox_end){.how = SANDBOX_SIGNALLED, .status = 6, .ns = d->run->end.ns};
        return;
    }
    if (op || json_is_true(json_object_get(o, "computing"))) {
        const json_t *site = site_at(d, json_integer_value(json_object_get(o, "of")));
        site = site ? site : only_site_of(d, op);
        if (!site) {
            leave(d, arena_printf(a,
                                  "ggml aborted with \"%s\" in an operation whose line is not "
                                  "known",
                                  message));
            return;
        }
        made = places_of(d, site);
    }
    const struct event e = {.op = "",
                            .error = message,
                            .error_kind = is_about_types(message, &stack) ? "dtype" : "value",
                            .deferred = "aborted"};
    add_calls(d, &made, &e);
    say_ended(d, message, &made);
}

/* Whether the call that led into ggml has no line: then nothing is known of where it is. */
static bool lacks_line(const place_list *stack)
{
    int i = 0;
    while (i < stack->count && (stack->items[i].is_library || is_ggml(stack->items[i].function)))
        i++;
    return i < stack->count && !stack->items[i].file;
}

static void take_site(struct reading *d, const json_t *o, bool aborts)
{
    place_list stack = places_of(d, o);
    d->lacks_lines |= lacks_line(&stack);
    d->has_operations |= stack.count && is_ggml(stack.items[0].function);
    bool computed = json_is_true(json_object_get(o, "computed"));
    const struct event e = {
        .op = "",
        .deferred = computed ? "computed what this line adds to a graph, and ggml did not abort"
                    : aborts ? "aborted before it computed what this line adds to a graph"
                             : "did not compute what this line adds to a graph"};
    add_calls(d, &stack, &e);
}

void c_read_process(struct verifier *v, struct run *r)
{
    struct reading *d = arena_one(v->arena, struct reading);
    const json_t *aborts = NULL;
    *d = (struct reading){.v = v, .run = r};
    if (!is_of_ggml(r) || !r->last)
        return;
    for (size_t i = 0; i < json_array_size(r->lines); i++) {
        const json_t *o = json_array_get(r->lines, i);
        if (json_object_get(o, "module"))
            take_module(d, o);
        take_addresses(d, json_object_get(o, "stack"));
        aborts = json_object_get(o, "aborts") ? o : aborts;
    }
    for (int i = 0; i < MODULES; i++)
        resolve(d, &d->modules[i]);
    if (!program_find(v->arena, "addr2line")) {
        leave(d, "addr2line (binutils) is not found, which reads the lines of a program");
        return;
    }
    for (size_t i = 0, n = json_array_size(r->lines); i < n; i++)
        if (json_object_get(json_array_get(r->lines, i), "site"))
            take_site(d, json_array_get(r->lines, i), aborts);
    if (aborts)
        take_abort(d, aborts);
    if (d->lacks_lines)
        leave(d,
              "a part of the program has no debug information (-g), or was built by the command");
    else if (!r->unknown && !d->has_operations)
        leave(d, not_by_name);
    else if (json_is_true(json_object_get(r->last, "cut_sites")))
        leave(d, "it made tensors at more places than are recorded");
}
