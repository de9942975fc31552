/* The cost of checking a long function, compared with one four times as long: CPU time and memory
 * grow about linearly. Each form has many failing calls, written in a different way. Time depends a
 * little on what else runs: the best of several attempts counts.
 *
 *   growth PROGRAM INCLUDE */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 4, MOST_TIMES_CPU = 6, MOST_TIMES_MEMORY = 3, ATTEMPTS = 3 };

struct form {
    const char *name;
    const char *text; /* of one of many */
    int count;
    const char *option; /* of check; NULL: none */
};

static const struct form forms[] = {
    {"calls, kept in a store", "    mc_matmul(h, w);\n", 1500, NULL},
    {"calls on one line", "mc_matmul(h, w);", 1000, "--no-cache"},
    {"stores and calls under conditions", "    if (c)\n y = h;\n if (d)\n mc_matmul(y, w);\n", 500,
     "--no-cache"},
};

struct cost {
    double seconds;
    long kilobytes;
};

static void write_source(const struct form *f, int count)
{
    FILE *out = fopen("long.c", "w");
    if (!out)
        exit(2);
    fprintf(out, "#include <miscast/tensor.h>\n"
                 "void f(int c, int d, mc_tensor *x)\n{\n"
                 "    mc_tensor *h = mc_half(x), *w = mc_float(x), *y = h;\n");
    for (int i = 0; i < count; i++)
        fputs(f->text, out);
    fprintf(out, "\n}\n");
    fclose(out);
}

static void become_check(const char *program, const struct form *f)
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl(program, program, "check", "-j1", "long.c", f->option, (char *)NULL);
    _exit(127);
}

static struct cost check(const char *program, const struct form *f, int count)
{
    int status = 0;
    struct rusage used;
    write_source(f, count);
    pid_t pid = fork();
    if (pid == 0)
        become_check(program, f);
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 1) {
        fprintf(stderr, "growth: %s: %d of them were not checked\n", f->name, count);
        exit(1);
    }
    return (struct cost){(double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec,
                         used.ru_maxrss};
}

static bool grew_too_fast(const char *program, const struct form *f)
{
    struct cost few = check(program, f, f->count), many = check(program, f, TIMES * f->count);
    printf("%s: %d take %.2f s and %ld MB, %d take %.2f s and %ld MB\n", f->name, f->count,
           few.seconds, few.kilobytes / 1024, TIMES * f->count, many.seconds,
           many.kilobytes / 1024);
    return many.seconds > MOST_TIMES_CPU * few.seconds ||
           many.kilobytes > MOST_TIMES_MEMORY * few.kilobytes;
}

static bool grows_too_fast(const char *program, const struct form *f)
{
    for (int i = 0; i < ATTEMPTS; i++)
        if (!grew_too_fast(program, f))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/miscast-growth-XXXXXX", command[64];
    int bad = 0;
    if (argc != 3 || !mkdtemp(folder) || chdir(folder))
        return 2;
    FILE *flags = fopen("compile_flags.txt", "w");
    if (!flags)
        return 2;
    fprintf(flags, "-I%s\n", argv[2]);
    fclose(flags);
    setenv("XDG_STATE_HOME", folder, true);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        bad += grows_too_fast(argv[1], &forms[i]);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) || bad ? 1 : 0;
}
