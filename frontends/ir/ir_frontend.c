/* A file with the text form of one unit comes in, the unit goes out. Findings are in that file: a
 * place is the line of an instruction, whatever other place the text gives for it. */
#include "frontends/ir/ir_frontend.h"

/* There is no parser to load: anything but NULL will do. */
static void *open_nothing(struct error *e)
{
    static const char nothing;
    (void)e;
    return (void *)(uintptr_t)&nothing;
}

static void close_nothing(void *parser)
{
    (void)parser;
}

static const char *version(const void *parser)
{
    (void)parser;
    return "1";
}

static struct ir_unit *lower(void *parser, const struct frontend_input *in,
                             struct unit_reads *reads, struct error *e)
{
    struct arena *a = arena_new();
    size_t length;
    const char *text = overlay_read(a, in->overlay, in->file, &length, e);
    struct error wrong = {0};
    struct ir_unit *u = text ? ir_parse_source(text, in->file, &wrong) : NULL;
    (void)parser;
    if (text && !u)
        error_at(e, in->file, wrong.line, wrong.column, "%s", wrong.message);
    if (u && reads)
        unit_reads_only(reads, in->file, text, length);
    arena_free(a);
    return u;
}

const struct frontend ir_frontend = {
    .name = "IR",
    .units = ".ir",
    .headers = "",
    .texts = ".ir",
    .open = open_nothing,
    .close = close_nothing,
    .version = version,
    .lower = lower,
};
