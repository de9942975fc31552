/* A unit as text: one thing a line, every span at the end of its line. Parsing it (parse.c) gives
 * the unit back; fields of an instruction that its op does not use are not printed.
 *
 *     unit "src/mlp.c"
 *     file f1 "include/model.h"
 *
 *     record model {
 *         w : ptr tensor
 *     }
 *
 *     global count : i32 internal @3:1-17
 *
 *     func forward : fn(ptr model, ptr tensor) ptr tensor @8:1-12:2 {
 *         $0 = param m : ptr model @8:20-35
 *         $1 = param x : ptr tensor @8:37-49
 *     b0:
 *         %1 = local $1 x : ptr ptr tensor @9:22-23
 *         %2 = load %1 : ptr tensor @9:22-23
 *         store %1, %2 @f1:9:5-10:8
 *         return %2 @11:5-14
 *     }
 *
 * A span is @LINE:COLUMN-END, where END is a column of the same line or LINE:COLUMN; a file other
 * than the unit's stands before it by its id. No span: nowhere. Strings are C's, with \xHH for what
 * is not ASCII; reals are hexadecimal. An instruction without a value has the lowest number that is
 * free; where that is not so, the numbers of all such are written: #5 store %1, %2. */
#include "analyzer/ir/private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct printer {
    const struct ir_unit *unit;
    const struct ir_function *function;
    struct text *out;
    struct arena *scratch;
    struct names *names;
    struct map *file_ids; /* by interned name: its place in files, plus one */
    LIST(const char *) files;
    const char *file; /* the last file printed, as most are the same, and its id */
    int id;
    const struct ir_naming *naming; /* NULL: files have their own names */
};

/* ---- words ----------------------------------------------------------------------------------- */

static void put_string(struct text *out, const char *s)
{
    text_add(out, "\"");
    for (const unsigned char *c = (const unsigned char *)s; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_printf(out, "\\%c", *c);
        else if (*c == '\n' || *c == '\t')
            text_add(out, *c == '\n' ? "\\n" : "\\t");
        else if (*c >= ' ' && *c <= '~' && !(*c == '#' && c[1] == '#')) /* see text_add_line */
            text_add_range(out, (const char *)c, 1);
        else
            text_printf(out, "\\x%02x", *c);
    }
    text_add(out, "\"");
}

/* "%5", "$2", "b1" */
static void put_numbered(struct text *out, const char *mark, int64_t n)
{
    text_add(out, mark);
    text_add_number(out, n);
}

static void put_name(struct text *out, const char *name)
{
    if (is_plain_name(name))
        text_add(out, name);
    else
        put_string(out, name);
}

/* A space and the name, or nothing for the empty one. */
static void put_optional_name(struct text *out, const char *name)
{
    if (!name || !*name)
        return;
    text_add(out, " ");
    put_name(out, name);
}

static void put_real(struct text *out, double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    if (isnan(real))
        text_printf(out, "nan:%016" PRIx64, bits);
    else
        text_printf(out, "%a", real);
}

/* ---- types ----------------------------------------------------------------------------------- */

static void put_function_type(const struct type *t, struct text *out)
{
    text_add(out, "fn(");
    for (int i = 0; i < t->field_count; i++) {
        text_add(out, i ? ", " : "");
        type_print(t->fields[i].type, out);
    }
    if (t->variadic)
        text_add(out, t->field_count ? ", ..." : "...");
    text_add(out, ") ");
    type_print(t->of, out);
}

static void put_array_type(const struct type *t, struct text *out)
{
    text_add(out, "array ");
    if (t->count < 0)
        text_add(out, "?");
    else
        text_add_number(out, t->count);
    text_add(out, " ");
    type_print(t->of, out);
}

static void put_record_name(const char *name, struct text *out)
{
    if (type_word(name, strlen(name)))
        put_string(out, name);
    else
        put_name(out, name);
}

void type_print(const struct type *t, struct text *out)
{
    switch (t->kind) {
    case TYPE_VOID:
        text_add(out, "void");
        break;
    case TYPE_BOOL:
        text_add(out, "bool");
        break;
    case TYPE_INT:
        put_numbered(out, t->is_signed ? "i" : "u", t->bits);
        break;
    case TYPE_FLOAT:
        put_numbered(out, t->is_brain ? "bf" : "f", t->bits);
        break;
    case TYPE_POINTER:
        text_add(out, "ptr ");
        type_print(t->of, out);
        break;
    case TYPE_ARRAY:
        put_array_type(t, out);
        break;
    case TYPE_RECORD:
        put_record_name(t->name, out);
        break;
    case TYPE_FUNCTION:
        put_function_type(t, out);
        break;
    case TYPE_DYN:
        text_add(out, "dyn");
        break;
    case TYPE_UNKNOWN:
        text_add(out, "unknown");
        break;
    }
}

