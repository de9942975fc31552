/* miscast ir: files in the text form of the IR, as the analysis gets them. Nothing is linked. */
#include "frontends/cli/cli.h"

static enum exit_code ir_run(const struct options *o)
{
    struct project p;
    struct error e = {0};
    struct text out = {0};
    bool ok = project_lower(&p, &o->request, &o->operands, &e);
    for (int i = 0; ok && i < p.units.count; i++) {
        text_add(&out, i ? "\n" : "");
        ir_print(p.units.items[i], &out);
    }
    if (out.length)
        fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e), closed = project_close(&p);
    return code ? code : closed;
}

const struct command ir_command = {
    .name = "ir",
    .task = TASK_UNDERSTAND,
    .operands = "FILE... [-- FLAG...]",
    .summary = "Shows the program as the analysis sees it.",
    .options = OPT(DATABASE) | OPT(JOBS) | OPT(UNIT_TIMEOUT) | OPT(UNIT_MEMORY),
    .least = 1,
    .most = -1,
    .takes_flags = true,
    .run = ir_run,
    .more = "",
};
