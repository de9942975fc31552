/* Rows that are programs, from text to statements: `add t3 2.5; sum t4` with the outcomes
 * `f32:2x3 1.5; f32: 0.75`. Whatever is not understood makes the row one that is skipped. */
#include "tests/truth/programs.h"

#include "tests/truth/helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what statements can do ------------------------------------------------------------------ */

#define T(name, i) mc_tensor *name = operands[i].as.tensor
#define N(name, i) mc_arg name = operands[i]
#define WITH_T     T(a, 0)
#define WITH_TT                                                                                    \
    WITH_T;                                                                                        \
    T(b, 1)
#define WITH_TN                                                                                    \
    WITH_T;                                                                                        \
    N(b, 1)
#define WITH_TTT                                                                                   \
    WITH_TT;                                                                                       \
    T(c, 2)
#define WITH_TTN                                                                                   \
    WITH_TT;                                                                                       \
    N(c, 2)
#define WITH_TNT                                                                                   \
    WITH_TN;                                                                                       \
    T(c, 2)
#define WITH_TNN                                                                                   \
    WITH_TN;                                                                                       \
    N(c, 2)

#define OP(name, letters, ...)                                                                     \
    static mc_tensor *run_##name(const mc_arg *operands)                                           \
    {                                                                                              \
        WITH_##letters;                                                                            \
        return __VA_ARGS__;                                                                        \
    }
#define ACT(name, ...)                                                                             \
    static void act_##name(const mc_arg *operands)                                                 \
    {                                                                                              \
        WITH_T;                                                                                    \
        (void)(__VA_ARGS__);                                                                       \
    }
#include "tests/truth/programs.def"
#undef OP
#undef ACT

static const struct deed deeds[] = {
#define OP(name, letters, ...) {#name, #letters, run_##name, NULL, #__VA_ARGS__},
#define ACT(name, ...)         {#name, "T", NULL, act_##name, #__VA_ARGS__},
#include "tests/truth/programs.def"
#undef OP
#undef ACT
};

static const struct deed *deed_find(const char *name)
{
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(deeds[i].name, name) == 0)
            return &deeds[i];
    return NULL;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The next word, cut off; NULL: there is none. */
static char *next_word(char **text)
{
    char *word = *text;
    size_t length = strcspn(word, " ");
    if (!length)
        return NULL;
    *text = word + length + (word[length] == ' ');
    word[length] = '\0';
    return word;
}

static bool parse_shape(const char *text, mc_shape *shape)
{
    long all = 1;
    *shape = (mc_shape){0};
    if (strcmp(text, "-") == 0)
        return true;
    while (*text) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n < 0 || n > ELEMENTS_MOST || (all *= n) > ELEMENTS_MOST ||
            shape->ndim == MC_MAX_DIMS || (*end && *end != 'x'))
            return false;
        shape->dims[shape->ndim++] = n;
        text = end + (*end == 'x');
    }
    return true;
}

static bool parse_number(const char *text, struct given *to)
{
    char *end;
    to->tensor = -1;
    to->text = text;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        to->number = mc_arg_bool(*text == 't');
        to->text = *text == 't' ? "(bool)1" : "(bool)0";
        return true;
    }
    to->number = mc_arg_int(strtoll(text, &end, 10));
    if (*end)
        to->number = mc_arg_float(strtod(text, &end));
    return end != text && !*end;
}

