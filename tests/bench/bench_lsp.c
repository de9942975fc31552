/* The cost of the language server in an editor, on a model of 2,000 lines that includes five
 * headers: CPU time from a change of each kind to its diagnostics, compared with libclang's own
 * reparse of the same text and with clangd for the same edits; of opening a file, compared with a
 * plain parse; of hovers; and memory.
 *
 *   bench_lsp [--rounds N] [--edits N] [--strict]
 *
 * --rounds: edits that are measured (21). --edits: edits after which memory must be as before
 * (1000). CPU time does not include the time either server waits for more changes. --strict: exit 1
 * if a bar is missed. */
#include "frontends/clang/library.h"
#include "tests/bench/cost.h"
#include "tests/bench/model.h"
#include "tests/lsp/client.h"

#include <string.h>

struct bench {
    struct arena *arena;
    int rounds, edits;
    int missed;
    struct text model; /* as it is on the disk */
    size_t place;      /* of a number in it that edits change */
};

enum { OPENED = 4 };

/* ---- the table --------------------------------------------------------------------------------
 */

static void print_head(void)
{
    printf("%-52s %9s %9s %7s %6s\n", "", "ours", "theirs", "", "bar");
}

static void print_bar(struct bench *b, double value, double bar)
{
    bool met = value <= bar;
    b->missed += !met;
    printf("%7.2f %6.2f  %s\n", value, bar, met ? "met" : "MISSED");
}

static void print_ratio(struct bench *b, const char *what, struct rounds *r, double bar)
{
    printf("%-52s %6.1f ms %6.1f ms ", what, 1e3 * median(r->ours, r->count),
           1e3 * median(r->baseline, r->count));
    print_bar(b, median(r->ratio, r->count), bar);
}

static void print_amount(struct bench *b, const char *what, double amount, const char *unit,
                         double bar)
{
    printf("%-52s %6.2f %-2s %9s ", what, amount, unit, "");
    print_bar(b, amount, bar);
}

/* ---- a server ---------------------------------------------------------------------------------
 */

/* The process that serves: the one that was started only keeps it. A server of others has none. */
static pid_t server_of(const struct client *c)
{
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)c->pid, (int)c->pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%d", &pid) != 1)
        pid = 0;
    if (f)
        fclose(f);
    return pid ? pid : c->pid;
}

static double cpu_of_process(pid_t pid)
{
    clockid_t id;
    if (clock_getcpuclockid(pid, &id))
        BUG("no clock for the server");
    return clock_seconds(id);
}

static double cpu_of(const struct client *c)
{
    pid_t server = server_of(c);
    return cpu_of_process(c->pid) + (server != c->pid ? cpu_of_process(server) : 0);
}

