/* agree --programs N --seed S: random programs, run and analysed; for every op that ran, what
 * happened must be among what was inferred. With --check, findings must happen: an error in every
 * run that gets there, a warning in at least one. Programs are compiled in batches, because the
 * compiler reads the API's header once per batch; batches are distributed to --jobs processes. */
#include "tests/agree/agree.h"

#include "analyzer/ir/ir.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 25 };

struct options {
    int programs, first, jobs;
    int most_imprecise; /* percent of the ops */
    long most_unsound, most_false, most_missed;
    uint64_t seed;
    const char *keep, *folder;
    enum program_form form;
    bool show_imprecise, check;
};

static const char usage[] =
    "usage: agree --programs N --seed S [--keep DIR] [--first N] [--jobs N] [--imprecise] [--bar "
    "N]\n"
    "  --programs N   how many to generate\n"
    "  --seed S       the same seed gives the same programs\n"
    "  --keep DIR     write them there and leave them\n"
    "  --first N      the number of the first, to see one of many again\n"
    "  --jobs N       processes at a time\n"
    "  --train        programs with gradients, optimizers, no-grad and autocast regions\n"
    "  --everyday     programs as people write them: options, environment, arrays, tables, "
    "structs\n"
    "  --check        hold what the rules find against the runs, instead\n"
    "  --imprecise    print also where more was inferred than seen\n"
    "  --bar PERCENT  fail if that is so for more of the ops\n"
    "  --unsound N, --false N, --missed N\n"
    "                 fail if there are more (default: 0, any, any)\n"
    "or:    agree --folder DIR/pN: a program that lies there, for making a failing one smaller\n";

void totals_add(struct totals *to, const struct totals *t)
{
    to->programs += t->programs;
    to->ops += t->ops;
    to->unsound += t->unsound;
    to->imprecise += t->imprecise;
    to->imprecise_devices += t->imprecise_devices;
    to->written += t->written;
    to->runs += t->runs;
    to->failed_runs += t->failed_runs;
    to->leaks += t->leaks;
    to->cut += t->cut;
    to->findings += t->findings;
    to->wrong += t->wrong;
    to->unreached += t->unreached;
    to->false_findings += t->false_findings;
    to->missed += t->missed;
    to->clean += t->clean;
    to->clean_found += t->clean_found;
    to->failing += t->failing;
    to->limited += t->limited;
}

/* ---- one batch ------------------------------------------------------------------------------- */

static bool compare_program(const struct options *o, struct analyzer *a, const struct batch *b,
                            const struct program *p, const struct seen_list *seen, struct totals *t,
                            struct error *e)
{
    struct ir_unit *units[MAX_FILES] = {0};
    bool ok = program_lower(a, b, p, units, e) &&
              (o->check || program_compare(a, b, p, units, seen, o->show_imprecise, t, e)) &&
              program_check(a, b, p, units, seen, o->check, t, e);
    t->programs++;
    t->written += p->ops;
    for (int i = 0; i < MAX_FILES; i++)
        if (units[i])
            ir_unit_free(units[i]);
    return ok;
}

static bool compare_batch(const struct options *o, struct analyzer *a, const struct batch *b,
                          struct totals *t, struct error *e)
{
    struct seen_list seen = {0};
    bool ok = batch_write(b, e) && batch_run(b, &seen, t, e);
    analyzer_expect(a, b);
    for (int i = 0; ok && i < b->count; i++)
        ok = compare_program(o, a, b, &b->programs[i], &seen, t, e);
    seen_free(&seen);
    return ok;
}

/* Removes what was written, by name: nothing else can be in the way. */
static void remove_batch(const struct batch *b)
{
    static const char *const files[] = {"batch.c", "batch", "compile.out", "run.out"};
    char path[600];
    for (int i = 0; i < b->count; i++) {
        const struct program *p = &b->programs[i];
        for (int k = 0; k < p->file_count; k++) {
            snprintf(path, sizeof path, "%s/%s/%s", b->dir, p->name, p->file_names[k]);
            unlink(path);
        }
        snprintf(path, sizeof path, "%s/%s/%s.h", b->dir, p->name, p->name);
        unlink(path);
        snprintf(path, sizeof path, "%s/%s", b->dir, p->name);
        rmdir(path);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", b->dir, files[i]);
        unlink(path);
    }
    rmdir(b->dir);
}

