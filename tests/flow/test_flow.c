/* What is known of every call that yields a tensor or raw memory, beside what it can be: its shape,
 * what it shares memory with, and what becomes of it. Every file in fixtures/ comes out as the text
 * beside it; MISCAST_BLESS=1 rewrites these.
 *
 *   function
 *     line:column name: fact; what it shares; use     of a call
 *     line:column name, changed by …, via …           of a variable that is read after such a call
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/source/source.h"
#include "frontends/clang/clang.h"

struct fixture {
    struct clang *clang;
    struct arena *arena;
    struct pack_set *packs;
};

/* ---- as text -------------------------------------------------------------------------------- */

static const char *const alias_words[] = {[ALIAS_FRESH] = "a copy",
                                          [ALIAS_SAME] = "the same",
                                          [ALIAS_VIEW] = "a view",
                                          [ALIAS_MAYBE_SAME] = "perhaps the same",
                                          [ALIAS_MAYBE_VIEW] = "perhaps a view"};
static const char *const use_words[] = {[USE_NONE] = "not used",
                                        [USE_KEPT] = "kept, not used",
                                        [USE_WRITTEN] = "only written",
                                        [USE_READ] = "used"};

/* "zeros 4:20"; what comes from outside has no place of its own. */
static void add_step(const struct step *s, struct text *out)
{
    if (s->place)
        path_write(language_of(s->function), s->place, out);
    else
        text_add(out, s->what);
    if (s->inst)
        text_printf(out, " %d:%d", s->span.line, s->span.column);
}

/* " = 0..1, whole": which bounds are met, and whether some may be no number. */
static void add_range(const struct value_range *r, struct text *out)
{
    size_t length = out->length;
    text_add(out, " = ");
    range_print(r, out);
    if (out->length == length + strlen(" = ")) {
        out->length = length;
        return;
    }
    bool met = r->meets_low || r->meets_high;
    text_printf(out, "%s%s%s", r->is_whole ? " whole" : "", r->may_be_nan ? " nan" : "",
                met && r->meets_low && r->meets_high ? " met"
                : r->meets_low                       ? " low met"
                : met                                ? " high met"
                                                     : "");
}

static void add_aliases(const struct flow_value *v, struct text *out)
{
    for (int i = 0; i < v->alias_count; i++) {
        const char *before = "; ";
        for (int k = 0; k <= ALIAS_MAYBE_VIEW; k++)
            if (v->aliases[i].kinds >> k & 1) {
                text_printf(out, "%s%s", before, alias_words[k]);
                before = " or ";
            }
        text_add(out, " of ");
        add_step(v->aliases[i].of, out);
    }
}

/* All that it may share memory with, beyond what the call itself says. */
static void add_shared(const struct flow *f, const struct ir_function *fn,
                       const struct flow_value *v, struct text *out)
{
    for (int n = 1; v->made_count && n < v->inst; n++) {
        const struct flow_value *o = flow_value_of(f, fn, n);
        bool made_here = o && fn->insts.items[n].op == IR_CALL && o->made_count &&
                         o->made[0]->function == fn && o->made[0]->inst == n;
        enum tri shares = made_here ? flow_shares(f, v->made[0], o->made[0]) : TRI_NO;
        if (shares == TRI_NO || v->made[0]->inst == n)
            continue;
        text_add(out, shares == TRI_YES ? "; shares with " : "; may share with ");
        add_step(o->made[0], out);
    }
}

static void add_history(const struct flow_value *v, struct text *out)
{
    if (v->changed) {
        text_add(out, "; changed by ");
        add_step(v->changed, out);
    }
    if (v->via) {
        text_add(out, "; via ");
        add_step(v->via, out);
    }
}

static void add_place(const struct ir_inst *i, const char *name, struct text *out)
{
    text_printf(out, "  %d:%d %s", i->span.line, i->span.column, name);
}

static void add_call(const struct fixture *x, const struct flow *f, const struct ir_function *fn,
                     const struct flow_value *v, struct text *out)
{
    const struct ir_inst *i = &fn->insts.items[v->inst];
    const struct pack_function *p = i->name ? packs_find(x->packs, i->name) : NULL;
    add_place(i, p ? p->shown : i->name ? i->name : "?", out);
    text_add(out, ": ");
    fact_print(&v->fact, "NULL", out);
    if (v->fact.shape && !v->fact.buffer) {
        text_add(out, " ");
        shape_print(v->fact.shape, out);
    }
    add_range(&v->fact.range, out);
    add_aliases(v, out);
    add_shared(f, fn, v, out);
    add_history(v, out);
    text_printf(out, "; %s\n", use_words[flow_use_of(f, fn, v->inst)]);
}

