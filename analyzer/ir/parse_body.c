/* The half of the parser for functions: locals, then blocks of instructions. Instructions are
 * numbered at the end of a function: those that name a number have it, the others get the free
 * ones, in the order of the text. */
#include "analyzer/ir/parse.h"

#include <ctype.h>
#include <string.h>

/* An instruction that was read. */
struct pending {
    struct ir_inst inst;
    int number; /* 0: none was named */
    int block;
    const char *where;
};

struct body {
    struct parser *p;
    struct ir_function *f;
    const char *where;
    LIST(struct pending) insts;
};

/* ---- items of an instruction ----------------------------------------------------------------- */

/* While an instruction is read its operands and cases grow; they are copied at the end. */
struct reading {
    struct ir_inst *inst;
    LIST(ir_value) args;
    LIST(const char *) labels; /* as many; NULL: none */
    bool labelled;
    LIST(struct ir_case) cases;
    int targets;
};

/* "dtype=", or "x:", which is part of the label. */
static const char *read_name_label(struct body *b)
{
    struct scanner *s = &b->p->scan;
    const char *where = s->at, *name = scan_name(s);
    if (!*name || name[strlen(name) - 1] == ':' || *name == '*')
        scan_fail(s, where, "a label is a name");
    if (scan_char(s, ':'))
        return arena_printf(b->p->scratch, "%s:", name);
    scan_expect(s, '=');
    return name;
}

static void read_operand(struct body *b, struct reading *r)
{
    scan_expect(&b->p->scan, '%');
    ir_value v = scan_count(&b->p->scan);
    LIST_ADD(b->p->scratch, &r->args, v);
    LIST_ADD(b->p->scratch, &r->labels, NULL);
}

static void set_label(struct body *b, struct reading *r, const char *label)
{
    if (b->p->scan.failed || !r->labels.count)
        return;
    r->labels.items[r->labels.count - 1] = name_of(b->p->unit->names, label);
    r->labelled = true;
}

/* "%3", "dtype=%3", "*%3", "x: %3", "%3: " and its value */
static void read_labelled(struct body *b, struct reading *r)
{
    struct scanner *s = &b->p->scan;
    const char *label = NULL;
    if (scan_char(s, '*'))
        label = scan_char(s, '*') ? "**" : "*";
    else if (scan_at_name(s))
        label = read_name_label(b);
    read_operand(b, r);
    if (label)
        set_label(b, r, label);
    else if (scan_char(s, ':')) {
        set_label(b, r, ":");
        read_operand(b, r);
    }
}

static int read_block(struct body *b)
{
    scan_expect(&b->p->scan, 'b');
    return scan_count(&b->p->scan);
}

static void read_local(struct body *b, struct reading *r)
{
    struct scanner *s = &b->p->scan;
    scan_expect(s, '$');
    const char *where = s->at;
    int i = scan_count(s);
    r->inst->integer = i;
    if (i >= b->f->locals.count) {
        scan_fail(s, where, "there is no local $%d", i);
        return;
    }
    const char *name = scan_at_name(s) ? scan_name(s) : "";
    if (strcmp(name, b->f->locals.items[i].name) != 0)
        scan_fail(s, where, "local $%d is named \"%s\"", i, b->f->locals.items[i].name);
}

static void read_field(struct body *b, struct reading *r)
{
    struct scanner *s = &b->p->scan;
    r->inst->integer = scan_integer(s);
    r->inst->name = scan_at_name(s) ? scan_name(s) : name_of(s->names, "");
}

static void read_callee(struct body *b, struct reading *r)
{
    if (scan_peek(&b->p->scan) == '%')
        read_operand(b, r);
    else
        r->inst->name = scan_name(&b->p->scan);
}

static void read_rest(struct body *b, struct reading *r)
{
    struct scanner *s = &b->p->scan;
    scan_expect(s, '(');
    for (bool more = scan_peek(s) != ')'; more; more = scan_char(s, ','))
        read_labelled(b, r);
    scan_expect(s, ')');
}

