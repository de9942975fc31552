/* Random valid units. Blocks are filled alternately, so that numbers and text are in different
 * orders; operands come from the same block or from the entry block, which dominates all others. */
#include "tests/ir/random_unit.h"

#include <string.h>

struct maker {
    uint64_t state;
    struct ir_unit *u;
    struct ir_function *f;
    LIST(const struct type *) types; /* made so far; values' types among them */
    LIST(ir_value) values[8];        /* by block */
};

/* ---- chance -------------------------------------------------------------------------------- */

static uint64_t next_random(struct maker *m)
{
    uint64_t z = m->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int below(struct maker *m, int n)
{
    return (int)(next_random(m) % (uint64_t)n);
}

static bool chance(struct maker *m, int in)
{
    return below(m, in) == 0;
}

static int64_t any_integer(struct maker *m)
{
    static const int64_t special[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT32_MIN, UINT32_MAX};
    int bits = 1 + below(m, 63);
    if (chance(m, 3))
        return special[below(m, COUNT(special))];
    return (int64_t)next_random(m) >> (64 - bits);
}

static double any_real(struct maker *m)
{
    static const double special[] = {0.0, -0.0, 0.1, 1e-310, 1e308, 3.0, -5e-324};
    uint64_t bits = next_random(m);
    double real;
    if (chance(m, 2))
        return special[below(m, COUNT(special))];
    if (chance(m, 4))
        bits |= (uint64_t)0x7ff << 52; /* an infinity or NaN */
    if (chance(m, 4))
        bits &= ~(((uint64_t)1 << 52) - 1);
    memcpy(&real, &bits, sizeof real);
    return real;
}

static const char *any_text(struct maker *m)
{
    static const char *const plain[] = {
        "x",    "h",        "mc_add", "i32",  "ptr", "b0",   "w.2",   "fn",      "unknown",
        "void", "struct s", "",       "a\"b", "\\",  "\n\t", "(q)",   "%1",      "\xc3\xa4\x7f\x01",
        "1x",   "$x",       "_",      "bf16", "f1",  ";",    "const", "internal"};
    char raw[8];
    if (chance(m, 5)) {
        int n = below(m, COUNT(raw));
        for (int i = 0; i < n; i++)
            raw[i] = (char)(1 + below(m, 255));
        return name_of_range(m->u->names, raw, (size_t)n);
    }
    return name_of(m->u->names, plain[below(m, COUNT(plain))]);
}

static const char *unique_name(struct maker *m, const char *prefix, int i)
{
    char text[64];
    int n = (int)(strlen(prefix) + 4);
    memcpy(text, prefix, strlen(prefix));
    memcpy(text + strlen(prefix), chance(m, 4) ? "\" " : "__", 2);
    text[n - 2] = (char)('a' + i / 26);
    text[n - 1] = (char)('a' + i % 26);
    return name_of_range(m->u->names, text, (size_t)n);
}

static struct span any_span(struct maker *m)
{
    static const char *const files[] = {"a.c", "include/b.h", "c d\".h", "\xff", "unit.c"};
    struct span s = {.line = 1 + below(m, 400), .column = 1 + below(m, 99)};
    if (chance(m, 8))
        return (struct span){0};
    s.file = chance(m, 3) ? name_of(m->u->names, files[below(m, COUNT(files))]) : m->u->file;
    s.end_line = s.line + (chance(m, 4) ? below(m, 9) : 0);
    s.end_column = s.end_line > s.line ? 1 + below(m, 99) : s.column + below(m, 20);
    return s;
}

/* ---- types --------------------------------------------------------------------------------- */

static const struct type *old_type(struct maker *m)
{
    return m->types.items[below(m, m->types.count)];
}

static const struct type *any_function_type(struct maker *m)
{
    struct field params[4];
    int n = below(m, COUNT(params) + 1);
    for (int i = 0; i < n; i++) {
        params[i] = (struct field){"p", old_type(m), 0, NULL};
        if (params[i].type->kind == TYPE_VOID)
            params[i].type = type_pointer(m->u, params[i].type);
    }
    return type_function(m->u, old_type(m), params, n, chance(m, 4));
}

static const struct type *any_type(struct maker *m)
{
    static const int bits[] = {1, 8, 16, 32, 64, 80, 128, 1024};
    switch (below(m, 9)) {
    case 8:
        return type_simple(m->u, TYPE_DYN);
    case 0:
        return type_int(m->u, bits[below(m, COUNT(bits))], chance(m, 2));
    case 1:
        return type_float(m->u, bits[below(m, COUNT(bits))], chance(m, 3));
    case 2:
        return type_pointer(m->u, old_type(m));
    case 3:
        return type_array(m->u, old_type(m), chance(m, 3) ? -1 : below(m, 1000));
    case 4:
        return type_record(m->u, any_text(m));
    case 5:
        return any_function_type(m);
    case 6:
        return type_simple(m->u, chance(m, 2) ? TYPE_BOOL : TYPE_VOID);
    default:
        return type_simple(m->u, TYPE_UNKNOWN);
    }
}

static void make_types(struct maker *m, int count)
{
    const struct type *first = type_int(m->u, 32, true);
    LIST_ADD(m->u->arena, &m->types, first);
    for (int i = 0; i < count; i++) {
        const struct type *t = any_type(m);
        LIST_ADD(m->u->arena, &m->types, t);
    }
}

/* Fields may be of types that come later, or of the record's own. */
static void define_records(struct maker *m)
{
    struct field fields[5];
    for (int i = 0; i < m->types.count; i++) {
        const struct type *t = m->types.items[i];
        if (t->kind != TYPE_RECORD || t->field_count || chance(m, 3))
            continue;
        int n = 1 + below(m, COUNT(fields));
        for (int k = 0; k < n; k++)
            fields[k] = (struct field){any_text(m), old_type(m), (unsigned)below(m, 4),
                                       chance(m, 4) ? "A 0, B 5" : NULL};
        record_define(m->u, type_record(m->u, t->name), chance(m, 4), fields, n);
    }
}

static const struct type *type_of_value(struct maker *m)
{
    const struct type *t = old_type(m);
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_POINTER:
    case TYPE_DYN:
    case TYPE_UNKNOWN:
        return t;
    case TYPE_VOID:
    case TYPE_ARRAY:
    case TYPE_RECORD:
    case TYPE_FUNCTION:
        return type_pointer(m->u, t);
    }
    return t;
}