static bool do_batch(const struct options *o, struct analyzer *a, const char *dir, int first,
                     int count, struct totals *t, struct error *e)
{
    struct program programs[BATCH];
    char path[600];
    struct totals own = {0};
    snprintf(path, sizeof path, "%s/batch%d", dir, first / BATCH);
    if (mkdir(path, 0777) && errno != EEXIST)
        return error_set(e, "cannot make %s: %s", path, strerror(errno));
    struct batch b = {path, o->seed, programs, count};
    for (int i = 0; i < count; i++)
        program_generate(&programs[i], first + i, o->seed, o->form);
    bool ok = compare_batch(o, a, &b, &own, e);
    if (ok && own.unsound <= o->most_unsound && !own.wrong && !own.leaks && !o->keep)
        remove_batch(&b);
    for (int i = 0; i < count; i++)
        program_free(&programs[i]);
    totals_add(t, &own);
    return ok;
}

/* ---- a program of one's own ------------------------------------------------------------------ */

/* DIR/pN and the C files in it. */
static bool do_folder(const struct options *o, struct totals *t)
{
    struct error e = {0};
    struct program p;
    char dir[600];
    snprintf(dir, sizeof dir, "%s", o->folder);
    char *slash = strrchr(dir, '/');
    struct analyzer *a = slash ? analyzer_open(&e) : NULL;
    struct batch b = {dir, o->seed, &p, 1};
    struct seen_list seen = {0};
    if (slash)
        *slash = '\0';
    bool ok = a && program_read(&p, dir, slash + 1, &e) && batch_run(&b, &seen, t, &e) &&
              compare_program(o, a, &b, &p, &seen, t, &e);
    if (!ok)
        fprintf(stderr, "agree: %s\n", slash ? e.message : "the folder should be DIR/pN");
    seen_free(&seen);
    analyzer_close(a);
    return ok;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Every job takes each batch whose turn it is. */
static bool do_job(const struct options *o, const char *dir, int job, struct totals *t)
{
    struct error e = {0};
    struct analyzer *a = analyzer_open(&e);
    bool ok = a != NULL;
    for (int n = 0, batch = 0; ok && n < o->programs; n += BATCH, batch++)
        if (batch % o->jobs == job)
            ok = do_batch(o, a, dir, o->first + n,
                          o->programs - n < BATCH ? o->programs - n : BATCH, t, &e);
    if (!ok)
        fprintf(stderr, "agree: %s\n", e.message);
    analyzer_close(a);
    fflush(stdout);
    return ok;
}

static bool do_jobs(const struct options *o, const char *dir, struct totals *t)
{
    bool ok = true;
    int ends[2];
    if (pipe(ends))
        return false;
    fflush(stdout);
    for (int job = 0; job < o->jobs; job++)
        if (fork() == 0) {
            struct totals own = {0};
            bool done = do_job(o, dir, job, &own);
            if (write(ends[1], &own, sizeof own) != (ssize_t)sizeof own)
                done = false;
            exit(done ? 0 : 2);
        }
    close(ends[1]);
    for (struct totals own; read(ends[0], &own, sizeof own) == (ssize_t)sizeof own;)
        totals_add(t, &own);
    close(ends[0]);
    for (int status; wait(&status) > 0;)
        ok &= status == 0;
    return ok;
}

static bool number_option(int argc, char **argv, int *i, const char *name, uint64_t *to)
{
    char *end;
    if (strcmp(argv[*i], name) || *i + 1 >= argc)
        return false;
    *to = strtoull(argv[++*i], &end, 10);
    return *end == '\0';
}

static bool read_options(int argc, char **argv, struct options *o)
{
    uint64_t programs = 200, first = 0, jobs = 1, bar = 100;
    uint64_t unsound = 0, wrong = LONG_MAX, missed = LONG_MAX;
    o->seed = 1;
    for (int i = 1; i < argc; i++) {
        if (number_option(argc, argv, &i, "--programs", &programs) ||
            number_option(argc, argv, &i, "--seed", &o->seed) ||
            number_option(argc, argv, &i, "--first", &first) ||
            number_option(argc, argv, &i, "--jobs", &jobs) ||
            number_option(argc, argv, &i, "--bar", &bar) ||
            number_option(argc, argv, &i, "--unsound", &unsound) ||
            number_option(argc, argv, &i, "--false", &wrong) ||
            number_option(argc, argv, &i, "--missed", &missed))
            continue;
        if (!strcmp(argv[i], "--keep") && i + 1 < argc)
            o->keep = argv[++i];
        else if (!strcmp(argv[i], "--folder") && i + 1 < argc)
            o->folder = argv[++i];
        else if (!strcmp(argv[i], "--imprecise"))
            o->show_imprecise = true;
        else if (!strcmp(argv[i], "--train"))
            o->form = FORM_TRAIN;
        else if (!strcmp(argv[i], "--everyday"))
            o->form = FORM_EVERYDAY;
        else if (!strcmp(argv[i], "--check"))
            o->check = true;
        else
            return false;
    }
    o->programs = (int)programs;
    o->first = (int)first;
    o->most_imprecise = (int)bar;
    o->most_unsound = (long)unsound;
    o->most_false = (long)wrong;
    o->most_missed = (long)missed;
    o->jobs = jobs ? (int)jobs : 1;
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    struct totals t = {0};
    char made[] = "/tmp/agreeXXXXXX";
    setvbuf(stdout, NULL, _IOLBF, 0); /* jobs write to it, too */
    if (!read_options(argc, argv, &o)) {
        fputs(usage, stderr);
        return 2;
    }
    const char *dir = o.folder ? o.folder : o.keep ? o.keep : mkdtemp(made);
    if (!dir || (o.keep && mkdir(dir, 0777) && errno != EEXIST)) {
        fprintf(stderr, "agree: no folder to work in: %s\n", strerror(errno));
        return 2;
    }
    bool ok = o.folder     ? do_folder(&o, &t)
              : o.jobs > 1 ? do_jobs(&o, dir, &t)
                           : do_job(&o, dir, 0, &t);
    if (!o.keep && !o.folder)
        rmdir(dir); /* unless something was left there to be looked at */
    if (o.check)
        printf("programs %d findings %ld wrong %ld not reached %ld leaks %ld", t.programs,
               t.findings, t.wrong, t.unreached, t.leaks);
    else
        printf("programs %d ops %ld unsound %ld imprecise %ld leaks %ld", t.programs, t.ops,
               t.unsound, t.imprecise, t.leaks);
    printf(" false %ld missed %ld\n", t.false_findings, t.missed);
    fprintf(stderr,
            "agree: %ld ops written, %ld runs, of which an error ended %ld (%ld%%); more than one "
            "device inferred where one was seen: %ld; %ld programs hit a budget of the analysis\n",
            t.written, t.runs, t.failed_runs, t.runs ? t.failed_runs * 100 / t.runs : 0,
            t.imprecise_devices, t.cut);
    fprintf(
        stderr,
        "agree: false findings in %ld of %ld programs that never fail; %ld of %ld failing places "
        "missed; a limit is reported for %ld of these findings and places\n",
        t.clean_found, t.clean, t.missed, t.failing, t.limited);
    bool blurred = t.imprecise * 100 > t.ops * o.most_imprecise;
    bool above =
        t.unsound > o.most_unsound || t.false_findings > o.most_false || t.missed > o.most_missed;
    return !ok ? 2 : above || t.wrong || t.leaks || blurred ? 1 : 0;
}
