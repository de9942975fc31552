/* The cost of a process: CPU time, wall-clock time and memory, and medians of several rounds. */
#ifndef TESTS_BENCH_COST_H
#define TESTS_BENCH_COST_H

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ROUNDS = 51 };

/* What something took. */
struct cost {
    double cpu, wall; /* seconds */
    double memory;    /* peak, MB */
};

static inline double clock_seconds(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static inline struct cost wait_for(pid_t process)
{
    struct rusage used;
    int status = 0;
    if (wait4(process, &status, 0, &used) < 0) {
        perror("wait4");
        exit(2);
    }
    return (struct cost){.cpu = seconds(used.ru_utime) + seconds(used.ru_stime),
                         .memory = (double)used.ru_maxrss / 1024};
}

static inline struct cost run_program(const char *const *args, const char *directory)
{
    pid_t process;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    if (directory)
        posix_spawn_file_actions_addchdir_np(&files, directory);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&process, args[0], &files, NULL, (char *const *)args, environ) != 0) {
        fprintf(stderr, "cannot run %s\n", args[0]);
        exit(2);
    }
    posix_spawn_file_actions_destroy(&files);
    return wait_for(process);
}

static inline int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Rounds of what was measured, and their medians. */
struct rounds {
    double ours[MOST_ROUNDS], baseline[MOST_ROUNDS], ratio[MOST_ROUNDS];
    int count;
};

static inline void add_round(struct rounds *r, double ours, double baseline)
{
    r->ours[r->count] = ours;
    r->baseline[r->count] = baseline;
    r->ratio[r->count++] = ours / baseline;
}

#endif
