/* Rows that are random programs of views, in-place ops and grad modes, run by the runtime: what
 * PyTorch got for the gradients of the leaves, or the kind of error it raised, must come out.
 * record_grad.py says what the statements do. */
#include "tests/truth/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVES = 3, PLAIN = 2, MOST = 32 };

struct program {
    mc_tensor *t[MOST];
    int count;
    mc_grad_mode mode; /* what there was before the first statement */
};

static mc_tensor *leaf(int k, mc_shape shape)
{
    int64_t count = shape.ndim == 2 ? 6 : shape.ndim ? 3 : 1;
    mc_tensor *t = mc_arange(count, .dtype = MC_F64);
    t = mc_clone(mc_view_to(mc_add(mc_sub(mc_mul(t, 0.25), 0.6), 0.1 * k), shape));
    return mc_requires_grad_(t, k < LEAVES);
}

/* ---- statements -------------------------------------------------------------------------------
 */

static mc_tensor *first_chunk(mc_tensor *x)
{
    mc_tensor *parts[2] = {NULL, NULL};
    mc_chunk(x, 2, -1, parts, 2);
    return parts[0];
}

static mc_tensor *expanded(mc_tensor *x)
{
    mc_shape s = mc_shape_of(x);
    memmove(s.dims + 1, s.dims, (size_t)s.ndim * sizeof *s.dims);
    s.dims[0] = 2;
    s.ndim++;
    return mc_expand_to(x, s);
}

/* name, expression over x and y */
#define STATEMENTS(NEW, CHANGE)                                                                    \
    NEW(add, mc_add(x, y))                                                                         \
    NEW(sub, mc_sub(x, y))                                                                         \
    NEW(mul, mc_mul(x, y))                                                                         \
    NEW(maximum, mc_maximum(x, y))                                                                 \
    NEW(sin, mc_sin(x))                                                                            \
    NEW(exp, mc_exp(x))                                                                            \
    NEW(relu, mc_relu(x))                                                                          \
    NEW(double, mc_mul(x, 2.0))                                                                    \
    NEW(clone, mc_clone(x))                                                                        \
    NEW(select, mc_select(x, 0, 0))                                                                \
    NEW(last, mc_select(x, -1, -1))                                                                \
    NEW(narrow, mc_narrow(x, 0, 0, 1))                                                             \
    NEW(step, mc_slice_step(x, -1, 0, mc_size(x, -1), 2))                                          \
    NEW(transpose, mc_transpose(x, 0, -1))                                                         \
    NEW(flat, mc_reshape(x, -1))                                                                   \
    NEW(unsqueeze, mc_unsqueeze(x, 0))                                                             \
    NEW(expand, expanded(x))                                                                       \
    NEW(detach, mc_detach(x))                                                                      \
    NEW(chunk, first_chunk(x))                                                                     \
    NEW(sum, mc_sum(x, .dim = mc_dims(0)))                                                         \
    NEW(softmax, mc_softmax(x, -1))                                                                \
    CHANGE(add_, mc_add_(x, y))                                                                    \
    CHANGE(mul_, mc_mul_(x, y))                                                                    \
    CHANGE(copy_, mc_copy_(x, y))                                                                  \
    CHANGE(sin_, mc_sin_(x))                                                                       \
    CHANGE(exp_, mc_exp_(x))                                                                       \
    CHANGE(relu_, mc_relu_(x))                                                                     \
    CHANGE(halve_, mc_mul_(x, 0.5))                                                                \
    CHANGE(zero_, mc_zero_(x))                                                                     \
    CHANGE(detach_, mc_detach_(x))                                                                 \
    CHANGE(require_, mc_requires_grad_(x, true))                                                   \
    CHANGE(release_, mc_requires_grad_(x, false))                                                  \
    CHANGE(back, mc_backward(mc_sum(x)) ? x : NULL)                                                \
    CHANGE(back_keep, mc_backward(mc_sum(x), .retain_graph = true) ? x : NULL)

#define CALL(name, ...)                                                                            \
    static mc_tensor *run_##name(mc_tensor *x, mc_tensor *y)                                       \
    {                                                                                              \
        (void)y;                                                                                   \
        return __VA_ARGS__;                                                                        \
    }
STATEMENTS(CALL, CALL)

