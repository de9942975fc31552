/* A compiler's command, so that miscast can stand before it where a build system lets something
 * stand there: "miscast summarize -- cc -Iinclude -MD -MF x.d -o x.o -c x.c". The summary goes
 * where the object would, and so does what was read. */
#include "frontends/cli/shards/summary.h"

#include "frontends/clang/flags.h"

#include <string.h>

/* The value of the last such flag, joined to it or behind it. */
static const char *value_of(const text_list *words, const char *flag)
{
    size_t n = strlen(flag);
    const char *value = NULL;
    for (int i = 1; i < words->count; i++) {
        const char *word = words->items[i];
        if (strncmp(word, flag, n) != 0)
            continue;
        if (word[n])
            value = word + n;
        else if (i + 1 < words->count)
            value = words->items[++i];
    }
    return value;
}

bool command_take(struct arena *a, struct options *o, struct error *e)
{
    const text_list words = o->flags;
    const char *file = flags_file(a, words.items, words.count);
    if (!file)
        return error_set(e, "'summarize' needs FILE, or a command that compiles one behind '--'");
    LIST_ADD(a, &o->operands, file);
    o->output = o->output ? o->output : value_of(&words, "-o");
    o->depfile = o->depfile ? o->depfile : value_of(&words, "-MF");
    o->depfile_target = value_of(&words, "-MT");
    if (!o->depfile_target)
        o->depfile_target = value_of(&words, "-MQ");
    o->flags.items++;
    o->flags.count--;
    return true;
}
