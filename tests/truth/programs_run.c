/* A program executed by the runtime, statement by statement: dtype, shape, device, whether
 * gradients are required, and a sum over the elements must be what PyTorch had, or the error of the
 * same kind. */
#include "tests/truth/programs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct program *program;
    mc_tensor *t[STATEMENTS_MOST]; /* NULL: the statement made none */
    mc_grad_mode modes[STATEMENTS_MOST];
    mc_autocast regions[STATEMENTS_MOST];
};

/* ---- statements ------------------------------------------------------------------------------ */

/* The i-th element of a new tensor, as record_programs.py makes it. */
static double element(const struct statement *s, int i)
{
    bool floating = mc_dtype_is_floating(s->dtype);
    if (s->seed >= 5 && (floating || s->dtype == MC_BOOL))
        return (i * 3 % 4 + 1) * 0.25;
    if (s->dtype == MC_BOOL)
        return (i + s->seed) % 2;
    if (s->dtype == MC_U8 || s->dtype == MC_I32 || s->dtype == MC_I64)
        return (i * 2 + s->seed) % 3;
    return ((i * 7 + s->seed * 3) % 11 - 4) * (floating ? 0.25 : 1);
}

static mc_tensor *make(const struct statement *s)
{
    double elements[ELEMENTS_MOST];
    int count = 1;
    for (int i = 0; i < s->shape.ndim; i++)
        count *= (int)s->shape.dims[i];
    for (int i = 0; i < count; i++)
        elements[i] = element(s, i);
    mc_tensor *t = mc_from_array(elements, s->shape);
    t = mc_to(t, .dtype = s->dtype);
    t = mc_to(t, .device = s->device);
    return s->leaf ? mc_requires_grad_(t, true) : t;
}

static mc_tensor *call_entry(const struct statement *s, const mc_arg *operands)
{
    struct call call = {.a = operands[0].as.tensor, .arg = operands[1]};
    if (operands[1].kind == MC_ARG_TENSOR)
        call.b = operands[1].as.tensor;
    return s->entry->run(&call);
}

