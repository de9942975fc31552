/* Examples in a pack: calls, and what comes out of them. `miscast pack test` holds the pack against
 * them:
 *
 *     examples:
 *     - {call: "add(f32, q4_0)", error: dtype}
 *     - {call: "mul_mat(q4_0, f32)", result: f32} */
#include "analyzer/pack/token.h"

#include <string.h>

static const char *const example_keys[] = {"call", "result", "error"};

struct example {
    struct arena *arena;
    const struct pack_set *set;
    const struct pack *pack;
    struct error *error;
};

static bool wrong(const struct parser *p, const char *what)
{
    return error_at(p->error, p->scope->file, p->node->line, column_at(p->node, token_offset(p)),
                    "expected %s%s%s%s", what, p->word[0] ? " before '" : " at the end", p->word,
                    p->word[0] ? "'" : "");
}

/* ---- the call ------------------------------------------------------------------------------- */

static const struct pack_function *find(const struct example *x, const char *word)
{
    for (int i = 0; i < x->set->functions.count; i++)
        if (x->set->functions.items[i]->pack == x->pack &&
            strcmp(x->set->functions.items[i]->word, word) == 0)
            return x->set->functions.items[i];
    return NULL;
}

static bool read_number(struct parser *p, const struct pack_param *param, struct operand *o)
{
    double sign = token_take(p, "-") ? -1 : 1;
    bool is_truth = token_is(p, "yes") || token_is(p, "no");
    if (!p->is_number && !is_truth)
        return wrong(p, "a number");
    *o = (struct operand){.kind = param->kind == OPERAND_TENSOR ? OPERAND_FLOAT : param->kind,
                          .known = true,
                          .number = is_truth ? token_is(p, "yes") : sign * p->number};
    token_next(p);
    return true;
}

/* A dtype stands for a tensor, memory or itself, by what the parameter takes. */
static bool read_operand(const struct example *x, struct parser *p, const struct pack_param *param,
                         struct operand *o)
{
    if (token_take(p, "null")) {
        *o = (struct operand){.kind = OPERAND_ABSENT};
        return true;
    }
    enum dtype d = p->is_name ? dtype_of_pack(x->pack, p->word) : DTYPE_NONE;
    bool takes = param->kind == OPERAND_TENSOR || param->kind == OPERAND_DTYPE ||
                 param->kind == OPERAND_BUFFER;
    enum device device;
    uint16_t gpus;
    if (takes && d != DTYPE_NONE)
        *o = (struct operand){.kind = param->kind, .dtype = d};
    else if (param->kind == OPERAND_DEVICE && device_parse(p->word, &device, &gpus))
        *o = (struct operand){.kind = OPERAND_DEVICE, .device = device, .gpus = gpus};
    else if (takes ? param->also_number : param->kind != OPERAND_DEVICE)
        return read_number(p, param, o);
    else
        return wrong(p, param->kind == OPERAND_DEVICE ? "a device" : "a dtype");
    token_next(p);
    return true;
}

static bool read_call(const struct example *x, const struct node *n, const struct pack_function **f,
                      struct operand *operands)
{
    struct scope scope = {.arena = x->arena, .file = x->pack->file, .pack = x->pack};
    struct parser p = {
        .scope = &scope, .node = n, .at = n->text, .token = n->text, .error = x->error};
    token_next(&p);
    *f = p.is_name ? find(x, p.word) : NULL;
    if (!*f)
        return wrong(&p, "a function of the pack");
    token_next(&p);
    if (!token_take(&p, "("))
        return wrong(&p, "'('");
    for (int i = 0; !token_is(&p, ")"); i++) {
        if (i == (*f)->param_count)
            return wrong(&p, "')', since no more parameters matter,");
        if (!read_operand(x, &p, &(*f)->params[i], &operands[i]))
            return false;
        if (!token_take(&p, ",") && !token_is(&p, ")"))
            return wrong(&p, "',' or ')'");
    }
    token_next(&p);
    return !p.word[0] || wrong(&p, "the end of the call");
}

/* ---- what comes out ------------------------------------------------------------------------- */

