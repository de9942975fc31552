/* Writes a C file with the units of model files:
 *
 *     embed_models OUT FILE...
 */
#include "frontends/driver/project/embedded_models.h"
#include "frontends/python/python_frontend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* As numbers: compilers limit the length of a text. */
static void write_texts(FILE *out, int index, const text_list *texts)
{
    fprintf(out, "static const char texts_%d[] = {\n", index);
    for (int i = 0; i < texts->count; i++) {
        for (const char *c = texts->items[i]; *c; c++)
            fprintf(out, "(char)%d,", (unsigned char)*c);
        fprintf(out, "0,\n");
    }
    fprintf(out, "0};\n");
}

static void write_words(FILE *out, int index, const struct ir_words *u)
{
    fprintf(out, "static const uint32_t words_%d[] = {\n", index);
    for (int i = 0; i < u->words.count; i++)
        fprintf(out, "%" PRIu32 ",%s", u->words.items[i], i % 16 == 15 ? "\n" : "");
    fprintf(out, "};\n");
}

/* Whether the unit is read as it was written. */
static bool is_same_again(const struct ir_unit *u, const struct ir_words *words)
{
    struct text texts = {0}, before = {0}, after = {0};
    for (int i = 0; i < words->texts.count; i++)
        text_add_range(&texts, words->texts.items[i], strlen(words->texts.items[i]) + 1);
    struct ir_unit *again =
        ir_from_words(words->words.items, texts.data, words->texts.count, u->file);
    ir_print(u, &before);
    ir_print(again, &after);
    bool is_same = strcmp(before.data, after.data) == 0;
    ir_unit_free(again);
    text_free(&texts);
    text_free(&before);
    text_free(&after);
    return is_same;
}

/* One that words cannot say is lowered when it is needed, as those that were edited. */
static bool write_model(FILE *out, int index, const char *path, void *parser, struct text *table)
{
    struct arena *a = arena_new();
    struct frontend_input in = {.file = path};
    struct error e = {0};
    struct ir_words words;
    size_t length;
    const char *text = file_read(a, path, &length, &e);
    struct ir_unit *u = text ? python_frontend.lower(parser, &in, NULL, &e) : NULL;
    bool is_in_words = u && ir_to_words(a, u, &words);
    bool ok = u && (!is_in_words || is_same_again(u, &words) ||
                    error_set(&e, "is another unit when it is read again"));
    if (ok && is_in_words) {
        struct digest digest = digest_bytes(text, length);
        write_texts(out, index, &words.texts);
        write_words(out, index, &words);
        text_printf(table,
                    "{{UINT64_C(%" PRIu64 "), UINT64_C(%" PRIu64 ")}, words_%d, texts_%d, %d},\n",
                    digest.low, digest.high, index, index, words.texts.count);
    }
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, e.message);
    ir_unit_free(u);
    arena_free(a);
    return ok;
}

int main(int argc, char **argv)
{
    struct text table = {0};
    struct error e = {0};
    void *parser = python_frontend.open(&e);
    FILE *out = argc > 1 && parser ? fopen(argv[1], "w") : NULL;
    bool ok = out != NULL;
    if (ok)
        fprintf(out, "/* Generated from model files. */\n"
                     "#include \"frontends/driver/project/embedded_models.h\"\n");
    for (int i = 2; ok && i < argc; i++)
        ok = write_model(out, i, argv[i], parser, &table);
    if (ok)
        fprintf(out,
                "const struct embedded_model embedded_models[] = {\n%s{{0, 0}, NULL, NULL, 0}};\n",
                table.data ? table.data : "");
    ok = ok && !fclose(out);
    if (parser)
        python_frontend.close(parser);
    text_free(&table);
    return ok ? 0 : 1;
}
