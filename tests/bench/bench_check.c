/* The cost of the analysis: the ratio of its CPU time to clang's for the same files, as the median
 * of several rounds in which the two alternate.
 *
 *   bench_check [-p FOLDER] [--only TEXT] [--units N] [--rounds N] [--pack FILE] [--strict]
 *               [--options] [--flow]
 *
 * The files are those of FOLDER/compile_commands.json with TEXT in their names, by default the
 * runtime's own; --units takes an even sample of N of them. --strict: exit 1 if a bar is missed.
 * --options: measures only programs with many options. --flow: measures
 * only the flow, without a baseline; for a profiler. */
#include "analyzer/flow/flow.h"
#include "frontends/clang/database.h"
#include "tests/bench/cost.h"
#include "tests/bench/generated.h"

#include <glob.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

struct settings {
    const char *folder, *only, *pack, *miscast, *clang;
    int rounds, units;
    bool strict, options, flow;
};

struct bench {
    struct settings settings;
    struct arena *arena;
    struct clang *clang;
    struct pack_set *packs;
    struct compile *units;
    int unit_count;
    struct beginnings *shared; /* by them; NULL: nothing */
    int missed;
};

/* ---- processes ------------------------------------------------------------------------------- */

/* In a process of its own, so that each time begins alike. */
static struct cost run_apart(struct bench *b, void (*work)(struct bench *b))
{
    double start = clock_seconds(CLOCK_MONOTONIC);
    fflush(stdout);
    pid_t process = fork();
    if (process < 0)
        BUG("cannot fork");
    if (process == 0) {
        work(b);
        _exit(0);
    }
    struct cost c = wait_for(process);
    c.wall = clock_seconds(CLOCK_MONOTONIC) - start;
    return c;
}

/* clang looks only at the syntax, as it would compile the file. */
static struct cost run_clang(const struct bench *b, const struct compile *u)
{
    const char **args = arena_array(b->arena, const char *, u->flag_count + 6);
    int n = 0;
    args[n++] = b->settings.clang;
    args[n++] = "-fsyntax-only";
    for (int i = 0; i < u->flag_count; i++)
        args[n++] = u->flags[i];
    args[n++] = "-w";
    args[n++] = u->file;
    return run_program(args, u->directory);
}

/* ---- the work -------------------------------------------------------------------------------- */

static struct frontend_input input(const struct compile *u)
{
    return (struct frontend_input){
        .file = u->file, .directory = u->directory, .flags = u->flags, .flag_count = u->flag_count};
}

static struct ir_unit *lower(const struct bench *b, const struct compile *u)
{
    struct error e = {0};
    struct frontend_input in = input(u);
    in.shared = b->shared;
    return clang_lower_sharing(b->clang, &in, NULL, &e);
}

/* As a check does: files that begin alike share that. */
static void begin_sharing(struct bench *b)
{
    struct frontend_input *in = arena_array(b->arena, struct frontend_input, b->unit_count);
    for (int i = 0; i < b->unit_count; i++)
        in[i] = input(&b->units[i]);
    b->shared = beginnings_find(in, b->unit_count);
}

static void analyse(const struct bench *b, struct ir_unit **units, int count, int threads)
{
    struct flow_options how = {.threads = threads};
    struct error e = {0};
    flow_free(flow_run(units, count, b->packs, &how, &e));
}

static void check_all(struct bench *b)
{
    struct ir_unit **units = arena_array(b->arena, struct ir_unit *, b->unit_count);
    int count = 0;
    begin_sharing(b);
    for (int i = 0; i < b->unit_count; i++)
        if ((units[count] = lower(b, &b->units[i])))
            count++;
    analyse(b, units, count, 1);
}

static void parse_all(struct bench *b)
{
    for (int i = 0; i < b->unit_count; i++)
        clang_parse(b->clang, b->units[i].file, b->units[i].flags, b->units[i].flag_count,
                    b->units[i].directory);
}

