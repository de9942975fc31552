/* Diagrams against the functions they stand for: random ones over a few terms with small domains,
 * each operation compared with its result for every value of every term. */
#include "analyzer/condition/condition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { TERMS = 4, ROUNDS = 1000 };
static const struct domain domains[TERMS] = {{0, 1}, {-2, 2}, {0, 3}, {INT64_MAX - 2, INT64_MAX}};

struct world {
    struct arena *arena;
    struct conditions *c;
    term_id terms[TERMS];
    uint64_t random;
};

static uint64_t draw(struct world *w, uint64_t below)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (w->random >> 33) % below;
}

static struct world world_new(uint64_t seed)
{
    struct world w = {.arena = arena_new(), .random = seed};
    w.c = conditions_new(w.arena, DIAGRAM_NODES);
    for (uint64_t i = 0; i < TERMS; i++)
        w.terms[i] = term_make(w.c, TERM_INITIAL, &i, 1, domains[i], 0);
    return w;
}

/* Values of the terms; others (signs, choices) are derived by value_of_term. */
typedef int64_t values[TERMS];

static bool next_values(values v)
{
    for (int i = 0; i < TERMS; i++) {
        if (v[i] < domains[i].high) {
            v[i]++;
            return true;
        }
        v[i] = domains[i].low;
    }
    return false;
}

static void first_values(values v)
{
    for (int i = 0; i < TERMS; i++)
        v[i] = domains[i].low;
}

static int64_t value_of_term(const struct conditions *c, term_id t, const values v, int64_t choice)
{
    const struct term *term = term_at(c, t);
    if (term->kind == TERM_INITIAL)
        return v[term->key[0]];
    if (term->kind == TERM_SIGN) {
        int64_t a = value_of_term(c, (term_id)term->key[0], v, choice),
                b = value_of_term(c, (term_id)term->key[1], v, choice);
        return a < b ? -1 : a > b;
    }
    return choice % (term->domain.high + 1);
}

/* The leaf for these values. */
static diagram leaf_at(const struct conditions *c, diagram d, const values v, int64_t choice)
{
    while (!diagram_is_leaf(c, d)) {
        const struct run *runs;
        int n = diagram_runs(c, d, &runs), i = 0;
        int64_t value = value_of_term(c, diagram_top(c, d), v, choice);
        while (i < n - 1 && runs[i].last < value)
            i++;
        d = runs[i].to;
    }
    return d;
}

static int64_t number_at(const struct conditions *c, diagram d, const values v)
{
    struct leaf leaf = leaf_of(c, leaf_at(c, d, v, 0));
    return leaf.kind == LEAF_TERM ? value_of_term(c, (term_id)leaf.value, v, 0) : leaf.value;
}

static diagram random_within(struct world *w)
{
    int i = (int)draw(w, TERMS);
    uint64_t size = (uint64_t)domains[i].high - (uint64_t)domains[i].low + 1;
    int64_t low = domains[i].low + (int64_t)draw(w, size);
    uint64_t left = (uint64_t)domains[i].high - (uint64_t)low + 1;
    return diagram_within(w->c, w->terms[i], (struct domain){low, low + (int64_t)draw(w, left)});
}

static diagram random_condition(struct world *w, int depth)
{
    if (!depth)
        return random_within(w);
    diagram a = random_condition(w, depth - 1), b = random_condition(w, depth - 1);
    return draw(w, 2) ? condition_and(w->c, a, condition_not(w->c, b)) : condition_or(w->c, a, b);
}

/* Leaves are small numbers and terms. */
static diagram random_value(struct world *w, int depth)
{
    if (!depth)
        return draw(w, 3) ? diagram_number(w->c, (int64_t)draw(w, 4))
                          : diagram_term(w->c, w->terms[draw(w, TERMS)]);
    return diagram_choose(w->c, random_condition(w, 1), random_value(w, depth - 1),
                          random_value(w, depth - 1));
}

static void same_node(void **state)
{
    (void)state;
    struct world w = world_new(1);
    for (int n = 0; n < ROUNDS; n++) {
        diagram a = random_condition(&w, 2), b = random_condition(&w, 2);
        bool same = true;
        values v;
        first_values(v);
        do
            same &= number_at(w.c, a, v) == number_at(w.c, b, v);
        while (next_values(v));
        assert_int_equal(same, a == b); /* equal functions are the same node, others are not */
    }
    arena_free(w.arena);
}