/* In MB, as it is now. */
static double memory_of(const struct client *c)
{
    char path[64];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)server_of(c));
    FILE *f = fopen(path, "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1)
        BUG("no word of the server's memory");
    fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Until it does nothing any more. */
static void let_rest(const struct client *c)
{
    for (double was = -1, now = cpu_of(c); now > was + 1e-4; now = cpu_of(c)) {
        was = now;
        usleep(500000);
    }
}

/* The same, and facts are found, which wait for a while. */
static double memory_at_rest(const struct client *c)
{
    for (int i = 0; i < 3; i++) {
        let_rest(c);
        sleep(1);
    }
    return memory_of(c);
}

static json_t *capabilities(void)
{
    return json_pack("{s:{s:{s:b, s:b}, s:{s:[s]}}}", "textDocument", "publishDiagnostics",
                     "relatedInformation", 1, "versionSupport", 1, "hover", "contentFormat",
                     "markdown");
}

static void write_model(struct bench *b, struct client *c, const char *name)
{
    model_write_headers(c->folder);
    client_write(c, name, b->model.data);
    client_write(c, "compile_flags.txt", "-std=gnu17\n-I" RUNTIME_INCLUDE "\n-I.\n");
}

static struct client start_ours(struct bench *b)
{
    const char *const arguments[] = {MISCAST_PROGRAM, "lsp", NULL};
    struct client c = client_start_server(arguments);
    write_model(b, &c, "model.c");
    json_decref(client_begin(&c, capabilities(), json_pack("{s:i}", "debounce", 0)));
    return c;
}

/* The newest that is installed. Without one, the benchmark would wait for a server that never ran.
 */
static const char *clangd_program(void)
{
    static const char *const names[] = {"clangd-19", "clangd"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char command[64];
        snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", names[i]);
        if (system(command) == 0)
            return names[i];
    }
    fprintf(stderr, "bench_lsp: no clangd to compare with\n");
    exit(2);
}

static struct client start_clangd(struct bench *b)
{
    const char *const arguments[] = {clangd_program(),
                                     "--background-index=false",
                                     "--clang-tidy=false",
                                     "--log=error",
                                     "-j=2",
                                     NULL};
    struct client c = client_start_server(arguments);
    write_model(b, &c, "model.c");
    json_decref(client_begin(&c, capabilities(), NULL));
    return c;
}

/* ---- edits ------------------------------------------------------------------------------------
 */

/* The same edit for all: a number within a function becomes another. */
static void put_number(struct bench *b, char *text, int step)
{
    char digits[8];
    snprintf(digits, sizeof digits, "%03d", step % 1000);
    memcpy(text + b->place, digits, 3);
}

static void send_change(struct client *c, int version, const int from[2], const int to[2],
                        const char *text)
{
    char uri[600];
    snprintf(uri, sizeof uri, "file://%s/model.c", c->folder);
    client_notify(c, "textDocument/didChange",
                  json_pack("{s:{s:s, s:i}, s:[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:s}], s:b}",
                            "textDocument", "uri", uri, "version", version, "contentChanges",
                            "range", "start", "line", from[0], "character", from[1], "end", "line",
                            to[0], "character", to[1], "text", text, "wantDiagnostics", 1));
}

/* Whether a function begins on the line. */
static bool is_function_line(const struct bench *b, int line)
{
    const char *at = b->model.data;
    for (; at && line > 0; line--)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    return at && !strncmp(at, "static ", strlen("static "));
}

static void find_place(const struct bench *b, int place[2])
{
    place[0] = place[1] = 0;
    for (size_t i = 0; i < b->place; i++) {
        place[1] = b->model.data[i] == '\n' ? 0 : place[1] + 1;
        place[0] += b->model.data[i] == '\n';
    }
}

static void send_edit(struct bench *b, struct client *c, int step)
{
    char digits[8];
    int from[2], to[2];
    find_place(b, from);
    to[0] = from[0];
    to[1] = from[1] + 3;
    snprintf(digits, sizeof digits, "%03d", step % 1000);
    send_change(c, step, from, to, digits);
}

static struct cost measure_edit(struct bench *b, struct client *c, int step)
{
    struct cost cost = {.cpu = cpu_of(c), .wall = clock_seconds(CLOCK_MONOTONIC)};
    send_edit(b, c, step);
    json_decref(client_diagnostics(c, "model.c", step));
    cost.wall = clock_seconds(CLOCK_MONOTONIC) - cost.wall;
    cost.cpu = cpu_of(c) - cost.cpu;
    return cost;
}

/* libclang alone, with the options that suit it best. */
struct alone {
    struct clang *clang;
    CXIndex index;
    CXTranslationUnit unit;
    char file[300];
};

static CXTranslationUnit parse_alone(struct alone *a, const char *folder, unsigned how)
{
    char here[300], resources[600];
    snprintf(here, sizeof here, "-I%s", folder);
    snprintf(resources, sizeof resources, "-resource-dir=%s", a->clang->resource);
    const char *flags[] = {"-std=gnu17", "-I" RUNTIME_INCLUDE, here, resources};
    CXTranslationUnit unit = NULL;
    if (a->clang->parseTranslationUnit2(a->index, a->file, flags, a->clang->resource[0] ? 4 : 3,
                                        NULL, 0, how, &unit))
        BUG("libclang cannot parse the model");
    return unit;
}

static struct alone open_alone(const char *folder)
{
    struct error e = {0};
    struct alone a = {.clang = clang_open(&e)};
    if (!a.clang)
        BUG("%s", e.message);
    a.index = a.clang->createIndex(1, 0);
    snprintf(a.file, sizeof a.file, "%s/model.c", folder);
    return a;
}

static double reparse_alone(struct bench *b, struct alone *a, char *text, int step)
{
    put_number(b, text, step);
    struct CXUnsavedFile now = {a->file, text, b->model.length};
    double start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (a->clang->reparseTranslationUnit(a->unit, 1, &now,
                                         a->clang->defaultReparseOptions(a->unit)))
        BUG("libclang cannot parse the model again");
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void bench_edits(struct bench *b, struct client *ours, struct client *clangd,
                        struct alone *alone)
{
    struct rounds reparse = {0}, other = {0}, by_clock = {0};
    char *text = arena_text(b->arena, b->model.data, b->model.length);
    alone->unit = parse_alone(alone, ours->folder, CXTranslationUnit_PrecompiledPreamble);
    for (int i = -3; i < b->rounds; i++) { /* the first ones precompile headers */
        int step = i + 5;
        struct cost our = measure_edit(b, ours, step);
        struct cost their = measure_edit(b, clangd, step);
        double plain = reparse_alone(b, alone, text, step);
        if (i < 0)
            continue;
        add_round(&reparse, our.cpu, plain);
        add_round(&other, our.cpu, their.cpu);
        add_round(&by_clock, our.wall, their.wall);
    }
    print_ratio(b, "an edit, against libclang's reparse", &reparse, 1.35);
    print_ratio(b, "an edit, against clangd", &other, 0.7);
    print_ratio(b, "the same by the clock", &by_clock, 0.7);
}

/* ---- other edits ------------------------------------------------------------------------------
 */

/* A change of both servers' text. */
struct change {
    int from[2], to[2];
    char text[2048];
};

struct both {
    struct bench *bench;
    struct client *ours, *clangd;
    int version;
    int place[2]; /* of the number, */
    int above;    /* and of a line before its function */
    int count;    /* of changes of one kind */
};

typedef void change_function(const struct both *b, int n, struct change *out);

static void set_lines(struct change *out, int first, int last)
{
    out->from[0] = first;
    out->to[0] = last;
}

/* Enter, again and again, within the function. */
static void add_line(const struct both *b, int n, struct change *out)
{
    set_lines(out, b->place[0] + n, b->place[0] + n);
    strcpy(out->text, "\n");
}

static void drop_line(const struct both *b, int n, struct change *out)
{
    set_lines(out, b->place[0] + b->count - 1 - n, b->place[0] + b->count - n);
}

/* A call of a function that is not there, as while its name is typed. */
static void half_write(const struct both *b, int n, struct change *out)
{
    set_lines(out, b->place[0], b->place[0]);
    out->from[1] = b->place[1] - (int)strlen("mc_mul(a, 0.");
    out->to[1] = out->from[1] + (int)strlen("mc_mul");
    snprintf(out->text, sizeof out->text, "mc_%03d", n);
}

static void write_out(const struct both *b, int n, struct change *out)
{
    half_write(b, n, out);
    strcpy(out->text, "mc_mul");
}

enum { PASTED = 30 };

/* A function comes from elsewhere, each time another. */
static void paste(const struct both *b, int n, struct change *out)
{
    size_t used = 0;
    set_lines(out, b->above, b->above);
    used += (size_t)snprintf(out->text, sizeof out->text,
                             "static mc_tensor *pasted%d(mc_tensor *x)\n{\n", n);
    for (int i = 0; i < PASTED - 5; i++)
        used += (size_t)snprintf(out->text + used, sizeof out->text - used,
                                 "    x = mc_add(mc_relu(x), %d);\n", i);
    snprintf(out->text + used, sizeof out->text - used, "    return x;\n}\n\n");
}

static void take_back(const struct both *b, int n, struct change *out)
{
    (void)n;
    set_lines(out, b->above, b->above + PASTED);
}

static void add_comment(const struct both *b, int n, struct change *out)
{
    (void)b;
    snprintf(out->text, sizeof out->text, "/* %d more */\n", n);
}

static double measure_change(struct both *b, struct client *c, const struct change *x)
{
    double start = cpu_of(c);
    send_change(c, b->version, x->from, x->to, x->text);
    json_decref(client_diagnostics(c, "model.c", b->version));
    return cpu_of(c) - start;
}

static void apply(struct both *b, change_function *make, int n, struct rounds *r)
{
    struct change x = {0};
    make(b, n, &x);
    b->version++;
    double ours = measure_change(b, b->ours, &x), theirs = measure_change(b, b->clangd, &x);
    if (r)
        add_round(r, ours, theirs);
}

/* Changes, and what takes each back if it does not stay; either may be measured. */
static void bench_kinds(struct bench *bench, struct client *ours, struct client *clangd)
{
    static const struct {
        const char *what;
        change_function *make, *back;
        bool measures_back;
    } rows[] = {
        {"a new line in a function, against clangd", add_line, NULL, false},
        {"a line that goes", drop_line, NULL, false},
        {"a call that is half written", half_write, write_out, false},
        {"the same when it is written", half_write, write_out, true},
        {"30 lines pasted", paste, take_back, false},
        {"the same undone", paste, take_back, true},
        {"a comment at the top", add_comment, NULL, false},
    };
    struct both b = {.bench = bench, .ours = ours, .clangd = clangd, .version = 1000};
    b.count = bench->rounds / 3 + 1;
    find_place(bench, b.place);
    for (int line = 0; line < b.place[0]; line++)
        if (is_function_line(bench, line))
            b.above = line;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rounds r = {0};
        for (int n = 0; n < b.count; n++) {
            int each = n + (int)i * b.count; /* nothing comes twice */
            bool is_place = rows[i].make == drop_line || rows[i].make == add_line;
            apply(&b, rows[i].make, is_place ? n : each, rows[i].measures_back ? NULL : &r);
            if (rows[i].back)
                apply(&b, rows[i].back, each, rows[i].measures_back ? &r : NULL);
        }
        print_ratio(bench, rows[i].what, &r, 0.7);
    }
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* A server that has another file open already, as most do. */
static void open_small(struct client *c)
{
    client_open(c, "small.c", "int x;\n");
    json_decref(client_diagnostics(c, "small.c", 1));
}

static double measure_opening(struct bench *b, struct client *c, const char *name)
{
    let_rest(c);
    double start = cpu_of(c);
    client_open(c, name, b->model.data);
    json_decref(client_diagnostics(c, name, 1));
    double cost = cpu_of(c) - start;
    client_notify(c, "textDocument/didClose", document_json(c, name));
    return cost;
}

/* Each time another file. */
static void bench_opening(struct bench *b, struct alone *alone, bool checked, const char *what,
                          double bar)
{
    struct rounds r = {0};
    struct client c = start_ours(b);
    open_small(&c);
    for (int i = 0; i < b->rounds / 3 + 1; i++) {
        char name[32];
        snprintf(name, sizeof name, "open%d.c", i);
        client_write(&c, name, b->model.data);
        const char *const check[] = {MISCAST_PROGRAM, "check", name, NULL};
        if (checked)
            run_program(check, c.folder);
        double ours = measure_opening(b, &c, name);
        double plain = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        alone->clang->disposeTranslationUnit(parse_alone(alone, c.folder, 0));
        add_round(&r, ours, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - plain);
    }
    print_ratio(b, what, &r, bar);
    client_end(&c);
}

/* What the other server takes for it; only to know. */
static void say_opening(struct bench *b)
{
    double times[MOST_ROUNDS];
    int count = b->rounds / 3 + 1;
    struct client c = start_clangd(b);
    open_small(&c);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "open%d.c", i);
        client_write(&c, name, b->model.data);
        times[i] = measure_opening(b, &c, name);
    }
    printf("  (clangd's first diagnostics: %.1f ms)\n", 1e3 * median(times, count));
    client_end(&c);
}

