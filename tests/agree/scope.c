/* Lines of a program, and the variables that are in scope where the next one goes. */
#include "tests/agree/generator.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- chance ---------------------------------------------------------------------------------- */

uint64_t chance_next(struct chance *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int chance_below(struct chance *c, int n)
{
    return (int)(chance_next(c) % (uint64_t)n);
}

bool chance_percent(struct chance *c, int percent)
{
    return chance_below(c, 100) < percent;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_line(struct generator *g, const char *fmt, va_list args)
{
    char line[400];
    vsnprintf(line, sizeof line, fmt, args);
    text_printf(g->out, "%*s%s\n", g->indent * 4, "", line);
}

void put(struct generator *g, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_line(g, fmt, args);
    va_end(args);
}

void block_open(struct generator *g, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    put_line(g, fmt, args);
    va_end(args);
    g->indent++;
    g->depth++;
}

static bool part_used(const struct generator *g, const char *whole)
{
    for (int i = 0; i < g->var_count; i++)
        if (g->vars[i].used && !strcmp(g->vars[i].whole, whole))
            return true;
    return false;
}

void discard_unused(struct generator *g, int from)
{
    for (int i = from; i < g->var_count; i++) {
        struct var *v = &g->vars[i];
        if (v->used || (*v->whole && part_used(g, v->whole)))
            continue;
        put(g, "(void)%s;", *v->whole ? v->whole : v->text);
        take(v);
    }
}

void block_close(struct generator *g, int vars, const char *end)
{
    discard_unused(g, vars);
    g->var_count = vars;
    g->indent--;
    g->depth--;
    put(g, "%s", end);
}

void op_written(struct generator *g)
{
    g->p->ops++;
    g->left--;
    g->cost += g->times;
}

/* ---- variables ------------------------------------------------------------------------------- */

struct var *var_new(struct generator *g, const char *text, struct kind kind, bool local)
{
    if (g->var_count == MAX_VARS)
        BUG("%s: more than %d variables in scope", g->p->name, MAX_VARS);
    struct var *v = &g->vars[g->var_count++];
    *v = (struct var){.kind = kind, .local = local, .used = !local};
    snprintf(v->text, sizeof v->text, "%s", text);
    return v;
}

struct var *var_part(struct generator *g, const char *whole, const char *part, struct kind kind)
{
    char text[40];
    snprintf(text, sizeof text, "%.20s%.16s", whole, part);
    struct var *v = var_new(g, text, kind, false);
    snprintf(v->whole, sizeof v->whole, "%s", whole);
    v->used = false;
    return v;
}

struct var *var_named(struct generator *g, const char *stem, struct kind kind)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", stem, ++g->names);
    return var_new(g, name, kind, true);
}

/* The newest are wanted most, and those not used yet. */
static struct var *pick(struct generator *g, enum shape shape, bool local)
{
    int found[MAX_VARS * 4], count = 0;
    for (int i = 0; i < g->var_count; i++) {
        const struct var *v = &g->vars[i];
        if (v->kind.shape != shape || (local && !v->local))
            continue;
        int weight = 1 + !v->used + (i + 6 > g->var_count);
        while (weight-- > 0)
            found[count++] = i;
    }
    return count ? &g->vars[found[chance_below(&g->chance, count)]] : NULL;
}

struct var *var_pick(struct generator *g, enum shape shape)
{
    return pick(g, shape, false);
}

struct var *var_pick_local(struct generator *g, enum shape shape)
{
    return pick(g, shape, true);
}

const char *take(struct var *v)
{
    v->used = true;
    return v->text;
}

struct kind kind_join(struct kind a, struct kind b)
{
    bool floats = a.likely >= LIKELY_F16 && b.likely >= LIKELY_F16 && a.likely != LIKELY_ANY &&
                  b.likely != LIKELY_ANY;
    if (a.likely != b.likely)
        a.likely = floats ? LIKELY_FLOAT : LIKELY_ANY;
    if (a.home != b.home)
        a.home = HOME_ANY;
    return a;
}

struct var *declare(struct generator *g, const char *stem, const struct call *c)
{
    struct var *v = var_named(g, stem, c->kind);
    put(g, "mc_tensor *%s = %s;", v->text, c->text);
    op_written(g);
    return v;
}

const char *config(struct generator *g)
{
    return g->config;
}

const char *config_pointer(struct generator *g)
{
    return strcmp(g->config, "c->") ? "m->config" : "c";
}