static void operations(void **state)
{
    (void)state;
    struct world w = world_new(2);
    for (int n = 0; n < ROUNDS; n++) {
        diagram p = random_condition(&w, 2), x = random_value(&w, 2), y = random_value(&w, 2);
        diagram chosen = diagram_choose(w.c, p, x, y), equal = diagram_equal(w.c, x, y),
                less = diagram_less(w.c, x, y), no = condition_not(w.c, p);
        values v;
        first_values(v);
        do {
            int64_t a = number_at(w.c, x, v), b = number_at(w.c, y, v), c = number_at(w.c, p, v);
            assert_int_equal(number_at(w.c, chosen, v), c ? a : b);
            assert_int_equal(number_at(w.c, equal, v), a == b);
            assert_int_equal(number_at(w.c, less, v), a < b);
            assert_int_equal(number_at(w.c, no, v), !c);
        } while (next_values(v));
    }
    arena_free(w.arena);
}

/* What two conditions have to do with each other, and the values that terms can have where one
 * holds. */
static void relations(void **state)
{
    (void)state;
    struct world w = world_new(17);
    for (int n = 0; n < ROUNDS; n++) {
        diagram a = random_condition(&w, 2), b = random_condition(&w, 1);
        bool meet = false, implied = true;
        uint64_t first = 0, third = 0;
        values v;
        first_values(v);
        do {
            bool x = number_at(w.c, a, v), y = number_at(w.c, b, v);
            meet |= x && y;
            implied &= !x || y;
            first |= (uint64_t)x << v[0];
            third |= (uint64_t)x << v[2];
        } while (next_values(v));
        assert_int_equal(condition_meets(w.c, a, b), meet);
        assert_int_equal(condition_implies(w.c, a, b), implied);
        assert_int_equal(condition_values(w.c, a, w.terms[0]) & 3, first);
        assert_int_equal(condition_values(w.c, a, w.terms[2]) & 15, third);
    }
    arena_free(w.arena);
}

/* Counting stops beyond the limit, whatever was asked before. */
static void sizes(void **state)
{
    (void)state;
    struct world w = world_new(18);
    for (int n = 0; n < ROUNDS / 4; n++) {
        diagram d = random_value(&w, 2);
        int some = diagram_size(w.c, d, 3), all = diagram_size(w.c, d, 1000);
        assert_int_equal(some, all < 4 ? all : 4);
        assert_int_equal(diagram_size(w.c, d, 3), some);
        assert_int_equal(diagram_size(w.c, d, all), all);
    }
    arena_free(w.arena);
}

static void simplified(void **state)
{
    (void)state;
    struct world w = world_new(3);
    for (int n = 0; n < ROUNDS; n++) {
        diagram d = random_value(&w, 2), care = random_condition(&w, 2);
        if (care == DIAGRAM_NO)
            continue;
        diagram s = diagram_simplify(w.c, d, care);
        values v;
        first_values(v);
        do
            if (number_at(w.c, care, v))
                assert_int_equal(number_at(w.c, s, v), number_at(w.c, d, v));
        while (next_values(v));
    }
    arena_free(w.arena);
}

/* What all these together allow, whichever it is, has a node for each subset of them: what is
 * simplified there stays as it is. */
static void simplified_in_time(void **state)
{
    enum { PAIRS = 28 };
    (void)state;
    struct arena *a = arena_new();
    struct conditions *c = conditions_new(a, DIAGRAM_NODES);
    term_id terms[2 * PAIRS + 1], *first = terms + 1, *second = terms + 1 + PAIRS;
    for (uint64_t i = 0; i < COUNT(terms); i++)
        terms[i] = term_make(c, TERM_INITIAL, &i, 1, (struct domain){0, i ? 1 : PAIRS - 1}, 0);
    diagram care = DIAGRAM_NO, d = diagram_within(c, second[0], (struct domain){1, 1});
    for (int i = 0; i < PAIRS; i++) {
        diagram both = condition_and(c, diagram_within(c, first[i], (struct domain){1, 1}),
                                     diagram_within(c, second[i], (struct domain){1, 1}));
        care = condition_or(
            c, care, condition_and(c, diagram_within(c, terms[0], (struct domain){i, i}), both));
    }
    assert_int_equal(diagram_simplify(c, d, care), d);
    arena_free(a);
}

