/* Expressions of the rule language: text in, a checked tree out. They read like Python's:
 *
 *     promote(a, b) if given(b) else a.dtype
 *     x.dtype in floating | i64 and not x.zero_dim
 *
 * Every name is resolved and every sort is checked here, so that evaluation cannot fail. */
#include "analyzer/pack/token.h"

#include <string.h>

enum { DEEPEST = 40, MAX_ARGS = 8, MAX_WORDS = 200 };

static const char *const sort_names[] = {
    [ANSWER_DTYPE] = "a dtype",
    [ANSWER_DEVICE] = "a device",
    [ANSWER_TRUTH] = "a truth",
    [ANSWER_NUMBER] = "a number",
    [ANSWER_RANK] = "a number of dimensions",
    [ANSWER_OPERAND] = "a parameter",
};

/* ---- errors --------------------------------------------------------------------------------- */

#define FAIL(p, offset, ...)                                                                       \
    (error_at((p)->error, (p)->scope->file, (p)->node->line, column_at((p)->node, (int)(offset)),  \
              __VA_ARGS__),                                                                        \
     NULL)

static struct expr *fail_expected(struct parser *p, const char *what)
{
    return FAIL(p, token_offset(p), "expected %s%s%s%s", what,
                p->word[0] ? " before '" : " at the end", p->word, p->word[0] ? "'" : "");
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static struct expr *make(struct parser *p, enum expr_op op, enum answer_sort sort, int count,
                         struct expr *const *args)
{
    struct expr *x = arena_one(p->scope->arena, struct expr);
    x->op = op;
    x->sort = sort;
    x->arg_count = count;
    if (count)
        x->args = arena_copy(p->scope->arena, args, (size_t)count * sizeof *args);
    return x;
}

static struct expr *constant(struct parser *p, enum answer_sort sort, uint64_t mask)
{
    struct expr *x = make(p, EXPR_SET, sort, 0, NULL);
    x->mask = mask;
    return x;
}

static struct expr *parse_expression(struct parser *p);

/* NULL after an error, or if x is NULL already. */
static struct expr *want(struct parser *p, struct expr *x, enum answer_sort sort, int offset)
{
    if (!x || x->sort == sort)
        return x;
    if (x->sort == ANSWER_NUMBER && sort == ANSWER_RANK)
        return make(p, EXPR_RANK, ANSWER_RANK, 1, &x);
    if (x->sort == ANSWER_OPERAND) {
        const char *name = p->scope->params[x->index].name;
        return FAIL(p, offset,
                    "expected %s; of '%s' there are %s.dtype, %s.device, %s.ndim, %s.zero_dim, "
                    "%s.bytes",
                    sort_names[sort], name, name, name, name, name, name);
    }
    return FAIL(p, offset, "expected %s, this is %s", sort_names[sort], sort_names[x->sort]);
}

/* ---- names ---------------------------------------------------------------------------------- */

static enum answer_sort param_sort(const struct pack_param *param)
{
    switch (param->kind) {
    case OPERAND_DTYPE:
        return ANSWER_DTYPE;
    case OPERAND_DEVICE:
        return ANSWER_DEVICE;
    case OPERAND_BOOL:
        return ANSWER_TRUTH;
    case OPERAND_INT:
    case OPERAND_FLOAT:
        return ANSWER_NUMBER;
    case OPERAND_ABSENT:
    case OPERAND_TENSOR:
    case OPERAND_BUFFER:
        break;
    }
    return ANSWER_OPERAND;
}

static int find_param(const struct scope *s, const char *name)
{
    for (int i = 0; i < s->param_count; i++)
        if (same_word(s->params[i].name, name))
            return i;
    return -1;
}

static struct expr *parse_attribute(struct parser *p, int param)
{
    static const struct {
        const char *name;
        enum expr_op op;
        enum answer_sort sort;
    } attributes[] = {
        {"dtype", EXPR_DTYPE, ANSWER_DTYPE},  {"device", EXPR_DEVICE, ANSWER_DEVICE},
        {"ndim", EXPR_NDIM, ANSWER_RANK},     {"zero_dim", EXPR_ZERO_DIM, ANSWER_TRUTH},
        {"bytes", EXPR_BYTES, ANSWER_NUMBER}, {"unit", EXPR_UNIT, ANSWER_DTYPE}};
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (token_take(p, attributes[i].name)) {
            struct expr *x = make(p, attributes[i].op, attributes[i].sort, 0, NULL);
            x->index = param;
            return x;
        }
    }
    return fail_expected(p, "dtype, device, ndim, zero_dim, bytes or unit");
}

