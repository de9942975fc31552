/* What differs between a commit, the index and the working tree, according to git. */
#include "frontends/git/git.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The next entry of ":100644 100644 NAME NAME M\0PATH\0"; NULL: none, or not understood. */
static const char *read_change(struct arena *a, const char *at, const char *end, struct change *c)
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
    const char *path = word + strlen(word) + 1;
    if (path >= end)
        return NULL;
    size_t length = strlen(path);
    c->path = arena_text(a, path, length);
    return path + length + 1;
}

/* Only git itself runs: no filter, no hook, no external diff program, and nothing that submodules
 * configure. */
static bool add_words(struct arena *a, const char *how, const char *commit, word_list *words)
{
    static const char *const always[] = {"-c",
                                         "core.hooksPath=/dev/null",
                                         "diff",
                                         "--raw",
                                         "-z",
                                         "--no-abbrev",
                                         "--no-renames",
                                         "--no-ext-diff",
                                         "--no-textconv",
                                         "-O/dev/null",
                                         "--no-relative",
                                         "--ignore-submodules=all"};
    if (!git_filters_off(a, words))
        return false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        LIST_ADD(a, words, always[i]);
    if (how)
        LIST_ADD(a, words, how);
    if (commit)
        LIST_ADD(a, words, commit);
    LIST_ADD(a, words, "--");
    LIST_ADD(a, words, NULL);
    return true;
}

/* Without an index git takes all files for deleted, and nothing would be left to check. Before the
 * first commit there need not be one. */
static bool has_index(struct arena *a)
{
    const char *path = git_index(a);
    if (path && !access(path, F_OK))
        return true;
    print_shown(stderr, "miscast: %s: the index of this git repository is not there\n",
                path ? path : "index");
    return false;
}

bool git_differences(struct arena *a, const char *how, const char *commit, change_list *out)
{
    struct text said = {0};
    word_list words = {0};
    bool of_commits = how && *how != '-' && commit;
    bool ok = add_words(a, how, commit, &words) && git_read(words.items, true, &said) &&
              (of_commits || !said.length || has_index(a));
    struct change c;
    const char *at = said.data, *end = text_end(&said);
    while (ok && at && (at = read_change(a, at, end, &c)))
        LIST_ADD(a, out, c);
    text_free(&said);
    return ok;
}

/* ---- what git does not compare -------------------------------------------------------------- */

/* The next entry of "h 100644 NAME 0\tPATH\0"; NULL: none, or not understood. */
static const char *read_entry(struct arena *a, const char *at, const char *end, struct change *c)
{
    char *word;
    if (at >= end || !*at || at[1] != ' ')
        return NULL;
    *c = (struct change){.status = *at, .mode = {strtoul(at + 2, &word, 8)}};
    word += *word == ' ';
    size_t n = strcspn(word, " ");
    c->name[0] = arena_text(a, word, n);
    const char *tab = strchr(word + n, '\t');
    if (!tab)
        return NULL;
    size_t length = strlen(tab + 1);
    c->path = arena_text(a, tab + 1, length);
    return tab + 1 + length + 1;
}

/* A small letter: "assume unchanged"; S: "skip worktree", as in a sparse checkout. */
static bool is_marked(char status)
{
    return status == 'S' || (status >= 'a' && status <= 'z');
}

bool git_not_compared(struct arena *a, change_list *out)
{
    static const char *const words[] = {"ls-files",    "-v", "-s", "-z",
                                        "--full-name", "--", ":/", NULL};
    struct text said = {0};
    bool ok = git_read(words, true, &said);
    struct change c;
    const char *at = said.data, *end = text_end(&said);
    while (ok && at && (at = read_entry(a, at, end, &c)))
        if (is_marked(c.status))
            LIST_ADD(a, out, c);
    text_free(&said);
    return ok;
}