static void cofactors(void **state)
{
    (void)state;
    struct world w = world_new(4);
    for (int n = 0; n < ROUNDS; n++) {
        diagram d = random_condition(&w, 3);
        int i = (int)draw(&w, TERMS);
        int64_t value = domains[i].low + (int64_t)draw(&w, 2);
        diagram f = diagram_cofactor(w.c, d, w.terms[i], value);
        values v;
        first_values(v);
        do {
            values with;
            memcpy(with, v, sizeof with);
            with[i] = value;
            assert_int_equal(number_at(w.c, f, v), number_at(w.c, d, with));
        } while (next_values(v));
    }
    arena_free(w.arena);
}

/* Every leaf: where the diagram has it, and with something else in its place. */
static void leaves(void **state)
{
    (void)state;
    struct world w = world_new(11);
    for (int n = 0; n < ROUNDS; n++) {
        diagram d = random_value(&w, 2), by = random_value(&w, 1), all[64];
        diagram other = diagram_number(w.c, 77);
        int count = diagram_leaves(w.c, d, all, COUNT(all));
        diagram one = all[draw(&w, (uint64_t)count)];
        diagram where = diagram_where(w.c, d, one), bound = diagram_bind(w.c, d, one, by),
                replaced = diagram_replace(w.c, d, one, other);
        values v;
        first_values(v);
        do {
            bool is = leaf_at(w.c, d, v, 0) == one;
            assert_int_equal(number_at(w.c, where, v), is);
            assert_int_equal(number_at(w.c, bound, v), number_at(w.c, is ? by : d, v));
            assert_int_equal(number_at(w.c, replaced, v), number_at(w.c, is ? other : d, v));
        } while (next_values(v));
    }
    arena_free(w.arena);
}

/* Whether it holds for some values of the terms from `since` on, the others as they are. */
static bool holds_for_some(const struct world *w, diagram d, const values v, int since)
{
    values all;
    first_values(all);
    do {
        bool same = true;
        for (int i = 0; i < since; i++)
            same &= all[i] == v[i];
        if (same && number_at(w->c, d, all))
            return true;
    } while (next_values(all));
    return false;
}

static void later_terms(void **state)
{
    (void)state;
    struct world w = world_new(12);
    for (int n = 0; n < ROUNDS / 4; n++) {
        diagram d = random_condition(&w, 2);
        int since = (int)draw(&w, TERMS);
        diagram some = condition_exists(w.c, d, w.terms[since]);
        term_id first = diagram_term_since(w.c, d, w.terms[since]);
        assert_int_equal(diagram_term_since(w.c, some, w.terms[since]), TERM_NONE);
        values v;
        first_values(v);
        do
            assert_int_equal(number_at(w.c, some, v), holds_for_some(&w, d, v, since));
        while (next_values(v));
        if (first == TERM_NONE)
            continue;
        /* One of the values stands for each that the term can have. */
        int64_t some_values[16];
        int count = diagram_values(w.c, d, first, some_values, COUNT(some_values));
        struct domain domain = term_at(w.c, first)->domain;
        for (int64_t value = domain.low;; value++) {
            bool found = false;
            for (int i = 0; i < count; i++)
                found |= diagram_cofactor(w.c, d, first, value) ==
                         diagram_cofactor(w.c, d, first, some_values[i]);
            assert_true(found);
            if (value == domain.high)
                break;
        }
    }
    arena_free(w.arena);
}

/* The values of v that the cube allows. */
static bool is_in(const struct cube *cube, const struct conditions *c, const values v)
{
    for (int i = 0; i < cube->count; i++) {
        int64_t value = value_of_term(c, cube->literals[i].term, v, 0);
        if (value < cube->literals[i].range.low || value > cube->literals[i].range.high)
            return false;
    }
    return true;
}

static void cubes(void **state)
{
    (void)state;
    struct world w = world_new(5);
    for (int n = 0; n < ROUNDS; n++) {
        diagram d = random_condition(&w, 2), reached = random_condition(&w, 2);
        struct cube cube;
        bool found = diagram_cube(w.c, d, reached, &cube), any = false, inside = false;
        values v;
        first_values(v);
        do {
            bool fails = number_at(w.c, d, v), here = number_at(w.c, reached, v);
            any |= fails && here;
            inside |= found && here && is_in(&cube, w.c, v);
            if (found && here && is_in(&cube, w.c, v))
                assert_true(fails);
        } while (next_values(v));
        assert_int_equal(found, any);
        assert_int_equal(inside, found);
        assert_false(cube.is_cut);
    }
    arena_free(w.arena);
}