static void put_type(struct printer *p, const struct type *t)
{
    text_add(p->out, " : ");
    type_print(t, p->out);
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* 0 for the unit's file; others are numbered as they appear. */
static int file_id(struct printer *p, const char *file)
{
    if (file && file == p->file)
        return p->id;
    const char *name = name_of(p->names, file ? file : "");
    uintptr_t id = (uintptr_t)map_get(p->file_ids, (uintptr_t)name);
    if (!id) {
        LIST_ADD(p->scratch, &p->files, name);
        id = (uintptr_t)p->files.count;
        map_put(p->file_ids, (uintptr_t)name, (void *)id);
    }
    p->file = file;
    p->id = (int)id - 1;
    return p->id;
}

static void put_span(struct printer *p, const struct span *s)
{
    if (s->line == 0)
        return;
    int id = file_id(p, s->file);
    text_add(p->out, " @");
    if (id) {
        put_numbered(p->out, "f", id);
        text_add(p->out, ":");
    }
    text_add_number(p->out, s->line);
    put_numbered(p->out, ":", s->column);
    text_add(p->out, "-");
    if (s->end_line != s->line) {
        text_add_number(p->out, s->end_line);
        text_add(p->out, ":");
    }
    text_add_number(p->out, s->end_column);
}

static void end_line(struct printer *p, const struct span *s)
{
    put_span(p, s);
    text_add(p->out, "\n");
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void put_local(struct printer *p, const struct ir_inst *inst)
{
    int64_t i = inst->integer;
    put_numbered(p->out, "$", i);
    if (i >= 0 && i < p->function->locals.count)
        put_optional_name(p->out, p->function->locals.items[i].name);
}

static void put_field(struct printer *p, const struct ir_inst *inst)
{
    text_add_number(p->out, inst->integer);
    put_optional_name(p->out, inst->name);
}

/* "dtype=" or "x: ", for which the label ends in a colon. */
static void put_label(struct printer *p, const char *label)
{
    size_t length = strlen(label);
    bool is_annotation = label[length - 1] == ':';
    put_name(p->out,
             is_annotation ? arena_printf(p->scratch, "%.*s", (int)length - 1, label) : label);
    text_add(p->out, is_annotation ? ": " : "=");
}

/* "%3", "dtype=%3", "*%3", "x: %3", "%3: " */
static void put_labelled(struct printer *p, const struct ir_inst *inst, int i)
{
    const char *label = inst->labels && inst->labels[i] ? inst->labels[i] : "";
    bool is_key = is_key_label(label), is_spread = is_spread_label(label);
    if (is_spread)
        text_add(p->out, label);
    else if (*label && !is_key)
        put_label(p, label);
    put_numbered(p->out, "%", inst->args[i]);
    text_add(p->out, is_key ? ": " : "");
}

static void put_rest(struct printer *p, const struct ir_inst *inst, int from)
{
    text_add(p->out, "(");
    for (int i = from; i < inst->arg_count; i++) {
        bool is_value =
            i > from && inst->labels && inst->labels[i - 1] && is_key_label(inst->labels[i - 1]);
        text_add(p->out, i > from && !is_value ? ", " : "");
        put_labelled(p, inst, i);
    }
    text_add(p->out, ")");
}

static void put_cases(struct printer *p, const struct ir_inst *inst)
{
    for (int i = 0; i < inst->case_count; i++) {
        const struct ir_case *c = &inst->cases[i];
        put_numbered(p->out, i ? ", " : "", c->low);
        if (c->high != c->low)
            put_numbered(p->out, "..", c->high);
        put_numbered(p->out, ": b", c->block);
    }
}

/* How many of an instruction's operands and targets were printed. */
struct progress {
    int arg, target;
};

static void put_operand(struct printer *p, const struct ir_inst *inst, struct progress *at)
{
    int i = at->arg++;
    put_numbered(p->out, "%", i < inst->arg_count ? inst->args[i] : 0);
}

/* One item of the form (private.h). */
static void put_item(struct printer *p, const struct ir_inst *inst, char item, struct progress *at)
{
    switch (item) {
    case 'v':
    case '?':
        put_operand(p, inst, at);
        break;
    case 'i':
        text_add_number(p->out, inst->integer);
        break;
    case 'r':
        put_real(p->out, inst->real);
        break;
    case 's':
        put_string(p->out, inst->name);
        break;
    case 'n':
        put_name(p->out, inst->name ? inst->name : "");
        break;
    case 'l':
        put_local(p, inst);
        break;
    case 'p':
        text_add(p->out, ir_protocol_text((enum ir_protocol)inst->integer));
        break;
    case 'm':
        text_add(p->out, ir_kind_text((enum ir_kind)inst->integer));
        break;
    case 'f':
        put_field(p, inst);
        break;
    case 'b':
        put_numbered(p->out, "b", inst->target[at->target++]);
        break;
    case 'c':
        if (inst->name)
            put_name(p->out, inst->name);
        else
            put_operand(p, inst, at);
        break;
    case '*':
        put_rest(p, inst, at->arg);
        break;
    case 'k':
        put_cases(p, inst);
        break;
    }
}

static bool item_absent(const struct ir_inst *inst, char item)
{
    return (item == '?' && inst->arg_count == 0) || (item == 's' && !inst->name) ||
           (item == 'k' && inst->case_count == 0);
}

static void put_items(struct printer *p, const struct ir_inst *inst)
{
    struct progress at = {0, 0};
    const char *between = " ";
    for (const char *item = ir_op_form(inst->op); *item; item++) {
        if (item_absent(inst, *item))
            continue;
        text_add(p->out, *item == '*' ? "" : between);
        put_item(p, inst, *item, &at);
        between = ", ";
    }
}

static void put_inst(struct printer *p, int index, bool numbered)
{
    const struct ir_inst *inst = &p->function->insts.items[index];
    bool arith = inst->op == IR_UNARY || inst->op == IR_BINARY;
    text_add(p->out, "    ");
    if (inst->type || numbered)
        put_numbered(p->out, inst->type ? "%" : "#", index);
    text_add(p->out, inst->type ? " = " : numbered ? " " : "");
    text_add(p->out, arith ? ir_arith_text(inst->arith) : ir_op_text(inst->op));
    put_items(p, inst);
    if (inst->type)
        put_type(p, inst->type);
    end_line(p, &inst->span);
}

/* ---- functions and units --------------------------------------------------------------------- */

/* Whether the numbers of instructions without a value do not increase from line to line. */
static bool needs_numbers(const struct ir_function *f)
{
    int last = 0;
    for (int b = 0; b < f->blocks.count; b++)
        for (int i = 0; i < f->blocks.items[b].count; i++) {
            int index = f->blocks.items[b].insts[i];
            if (f->insts.items[index].type)
                continue;
            if (index < last)
                return true;
            last = index;
        }
    return false;
}

static void put_mode(struct printer *p, const struct ir_local *l)
{
    put_optional_name(p->out, ir_mode_text(l->mode));
    if (l->mode == MODE_CAPTURED)
        put_numbered(p->out, " $", l->outer);
    text_add(p->out, l->has_default ? " default" : "");
}

static void put_locals(struct printer *p, const struct ir_function *f)
{
    for (int i = 0; i < f->locals.count; i++) {
        const struct ir_local *l = &f->locals.items[i];
        const char *word = i < f->param_count ? "param" : l->is_static ? "static" : "local";
        put_numbered(p->out, "    $", i);
        text_add(p->out, " = ");
        text_add(p->out, word);
        put_optional_name(p->out, l->name);
        put_type(p, l->type);
        put_mode(p, l);
        end_line(p, &l->span);
    }
}

static void put_blocks(struct printer *p, const struct ir_function *f)
{
    bool numbered = needs_numbers(f);
    for (int b = 0; b < f->blocks.count; b++) {
        put_numbered(p->out, "b", b);
        text_add(p->out, ":");
        if (f->blocks.items[b].catch)
            put_numbered(p->out, " catch b", f->blocks.items[b].catch);
        text_add(p->out, "\n");
        for (int i = 0; i < f->blocks.items[b].count; i++)
            put_inst(p, f->blocks.items[b].insts[i], numbered);
    }
}

static void put_function(struct printer *p, const struct ir_function *f)
{
    bool braces = f->has_body || f->locals.count;
    p->function = f;
    text_add(p->out, f->has_body ? "\nfunc " : "\ndeclare ");
    put_name(p->out, f->name);
    put_type(p, f->type);
    text_add(p->out, f->is_internal ? " internal" : "");
    text_add(p->out, f->is_partial ? " partial" : "");
    put_span(p, &f->span);
    text_add(p->out, braces ? " {\n" : "\n");
    if (!braces)
        return;
    put_locals(p, f);
    put_blocks(p, f);
    text_add(p->out, "}\n");
}

static void put_constants(struct printer *p, const char *constants)
{
    if (!constants)
        return;
    text_add(p->out, " enum ");
    put_string(p->out, constants);
}

static void put_record(struct printer *p, const struct type *t)
{
    text_add(p->out, t->is_union ? "\nunion " : "\nrecord ");
    put_record_name(t->name, p->out);
    if (t->spelled) {
        text_add(p->out, " as ");
        put_string(p->out, t->spelled);
    }
    text_add(p->out, " {\n");
    for (int i = 0; i < t->field_count; i++) {
        text_add(p->out, "    ");
        put_name(p->out, t->fields[i].name);
        put_type(p, t->fields[i].type);
        text_add(p->out, t->fields[i].flags & FIELD_TO_CONST ? " const" : "");
        text_add(p->out, t->fields[i].flags & FIELD_FIXED ? " fixed" : "");
        put_constants(p, t->fields[i].constants);
        text_add(p->out, "\n");
    }
    text_add(p->out, "}\n");
}

static void put_global(struct printer *p, const struct ir_global *g)
{
    text_add(p->out, "global ");
    put_name(p->out, g->name);
    put_type(p, g->type);
    text_add(p->out, g->is_internal ? " internal" : "");
    text_add(p->out, g->is_extern ? " extern" : "");
    text_add(p->out, g->is_const ? " const" : "");
    end_line(p, &g->span);
}

static void put_note(struct printer *p, const struct ir_note *n)
{
    text_add(p->out, "note ");
    put_string(p->out, n->text);
    end_line(p, &n->span);
}

/* "(init)" is in every unit, so an empty one is not printed. */
static bool is_empty_init(const struct ir_function *f)
{
    return strcmp(f->name, IR_INIT) == 0 && !f->has_body && f->locals.count == 0;
}

static void put_body(struct printer *p)
{
    const struct ir_unit *u = p->unit;
    for (int i = 0; i < u->records.count; i++)
        put_record(p, u->records.items[i]);
    text_add(p->out, u->globals.count ? "\n" : "");
    for (int i = 0; i < u->globals.count; i++)
        put_global(p, u->globals.items[i]);
    for (int i = 0; i < u->functions.count; i++)
        if (i > 0 || !is_empty_init(u->functions.items[i]))
            put_function(p, u->functions.items[i]);
    text_add(p->out, u->notes.count ? "\n" : "");
    for (int i = 0; i < u->notes.count; i++)
        put_note(p, &u->notes.items[i]);
}

static void put_head(struct printer *p, struct text *out)
{
    const struct ir_unit *u = p->unit;
    text_add(out, "unit ");
    put_string(out, naming_of(p->naming, p->scratch, u->file));
    text_add(out, "\n");
    if (strcmp(u->language, IR_LANGUAGE) != 0) {
        text_add(out, "language ");
        put_name(out, u->language);
        text_add(out, "\n");
    }
    if (u->errors || u->first_error) {
        text_printf(out, "errors %d", u->errors);
        text_add(out, u->first_error ? " " : "");
        if (u->first_error)
            put_string(out, naming_of_error(p->naming, p->scratch, u->first_error));
        text_add(out, "\n");
    }
    for (int i = 1; i < p->files.count; i++) {
        text_printf(out, "file f%d ", i);
        put_string(out, naming_of(p->naming, p->scratch, p->files.items[i]));
        text_add(out, "\n");
    }
}

/* The body is printed first: only then are the files known that the head lists. */
void ir_print_naming(const struct ir_unit *u, const struct ir_naming *n, struct text *out)
{
    struct text body = {0};
    struct arena *scratch = arena_new();
    struct printer p = {.unit = u,
                        .out = &body,
                        .scratch = scratch,
                        .names = names_new(scratch),
                        .file_ids = map_new(scratch),
                        .naming = n};
    file_id(&p, u->file);
    put_body(&p);
    put_head(&p, out);
    if (body.length)
        text_add_range(out, body.data, body.length);
    text_free(&body);
    arena_free(scratch);
}

bool ir_print_function(const struct ir_unit *u, const struct ir_function *f, struct text *out)
{
    struct arena *scratch = arena_new();
    struct printer p = {.unit = u,
                        .out = out,
                        .scratch = scratch,
                        .names = names_new(scratch),
                        .file_ids = map_new(scratch)};
    file_id(&p, u->file);
    put_function(&p, f);
    bool within = p.files.count == 1;
    arena_free(scratch);
    return within;
}

void ir_print(const struct ir_unit *u, struct text *out)
{
    ir_print_naming(u, NULL, out);
}