/* ---- instructions -------------------------------------------------------------------------- */

/* A value that is there at the block's end; 0 if there is none. */
static ir_value any_value(struct maker *m, int block)
{
    int from = chance(m, 2) ? block : 0;
    if (m->values[from].count == 0)
        from = from ? 0 : block;
    if (m->values[from].count == 0)
        return 0;
    return m->values[from].items[below(m, m->values[from].count)];
}

static int operand_count(struct maker *m, enum ir_op op)
{
    int n = ir_op_operands(op);
    bool at_most_one = op == IR_RETURN || op == IR_RAISE;
    return n >= 0 ? n : at_most_one ? below(m, 2) : op == IR_INVOKE ? 1 + below(m, 4) : below(m, 5);
}

static void fill_arith(struct maker *m, struct ir_inst *inst)
{
    if (inst->op != IR_UNARY && inst->op != IR_BINARY)
        return;
    do {
        inst->arith = (enum ir_arith)below(m, ARITH_COUNT);
    } while (ir_arith_operands(inst->arith) != inst->arg_count);
}

static int64_t field_index(struct maker *m, ir_value address)
{
    const struct type *t = m->f->insts.items[address].type;
    t = t->kind == TYPE_POINTER ? t->of : t;
    return below(m, t->kind == TYPE_RECORD && t->field_count ? t->field_count : 9);
}

