/* A plan comes in, an executable goes out: each unit is compiled, from its file or from a text with
 * a harness or measurements in it, and all are linked with the runtime. Units that are compiled
 * from their files are compiled once. */
#include "analyzer/verify/c/private.h"

#include <string.h>

bool renames_main(const struct build *b, const struct verify_unit *u)
{
    bool starts = b->function ? u == b->unit : u == b->program->entry;
    return function_of(u, "main") && !starts;
}

/* An object of the program; what is ours may contain more. */
static const char *compile_plain(struct verifier *v, const struct compiling *how,
                                 struct build_error *e)
{
    const char *object = compile(v, how, &e->error);
    return object && object_is_plain(v, object, how->sanitizes, e) ? object : NULL;
}

static const char *object_of(struct verifier *v, const struct build *b, const struct verify_unit *u,
                             struct build_error *e)
{
    struct compiling how = {
        .unit = u, .renames_main = renames_main(b, u), .sanitizes = b->sanitizes};
    if (u == b->unit) {
        how.text = b->text;
        return compile_plain(v, &how, e);
    }
    if (b->branches && (how.text = branches_source(v, u, b->branches, b->follows)))
        return compile_plain(v, &how, e);
    struct map *objects = c_state(v)->objects;
    uint64_t key =
        hash_bytes(u->file, strlen(u->file), (how.renames_main ? 2 : 1) + (b->sanitizes ? 2 : 0));
    const char *object = map_get(objects, key);
    if (!object && (object = compile_plain(v, &how, e)))
        map_put(objects, key, (void *)(uintptr_t)object);
    return object;
}

/* For a library that is not here, or that would not say what was wrong. */
static bool add_stand_in(struct verifier *v, const struct build *b, text_list *objects,
                         struct error *e)
{
    static const char *const no_flags[] = {NULL};
    const struct verify_unit *entry = b->program->entry;
    const struct verify_unit unit = {
        .file = entry->file, .directory = entry->directory, .flags = no_flags};
    const struct compiling how = {
        .unit = &unit, .text = stand_in_for(v, b->program), .sanitizes = b->sanitizes};
    const char *object = how.text ? compile(v, &how, e) : NULL;
    if (object)
        LIST_ADD(v->arena, objects, object);
    return object || !how.text;
}

static bool make_executable(struct verifier *v, struct build *b, struct build_error *e)
{
    text_list objects = {0};
    for (int i = 0; i < b->program->units.count; i++) {
        const char *object = object_of(v, b, b->program->units.items[i], e);
        if (!object)
            return false;
        LIST_ADD(v->arena, &objects, object);
    }
    if (!add_stand_in(v, b, &objects, &e->error))
        return false;
    b->executable = link_objects(v, &objects, b->sanitizes, &e->error);
    return b->executable;
}

struct build *c_build(struct verifier *v, const struct build_plan *plan, struct build_error *e)
{
    struct build *b = arena_one(v->arena, struct build);
    const struct verify_unit *entry = plan->program->entry;
    *b = (struct build){.program = plan->program,
                        .function = plan->function,
                        .sanitizes = plan->checks_memory,
                        .branches = plan->branches,
                        .follows = plan->follows};
    if (plan->function) {
        b->unit = entry;
        b->text = harness_source(v, plan->program, function_of(entry, plan->function), &b->slots);
    } else if (plan->unit) {
        b->unit = plan->unit;
        b->text = measured_source(v, plan->unit, plan->findings, plan->measured);
        if (!b->text)
            return NULL;
    }
    return make_executable(v, b, e) ? b : NULL;
}
