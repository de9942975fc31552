/* miscast summarize: lowers one unit, and writes what linking needs of it to a file. A step like
 * compiling: it reads one unit only, and its errors are reported when all are linked. */
#include "frontends/cli/cli.h"
#include "frontends/driver/shards/summary.h"

static bool write_all(struct project *p, const struct request *request, struct error *e)
{
    const struct shard_request *to = &request->shard;
    struct tree t;
    struct summary s = {0};
    if (!tree_find(p->arena, request, &t, e))
        return false;
    summary_collect(p, &t, &s);
    for (int i = 0; i < s.units.count; i++)
        LIST_ADD(p->arena, &s.asked, s.units.items[i].file);
    const char *target = to->depfile_target ? to->depfile_target : to->output;
    return output_allowed(p, to->output, e) &&
           (!to->depfile || depfile_write(p, to->depfile, target, e)) &&
           summary_write(p, &s, to->output, e);
}

static enum exit_code summarize_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct project p = {0};
    struct request request = o->request;
    struct error e = {0};
    request.notes_reads = true;
    request.limits.jobs = 1;
    request.shard.output = o->output;
    bool ok = (request.paths.count || compiler_command_take(a, &request, &e)) &&
              (request.shard.output || error_set(&e, "'summarize' needs -o FILE")) &&
              project_lower(&p, &request, &request.paths, &e) && write_all(&p, &request, &e);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    project_free(&p);
    arena_free(a);
    return code;
}

const struct command summarize_command = {
    .name = "summarize",
    .task = TASK_STEPS,
    .operands = "FILE [-- FLAG...]|-- COMPILER...",
    .summary = "Reads one file as a step of a build, for 'miscast link'.",
    .options = OPT(DATABASE) | OPT(OUTPUT) | OPT(DEPFILE) | OPT(ROOT),
    .least = 0,
    .most = 1,
    .takes_flags = true,
    .run = summarize_run,
    .more = "\n"
            "FLAGs are a compiler's; without '--' they come from compile_commands.json. The "
            "summary depends only on\n"
            "the file and what it includes, which --depfile lists. Paths below --root are stored "
            "relative to it, so that\n"
            "a summary can be linked on another machine. Errors are reported when summaries are "
            "linked. Without FILE,\n"
            "'--' is followed by a compiler's whole command; the summary is written where its "
            "object would be (-o),\n"
            "the dependencies where its depfile would be (-MF).\n",
};