static void fill_name(struct maker *m, struct ir_inst *inst)
{
    switch (inst->op) {
    case IR_GLOBAL:
        inst->name = m->u->globals.items[below(m, m->u->globals.count)]->name;
        break;
    case IR_CALL:
        inst->name = inst->arg_count && chance(m, 3) ? NULL : any_text(m);
        break;
    case IR_ANYTHING:
        inst->name = chance(m, 4) ? NULL : any_text(m);
        break;
    case IR_TEXT:
    case IR_FUNCTION:
    case IR_FIELD:
    case IR_NAME:
    case IR_SETNAME:
    case IR_IMPORT:
    case IR_ATTR:
    case IR_SETATTR:
    case IR_INVOKE:
    case IR_CLASS:
    case IR_CLOSURE:
        inst->name = any_text(m);
        break;
    default:
        break;
    }
}

static void fill_number(struct maker *m, struct ir_inst *inst)
{
    if (inst->op == IR_INT)
        inst->integer = any_integer(m);
    else if (inst->op == IR_REAL)
        inst->real = any_real(m);
    else if (inst->op == IR_LOCAL || inst->op == IR_GET || inst->op == IR_SET)
        inst->integer = below(m, m->f->locals.count);
    else if (inst->op == IR_FIELD)
        inst->integer = field_index(m, inst->args[0]);
}

static void fill_targets(struct maker *m, struct ir_inst *inst, struct ir_case *cases, int room)
{
    int blocks = m->f->blocks.count;
    int n = inst->op == IR_BRANCH ? 2 : inst->op == IR_JUMP || inst->op == IR_SWITCH;
    for (int i = 0; i < n; i++)
        inst->target[i] = below(m, blocks);
    inst->cases = cases;
    inst->case_count = inst->op == IR_SWITCH ? below(m, room + 1) : 0;
    for (int i = 0; i < inst->case_count; i++) {
        int64_t low = any_integer(m), high = chance(m, 2) ? low : any_integer(m);
        cases[i] =
            (struct ir_case){low < high ? low : high, low < high ? high : low, below(m, blocks)};
    }
}

/* One that takes as many operands as there are, and a kind for any number. */
static void fill_protocol(struct maker *m, struct ir_inst *inst)
{
    if (inst->op == IR_MAKE)
        inst->integer = below(m, KIND_SLICE);
    if (inst->op != IR_APPLY)
        return;
    inst->arg_count = inst->arg_count > 3 ? 3 : inst->arg_count;
    do {
        inst->integer = below(m, PROTOCOL_COUNT);
    } while (!ir_protocol_takes((enum ir_protocol)inst->integer, inst->arg_count));
}

static const char *any_label(struct maker *m)
{
    static const char *const labels[] = {"dtype", "*", "**", "x:", "a b", "return:"};
    return chance(m, 2) ? NULL : labels[below(m, COUNT(labels))];
}

static void fill_labels(struct maker *m, struct ir_inst *inst, const char **labels)
{
    bool takes_them = inst->op == IR_CALL || inst->op == IR_INVOKE || inst->op == IR_APPLY ||
                      inst->op == IR_MAKE || inst->op == IR_CLOSURE || inst->op == IR_CLASS;
    int first = inst->op == IR_INVOKE || (inst->op == IR_CALL && !inst->name);
    for (int i = first; takes_them && i < inst->arg_count; i++) {
        labels[i] = any_label(m);
        if (chance(m, 4) && i + 1 < inst->arg_count)
            labels[i++] = ":"; /* and its value */
    }
    inst->labels = labels;
}

static void add_inst(struct maker *m, int block, enum ir_op op)
{
    ir_value args[8];
    const char *labels[8] = {NULL};
    struct ir_case cases[4];
    struct ir_inst inst = {.op = op, .args = args, .span = any_span(m)};
    inst.arg_count = operand_count(m, op);
    if (op == IR_APPLY && !inst.arg_count)
        inst.arg_count = 1;
    for (int i = 0; i < inst.arg_count; i++)
        if ((args[i] = any_value(m, block)) == 0)
            return;
    bool may_not = op == IR_CALL || op == IR_ANYTHING;
    fill_protocol(m, &inst);
    if (inst.op == IR_APPLY ? ir_protocol_yields((enum ir_protocol)inst.integer)
                            : ir_op_yields(op) && !(may_not && chance(m, 3)))
        inst.type = type_of_value(m);
    fill_arith(m, &inst);
    fill_name(m, &inst);
    fill_number(m, &inst);
    fill_targets(m, &inst, cases, COUNT(cases));
    fill_labels(m, &inst, labels);
    ir_value v = ir_append(m->u, m->f, block, inst);
    if (inst.type)
        LIST_ADD(m->u->arena, &m->values[block], v);
}

