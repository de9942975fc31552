/* Accidents that can happen to a store: killed runs, concurrent runs, full disks, read-only
 * folders, and corrupted bytes. The output of the next run equals that of a run without a store,
 * with at most one additional line. */
#include "tests/store/stress.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VARIANTS = 4, TOGETHER = 8 };

static const char *const check[] = {"check", NULL};

/* The project goes through a few states; what is said of each without a store is asked once. */
struct abuse {
    struct stress s;
    struct outcome plain[VARIANTS];
    int state;
    double usual; /* seconds that a run takes which parses one unit */
    int told;     /* runs that told of the store */
};

static const char *store_file(struct abuse *a, const char *behind)
{
    return arena_printf(a->s.runner.arena, "%s/.miscast/store.db%s", a->s.runner.folder, behind);
}

static void set_state(struct abuse *a, int state)
{
    a->state = state;
    change_slightly(&a->s.changing, a->s.changing.p.units.items[1].path, state);
}

static void next_state(struct abuse *a)
{
    set_state(a, (a->state + 1 + roll(&a->s.changing.dice, VARIANTS - 1)) % VARIANTS);
}

static void expect(struct abuse *a, const char *what, int round, const struct outcome *o, bool told)
{
    const struct outcome *plain = &a->plain[a->state];
    const char *differs = told ? outcome_differs_told(o, plain) : outcome_differs(o, plain);
    a->told += o->err_length != plain->err_length;
    if (!differs)
        return;
    fprintf(stderr, "%s, round %d: %s differs\n", what, round, differs);
    outcome_show(what, o, plain);
    a->s.failed = true;
}

static void expect_now(struct abuse *a, const char *what, int round, const struct hindrance *h,
                       bool told)
{
    struct outcome o = run_here(&a->s.runner, check, true, h);
    expect(a, what, round, &o, told);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

/* ---- what is done to it --------------------------------------------------------------------- */

static void forget(struct abuse *a)
{
    static const char *const clean[] = {"clean", NULL};
    run_here(&a->s.runner, clean, true, NULL);
}

/* Many towards the end, where the store is written. */
static void kill_one(struct abuse *a, int round)
{
    struct dice *d = &a->s.changing.dice;
    double part = (double)roll(d, 1000) / 1000;
    if (round % 10 == 0)
        forget(a);
    next_state(a);
    struct running r = run_begin(&a->s.runner, check, true, NULL);
    sleep_for(a->usual * (round % 2 ? 0.7 + 0.4 * part : 1.1 * part));
    kill(r.process, SIGKILL);
    run_end(&a->s.runner, r);
    expect_now(a, "after one that was killed", round, NULL, false);
}

static void run_together(struct abuse *a, int round)
{
    struct running r[TOGETHER];
    if (round % 3 == 0)
        forget(a);
    next_state(a);
    for (int i = 0; i < TOGETHER; i++)
        r[i] = run_begin(&a->s.runner, check, true, NULL);
    for (int i = 0; i < TOGETHER; i++) {
        struct outcome o = run_end(&a->s.runner, r[i]);
        expect(a, "one of eight at a time", round, &o, false);
    }
}

static long size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? 0 : (long)st.st_size;
}

/* A file may grow no more, or nothing more can be written. */
static void fill_disk(struct abuse *a, int round)
{
    struct dice *d = &a->s.changing.dice;
    long size = size_of(store_file(a, ""));
    struct hindrance h = {0};
    if (round % 3 == 0)
        forget(a);
    next_state(a);
#ifdef FULL_DISK
    if (round % 2) {
        h.full = FULL_DISK;
        h.full_after = roll(d, (int)size + 4096);
    }
#endif
    if (!h.full) /* what is said must fit */
        h.file_size = 65536 + roll(d, (int)size);
    expect_now(a, "a disk that gets full", round, &h, true);
    expect_now(a, "after a disk that was full", round, NULL, true);
}

static void change_bytes(struct abuse *a, const char *path)
{
    struct dice *d = &a->s.changing.dice;
    long size = size_of(path);
    int fd = open(path, O_RDWR);
    for (int i = 1 + roll(d, 40); i > 0 && fd >= 0 && size; i--) {
        unsigned char byte;
        off_t at = roll(d, (int)size);
        if (pread(fd, &byte, 1, at) != 1)
            break;
        byte ^= (unsigned char)(1 << roll(d, 8));
        if (pwrite(fd, &byte, 1, at) != 1)
            break;
    }
    if (fd >= 0)
        close(fd);
}

