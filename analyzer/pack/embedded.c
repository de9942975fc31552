/* The trees of the packs that come along, built into the program, so that a run need not parse
 * their YAML. They are found by what is in the file: a pack that was edited is read as any other.
 * cmake/embed_packs.c writes them when the program is built. */
#include "analyzer/pack/embedded.h"

struct decoding {
    struct arena *arena;
    const uint32_t *at;
    const char *texts;
    struct node *next; /* room for the nodes that are left */
};

static struct node *decode(struct decoding *d);

static void decode_members(struct decoding *d, struct node *n, int count)
{
    n->count = count;
    n->items = arena_alloc(d->arena, sizeof *n->items * (size_t)count);
    if (n->kind == NODE_MAP)
        n->keys = arena_alloc(d->arena, sizeof *n->keys * (size_t)count);
    for (int i = 0; i < count; i++) {
        if (n->kind == NODE_MAP)
            n->keys[i] = decode(d);
        n->items[i] = decode(d);
    }
}

static struct node *decode(struct decoding *d)
{
    struct node *n = d->next++;
    const uint32_t *record = d->at;
    d->at += RECORD_WORDS;
    *n = (struct node){.kind = (enum node_kind)(record[0] & 3),
                       .skew = (int)(record[0] >> 2 & 3) - 1,
                       .column = (int)(record[0] >> 4),
                       .line = (int)record[1],
                       .size = (int)record[2]};
    if (n->kind == NODE_TEXT)
        n->text = d->texts + record[3];
    else
        decode_members(d, n, (int)record[3]);
    return n;
}

struct node *embedded_tree(struct arena *a, const char *text, size_t length)
{
    struct digest digest = digest_bytes(text, length);
    for (const struct embedded_pack *p = embedded_packs; p->records; p++) {
        if (!digest_same(p->digest, digest))
            continue;
        struct decoding d = {.arena = a, .at = p->records, .texts = embedded_texts};
        d.next = arena_alloc(a, sizeof *d.next * (size_t)p->nodes);
        return decode(&d);
    }
    return NULL;
}