static void read_case(struct body *b, struct reading *r)
{
    struct scanner *s = &b->p->scan;
    struct ir_case c = {.low = scan_integer(s)};
    c.high = c.low;
    if (scan_char(s, '.')) {
        scan_expect(s, '.');
        c.high = scan_integer(s);
    }
    scan_expect(s, ':');
    c.block = read_block(b);
    LIST_ADD(b->p->scratch, &r->cases, c);
}

static void read_cases(struct body *b, struct reading *r)
{
    do {
        read_case(b, r);
    } while (scan_char(&b->p->scan, ','));
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static void read_protocol(struct scanner *s, struct ir_inst *inst)
{
    size_t length;
    const char *at = scan_plain(s, &length);
    for (int i = 0; i < PROTOCOL_COUNT; i++)
        if (is_word(at, length, ir_protocol_text((enum ir_protocol)i))) {
            inst->integer = i;
            return;
        }
    scan_fail(s, at, "expected what is applied");
}

static void read_kind(struct scanner *s, struct ir_inst *inst)
{
    size_t length;
    const char *at = scan_plain(s, &length);
    for (int i = 0; i < KIND_COUNT; i++)
        if (is_word(at, length, ir_kind_text((enum ir_kind)i))) {
            inst->integer = i;
            return;
        }
    scan_fail(s, at, "expected what is made");
}

/* One item of the form (private.h). */
static void read_item(struct body *b, struct reading *r, char item)
{
    struct scanner *s = &b->p->scan;
    switch (item) {
    case 'v':
    case '?':
        read_operand(b, r);
        break;
    case 'i':
        r->inst->integer = scan_integer(s);
        break;
    case 'r':
        r->inst->real = scan_real(s);
        break;
    case 's':
        r->inst->name = scan_string(s);
        break;
    case 'n':
        r->inst->name = scan_name(s);
        break;
    case 'l':
        read_local(b, r);
        break;
    case 'p':
        read_protocol(s, r->inst);
        break;
    case 'm':
        read_kind(s, r->inst);
        break;
    case 'f':
        read_field(b, r);
        break;
    case 'b':
        r->inst->target[r->targets++] = read_block(b);
        break;
    case 'c':
        read_callee(b, r);
        break;
    case '*':
        read_rest(b, r);
        break;
    case 'k':
        read_cases(b, r);
        break;
    }
}

static bool item_follows(struct scanner *s, char item)
{
    const char *first = strchr("?%s\"k,", item); /* each optional item and what it begins with */
    return !first || scan_peek(s) == first[1];
}

static void read_items(struct body *b, struct ir_inst *inst)
{
    struct reading r = {.inst = inst};
    struct arena *a = b->p->unit->arena;
    bool first = true;
    for (const char *item = ir_op_form(inst->op); *item; item++) {
        if (!item_follows(&b->p->scan, *item))
            continue;
        if (!first && *item != '*')
            scan_expect(&b->p->scan, ',');
        read_item(b, &r, *item);
        first = false;
    }
    inst->arg_count = r.args.count;
    inst->args = arena_copy(a, r.args.items, (size_t)r.args.count * sizeof *r.args.items);
    inst->labels =
        r.labelled ? arena_copy(a, r.labels.items, (size_t)r.labels.count * sizeof *r.labels.items)
                   : NULL;
    inst->case_count = r.cases.count;
    inst->cases = arena_copy(a, r.cases.items, (size_t)r.cases.count * sizeof *r.cases.items);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool find_arith(const char *at, size_t length, struct ir_inst *inst)
{
    for (int i = 0; i < ARITH_COUNT; i++)
        if (is_word(at, length, ir_arith_text((enum ir_arith)i))) {
            inst->arith = (enum ir_arith)i;
            inst->op = ir_arith_operands(inst->arith) == 1 ? IR_UNARY : IR_BINARY;
            return true;
        }
    return false;
}

/* "unary" and "binary" are not written: the word of the operation implies them. */
static void read_op(struct scanner *s, struct ir_inst *inst)
{
    size_t length;
    const char *at = scan_plain(s, &length);
    if (find_arith(at, length, inst))
        return;
    for (int i = 0; i < IR_OP_COUNT; i++)
        if (i != IR_UNARY && i != IR_BINARY && is_word(at, length, ir_op_text((enum ir_op)i))) {
            inst->op = (enum ir_op)i;
            return;
        }
    scan_fail(s, at, "expected an instruction");
}

static int read_number(struct scanner *s)
{
    const char *where = s->at;
    int number = scan_count(s);
    if (number == 0)
        scan_fail(s, where, "instructions are numbered from 1");
    return number;
}

static void read_inst(struct body *b)
{
    struct scanner *s = &b->p->scan;
    scan_peek(s);
    struct pending next = {.where = s->at, .block = b->f->blocks.count - 1};
    bool yields = scan_char(s, '%');
    if (yields || scan_char(s, '#'))
        next.number = read_number(s);
    if (yields)
        scan_expect(s, '=');
    read_op(s, &next.inst);
    if (s->failed)
        return;
    read_items(b, &next.inst);
    if (yields)
        next.inst.type = parse_colon_type(b->p);
    next.inst.span = parse_span(b->p);
    scan_line_end(s);
    LIST_ADD(b->p->scratch, &b->insts, next);
}

/* ---- numbering ------------------------------------------------------------------------------- */

/* By number, the instruction that names it; NULL: free. */
static struct pending **named_numbers(struct body *b)
{
    int count = b->insts.count;
    struct pending **by_number = arena_array(b->p->scratch, struct pending *, count + 1);
    for (int i = 0; i < count; i++) {
        struct pending *next = &b->insts.items[i];
        if (next->number > count)
            scan_fail(&b->p->scan, next->where, "number %d, but there are only %d instructions",
                      next->number, count);
        else if (next->number && by_number[next->number])
            scan_fail(&b->p->scan, next->where, "number %d is used twice", next->number);
        else if (next->number)
            by_number[next->number] = next;
    }
    return by_number;
}

static void number_the_rest(struct body *b, struct pending **by_number)
{
    int free_number = 1;
    for (int i = 0; i < b->insts.count; i++) {
        struct pending *next = &b->insts.items[i];
        if (next->number)
            continue;
        while (by_number[free_number])
            free_number++;
        next->number = free_number;
        by_number[free_number] = next;
    }
}

static void place_insts(struct body *b)
{
    struct ir_unit *u = b->p->unit;
    struct pending **by_number = named_numbers(b);
    if (b->p->scan.failed)
        return;
    number_the_rest(b, by_number);
    const char **places = arena_array(b->p->scratch, const char *, b->insts.count + 1);
    places[0] = b->where;
    if (b->insts.count)
        LIST_ADD(u->code, &b->f->insts, (struct ir_inst){0});
    for (int i = 1; i <= b->insts.count; i++) {
        u->is_dynamic |= ir_op_is_dynamic(by_number[i]->inst.op);
        LIST_ADD(u->code, &b->f->insts, by_number[i]->inst);
        places[i] = by_number[i]->where;
    }
    for (int i = 0; i < b->insts.count; i++)
        ir_block_add(u, &b->f->blocks.items[b->insts.items[i].block], b->insts.items[i].number);
    map_put(b->p->function_places, (uintptr_t)b->f, places);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void read_mode(struct scanner *s, struct ir_local *l)
{
    for (int i = MODE_PLAIN + 1; i < MODE_COUNT && !l->mode; i++)
        if (scan_word(s, ir_mode_text((enum ir_mode)i)))
            l->mode = (enum ir_mode)i;
    if (l->mode == MODE_CAPTURED) {
        scan_expect(s, '$');
        l->outer = scan_count(s);
    }
    l->has_default = scan_word(s, "default");
}

static void read_local_line(struct body *b)
{
    struct scanner *s = &b->p->scan;
    const char *where = s->at;
    int i = b->f->locals.count;
    if (scan_count(s) != i)
        scan_fail(s, where, "expected the next local, $%d", i);
    scan_expect(s, '=');
    bool is_param = i < b->f->param_count, is_static = !is_param && scan_word(s, "static");
    if (!is_static && !scan_word(s, is_param ? "param" : "local"))
        scan_fail(s, s->at, "expected '%s'", is_param ? "param" : "local' or 'static");
    const char *name = scan_at_name(s) ? scan_name(s) : "";
    const struct type *type = parse_colon_type(b->p);
    ir_local_new(b->p->unit, b->f, name, type, (struct span){0});
    b->f->locals.items[i].is_static = is_static;
    read_mode(s, &b->f->locals.items[i]);
    b->f->locals.items[i].span = parse_span(b->p);
    scan_line_end(s);
}

/* "b3:", and not an instruction that begins with a b. */
static bool at_label(struct scanner *s)
{
    return scan_peek(s) == 'b' && isdigit((unsigned char)s->at[1]);
}

static void read_label(struct body *b)
{
    struct scanner *s = &b->p->scan;
    const char *where = s->at;
    if (read_block(b) != b->f->blocks.count)
        scan_fail(s, where, "expected the next block, b%d", b->f->blocks.count);
    scan_expect(s, ':');
    int catch = scan_word(s, "catch") ? read_block(b) : 0;
    scan_line_end(s);
    ir_block_new(b->p->unit, b->f);
    b->f->blocks.items[b->f->blocks.count - 1].catch = catch;
}

static void read_body(struct body *b, bool has_body)
{
    struct scanner *s = &b->p->scan;
    scan_expect(s, '{');
    scan_line_end(s);
    while (scan_char(s, '$'))
        read_local_line(b);
    if (has_body && !at_label(s))
        scan_fail(s, s->at, "expected a local or the first block, b0");
    while (has_body && scan_peek(s) && *s->at != '}') {
        if (at_label(s))
            read_label(b);
        else
            read_inst(b);
    }
    scan_expect(s, '}');
    place_insts(b);
}

/* Every unit has "(init)" from the start; all others are new. */
static struct ir_function *new_function(struct parser *p, const char *where, const char *name,
                                        const struct type *type)
{
    struct ir_function *f = ir_function_find(p->unit, name), *init = p->unit->functions.items[0];
    bool again = f && (f != init || map_get(p->function_places, (uintptr_t)f));
    if (again)
        scan_fail(&p->scan, where, "function %s is defined twice", name);
    if (type->kind != TYPE_FUNCTION)
        scan_fail(&p->scan, where, "function %s has a type that is not a function's", name);
    if (f == init && type != init->type)
        scan_fail(&p->scan, where, "%s is of type fn() void", name);
    return f ? f : ir_function_new(p->unit, name, type);
}

void parse_function(struct parser *p, bool has_body)
{
    struct scanner *s = &p->scan;
    scan_peek(s);
    const char *where = s->at, *name = scan_name(s);
    const struct type *type = parse_colon_type(p);
    if (s->failed)
        return;
    struct ir_function *f = new_function(p, where, name, type);
    struct body b = {.p = p, .f = f, .where = where};
    f->is_internal = scan_word(s, "internal");
    f->is_partial = scan_word(s, "partial");
    f->span = parse_span(p);
    if (s->failed)
        return;
    if (has_body || scan_peek(s) == '{')
        read_body(&b, has_body);
    else
        place_insts(&b);
    parse_span_end(p, &f->span);
    scan_line_end(s);
}