static struct expr *parse_param(struct parser *p, int param)
{
    token_next(p);
    if (token_take(p, "."))
        return parse_attribute(p, param);
    struct expr *x = make(p, EXPR_PARAM, param_sort(&p->scope->params[param]), 0, NULL);
    x->index = param;
    return x;
}

/* Lets are compiled where they are first used, in whatever sort they have. */
static struct expr *compile_any(struct scope *s, const struct node *node, struct error *e);

bool let_compile(struct scope *s, struct let *let, struct error *e)
{
    if (!let->expr) {
        let->compiling = true;
        let->expr = compile_any(s, let->node, e);
        let->compiling = false;
    }
    return let->expr != NULL;
}

static struct expr *parse_let(struct parser *p, int index)
{
    struct let *let = &p->scope->lets[index];
    if (let->compiling)
        return FAIL(p, token_offset(p), "'%s' is defined by itself", let->name);
    if (!let_compile(p->scope, let, p->error))
        return NULL;
    token_next(p);
    struct expr *x = make(p, EXPR_LET, let->expr->sort, 1, &let->expr);
    x->index = index;
    return x;
}

static const struct {
    const char *name;
    enum answer_sort sort;
    uint64_t mask;
} constants[] = {
    {"all", ANSWER_DTYPE, DTYPES_KNOWN}, /* and the pack's own, */
    {"quantised", ANSWER_DTYPE, 0},      /* of which these are some */
    {"nothing", ANSWER_DTYPE, 0},         {"anywhere", ANSWER_DEVICE, ALL_PLACES},
    {"cuda", ANSWER_DEVICE, PLACES_CUDA}, {"yes", ANSWER_TRUTH, SAY_YES},
    {"no", ANSWER_TRUTH, SAY_NO},         {"maybe", ANSWER_TRUTH, SAY_MAYBE},
    {"any_ndim", ANSWER_RANK, ALL_RANKS}, {"some_ndim", ANSWER_RANK, ALL_RANKS & ~1u},
    {"table_ndim", ANSWER_RANK, 7},
};
enum { CONSTANT_COUNT = sizeof constants / sizeof constants[0] };

/* Those that the pack declares. */
static dtype_set own_dtypes(const struct pack *p)
{
    return p ? p->named_dtypes & DTYPES_OWN : 0;
}

static struct expr *find_constant(struct parser *p)
{
    const struct pack *pack = p->scope->pack;
    enum dtype dtype = dtype_of_pack(pack, p->word);
    enum device device;
    uint16_t gpus;
    if (dtype != DTYPE_NONE)
        return constant(p, ANSWER_DTYPE, DTYPE_BIT(dtype));
    if (token_is(p, "quantised"))
        return constant(p, ANSWER_DTYPE, dtypes_quantised() & own_dtypes(pack));
    if (token_is(p, "all"))
        return constant(p, ANSWER_DTYPE, DTYPES_KNOWN | own_dtypes(pack));
    for (int i = 0; i < CONSTANT_COUNT; i++)
        if (token_is(p, constants[i].name))
            return constant(p, constants[i].sort, constants[i].mask);
    if (device_parse(p->word, &device, &gpus))
        return constant(p, ANSWER_DEVICE, device_places(device, gpus));
    for (int i = 0; i < p->scope->set_count; i++)
        if (token_is(p, p->scope->sets[i].name))
            return constant(p, ANSWER_DTYPE, p->scope->sets[i].dtypes);
    return NULL;
}

