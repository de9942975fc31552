/* A Python file comes in, its unit goes out. The grammar is part of the program; if it was built
 * without one, opening it says so. */
#include "frontends/python/python_frontend.h"
#include "frontends/python/module.h"
#include "frontends/python/parse.h"

static void *open_grammar(struct error *e)
{
    struct grammar *g = grammar_new();
    if (!g)
        error_set(e, "the library tree-sitter does not support this grammar of Python");
    return g;
}

static void close_grammar(void *parser)
{
    grammar_free(parser);
}

static const char *version(const void *parser)
{
    (void)parser;
    return "tree-sitter-python " MISCAST_PYTHON_GRAMMAR;
}

static const char *text_of(struct arena *a, const struct frontend_input *in, size_t *length,
                           struct error *e)
{
    const char *path = path_resolve(a, in->file);
    const struct overlaid *o = in->overlay ? overlay_find(in->overlay, path) : NULL;
    if (!o)
        return file_read(a, path, length, e);
    *length = o->length;
    return o->text;
}

static void note_read(struct unit_reads *reads, const char *file, const char *text, size_t length)
{
    struct unit_read r = {path_resolve(reads->arena, file), digest_bytes(text, length)};
    LIST_ADD(reads->arena, &reads->files, r);
    reads->whole = true;
}

static struct ir_unit *lower_text(const struct grammar *g, const char *file, const char *text,
                                  size_t length, struct error *e)
{
    struct parsed *p = parse_text(g, text, length, e);
    struct ir_unit *u = p ? py_lower_module(g, p, file) : NULL;
    parsed_free(p);
    return u;
}

static struct ir_unit *lower(void *parser, const struct frontend_input *in,
                             struct unit_reads *reads, struct error *e)
{
    struct arena *a = arena_new();
    size_t length;
    const char *text = text_of(a, in, &length, e);
    struct ir_unit *u = text ? lower_text(parser, in->file, text, length, e) : NULL;
    if (u && reads)
        note_read(reads, in->file, text, length);
    arena_free(a);
    return u;
}

const struct frontend python_frontend = {
    .name = "Python",
    .units = ".py",
    .headers = "",
    .texts = ".py",
    .foreign = ".ipynb",
    .open = open_grammar,
    .close = close_grammar,
    .version = version,
    .lower = lower,
};
