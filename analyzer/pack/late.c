/* Entries of packs that come along, read when one of their functions is first asked for: a program
 * names few of the thousands. The trees of these packs are built into the program, so that they are
 * known to be right. What is read is the same, in the same order, as if all were read at once. */
#include "analyzer/pack/entry.h"

#include <pthread.h>
#include <string.h>

/* An entry, and what it is found by. */
struct late_entry {
    struct pack *pack;
    const struct node *node;
    int order;
    bool is_read, is_effective; /* it may have effects */
};

/* Entries with the same hash of a name, in order. */
struct late_name {
    struct late_entry *entry;
    struct late_name *next, *last; /* last: of the first one */
};

struct late {
    pthread_mutex_t lock;
    LIST(struct late_entry *) entries;
    struct map *names[LATE_KINDS];
    bool are_effective_read;
    LIST(const struct pack_function *) effective;
};

void packs_read_late(struct pack_set *s)
{
    s->late = arena_one(s->arena, struct late);
    pthread_mutex_init(&s->late->lock, NULL);
    for (int i = 0; i < LATE_KINDS; i++)
        s->late->names[i] = map_new(s->arena);
}

void late_begin(const struct pack_set *s)
{
    if (s->late)
        pthread_mutex_lock(&s->late->lock);
}

void late_end(const struct pack_set *s)
{
    if (s->late)
        pthread_mutex_unlock(&s->late->lock);
}

/* ---- noting ---------------------------------------------------------------------------------- */

static void note_name(struct pack_set *s, struct late_entry *entry, enum late_kind kind,
                      const char *name, size_t length)
{
    struct map *names = s->late->names[kind];
    uint64_t key = hash_bytes(name, length, 0);
    struct late_name *first = map_get(names, key), *n;
    if (first && first->last->entry == entry)
        return;
    n = arena_one(s->arena, struct late_name);
    *n = (struct late_name){entry, NULL, n};
    if (!first) {
        map_put(names, key, n);
        return;
    }
    first->last->next = n;
    first->last = n;
}

static void note_function(struct pack_set *s, struct late_entry *entry, const char *prefix,
                          const char *word)
{
    char name[LATE_NAME_ROOM];
    size_t begin = strlen(prefix), length = strlen(word);
    note_name(s, entry, LATE_WORD, word, length);
    if (begin + length >= sizeof name)
        BUG("%s%s is too long a name", prefix, word);
    memcpy(name, prefix, begin);
    memcpy(name + begin, word, length);
    note_name(s, entry, LATE_FUNCTION, name, begin + length);
}

static void note_functions(struct pack_set *s, struct late_entry *entry, const struct entry *b)
{
    const struct node *prefix = entry_get(b, "prefix");
    const struct node *name = node_get(entry->node, "name"),
                      *names = node_get(entry->node, "names");
    const char *begin = prefix ? prefix->text : entry->pack->prefix;
    if (name)
        note_function(s, entry, begin, name->text);
    for (int i = 0; names && i < names->count; i++)
        note_function(s, entry, begin, names->items[i]->text);
}

static bool note_calls(struct pack_set *s, struct late_entry *entry, const char *word)
{
    const struct node *calls = node_get(entry->node, "calls");
    for (int i = 0; calls && i < calls->count; i++) {
        char name[LATE_NAME_ROOM];
        if (!signature_name(s, entry->pack, calls->items[i], word, name))
            return false;
        note_name(s, entry, LATE_SIGNATURE, name, strlen(name));
    }
    return true;
}

static bool note_all_calls(struct pack_set *s, struct late_entry *entry)
{
    static const char *const lists[] = {"names", "ops"};
    static const char *const words[] = {"name", "op"};
    for (int k = 0; k < COUNT(lists); k++) {
        const struct node *one = node_get(entry->node, words[k]),
                          *all = node_get(entry->node, lists[k]);
        if (one && !note_calls(s, entry, one->text))
            return false;
        for (int i = 0; all && i < all->count; i++)
            if (!note_calls(s, entry, all->items[i]->text))
                return false;
    }
    return true;
}

static bool may_have_effects(const struct entry *b)
{
    return entry_get(b, "effects") || entry_get(b, "question") || entry_get(b, "expect");
}

bool late_note(struct pack_set *s, struct pack *p, const struct node *node, int order)
{
    if (!s->late || s->is_wanted || !p->is_built_in)
        return false;
    struct error e = {0};
    struct late_entry *entry = arena_one(s->arena, struct late_entry);
    *entry = (struct late_entry){.pack = p, .node = node, .order = order};
    if (!note_all_calls(s, entry)) {
        entry->is_read = true; /* in a moment */
        return false;
    }
    LIST_ADD(s->arena, &s->late->entries, entry);
    if (node_get(node, "op") || node_get(node, "ops"))
        return true;
    struct entry b = {.set = s, .pack = p, .error = &e, .own = node};
    bool has_variant = entry_read_chain(&b, NULL);
    entry->is_effective = may_have_effects(&b);
    note_functions(s, entry, &b);
    if (has_variant) {
        struct entry variant = {.set = s, .pack = p, .error = &e, .own = node};
        entry_read_chain(&variant, &b);
        entry->is_effective |= may_have_effects(&variant);
        note_functions(s, entry, &variant);
    }
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_entry(struct pack_set *s, struct late_entry *entry)
{
    struct error e = {0};
    int order = s->order;
    if (entry->is_read)
        return;
    entry->is_read = true;
    s->order = entry->order;
    if (!functions_load(s, entry->pack, entry->node, &e))
        BUG("%s:%d:%d: %s", entry->pack->file, e.line, e.column, e.message);
    s->order = order;
}

void late_read(struct pack_set *s, enum late_kind kind, const char *name)
{
    if (!s->late)
        return;
    const struct late_name *n = map_get(s->late->names[kind], hash_bytes(name, strlen(name), 0));
    for (; n; n = n->next)
        read_entry(s, n->entry);
}

/* In the order of their entries. */
static void add_effective(struct pack_set *s, const struct pack_function *f)
{
    struct late *l = s->late;
    LIST_ADD(s->arena, &l->effective, f);
    int at = l->effective.count - 1;
    for (; at > 0 && l->effective.items[at - 1]->order > f->order; at--)
        l->effective.items[at] = l->effective.items[at - 1];
    l->effective.items[at] = f;
}

static void read_effective(struct pack_set *s)
{
    struct late *l = s->late;
    for (int i = 0; i < l->entries.count; i++)
        if (l->entries.items[i]->is_effective)
            read_entry(s, l->entries.items[i]);
    for (int i = 0; i < s->functions.count; i++)
        if (s->functions.items[i]->effects)
            add_effective(s, s->functions.items[i]);
    l->are_effective_read = true;
}

const struct pack_function *packs_next_effective(const struct pack_set *s, int *at)
{
    const struct pack_function *next = NULL;
    if (!s->late) {
        while (*at < s->functions.count && !s->functions.items[*at]->effects)
            ++*at;
        return *at < s->functions.count ? s->functions.items[(*at)++] : NULL;
    }
    late_begin(s);
    if (!s->late->are_effective_read)
        read_effective((struct pack_set *)(uintptr_t)s);
    if (*at < s->late->effective.count)
        next = s->late->effective.items[(*at)++];
    late_end(s);
    return next;
}