static const char *set_text(struct arena *a, dtype_set dtypes)
{
    struct text out = {0};
    for (int d = DTYPE_BOOL; d < dtype_end(); d++)
        if (dtypes >> d & 1)
            text_printf(&out, "%s%s", out.length ? " | " : "", dtype_word((enum dtype)d));
    const char *kept = arena_printf(a, "%s", out.length ? out.data : "nothing");
    text_free(&out);
    return kept;
}

static const char *got(const struct example *x, const struct pack_function *f,
                       const struct operand *operands)
{
    struct outcome out;
    pack_call(f, operands, &out);
    const struct operand *r = &out.results[0];
    if (out.error != ERROR_NONE)
        return arena_printf(x->arena, "error: %s", error_kind_name(out.error));
    if (!out.result_count)
        return "result: nothing";
    if (operand_is_number(r))
        return r->known ? arena_printf(x->arena, "result: %g", r->number) : "result: a number";
    dtype_set dtypes = r->dtypes ? r->dtypes : r->dtype ? DTYPE_BIT(r->dtype) : 0;
    return dtypes_are_any(dtypes)
               ? "result: all"
               : arena_printf(x->arena, "result: %s", set_text(x->arena, dtypes));
}

/* As `got` writes it. */
static bool expected(const struct example *x, const struct node *map, const char **out)
{
    const struct node *error = node_get(map, "error"), *result = node_get(map, "result");
    if (!error == !result)
        return error_at(x->error, x->pack->file, map->line, map->column,
                        "expected either 'result' or 'error'");
    if (error && (!expect_kind(x->pack->file, error, NODE_TEXT, "a kind of error", x->error) ||
                  error_kind_named(error->text) == ERROR_NONE))
        return x->error->message[0] || error_at(x->error, x->pack->file, error->line, error->column,
                                                "unknown kind of error '%s'", error->text);
    if (error) {
        *out = arena_printf(x->arena, "error: %s", error->text);
        return true;
    }
    struct scope scope = {.arena = x->arena,
                          .file = x->pack->file,
                          .sets = x->pack->sets.items,
                          .set_count = x->pack->sets.count,
                          .pack = x->pack};
    struct evaluation nothing = {0};
    bool is_number = result->kind == NODE_TEXT && strchr("-.0123456789", result->text[0]);
    struct expr *is =
        expr_compile(&scope, result, is_number ? ANSWER_NUMBER : ANSWER_DTYPE, x->error);
    if (!is)
        return false;
    struct answer answer = evaluate(&nothing, is);
    *out = is_number ? arena_printf(x->arena, "result: %g", answer.number)
           : dtypes_are_any(answer.mask)
               ? "result: all"
               : arena_printf(x->arena, "result: %s", set_text(x->arena, answer.mask));
    return true;
}

static bool run(const struct example *x, const struct node *map, struct pack_example *out)
{
    const struct pack_function *f = NULL;
    struct operand operands[PACK_MAX_PARAMS] = {{0}};
    if (!expect_kind(x->pack->file, map, NODE_MAP, "a call and what comes out", x->error) ||
        !expect_keys(x->pack->file, map, example_keys, COUNT(example_keys), "an example", x->error))
        return false;
    const struct node *call = node_get(map, "call");
    if (!call)
        return error_at(x->error, x->pack->file, map->line, map->column, "expected 'call'");
    if (!expect_kind(x->pack->file, call, NODE_TEXT, "a call", x->error) ||
        !read_call(x, call, &f, operands))
        return false;
    *out = (struct pack_example){.file = x->pack->file,
                                 .line = call->line,
                                 .column = call->column,
                                 .call = call->text,
                                 .got = got(x, f, operands)};
    return expected(x, map, &out->expected);
}

bool packs_examples(const struct pack_set *s, struct arena *a, pack_example_list *out,
                    struct error *e)
{
    for (int i = 0; i < s->packs.count; i++) {
        const struct pack *p = s->packs.items[i];
        struct example x = {a, s, p, e};
        if (p->examples && !expect_kind(p->file, p->examples, NODE_LIST, "a list of examples", e))
            return false;
        for (int k = 0; p->examples && k < p->examples->count; k++) {
            struct pack_example one;
            if (!run(&x, p->examples->items[k], &one))
                return false;
            LIST_ADD(a, out, one);
        }
    }
    return true;
}
