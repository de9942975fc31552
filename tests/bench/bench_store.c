/* The benefit of the store: a generated project and the corpus, checked with an empty store, with
 * nothing changed, and with one file changed; medians of CPU time, compared with clang and other
 * linters on the same units.
 *
 *   bench_store [--units N] [--peers N] [--rounds N] [--seed N] [--strict]
 *
 * --peers: the number of units that the other linters check; 0: none. --strict: exit 1 if a bar is
 * missed. */
#include "frontends/clang/database.h"
#include "tests/bench/cost.h"
#include "tests/store/generate.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct settings {
    int units, peers, rounds;
    uint64_t seed;
    bool strict;
};

/* A project, as miscast and as clang see it. */
struct bench {
    struct settings settings;
    struct arena *arena;
    struct clang *clang;
    const char *folder;
    struct compile *units;
    int unit_count;
    double parse;   /* of all units, seconds */
    double cold;    /* check, of all units */
    double nothing; /* when nothing changed */
    int missed, edits;
};

/* ---- the table ------------------------------------------------------------------------------ */

#define ROW "%-46s %10s %10s  %s\n"

/* In ms. bar 0: there is none. */
static void row(struct bench *b, const char *what, double seconds, double bar)
{
    char cells[2][24] = {"", ""};
    bool ok = !bar || seconds <= bar;
    snprintf(cells[0], sizeof cells[0], "%.1f", 1e3 * seconds);
    if (bar)
        snprintf(cells[1], sizeof cells[1], "%.1f", 1e3 * bar);
    printf(ROW, what, cells[0], cells[1], !bar ? "" : ok ? "met" : "MISSED");
    fflush(stdout);
    b->missed += !ok;
}

static void ratio_row(struct bench *b, const char *what, double ratio, double bar)
{
    char cells[2][24] = {"", ""};
    bool ok = !bar || ratio <= bar;
    snprintf(cells[0], sizeof cells[0], "%.2f x", ratio);
    if (bar)
        snprintf(cells[1], sizeof cells[1], "%.2f x", bar);
    printf(ROW, what, cells[0], cells[1], !bar ? "" : ok ? "met" : "MISSED");
    fflush(stdout);
    b->missed += !ok;
}

/* ---- running -------------------------------------------------------------------------------- */

static double check(struct bench *b, const char *more)
{
    const char *const args[] = {MISCAST_PROGRAM, "check", "--format", "concise",
                                "--exit-zero",   more,    NULL};
    return run_program(args, b->folder).cpu;
}

static void shell(const struct bench *b, const char *command)
{
    const char *line = arena_printf(b->arena, "cd '%s' && %s", b->folder, command);
    if (system(line))
        BUG("cannot do: %s", line);
}

/* In a process of its own, so that each time begins alike. */
static double parse_some(struct bench *b, const struct compile *units, int count)
{
    fflush(stdout);
    pid_t process = fork();
    if (process < 0)
        BUG("cannot fork");
    if (process == 0) {
        for (int i = 0; i < count; i++)
            clang_parse(b->clang, units[i].file, units[i].flags, units[i].flag_count,
                        units[i].directory);
        _exit(0);
    }
    return wait_for(process).cpu;
}

/* With the start of a process that has libclang. */
static double parse_alone(struct bench *b, const struct compile *u)
{
    const char **args = arena_array(b->arena, const char *, u->flag_count + 6);
    int n = 0;
    args[n++] = "clang-19";
    args[n++] = "-fsyntax-only";
    for (int i = 0; i < u->flag_count; i++)
        args[n++] = u->flags[i];
    args[n++] = "-w";
    args[n++] = u->file;
    return run_program(args, u->directory).cpu;
}

static double median_of(struct bench *b, double (*measure)(struct bench *b, const void *of),
                        const void *of)
{
    double all[MOST_ROUNDS];
    for (int i = 0; i < b->settings.rounds; i++)
        all[i] = measure(b, of);
    return median(all, b->settings.rounds);
}

/* ---- what is measured ----------------------------------------------------------------------- */

/* A file that was changed a moment ago is read again in any case: that is not what is measured. */
static void settle(void)
{
    struct timespec t = {.tv_sec = 2, .tv_nsec = 300000000};
    nanosleep(&t, NULL);
}

static double measure_nothing(struct bench *b, const void *of)
{
    (void)of;
    return check(b, NULL);
}

static double measure_touched(struct bench *b, const void *of)
{
    (void)of;
    shell(b, "find . \\( -name '*.[ch]' -o -name '*.json' \\) -type f -exec touch {} +");
    return check(b, NULL);
}

