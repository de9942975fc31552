/* alike [--none] DIRECTORY [N], alike [--none] FILE... [-- FLAGS...]: lowers every unit, or every
 * N-th, of the compilation database there, or these files, once with the beginnings that they share
 * and once without; both must give the same unit to the byte, and the same dependencies. Prints how
 * many files shared theirs; fails if none did, or with --none if any did. */
#include "frontends/clang/beginnings.h"
#include "frontends/clang/clang.h"
#include "frontends/clang/database.h"
#include "tests/clang/printed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct counts {
    int units, shared, wrong;
    double with, without; /* seconds */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int compare_reads(const void *a, const void *b)
{
    return strcmp(((const struct unit_read *)a)->path, ((const struct unit_read *)b)->path);
}

static void print_reads(struct unit_reads *r, struct text *out)
{
    qsort(r->files.items, (size_t)r->files.count, sizeof *r->files.items, compare_reads);
    qsort(r->folders.items, (size_t)r->folders.count, sizeof *r->folders.items, compare_paths);
    text_printf(out, "whole %d\n", r->whole);
    for (int i = 0; i < r->files.count; i++)
        text_printf(out, "file %s %llx\n", r->files.items[i].path,
                    (unsigned long long)r->files.items[i].digest.low);
    for (int i = 0; i < r->folders.count; i++)
        text_printf(out, "folder %s\n", r->folders.items[i]);
}

static struct text lowered(struct clang *c, const struct frontend_input *in, double *took)
{
    struct unit_reads reads = {.arena = arena_new()};
    struct error e = {0};
    double start = now();
    struct ir_unit *u = clang_lower_sharing(c, in, &reads, &e);
    *took += now() - start;
    struct text out = printed(u);
    if (u) {
        print_reads(&reads, &out);
        ir_unit_free(u);
    }
    arena_free(reads.arena);
    return out;
}

static void compare(struct counts *n, struct clang *c, const struct frontend_input *in)
{
    struct frontend_input alone = *in;
    alone.shared = NULL;
    struct text with = lowered(c, in, &n->with), without = lowered(c, &alone, &n->without);
    n->units++;
    if (with.length != without.length || memcmp(with.data, without.data, with.length)) {
        printf("%s: differs\n", in->file);
        n->wrong++;
        if (getenv("ALIKE_SHOW"))
            printf("---- shared\n%s\n---- alone\n%s\n", with.data, without.data);
    }
    text_free(&with);
    text_free(&without);
}

static int ready(const struct beginnings *all)
{
    int files = 0;
    for (int i = 0; all && i < all->items.count; i++)
        if (atomic_load(all->items.items[i]->state) == BEGINNING_READY)
            files += all->items.items[i]->files;
    return files;
}

static int try_all(struct clang *c, struct frontend_input *in, int count, int step, bool none)
{
    struct counts n = {0};
    int kept = 0;
    for (int i = 0; i < count; i += step)
        in[kept++] = in[i];
    struct beginnings *all = beginnings_find(in, kept);
    for (int i = 0; i < kept; i++) {
        in[i].shared = all;
        compare(&n, c, &in[i]);
    }
    n.shared = ready(all);
    printf("units %d sharing %d in %d beginnings differ %d, %.2f s and alone %.2f s\n", n.units,
           n.shared, all ? all->items.count : 0, n.wrong, n.with, n.without);
    beginnings_free(all);
    return n.wrong || !n.shared != none;
}

static int try_database(struct clang *c, const char *folder, int step, bool none, struct error *e)
{
    struct database *d = NULL;
    struct arena *a = arena_new();
    int count = 0, wrong = 2;
    if (database_open(&d, c, folder, NULL, e)) {
        struct compile *all = database_all(d, a, &count);
        struct frontend_input *in = arena_array(a, struct frontend_input, count);
        for (int i = 0; i < count; i++)
            in[i] = (struct frontend_input){.file = all[i].file,
                                            .directory = all[i].directory,
                                            .flags = all[i].flags,
                                            .flag_count = all[i].flag_count};
        wrong = try_all(c, in, count, step, none);
    }
    database_close(d);
    arena_free(a);
    return wrong;
}

static int try_files(struct clang *c, const char *const *words, int count, bool none)
{
    struct arena *a = arena_new();
    struct frontend_input *in = arena_array(a, struct frontend_input, count);
    int files = 0;
    while (files < count && strcmp(words[files], "--") != 0)
        files++;
    for (int i = 0; i < files; i++)
        in[i] = (struct frontend_input){.file = words[i],
                                        .flags = words + files + 1,
                                        .flag_count = files < count ? count - files - 1 : 0};
    int wrong = try_all(c, in, files, 1, none);
    arena_free(a);
    return wrong;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    struct stat st;
    int wrong = 2;
    bool none = argc > 1 && !strcmp(argv[1], "--none");
    char **words = argv + 1 + none;
    int count = argc - 1 - none;
    struct clang *c = count > 0 ? clang_open(&e) : NULL;
    if (c && !stat(words[0], &st) && S_ISDIR(st.st_mode))
        wrong = try_database(c, words[0], count > 1 && atoi(words[1]) > 0 ? atoi(words[1]) : 1,
                             none, &e);
    else if (c)
        wrong = try_files(c, (const char *const *)words, count, none);
    if (*e.message || count <= 0)
        fprintf(stderr, "alike: %s\n",
                *e.message ? e.message : "[--none] DIRECTORY [N], [--none] FILE... -- FLAG...");
    if (c)
        clang_close(c);
    return wrong;
}
