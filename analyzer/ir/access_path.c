/* Access paths: names of places that flow keeps with facts and analyzer/source writes down. */
#include "analyzer/ir/ir.h"

#include <string.h>

static const struct access_path *path(struct arena *a, struct access_path p)
{
    return arena_copy(a, &p, sizeof p);
}

const struct access_path *access_variable(struct arena *a, const char *name)
{
    return path(a, (struct access_path){.kind = ACCESS_VARIABLE, .name = name});
}

const struct access_path *access_member(struct arena *a, const struct access_path *of,
                                        const char *name)
{
    return path(a, (struct access_path){.kind = ACCESS_MEMBER, .of = of, .name = name});
}

const struct access_path *access_element(struct arena *a, const struct access_path *of,
                                         int64_t index)
{
    return path(a, (struct access_path){.kind = ACCESS_ELEMENT, .of = of, .index = index});
}

const struct access_path *access_element_by(struct arena *a, const struct access_path *of,
                                            const struct access_path *by)
{
    return path(
        a, (struct access_path){.kind = ACCESS_ELEMENT, .of = of, .index = ACCESS_ANY, .by = by});
}

const struct access_path *access_pointee(struct arena *a, const struct access_path *of)
{
    return path(a, (struct access_path){.kind = ACCESS_POINTEE, .of = of});
}

const struct access_path *access_root(const struct access_path *p)
{
    while (p->of)
        p = p->of;
    return p;
}

static bool is_same_name(const char *x, const char *y)
{
    return x == y || (x && y && !strcmp(x, y));
}

bool access_equal(const struct access_path *p, const struct access_path *q)
{
    for (; p != q; p = p->of, q = q->of)
        if (!p || !q || p->kind != q->kind || p->index != q->index ||
            !is_same_name(p->name, q->name) || !access_equal(p->by, q->by))
            return false;
    return true;
}

uint64_t access_hash(const struct access_path *p)
{
    uint64_t h = 0;
    for (; p; p = p->of) {
        const uint64_t words[] = {(uint64_t)p->kind, (uint64_t)p->index, access_hash(p->by)};
        h = hash_bytes(words, sizeof words, h);
        h = p->name ? hash_bytes(p->name, strlen(p->name), h) : h;
    }
    return h;
}