static struct expr *fail_unknown(struct parser *p)
{
    const char *known[MAX_WORDS];
    int count = builtin_names(known, MAX_WORDS / 2);
    struct scope *s = p->scope;
    for (int i = 0; i < s->param_count && count < MAX_WORDS; i++)
        known[count++] = s->params[i].name;
    for (int i = 0; i < s->let_count && count < MAX_WORDS; i++)
        known[count++] = s->lets[i].name;
    for (int i = 0; i < s->set_count && count < MAX_WORDS; i++)
        known[count++] = s->sets[i].name;
    for (int i = 0; s->pack && i < s->pack->tables.count && count < MAX_WORDS; i++)
        known[count++] = table_name(s->pack->tables.items[i]);
    for (int i = 0; i < CONSTANT_COUNT && count < MAX_WORDS; i++)
        known[count++] = constants[i].name;
    for (int d = DTYPE_BOOL; d < dtype_end() && count < MAX_WORDS; d++)
        known[count++] = dtype_word((enum dtype)d);
    const char *near = word_nearest(p->word, known, count);
    return FAIL(p, token_offset(p), "unknown name '%s'%s%s%s", p->word,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* ---- calls ---------------------------------------------------------------------------------- */

static enum answer_sort letter_sort(char letter, enum answer_sort first)
{
    return letter == 'o'   ? ANSWER_OPERAND
           : letter == 'd' ? ANSWER_DTYPE
           : letter == 'n' ? ANSWER_NUMBER
                           : first;
}

/* An operand of any kind is referred to by the name of its parameter. */
static struct expr *parse_operand(struct parser *p)
{
    int param = p->is_name ? find_param(p->scope, p->word) : -1;
    if (param < 0)
        return fail_expected(p, "a parameter");
    token_next(p);
    struct expr *x = make(p, EXPR_PARAM, ANSWER_OPERAND, 0, NULL);
    x->index = param;
    return x;
}

static struct expr *parse_argument(struct parser *p, char letter, const struct expr *first)
{
    int offset = token_offset(p);
    if (letter == 'o')
        return parse_operand(p);
    struct expr *x = parse_expression(p);
    if (letter == '*' && !first)
        return x;
    return want(p, x, letter_sort(letter, first ? first->sort : ANSWER_DTYPE), offset);
}

static struct expr *parse_call(struct parser *p, const struct builtin *f)
{
    struct expr *args[MAX_ARGS];
    int count = 0, least = (int)strcspn(f->takes, "+"), start = token_offset(p);
    token_next(p);
    if (!token_take(p, "("))
        return fail_expected(p, "'('");
    while (!token_is(p, ")")) {
        char letter = builtin_takes(f, count);
        if (!letter || count == MAX_ARGS)
            return FAIL(p, token_offset(p), "%s() takes no more than %d", f->name, count);
        if (!(args[count] = parse_argument(p, letter, count ? args[0] : NULL)))
            return NULL;
        count++;
        if (!token_take(p, ",") && !token_is(p, ")"))
            return fail_expected(p, "',' or ')'");
    }
    if (count < least)
        return FAIL(p, start, "%s() takes %d, not %d", f->name, least, count);
    token_next(p);
    struct expr *x = make(p, EXPR_CALL, f->takes[0] == '*' ? args[0]->sort : f->sort, count, args);
    x->function = f;
    return x;
}

static struct expr *parse_table(struct parser *p, const struct pack_table *t)
{
    token_next(p);
    if (!token_take(p, "("))
        return fail_expected(p, "'('");
    int offset = token_offset(p);
    struct expr *of = want(p, parse_expression(p), ANSWER_DTYPE, offset);
    if (of && !token_take(p, ")"))
        return fail_expected(p, "')'");
    struct expr *x = of ? make(p, EXPR_TABLE, table_sort(t), 1, &of) : NULL;
    if (x)
        x->table = t;
    return x;
}

/* ---- operators, from the tightest ---------------------------------------------------------------
 */

static struct expr *parse_name(struct parser *p)
{
    int param = find_param(p->scope, p->word);
    const struct builtin *f = builtin_named(p->word);
    if (f && (param < 0 || p->at[strspn(p->at, " ")] == '('))
        return parse_call(p, f);
    if (param >= 0)
        return parse_param(p, param);
    for (int i = 0; i < p->scope->let_count; i++)
        if (token_is(p, p->scope->lets[i].name))
            return parse_let(p, i);
    const struct pack_table *table = table_named(p->scope->pack, p->word);
    if (table)
        return parse_table(p, table);
    struct expr *x = find_constant(p);
    if (!x)
        return fail_unknown(p);
    token_next(p);
    return x;
}

static struct expr *parse_primary(struct parser *p)
{
    if (token_take(p, "(")) {
        struct expr *x = parse_expression(p);
        if (x && !token_take(p, ")"))
            return fail_expected(p, "')'");
        return x;
    }
    bool minus = token_take(p, "-");
    if (p->is_number) {
        struct expr *x = make(p, EXPR_NUMBER, ANSWER_NUMBER, 0, NULL);
        x->number = minus ? -p->number : p->number;
        token_next(p);
        return x;
    }
    if (minus || !p->is_name)
        return fail_expected(p, "a name or a number");
    return parse_name(p);
}

static struct expr *parse_product(struct parser *p)
{
    int offset = token_offset(p);
    struct expr *x = parse_primary(p);
    while (x && token_take(p, "*")) {
        int right = token_offset(p);
        struct expr *pair[] = {want(p, x, ANSWER_NUMBER, offset), NULL};
        if (!pair[0] || !(pair[1] = want(p, parse_primary(p), ANSWER_NUMBER, right)))
            return NULL;
        x = make(p, EXPR_TIMES, ANSWER_NUMBER, 2, pair);
    }
    return x;
}

static bool counts(const struct expr *x)
{
    return x->sort == ANSWER_NUMBER || x->sort == ANSWER_RANK;
}

/* A number added to numbers or ranks; unions and differences of sets of dtypes. */
static struct expr *parse_sum(struct parser *p, struct expr *left, int offset)
{
    bool adds = token_is(p, "+") || (token_is(p, "-") && counts(left));
    int sign = token_is(p, "-") ? -1 : 1;
    enum expr_op op = adds ? EXPR_ADD : sign < 0 ? EXPR_MINUS : EXPR_UNION;
    token_next(p);
    int right = token_offset(p);
    enum answer_sort sort = op == EXPR_UNION && left->sort == ANSWER_RANK ? ANSWER_RANK
                            : !adds                                       ? ANSWER_DTYPE
                            : counts(left)                                ? left->sort
                                                                          : ANSWER_NUMBER;
    struct expr *pair[] = {want(p, left, sort, offset), NULL};
    if (!pair[0] || !(pair[1] = want(p, parse_product(p), adds ? ANSWER_NUMBER : sort, right)))
        return NULL;
    struct expr *x = make(p, op, sort, 2, pair);
    x->index = sign;
    return x;
}

static struct expr *parse_set(struct parser *p)
{
    int offset = token_offset(p);
    struct expr *x = parse_product(p);
    while (x && (token_is(p, "|") || token_is(p, "-") || token_is(p, "+")))
        x = parse_sum(p, x, offset);
    return x;
}

static struct expr *negate(struct parser *p, struct expr *x)
{
    return x ? make(p, EXPR_NOT, ANSWER_TRUTH, 1, &x) : NULL;
}

static struct expr *parse_order(struct parser *p, struct expr *left, int offset)
{
    bool swap = token_is(p, ">") || token_is(p, "<="),
         turn = token_is(p, "<=") || token_is(p, ">=");
    token_next(p);
    int right = token_offset(p);
    enum answer_sort sort = left->sort == ANSWER_RANK ? ANSWER_RANK : ANSWER_NUMBER;
    struct expr *a = want(p, left, sort, offset);
    struct expr *b = a ? want(p, parse_set(p), sort, right) : NULL;
    if (!b)
        return NULL;
    struct expr *less =
        make(p, EXPR_LESS, ANSWER_TRUTH, 2, (struct expr *[]){swap ? b : a, swap ? a : b});
    return turn ? negate(p, less) : less;
}

static struct expr *parse_equal(struct parser *p, struct expr *left, int offset)
{
    bool turn = token_is(p, "!=");
    token_next(p);
    int right = token_offset(p);
    if (left->sort == ANSWER_OPERAND)
        return want(p, left, ANSWER_DTYPE, offset);
    struct expr *b = want(p, parse_set(p), left->sort, right);
    if (!b)
        return NULL;
    struct expr *equal = make(p, EXPR_EQUAL, ANSWER_TRUTH, 2, (struct expr *[]){left, b});
    return turn ? negate(p, equal) : equal;
}

static struct expr *parse_in(struct parser *p, struct expr *left, int offset)
{
    bool turn = token_take(p, "not");
    if (!token_take(p, "in"))
        return fail_expected(p, "'in'");
    int right = token_offset(p);
    struct expr *a = want(p, left, ANSWER_DTYPE, offset);
    struct expr *b = a ? want(p, parse_set(p), ANSWER_DTYPE, right) : NULL;
    if (!b)
        return NULL;
    struct expr *in = make(p, EXPR_IN, ANSWER_TRUTH, 2, (struct expr *[]){a, b});
    return turn ? negate(p, in) : in;
}

static struct expr *parse_comparison(struct parser *p)
{
    int offset = token_offset(p);
    struct expr *x = parse_set(p);
    if (!x)
        return NULL;
    if (token_is(p, "in") || token_is(p, "not"))
        return parse_in(p, x, offset);
    if (token_is(p, "==") || token_is(p, "!="))
        return parse_equal(p, x, offset);
    if (token_is(p, "<") || token_is(p, ">") || token_is(p, "<=") || token_is(p, ">="))
        return parse_order(p, x, offset);
    return x;
}

static struct expr *parse_not(struct parser *p)
{
    if (p->depth > DEEPEST)
        return FAIL(p, token_offset(p), "nested too deep");
    if (!token_take(p, "not"))
        return parse_comparison(p);
    int offset = token_offset(p);
    p->depth++;
    struct expr *x = want(p, parse_not(p), ANSWER_TRUTH, offset);
    p->depth--;
    return negate(p, x);
}

static struct expr *parse_chain(struct parser *p, const char *word, enum expr_op op,
                                struct expr *(*parse)(struct parser *))
{
    int offset = token_offset(p);
    struct expr *x = parse(p);
    while (x && token_is(p, word)) {
        token_next(p);
        int right = token_offset(p);
        struct expr *pair[] = {want(p, x, ANSWER_TRUTH, offset), NULL};
        if (!pair[0] || !(pair[1] = want(p, parse(p), ANSWER_TRUTH, right)))
            return NULL;
        x = make(p, op, ANSWER_TRUTH, 2, pair);
    }
    return x;
}

static struct expr *parse_and(struct parser *p)
{
    return parse_chain(p, "and", EXPR_AND, parse_not);
}

static struct expr *parse_or(struct parser *p)
{
    return parse_chain(p, "or", EXPR_OR, parse_and);
}

static struct expr *parse_if(struct parser *p, struct expr *then, int offset)
{
    if (then->sort == ANSWER_OPERAND)
        return want(p, then, ANSWER_DTYPE, offset);
    int right = token_offset(p);
    struct expr *condition = want(p, parse_or(p), ANSWER_TRUTH, right);
    if (!condition)
        return NULL;
    if (!token_take(p, "else"))
        return fail_expected(p, "'else'");
    right = token_offset(p);
    struct expr *otherwise = parse_expression(p);
    if (otherwise && otherwise->sort == ANSWER_RANK)
        then = want(p, then, ANSWER_RANK, offset);
    if (!then || !(otherwise = want(p, otherwise, then->sort, right)))
        return NULL;
    return make(p, EXPR_IF, then->sort, 3, (struct expr *[]){then, condition, otherwise});
}

static struct expr *parse_expression(struct parser *p)
{
    int offset = token_offset(p);
    if (++p->depth > DEEPEST)
        return FAIL(p, offset, "nested too deep");
    struct expr *x = parse_or(p);
    if (x && token_take(p, "if"))
        x = parse_if(p, x, offset);
    p->depth--;
    return x;
}

static struct expr *compile(struct parser *p)
{
    token_next(p);
    struct expr *x = parse_expression(p);
    if (x && p->word[0])
        return FAIL(p, token_offset(p), "expected the end of the expression, not '%s'", p->word);
    return x;
}

static struct expr *compile_any(struct scope *s, const struct node *node, struct error *e)
{
    struct parser p = {.scope = s, .node = node, .at = node->text, .token = node->text, .error = e};
    if (!expect_kind(s->file, node, NODE_TEXT, "an expression", e))
        return NULL;
    return compile(&p);
}

struct expr *expr_compile(struct scope *s, const struct node *node, enum answer_sort sort,
                          struct error *e)
{
    struct parser p = {.scope = s, .node = node, .at = node->text, .token = node->text, .error = e};
    if (!expect_kind(s->file, node, NODE_TEXT, "an expression", e))
        return NULL;
    return want(&p, compile(&p), sort, 0);
}
