/* What differs between a commit, the index and the tree, as git says it. */
#include "frontends/hook/hook.h"

#include <stdlib.h>
#include <string.h>

bool git_differences(const char *how, const char *commit, struct text *out)
{
    const char *words[16];
    int n = 0;
    static const char *const always[] = {"diff",
                                         "--raw",
                                         "-z",
                                         "--no-abbrev",
                                         "--no-renames",
                                         "--no-ext-diff",
                                         "--no-relative",
                                         "--ignore-submodules=all"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        words[n++] = always[i];
    if (how)
        words[n++] = how;
    if (commit)
        words[n++] = commit;
    words[n++] = "--";
    words[n] = NULL;
    return git_read(words, true, out);
}

const char *change_read(struct arena *a, const char *at, const char *end, struct change *c)
{
    char *word;
    if (at >= end || *at != ':')
        return NULL;
    c->mode[0] = strtoul(at + 1, &word, 8);
    c->mode[1] = strtoul(word, &word, 8);
    for (int i = 0; i < 2; i++) {
        word += *word == ' ';
        size_t n = strcspn(word, " ");
        c->name[i] = arena_text(a, word, n);
        word += n;
    }
    word += *word == ' ';
    c->status = *word;
    c->path = word + strlen(word) + 1;
    return c->path < end ? c->path + strlen(c->path) + 1 : NULL;
}

const char *git_top(struct arena *a, struct error *e)
{
    static const char *const words[] = {"rev-parse", "--show-toplevel", NULL};
    struct text top = {0};
    const char *found = NULL;
    if (git_read(words, true, &top) && top.length > 1) {
        top.data[top.length - 1] = '\0';
        char *real = realpath(top.data, NULL);
        found = arena_printf(a, "%s", real ? real : top.data);
        free(real);
    }
    text_free(&top);
    if (!found)
        error_set(e, "this is no git repository, or git is not installed");
    return found;
}