static void add_load(const struct ir_function *fn, const struct flow_value *v, struct text *out)
{
    const struct ir_inst *i = &fn->insts.items[v->inst], *at = &fn->insts.items[i->args[0]];
    if (!v->changed && !v->via)
        return;
    add_place(i, at->op == IR_LOCAL ? fn->locals.items[at->integer].name : "?", out);
    add_history(v, out);
    text_add(out, "\n");
}

static void add_function(const struct fixture *x, const struct flow *f,
                         const struct ir_function *fn, struct text *out)
{
    text_printf(out, "%s\n", fn->name);
    for (int n = 1; n < fn->insts.count; n++) {
        const struct flow_value *v = flow_value_of(f, fn, n);
        if (v && fn->insts.items[n].op == IR_CALL)
            add_call(x, f, fn, v, out);
        else if (v && fn->insts.items[n].op == IR_LOAD)
            add_load(fn, v, out);
    }
}

static bool is_own(const struct ir_unit *u, const struct ir_function *fn)
{
    return fn->has_body && fn->span.line && !strcmp(fn->span.file, u->file);
}

static struct ir_unit *lower(const struct fixture *x, const char *file)
{
    static const char *const flags[] = {"-std=gnu17", "-I" RUNTIME_INCLUDE};
    struct error e = {0};
    struct ir_unit *u = clang_lower(x->clang, file, flags, 2, NULL, &e);
    if (!u || u->errors)
        fail_msg("%s: %s", file, u ? u->first_error : e.message);
    return u;
}

static char *dumped(const struct fixture *x, const char *file, int threads)
{
    const struct flow_options options = {.threads = threads};
    struct error e = {0};
    struct text out = {0};
    struct ir_unit *u = lower(x, file);
    struct flow *f = flow_run(&u, 1, x->packs, &options, &e);
    assert_non_null(f);
    for (int k = 0; k < u->functions.count; k++)
        if (is_own(u, u->functions.items[k]))
            add_function(x, f, u->functions.items[k], &out);
    flow_free(f);
    ir_unit_free(u);
    return out.data;
}

/* ---- fixtures ------------------------------------------------------------------------------- */

static void check_fixture(const struct fixture *x, const char *file)
{
    struct arena *a = arena_new();
    struct error e = {0};
    char *text = dumped(x, file, 1), *by_several = dumped(x, file, 4);
    char *golden = arena_printf(a, "%.*s.facts", (int)strlen(file) - 2, file);
    if (getenv("MISCAST_BLESS")) {
        FILE *out = fopen(golden, "w");
        assert_non_null(out);
        fputs(text, out);
        fclose(out);
    }
    const char *wanted = file_read(a, golden, NULL, &e);
    if (!wanted)
        fail_msg("%s: %s", golden, e.message);
    if (strcmp(text, wanted) != 0)
        print_error("%s differs\n", golden);
    assert_string_equal(text, wanted);
    assert_string_equal(by_several, wanted);
    free(by_several);
    free(text);
    arena_free(a);
}

static int is_source(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 2 && strcmp(entry->d_name + n - 2, ".c") == 0;
}

