/* Shared by benchmark programs: a list of contests, alternating between ours and a baseline,
 * torch's figures for the same, and the table. A program defines struct work, the contests and
 * their turns. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include <miscast/tensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct work; /* what the turns of a contest work on */

/* Ours against a baseline. The bar is a ratio to reach, or nanoseconds to stay within where there
 * is no baseline. */
struct contest {
    char name[40]; /* words that torch_peer.py understands */
    const char *unit;
    void (*prepare)(struct work *w, const struct contest *c);
    void (*ours)(struct work *w);
    void (*baseline)(struct work *w);
    double amount; /* of work in one call: operations, bytes, calls; rates are amount / ns */
    int calls;     /* in one turn; 0 stands for 1 */
    bool settle;   /* before a turn, wait until OpenBLAS's threads sleep */
    double bar;
    mc_dtype dtype, to;
    int64_t size;
    int threads;
    /* measured: */
    double ours_rate, baseline_rate, ratio, torch_rate;
};

static struct settings {
    bool quick, strict, torch;
    const char *only;
    double seconds; /* for each contest */
} settings = {.torch = true, .only = "", .seconds = 2};

enum { MOST = 64 };

struct contests {
    int count;
    struct contest all[MOST];
};

static void contest_add(struct contests *list, struct contest c)
{
    if (strstr(c.name, settings.only) && list->count < MOST)
        list->all[list->count++] = c;
}

/* ---- measuring ----------------------------------------------------------------------------- */

enum { TURNS = 2000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Nanoseconds of one call in a turn. */
static double timed(const struct contest *c, void (*call)(struct work *w), struct work *w)
{
    int calls = c->calls ? c->calls : 1;
    if (c->settle) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        if (calls > 1)
            call(w);
    }
    double start = now();
    for (int i = 0; i < calls; i++)
        call(w);
    return (now() - start) / calls;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void take_turns(struct contest *c, struct work *w)
{
    static double ours[TURNS], baseline[TURNS], ratio[TURNS];
    int turns = 0, least = settings.quick ? 3 : 5;
    double end = now() + 1e9 * settings.seconds;
    while (turns < TURNS && (turns < least || now() < end)) {
        ours[turns] = timed(c, c->ours, w);
        baseline[turns] = c->baseline ? timed(c, c->baseline, w) : 0;
        ratio[turns] = baseline[turns] / ours[turns];
        turns++;
    }
    c->ours_rate = c->amount / median(ours, turns);
    c->baseline_rate = c->baseline ? c->amount / median(baseline, turns) : 0;
    c->ratio = median(ratio, turns);
}

/* ---- torch --------------------------------------------------------------------------------- */

/* The command that measures the same contests in Python: torch_peer.py, beside this file. */
static char *torch_command(const struct contests *list)
{
    char *command = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&command, &size);
    const char *slash = strrchr(__FILE__, '/');
    int folder = slash ? (int)(slash - __FILE__) + 1 : 0;
    if (!to)
        return NULL;
    fprintf(to, "/usr/bin/python3 '%.*storch_peer.py' %g", folder, __FILE__, settings.seconds / 4);
    for (int i = 0; i < list->count; i++)
        fprintf(to, " '%s'", list->all[i].name);
    fprintf(to, " 2>/dev/null");
    fclose(to);
    return command;
}

/* Its answers are lines "name TAB nanoseconds". */
static bool ask_torch(struct contests *list)
{
    char line[256];
    bool answered = false;
    char *command = torch_command(list);
    FILE *from = command ? popen(command, "r") : NULL;
    free(command);
    while (from && fgets(line, sizeof line, from)) {
        char *tab = strchr(line, '\t');
        for (int i = 0; tab && i < list->count; i++) {
            struct contest *c = &list->all[i];
            size_t n = strlen(c->name);
            if (strncmp(line, c->name, n) == 0 && line + n == tab)
                c->torch_rate = (c->unit[0] == 'n' ? 1 : c->amount) / strtod(tab + 1, NULL);
        }
        answered |= tab != NULL;
    }
    if (from)
        pclose(from);
    return answered;
}

/* ---- the table ----------------------------------------------------------------------------- */

static bool is_latency(const struct contest *c)
{
    return !c->baseline;
}

static bool reaches_bar(const struct contest *c)
{
    return is_latency(c) ? 1 / c->ours_rate <= c->bar : c->ratio >= c->bar;
}

/* A rate, or for small ops the time of one call; "-" where there is none. */
static const char *figure(const struct contest *c, double rate, char cell[16])
{
    if (rate <= 0)
        return "-";
    snprintf(cell, 16, "%.1f", is_latency(c) ? 1 / rate : rate);
    return cell;
}

static const char *ratio_of(double ratio, char cell[16])
{
    if (!(ratio > 0))
        return "-";
    snprintf(cell, 16, "%.3f", ratio);
    return cell;
}

#define ROW "%-26s %9s %9s %-8s %7s %6s %-5s"

static void print_head(void)
{
    printf(ROW "\n", "what", "ours", "baseline", "", "ratio", "bar", "");
}

static void print_contest(const struct contest *c)
{
    char ours[16], baseline[16], ratio[16], bar[16];
    snprintf(bar, sizeof bar, is_latency(c) ? "<%.0f" : "%.2f", c->bar);
    printf(ROW "\n", c->name, figure(c, c->ours_rate, ours), figure(c, c->baseline_rate, baseline),
           c->unit, ratio_of(c->ratio, ratio), bar, reaches_bar(c) ? "ok" : "MISS");
    fflush(stdout);
}

static void print_torch(const struct contest *c)
{
    char ours[16], torch[16], ratio[16];
    printf("%-26s %9s %9s %-8s %7s\n", c->name, figure(c, c->ours_rate, ours),
           figure(c, c->torch_rate, torch), c->unit,
           ratio_of(c->torch_rate > 0 ? c->ours_rate / c->torch_rate : 0, ratio));
}

static void compare_with_torch(struct contests *list)
{
    if (!settings.torch)
        return;
    if (!ask_torch(list)) {
        printf("\ntorch: skipped, Python cannot import it\n");
        return;
    }
    printf("\n%-26s %9s %9s %-8s %7s\n", "what", "ours", "torch", "", "times");
    for (int i = 0; i < list->count; i++)
        print_torch(&list->all[i]);
}

static bool read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            settings.quick = true;
        else if (strcmp(argv[i], "--strict") == 0)
            settings.strict = true;
        else if (strcmp(argv[i], "--no-torch") == 0)
            settings.torch = false;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            settings.only = argv[++i];
        else
            return false;
    }
    settings.seconds = settings.quick ? 0.15 : 1.4;
    return true;
}

#endif
