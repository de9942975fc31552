/* The store under stress: whatever is done to a project or to the store, the output of the next run
 * equals that of a run without a store.
 *
 *   store_stress make FOLDER UNITS SEED           a project, to look at
 *   store_stress edits [SEQUENCES LENGTH UNITS SEED]
 *   store_stress abuse [ROUNDS UNITS SEED]
 *
 * Exits with 1 and prints the difference, if there is any; the project is then kept. */
#include "tests/store/stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(MISCAST_PROGRAM) || !defined(RUNTIME_INCLUDE)
#error "what is tested, and with which headers"
#endif

static void die(const struct error *e)
{
    fprintf(stderr, "store_stress: %s%s%s\n", e->file, e->file[0] ? ": " : "", e->message);
    exit(2);
}

void stress_begin(struct stress *s, int units, uint64_t seed)
{
    struct error e = {0};
    char folder[] = "/tmp/store_stress.XXXXXX";
    *s = (struct stress){.runner = {.arena = arena_new(), .program = MISCAST_PROGRAM}};
    if (!mkdtemp(folder)) /* 0700, as many folders are that containers and users work in */
        BUG("cannot make a folder in /tmp");
    s->folder = arena_printf(s->runner.arena, "%s", folder);
    s->runner.work = s->folder;
    setenv("XDG_STATE_HOME", arena_printf(s->runner.arena, "%s/state", folder), 1);
    s->runner.folder = arena_printf(s->runner.arena, "%s/project", folder);
    if (!generate(&s->changing.p, s->runner.folder, RUNTIME_INCLUDE, units, seed, &e))
        die(&e);
    mkdir(arena_printf(s->runner.arena, "%s/.git", s->runner.folder), 0755);
    changing_begin(&s->changing, &s->runner, seed);
    s->used = arena_used(s->runner.arena);
}

int stress_end(struct stress *s)
{
    if (s->failed)
        fprintf(stderr, "left as it is: %s\n", s->runner.folder);
    else if (system(arena_printf(s->runner.arena, "rm -rf '%s'", s->folder)))
        s->failed = true;
    int status = s->failed;
    arena_free(s->changing.p.arena);
    arena_free(s->runner.arena);
    return status;
}

static int make(const char *folder, int units, uint64_t seed)
{
    struct error e = {0};
    struct made_project p;
    int lines = 0, planted = 0;
    if (!generate(&p, folder, RUNTIME_INCLUDE, units, seed, &e))
        die(&e);
    for (int i = 0; i < p.units.count; i++) {
        const struct made_unit *u = &p.units.items[i];
        lines += u->lines;
        planted += u->planted != NULL;
        if (u->planted)
            printf("%s %s\n", u->path, u->planted);
    }
    printf("%d units, %d lines, %d headers, %d mistakes\n", p.units.count, lines, p.headers.count,
           planted);
    arena_free(p.arena);
    return 0;
}

static int number(int argc, char **argv, int i, int otherwise)
{
    return i < argc ? atoi(argv[i]) : otherwise;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "make") && argc == 5)
        return make(argv[2], atoi(argv[3]), strtoull(argv[4], NULL, 10));
    if (!strcmp(what, "edits"))
        return stress_edits(number(argc, argv, 2, 500), number(argc, argv, 3, 3),
                            number(argc, argv, 4, 60), (uint64_t)number(argc, argv, 5, 1));
    if (!strcmp(what, "abuse"))
        return stress_abuse(number(argc, argv, 2, 200), number(argc, argv, 3, 12),
                            (uint64_t)number(argc, argv, 4, 1));
    fprintf(stderr, "usage: store_stress make FOLDER UNITS SEED | edits [SEQUENCES LENGTH UNITS "
                    "SEED] | abuse [ROUNDS UNITS SEED]\n");
    return 2;
}