/* ---- hovers -----------------------------------------------------------------------------------
 */

static void bench_hover(struct bench *b, struct client *c)
{
    double times[MOST_ROUNDS];
    int count = 0, answered = 0, lines = 0;
    for (size_t i = 0; i < b->model.length; i++)
        lines += b->model.data[i] == '\n';
    let_rest(c);
    for (int i = 0; i < MOST_ROUNDS; i++) {
        double start = cpu_of(c);
        json_t *answer =
            client_request(c, "textDocument/hover",
                           place_json(c, "model.c", 40 + i * (lines - 50) / MOST_ROUNDS, 15));
        times[count++] = 1e3 * (cpu_of(c) - start);
        answered += json_is_object(json_object_get(answer, "result"));
        json_decref(answer);
    }
    double middle = median(times, count);
    print_amount(b, "a hover", middle, "ms", 5);
    print_amount(b, "the slowest of them", times[count - 1], "ms", 5);
    printf("  (%d of %d hovers were over something)\n", answered, count);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void bench_memory(struct bench *b)
{
    struct client c = start_ours(b);
    client_open(&c, "model.c", b->model.data);
    json_decref(client_diagnostics(&c, "model.c", 1));
    double first = memory_at_rest(&c);
    for (int i = 1; i <= OPENED; i++) {
        char name[32];
        snprintf(name, sizeof name, "other%d.c", i);
        client_write(&c, name, b->model.data);
        client_open(&c, name, b->model.data);
        json_decref(client_diagnostics(&c, name, 1));
    }
    print_amount(b, "memory for another open file of that kind",
                 (memory_at_rest(&c) - first) / OPENED, "MB", 4);
    double before = 0;
    for (int i = 0; i < b->edits + 50; i++) {
        measure_edit(b, &c, i + 2);
        if (i == 49)
            before = memory_at_rest(&c);
    }
    double after = memory_at_rest(&c);
    printf("  (%.0f MB with one file open, %.0f MB after %d edits)\n", first, after, b->edits);
    print_amount(b, "grown by these edits", after - before > 0 ? after - before : 0, "MB", 2);
    client_end(&c);
}

/* ---- all --------------------------------------------------------------------------------------
 */

static int number_after(int argc, char **argv, const char *name, int otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], name))
            return atoi(argv[i + 1]);
    return otherwise;
}

