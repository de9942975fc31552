/* miscast summarize: one unit is read, and all that linking needs of it goes to a file. A step like
 * compiling: it looks at one unit only, and its errors are told when all are linked. */
#include "frontends/driver/shards/summary.h"

static bool write_all(struct project *p, const struct options *o, struct error *e)
{
    struct tree t;
    struct summary s = {0};
    if (!tree_find(p->arena, o, &t, e))
        return false;
    gather(p, &t, &s);
    for (int i = 0; i < s.units.count; i++)
        LIST_ADD(p->arena, &s.asked, s.units.items[i].file);
    const char *target = o->depfile_target ? o->depfile_target : o->output;
    return output_allowed(p, o->output, e) &&
           (!o->depfile || depfile_write(p, o->depfile, target, e)) &&
           summary_write(p, &s, o->output, e);
}

enum exit_code summarize_run(const struct options *given)
{
    struct arena *a = arena_new();
    struct project p = {0};
    struct options o = *given;
    struct error e = {0};
    o.notes_reads = true;
    o.jobs = 1;
    bool ok = (o.operands.count || command_take(a, &o, &e)) &&
              (o.output || error_set(&e, "'summarize' needs -o FILE")) &&
              project_lower(&p, &o, &o.operands, &e) && write_all(&p, &o, &e);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    project_free(&p);
    arena_free(a);
    return code;
}