static mc_tensor *execute(struct run *r, int n)
{
    const struct statement *s = &r->program->statements[n];
    mc_arg operands[STATEMENT_OPERANDS] = {{0}};
    for (int i = 0; i < s->count; i++)
        operands[i] =
            s->given[i].tensor < 0 ? s->given[i].number : mc_arg_tensor(r->t[s->given[i].tensor]);
    switch (s->kind) {
    case STATEMENT_NEW:
        return make(s);
    case STATEMENT_DEED:
        if (s->deed->run)
            return s->deed->run(operands);
        s->deed->act(operands);
        return NULL;
    case STATEMENT_CALL:
        return call_entry(s, operands);
    case STATEMENT_NO_GRAD:
        r->modes[n] = mc_no_grad_begin();
        return NULL;
    case STATEMENT_ENABLE_GRAD:
        r->modes[n] = mc_enable_grad_begin();
        return NULL;
    case STATEMENT_AUTOCAST:
        r->regions[n] = mc_autocast_begin(s->device, s->dtype);
        return NULL;
    case STATEMENT_END:
        if (r->program->statements[s->opened].kind == STATEMENT_AUTOCAST)
            mc_autocast_end(r->regions[s->opened]);
        else
            mc_grad_mode_end(r->modes[s->opened]);
        return NULL;
    }
    return NULL;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static void describe(const mc_tensor *t, char *outcome)
{
    int length = snprintf(outcome, OUTCOME_SIZE, "%s:", mc_dtype_name(mc_dtype_of(t)));
    mc_shape shape = mc_shape_of(t);
    for (int i = 0; i < shape.ndim; i++)
        length += snprintf(outcome + length, OUTCOME_SIZE - (size_t)length, "%s%lld", i ? "x" : "",
                           (long long)shape.dims[i]);
    const char *grad = !mc_requires_grad(t) ? "" : mc_is_leaf(t) ? "+leaf" : "+grad";
    snprintf(outcome + length, OUTCOME_SIZE - (size_t)length, "%s%s", mc_is_cuda(t) ? "@cuda" : "",
             grad);
}

struct checksum {
    double sum, size; /* elements times their places, and without signs */
    bool nan, inf;
};

static bool add_up(mc_tensor *t, struct checksum *to)
{
    double elements[ELEMENTS_MOST];
    *to = (struct checksum){0};
    mc_tensor *copy = mc_to(mc_detach(t), .device = MC_CPU, .dtype = MC_F64);
    size_t count = copy ? (size_t)mc_numel(copy) : 0;
    if (!copy || count > ELEMENTS_MOST || !mc_copy_out(copy, elements, count * sizeof *elements))
        return false;
    for (size_t i = 0; i < count; i++) {
        to->nan |= isnan(elements[i]);
        to->inf |= isinf(elements[i]);
        to->sum += elements[i] * (double)(i + 1);
        to->size += fabs(elements[i]) * (double)(i + 1);
    }
    return true;
}

/* `~`: it is not known; `nan`, `inf`: there are some; `3.25`; `3.25~2`: with a tolerance of 10^-2.
 */
static bool same_value(const char *want, mc_tensor *t, char *got)
{
    struct checksum c;
    char *end;
    if (strcmp(want, "~") == 0)
        return true;
    if (!add_up(t, &c))
        return false;
    const char *word = c.nan ? "nan" : c.inf ? "inf" : NULL;
    size_t length = strlen(got);
    if (word)
        snprintf(got + length, OUTCOME_SIZE - length, " %s", word);
    else
        snprintf(got + length, OUTCOME_SIZE - length, " %.6g", c.sum);
    if (word || *want == 'n' || *want == 'i')
        return word && strcmp(word, want) == 0;
    double number = strtod(want, &end);
    double tolerance = *end == '~' ? pow(10, -atoi(end + 1)) : 1e-5;
    return fabs(number - c.sum) <= tolerance * c.size + 1e-30;
}

static bool same_outcome(mc_tensor *t, const struct statement *s, char *got)
{
    const mc_error *error = mc_last_error();
    if (error)
        snprintf(got, OUTCOME_SIZE, "error:%s", mc_error_kind_name(error->kind));
    else if (t)
        describe(t, got);
    else
        snprintf(got, OUTCOME_SIZE, "%s", s->kind == STATEMENT_DEED && s->deed->run ? "none" : "-");
    if (error || !t)
        return strcmp(got, s->outcome) == 0;
    struct recorded want;
    size_t length = strlen(got);
    return recorded_parse(s->outcome, &want) && strncmp(got, s->outcome, length) == 0 &&
           s->outcome[length] == ' ' && same_value(want.value, t, got);
}

static bool run_statements(struct run *r, char *got, int *at)
{
    for (int n = 0; n < r->program->count; n++) {
        r->t[n] = execute(r, n);
        *at = n;
        if (!same_outcome(r->t[n], &r->program->statements[n], got))
            return false;
        mc_clear_error();
    }
    return true;
}

/* Of autocast, what the program left open; ended ones are ended again, which does nothing. */
static void end_regions(struct run *r, int last)
{
    for (int n = last; n >= 0; n--)
        if (r->program->statements[n].kind == STATEMENT_AUTOCAST)
            mc_autocast_end(r->regions[n]);
    mc_clear_error();
}

/* A gradient that was changed in place by what hangs on its own leaf would keep both for ever. */
static void drop_gradients(struct run *r, int last)
{
    for (int n = last; n >= 0; n--)
        if (r->program->statements[n].kind == STATEMENT_NEW && r->t[n])
            mc_set_grad(r->t[n], NULL);
    mc_clear_error();
}

bool program_agrees(struct check *c, const struct program *p, int *at)
{
    struct run r = {.program = p};
    mc_scope scope = mc_scope_begin();
    mc_grad_mode mode = mc_enable_grad_begin();
    bool agrees = run_statements(&r, c->got, at);
    end_regions(&r, *at);
    drop_gradients(&r, *at);
    mc_grad_mode_end(mode);
    mc_scope_end(scope);
    return agrees;
}
