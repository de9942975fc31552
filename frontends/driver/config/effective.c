/* The effective request: what was asked for, with what the configuration adds to it. */
#include "frontends/driver/config/config.h"

void config_apply(const struct config *c, const struct request *request, struct request *out)
{
    *out = *request;
    out->packs = c->packs;
    out->target = c->target;
    out->database = c->database;
    out->is_database_configured =
        c->database && (!request->database || request->is_database_configured);
    out->configured_flags = c->flags;
    out->configured_folder = c->folder;
    out->limits.unit_timeout = c->unit_timeout;
    out->limits.unit_memory = c->unit_memory;
}

bool request_configure(struct arena *a, const struct request *request, const char *near,
                       struct request *out, struct error *e)
{
    struct config c;
    if (!config_find(a, request, near, &c, e))
        return false;
    config_apply(&c, request, out);
    return true;
}
