/* Command lines and environments with which git only reads, and runs nothing that the repository
 * configures. Monitors, hooks, pagers, diff programs and fetching have fixed names; filters can
 * have any name, so git is asked for them. */
#include "frontends/git/git.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* An empty core.fsmonitor means none in every version; "false" is a program before git 2.36. An
 * attributes file named by the configuration may be a device, which git would read without end. */
static const char *const before[] = {
    "git",
    "--no-pager",
    "--no-replace-objects",
    "-c",
    "core.fsmonitor=",
    "-c",
    "core.pager=cat",
    "-c",
    "core.attributesFile=/dev/null",
};

const char *const *git_command(struct arena *a, const char *const *words)
{
    word_list all = {0};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        LIST_ADD(a, &all, before[i]);
    for (; *words; words++)
        LIST_ADD(a, &all, *words);
    LIST_ADD(a, &all, NULL);
    return all.items;
}

/* ---- the environment ------------------------------------------------------------------------ */

/* Programs that git would start, and what is set below. */
static const char *const left_out[] = {
    "GIT_EXTERNAL_DIFF",  "GIT_PAGER",         "GIT_EDITOR",          "GIT_SSH",
    "GIT_SSH_COMMAND",    "GIT_PROXY_COMMAND", "GIT_ASKPASS",         "SSH_ASKPASS",
    "GIT_ALLOW_PROTOCOL", "GIT_NO_LAZY_FETCH", "GIT_TERMINAL_PROMPT", "PATH",
};

static bool is_left_out(const char *variable)
{
    size_t n = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strlen(left_out[i]) == n && !strncmp(variable, left_out[i], n))
            return true;
    return false;
}

/* Missing objects of a partial clone are fetched as its configuration says: for git before 2.45, an
 * empty list of protocols prevents that. */
const char *const *git_environment(struct arena *a)
{
    word_list all = {0};
    for (char **v = environ; v && *v; v++)
        if (!is_left_out(*v))
            LIST_ADD(a, &all, *v);
    LIST_ADD(a, &all, "GIT_NO_LAZY_FETCH=1");
    LIST_ADD(a, &all, "GIT_ALLOW_PROTOCOL=/");
    LIST_ADD(a, &all, "GIT_TERMINAL_PROMPT=0");
    LIST_ADD(a, &all, arena_printf(a, "PATH=%s", program_path(a)));
    LIST_ADD(a, &all, NULL);
    return all.items;
}

/* ---- filters -------------------------------------------------------------------------------- */

/* The name in "filter.NAME.clean" and the like; NULL: another key. */
static const char *filter_of(struct arena *a, const char *key)
{
    const char *dot = strrchr(key, '.');
    return strncmp(key, "filter.", 7) != 0 || dot < key + 7
               ? NULL
               : arena_text(a, key + 7, (size_t)(dot - key - 7));
}

static bool turn_off(struct arena *a, const char *name, word_list *words)
{
    static const char *const settings[] = {"clean=", "smudge=", "process=", "required=false"};
    if (strchr(name, '=')) { /* git would end the key there */
        fputs("miscast: this repository has a filter with '=' in its name, which cannot be turned "
              "off\n",
              stderr);
        return false;
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        LIST_ADD(a, words, "-c");
        LIST_ADD(a, words, arena_printf(a, "filter.%s.%s", name, settings[i]));
    }
    return true;
}

bool git_filters_off(struct arena *a, word_list *words)
{
    static const char *const list[] = {"config", "--null", "--name-only", "--list", NULL};
    struct text said = {0};
    struct map *seen = map_new(a);
    bool ok = git_read(list, true, &said);
    for (const char *at = said.data, *end = text_end(&said); ok && at < end; at += strlen(at) + 1) {
        const char *name = filter_of(a, at);
        uint64_t hash = name ? hash_bytes(name, strlen(name), 0) : 0;
        if (!name || map_get(seen, hash))
            continue;
        map_put(seen, hash, words);
        ok = turn_off(a, name, words);
    }
    text_free(&said);
    return ok;
}
