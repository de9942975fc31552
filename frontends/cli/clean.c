/* miscast clean: removes what was kept from run to run, wherever that is for these paths. */
#include "frontends/cli/check.h"
#include "frontends/cli/kept.h"

#include <unistd.h>

/* Both places: which one is used may have changed since. */
static bool clean(const struct checking *c, struct error *e)
{
    struct project p = c->project;
    const char *folders[KEPT_PLACES];
    int count = kept_places(&p, folders);
    for (int i = 0; i < count; i++) {
        bool any, there = !access(folders[i], F_OK);
        if (!store_remove(folders[i], &any, e))
            return false;
        if (there && access(folders[i], F_OK))
            printf("removed %s\n", folders[i]);
        else if (there)
            printf("%s %s; what others put there stays\n",
                   any ? "removed what was kept in" : "nothing is kept in", folders[i]);
    }
    return true;
}

enum exit_code clean_run(const struct options *o)
{
    struct checking c = {0};
    struct error e = {0};
    struct options all = *o;
    all.no_cache = true;
    bool ok = check_prepare(&c, &all, &e) && clean(&c, &e);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    check_free(&c);
    return code;
}
