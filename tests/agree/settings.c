/* Settings of a program: which questions it asks, how main reads the answers, and the command lines
 * and environments that give all combinations of them. */
#include "tests/agree/everyday.h"

#include <stdio.h>
#include <string.h>

/* ---- choosing -------------------------------------------------------------------------------- */

static void choose_forms(struct everyday *e)
{
    int how = below(e, 100);
    e->reading = how < 60 ? READING_LOOP : how < 70 ? READING_GETOPT : READING_POSITIONS;
    e->keeping = (enum keeping)below(e, 4);
    if (e->reading == READING_GETOPT)
        e->keeping = percent(e, 50) ? KEEPING_LOCALS : KEEPING_GLOBALS;
    bool brain = percent(e, 30);
    e->half_name = brain ? "MC_BF16" : "MC_F16";
    e->half_cast = brain ? "mc_bfloat16" : "mc_half";
}

static void choose_dtype(struct everyday *e)
{
    if (percent(e, 20))
        ask_variable(e, "HALF", &e->half);
    else if (e->reading != READING_POSITIONS)
        ask_dtype_option(e);
    else if (percent(e, 50))
        ask_dtype_position(e);
    else
        ask_flag_position(e, "half", &e->half);
}

static void choose_device(struct everyday *e)
{
    int how = below(e, 100);
    if (how < 15)
        ask_available(e);
    else if (how < 30)
        ask_variable(e, "CUDA", &e->cuda);
    else if (e->reading != READING_POSITIONS)
        ask_device_option(e);
    else
        ask_flag_position(e, "cuda", &e->cuda);
}

static void choose_amp(struct everyday *e)
{
    if (percent(e, 20))
        ask_variable(e, "AMP", &e->amp);
    else if (e->reading != READING_POSITIONS)
        ask_flag_option(e, "amp", "--amp", &e->amp);
    else
        ask_flag_position(e, "amp", &e->amp);
}

/* What other functions need to be passed. */
static void choose_parameter(struct everyday *e)
{
    e->parameter = e->argument = "";
    if (e->reading == READING_POSITIONS) {
        e->parameter = "char **argv";
        e->argument = "argv";
    } else if (e->keeping == KEEPING_STRUCT && e->fields.length) {
        e->parameter = "const struct @_options *o";
        e->argument = "&o";
    } else if (e->keeping == KEEPING_BITS && e->flags.length) {
        e->parameter = "unsigned flags";
        e->argument = "flags";
    }
}

/* A condition as an expression of what it decides. */
static void derive(struct expression *x, const struct expression *condition, const char *yes,
                   const char *no)
{
    if (!*condition->here)
        return;
    snprintf(x->here, sizeof x->here, "(%.60s) ? %s : %s", condition->here, yes, no);
    if (*condition->there)
        snprintf(x->there, sizeof x->there, "(%.60s) ? %s : %s", condition->there, yes, no);
}

void settings_choose(struct everyday *e)
{
    choose_forms(e);
    if (e->reading == READING_POSITIONS && percent(e, 25)) {
        ask_bits_position(e);
    } else {
        if (percent(e, 85))
            choose_dtype(e);
        if (percent(e, 60) || !e->question_count)
            choose_device(e);
    }
    if (percent(e, 35))
        choose_amp(e);
    if (e->reading != READING_POSITIONS)
        ask_other_options(e);
    choose_parameter(e);
    derive(&e->dtype, &e->half, e->half_name, "MC_F32");
    derive(&e->device, &e->cuda, "MC_CUDA", "MC_CPU");
}

