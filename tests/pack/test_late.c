/* Functions and signatures that are read when they are first asked for are those that are read at
 * once, whatever is asked for first, and by however many threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "analyzer/pack/signature.h"

struct fixture {
    struct arena *arena;
    struct pack_set *at_once;
    text_list functions, signatures; /* names to ask for */
};

static struct pack_set *load(struct arena *a, bool is_late)
{
    static const char *const packs[] = {"cblas",      "ggml",         "libc",        "miscast",
                                        "python/ops", "python/numpy", "python/torch"};
    struct pack_set *s = packs_new(a, names_new(a));
    struct error e = {0};
    if (is_late)
        packs_read_late(s);
    for (int i = 0; i < COUNT(packs); i++)
        if (!packs_load(s, arena_printf(a, "%s/%s.yaml", packs_builtin_dir(), packs[i]), &e))
            fail_msg("%s:%d:%d: %s", e.file, e.line, e.column, e.message);
    return s;
}

static int set_up(void **state)
{
    static const char *const forms[] = {
        "torch.%s", "Tensor.%s",  "Tensor.%s_",   "Tensor.__%s__", "torch.nn.functional.%s",
        "numpy.%s", "ndarray.%s", "torch.cuda.%s"};
    struct arena *a = arena_new();
    struct fixture *f = arena_one(a, struct fixture);
    *f = (struct fixture){.arena = a, .at_once = load(a, false)};
    for (int i = 0; i < packs_function_count(f->at_once); i++) {
        const struct pack_function *fn = packs_function_at(f->at_once, i);
        LIST_ADD(a, &f->functions, fn->name);
        for (int k = 0; k < COUNT(forms); k++) {
            size_t length = strcspn(forms[k], "%");
            const char *name =
                arena_printf(a, "%.*s%s%s", (int)length, forms[k], fn->word, forms[k] + length + 2);
            LIST_ADD(a, &f->signatures, name);
        }
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((struct fixture *)*state)->arena);
    return 0;
}

static bool is_same_function(const struct pack_function *x, const struct pack_function *y)
{
    if (!x || !y)
        return x == y;
    bool is_same = !strcmp(x->name, y->name) && !strcmp(x->word, y->word) &&
                   !strcmp(x->shown, y->shown) && !strcmp(pack_of(x), pack_of(y)) &&
                   x->line == y->line && x->effects == y->effects && x->family == y->family &&
                   x->has_fixed_dtype == y->has_fixed_dtype && x->param_count == y->param_count;
    for (int i = 0; is_same && i < x->param_count; i++)
        is_same =
            !strcmp(x->params[i].name, y->params[i].name) && x->params[i].kind == y->params[i].kind;
    return is_same;
}

static bool is_same_signature(const struct signature *x, const struct signature *y)
{
    bool is_same = !strcmp(x->name, y->name) && is_same_function(x->fn, y->fn) &&
                   x->param_count == y->param_count && x->is_attribute == y->is_attribute &&
                   x->result == y->result;
    for (int i = 0; is_same && i < x->param_count; i++)
        is_same = !strcmp(x->params[i].name, y->params[i].name) &&
                  x->params[i].sorts == y->params[i].sorts &&
                  x->params[i].param == y->params[i].param;
    return is_same;
}

static bool are_same_signatures(const struct pack_set *x, const struct pack_set *y,
                                const char *name)
{
    int m, n;
    const struct signature *a = packs_signatures(x, name, &m), *b = packs_signatures(y, name, &n);
    bool is_same = m == n;
    for (int i = 0; i < m && is_same; i++)
        is_same = is_same_signature(&a[i], &b[i]);
    return is_same;
}

/* The number of names that differ, asked for in another order for each step. */
static int differences(const struct fixture *f, const struct pack_set *late, int step)
{
    int count = 0;
    for (int i = 0; i < f->signatures.count; i++) {
        const char *name = f->signatures.items[(int)((int64_t)i * step % f->signatures.count)];
        const char *function = f->functions.items[(int)((int64_t)i * step % f->functions.count)];
        count += !are_same_signatures(f->at_once, late, name);
        count += !is_same_function(packs_find(f->at_once, function), packs_find(late, function));
    }
    return count;
}

static void all_are_the_same_in_any_order(void **state)
{
    static const int steps[] = {1, 7919, 104729};
    const struct fixture *f = *state;
    assert_true(f->functions.count > 1000);
    for (int i = 0; i < COUNT(steps); i++) {
        struct arena *a = arena_new();
        assert_int_equal(differences(f, load(a, true), steps[i]), 0);
        arena_free(a);
    }
}

static void effects_come_in_order(void **state)
{
    const struct fixture *f = *state;
    struct arena *a = arena_new();
    struct pack_set *late = load(a, true);
    const struct pack_function *one;
    int i = 0, k = 0, count = 0;
    packs_find(late, "mc_op_zero_grad");
    while ((one = packs_next_effective(f->at_once, &i))) {
        assert_true(is_same_function(one, packs_next_effective(late, &k)));
        count++;
    }
    assert_null(packs_next_effective(late, &k));
    assert_true(count > 20);
    arena_free(a);
}

struct asking {
    const struct fixture *f;
    const struct pack_set *late;
    int step, differences;
};

static void *ask(void *data)
{
    struct asking *q = data;
    q->differences = differences(q->f, q->late, q->step);
    return NULL;
}

static void several_threads_may_ask(void **state)
{
    static const int steps[] = {1, 7919, 104729, 31};
    struct arena *a = arena_new();
    struct pack_set *late = load(a, true);
    struct asking all[COUNT(steps)];
    pthread_t threads[COUNT(steps)];
    for (int i = 0; i < COUNT(steps); i++) {
        all[i] = (struct asking){*state, late, steps[i], -1};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &all[i]), 0);
    }
    for (int i = 0; i < COUNT(steps); i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(all[i].differences, 0);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_the_same_in_any_order),
        cmocka_unit_test(effects_come_in_order),
        cmocka_unit_test(several_threads_may_ask),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