/* `t7`, a statement before this one, or a number. */
static bool parse_given(const char *word, int before, struct given *to)
{
    char *end;
    if (*word != 't' || strcmp(word, "true") == 0)
        return parse_number(word, to);
    to->tensor = (int)strtol(word + 1, &end, 10);
    to->number = mc_arg_tensor(NULL);
    return end != word + 1 && !*end && to->tensor >= 0 && to->tensor < before;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* `leaf f16@cuda 2x3 4` */
static bool parse_new(struct statement *s, char *rest)
{
    char *what = next_word(&rest), *shape = next_word(&rest), *seed = next_word(&rest);
    char *at = what ? strchr(what, '@') : NULL;
    if (!seed || *rest || (at && strcmp(at, "@cuda") != 0) || !parse_shape(shape, &s->shape))
        return false;
    if (at)
        *at = '\0';
    s->kind = STATEMENT_NEW;
    s->device = at ? MC_CUDA : MC_CPU;
    s->dtype = operand_dtype(what);
    s->seed = atoi(seed);
    return s->dtype != MC_DTYPE_DEFAULT;
}

static bool parse_autocast(struct statement *s, char *rest)
{
    char *device = next_word(&rest), *dtype = next_word(&rest);
    s->kind = STATEMENT_AUTOCAST;
    s->device = device && strcmp(device, "cuda") == 0 ? MC_CUDA : MC_CPU;
    s->dtype = dtype ? operand_dtype(dtype) : MC_DTYPE_DEFAULT;
    return s->dtype != MC_DTYPE_DEFAULT && !*rest;
}

/* What an end ends. */
static bool find_open(const struct program *p, struct statement *s)
{
    int closed = 0;
    s->kind = STATEMENT_END;
    for (int i = p->count - 1; i >= 0; i--) {
        enum statement_kind kind = p->statements[i].kind;
        if (kind == STATEMENT_END)
            closed++;
        else if (kind >= STATEMENT_NO_GRAD && closed-- == 0) {
            s->opened = i;
            return true;
        }
    }
    return false;
}

static bool letters_fit(const struct statement *s, const char *letters)
{
    for (int i = 0; i < s->count; i++)
        if (!letters[i] || (letters[i] == 'T' && s->given[i].tensor < 0))
            return false;
    return !letters[s->count];
}

static bool find_call(struct statement *s, const char *name)
{
    struct operand operands[STATEMENT_OPERANDS] = {0};
    s->kind = STATEMENT_DEED;
    s->deed = deed_find(name);
    if (s->deed)
        return letters_fit(s, s->deed->letters);
    for (int i = 0; i < s->count; i++)
        operands[i].kind = s->given[i].tensor < 0 ? OPERAND_NUMBER : OPERAND_TENSOR;
    s->kind = STATEMENT_CALL;
    s->entry =
        s->count && s->count < STATEMENT_OPERANDS ? entry_find(name, operands, s->count) : NULL;
    return s->entry && s->entry->run;
}

static bool parse_statement(const struct program *p, struct statement *s, char *text)
{
    char *rest = text, *name = next_word(&rest), *word;
    if (!name)
        return false;
    s->leaf = strcmp(name, "leaf") == 0;
    if (s->leaf || strcmp(name, "new") == 0)
        return parse_new(s, rest);
    if (strcmp(name, "autocast") == 0)
        return parse_autocast(s, rest);
    if (strcmp(name, "end") == 0)
        return find_open(p, s);
    s->kind = strcmp(name, "no_grad") == 0 ? STATEMENT_NO_GRAD : STATEMENT_ENABLE_GRAD;
    if (s->kind == STATEMENT_NO_GRAD || strcmp(name, "enable_grad") == 0)
        return !*rest;
    while ((word = next_word(&rest)))
        if (s->count == STATEMENT_OPERANDS || !parse_given(word, p->count, &s->given[s->count++]))
            return false;
    return find_call(s, name);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* Cuts off what is before the next "; ". */
static char *next_part(char **text)
{
    char *part = *text, *end = strstr(part, "; ");
    *text = end ? end + 2 : part + strlen(part);
    if (end)
        *end = '\0';
    return part;
}

const char *program_parse(struct program *p, const struct row *row)
{
    size_t args = strlen(row->args) + 1, outcome = strlen(row->outcome) + 1;
    *p = (struct program){.text = malloc(2 * args + outcome)};
    if (!p->text)
        return "no memory";
    char *shown = memcpy(p->text, row->args, args);
    char *cut = memcpy(p->text + args, row->args, args);
    char *outcomes = memcpy(p->text + 2 * args, row->outcome, outcome);
    while (*cut) {
        struct statement *s = &p->statements[p->count];
        if (p->count == STATEMENTS_MOST || !*outcomes)
            return "too many statements";
        *s = (struct statement){.text = next_part(&shown), .outcome = next_part(&outcomes)};
        if (!parse_statement(p, s, next_part(&cut)))
            return "a statement that is not understood";
        p->count++;
    }
    return p->count && !*outcomes ? NULL : "statements and outcomes do not go together";
}

void program_free(struct program *p)
{
    free(p->text);
    p->text = NULL;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

bool recorded_parse(const char *outcome, struct recorded *to)
{
    char shape[40] = "", where[24] = "";
    int end = 0;
    *to = (struct recorded){0};
    if (sscanf(outcome, "%7[a-z0-9]:%n", to->dtype, &end) != 1 || !end)
        return false;
    outcome += end;
    size_t length = strspn(outcome, "0123456789x");
    size_t flags = strcspn(outcome + length, " ");
    if (length >= sizeof shape || flags >= sizeof where || !outcome[length + flags])
        return false;
    memcpy(shape, outcome, length);
    memcpy(where, outcome + length, flags);
    to->cuda = strncmp(where, "@cuda", 5) == 0;
    to->requires_grad = strchr(where, '+') != NULL;
    to->leaf = strstr(where, "+grad") == NULL;
    to->value = outcome + length + flags + 1;
    return parse_shape(shape, &to->shape);
}

void program_report(const struct check *c, const struct program *p, int at, const char *verb)
{
    const struct statement *s = &p->statements[at];
    printf("%s:%d: statement %d, %s", c->file, c->row.line, at, s->text);
    for (int i = 0; i < s->count; i++)
        if (s->given[i].tensor >= 0)
            printf("%s%s", i ? ", " : " (", p->statements[s->given[i].tensor].outcome);
    printf("%s: expected %s, %s %s\n", s->count ? ")" : "", s->outcome, verb, c->got);
}
