/* Arenas: memory is allocated front to back from large chunks, zeroed, and freed all at once. Under
 * the address sanitizer there is a poisoned gap after every allocation, so that overruns are still
 * caught. */
#include "analyzer/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#endif

#ifdef POISONS
#include <sanitizer/asan_interface.h>
#define GAP             ((size_t)16)
#define POISON(at, n)   ASAN_POISON_MEMORY_REGION(at, n)
#define UNPOISON(at, n) ASAN_UNPOISON_MEMORY_REGION(at, n)
#else
#define GAP             ((size_t)0)
#define POISON(at, n)   ((void)(at), (void)(n))
#define UNPOISON(at, n) ((void)(at), (void)(n))
#endif

#define ALIGNMENT   ((size_t)16)
#define FIRST_CHUNK ((size_t)32 << 10)
#define LAST_CHUNK  ((size_t)1 << 20) /* chunks double up to this */

struct chunk {
    struct chunk *previous;
    size_t size, filled;
    size_t before; /* bytes in all chunks before this one */
    _Alignas(16) char data[];
};

struct arena {
    struct chunk *chunk;
    struct chunk *spare; /* a chunk freed by rewinding, kept for reuse in loops */
};

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
}

static void chunk_free(struct chunk *c)
{
    if (c)
        UNPOISON(c->data, c->size);
    free(c);
}

static struct chunk *chunk_new(size_t size)
{
    struct chunk *c = malloc(sizeof *c + size);
    if (!c)
        BUG("out of memory: %zu bytes", size);
    c->size = size;
    POISON(c->data, size);
    return c;
}

/* Makes a chunk with room for `size` the current one. */
static void arena_extend(struct arena *a, size_t size)
{
    struct chunk *c = a->spare, *last = a->chunk;
    size_t usual = last ? last->size * 2 : FIRST_CHUNK;
    if (usual > LAST_CHUNK)
        usual = LAST_CHUNK;
    if (c && c->size >= size)
        a->spare = NULL;
    else
        c = chunk_new(size > usual ? size : usual);
    c->previous = last;
    c->before = last ? last->before + last->filled : 0;
    c->filled = 0;
    a->chunk = c;
}

static void *arena_take(struct arena *a, size_t size)
{
    size_t whole = rounded(size);
    if (whole < size)
        BUG("out of memory: %zu bytes", size);
    if (!a->chunk || a->chunk->size - a->chunk->filled < whole)
        arena_extend(a, whole);
    char *at = a->chunk->data + a->chunk->filled;
    a->chunk->filled += whole;
    UNPOISON(at, size);
    return at;
}

struct arena *arena_new(void)
{
    struct arena *a = calloc(1, sizeof *a);
    if (!a)
        BUG("out of memory: %zu bytes", sizeof *a);
    return a;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    for (struct chunk *c = a->chunk, *previous; c; c = previous) {
        previous = c->previous;
        chunk_free(c);
    }
    chunk_free(a->spare);
    free(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
    return memset(arena_take(a, size), 0, size);
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
    void *to = arena_take(a, size);
    if (size)
        memcpy(to, from, size);
    return to;
}

char *arena_text(struct arena *a, const char *text, size_t length)
{
    char *to = arena_take(a, length + 1);
    if (length)
        memcpy(to, text, length);
    to[length] = '\0';
    return to;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0)
        BUG("cannot format '%s'", fmt);
    char *to = arena_take(a, (size_t)length + 1);
    vsnprintf(to, (size_t)length + 1, fmt, again);
    va_end(again);
    return to;
}

size_t arena_used(const struct arena *a)
{
    return a->chunk ? a->chunk->before + a->chunk->filled : 0;
}

void arena_rewind(struct arena *a, size_t used)
{
    if (used > arena_used(a))
        BUG("an arena cannot be rewound forward");
    while (a->chunk && (a->chunk->before > used || (a->chunk->before == used && used == 0))) {
        struct chunk *c = a->chunk;
        a->chunk = c->previous;
        POISON(c->data, c->size);
        bool larger = !a->spare || a->spare->size < c->size;
        chunk_free(larger ? a->spare : c);
        a->spare = larger ? c : a->spare;
    }
    if (!a->chunk)
        return;
    a->chunk->filled = used - a->chunk->before;
    POISON(a->chunk->data + a->chunk->filled, a->chunk->size - a->chunk->filled);
}

/* ---- lists --------------------------------------------------------------------------------- */

/* Grows `items` from `old` to `size` bytes in place, if it was allocated last. */
static bool extends_in_place(struct arena *a, char *items, size_t old, size_t size)
{
    struct chunk *c = a->chunk;
    if (!items || !c || items + rounded(old) != c->data + c->filled)
        return false;
    size_t start = (size_t)(items - c->data);
    if (c->size - start < rounded(size))
        return false;
    c->filled = start + rounded(size);
    UNPOISON(items, size);
    return true;
}

void *list_grow(struct arena *a, void *items, int *room, size_t size)
{
    size_t old = (size_t)*room * size;
    if (*room > INT32_MAX / 2)
        BUG("a list of more than %d items", *room);
    int more = *room ? *room * 2 : 4;
    size_t bytes = (size_t)more * size;
    char *to = items;
    if (!extends_in_place(a, items, old, bytes)) {
        to = arena_take(a, bytes);
        if (old)
            memcpy(to, items, old);
    }
    memset(to + old, 0, bytes - old);
    *room = more;
    return to;
}
