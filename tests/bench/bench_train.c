/* The cost of a training step compared with its matrix products. Trains the transformer
 * (corpus/models) as a user would, with MISCAST_PROFILE set, in each precision, and reads the
 * table: a step must take at most 1.5 times as long as its products.
 *
 *     bench_train [--steps N] [--table] [--strict]
 *
 * --table: also prints the most expensive rows. --strict: exit status 1 if a bar is missed. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR 1.5

struct options {
    const char *steps;
    bool table, strict;
};

/* Milliseconds of all ops of one name, there and back. */
struct cost {
    char op[32];
    double ms;
};

struct profile {
    struct cost ops[256];
    int count;
    double total;
};

/* ---- running --------------------------------------------------------------------------------- */

/* The child's output is of no interest. False if it did not end well, except for missing its loss,
 * which a few steps must. */
static bool run(const char *dtype, const char *steps, const char *table)
{
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return false;
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        setenv("MISCAST_PROFILE", table, 1);
        execl(TRANSFORMER, TRANSFORMER, "--dtype", dtype, "--steps", steps, "--speak", "0",
              (char *)NULL);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void add(struct profile *p, const char *op, double ms)
{
    int i = 0;
    while (i < p->count && strcmp(p->ops[i].op, op) != 0)
        i++;
    if (i == p->count && p->count < (int)(sizeof p->ops / sizeof *p->ops))
        snprintf(p->ops[p->count++].op, sizeof p->ops[0].op, "%s", op);
    if (i < p->count)
        p->ops[i].ms += ms;
    p->total += ms;
}

/* A row of the table: op, place, calls, total ms, self ms. */
static void read_row(struct profile *p, const char *line)
{
    char op[32], place[64], calls[32];
    double total, self;
    if (strncmp(line, "total ", 6) == 0) /* the last one, which has no place */
        return;
    if (strncmp(line, "back ", 5) == 0)
        line += 5;
    if (sscanf(line, "%31s %63s %31s %lf %lf", op, place, calls, &total, &self) != 5)
        return;
    op[13] = '\0'; /* where the table cuts a name that has "back" before it */
    add(p, op, self);
}

static bool read_table(const char *path, struct profile *p)
{
    char line[256];
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    while (fgets(line, sizeof line, f))
        read_row(p, line);
    fclose(f);
    return p->total > 0;
}

static int costlier(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;
    return (x->ms < y->ms) - (x->ms > y->ms);
}

/* Products of matrices. Attention is more than its products, and does not count. */
static bool is_product(const char *op)
{
    return strcmp(op, "linear") == 0 || strcmp(op, "matmul") == 0;
}

/* ---- the benchmark --------------------------------------------------------------------------- */

static void print_rows(struct profile *p, double steps)
{
    qsort(p->ops, (size_t)p->count, sizeof *p->ops, costlier);
    for (int i = 0; i < p->count && i < 12; i++)
        printf("    %-20s %8.3f ms  %5.1f%%\n", p->ops[i].op, p->ops[i].ms / steps,
               100 * p->ops[i].ms / p->total);
}

/* Whether the bar was missed. */
static bool measure(const char *dtype, const struct options *o)
{
    static struct profile p;
    char table[] = "/tmp/bench_train.XXXXXX";
    int fd = mkstemp(table);
    memset(&p, 0, sizeof p);
    bool done = fd >= 0 && run(dtype, o->steps, table) && read_table(table, &p);
    if (fd >= 0) {
        close(fd);
        unlink(table);
    }
    if (!done) {
        fprintf(stderr, "bench_train: %s could not be run\n", TRANSFORMER);
        exit(2);
    }
    double products = 0, steps = atof(o->steps);
    for (int i = 0; i < p.count; i++)
        products += is_product(p.ops[i].op) ? p.ops[i].ms : 0;
    bool missed = p.total > BAR * products;
    printf("%-6s %9.2f ms %9.2f ms %9.2f  %s\n", dtype, p.total / steps, products / steps,
           p.total / products, missed ? "missed" : "");
    if (o->table)
        print_rows(&p, steps);
    return missed;
}

int main(int argc, char **argv)
{
    static const char *const dtypes[] = {"f32", "f16", "bf16"};
    struct options o = {.steps = "40"};
    int missed = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
            o.steps = argv[++i];
        else if (strcmp(argv[i], "--table") == 0)
            o.table = true;
        else if (strcmp(argv[i], "--strict") == 0)
            o.strict = true;
        else {
            fputs("usage: bench_train [--steps N] [--table] [--strict]\n", stderr);
            return 2;
        }
    }
    printf("%-6s %12s %12s %9s  bar %.1f\n", "dtype", "a step", "products", "ratio", BAR);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        missed += measure(dtypes[i], &o);
    printf("\n%d of %zu bars missed\n", missed, sizeof dtypes / sizeof *dtypes);
    return o.strict && missed ? 1 : 0;
}
