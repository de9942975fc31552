/* Takes the place of the Python frontend where it cannot be built: the suffix is known, and opening
 * the parser says what is missing. */
#include "frontends/python/python_frontend.h"

static void *open_nothing(struct error *e)
{
    error_set(e, "Python files cannot be read: this program was built without %s", MISCAST_MISSING);
    return NULL;
}

static void close_nothing(void *parser)
{
    (void)parser;
}

static const char *version(const void *parser)
{
    (void)parser;
    return "";
}

static struct ir_unit *lower(void *parser, const struct frontend_input *in,
                             struct unit_reads *reads, struct error *e)
{
    (void)parser, (void)in, (void)reads;
    open_nothing(e);
    return NULL;
}

const struct frontend python_frontend = {
    .name = "Python",
    .units = ".py",
    .headers = "",
    .texts = ".py",
    .missing = MISCAST_MISSING,
    .unread_name = "Python file",
    .open = open_nothing,
    .close = close_nothing,
    .version = version,
    .lower = lower,
};