static enum ir_op any_op(struct maker *m, bool ends)
{
    for (;;) {
        enum ir_op op = (enum ir_op)below(m, IR_OP_COUNT);
        if (ir_op_ends(op) == ends && (op != IR_GLOBAL || m->u->globals.count) &&
            ((op != IR_LOCAL && op != IR_GET && op != IR_SET) || m->f->locals.count))
            return op;
    }
}

/* ---- functions ----------------------------------------------------------------------------- */

static void make_locals(struct maker *m, int more)
{
    struct ir_function *f = m->f;
    for (int i = 0; i < f->param_count + more; i++) {
        bool is_param = i < f->param_count;
        const struct type *t = is_param ? f->type->fields[i].type : old_type(m);
        t = t->kind == TYPE_VOID ? type_pointer(m->u, t) : t;
        ir_local_new(m->u, f, any_text(m), t, any_span(m));
        f->locals.items[i].is_static = !is_param && chance(m, 4);
        f->locals.items[i].has_default = is_param && chance(m, 4);
        if (is_param && chance(m, 3))
            f->locals.items[i].mode = (enum ir_mode)below(m, MODE_CAPTURED);
    }
}

static void make_body(struct maker *m, int size)
{
    int blocks = 1 + below(m, COUNT(m->values)), open = blocks;
    memset(m->values, 0, sizeof m->values);
    make_locals(m, below(m, 4));
    for (int b = 0; b < blocks; b++)
        ir_block_new(m->u, m->f);
    for (int b = 1; b < blocks; b++)
        m->f->blocks.items[b].catch = chance(m, 4) ? below(m, blocks) : 0;
    for (int i = below(m, 2 * size + 1); i > 0; i--)
        add_inst(m, below(m, blocks), any_op(m, false));
    while (open) {
        int b = below(m, blocks);
        if (ir_block_ended(m->f, b))
            continue;
        add_inst(m, b, any_op(m, true));
        open -= ir_block_ended(m->f, b);
    }
}

static void make_function(struct maker *m, int i, int size)
{
    const struct type *t = any_function_type(m);
    m->f = i ? ir_function_new(m->u, unique_name(m, "f", i), t) : m->u->functions.items[0];
    m->f->span = i ? any_span(m) : (struct span){0};
    m->f->is_internal = i == 0 || chance(m, 3);
    if (!chance(m, 4))
        make_body(m, size);
    else if (i && chance(m, 3))
        make_locals(m, 0);
}

static void make_global(struct maker *m, int i)
{
    struct ir_global *g = ir_global_new(m->u, unique_name(m, "g", i), old_type(m), any_span(m));
    g->is_internal = chance(m, 3);
    g->is_extern = chance(m, 3);
    g->is_const = chance(m, 3);
}

struct ir_unit *random_unit(uint64_t seed, int size)
{
    struct maker m = {.state = seed, .u = ir_unit_new(seed % 7 ? "unit.c" : "odd \"name\"\n.c")};
    make_types(&m, below(&m, 20));
    define_records(&m);
    for (int i = 0, n = below(&m, 5); i < n; i++)
        make_global(&m, i);
    for (int i = 0, n = below(&m, 5) + 1; i < n; i++)
        make_function(&m, i, size);
    for (int i = below(&m, 3); i > 0; i--)
        ir_note_add(m.u, any_span(&m), any_text(&m));
    m.u->errors = chance(&m, 4) ? below(&m, 100) : 0;
    m.u->first_error = chance(&m, 6) ? any_text(&m) : NULL;
    if (chance(&m, 4))
        ir_unit_set_language(m.u, chance(&m, 2) ? "python" : any_text(&m));
    return m.u;
}
