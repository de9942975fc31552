/* miscast contracts: what functions that nobody calls need of their arguments. */
#include "frontends/cli/cli.h"

static void show(struct project *p, const char *function)
{
    struct text out = {0};
    if (!contracts_print(p, function, &out))
        fputs("miscast: no uncalled function needs anything of its arguments\n", stderr);
    if (out.length)
        fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
}

static enum exit_code contracts_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct project p = {0};
    struct request request;
    struct error e = {0};
    text_list files = {0};
    bool ok = folders_configure(a, &o->request, &o->operands, &request, &files, &e) &&
              project_analyse(&p, &request, &files, &e);
    if (ok)
        show(&p, o->function);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e), closed = project_close(&p);
    arena_free(a);
    return code ? code : closed;
}

const struct command contracts_command = {
    .name = "contracts",
    .task = TASK_UNDERSTAND,
    .operands = "PATH... [-- FLAG...]",
    .summary = "Shows what functions that nobody calls need of their arguments.",
    .options = PROGRAM_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS | OPT(FUNCTION),
    .least = 1,
    .most = -1,
    .takes_flags = true,
    .run = contracts_run,
    .more = "\n"
            "A call that works for some of what an argument could be, and fails for the rest, "
            "becomes a need.\n",
};