static double check_longer(struct bench *b, const char *file, const char *text)
{
    FILE *to = fopen(file, "a");
    if (!to)
        BUG("cannot write %s: %s", file, strerror(errno));
    fputs(text, to);
    fclose(to);
    return check(b, NULL);
}

static double measure_edited(struct bench *b, const void *of)
{
    return check_longer(b, of, arena_printf(b->arena, "/* %d */\n", b->edits++));
}

/* Something to infer. */
static double measure_extended(struct bench *b, const void *of)
{
    int n = b->edits++;
    return check_longer(b, of,
                        arena_printf(b->arena,
                                     "mc_tensor *more%d(mc_tensor *x);\n"
                                     "mc_tensor *more%d(mc_tensor *x)\n"
                                     "{\n    return mc_add(mc_half(x), %d);\n}\n",
                                     n, n, n));
}

/* Which libraries a run maps that it should not; the loader says so. */
static void say_libraries(struct bench *b)
{
    const char *line = arena_printf(b->arena,
                                    "cd '%s' && LD_DEBUG=files '%s' check --exit-zero 2>&1 "
                                    "| grep -q 'libclang\\|openblas'",
                                    b->folder, MISCAST_PROGRAM);
    bool mapped = system(line) == 0;
    printf(ROW, "  libclang or OpenBLAS mapped", mapped ? "yes" : "no", "no",
           mapped ? "MISSED" : "met");
    b->missed += mapped;
}

static void bench_cold(struct bench *b)
{
    double plain;
    b->parse = parse_some(b, b->units, b->unit_count);
    row(b, arena_printf(b->arena, "libclang's parse of %d units", b->unit_count), b->parse, 0);
    plain = check(b, "--no-cache");
    row(b, "check --no-cache", plain, 0);
    settle();
    b->cold = check(b, NULL);
    row(b, "check, nothing kept yet", b->cold, 0);
    ratio_row(b, "  against the parse", b->cold / b->parse, 0);
    ratio_row(b, "  against --no-cache", b->cold / plain, 1.05);
}

static void bench_nothing(struct bench *b, double bar)
{
    settle();
    check(b, NULL);
    b->nothing = median_of(b, measure_nothing, NULL);
    row(b, "nothing changed", b->nothing, bar);
    row(b, "  all touched: contents are hashed", median_of(b, measure_touched, NULL), bar);
    say_libraries(b);
}

static const struct compile *unit_called(const struct bench *b, const char *part)
{
    for (int i = b->unit_count - 1; i >= 0; i--)
        if (strstr(b->units[i].file, part))
            return &b->units[i];
    return &b->units[b->unit_count / 2];
}

static void bench_leaf(struct bench *b, const char *what, const char *part)
{
    const struct compile *u = unit_called(b, part);
    double parse = parse_some(b, u, 1);
    double bar = 1.5 * parse + b->nothing;
    row(b, arena_printf(b->arena, "one %s edited, a comment", what),
        median_of(b, measure_edited, u->file), bar);
    row(b, "  a function more", median_of(b, measure_extended, u->file), bar);
    row(b, "  clang-19 -fsyntax-only of that unit", parse_alone(b, u), 0);
}

/* Units with the header in them. */
static int includers(struct bench *b, const char *header, struct compile *to)
{
    int count = 0;
    for (int i = 0; i < b->unit_count; i++) {
        size_t length;
        struct error e = {0};
        const char *text = file_read(b->arena, b->units[i].file, &length, &e);
        if (text && strstr(text, header))
            to[count++] = b->units[i];
    }
    return count;
}

static void bench_header(struct bench *b, const struct made_project *p)
{
    struct compile *who = arena_array(b->arena, struct compile, b->unit_count);
    const char *header = p->headers.items[p->headers.count - 1];
    int count = 0;
    for (int i = 1; i < p->headers.count && (count < 20 || count > 30); i++) {
        header = p->headers.items[i];
        count = includers(b, header + strlen("include/"), who);
    }
    double parse = parse_some(b, who, count);
    const char *path = arena_printf(b->arena, "%s/%s", b->folder, header);
    row(b, arena_printf(b->arena, "a header of %d units edited", count),
        median_of(b, measure_edited, path), 1.5 * parse + b->nothing);
}

/* ---- three files, as a commit has them ------------------------------------------------------ */

static double measure_three(struct bench *b, const void *of)
{
    const char *const *args = of;
    shell(b, "rm -rf .miscast");
    return run_program(args, b->folder).cpu;
}

