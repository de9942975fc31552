/* Other cached values: bytes by kind and key. */
#include "analyzer/store/private.h"

#include <string.h>

/* ---- seals ---------------------------------------------------------------------------------- */

static struct digest seal_row(const struct store *s, struct row_name name, const void *data,
                              size_t length)
{
    const uint64_t words[] = {(uint64_t)name.kind, name.key.low, name.key.high};
    struct digest own = seal_of(&s->folder->seal, words, sizeof words);
    return seal_of(&(struct seal){{own.low, own.high}}, data, length);
}

void sealed_bind(struct store *s, sqlite3_stmt *q, int column, struct row_name name,
                 const void *data, size_t length)
{
    size_t used = arena_used(s->arena);
    struct digest seal = seal_row(s, name, data, length);
    char *sealed = arena_alloc(s->arena, length + sizeof seal);
    if (length)
        memcpy(sealed, data, length);
    memcpy(sealed + length, &seal, sizeof seal);
    sqlite3_bind_blob64(q, column, sealed, length + sizeof seal, SQLITE_TRANSIENT);
    arena_rewind(s->arena, used);
}

const char *sealed_column(const struct store *s, sqlite3_stmt *q, int column, struct row_name name,
                          size_t *length)
{
    const char *data = sqlite3_column_blob(q, column);
    size_t size = (size_t)sqlite3_column_bytes(q, column);
    struct digest seal;
    if (!data || size < sizeof seal)
        return NULL;
    *length = size - sizeof seal;
    memcpy(&seal, data + *length, sizeof seal);
    return digest_same(seal_row(s, name, data, *length), seal) ? data : NULL;
}

struct digest key_column(sqlite3_stmt *q, int column)
{
    struct digest key = {0};
    const void *data = sqlite3_column_blob(q, column);
    if (data && sqlite3_column_bytes(q, column) == (int)sizeof key)
        memcpy(&key, data, sizeof key);
    return key;
}

/* ---- values --------------------------------------------------------------------------------- */

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
    const char *data =
        store_step(s, q) ? sealed_column(s, q, 0, (struct row_name){(int)kind, key}, length) : NULL;
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
    sqlite3_stmt *q = store_prepare(s, "SELECT data, key FROM kept WHERE kind = ? ORDER BY id");
    size_t length;
    if (q)
        sqlite3_bind_int(q, 1, kind);
    while (q && store_step(s, q)) {
        struct row_name name = {(int)kind, key_column(q, 1)};
        const char *data = sealed_column(s, q, 0, name, &length);
        if (data)
            take(context, data, length);
    }
    sqlite3_finalize(q);
}