struct team {
    struct bench *b;
    pthread_mutex_t lock;
    int next;
    struct ir_unit **units;
};

static void *lower_some(void *data)
{
    struct team *t = data;
    for (;;) {
        pthread_mutex_lock(&t->lock);
        int i = t->next++;
        pthread_mutex_unlock(&t->lock);
        if (i >= t->b->unit_count)
            return NULL;
        t->units[i] = lower(t->b, &t->b->units[i]);
    }
}

static void check_by_threads(struct bench *b, int threads)
{
    struct team team = {.b = b, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t members[8];
    begin_sharing(b);
    team.units = arena_array(b->arena, struct ir_unit *, b->unit_count);
    for (int i = 0; i < threads; i++)
        pthread_create(&members[i], NULL, lower_some, &team);
    for (int i = 0; i < threads; i++)
        pthread_join(members[i], NULL);
    int count = 0;
    for (int i = 0; i < b->unit_count; i++)
        if (team.units[i])
            team.units[count++] = team.units[i];
    analyse(b, team.units, count, threads);
}

static void check_by_one(struct bench *b)
{
    check_by_threads(b, 1);
}

static void check_by_two(struct bench *b)
{
    check_by_threads(b, 2);
}

/* ---- the table ------------------------------------------------------------------------------- */

#define ROW "%-34s %10s %10s %-3s %7s %7s %s\n"

/* The bar is the most, or if negative the least, that the ratio may be. */
static void print_row(struct bench *b, const char *what, double ours, double baseline,
                      const char *unit, double ratio, double bar)
{
    char cells[4][16];
    bool ok = bar < 0 ? ratio >= -bar : ratio <= bar;
    snprintf(cells[0], sizeof cells[0], "%.1f", ours);
    snprintf(cells[1], sizeof cells[1], "%.1f", baseline);
    snprintf(cells[2], sizeof cells[2], "%.3f", ratio);
    snprintf(cells[3], sizeof cells[3], "%s%.2f", bar < 0 ? ">" : "<", bar < 0 ? -bar : bar);
    printf(ROW, what, cells[0], cells[1], unit, cells[2], cells[3], ok ? "ok" : "MISS");
    fflush(stdout);
    b->missed += !ok;
}

static void print_rounds(struct bench *b, const char *what, struct rounds *r, double scale,
                         const char *unit, double bar)
{
    print_row(b, what, scale * median(r->ours, r->count), scale * median(r->baseline, r->count),
              unit, median(r->ratio, r->count), bar);
}

/* ---- what is measured ------------------------------------------------------------------------ */

static void bench_whole(struct bench *b)
{
    struct rounds time = {0}, memory = {0}, added = {0};
    for (int i = 0; i < b->settings.rounds; i++) {
        struct cost ours = run_apart(b, check_all), clang = {0}, parse = run_apart(b, parse_all);
        for (int k = 0; k < b->unit_count; k++) {
            struct cost one = run_clang(b, &b->units[k]);
            clang.cpu += one.cpu;
            clang.memory = one.memory > clang.memory ? one.memory : clang.memory;
        }
        add_round(&time, ours.cpu, clang.cpu);
        add_round(&memory, ours.memory, clang.memory);
        add_round(&added, ours.cpu - parse.cpu, parse.cpu);
    }
    print_rounds(b, "all units against clang, each alone", &time, 1e3, "ms", 1.00);
    print_rounds(b, "lowering and flow against parse", &added, 1e3, "ms", 0.30);
    print_rounds(b, "peak memory against clang", &memory, 1, "MB", 1.30);
}

/* The unit to which analysis adds the most, compared with its parse. One unit analysed alone. */
static void bench_worst(struct bench *b)
{
    struct bench one = *b;
    double worst = -1, ours = 0, parse = 0;
    const char *file = "";
    one.unit_count = 1;
    for (int i = 0; i < b->unit_count; i++) {
        struct rounds r = {0};
        one.units = &b->units[i];
        for (int k = 0; k < 3; k++) {
            double parsed = run_apart(&one, parse_all).cpu;
            add_round(&r, run_apart(&one, check_all).cpu - parsed, parsed);
        }
        double ratio = median(r.ratio, r.count);
        if (ratio > worst) {
            worst = ratio;
            ours = 1e3 * median(r.ours, r.count);
            parse = 1e3 * median(r.baseline, r.count);
            file = b->units[i].file;
        }
    }
    const char *slash = strrchr(file, '/');
    print_row(b, arena_printf(b->arena, "worst unit: %s", slash ? slash + 1 : file), ours, parse,
              "ms", worst, 1.0);
}

/* A database with this unit and no other: what miscast is asked about comes with all its project.
 */
static void write_database(const char *path, const struct compile *u)
{
    FILE *to = fopen(path, "w");
    if (!to)
        BUG("cannot write %s", path);
    fprintf(to, "[{\"directory\": \"%s\", \"file\": \"%s\", \"arguments\": [\"cc\"",
            u->directory ? u->directory : ".", u->file);
    for (int i = 0; i < u->flag_count; i++)
        if (!strpbrk(u->flags[i], "\"\\"))
            fprintf(to, ", \"%s\"", u->flags[i]);
    fprintf(to, ", \"-c\", \"%s\"]}]\n", u->file);
    fclose(to);
}

/* Units from all over, each in a process of its own. */
static void bench_single(struct bench *b)
{
    enum { TAKEN = 5 };
    char folder[] = "/tmp/bench_check.XXXXXX";
    struct rounds r = {0};
    if (access(b->settings.miscast, X_OK) != 0 || !mkdtemp(folder)) {
        printf("miscast types: skipped, %s is not built\n", b->settings.miscast);
        return;
    }
    const char *path = arena_printf(b->arena, "%s/compile_commands.json", folder);
    for (int i = 0; i < b->settings.rounds; i++) {
        double ours = 0, clang = 0;
        for (int k = 0; k < TAKEN; k++) {
            const struct compile *u = &b->units[(2 * k + 1) * b->unit_count / (2 * TAKEN)];
            const char *const args[] = {b->settings.miscast, "types", "-p", folder, u->file, NULL};
            write_database(path, u);
            ours += run_program(args, NULL).cpu / TAKEN;
            clang += run_clang(b, u).cpu / TAKEN;
        }
        add_round(&r, ours, clang);
    }
    print_rounds(b, "miscast types FILE against clang", &r, 1e3, "ms", 1.15);
    unlink(path);
    rmdir(folder);
}

/* By the clock: on a busy machine this says little, so what the threads got is said too. */
static void bench_threads(struct bench *b)
{
    struct rounds r = {0}, share = {0};
    for (int i = 0; i < b->settings.rounds; i++) {
        struct cost one = run_apart(b, check_by_one), two = run_apart(b, check_by_two);
        add_round(&r, two.wall, one.wall);
        r.ratio[i] = one.wall / two.wall;
        add_round(&share, one.cpu / one.wall, two.cpu / two.wall);
    }
    print_rounds(b, "two threads against one (faster)", &r, 1e3, "ms", -1.8);
    printf("  one thread got %.2f processors, two got %.2f\n", median(share.ours, share.count),
           median(share.baseline, share.count));
}

/* ---- growth ---------------------------------------------------------------------------------- */

static struct cost run_model(struct bench *b, const char *path, void (*work)(struct bench *b))
{
    static const char *const flags[] = {"-std=c17", "-I" RUNTIME_INCLUDE};
    struct compile unit = {.file = path, .flags = flags, .flag_count = 2};
    struct bench one = *b;
    one.units = &unit;
    one.unit_count = 1;
    return run_apart(&one, work);
}

static void bench_growth(struct bench *b)
{
    char folder[] = "/tmp/bench_check.XXXXXX";
    struct rounds growth = {0}, added = {0};
    if (!mkdtemp(folder))
        BUG("cannot make a folder in /tmp");
    const char *small = arena_printf(b->arena, "%s/small.c", folder);
    const char *large = arena_printf(b->arena, "%s/large.c", folder);
    layers_write(small, 10000);
    layers_write(large, 100000);
    for (int i = 0; i < b->settings.rounds; i++) {
        double most = run_model(b, large, check_all).cpu,
               parse = run_model(b, large, parse_all).cpu;
        add_round(&growth, most, run_model(b, small, check_all).cpu);
        add_round(&added, most - parse, parse);
    }
    print_rounds(b, "100,000 lines against 10,000", &growth, 1e3, "ms", 11);
    print_rounds(b, "their lowering and flow, and parse", &added, 1e3, "ms", 0.30);
    unlink(small);
    unlink(large);
    rmdir(folder);
}

/* ---- many options ---------------------------------------------------------------------------- */

/* The CPU time of the analysis of one file alone, without parsing it. */
static double flow_cost(struct bench *b, const char *path)
{
    static const char *const flags[] = {"-std=c17", "-I" RUNTIME_INCLUDE};
    struct compile unit = {.file = path, .flags = flags, .flag_count = 2};
    double *took =
        mmap(NULL, sizeof *took, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(stdout);
    pid_t process = took == MAP_FAILED ? -1 : fork();
    if (process < 0)
        BUG("cannot fork");
    if (process == 0) {
        struct ir_unit *u = lower(b, &unit);
        double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        analyse(b, &u, u != NULL, 1);
        *took = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
        _exit(0);
    }
    wait_for(process);
    double result = *took;
    munmap(took, sizeof *took);
    return result;
}

static void report_forgotten(struct bench *b, const char *path, const int *sizes, int count)
{
    printf("  one forgotten cast is found with");
    for (int i = 0; i < count; i++) {
        int others, line = options_write(path, sizes[i], true);
        bool found = is_reported(b->settings.miscast, path, line, &others);
        printf("%s %d: %s", i ? "," : "", sizes[i], found ? "yes" : "NO");
        if (others)
            printf(" (and %d false)", others);
        b->missed += !found || others;
    }
    printf("\n");
}

/* Options that do not depend on each other, compared with two of them. */
static void bench_options(struct bench *b)
{
    static const int sizes[] = {2, 4, 8, 16, 32, 64};
    char folder[] = "/tmp/bench_check.XXXXXX";
    struct rounds r[COUNT(sizes)] = {0};
    if (!mkdtemp(folder))
        BUG("cannot make a folder in /tmp");
    const char *path = arena_printf(b->arena, "%s/options.c", folder);
    for (int i = 0; i < b->settings.rounds; i++) {
        double least = 0;
        for (int k = 0; k < COUNT(sizes); k++) {
            options_write(path, sizes[k], false);
            double took = flow_cost(b, path);
            least = k ? least : took;
            add_round(&r[k], took, least);
        }
    }
    for (int k = 1; k < COUNT(sizes); k++)
        print_rounds(b, arena_printf(b->arena, "flow with %d options against 2", sizes[k]), &r[k],
                     1e3, "ms", 8);
    report_forgotten(b, path, sizes, COUNT(sizes));
    unlink(path);
    rmdir(folder);
}

/* ---- for a profiler -------------------------------------------------------------------------- */

/* The CPU time of the analysis of all units together. */
static void print_flow(struct bench *b)
{
    struct ir_unit **units = arena_array(b->arena, struct ir_unit *, b->unit_count);
    int count = 0;
    begin_sharing(b);
    for (int i = 0; i < b->unit_count; i++)
        if ((units[count] = lower(b, &b->units[i])))
            count++;
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < b->settings.rounds; i++)
        analyse(b, units, count, 1);
    double took = (clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / b->settings.rounds;
    printf("flow of %d units: %.1f ms\n", count, 1e3 * took);
}

/* ---- setting up ------------------------------------------------------------------------------ */

static void die(const struct error *e)
{
    fprintf(stderr, "bench_check: %s%s%s\n", e->file, e->file[0] ? ": " : "", e->message);
    exit(2);
}

static bool load_packs(struct bench *b, struct error *e)
{
    glob_t found = {0};
    const char *pattern = arena_printf(b->arena, "%s/*.yaml", packs_builtin_dir());
    bool ok = glob(pattern, 0, NULL, &found) == 0 || error_set(e, "no packs: %s", pattern);
    b->packs = packs_new(b->arena, names_new(b->arena));
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = packs_load(b->packs, found.gl_pathv[i], e);
    globfree(&found);
    return ok && (!b->settings.pack || packs_load(b->packs, b->settings.pack, e));
}

/* Evenly over those that fit if not all are wanted. */
static void choose_units(struct bench *b)
{
    int want = b->settings.units, fit = 0;
    for (int i = 0; i < b->unit_count; i++)
        if (strstr(b->units[i].file, b->settings.only))
            b->units[fit++] = b->units[i];
    b->unit_count = fit;
    if (want <= 0 || want >= b->unit_count)
        return;
    for (int i = 0; i < want; i++)
        b->units[i] = b->units[(int64_t)i * b->unit_count / want];
    b->unit_count = want;
}

static void set_up(struct bench *b)
{
    struct error e = {0};
    struct database *d = NULL;
    b->arena = arena_new();
    clang_use_large_pages();
    b->clang = clang_open(&e);
    if (!b->clang || !load_packs(b, &e) ||
        !database_open(&d, b->clang, b->settings.folder, NULL, &e))
        die(&e);
    b->units = database_all(d, b->arena, &b->unit_count);
    choose_units(b);
    if (!b->unit_count) {
        fprintf(stderr, "bench_check: no units in %s\n", b->settings.folder);
        exit(2);
    }
}

static const char *value_of(int argc, char **argv, int *i)
{
    return *i + 1 < argc ? argv[++*i] : "";
}

static bool read_arguments(struct settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-p") == 0)
            s->folder = value_of(argc, argv, &i), s->only = "";
        else if (strcmp(argv[i], "--only") == 0)
            s->only = value_of(argc, argv, &i);
        else if (strcmp(argv[i], "--rounds") == 0)
            s->rounds = atoi(value_of(argc, argv, &i));
        else if (strcmp(argv[i], "--units") == 0)
            s->units = atoi(value_of(argc, argv, &i));
        else if (strcmp(argv[i], "--pack") == 0)
            s->pack = value_of(argc, argv, &i);
        else if (strcmp(argv[i], "--strict") == 0)
            s->strict = true;
        else if (strcmp(argv[i], "--options") == 0)
            s->options = true;
        else if (strcmp(argv[i], "--flow") == 0)
            s->flow = true;
        else
            return false;
    }
    return s->rounds > 0 && s->rounds <= MOST_ROUNDS;
}

int main(int argc, char **argv)
{
    struct bench b = {.settings = {.folder = BUILD_FOLDER,
                                   .only = "/runtime/",
                                   .miscast = MISCAST_PROGRAM,
                                   .clang = "clang-19",
                                   .rounds = 5}};
    if (!read_arguments(&b.settings, argc, argv)) {
        fprintf(stderr, "usage: bench_check [-p FOLDER] [--only TEXT] [--units N] [--rounds N] "
                        "[--pack FILE] [--strict] [--options] [--flow]\n");
        return 2;
    }
    set_up(&b);
    if (b.settings.flow) {
        print_flow(&b);
        return 0;
    }
    printf("%d units of %s, median of %d\n", b.unit_count, b.settings.folder, b.settings.rounds);
    printf(ROW, "what", "ours", "baseline", "", "ratio", "bar", "");
    if (!b.settings.options) {
        bench_whole(&b);
        bench_worst(&b);
        bench_single(&b);
        bench_threads(&b);
        bench_growth(&b);
    }
    bench_options(&b);
    return b.settings.strict && b.missed ? 1 : 0;
}
