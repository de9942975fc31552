/* Terminal colours: never in a file or a pipe unless FORCE_COLOR is set; NO_COLOR takes precedence,
 * and what the user has chosen over both. A process has one terminal: the choice is static. */
#include "analyzer/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static enum painting chosen = PAINTING_AUTO;

void paint_choose(enum painting p)
{
    chosen = p;
}

bool paint_wanted(FILE *out)
{
    if (chosen != PAINTING_AUTO)
        return chosen == PAINTING_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    if (is_set("FORCE_COLOR"))
        return strcmp(getenv("FORCE_COLOR"), "0") != 0;
    const char *terminal = getenv("TERM");
    return isatty(fileno(out)) && !(terminal && !strcmp(terminal, "dumb"));
}

void paint_add(struct text *out, bool colours, enum paint paint, const char *text)
{
    static const char *const codes[] = {
        [PAINT_NONE] = "",         [PAINT_DIM] = "\033[2m",    [PAINT_FACT] = "\033[36m",
        [PAINT_BAD] = "\033[31m",  [PAINT_STRONG] = "\033[1m", [PAINT_WARNING] = "\033[35m",
        [PAINT_NOTE] = "\033[36m",
    };
    bool painted = colours && paint != PAINT_NONE;
    text_add(out, painted ? codes[paint] : "");
    text_add_line(out, text, strlen(text));
    text_add(out, painted ? "\033[0m" : "");
}
