/* The arguments of a harness: slots come in, command lines go out. At first everything is small,
 * f32 and on the CPU, and conditions of the finding set numbers; after each run repair.c changes
 * the slots. */
#include "analyzer/verify/c/private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

slot_list slots_copy(struct verifier *v, const slot_list *from)
{
    slot_list to = {0};
    for (int i = 0; i < from->count; i++)
        LIST_ADD(v->arena, &to, from->items[i]);
    return to;
}

static const char *const *slots_arguments(struct verifier *v, const slot_list *slots)
{
    const char **words = arena_array(v->arena, const char *, slots->count + 1);
    for (int i = 0; i < slots->count; i++) {
        const struct harness_slot *s = &slots->items[i];
        struct text t = {0};
        if (s->kind == SLOT_NUMBER)
            text_printf(&t, "%.17g", s->number);
        else
            text_printf(&t, "%s %s %d", s->dtype, s->device, s->grad);
        for (int k = 0; s->kind == SLOT_TENSOR && k < s->ndim; k++)
            text_printf(&t, " %d", s->shape[k]);
        words[i] = text_keep(v->arena, &t);
    }
    return words;
}

/* ---- steering ---------------------------------------------------------------------------------
 */

/* A condition as it is written: PATH, !PATH, or PATH OPERATOR NUMBER. */
struct tested {
    char path[128];
    char operator[3];
    double number;
};

static const char *skip(const char *s)
{
    while (isspace((unsigned char)*s) || *s == '(')
        s++;
    return s;
}

static bool read_condition(const char *text, struct tested *t, bool *truth)
{
    size_t n = 0;
    text = skip(text);
    for (; *text == '!' && text[1] != '='; text = skip(text + 1))
        *truth = !*truth;
    while ((isalnum((unsigned char)text[n]) || strchr("_.->[]", text[n])) && text[n] &&
           !(text[n] == '>' && (!n || text[n - 1] != '-')) &&
           !(text[n] == '-' && text[n + 1] != '>') && n + 1 < sizeof t->path)
        n++;
    if (!n)
        return false;
    memcpy(t->path, text, n);
    t->path[n] = '\0';
    text = skip(text + n);
    while (*text == ')')
        text = skip(text + 1);
    strcpy(t->operator, "!=");
    t->number = 0;
    if (!*text)
        return true;
    n = strspn(text, "=!<>");
    if (!n || n > 2)
        return false;
    memcpy(t->operator, text, n);
    t->operator[n] = '\0';
    char *end;
    text = skip(text + n);
    t->number = strtod(text, &end);
    return end != text;
}

/* A number for which the comparison has that result. */
static double fitting(const struct tested *t, bool truth)
{
    bool equal =
        !strcmp(t->operator, "==") || !strcmp(t->operator, "<=") || !strcmp(t->operator, ">=");
    bool less = t->operator[0] == '<', more = t->operator[0] == '>';
    if (less || more)
        return equal == truth ? t->number : t->number + (less == truth ? -1 : 1);
    if (equal == truth)
        return t->number;
    return t->number == 0 ? 1 : 0;
}

const char *last_part(const char *path)
{
    const char *last = path;
    for (const char *c = path; *c; c++)
        if (*c == '.' || *c == '>')
            last = c + 1;
    return last;
}

/* By the whole path, else by the name of the field: a called function has another path to it. */
static void set_numbers(slot_list *slots, const char *path, double number)
{
    bool found = false;
    for (int pass = 0; pass < 2 && !found; pass++)
        for (int i = 0; i < slots->count; i++) {
            struct harness_slot *s = &slots->items[i];
            bool same =
                pass ? !strcmp(last_part(s->path), last_part(path)) : !strcmp(s->path, path);
            if (s->kind != SLOT_NUMBER || !same)
                continue;
            s->number = number;
            found = true;
        }
}

static void steer(struct verifier *v, slot_list *slots, const struct condition *c)
{
    const struct source *s = c->span.line ? sources_get(v->sources, c->span.file) : NULL;
    struct tested t;
    bool truth = c->truth;
    if (!s || !read_condition(source_text(v->arena, s, &c->span), &t, &truth))
        return;
    if (c->is_case)
        set_numbers(slots, t.path, c->truth ? (double)c->value : (double)c->value + 1);
    else
        set_numbers(slots, t.path, fitting(&t, truth));
}

static void slots_steer(struct verifier *v, slot_list *slots, const struct finding *f)
{
    if (!f->failure)
        return;
    for (const struct condition *c = f->failure->when; c; c = c->before)
        steer(v, slots, c);
    for (int i = 0; i < f->failure->operand_count; i++)
        for (const struct step *s = f->failure->operands[i].how; s; s = s->from[0])
            for (const struct condition *c = s->when; c; c = c->before)
                steer(v, slots, c);
}

/* ---- from run to run --------------------------------------------------------------------------
 */

/* Hill climbing: of all ways to change the slots, the first that gets further is taken. */
struct inputs {
    struct verifier *v;
    slot_list best, tried; /* that got furthest so far; of the last run */
    struct repair *repair; /* how to change the best; NULL: before the first run */
    int progress;          /* of the best */
};

struct inputs *c_inputs_for(struct verifier *v, const struct build *b, const struct finding *f)
{
    struct inputs *i = arena_one(v->arena, struct inputs);
    *i = (struct inputs){.v = v, .tried = slots_copy(v, &b->slots)};
    slots_steer(v, &i->tried, f);
    return i;
}

const char *const *c_inputs_next(struct inputs *i, const struct run *last)
{
    if (!last)
        return slots_arguments(i->v, &i->tried);
    int progress = run_progress(last);
    if (!i->repair || progress > i->progress) {
        i->best = i->tried;
        i->progress = progress;
        i->repair = repair_begin(i->v, &i->best, last);
    }
    return repair_next(i->repair, &i->tried) ? slots_arguments(i->v, &i->tried) : NULL;
}
