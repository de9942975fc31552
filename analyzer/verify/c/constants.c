/* Numbers and letters that a program compares with something: candidates for what it reads.
 * Constants come in from its comparisons, cases and remainders; with each number its neighbours go
 * out, because a bug may be on either side of it. */
#include "analyzer/verify/c/private.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 24, MOST_LETTERS = 24, LARGEST = 100000 };

static void add_once(struct verifier *v, text_list *l, const char *word, int most)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], word))
            return;
    if (l->count < most)
        LIST_ADD(v->arena, l, word);
}

/* A character: also what functions return that read one. */
static bool is_char(const struct ir_function *f, ir_value value)
{
    static const char *const readers[] = {"fgetc", "getc", "getchar", "toupper", "tolower"};
    const struct ir_inst *i = &f->insts.items[value_behind(f, value)];
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
        if (i->op == IR_CALL && i->name && !strcmp(i->name, readers[k]))
            return true;
    return i->type && i->type->kind == TYPE_INT && i->type->bits == 8;
}

static void add_letter(struct verifier *v, struct constants *out, int64_t letter)
{
    if (letter > ' ' && letter < 127 && isalnum((int)letter))
        add_once(v, &out->letters, arena_printf(v->arena, "%c", (char)letter), MOST_LETTERS);
    if (letter > ' ' && letter < 127 && ispunct((int)letter))
        add_once(v, &out->marks, arena_printf(v->arena, "%c", (char)letter), MOST_LETTERS);
    out->dashes |= letter == '-';
}

static void add_number(struct verifier *v, struct constants *out, int64_t n)
{
    if (n > LARGEST || n < -LARGEST)
        return;
    for (int64_t k = 0; k < 3; k++)
        add_once(v, &out->numbers,
                 arena_printf(v->arena, "%lld", (long long)(n + (k == 2 ? -1 : k))), MOST_NUMBERS);
}

static void add_constant(struct verifier *v, struct constants *out, const struct ir_function *f,
                         const struct ir_inst *constant, ir_value other)
{
    if (constant->op == IR_INT && is_char(f, other))
        add_letter(v, out, constant->integer);
    else if (constant->op == IR_INT)
        add_number(v, out, constant->integer);
    else if (constant->op == IR_REAL && fabs(constant->real) < LARGEST)
        for (int k = -1; k < 2; k++)
            add_once(v, &out->numbers, arena_printf(v->arena, "%g", constant->real + 0.25 * k),
                     MOST_NUMBERS);
}

static void read_cases(struct verifier *v, struct constants *out, const struct ir_function *f,
                       const struct ir_inst *i)
{
    for (int k = 0; k < i->case_count; k++) {
        int64_t low = i->cases[k].low;
        if (is_char(f, i->args[0]) || isalpha((int)(low & 127)))
            add_letter(v, out, low);
        if (!is_char(f, i->args[0]))
            add_number(v, out, low);
    }
}

/* count(word, 'h') */
static void read_arguments(struct verifier *v, struct constants *out, const struct ir_function *f,
                           const struct ir_inst *call)
{
    for (int k = 0; k < call->arg_count; k++) {
        const struct ir_inst *given = &f->insts.items[call->args[k]];
        const struct ir_inst *constant = &f->insts.items[value_behind(f, call->args[k])];
        bool is_letter = given->type && given->type->kind == TYPE_INT && given->type->bits == 8;
        if (is_letter && constant->op == IR_INT)
            add_letter(v, out, constant->integer);
    }
}

static bool compares(const struct ir_inst *i)
{
    return i->op == IR_BINARY && i->arg_count == 2 &&
           ((i->arith >= ARITH_EQ && i->arith <= ARITH_GE) || i->arith == ARITH_REM);
}

void constants_add(struct verifier *v, struct constants *out, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_SWITCH)
            read_cases(v, out, f, i);
        if (i->op == IR_CALL)
            read_arguments(v, out, f, i);
        for (int k = 0; k < 2 && compares(i); k++)
            add_constant(v, out, f, &f->insts.items[value_behind(f, i->args[k])], i->args[1 - k]);
    }
}