static void clear_page(struct abuse *a, const char *path)
{
    static const char nothing[4096];
    long pages = size_of(path) / 4096;
    int fd = open(path, O_RDWR);
    if (fd >= 0 && pages &&
        pwrite(fd, nothing, sizeof nothing, 4096L * roll(&a->s.changing.dice, (int)pages)) < 0)
        a->s.failed = true;
    if (fd >= 0)
        close(fd);
}

static void damage(struct abuse *a, int round)
{
    struct dice *d = &a->s.changing.dice;
    expect_now(a, "before damage", round, NULL, true);
    const char *path = store_file(a, "");
    long size = size_of(path);
    if (round % 3 == 0 && truncate(path, roll(d, (int)size + 1)))
        a->s.failed = true;
    if (round % 3 == 1)
        change_bytes(a, path);
    if (round % 3 == 2)
        clear_page(a, path);
    if (roll(d, 2))
        next_state(a);
    expect_now(a, "after damage", round, NULL, true);
}

/* A log that a killed run left behind, not as it was. */
static void damage_log(struct abuse *a, int round)
{
    struct dice *d = &a->s.changing.dice;
    next_state(a);
    struct running r = run_begin(&a->s.runner, check, true, NULL);
    sleep_for(a->usual * (0.8 + 0.3 * (double)roll(d, 1000) / 1000));
    kill(r.process, SIGKILL);
    run_end(&a->s.runner, r);
    const char *path = store_file(a, "-wal");
    if (round % 2)
        change_bytes(a, path);
    else if (size_of(path) && truncate(path, roll(d, (int)size_of(path))))
        a->s.failed = true;
    expect_now(a, "after damage to the log", round, NULL, true);
}

static void write_nowhere(struct abuse *a, int round)
{
    struct hindrance h = {.heeds_permissions = geteuid() == 0};
    const char *folder = a->s.runner.folder;
    const char *kept = arena_printf(a->s.runner.arena, "%s/.miscast", folder);
    int told = a->told;
    if (round % 2)
        forget(a);
    next_state(a);
    chmod(kept, 0555);
    chmod(folder, 0555);
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    expect_now(a, "nowhere to write", round, &h, true);
    if (a->told == told) {
        fprintf(stderr, "nowhere to write, round %d: nothing is said of it\n", round);
        a->s.failed = true;
    }
    unsetenv("XDG_CACHE_HOME");
    chmod(folder, 0755);
    chmod(kept, 0755);
    expect_now(a, "after that", round, NULL, true);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void ask_plain(struct abuse *a)
{
    for (int i = 0; i < VARIANTS; i++) {
        set_state(a, i);
        a->plain[i] = run_here(&a->s.runner, check, false, NULL);
    }
    set_state(a, 0);
    expect_now(a, "at first", 0, NULL, false);
    set_state(a, 1);
    double start = now();
    expect_now(a, "one changed", 0, NULL, false);
    a->usual = now() - start;
    a->s.used = arena_used(a->s.runner.arena);
}

static const struct {
    const char *name;
    void (*once)(struct abuse *a, int round);
    int part; /* of the rounds: one in so many */
} kinds[] = {
    {"killed", kill_one, 1},     {"eight at a time", run_together, 8},
    {"disk full", fill_disk, 4}, {"nowhere to write", write_nowhere, 20},
    {"damaged", damage, 1},      {"log damaged", damage_log, 4},
};

int stress_abuse(int rounds, int units, uint64_t seed)
{
    struct abuse a = {0};
    stress_begin(&a.s, units, seed);
    ask_plain(&a);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int count = (rounds + kinds[k].part - 1) / kinds[k].part;
        a.told = 0;
        for (int i = 0; i < count && !a.s.failed; i++) {
            kinds[k].once(&a, i);
            arena_rewind(a.s.runner.arena, a.s.used);
        }
        printf("%s: %d rounds: %s; %d runs told of the store\n", kinds[k].name, count,
               a.s.failed ? "WRONG" : "all right", a.told);
        fflush(stdout);
    }
    return stress_end(&a.s);
}
