/* Stand-ins for libraries that are not here, or that would crash instead of reporting an error: a
 * program comes in, and the source of a stand-in for what it calls (stand_in/) goes out. */
#include "analyzer/verify/c/private.h"

#include <ctype.h>
#include <string.h>

extern const char stand_in_cuda[]; /* the text of stand_in/cuda.c */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* In the source of a stand-in, the lines that define functions begin with a capital (STAND_IN). */
static bool defines(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        if (isupper((unsigned char)*line) && !is_word(at[n]) && !is_word(at[-1]))
            return true;
    }
    return false;
}

const char *c_distrust(const struct event *e)
{
    bool claims = json_is_true(json_object_get(e->raw, "stand_in"));
    bool known = *e->op && defines(stand_in_cuda, e->op);
    return claims && !known ? "an event names a call that no stand-in handles" : NULL;
}

/* Whether the program calls what a stand-in defines. */
static bool calls_any_of(struct verifier *v, const struct program *p, const char *text)
{
    for (int i = 0; i < flow_call_count(v->in->flow); i++) {
        const struct flow_call *c = flow_call_at(v->in->flow, i);
        bool held = false;
        for (int k = 0; k < p->units.count && !held; k++)
            held = function_of(p->units.items[k], c->function->name);
        if (held && defines(text, c->callee->name))
            return true;
    }
    return false;
}

const char *stand_in_for(struct verifier *v, const struct program *p)
{
    return calls_any_of(v, p, stand_in_cuda) ? stand_in_cuda : NULL;
}
