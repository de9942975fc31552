/* The packs of a project: the installed ones, those of its language, then the user's. */
#include "frontends/driver/project/project.h"

#include "frontends/driver/project/session.h"

/* Completely, so that errors are found. */
static bool load_own_packs(const struct request *request, struct pack_set *packs, struct error *e)
{
    bool ok = true;
    packs_select(packs, NULL, NULL);
    packs_set_target(packs, &request->target);
    for (int i = 0; ok && i < request->packs.count; i++)
        ok = packs_load(packs, request->packs.items[i], e);
    return ok;
}

bool project_check_packs(struct project *p, struct error *e)
{
    struct arena *scratch = arena_new();
    bool ok = load_own_packs(p->request, packs_new(scratch, names_new(scratch)), e);
    arena_free(scratch);
    return ok;
}

/* A word that no pack knows is a mistake. */
static bool check_target(const struct project *p, struct error *e)
{
    const text_list *names = &p->request->target;
    for (int i = 0; i < names->count; i++)
        if (!packs_have_backend(p->packs, names->items[i]))
            return error_set(e, "target: no pack has the backend '%s'", names->items[i]);
    return true;
}

/* The installed ones, by name, then the user's. In a session completely, since the program will
 * change. */
bool project_load_packs(struct project *p,
                        bool (*is_wanted)(const void *data, const char *function), const void *data,
                        struct error *e)
{
    text_list files = {0};
    bool ok = installed_pack_files(p->arena, &files, e);
    if (project_is_dynamic(p))
        project_model_packs(p, &files);
    struct session *session = p->request->session;
    if (ok && session && session_packs(session, &files, p->request, &p->packs)) {
        packs_use(p->packs);
        return true;
    }
    if (!session && is_wanted) {
        p->packs = packs_new(p->arena, p->names);
        packs_select(p->packs, is_wanted, data);
    } else if (!session) { /* threads of the analysis will read what they need */
        p->late_packs = arena_new();
        p->packs = packs_new(p->late_packs, names_new(p->late_packs));
        packs_read_late(p->packs);
    }
    packs_set_target(p->packs, &p->request->target);
    for (int i = 0; i < files.count && ok; i++)
        ok = packs_load(p->packs, files.items[i], e);
    ok = ok && load_own_packs(p->request, p->packs, e) && check_target(p, e);
    if (session)
        session_packs_loaded(session, ok);
    return ok;
}