/* A question that does not matter is not in the cube. */
static void cube_is_short(void **state)
{
    (void)state;
    struct world w = world_new(6);
    diagram half = diagram_within(w.c, w.terms[0], (struct domain){1, 1});
    diagram other = diagram_within(w.c, w.terms[2], (struct domain){0, 1});
    struct cube cube;
    assert_true(diagram_cube(w.c, half, other, &cube));
    assert_int_equal(cube.count, 1);
    assert_int_equal(cube.literals[0].term, w.terms[0]);
    assert_int_equal(cube.literals[0].range.low, 1);
    arena_free(w.arena);
}

static diagram remainder_at(struct conditions *c, void *context, int64_t value)
{
    return diagram_number(c, value % *(int *)context);
}

/* Questions about the values of one small term go together. */
static void tables(void **state)
{
    (void)state;
    struct world w = world_new(7);
    int two = 2;
    diagram odd = diagram_table(w.c, w.terms[2], remainder_at, &two);
    diagram is_three = diagram_within(w.c, w.terms[2], (struct domain){3, 3});
    assert_int_equal(condition_and(w.c, is_three, condition_not(w.c, odd)), DIAGRAM_NO);
    uint64_t key = 99;
    term_id wide = term_make(w.c, TERM_INITIAL, &key, 1, (struct domain){INT64_MIN, INT64_MAX}, 0);
    assert_int_equal(diagram_table(w.c, wide, remainder_at, &two), DIAGRAM_NONE);
    arena_free(w.arena);
}

/* ---- bounds --------------------------------------------------------------------------------- */

enum { ANY = 1000 };

static diagram join_all(struct conditions *c, void *context, const diagram *leaves, int count)
{
    (void)context, (void)leaves, (void)count;
    return diagram_leaf(c, (struct leaf){LEAF_OTHER, ANY});
}

static diagram add_leaves(struct conditions *c, void *context, diagram x, diagram y)
{
    struct leaf a = leaf_of(c, x), b = leaf_of(c, y);
    (void)context;
    if (a.kind == LEAF_OTHER || b.kind == LEAF_OTHER)
        return diagram_leaf(c, (struct leaf){LEAF_OTHER, ANY});
    return diagram_number(c, a.value + b.value);
}

/* 2^k different sums of k flags: too many for one diagram, so something is dropped, counted, and
 * what is left still has every sum. With a sum of equal weights, nothing is dropped. */
static void sums(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    static const struct diagram_op add = {DIAGRAM_OPS, add_leaves, NULL};
    for (int even = 0; even < 2; even++) {
        struct conditions *c = conditions_new(a, DIAGRAM_NODES);
        uint64_t place = 5;
        struct bound bound = {.key = &place, .key_count = 1, .join = join_all};
        diagram sum = diagram_number(c, 0);
        for (uint64_t k = 0; k < 16; k++) {
            term_id flag = term_make(c, TERM_INITIAL, &k, 1, (struct domain){0, 1}, 0);
            diagram on = diagram_within(c, flag, (struct domain){1, 1});
            diagram weight =
                diagram_choose(c, on, diagram_number(c, even ? 1 : 1 << k), DIAGRAM_NO);
            sum = diagram_apply_within(c, &add, sum, weight, &bound);
        }
        assert_int_equal(bound.dropped > 0, !even);
        assert_true(diagram_size(c, sum, 10000) <= DIAGRAM_NODES);
    }
    arena_free(a);
}

/* Whether d can be `wanted` for these values, where a choice can be any of its own. */
static bool can_be(const struct conditions *c, diagram d, const bool *values, int64_t wanted)
{
    if (diagram_is_leaf(c, d))
        return leaf_of(c, d).kind == LEAF_OTHER || leaf_of(c, d).value == wanted;
    const struct term *t = term_at(c, diagram_top(c, d));
    const struct run *runs;
    int count = diagram_runs(c, d, &runs);
    if (t->kind == TERM_INITIAL)
        return can_be(c, runs[values[t->key[0]] ? count - 1 : 0].to, values, wanted);
    for (int i = 0; i < count; i++)
        if (can_be(c, runs[i].to, values, wanted))
            return true;
    return false;
}

enum { PAIRS = 12 };

/* Whether all pairs are equal, in the worst order: first all left sides, then all right ones. */
static diagram all_equal(struct conditions *c, struct bound *bound)
{
    diagram all = DIAGRAM_YES, side[2 * PAIRS];
    for (uint64_t i = 0; i < 2 * PAIRS; i++) {
        term_id t = term_make(c, TERM_INITIAL, &i, 1, (struct domain){0, 1}, 0);
        side[i] = diagram_within(c, t, (struct domain){1, 1});
    }
    for (int i = 0; i < PAIRS; i++) {
        diagram right = side[PAIRS + i];
        diagram equal = diagram_choose(c, side[i], right, condition_not(c, right));
        all = diagram_choose_within(c, equal, all, DIAGRAM_NO, bound);
        assert_true(diagram_size(c, all, 10000) <= DIAGRAM_NODES);
    }
    return all;
}

