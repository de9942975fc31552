/* Writes a C file with the trees of packs:
 *
 *     embed_packs OUT PACK.yaml...
 */
#include "analyzer/pack/embedded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct writing {
    FILE *out;
    struct map *known; /* texts that are written: their offsets, plus one */
    struct arena *arena;
    struct text texts;
    int nodes;
};

/* Texts are few and frequent, so that each is there once. */
static uint32_t offset_of(struct writing *w, const char *text)
{
    uint64_t key = hash_bytes(text, strlen(text), 0);
    uintptr_t known = (uintptr_t)map_get(w->known, key);
    if (known && strcmp(w->texts.data + known - 1, text) == 0)
        return (uint32_t)(known - 1);
    uint32_t offset = (uint32_t)w->texts.length;
    text_add_range(&w->texts, text, strlen(text) + 1);
    map_put(w->known, key, (void *)(uintptr_t)(offset + 1));
    return offset;
}

static void write_node(struct writing *w, const struct node *n)
{
    bool is_text = n->kind == NODE_TEXT;
    uint32_t first = (uint32_t)n->kind | (uint32_t)(n->skew + 1) << 2 | (uint32_t)n->column << 4;
    w->nodes++;
    fprintf(w->out, "%" PRIu32 ",%d,%d,%" PRIu32 ",\n", first, n->line, n->size,
            is_text ? offset_of(w, n->text) : (uint32_t)n->count);
    for (int i = 0; !is_text && i < n->count; i++) {
        if (n->kind == NODE_MAP)
            write_node(w, n->keys[i]);
        write_node(w, n->items[i]);
    }
}

static bool write_pack(struct writing *w, int index, const char *path, struct text *table)
{
    struct error e = {0};
    size_t length;
    const char *text = file_read_kind(w->arena, path, FILE_PACK, &length, &e);
    struct node *root = text ? yaml_read(w->arena, path, text, length, &e) : NULL;
    if (!root) {
        fprintf(stderr, "%s: %s\n", path, e.message);
        return false;
    }
    struct digest digest = digest_bytes(text, length);
    w->nodes = 0;
    fprintf(w->out, "static const uint32_t records_%d[] = {\n", index);
    write_node(w, root);
    fprintf(w->out, "};\n");
    text_printf(table, "{{UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 ")}, records_%d, %d},\n",
                digest.low, digest.high, index, w->nodes);
    return true;
}

/* As numbers: compilers limit the length of a text. */
static void write_texts(struct writing *w)
{
    fprintf(w->out, "const char embedded_texts[] = {\n");
    for (size_t i = 0; i < w->texts.length; i++)
        fprintf(w->out, "(char)%d,%s", (unsigned char)w->texts.data[i], i % 12 == 11 ? "\n" : "");
    fprintf(w->out, "0};\n");
}

int main(int argc, char **argv)
{
    struct arena *a = arena_new();
    struct writing w = {.arena = a, .known = map_new(a)};
    struct text table = {0};
    bool ok = argc > 1 && (w.out = fopen(argv[1], "w"));
    if (ok)
        fprintf(w.out, "/* Generated from packs. */\n#include \"analyzer/pack/embedded.h\"\n");
    for (int i = 2; ok && i < argc; i++)
        ok = write_pack(&w, i, argv[i], &table);
    if (ok) {
        write_texts(&w);
        fprintf(w.out, "const struct embedded_pack embedded_packs[] = {\n%s{{0, 0}, NULL, 0}};\n",
                table.data ? table.data : "");
    }
    ok = ok && !fclose(w.out);
    text_free(&table);
    text_free(&w.texts);
    arena_free(a);
    return ok ? 0 : 1;
}
