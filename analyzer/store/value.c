/* Whatever else is kept: bytes by a kind and a key. */
#include "analyzer/store/private.h"

#include <string.h>

void sealed_bind(struct store *s, sqlite3_stmt *q, int column, const void *data, size_t length)
{
    size_t used = arena_used(s->arena);
    uint64_t sum = hash_bytes(data, length, 0);
    char *sealed = arena_alloc(s->arena, length + sizeof sum);
    if (length)
        memcpy(sealed, data, length);
    memcpy(sealed + length, &sum, sizeof sum);
    sqlite3_bind_blob64(q, column, sealed, length + sizeof sum, SQLITE_TRANSIENT);
    arena_rewind(s->arena, used);
}

const char *sealed_column(sqlite3_stmt *q, int column, size_t *length)
{
    const char *data = sqlite3_column_blob(q, column);
    size_t size = (size_t)sqlite3_column_bytes(q, column);
    uint64_t sum;
    if (!data || size < sizeof sum)
        return NULL;
    *length = size - sizeof sum;
    memcpy(&sum, data + *length, sizeof sum);
    return hash_bytes(data, *length, 0) == sum ? data : NULL;
}

const char *store_get(struct store *s, struct arena *a, enum store_kind kind, struct digest key,
                      size_t *length)
{
    if (!s->find_value)
        s->find_value = store_prepare(s, "SELECT data FROM kept WHERE kind = ? AND key = ?");
    sqlite3_stmt *q = s->find_value;
    if (!q || s->damaged)
        return NULL;
    sqlite3_bind_int(q, 1, kind);
    sqlite3_bind_blob(q, 2, &key, sizeof key, SQLITE_TRANSIENT);
    const char *data = store_step(s, q) ? sealed_column(q, 0, length) : NULL;
    data = data ? arena_text(a, data, *length) : NULL;
    sqlite3_reset(q);
    return data;
}

void store_put(struct store *s, enum store_kind kind, struct digest key, const void *data,
               size_t length)
{
    struct new_value v = {kind, key, arena_text(s->arena, data, length), length};
    LIST_ADD(s->arena, &s->values, v);
}

void store_each(struct store *s, enum store_kind kind,
                void (*take)(void *context, const char *data, size_t length), void *context)
{
    sqlite3_stmt *q = store_prepare(s, "SELECT data FROM kept WHERE kind = ? ORDER BY id");
    size_t length;
    if (q)
        sqlite3_bind_int(q, 1, kind);
    while (q && store_step(s, q)) {
        const char *data = sealed_column(q, 0, &length);
        if (data)
            take(context, data, length);
    }
    sqlite3_finalize(q);
}