/* What is dropped becomes an unknown that can have every value the exact result has. */
static void dropped_is_sound(void **state)
{
    (void)state;
    struct world w = world_new(9);
    uint64_t place = 5;
    struct bound bound = {.key = &place, .key_count = 1, .join = join_all};
    diagram all = all_equal(w.c, &bound);
    assert_true(bound.dropped > 0);
    for (int n = 0; n < ROUNDS; n++) {
        bool values[2 * PAIRS], equal = true;
        uint64_t differ = draw(&w, 2) ? draw(&w, PAIRS) : PAIRS; /* one pair, or none */
        for (uint64_t i = 0; i < PAIRS; i++) {
            values[i] = draw(&w, 2);
            values[PAIRS + i] = values[i] != (i == differ);
            equal &= i != differ;
        }
        assert_true(can_be(w.c, all, values, equal));
    }
    arena_free(w.arena);
}

/* How many nodes may be made by an operation that is stopped: all that it was allowed, and those of
 * its operands. */
enum { MOST_MADE = OPERATION_NODES + 1000, MANY_PAIRS = 20 };

/* Terms that are equal, pair by pair, have exponentially many nodes in this order. */
static void stopped(void **state)
{
    (void)state;
    struct world w = world_new(21);
    diagram side[2 * MANY_PAIRS], all = DIAGRAM_YES, larger = DIAGRAM_YES;
    for (uint64_t i = 0; i < 2 * MANY_PAIRS; i++) {
        uint64_t key = TERMS + i;
        term_id t = term_make(w.c, TERM_INITIAL, &key, 1, (struct domain){0, 1}, 0);
        side[i] = diagram_within(w.c, t, (struct domain){1, 1});
    }
    bool is_done = true;
    for (int i = 0; i < MANY_PAIRS && is_done; i++) {
        diagram right = side[MANY_PAIRS + i];
        diagram equal = diagram_choose(w.c, side[i], right, condition_not(w.c, right));
        int before = node_total(w.c);
        larger = DIAGRAM_NONE;
        is_done = condition_and_within(w.c, all, equal, &larger);
        assert_true(node_total(w.c) - before <= MOST_MADE);
        assert_true(is_done ? condition_implies(w.c, larger, equal) : larger == DIAGRAM_NONE);
        all = is_done ? larger : all;
    }
    assert_false(is_done);
    arena_free(w.arena);
}

static void printed(void **state)
{
    (void)state;
    struct world w = world_new(8);
    diagram d = diagram_choose(w.c, diagram_within(w.c, w.terms[1], (struct domain){0, 1}),
                               diagram_number(w.c, 7), diagram_term(w.c, w.terms[0]));
    struct text out = {0};
    diagram_print(w.c, d, NULL, NULL, &out);
    assert_string_equal(out.data, "(initial1: ..-1 => initial0 | 0..1 => 7 | 2 => initial0)");
    text_free(&out);
    arena_free(w.arena);
}

/* Values beyond the domain make no difference: what holds for all others holds. */
static void within_domain(void **state)
{
    struct world w = world_new(7);
    (void)state;
    diagram one = diagram_within(w.c, w.terms[0], (struct domain){1, 1});
    diagram not_zero = condition_not(w.c, diagram_within(w.c, w.terms[0], (struct domain){0, 0}));
    assert_int_equal(one, not_zero);
    assert_int_equal(diagram_within(w.c, w.terms[1], (struct domain){-9, 2}), DIAGRAM_YES);
    assert_int_equal(diagram_within(w.c, w.terms[1], (struct domain){3, 9}), DIAGRAM_NO);
    arena_free(w.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_node),        cmocka_unit_test(operations),
        cmocka_unit_test(simplified),       cmocka_unit_test(simplified_in_time),
        cmocka_unit_test(cofactors),        cmocka_unit_test(leaves),
        cmocka_unit_test(later_terms),      cmocka_unit_test(cubes),
        cmocka_unit_test(cube_is_short),    cmocka_unit_test(tables),
        cmocka_unit_test(within_domain),    cmocka_unit_test(sums),
        cmocka_unit_test(dropped_is_sound), cmocka_unit_test(printed),
        cmocka_unit_test(relations),        cmocka_unit_test(sizes),
        cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
