/* The files that were read, for Make and Ninja: "target: file file ...". Paths are absolute, so
 * that it does not matter where the build runs. */
#include "frontends/driver/shards/summary.h"

#include <string.h>

static void put_path(struct text *to, const char *path)
{
    for (; *path; path++) {
        if (*path == ' ' || *path == '#' || *path == '\\')
            text_add(to, "\\");
        else if (*path == '$')
            text_add(to, "$");
        text_add_range(to, path, 1);
    }
}

/* For a unit that could not be parsed only the file itself is known. */
static void put_reads(struct project *p, struct map *seen, const struct input *in, struct text *to)
{
    const char *own = path_absolute(p->arena, NULL, in->file);
    read_list reads = {0};
    reads_of(p, in, &reads);
    for (int i = -1; i < reads.count; i++) {
        const char *path = i < 0 ? own : path_absolute(p->arena, NULL, reads.items[i].path);
        uint64_t key = hash_bytes(path, strlen(path), 0);
        if (map_get(seen, key))
            continue;
        map_put(seen, key, p);
        text_add(to, " \\\n  ");
        put_path(to, path);
    }
}

bool depfile_write(struct project *p, const char *path, const char *target, struct error *e)
{
    struct text out = {0};
    struct map *seen = map_new(p->arena);
    put_path(&out, target);
    text_add(&out, ":");
    for (int i = 0; i < p->inputs.count; i++)
        put_reads(p, seen, &p->inputs.items[i], &out);
    text_add(&out, "\n");
    bool ok = output_replace(p, path, &out, e);
    text_free(&out);
    return ok;
}