bool settings_reach(const struct everyday *e)
{
    return (!*e->dtype.here || *e->dtype.there) && (!*e->device.here || *e->device.there);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Each line of a part, indented. */
static void put_lines(struct everyday *e, const struct text *t)
{
    for (const char *at = t->data; at && *at;) {
        size_t n = strcspn(at, "\n");
        put(e->g, "%.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

static void put_loop(struct everyday *e, const char *refused)
{
    if (!e->loop.length)
        return;
    block_open(e->g, "for (int i = 1; i < argc; i++) {");
    put_lines(e, &e->loop);
    if (percent(e, 70)) {
        put(e->g, "else");
        put(e->g, "    return %s;", refused);
    }
    block_close(e->g, e->g->var_count, "}");
}

/* In a function of its own, where a struct is behind a pointer. */
static void put_parse(struct everyday *e, const char *parameter, const char *argument)
{
    struct function_text f;
    function_begin(e, &f);
    put(e->g, "static bool @_parse(%sint argc, char **argv)", parameter);
    block_open(e->g, "{");
    put_loop(e, "false");
    put(e->g, "return true;");
    block_close(e->g, e->g->var_count, "}\n");
    function_end(e, &f);
    put(e->g, "if (!@_parse(%sargc, argv))", argument);
    put(e->g, "    return 2;");
}

static void put_getopt(struct everyday *e)
{
    block_open(e->g, "%sstruct option options[] = {",
               e->keeping == KEEPING_GLOBALS && percent(e, 50) ? "static const " : "");
    put_lines(e, &e->loop);
    put(e->g, "{NULL, 0, NULL, 0},");
    block_close(e->g, e->g->var_count, "};");
    put(e->g, "while (getopt_long(argc, argv, \"\", options, NULL) == 0)");
    put(e->g, "    continue;");
}

/* "o.half" becomes "o->half". */
static void point(struct text *t)
{
    struct text out = {0};
    for (const char *at = t->data; at && *at; at++)
        if (!strncmp(at, "o.", 2))
            at++, text_add(&out, "o->");
        else
            text_add_range(&out, at, 1);
    text_free(t);
    *t = out;
}

static void put_struct(struct everyday *e)
{
    text_add(&e->types, "struct @_options {\n");
    text_add(&e->types, e->fields.data);
    text_add(&e->types, "};\n\n");
    put(e->g, "struct @_options o = {%s};", e->globals.data);
    if (e->loop.length && percent(e, 60)) {
        point(&e->loop);
        put_parse(e, "struct @_options *o, ", "&o, ");
    } else {
        put_loop(e, "2");
    }
    put(e->g, "(void)o;");
}

static void mention_locals(struct everyday *e)
{
    for (const char *at = e->fields.data; at && *at;) {
        const char *equals = strstr(at, " = "), *end = strchr(at, '\n'), *name = equals;
        while (name && name > at && name[-1] != ' ')
            name--;
        if (name)
            put(e->g, "(void)%.*s;", (int)(equals - name), name);
        at = end ? end + 1 : "";
    }
}

void settings_read(struct everyday *e)
{
    if (e->reading == READING_POSITIONS && e->position) {
        put(e->g, "if (argc < %d)", e->position + 1);
        put(e->g, "    return 2;");
    }
    if (e->keeping == KEEPING_STRUCT && e->reading == READING_LOOP && e->fields.length) {
        put_struct(e);
        return;
    }
    if (e->keeping == KEEPING_BITS && e->reading == READING_LOOP && e->flags.length) {
        text_printf(&e->types, "enum { %s };\n\n", e->flags.data);
        put(e->g, "unsigned flags = 0;");
    }
    if (e->keeping == KEEPING_GLOBALS && e->globals.length)
        text_printf(&e->types, "%s\n", e->globals.data);
    put_lines(e, &e->fields);
    if (e->reading == READING_LOOP && e->keeping == KEEPING_GLOBALS && e->loop.length &&
        percent(e, 50))
        put_parse(e, "", "");
    else if (e->reading == READING_LOOP)
        put_loop(e, "2");
    else if (e->reading == READING_GETOPT && e->loop.length)
        put_getopt(e);
    mention_locals(e);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void add_word(struct text *t, const char *word)
{
    if (*word)
        text_printf(t, "\"%s\", ", word);
}

/* The n-th combination of answers, as a row of a table. */
static void add_run(struct everyday *e, int n)
{
    text_add(&e->g->p->runs, "    {");
    for (int i = 0; i < e->question_count; i++) {
        const struct question *q = &e->questions[i];
        add_word(&e->g->p->runs, q->answers[n % q->count][0]);
        add_word(&e->g->p->runs, q->answers[n % q->count][1]);
        n /= q->count;
    }
    text_add(&e->g->p->runs, "NULL},\n");
}

void settings_runs(struct everyday *e)
{
    int all = 1;
    for (int i = 0; i < e->question_count; i++)
        all *= e->questions[i].count;
    for (int n = 0; n < all; n++)
        add_run(e, n);
    if (e->reading == READING_LOOP)
        text_add(&e->g->p->runs, "    {\"--what\", NULL},\n");
}
