/* A thread's share of a verification: made before its first task, freed after its last one. */
#include "analyzer/verify/verifier.h"

#include "analyzer/verify/runner.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *make_folder(struct verifier *v, const char *name)
{
    const char *path = arena_printf(v->arena, "%s/%s%d", v->room, name, v->made++);
    return mkdir(path, 0700) ? NULL : path;
}

const char *path_real(struct verifier *v, const char *directory, const char *path)
{
    if (directory && *path != '/')
        path = arena_printf(v->arena, "%s/%s", directory, path);
    uint64_t key = hash_bytes(path, strlen(path), 0);
    const char *known = map_get(v->real_paths, key);
    if (known)
        return known;
    char *real = realpath(path, NULL);
    const char *kept = arena_printf(v->arena, "%s", real ? real : path);
    free(real);
    uint64_t own = hash_bytes(kept, strlen(kept), 0);
    const char *first = map_get(v->real_paths, own);
    first = first ? first : kept;
    map_put(v->real_paths, own, (void *)(uintptr_t)first);
    map_put(v->real_paths, key, (void *)(uintptr_t)first);
    return first;
}

/* Under its real path, and as units and findings name it. */
static void put_unsaved(struct verifier *v)
{
    const char *file = path_real(v, NULL, v->in->unsaved), *text = v->in->unsaved_text;
    sources_put(v->sources, file, text, strlen(text));
    for (int i = 0; i < v->in->unit_count; i++)
        if (path_real(v, NULL, v->in->units[i].file) == file)
            sources_put(v->sources, v->in->units[i].file, text, strlen(text));
}

struct verifier verifier_begin(const struct verify_input *in, const char *room)
{
    struct verifier v = {.in = in, .arena = arena_new(), .room = room};
    v.real_paths = map_new(v.arena);
    v.recipes = map_new(v.arena);
    v.sources = sources_new(v.arena);
    if (in->unsaved)
        put_unsaved(&v);
    v.runner_state = in->runner->state_new ? in->runner->state_new(&v) : NULL;
    return v;
}

void verifier_end(struct verifier *v)
{
    if (v->in->runner->state_free)
        v->in->runner->state_free(v);
    arena_free(v->arena);
}