static void test_fixtures(void **state)
{
    struct dirent **entries;
    assert_int_equal(chdir(FIXTURES), 0);
    int n = scandir(".", &entries, is_source, alphasort);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        check_fixture(*state, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

/* With some budgets the run on all paths is cut before it enters late(), and only the second run,
 * on a few paths, gets there: what fails in it is reported all the same. */
static void test_small_budgets(void **state)
{
    const struct fixture *x = *state;
    struct error e = {0};
    struct ir_unit *u = lower(x, FIXTURES "/budget.c");
    bool any_cut = false;
    for (int64_t visits = 6000; visits <= 20000; visits += 1000) {
        struct flow_options options = {.max_visits = visits, .apart = true};
        struct flow *f = flow_run(&u, 1, x->packs, &options, &e);
        assert_non_null(f);
        assert_int_equal(flow_failure_count(f), 1);
        assert_string_equal(flow_failure_at(f, 0)->function->name, "late");
        any_cut |= flow_counts(f)->budgets > 0;
        flow_free(f);
    }
    assert_true(any_cut);
    ir_unit_free(u);
}

/* Limits beyond which the analysis knows less than it could are counted, one per place. */
static void test_limits(void **state)
{
    static const struct {
        const char *file;
        enum flow_limit limit;
        bool drops; /* failures that are not certain */
    } all[] = {{"states.c", FLOW_LIMIT_STATES, true},
               {"recursion.c", FLOW_LIMIT_RECURSION, false},
               {"tape.c", FLOW_LIMIT_TAPE, false},
               {"arguments.c", FLOW_LIMIT_ARGUMENTS, false},
               {"aliases.c", FLOW_LIMIT_ALIASES, false}};
    const struct fixture *x = *state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct error e = {0};
        struct ir_unit *u = lower(x, arena_printf(x->arena, LIMITS "/%s", all[i].file));
        const struct flow_options options = {.apart = all[i].limit == FLOW_LIMIT_STATES};
        struct flow *f = flow_run(&u, 1, x->packs, &options, &e);
        assert_non_null(f);
        for (int k = 0; k < FLOW_LIMIT_COUNT; k++)
            if ((flow_counts(f)->limits[k] > 0) != (k == (int)all[i].limit))
                fail_msg("%s: limit %d counted %d times", all[i].file, k,
                         flow_counts(f)->limits[k]);
        assert_int_equal(flow_counts(f)->dropped > 0, all[i].drops);
        flow_free(f);
        ir_unit_free(u);
    }
}

/* ---- merged states --------------------------------------------------------------------------- */

static const struct flow_failure *failure_on(const struct flow *f, int line)
{
    for (int i = 0; i < flow_failure_count(f); i++) {
        const struct flow_failure *r = flow_failure_at(f, i);
        if (r->function->insts.items[r->inst].span.line == line)
            return r;
    }
    fail_msg("nothing fails on line %d", line);
    return NULL;
}

/* The last condition is that the branch on this line is taken. */
static void assert_when(const struct flow_failure *r, int line)
{
    const struct condition *of_operand = r->operands[0].how->when;
    assert_non_null(of_operand);
    assert_int_equal(of_operand->span.line, line);
    assert_true(of_operand->truth);
}

static dtype_set dtypes_in(const struct flow *f, const struct ir_unit *u, const char *name)
{
    for (int k = 0; k < u->functions.count; k++) {
        const struct ir_function *fn = u->functions.items[k];
        for (int n = 1; n < fn->insts.count && !strcmp(fn->name, name); n++) {
            const struct flow_value *v = flow_value_of(f, fn, n);
            if (v && fn->insts.items[n].op == IR_CALL)
                return v->fact.dtypes;
        }
    }
    return 0;
}

/* Where paths meet their states are merged: each case keeps its conditions and its facts. */
static void test_merged(void **state)
{
    const struct fixture *x = *state;
    struct error e = {0};
    struct flow_options options = {0};
    struct ir_unit *u = lower(x, MERGED "/options.c");
    struct flow *f = flow_run(&u, 1, x->packs, &options, &e);
    assert_non_null(f);
    assert_when(failure_on(f, 38), 34);
    assert_when(failure_on(f, 39), 30);
    assert_int_equal(dtypes_in(f, u, "cached_before"), DTYPES_ALL);
    flow_free(f);
    ir_unit_free(u);
}

/* What each iteration computes from what it had before is soon any number, or any text: as many
 * ways as iterations would be too many, and take long. */
static void test_computed(void **state)
{
    const struct fixture *x = *state;
    struct error e = {0};
    struct flow_options options = {.max_visits = 2500};
    struct ir_unit *u = lower(x, MERGED "/computed.c");
    struct flow *f = flow_run(&u, 1, x->packs, &options, &e);
    assert_non_null(f);
    assert_null(flow_counts(f)->cut.file);
    assert_int_equal(flow_counts(f)->limits[FLOW_LIMIT_STATES], 0);
    flow_free(f);
    ir_unit_free(u);
}

/* A comparison of many unknown numbers with as many is one unknown, which is counted; what fails
 * behind it is found. */
static void test_compared(void **state)
{
    const struct fixture *x = *state;
    struct error e = {0};
    struct flow_options options = {0};
    struct ir_unit *u = lower(x, MERGED "/compared.c");
    struct flow *f = flow_run(&u, 1, x->packs, &options, &e);
    assert_non_null(f);
    assert_true(flow_counts(f)->limits[FLOW_LIMIT_STATES] > 0);
    failure_on(f, 29);
    flow_free(f);
    ir_unit_free(u);
}

static int set_up(void **state)
{
    static const char *const packs[] = {"miscast", "libc", "cblas", "cuda"};
    struct error e = {0};
    struct arena *a = arena_new();
    struct fixture *x = arena_one(a, struct fixture);
    *x = (struct fixture){clang_open(&e), a, packs_new(a, names_new(a))};
    bool ok = x->clang != NULL;
    for (int i = 0; i < 4 && ok; i++)
        ok = packs_load(x->packs, arena_printf(a, "%s/%s.yaml", packs_builtin_dir(), packs[i]), &e);
    if (!ok)
        fail_msg("%s", e.message);
    *state = x;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *x = *state;
    clang_close(x->clang);
    arena_free(x->arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures), cmocka_unit_test(test_small_budgets),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_merged),
        cmocka_unit_test(test_computed), cmocka_unit_test(test_compared)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
