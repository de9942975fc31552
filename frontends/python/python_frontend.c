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

static struct ir_unit *lower_text(const struct grammar *g, const char *file, const char *text,
                                  size_t length, struct error *e)
{
    if (!py_means_what_it_says(text, length, e))
        return NULL;
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
    const char *text = overlay_read(a, in->overlay, in->file, &length, e);
    size_t code_length = length;
    const char *code =
        text && is_notebook(in->file) ? notebook_code(a, in->file, text, &code_length, e) : text;
    struct ir_unit *u = code ? lower_text(parser, in->file, code, code_length, e) : NULL;
    if (u && reads)
        unit_reads_only(reads, in->file, text, length);
    arena_free(a);
    return u;
}

const struct frontend python_frontend = {
    .name = "Python",
    .units = ".py .ipynb",
    .headers = "",
    .texts = ".py .ipynb",
    .is_looked_for = true,
    .is_dynamic = true,
    .open = open_grammar,
    .close = close_grammar,
    .version = version,
    .lower = lower,
    .has_fixes = true,
};