static const struct {
    const char *name;
    bool makes; /* the next tensor */
    mc_tensor *(*run)(mc_tensor *x, mc_tensor *y);
} statements[] = {
#define NEW(name, ...)    {#name, true, run_##name},
#define CHANGE(name, ...) {#name, false, run_##name},
    STATEMENTS(NEW, CHANGE)};

/* False: it is not understood. Whether it failed says mc_last_error. */
static bool run_statement(struct program *p, const char *text)
{
    char name[16] = "";
    int a = 0, b = 0;
    int words = sscanf(text, "%*[=]%15s t%d t%d", name, &a, &b);
    if (words < 1)
        words = sscanf(text, "%15s t%d t%d", name, &a, &b);
    if (strcmp(name, "off") == 0 || strcmp(name, "on") == 0) {
        (void)(name[1] == 'f' ? mc_no_grad_begin() : mc_enable_grad_begin());
        return true;
    }
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        bool makes = *text == '=';
        if (strcmp(statements[i].name, name) != 0 || statements[i].makes != makes)
            continue;
        if (words < 2 || a >= p->count || b >= p->count || p->count == MOST)
            return false;
        mc_tensor *t = statements[i].run(p->t[a], words == 3 ? p->t[b] : NULL);
        if (t && makes)
            p->t[p->count++] = t;
        return true;
    }
    return false;
}

static bool run_statements(struct program *p, const char *text)
{
    char statement[64];
    while (*text && !mc_last_error()) {
        size_t length = strcspn(text, ";");
        snprintf(statement, sizeof statement, "%.*s", (int)length, text);
        if (length >= sizeof statement || !run_statement(p, statement))
            return false;
        text += length + strspn(text + length, "; ");
    }
    return true;
}

/* ---- the end ----------------------------------------------------------------------------------
 */

static void go_back(const struct program *p)
{
    mc_tensor *sum = NULL;
    for (int i = 0; i < p->count; i++) {
        if (!mc_requires_grad(p->t[i]))
            continue;
        mc_tensor *part = mc_sum(mc_mul(p->t[i], (double)(i + 1)));
        sum = sum ? mc_add(sum, part) : part;
    }
    if (!mc_last_error())
        mc_backward(sum);
}

/* "1 2|-|3": the gradients of the leaves, or - for none. */
static bool same_gradients(const struct program *p, const char *want, char *got)
{
    for (int k = 0; k < LEAVES; k++) {
        mc_tensor *g = mc_grad(p->t[k]);
        bool none = *want == '-' && (want[1] == '|' || !want[1]);
        if (none != !g) {
            snprintf(got, OUTCOME_SIZE, "%s gradient of t%d", g ? "a" : "no", k);
            return false;
        }
        const double *have = g ? mc_data_f64(mc_contiguous(g)) : NULL;
        want += none;
        for (int64_t i = 0; have && i < mc_numel(g); i++) {
            char *end;
            double number = strtod(want, &end);
            if (end == want || !(fabs(have[i] - number) <= 1e-10 * fmax(1, fabs(number)) ||
                                 (isnan(have[i]) && isnan(number)))) {
                snprintf(got, OUTCOME_SIZE, "%.17g in element %d of t%d", have[i], (int)i, k);
                return false;
            }
            want = end + strspn(end, " ");
        }
        want += *want == '|';
    }
    return *want == '\0';
}

bool grad_program_agrees(struct check *c)
{
    struct program p = {.count = 0};
    mc_scope scope = mc_scope_begin();
    mc_grad_mode mode = mc_enable_grad_begin();
    const mc_shape shapes[LEAVES + PLAIN] = {mc_shape(2, 3), mc_shape(3), mc_shape(),
                                             mc_shape(2, 3), mc_shape(3)};
    for (; p.count < LEAVES + PLAIN; p.count++)
        p.t[p.count] = leaf(p.count, shapes[p.count]);
    snprintf(c->got, sizeof c->got, "a statement that is not understood");
    bool understood = run_statements(&p, c->row.args);
    mc_grad_mode_end(mode);
    if (understood && !mc_last_error())
        go_back(&p);
    bool agrees = understood;
    if (understood && mc_last_error()) {
        snprintf(c->got, sizeof c->got, "error:%s", mc_error_kind_name(mc_last_error()->kind));
        agrees = strcmp(c->got, c->row.outcome) == 0;
    } else if (understood) {
        agrees = same_gradients(&p, c->row.outcome, c->got);
    }
    mc_scope_end(scope);
    return agrees;
}
