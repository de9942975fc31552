/* miscast verify, and check --verify: findings come in, are run, and get their verdicts. Here is
 * what the analyzer does not know: where the runtime is, and how far to go. */
#include "frontends/cli/check.h"

#include "analyzer/verify/verify.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <stdlib.h>

/* One run of a program; runs of one program or function; memory of a run. */
enum { WALL_MS = 10000, MAX_RUNS = 80, MEMORY_MIB = 4096 };

/* ---- the runtime -------------------------------------------------------------------------------
 */

struct runtime {
    const char *include, *library;
};

static bool is_there(const char *path)
{
    return !access(path, R_OK);
}

/* As it is installed: prefix/include, prefix/lib. */
static bool runtime_below(struct arena *a, const char *prefix, struct runtime *r)
{
    static const char *const libraries[] = {"lib/libmiscast.so", "lib/libmiscast.a",
                                            "lib64/libmiscast.so", "lib64/libmiscast.a"};
    r->include = arena_printf(a, "%s/include", prefix);
    if (!is_there(arena_printf(a, "%s/miscast/tensor.h", r->include)))
        return false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        r->library = arena_printf(a, "%s/%s", prefix, libraries[i]);
        if (is_there(r->library))
            return true;
    }
    return false;
}

/* Beside this program: bin/miscast, lib, include. */
static bool runtime_beside(struct arena *a, struct runtime *r)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    for (int up = 0; up < 2 && n > 0; up++) {
        path[n] = '\0';
        char *slash = strrchr(path, '/');
        n = slash ? slash - path : 0;
        path[n] = '\0';
    }
    return n > 0 && runtime_below(a, path, r);
}

static bool runtime_find(struct arena *a, struct runtime *r, struct error *e)
{
    const char *said = getenv("MISCAST_RUNTIME");
    if (said && *said)
        return runtime_below(a, said, r) ||
               error_at(e, said, 0, 0,
                        "MISCAST_RUNTIME: no include/miscast and lib/libmiscast here");
    if (runtime_beside(a, r))
        return true;
    *r = (struct runtime){MISCAST_RUNTIME_INCLUDE, MISCAST_RUNTIME_LIBRARY};
    return is_there(r->library) ||
           error_set(e, "the runtime library is not found; MISCAST_RUNTIME says where it is: a "
                        "folder with include/miscast and lib/libmiscast.a");
}

/* ---- the run ------------------------------------------------------------------------------------
 */

static void show_progress(void *context, int done, int count, const struct finding *f)
{
    const struct checking *c = context;
    if (c->told.progress)
        fprintf(stderr, "\r\033[Kverifying %d/%d  %s:%d", done + 1, count, f->span.file,
                f->span.line);
}

static struct verify_unit *units_of(struct checking *c, int *count)
{
    struct project *p = &c->project;
    struct verify_unit *units = arena_array(c->arena, struct verify_unit, p->inputs.count);
    *count = 0;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        if (in->unit)
            units[(*count)++] = (struct verify_unit){.file = in->file,
                                                     .directory = in->directory,
                                                     .flags = in->flags,
                                                     .flag_count = in->flag_count,
                                                     .unit = in->unit};
    }
    return units;
}

bool verifying_run(struct checking *c, struct error *e)
{
    struct runtime r;
    const struct options *o = c->options;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (!c->findings.count)
        return true;
    if (!runtime_find(c->arena, &r, e))
        return false;
    struct verify_input in = {
        .arena = c->arena,
        .flow = c->project.flow,
        .include = r.include,
        .library = r.library,
        .compiler = getenv("CC"),
        .limits = {.wall_ms = o->timeout ? o->timeout * 1000 : WALL_MS,
                   .runs = MAX_RUNS,
                   .bytes = (uint64_t)MEMORY_MIB << 20},
        .jobs = o->jobs          ? o->jobs
                : processors > 0 ? (int)processors
                                 : 1,
        .uncontained = o->uncontained,
        .keep = o->keep,
        .progress = show_progress,
        .context = c,
    };
    in.units = units_of(c, &in.unit_count);
    bool ok = verify_findings(&in, &c->findings, e);
    if (c->told.progress)
        fputs("\r\033[K", stderr);
    return ok;
}

void verifying_say(const struct checking *c)
{
    int counts[VERDICT_KINDS] = {0};
    for (int i = 0; i < c->findings.count; i++)
        counts[c->findings.items[i]->verdict.kind]++;
    fprintf(stderr, "miscast: confirmed %d, refuted %d, not reached %d, not run %d\n",
            counts[VERDICT_CONFIRMED], counts[VERDICT_REFUTED], counts[VERDICT_NOT_REACHED],
            counts[VERDICT_NOT_RUN]);
}

enum exit_code verify_run(const struct options *given)
{
    struct options o = *given;
    o.verify = true;
    return check_run(&o);
}
