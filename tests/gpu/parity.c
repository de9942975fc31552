/* parity [--op NAME] [--dtype D] [--seed S] [--sample N] [--on sim] ROWS...: holds cuda, or its
 * simulation, against the CPU. parity --backend prints what is behind cuda here.
 *
 * The rows (tests/truth/rows) say which ops take which dtypes on cuda; parity.def says with what
 * and how closely each is held. Differences and one line of counts go to stdout, what is skipped to
 * stderr. Exit code: 0 no differences, 1 some, 2 wrong usage or rows that cannot be read, 77 what
 * is behind cuda here is something else. */
#include "tests/gpu/parity.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/truth/truth.h"

enum { SKIPPED = 77 };

/* clang-format off */
#define SHAPE(...) {sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}}
#define MAP(name, closeness, data_a, data_b) \
    {#name, closeness, 1, {data_a, data_b}, {SHAPE(3, 33, 35), SHAPE(3, 33, 35)}, true},
#define OP(name, closeness, terms, data_a, data_b, shape_a, shape_b) \
    {#name, closeness, terms, {data_a, data_b}, {shape_a, shape_b}, false},
#define EXCEPT(name, ...)
static const struct manner manners[] = {
#include "tests/gpu/parity.def"
};
#undef MAP
#undef OP
#undef EXCEPT
#define MAP(name, ...)
#define OP(name, ...)
#define EXCEPT(name, ...) {.op = #name, __VA_ARGS__},
static const struct exception exceptions[] = {
#include "tests/gpu/parity.def"
};
/* clang-format on */

enum { MANNERS = sizeof manners / sizeof *manners };

/* Ops of the rows that are not compared, and why. */
static const struct {
    const char *op, *reason;
} left_out[] = {
    {"empty_like", "holds no numbers to compare"},
    {"equal", "a value on the host; more:equal compares it"},
    {"allclose", "a value on the host; more:allclose compares it"},
    {"item", "a value on the host"},
    {"tolist", "a value on the host"},
    {"promote_types", "a value on the host"},
    {"can_cast", "a value on the host"},
    {"result_type", "a value on the host"},
};

struct walk {
    struct options options;
    struct counts counts;
    char last[64]; /* the op before, to count ops */
    bool seen[MANNERS], told[sizeof left_out / sizeof *left_out], unknown;
};

/* ---- rows ----------------------------------------------------------------------------------- */

static const struct manner *manner_of(const char *op)
{
    for (size_t i = 0; i < MANNERS; i++)
        if (strcmp(manners[i].name, op) == 0)
            return &manners[i];
    return NULL;
}

const struct exception *exception_of(const char *op)
{
    static const struct exception none;
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].op, op) == 0)
            return &exceptions[i];
    return &none;
}

static const struct manner *manner_of_row(const struct check *c)
{
    const struct operand *second = &c->operands[1];
    char name[64];
    snprintf(name, sizeof name, "%s/number", c->row.op);
    bool number = c->count == 2 && (second->kind == OPERAND_NUMBER || second->device == MC_CPU);
    const struct manner *manner = number ? manner_of(name) : NULL;
    return manner ? manner : manner_of(c->row.op);
}

static bool is_left_out(struct walk *w, const char *op)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (strcmp(left_out[i].op, op) != 0)
            continue;
        if (!w->told[i])
            fprintf(stderr, "parity: %s is skipped: %s\n", op, left_out[i].reason);
        w->counts.skipped += !w->told[i];
        w->told[i] = true;
        return true;
    }
    return false;
}

static bool wanted(const struct walk *w, const char *op, mc_dtype first)
{
    const struct options *o = &w->options;
    return (!o->op || strcmp(o->op, op) == 0) && (!o->dtype || o->dtype == first);
}

/* Rows of calls that work and have an operand on cuda. */
static bool is_for_us(const struct check *c)
{
    bool cuda = false;
    for (int i = 0; i < c->count; i++)
        cuda |= c->operands[i].kind == OPERAND_TENSOR && c->operands[i].device == MC_CUDA;
    return c->mode == MODE_PLAIN && c->entry && cuda && strncmp(c->row.outcome, "error:", 6) != 0;
}

/* Negative, infinite and large floats become integers in ways that differ between devices, and are
 * recorded bit for bit elsewhere (castbits). */
static void mind_casts(struct job *j, const char *outcome)
{
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(outcome, ".@"), outcome);
    mc_dtype result = operand_dtype(name);
    bool floating = false;
    for (int i = 0; i < j->count; i++)
        floating |= mc_dtype_is_floating(j->dtype[i]);
    bool to_whole = floating && result != MC_BOOL && !mc_dtype_is_floating(result);
    j->is_unsigned = floating && result == MC_U8;
    j->specials = j->manner->elementwise && !to_whole;
}

