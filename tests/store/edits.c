/* Sequences of changes: after each, a run with the store and one without have the same output to
 * the byte, as text and as JSON. */
#include "tests/store/stress.h"

#include <stdio.h>
#include <string.h>

/* How miscast is asked. The second word stands for a file of the project, if any. */
static const struct {
    const char *command, *more;
    bool of_a_unit, of_a_header;
    int weight;
} ways[] = {
    {"check", NULL, false, false, 12},
    {"check", NULL, true, false, 4},
    {"check", NULL, false, true, 2},
    {"check", "--select=all", false, false, 2},
    {"check", "--no-baseline", false, false, 1},
    {"check", "--assume=x=bf16", true, false, 2},
    {"types", NULL, true, false, 2},
    {"contracts", NULL, true, false, 2},
};

static int way_by_chance(struct dice *d)
{
    int sum = 0, i = 0;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        sum += ways[k].weight;
    int at = roll(d, sum);
    while ((at -= ways[i].weight) >= 0)
        i++;
    return i;
}

/* What was spent, on both sides. */
struct sums {
    int runs;
    double kept, plain;
};

static bool compare(struct stress *s, struct sums *sums)
{
    struct changing *c = &s->changing;
    const char *arguments[4] = {0};
    int way = way_by_chance(&c->dice), n = 0;
    arguments[n++] = ways[way].command;
    if (ways[way].more)
        arguments[n++] = ways[way].more;
    if (ways[way].of_a_unit)
        arguments[n++] = any_unit(c);
    if (ways[way].of_a_header)
        arguments[n++] = c->p.headers.items[roll(&c->dice, c->p.headers.count)];
    struct outcome kept = run_here(&s->runner, arguments, true, NULL);
    struct outcome plain = run_here(&s->runner, arguments, false, NULL);
    const char *differs = outcome_differs(&kept, &plain);
    sums->runs++;
    sums->kept += kept.cpu;
    sums->plain += plain.cpu;
    if (!differs)
        return true;
    fprintf(stderr, "%s differs: miscast %s %s %s\n", differs, arguments[0],
            arguments[1] ? arguments[1] : "", arguments[1] && arguments[2] ? arguments[2] : "");
    outcome_show("", &kept, &plain);
    return false;
}

static bool sequence(struct stress *s, int number, int length, struct sums *sums)
{
    char done[2000] = "";
    change_back(&s->changing);
    for (int i = 0; i < length; i++) {
        change(&s->changing);
        size_t n = strlen(done);
        snprintf(done + n, sizeof done - n, "  %s\n", s->changing.what);
        if (!compare(s, sums)) {
            fprintf(stderr, "sequence %d, after:\n%s", number, done);
            return false;
        }
        arena_rewind(s->runner.arena, s->used);
    }
    return true;
}

int stress_edits(int sequences, int length, int units, uint64_t seed)
{
    struct stress s;
    struct sums sums = {0};
    stress_begin(&s, units, seed);
    for (int i = 0; i < sequences && !s.failed; i++)
        s.failed = !sequence(&s, i, length, &sums);
    printf("edits: %d sequences of %d changes in %d units: %s; %d runs with the store took %.2f of "
           "the %.1f s they take without\n",
           sequences, length, units, s.failed ? "DIFFERENT" : "all the same", sums.runs,
           sums.plain > 0 ? sums.kept / sums.plain : 0, sums.plain);
    return stress_end(&s);
}
