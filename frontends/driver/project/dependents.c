/* Files that a change touched: they are checked, with every unit that depends on one. What a unit
 * depends on is known from the cache, or once it was parsed. */
#include "frontends/driver/project/cache.h"

static bool is_in(struct project *p, const text_list *list, const char *file)
{
    for (int i = 0; i < list->count; i++)
        if (project_same_file(p, list->items[i], file))
            return true;
    return false;
}

bool is_dropped(struct project *p, const char *file)
{
    return is_in(p, &p->request->dropped, file);
}

bool is_touched_part(struct project *p, const char *file)
{
    return !is_unit_file(file) && is_in(p, &p->request->touched, file);
}

/* Most units depend on the same headers: each is looked up once. */
static bool is_touched(struct project *p, const char *path)
{
    const char *name = name_of(p->names, path);
    void *known = map_get(p->touched, (uint64_t)(uintptr_t)name);
    if (!known) {
        known = is_in(p, &p->request->touched, name) ? (void *)p->request : (void *)p;
        map_put(p->touched, (uint64_t)(uintptr_t)name, known);
    }
    return known != p;
}

void dependents_find_cached(struct project *p)
{
    struct arena *scratch = arena_new();
    for (int i = 0; i < p->inputs.count && p->request->touched.count; i++) {
        struct input *in = &p->inputs.items[i];
        store_paths paths = {0};
        if (in->is_cached)
            store_unit_files(p->cache->store, scratch, in->key, &paths);
        for (int k = 0; k < paths.count; k++)
            in->is_touched |= is_touched(p, paths.items[k]);
    }
    arena_free(scratch);
    project_ask_touched(p);
}

void dependents_find_parsed(struct project *p)
{
    for (int i = 0; i < p->inputs.count && p->request->touched.count; i++) {
        struct input *in = &p->inputs.items[i];
        in->is_touched |= is_touched(p, in->file);
        for (int k = 0; in->reads && k < in->reads->files.count; k++)
            in->is_touched |= is_touched(p, in->reads->files.items[k].path);
    }
    project_ask_touched(p);
}