int main(int argc, char **argv)
{
    struct bench b = {.arena = arena_new()};
    setvbuf(stdout, NULL, _IOLBF, 0);
    b.rounds = number_after(argc, argv, "--rounds", 21);
    b.rounds = b.rounds < 3 ? 3 : b.rounds > MOST_ROUNDS ? MOST_ROUNDS : b.rounds;
    b.edits = number_after(argc, argv, "--edits", 1000);
    model_generate(&b.model, 2000, &b.place);
    struct client ours = start_ours(&b), clangd = start_clangd(&b);
    struct alone alone = open_alone(ours.folder);
    client_open(&ours, "model.c", b.model.data);
    client_open(&clangd, "model.c", b.model.data);
    json_t *found = client_diagnostics(&ours, "model.c", 1);
    json_decref(client_diagnostics(&clangd, "model.c", 1));
    printf("A model of 2000 lines with five headers, %zu findings; CPU time, medians of %d\n",
           json_array_size(found), b.rounds);
    json_decref(found);
    let_rest(&ours);
    let_rest(&clangd);
    print_head();
    bench_edits(&b, &ours, &clangd, &alone);
    bench_hover(&b, &ours);
    bench_kinds(&b, &ours, &clangd);
    bench_opening(&b, &alone, false, "first diagnostics, against a plain parse", 1.25);
    say_opening(&b);
    bench_opening(&b, &alone, true, "the same of a file that was checked before", 1.25);
    client_end(&ours);
    client_end(&clangd);
    bench_memory(&b);
    printf("%d missed\n", b.missed);
    return argc > 1 && !strcmp(argv[argc - 1], "--strict") && b.missed;
}
