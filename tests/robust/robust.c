/* Analyses C files, each in a process of its own: lowering, the IR's verifier, flow. A crash, a
 * unit that takes too long, invalid IR and any finding are failures: the files come from programs
 * without tensors. Ends with a line of totals.
 *
 *   robust [-t SECONDS] [-j PROCESSES] [-k PACK] [-l] (-p FOLDER | FILE... [-- FLAG...])
 *
 * -p takes all files of the folder's compile_commands.json; -l also links all units and analyses
 * them as one program; -k loads one more pack: everything.yaml, next to this file, sends flow
 * through functions it would otherwise skip. */
#include "analyzer/flow/flow.h"
#include "frontends/clang/database.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a process says of its unit, through a pipe. */
struct answer {
    bool parsed;
    int errors, lines, functions, analysed, instructions, notes, findings, budgets;
    double parse_and_lower, flow; /* seconds of CPU */
    char trouble[160];            /* empty: none */
};

struct job {
    const struct compile *compile;
    pid_t process;
    int pipe;
};

enum { MOST_JOBS = 64 };

struct robust {
    struct arena *arena;
    struct clang *clang;
    struct pack_set *packs;
    struct compile *units;
    const char *pack; /* beside those that come along; NULL: none */
    int unit_count, seconds, jobs;
    bool link;
    struct job running[MOST_JOBS];
    struct answer total;
    int parsed, with_errors, bad;
    double slowest;
    const char *slowest_file;
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- in the unit's own process --------------------------------------------------------------- */

static int count_lines(struct arena *a, const char *path)
{
    struct error e;
    size_t length = 0;
    const char *text = file_read(a, path, &length, &e);
    int lines = 0;
    for (size_t i = 0; text && i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static void describe_failure(const struct flow *f, struct answer *o)
{
    o->findings = flow_failure_count(f);
    if (!o->findings || o->trouble[0])
        return;
    const struct flow_failure *r = flow_failure_at(f, 0);
    snprintf(o->trouble, sizeof o->trouble, "found something at line %d: %s %s",
             r->function->insts.items[r->inst].span.line, r->callee->shown,
             error_kind_name(r->kind));
}

static void run_flow(const struct robust *r, struct ir_unit **units, int count, struct answer *o)
{
    struct error e = {0};
    double start = cpu_seconds();
    struct flow *f = flow_run(units, count, r->packs, NULL, &e);
    o->flow = cpu_seconds() - start;
    if (!f) {
        snprintf(o->trouble, sizeof o->trouble, "%.150s", e.message);
        return;
    }
    o->functions = flow_counts(f)->functions;
    o->analysed = flow_counts(f)->functions_analysed;
    o->budgets = flow_counts(f)->budgets;
    describe_failure(f, o);
    flow_free(f);
}

static struct ir_unit *lower(const struct robust *r, const struct compile *c, struct answer *o)
{
    struct error e = {0}, broken = {0};
    double start = cpu_seconds();
    struct ir_unit *u = clang_lower(r->clang, c->file, c->flags, c->flag_count, c->directory, &e);
    o->parse_and_lower += cpu_seconds() - start;
    if (!u)
        return NULL;
    o->parsed = true;
    o->errors += u->errors;
    o->notes += u->notes.count;
    for (int i = 0; i < u->functions.count; i++)
        o->instructions += u->functions.items[i]->insts.count;
    if (!ir_verify(u, &broken))
        snprintf(o->trouble, sizeof o->trouble, "IR: %.150s", broken.message);
    return u;
}

static void analyse_one(const struct robust *r, const struct compile *c, struct answer *o)
{
    struct ir_unit *u = lower(r, c, o);
    o->lines = count_lines(r->arena, c->file);
    if (!u)
        return;
    run_flow(r, &u, 1, o);
    ir_unit_free(u);
}

/* No file: all of them. */
static void analyse_all(const struct robust *r, struct answer *o)
{
    struct ir_unit **units = arena_array(r->arena, struct ir_unit *, r->unit_count);
    int count = 0;
    for (int i = 0; i < r->unit_count; i++) {
        struct ir_unit *u = lower(r, &r->units[i], o);
        if (u)
            units[count++] = u;
    }
    run_flow(r, units, count, o);
}

/* ---- around it ------------------------------------------------------------------------------- */

/* Of CPU time: the machine may be busy. By the clock only what waits for ever is stopped. */
static void limit_time(int seconds)
{
    struct rlimit limit = {(rlim_t)seconds, (rlim_t)seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    alarm(20 * (unsigned)seconds);
}

static bool is_hang(int signal)
{
    return signal == SIGALRM || signal == SIGXCPU;
}

static void start(struct robust *r, struct job *j, const struct compile *c)
{
    int ends[2];
    if (pipe(ends) != 0 || (j->process = fork()) < 0) {
        perror("robust");
        exit(2);
    }
    if (j->process == 0) {
        struct answer o = {0};
        close(ends[0]);
        limit_time(r->seconds);
        if (c)
            analyse_one(r, c, &o);
        else
            analyse_all(r, &o);
        _exit(write(ends[1], &o, sizeof o) == (ssize_t)sizeof o ? 0 : 2);
    }
    close(ends[1]);
    j->compile = c;
    j->pipe = ends[0];
}

static void add(struct robust *r, const struct answer *o)
{
    r->parsed += o->parsed;
    r->with_errors += o->errors > 0;
    r->total.lines += o->lines;
    r->total.functions += o->functions;
    r->total.analysed += o->analysed;
    r->total.instructions += o->instructions;
    r->total.notes += o->notes;
    r->total.findings += o->findings;
    r->total.budgets += o->budgets;
    r->total.parse_and_lower += o->parse_and_lower;
    r->total.flow += o->flow;
}

static void say_bad(struct robust *r, const struct job *j, const char *what)
{
    printf("%s: %s\n", j->compile ? j->compile->file : "all units", what);
    r->bad++;
}

static void finish(struct robust *r, struct job *j)
{
    struct answer o = {0};
    int status = 0;
    while (waitpid(j->process, &status, 0) < 0 && errno == EINTR)
        ;
    ssize_t got = read(j->pipe, &o, sizeof o);
    close(j->pipe);
    j->process = 0;
    if (WIFSIGNALED(status))
        say_bad(r, j, is_hang(WTERMSIG(status)) ? "hangs" : strsignal(WTERMSIG(status)));
    else if (got != (ssize_t)sizeof o)
        say_bad(r, j, "ended too early");
    else if (o.trouble[0])
        say_bad(r, j, o.trouble);
    if (!j->compile) {
        printf("linked: functions %d analysed %d findings %d budgets %d, flow %.2f s\n",
               o.functions, o.analysed, o.findings, o.budgets, o.flow);
        return;
    }
    add(r, &o);
    if (o.parse_and_lower + o.flow > r->slowest) {
        r->slowest = o.parse_and_lower + o.flow;
        r->slowest_file = j->compile->file;
    }
}

/* The process ends whose turn it is: all take about the same time. */
static void run_units(struct robust *r)
{
    for (int i = 0; i < r->unit_count; i++) {
        struct job *j = &r->running[i % r->jobs];
        if (j->process)
            finish(r, j);
        start(r, j, &r->units[i]);
    }
    for (int i = 0; i < r->jobs; i++) {
        struct job *j = &r->running[(r->unit_count + i) % r->jobs];
        if (j->process)
            finish(r, j);
    }
}

static void run_linked(struct robust *r)
{
    struct job all = {0};
    start(r, &all, NULL);
    finish(r, &all);
}

static void print_totals(const struct robust *r)
{
    const struct answer *t = &r->total;
    printf("units %d parsed %d with errors %d lines %d functions %d analysed %d instructions %d "
           "notes %d findings %d budgets %d bad %d\n",
           r->unit_count, r->parsed, r->with_errors, t->lines, t->functions, t->analysed,
           t->instructions, t->notes, t->findings, t->budgets, r->bad);
    printf("parse and lowering %.2f s, flow %.2f s; slowest %.2f s %s\n", t->parse_and_lower,
           t->flow, r->slowest, r->slowest_file ? r->slowest_file : "");
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void usage(void)
{
    fprintf(stderr, "usage: robust [-t SECONDS] [-j PROCESSES] [-k PACK] [-l] "
                    "(-p FOLDER | FILE... [-- FLAG...])\n");
    exit(2);
}

static void die(const struct error *e)
{
    fprintf(stderr, "robust: %s%s%s\n", e->file, e->file[0] ? ": " : "", e->message);
    exit(2);
}

/* From -- on, argv is the flags of all files before. */
static void take_files(struct robust *r, char **argv, int argc)
{
    int files = 0;
    while (files < argc && strcmp(argv[files], "--") != 0)
        files++;
    r->units = arena_array(r->arena, struct compile, files);
    r->unit_count = files;
    for (int i = 0; i < files; i++)
        r->units[i] = (struct compile){.file = argv[i],
                                       .flags = (const char *const *)argv + files + 1,
                                       .flag_count = argc > files ? argc - files - 1 : 0};
}

static void take_database(struct robust *r, const char *folder)
{
    struct error e = {0};
    struct database *d = NULL;
    if (!database_open(&d, r->clang, folder, NULL, &e))
        die(&e);
    r->units = database_all(d, r->arena, &r->unit_count);
}

static bool load_packs(struct robust *r, struct error *e)
{
    glob_t found = {0};
    bool ok = true;
    const char *pattern = arena_printf(r->arena, "%s/*.yaml", packs_builtin_dir());
    r->packs = packs_new(r->arena, names_new(r->arena));
    if (glob(pattern, 0, NULL, &found) != 0)
        return error_set(e, "no packs: %s", pattern);
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = packs_load(r->packs, found.gl_pathv[i], e);
    globfree(&found);
    return ok && (!r->pack || packs_load(r->packs, r->pack, e));
}

static void open_all(struct robust *r)
{
    struct error e = {0};
    r->arena = arena_new();
    r->clang = clang_open(&e);
    if (!r->clang || !load_packs(r, &e))
        die(&e);
}

int main(int argc, char **argv)
{
    struct robust r = {.seconds = 60, .jobs = 1};
    const char *folder = NULL;
    int option;
    while ((option = getopt(argc, argv, "+t:j:k:lp:")) != -1) {
        if (option == 't')
            r.seconds = atoi(optarg);
        else if (option == 'j')
            r.jobs = atoi(optarg);
        else if (option == 'k')
            r.pack = optarg;
        else if (option == 'l')
            r.link = true;
        else if (option == 'p')
            folder = optarg;
        else
            usage();
    }
    if ((folder == NULL) == (optind == argc) || r.jobs < 1 || r.jobs > MOST_JOBS || r.seconds < 1)
        usage();
    open_all(&r);
    if (folder)
        take_database(&r, folder);
    else
        take_files(&r, argv + optind, argc - optind);
    run_units(&r);
    if (r.link)
        run_linked(&r);
    print_totals(&r);
    clang_close(r.clang);
    arena_free(r.arena);
    return r.bad ? 1 : 0;
}
