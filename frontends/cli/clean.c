/* miscast clean: removes the store for these paths. */
#include "frontends/cli/cli.h"
#include "frontends/driver/project/cache.h"

#include <unistd.h>

/* Folders of other users, or behind symbolic links, are not touched. */
static bool clean_one(struct cache_place at, const struct seal *secret, struct error *e)
{
    bool through_link, any;
    struct error foreign = {0};
    struct state_folder *f = state_open(at.path, at.trusted, secret, &through_link, &foreign);
    if (!f && !through_link)
        print_shown(stderr, "miscast: %s: %s\n", foreign.file, foreign.message);
    bool there = f && f->fd >= 0;
    bool ok = !f || state_remove(f, &any, e);
    state_close(f);
    if (ok && there && access(at.path, F_OK))
        print_shown(stdout, "removed %s\n", at.path);
    else if (ok && there)
        print_shown(stdout, "%s %s; other people's files stay\n",
                    any ? "removed what was kept in" : "nothing is kept in", at.path);
    return ok;
}

/* Both places: which one is used may have changed since. */
static bool clean(const struct checking *c, struct error *e)
{
    struct project p = c->project;
    struct cache_place places[CACHE_PLACES];
    struct seal secret;
    int count = cache_places(&p, places);
    if (!cache_key_read(&p, &secret, e))
        return false;
    for (int i = 0; i < count; i++)
        if (!clean_one(places[i], &secret, e))
            return false;
    return true;
}

static enum exit_code clean_run(const struct options *o)
{
    struct checking c = {0};
    struct error e = {0};
    struct request all = o->request;
    all.no_cache = true;
    bool ok = check_prepare(&c, &all, &e) && clean(&c, &e);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    check_free(&c);
    return code;
}

const struct command clean_command = {
    .name = "clean",
    .task = TASK_SETUP,
    .operands = "[PATH...]",
    .summary = "Removes the store: the cache, the history and the verdicts.",
    .options = CONFIG_OPTIONS | OPT(DATABASE) | OPT(CACHE_DIR),
    .least = 0,
    .most = -1,
    .run = clean_run,
    .more =
        "\n"
        "That is the folder .miscast next to compile_commands.json, else at the root of the "
        "repository, or one\n"
        "in the user's cache folder if that cannot be written. The next run creates it again.\n",
};
