/* Interned names: equal texts become the same pointer, which lives as long as the table's arena. */
#include "analyzer/base/base.h"

#include <string.h>

struct name {
    const char *text; /* NULL: free */
    uint64_t hash;
    size_t length;
};

struct names {
    struct arena *arena;
    struct name *slots;
    size_t room, count; /* room is a power of two */
};

struct names *names_new(struct arena *a)
{
    struct names *n = arena_one(a, struct names);
    n->arena = a;
    n->room = 64;
    n->slots = arena_array(a, struct name, n->room);
    return n;
}

static struct name *names_slot(const struct names *n, const char *text, size_t length,
                               uint64_t hash)
{
    for (size_t i = hash & (n->room - 1);; i = (i + 1) & (n->room - 1)) {
        struct name *s = &n->slots[i];
        if (!s->text ||
            (s->hash == hash && s->length == length && memcmp(s->text, text, length) == 0))
            return s;
    }
}

static void names_grow(struct names *n)
{
    struct name *old = n->slots;
    size_t count = n->room;
    n->room *= 2;
    n->slots = arena_array(n->arena, struct name, n->room);
    for (size_t i = 0; i < count; i++)
        if (old[i].text)
            *names_slot(n, old[i].text, old[i].length, old[i].hash) = old[i];
}

const char *name_of_range(struct names *n, const char *text, size_t length)
{
    uint64_t hash = hash_bytes(text, length, 0);
    struct name *s = names_slot(n, text, length, hash);
    if (s->text)
        return s->text;
    if (n->count * 4 >= n->room * 3) {
        names_grow(n);
        s = names_slot(n, text, length, hash);
    }
    n->count++;
    *s = (struct name){arena_text(n->arena, text, length), hash, length};
    return s->text;
}

const char *name_of(struct names *n, const char *text)
{
    return name_of_range(n, text, strlen(text));
}
