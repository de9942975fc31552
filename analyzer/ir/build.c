/* Building a unit: what a frontend lowers, function by function, is copied into the unit's
 * arena. Nothing is checked here; ir_verify does. */
#include "analyzer/ir/private.h"

#include <string.h>

/* ---- the tables ------------------------------------------------------------------------------ */

struct op_row {
    const char *text;
    int operands;
    bool yields, ends;
    enum { ACCESSES_NONE, ACCESSES_READS, ACCESSES_WRITES } accesses;
};

static const struct op_row op_rows[] = {
#define IR_OP(name, text, operands, yields, ends, access)                                          \
    [IR_##name] = {text, operands, yields, ends, ACCESSES_##access},
#include "analyzer/ir/op.def"
#undef IR_OP
};

static const struct {
    const char *text;
    int operands;
} arith_rows[] = {
#define IR_ARITH(name, text, operands) [ARITH_##name] = {text, operands},
#include "analyzer/ir/arith.def"
#undef IR_ARITH
};

static const struct {
    const char *text;
    int fewest, most;
    bool yields;
} protocol_rows[] = {
#define IR_PROTOCOL(name, text, fewest, most, yields)                                              \
    [PROTOCOL_##name] = {text, fewest, most, yields},
#include "analyzer/ir/protocol.def"
#undef IR_PROTOCOL
};

/* clang-format off */
static const struct {
    const char *text;
    int operands; /* -1: any number */
} kind_rows[] = {
    [KIND_LIST]  = {"list", -1},  [KIND_TUPLE]   = {"tuple", -1},  [KIND_SET]      = {"set", -1},
    [KIND_DICT]  = {"dict", -1},  [KIND_SLICE]   = {"slice", 3},   [KIND_TEXT]     = {"text", -1},
    [KIND_BYTES] = {"bytes", 1},  [KIND_COMPLEX] = {"complex", 1}, [KIND_ELLIPSIS] = {"ellipsis", 0},
};
/* clang-format on */

const char *ir_op_text(enum ir_op op)
{
    return op_rows[op].text;
}

int ir_op_operands(enum ir_op op)
{
    return op_rows[op].operands;
}

bool ir_op_yields(enum ir_op op)
{
    return op_rows[op].yields;
}

bool ir_op_ends(enum ir_op op)
{
    return op_rows[op].ends;
}

bool ir_op_reads(enum ir_op op)
{
    return op_rows[op].accesses == ACCESSES_READS;
}

bool ir_op_writes(enum ir_op op)
{
    return op_rows[op].accesses == ACCESSES_WRITES;
}

bool ir_op_calls(enum ir_op op)
{
    return op == IR_CALL || op == IR_INVOKE || op == IR_APPLY;
}

bool ir_op_is_dynamic(enum ir_op op)
{
    return op >= IR_GET && op <= IR_CAUGHT;
}

bool ir_op_may_call(enum ir_op op)
{
    return op == IR_IMPORT || op == IR_ATTR || op == IR_SETATTR || op == IR_INVOKE ||
           op == IR_APPLY || op == IR_MAKE || op == IR_CLASS;
}

const char *ir_protocol_text(enum ir_protocol protocol)
{
    return protocol_rows[protocol].text;
}

bool ir_protocol_takes(enum ir_protocol protocol, int operands)
{
    int most = protocol_rows[protocol].most;
    return operands >= protocol_rows[protocol].fewest && (most < 0 || operands <= most);
}

bool ir_protocol_yields(enum ir_protocol protocol)
{
    return protocol_rows[protocol].yields;
}

const char *ir_kind_text(enum ir_kind kind)
{
    return kind_rows[kind].text;
}

bool ir_kind_takes(enum ir_kind kind, int operands)
{
    return kind_rows[kind].operands < 0 || operands == kind_rows[kind].operands;
}

const char *ir_arith_text(enum ir_arith arith)
{
    return arith_rows[arith].text;
}

int ir_arith_operands(enum ir_arith arith)
{
    return arith_rows[arith].operands;
}

/* ---- units ----------------------------------------------------------------------------------- */

struct ir_unit *ir_unit_new(const char *file)
{
    struct arena *a = arena_new();
    struct ir_unit *u = arena_one(a, struct ir_unit);
    u->arena = a;
    u->code = arena_new();
    u->names = names_new(a);
    u->types = type_table_new(a);
    u->function_map = map_new(a);
    u->global_map = map_new(a);
    u->file = name_of(u->names, file);
    u->language = name_of(u->names, IR_LANGUAGE);
    const struct type *nothing = type_simple(u, TYPE_VOID);
    struct ir_function *init =
        ir_function_new(u, IR_INIT, type_function(u, nothing, NULL, 0, false));
    init->is_internal = true;
    return u;
}

/* Lists are copied, as they may grow. */
#define COPY_LIST(u, list)                                                                         \
    do {                                                                                           \
        (list)->room = (list)->count;                                                              \
        (list)->items =                                                                            \
            arena_copy((u)->arena, (list)->items, (size_t)(list)->count * sizeof *(list)->items);  \
    } while (0)

struct ir_unit *ir_unit_with(const struct ir_unit *base, int function)
{
    struct arena *a = arena_new();
    struct ir_unit *u = arena_one(a, struct ir_unit);
    *u = *base;
    u->arena = a;
    u->code = arena_new();
    COPY_LIST(u, &u->records);
    COPY_LIST(u, &u->globals);
    COPY_LIST(u, &u->functions);
    COPY_LIST(u, &u->notes);
    if (function >= 0) {
        const struct ir_function *was = base->functions.items[function];
        struct ir_function *f = arena_one(a, struct ir_function);
        *f = (struct ir_function){.name = was->name,
                                  .language = was->language,
                                  .type = was->type,
                                  .is_internal = was->is_internal,
                                  .param_count = was->type->field_count};
        u->functions.items[function] = f;
    }
    ir_put_names(u);
    return u;
}

void ir_unit_set_language(struct ir_unit *u, const char *language)
{
    u->language = name_of(u->names, language);
    for (int i = 0; i < u->functions.count; i++)
        u->functions.items[i]->language = u->language;
}

void ir_unit_free(struct ir_unit *u)
{
    if (!u)
        return;
    arena_free(u->code);
    arena_free(u->arena); /* the unit itself is in it */
}

static uint64_t name_key(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

/* Of two with one name, the first is found. */
void ir_put_names(struct ir_unit *u)
{
    u->function_map = map_new(u->arena);
    u->global_map = map_new(u->arena);
    for (int i = u->functions.count - 1; i >= 0; i--)
        map_put(u->function_map, name_key(u->functions.items[i]->name), u->functions.items[i]);
    for (int i = u->globals.count - 1; i >= 0; i--)
        map_put(u->global_map, name_key(u->globals.items[i]->name), u->globals.items[i]);
}

struct ir_function *ir_function_new(struct ir_unit *u, const char *name, const struct type *type)
{
    struct ir_function *f = arena_one(u->arena, struct ir_function);
    f->name = name_of(u->names, name);
    f->language = u->language;
    f->type = type;
    f->param_count = type->field_count;
    LIST_ADD(u->arena, &u->functions, f);
    if (!map_get(u->function_map, name_key(name)))
        map_put(u->function_map, name_key(name), f);
    return f;
}

/* The map decides unless two names have the same hash; then the list is searched. */
struct ir_function *ir_function_find(const struct ir_unit *u, const char *name)
{
    struct ir_function *f = map_get(u->function_map, name_key(name));
    for (int i = 0; f && strcmp(f->name, name) != 0; i++)
        f = i < u->functions.count ? u->functions.items[i] : NULL;
    return f;
}

struct ir_global *ir_global_new(struct ir_unit *u, const char *name, const struct type *type,
                                struct span span)
{
    struct ir_global *g = arena_one(u->arena, struct ir_global);
    *g = (struct ir_global){.name = name_of(u->names, name), .type = type, .span = span};
    LIST_ADD(u->arena, &u->globals, g);
    if (!map_get(u->global_map, name_key(name)))
        map_put(u->global_map, name_key(name), g);
    return g;
}

struct ir_global *ir_global_find(const struct ir_unit *u, const char *name)
{
    struct ir_global *g = map_get(u->global_map, name_key(name));
    for (int i = 0; g && strcmp(g->name, name) != 0; i++)
        g = i < u->globals.count ? u->globals.items[i] : NULL;
    return g;
}

void ir_note_add(struct ir_unit *u, struct span span, const char *text)
{
    struct ir_note note = {span, name_of(u->names, text)};
    LIST_ADD(u->arena, &u->notes, note);
}

/* ---- functions ------------------------------------------------------------------------------- */

int ir_local_new(struct ir_unit *u, struct ir_function *f, const char *name,
                 const struct type *type, struct span span)
{
    struct ir_local local = {.name = name_of(u->names, name), .type = type, .span = span};
    LIST_ADD(u->arena, &f->locals, local);
    return f->locals.count - 1;
}

int ir_block_new(struct ir_unit *u, struct ir_function *f)
{
    LIST_ADD(u->arena, &f->blocks, (struct ir_block){0});
    f->has_body = true;
    return f->blocks.count - 1;
}

/* A block is laid out as a list, but is not of that type. */
void ir_block_add(struct ir_unit *u, struct ir_block *b, int inst)
{
    if (b->count == b->room)
        b->insts = list_grow(u->arena, b->insts, &b->room, sizeof *b->insts);
    b->insts[b->count++] = inst;
}

/* NULL if no operand has one. */
static const char **copy_labels(struct ir_unit *u, const struct ir_inst *inst)
{
    const char **labels = NULL;
    for (int i = 0; inst->labels && i < inst->arg_count; i++) {
        if (!inst->labels[i])
            continue;
        if (!labels)
            labels = arena_array(u->arena, const char *, inst->arg_count);
        labels[i] = name_of(u->names, inst->labels[i]);
    }
    return labels;
}

ir_value ir_append(struct ir_unit *u, struct ir_function *f, int block, struct ir_inst inst)
{
    if (block < 0 || block >= f->blocks.count)
        BUG("%s has no block %d", f->name, block);
    if (f->insts.count == 0)
        LIST_ADD(u->code, &f->insts, (struct ir_inst){0});
    if (inst.type && inst.type->kind == TYPE_VOID)
        inst.type = NULL;
    u->is_dynamic |= ir_op_is_dynamic(inst.op);
    inst.name = inst.name ? name_of(u->names, inst.name) : NULL;
    inst.args = inst.arg_count
                    ? arena_copy(u->arena, inst.args, (size_t)inst.arg_count * sizeof *inst.args)
                    : NULL;
    inst.labels = copy_labels(u, &inst);
    inst.cases = inst.case_count ? arena_copy(u->arena, inst.cases,
                                              (size_t)inst.case_count * sizeof *inst.cases)
                                 : NULL;
    LIST_ADD(u->code, &f->insts, inst);
    ir_block_add(u, &f->blocks.items[block], f->insts.count - 1);
    return f->insts.count - 1;
}

bool ir_block_ended(const struct ir_function *f, int block)
{
    const struct ir_block *b = &f->blocks.items[block];
    return b->count && ir_op_ends(f->insts.items[b->insts[b->count - 1]].op);
}