static double measure_clang(struct bench *b, const void *of)
{
    double sum = 0;
    (void)of;
    for (int i = 0; i < b->unit_count; i++)
        sum += parse_alone(b, &b->units[i]);
    return sum;
}

static bool has_hook(struct bench *b)
{
    return system(arena_printf(b->arena, "'%s' hook --help >/dev/null 2>&1", MISCAST_PROGRAM)) == 0;
}

static void bench_three(struct bench *b)
{
    bool hook = has_hook(b);
    const char *args[8] = {MISCAST_PROGRAM, hook ? "hook" : "check"};
    int n = 2;
    if (hook) {
        args[n++] = "run";
        shell(b, "git init -q . && git add src include compile_commands.json");
    }
    for (int i = 0; i < b->unit_count; i++)
        args[n++] = b->units[i].file;
    double clang = median_of(b, measure_clang, NULL);
    row(b, hook ? "hook run on three files, nothing kept" : "check of three files, nothing kept",
        median_of(b, measure_three, args), clang);
}

/* ---- peers ---------------------------------------------------------------------------------- */

static const struct {
    const char *name, *program, *options[3];
    bool is_clangs; /* takes the compiler's flags behind -- */
} peers[] = {
    {"clang-19 -fsyntax-only", "clang-19", {"-fsyntax-only", "-w"}, false},
    {"clang-tidy-19 bugprone-*", "clang-tidy-19", {"--quiet", "--checks=-*,bugprone-*"}, true},
    {"clang-tidy-19, default checks", "clang-tidy-19", {"--quiet"}, true},
    {"cppcheck", "cppcheck", {"--quiet"}, false},
};

static bool is_installed(struct bench *b, const char *program)
{
    return system(arena_printf(b->arena, "command -v %s >/dev/null", program)) == 0;
}

static double run_peer(struct bench *b, size_t peer, const struct compile *u)
{
    const char **args = arena_array(b->arena, const char *, u->flag_count + 10);
    bool cppcheck = !strcmp(peers[peer].program, "cppcheck");
    int n = 0;
    args[n++] = peers[peer].program;
    for (int i = 0; i < 3 && peers[peer].options[i]; i++)
        args[n++] = peers[peer].options[i];
    if (peers[peer].is_clangs)
        args[n++] = u->file, args[n++] = "--";
    for (int i = 0; i < u->flag_count; i++) /* cppcheck knows those two only */
        if (!cppcheck || !strncmp(u->flags[i], "-I", 2) || !strncmp(u->flags[i], "-D", 2))
            args[n++] = u->flags[i];
    if (!peers[peer].is_clangs)
        args[n++] = u->file;
    return run_program(args, u->directory).cpu;
}

static void bench_peers(struct bench *b, double ours)
{
    int count = b->settings.peers < b->unit_count ? b->settings.peers : b->unit_count;
    if (!count)
        return;
    printf("a unit, the mean of %d, a process each:\n", count);
    row(b, "  miscast check, cold, of all units", ours, 0);
    for (size_t p = 0; p < sizeof peers / sizeof *peers; p++) {
        double sum = 0;
        const char *name = arena_printf(b->arena, "  %s", peers[p].name);
        if (!is_installed(b, peers[p].program)) {
            printf(ROW, name, "", "", "not installed");
            continue;
        }
        for (int i = 0; i < count; i++)
            sum += run_peer(b, p, &b->units[(int64_t)i * b->unit_count / count]);
        row(b, name, sum / count, 0);
    }
}

/* ---- projects ------------------------------------------------------------------------------- */

static void die(const struct error *e)
{
    fprintf(stderr, "bench_store: %s%s%s\n", e->file, e->file[0] ? ": " : "", e->message);
    exit(2);
}

static void open_units(struct bench *b)
{
    struct error e = {0};
    struct database *d = NULL;
    if (!database_open(&d, b->clang, b->folder, NULL, &e) || !d)
        die(&e);
    b->units = database_all(d, b->arena, &b->unit_count);
}

static struct bench project_of(const struct bench *all, const char *name, int units,
                               struct made_project *p)
{
    struct bench b = *all;
    struct error e = {0};
    b.missed = 0;
    b.folder = arena_printf(b.arena, "%s/%s", all->folder, name);
    if (!generate(p, b.folder, RUNTIME_INCLUDE, units, b.settings.seed, &e))
        die(&e);
    open_units(&b);
    return b;
}

