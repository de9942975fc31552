/* The cost of shadow values: a training step of programs in corpus/models as they are, and with
 * MISCAST_RUN. A step is the difference between a long and a short run, in processor time and on
 * one thread, so that other programs do not count; the least of three. With shadow values it may
 * take at most 6 times as long.
 *
 *     bench_run [--strict]      --strict: exit status 1 if the bar is missed */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAR 6.0

enum { TRIES = 3 };

static const struct {
    const char *name, *path;
    int from, to; /* steps of the short and of the long run */
} programs[] = {
    {"mlp", MODELS "/train_mlp", 20, 220},
    {"cnn", MODELS "/train_cnn", 2, 12},
    {"transformer", MODELS "/train_transformer", 2, 6},
    {"lstm", MODELS "/model_lstm", 5, 25},
    {"resnet", MODELS "/model_resnet", 2, 8},
};

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void become(const char *path, const char *dtype, int steps, bool shadow)
{
    char count[16];
    int nowhere = open("/dev/null", O_WRONLY);
    snprintf(count, sizeof count, "%d", steps);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    setenv("MISCAST_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (shadow)
        setenv("MISCAST_RUN", "/dev/null", 1);
    execl(path, path, "--dtype", dtype, "--steps", count, (char *)NULL);
    _exit(127);
}

/* Processor time of one run; a negative number: it failed. Missing its loss is no failure, which a
 * few steps must. */
static double run(const char *path, const char *dtype, int steps, bool shadow)
{
    struct rusage used;
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0)
        become(path, dtype, steps, shadow);
    while (wait4(pid, &status, 0, &used) < 0)
        if (errno != EINTR)
            return -1;
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
    return ended ? seconds(used.ru_utime) + seconds(used.ru_stime) : -1;
}

/* Milliseconds of a step; a negative number: it failed. */
static double step(int program, const char *dtype, bool shadow)
{
    const char *path = programs[program].path;
    double least[2] = {1e30, 1e30};
    for (int i = 0; i < TRIES; i++)
        for (int k = 0; k < 2; k++) {
            int steps = k ? programs[program].to : programs[program].from;
            double took = run(path, dtype, steps, shadow);
            if (took < 0)
                return -1;
            least[k] = took < least[k] ? took : least[k];
        }
    return 1e3 * (least[1] - least[0]) / (programs[program].to - programs[program].from);
}

/* False: it failed, or the bar is missed. */
static bool measure(int program, const char *dtype)
{
    double plain = step(program, dtype, false), shadow = step(program, dtype, true);
    if (plain <= 0 || shadow <= 0) {
        printf("%-12s %-5s failed\n", programs[program].name, dtype);
        return false;
    }
    printf("%-12s %-5s %10.2f %10.2f %7.2f\n", programs[program].name, dtype, plain, shadow,
           shadow / plain);
    fflush(stdout);
    return shadow / plain <= BAR;
}

int main(int argc, char **argv)
{
    static const char *const dtypes[] = {"f32", "f16", "bf16"};
    bool met = true, strict = argc > 1 && strcmp(argv[1], "--strict") == 0;
    if (argc > 2 || (argc > 1 && !strict)) {
        fprintf(stderr, "usage: bench_run [--strict]\n");
        return 2;
    }
    printf("%-12s %-5s %10s %10s %7s\n", "program", "dtype", "step ms", "shadow ms", "times");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (size_t k = 0; k < sizeof dtypes / sizeof *dtypes; k++)
            met &= measure((int)i, dtypes[k]);
    printf("%s: at most %.0f times\n", met ? "met" : "missed", BAR);
    return strict && !met;
}
