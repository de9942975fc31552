/* lower_all DIRECTORY [N]: lowers every unit, or every N-th, of the compilation database there,
 * verifies the IR, and prints, parses and prints it again. Prints counts; fails if any unit is
 * unsound. */
#include "frontends/clang/clang.h"
#include "frontends/clang/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct totals {
    int units, failed, unsound, functions, notes, errors;
    long instructions;
};

static bool is_same(const struct ir_unit *u, struct error *e)
{
    struct text first = {0}, second = {0};
    ir_print(u, &first);
    struct ir_unit *again = ir_parse(first.data, e);
    if (again)
        ir_print(again, &second);
    bool same = again && strcmp(first.data, second.data) == 0;
    if (again && !same)
        error_set(e, "printed and parsed, it is another");
    text_free(&first);
    text_free(&second);
    ir_unit_free(again);
    return same;
}

static void take(struct totals *t, const struct ir_unit *u)
{
    struct error e = {0};
    bool sound = ir_verify(u, &e) && is_same(u, &e);
    if (!sound)
        printf("%s: %s\n", u->file, e.message);
    if (u->errors)
        printf("%s\n", u->first_error);
    t->units++;
    t->unsound += !sound;
    t->notes += u->notes.count;
    t->errors += u->errors;
    for (int i = 0; i < u->functions.count; i++) {
        t->functions += u->functions.items[i]->has_body;
        t->instructions += u->functions.items[i]->insts.count;
    }
}

static void lower(struct totals *t, struct clang *c, const struct compile *how)
{
    struct error e = {0};
    struct ir_unit *u = clang_lower(c, how->file, how->flags, how->flag_count, how->directory, &e);
    if (!u) {
        printf("%s: %s\n", how->file, e.message);
        t->failed++;
        return;
    }
    take(t, u);
    ir_unit_free(u);
}

int main(int argc, char **argv)
{
    struct totals t = {0};
    struct error e = {0};
    struct database *d = NULL;
    struct arena *a = arena_new();
    int count;
    int step = argc == 3 ? atoi(argv[2]) : 1;
    struct clang *c = (argc == 2 || argc == 3) && step > 0 ? clang_open(&e) : NULL;
    if (!c || !database_open(&d, c, argv[1], NULL, &e)) {
        fprintf(stderr, "lower_all: %s\n", *e.message ? e.message : "DIRECTORY [N]");
        return 2;
    }
    struct compile *all = database_all(d, a, &count);
    for (int i = 0; i < count; i += step)
        lower(&t, c, &all[i]);
    printf("units %d failed %d unsound %d functions %d instructions %ld notes %d errors %d\n",
           t.units, t.failed, t.unsound, t.functions, t.instructions, t.notes, t.errors);
    database_close(d);
    clang_close(c);
    arena_free(a);
    return t.failed || t.unsound || t.units == 0;
}