static void bench_large(struct bench *all)
{
    struct made_project p;
    struct bench b = project_of(all, "large", all->settings.units, &p);
    int lines = 0;
    for (int i = 0; i < p.units.count; i++)
        lines += p.units.items[i].lines;
    printf("\n%d units, %d lines, %d headers, generated\n" ROW, b.unit_count, lines,
           p.headers.count, "", "ms", "at most", "");
    bench_cold(&b);
    bench_nothing(&b, b.unit_count <= 1000 ? 0.025 : 0);
    bench_leaf(&b, "test", "_test1.c");
    bench_leaf(&b, "layer", "_mlp1.c");
    bench_leaf(&b, "model", "_model1.c");
    bench_header(&b, &p);
    bench_peers(&b, b.cold / b.unit_count);
    all->missed += b.missed;
    arena_free(p.arena);
}

static void bench_small(struct bench *all)
{
    struct made_project p, q;
    struct bench b = project_of(all, "small", 5, &p);
    printf("\n5 units, generated\n" ROW, "", "ms", "at most", "");
    bench_cold(&b);
    bench_nothing(&b, 0.003);
    bench_leaf(&b, "layer", "_mlp1.c");
    all->missed += b.missed;
    b = project_of(all, "three", 3, &q);
    bench_three(&b);
    all->missed += b.missed;
    arena_free(p.arena);
    arena_free(q.arena);
}

/* Each file as a unit, wherever it lies: they are programs of their own, but one database. */
static void bench_corpus(struct bench *all)
{
    struct bench b = *all;
    struct made_project p = {.arena = b.arena, .include = RUNTIME_INCLUDE};
    struct error e = {0};
    char path[4096];
    b.missed = 0;
    p.folder = b.folder = arena_printf(b.arena, "%s/corpus", all->folder);
    mkdir(b.folder, 0777);
    shell(&b, "cp -R " CORPUS "/bugs " CORPUS "/seeds " CORPUS "/examples .");
    FILE *files =
        popen(arena_printf(b.arena, "cd '%s' && find . -name '*.c' | sort", b.folder), "r");
    while (files && fgets(path, sizeof path, files)) {
        path[strcspn(path, "\n")] = '\0';
        struct made_unit u = {.path = arena_printf(b.arena, "%s", path + 2), .flags = ""};
        LIST_ADD(b.arena, &p.units, u);
    }
    if (!files || pclose(files) || !generate_commands(&p, &e))
        die(&e);
    open_units(&b);
    printf("\nthe corpus, %d units\n" ROW, b.unit_count, "", "ms", "at most", "");
    bench_cold(&b);
    bench_nothing(&b, 0.025);
    bench_leaf(&b, "unit", "bug_main.c");
    all->missed += b.missed;
}

static bool read_arguments(struct settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int n = i + 1 < argc ? atoi(argv[i + 1]) : 0;
        if (!strcmp(argv[i], "--strict"))
            s->strict = true;
        else if (!strcmp(argv[i], "--units"))
            s->units = n, i++;
        else if (!strcmp(argv[i], "--peers"))
            s->peers = n, i++;
        else if (!strcmp(argv[i], "--rounds"))
            s->rounds = n, i++;
        else if (!strcmp(argv[i], "--seed"))
            s->seed = (uint64_t)n, i++;
        else
            return false;
    }
    return s->units >= 10 && s->peers >= 0 && s->rounds > 0 && s->rounds <= MOST_ROUNDS;
}

int main(int argc, char **argv)
{
    struct bench b = {.settings = {.units = 1000, .peers = 20, .rounds = 5, .seed = 1}};
    struct error e = {0};
    char folder[] = "/tmp/bench_store.XXXXXX";
    if (!read_arguments(&b.settings, argc, argv)) {
        fprintf(stderr, "usage: bench_store [--units N] [--peers N] [--rounds N] [--seed N] "
                        "[--strict]\n");
        return 2;
    }
    b.arena = arena_new();
    clang_use_large_pages();
    b.clang = clang_open(&e);
    if (!b.clang)
        die(&e);
    if (!mkdtemp(folder))
        BUG("cannot make a folder in /tmp");
    b.folder = folder;
    mkdir(arena_printf(b.arena, "%s/.git", folder), 0777); /* the root */
    printf("CPU time, median of %d\n", b.settings.rounds);
    bench_small(&b);
    bench_corpus(&b);
    bench_large(&b);
    printf("\n%d bars missed\n", b.missed);
    shell(&b, "rm -rf .git large small three corpus");
    rmdir(folder);
    return b.settings.strict && b.missed ? 1 : 0;
}
