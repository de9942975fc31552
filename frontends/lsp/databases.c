/* Compilation databases: which units they have, read again when the file changes. A file that is
 * not in one is a program of its own. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct units_known {
    struct arena *arena;
    const char *database;
    struct stat seen;
    struct map *units; /* by hash of the real path */
    struct units_known *next;
};

static uint64_t key_of(const char *path)
{
    return hash_bytes(path, strlen(path), 0);
}

/* An unreadable one has none; the check reports why. */
static void read_units(struct server *s, struct units_known *k)
{
    struct error ignored = {0};
    const struct frontend_flags *flags = frontend_of(LANGUAGE_C)->flags;
    const void *parser = session_parser(s->session, LANGUAGE_C, &ignored);
    struct database *d = NULL;
    int count = 0;
    k->arena = arena_new();
    k->units = map_new(k->arena);
    if (parser && flags->read(&d, parser, k->database, &ignored)) {
        struct compile *all = flags->all(d, k->arena, &count);
        for (int i = 0; i < count; i++) {
            if (!flags->reads(&all[i]))
                continue;
            char *real = realpath(all[i].file, NULL);
            map_put(k->units, key_of(real ? real : all[i].file), k);
            free(real);
        }
    }
    flags->close(d);
}

static bool is_as_seen(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool is_unit_of(struct server *s, const char *database, const char *path)
{
    struct units_known *k = s->databases;
    struct stat now = {0};
    stat(database, &now);
    while (k && strcmp(k->database, database) != 0)
        k = k->next;
    if (!k) {
        k = arena_one(s->arena, struct units_known);
        k->database = arena_printf(s->arena, "%s", database);
        k->next = s->databases;
        s->databases = k;
    }
    if (!k->arena || !is_as_seen(&k->seen, &now)) {
        if (k->arena)
            arena_free(k->arena);
        k->seen = now;
        read_units(s, k);
    }
    return map_get(k->units, key_of(path));
}

void databases_free(struct server *s)
{
    for (struct units_known *k = s->databases; k; k = k->next)
        arena_free(k->arena);
    s->databases = NULL;
}
