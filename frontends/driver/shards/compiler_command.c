/* A compiler's command, so that miscast can be used as a compiler launcher: "miscast summarize --
 * cc -Iinclude -MD -MF x.d -o x.o -c x.c". The summary is written where the object would be, the
 * dependencies where the depfile would be. */
#include "frontends/driver/shards/summary.h"

#include <string.h>

/* The value of the last such flag, joined to it or in the next word. */
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

static bool has(const text_list *words, const char *flag)
{
    for (int i = 1; i < words->count; i++)
        if (!strcmp(words->items[i], flag))
            return true;
    return false;
}

/* The default output of a compiler: in the current folder. */
static const char *object_of(struct arena *a, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return arena_printf(a, "%.*s.o", dot ? (int)(dot - name) : (int)strlen(name), name);
}

bool compiler_command_take(struct arena *a, struct request *request, struct error *e)
{
    const text_list words = request->flags;
    const char *other,
        *file = frontend_of(LANGUAGE_C)->flags->command_file(a, words.items, words.count, &other);
    if (!file)
        return error_set(e, "'summarize' needs FILE, or a command that compiles one behind '--'");
    if (other)
        return error_set(e, "'summarize' takes one file at a time, and not '%s' and '%s'", other,
                         file);
    LIST_ADD(a, &request->paths, file);
    request->shard.output = request->shard.output ? request->shard.output : value_of(&words, "-o");
    if (!request->shard.output && has(&words, "-c"))
        request->shard.output = object_of(a, file);
    request->shard.depfile =
        request->shard.depfile ? request->shard.depfile : value_of(&words, "-MF");
    request->shard.depfile_target = value_of(&words, "-MT");
    if (!request->shard.depfile_target)
        request->shard.depfile_target = value_of(&words, "-MQ");
    request->flags.items++;
    request->flags.count--;
    return true;
}