static void job_of_row(struct job *j, const struct check *c)
{
    *j = (struct job){.args = c->row.args, .entry = c->entry};
    j->manner = manner_of_row(c);
    j->dtype_argument = c->operands[c->count - 1].dtype;
    for (int i = 0; i < c->count; i++) {
        const struct operand *o = &c->operands[i];
        if (o->kind == OPERAND_NUMBER)
            j->number = o->number;
        if (o->kind != OPERAND_TENSOR || (i == 1 && c->entry->form == FORM_TO))
            break;
        j->dtype[i] = o->dtype;
        j->zero_dim[i] = o->zero_dim;
        j->on_cpu[i] = o->device == MC_CPU;
        j->count++;
    }
}

static void each_row(struct check *c, struct tally *tally, void *user)
{
    struct walk *w = user;
    struct job j;
    (void)tally;
    if (!is_for_us(c) || !wanted(w, c->row.op, c->operands[0].dtype) || is_left_out(w, c->row.op))
        return;
    job_of_row(&j, c);
    if (!j.manner) {
        if (strcmp(w->last, c->row.op) != 0)
            fprintf(stderr, "parity: %s is in no row of parity.def\n", c->row.op);
        snprintf(w->last, sizeof w->last, "%s", c->row.op);
        w->unknown = true;
        return;
    }
    mind_casts(&j, c->row.outcome);
    w->counts.ops += !w->seen[j.manner - manners];
    w->seen[j.manner - manners] = true;
    job_run(&j, &w->options, &w->counts);
}

/* ---- more ----------------------------------------------------------------------------------- */

static bool takes(enum dtypes dtypes, mc_dtype d)
{
    bool floating = mc_dtype_is_floating(d), f8 = floating && mc_dtype_size(d) == 1;
    switch (dtypes) {
    case FLOATS:
        return floating && !f8;
    case WHOLES:
        return !floating && d != MC_BOOL;
    case ALL:
        return !f8;
    case F32_F64:
        return d == MC_F32 || d == MC_F64;
    case NONE:
        return d == MC_F32;
    }
    return false;
}

static void run_more(struct walk *w, const struct more *m)
{
    bool any = false;
    for (int d = MC_BOOL; d < MC_DTYPE_COUNT; d++) {
        mc_dtype dtype = (mc_dtype)d;
        if (!takes(m->dtypes, dtype) || !wanted(w, m->manner.name, dtype))
            continue;
        struct job j = {.manner = &m->manner, .args = mc_dtype_name(dtype), .more = m};
        j.count = m->dtypes == NONE ? 0 : 2;
        j.dtype[0] = j.dtype[1] = dtype;
        job_run(&j, &w->options, &w->counts);
        any = true;
    }
    w->counts.ops += any;
}

/* ---- the program ---------------------------------------------------------------------------- */

static void crashed(int number)
{
    static const char text[] = "parity: crashed in ";
    ssize_t ignored = write(STDOUT_FILENO, text, sizeof text - 1);
    ignored = write(STDOUT_FILENO, doing, strlen(doing));
    ignored = write(STDOUT_FILENO, "\n", 1);
    (void)ignored;
    signal(number, SIG_DFL);
    raise(number);
}

static int usage(void)
{
    fputs("usage: parity [--op NAME] [--dtype D] [--seed S] [--sample N] [--on sim] ROWS...\n",
          stderr);
    return 2;
}

/* Returns the place of the first file; 0: wrong usage. */
static int read_options(struct options *o, int argc, char **argv)
{
    int i = 1;
    o->seed = 1;
    o->sample = 1;
    o->on = "cuda";
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--op") == 0)
            o->op = value;
        else if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--sample") == 0)
            o->sample = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--on") == 0)
            o->on = value;
        else if (strcmp(argv[i], "--dtype") == 0)
            o->dtype = operand_dtype(value);
        else
            return 0;
        if (!o->sample || (strcmp(argv[i], "--dtype") == 0 && !o->dtype))
            return 0;
    }
    return i < argc && strncmp(argv[i], "--", 2) != 0 ? i : 0;
}

int main(int argc, char **argv)
{
    static struct walk w;
    if (argc == 2 && strcmp(argv[1], "--backend") == 0)
        return puts(mc_backend_name(MC_CUDA)) < 0;
    int first = read_options(&w.options, argc, argv);
    if (!first)
        return usage();
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(mc_backend_name(MC_CUDA), w.options.on) != 0) {
        printf("parity: skipped: cuda is %s here\n", mc_backend_name(MC_CUDA));
        return SKIPPED;
    }
    const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], crashed);
    mc_set_error_handler(mc_error_remember, NULL);
    bool readable = true;
    for (int i = first; i < argc; i++) {
        struct tally tally = {0};
        readable &= check_rows(argv[i], &tally, each_row, &w);
    }
    for (int i = 0; i < more_count; i++)
        run_more(&w, &more_calls[i]);
    printf("parity: ops %d cases %d differ %d skipped %d\n", w.counts.ops, w.counts.cases,
           w.counts.differ, w.counts.skipped);
    if (!readable || w.unknown || !w.counts.cases)
        return 2;
    return w.counts.differ ? 1 : 0;
}
