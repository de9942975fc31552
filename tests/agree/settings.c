/* Settings of a program: how it asks for them, and the command lines and environments that give all
 * combinations of answers. The same question may be asked many times, or once and kept. */
#include "tests/agree/everyday.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct question *question_new(struct everyday *e)
{
    struct question *q = &e->questions[e->question_count++];
    *q = (struct question){0};
    return q;
}

static void answer(struct question *q, const char *first, const char *second)
{
    snprintf(q->answers[q->count][0], RUN_WORD, "%s", first);
    snprintf(q->answers[q->count][1], RUN_WORD, "%s", second);
    q->count++;
}

static void express(struct expression *x, const char *here, const char *there)
{
    snprintf(x->here, sizeof x->here, "%s", here);
    snprintf(x->there, sizeof x->there, "%s", there);
}

static int below(struct everyday *e, int n)
{
    return chance_below(&e->g->chance, n);
}

static bool percent(struct everyday *e, int n)
{
    return chance_percent(&e->g->chance, n);
}

/* ---- functions and tables that choose a dtype ------------------------------------------------ */

static const char named[] =
    "static const struct {\n"
    "    const char *name;\n"
    "    mc_dtype dtype;\n"
    "} @_names[] = {{\"f32\", MC_F32}, {\"f16\", MC_F16}, {\"bf16\", MC_BF16}};\n"
    "\n"
    "static mc_dtype @_named(const char *name)\n"
    "{\n"
    "    for (size_t i = 0; i < sizeof @_names / sizeof *@_names; i++)\n"
    "        if (strcmp(@_names[i].name, name) == 0)\n"
    "            return @_names[i].dtype;\n"
    "    return MC_F32;\n"
    "}\n\n";

static const char compared[] = "static mc_dtype @_named(const char *name)\n"
                               "{\n"
                               "    if (!strcmp(name, \"f16\"))\n"
                               "        return MC_F16;\n"
                               "    return strcmp(name, \"bf16\") ? MC_F32 : MC_BF16;\n"
                               "}\n\n";

static const char picked[] = "static mc_dtype @_pick(int n)\n"
                             "{\n"
                             "    switch (n) {\n"
                             "    case 1:\n"
                             "        return MC_F16;\n"
                             "    case 2:\n"
                             "        return MC_BF16;\n"
                             "    default:\n"
                             "        return MC_F32;\n"
                             "    }\n"
                             "}\n\n";

static const char chosen[] = "static mc_dtype @_pick(int n)\n"
                             "{\n"
                             "    return n == 1 ? MC_F16 : n == 2 ? MC_BF16 : MC_F32;\n"
                             "}\n\n";

static const char table[] = "static const mc_dtype @_dtypes[3] = {MC_F32, MC_F16, MC_BF16};\n\n";

/* ---- options in a loop ----------------------------------------------------------------------- */

/* An option of the loop, which runs the statement. */
static void PRINTF_LIKE(4, 5)
    add_branch(struct everyday *e, const char *option, bool has_value, const char *fmt, ...)
{
    char statement[240];
    va_list args;
    va_start(args, fmt);
    vsnprintf(statement, sizeof statement, fmt, args);
    va_end(args);
    text_printf(&e->loop, "%sif (", e->loop.length ? "else " : "");
    text_printf(&e->loop,
                percent(e, 50) ? "!strcmp(argv[i], \"%s\")" : "strcmp(argv[i], \"%s\") == 0",
                option);
    text_printf(&e->loop, "%s)\n    %s\n", has_value ? " && i + 1 < argc" : "", statement);
}

/* The variable of that type, which main keeps where it keeps all. */
static void keep(struct everyday *e, const char *type, const char *name, const char *initial,
                 struct expression *x)
{
    char text[100];
    switch (e->keeping) {
    case KEEPING_LOCALS:
        text_printf(&e->fields, "%s %s = %s;\n", type, name, initial);
        express(x, name, "");
        break;
    case KEEPING_STRUCT:
        text_printf(&e->fields, "%s %s;\n", type, name);
        text_printf(&e->globals, "%s.%s = %s", e->globals.length ? ", " : "", name, initial);
        snprintf(x->here, sizeof x->here, "o.%s", name);
        snprintf(x->there, sizeof x->there, "o->%s", name);
        break;
    case KEEPING_GLOBALS:
        text_printf(&e->globals, "static %s @_%s = %s;\n", type, name, initial);
        snprintf(text, sizeof text, "@_%s", name);
        express(x, text, text);
        break;
    case KEEPING_BITS:
        text_printf(&e->flags, "%s@_%s = %d", e->flags.length ? ", " : "", name,
                    1 << e->question_count);
        snprintf(text, sizeof text, percent(e, 50) ? "(flags & @_%s)" : "(flags & @_%s) != 0",
                 name);
        express(x, text, text);
        break;
    }
}

static void flag_option(struct everyday *e, const char *name, const char *option,
                        struct expression *x)
{
    keep(e, e->reading == READING_GETOPT ? "int" : "bool", name, "0", x);
    if (e->reading == READING_GETOPT)
        text_printf(&e->loop, "{\"%s\", no_argument, &%s, 1},\n", option + 2, x->here);
    else if (e->keeping == KEEPING_BITS)
        add_branch(e, option, false, "flags |= @_%s;", name);
    else
        add_branch(e, option, false, "%s = true;", x->here);
    struct question *q = question_new(e);
    answer(q, "", "");
    answer(q, option, "");
}

/* A variable that an option sets to something else. */
static void set_option(struct everyday *e, const char *type, const char *name, const char *initial,
                       const char *option, const char *value, struct expression *x)
{
    keep(e, type, name, initial, x);
    add_branch(e, option, false, "%s = %s;", x->here, value);
    struct question *q = question_new(e);
    answer(q, "", "");
    answer(q, option, "");
}

static void dtype_option(struct everyday *e)
{
    int how = e->keeping == KEEPING_BITS || e->reading == READING_GETOPT ? 0 : below(e, 3);
    if (how == 0) {
        flag_option(e, "half", "--half", &e->half);
    } else if (how == 1) {
        set_option(e, "mc_dtype", "dtype", "MC_F32", "--half", e->half_name, &e->dtype);
    } else {
        write_once(e, percent(e, 50) ? named : compared);
        keep(e, "mc_dtype", "dtype", "MC_F32", &e->dtype);
        add_branch(e, "--dtype", true, "%s = @_named(argv[++i]);", e->dtype.here);
        struct question *q = question_new(e);
        answer(q, "", "");
        answer(q, "--dtype", "f16");
        answer(q, "--dtype", "bf16");
    }
}

static void device_option(struct everyday *e)
{
    int how = e->keeping == KEEPING_BITS || e->reading == READING_GETOPT ? 0 : below(e, 3);
    if (how == 0) {
        flag_option(e, "cuda", "--cuda", &e->cuda);
    } else if (how == 1) {
        set_option(e, "mc_device", "device", "MC_CPU", "--gpu", "MC_CUDA", &e->device);
    } else {
        keep(e, "mc_device", "device", "MC_CPU", &e->device);
        add_branch(e, "--device", true, "%s = strcmp(argv[++i], \"cuda\") ? MC_CPU : MC_CUDA;",
                   e->device.here);
        struct question *q = question_new(e);
        answer(q, "", "");
        answer(q, "--device", "cuda");
    }
}

/* Options that decide nothing about tensors. */
static void other_options(struct everyday *e)
{
    struct expression x;
    if (percent(e, 50))
        flag_option(e, "quiet", "--quiet", &x);
    if (percent(e, 50) && e->keeping != KEEPING_BITS && e->reading == READING_LOOP) {
        keep(e, "int", "seed", "1", &x);
        add_branch(e, "--seed", true, "%s = atoi(argv[++i]);", x.here);
        struct question *q = question_new(e);
        answer(q, "", "");
        answer(q, "--seed", "7");
    }
}

/* ---- positions ------------------------------------------------------------------------------- */

/* A number or word at a position; asked each time, or kept in a variable. */
static void flag_position(struct everyday *e, const char *name, struct expression *x)
{
    static const char *const forms[] = {
        "atoi(argv[%d])",           "atoi(argv[%d]) > 0", "strcmp(argv[%d], \"1\") == 0",
        "!strcmp(argv[%d], \"1\")", "argv[%d][0] == '1'", "strchr(argv[%d], '1') != NULL",
        "*argv[%d] != '0'",         "atoi(argv[%d]) % 2", "atoi(argv[%d]) & 1"};
    char text[100];
    const char *form = forms[below(e, COUNT(forms))], *at = strstr(form, "%d");
    int position = ++e->position;
    snprintf(text, sizeof text, "%.*s%d%s", (int)(at - form), form, position, at + 2);
    struct question *q = question_new(e);
    answer(q, "0", "");
    answer(q, "1", "");
    if (percent(e, 30)) {
        text_printf(&e->fields, "const bool %s = %s;\n", name, text);
        express(x, name, "");
    } else {
        express(x, text, text);
    }
}

static void dtype_position(struct everyday *e)
{
    char text[100];
    int position = ++e->position, how = below(e, 4);
    struct question *q = question_new(e);
    if (how == 0) {
        write_once(e, percent(e, 50) ? named : compared);
        snprintf(text, sizeof text, "@_named(argv[%d])", position);
        answer(q, "f32", "");
        answer(q, "f16", "");
        answer(q, "bf16", "");
    } else {
        for (int i = 0; i < MAX_ANSWERS; i++)
            answer(q, (char[]){(char)('0' + i), '\0'}, "");
        write_once(e, how == 1 ? table : percent(e, 50) ? picked : chosen);
        snprintf(text, sizeof text,
                 how == 1 ? "@_dtypes[atoi(argv[%d]) %% 3]" : "@_pick(atoi(argv[%d]))", position);
    }
    if (how == 3) {
        text_printf(&e->fields, "int p = atoi(argv[%d]);\n", position);
        express(&e->dtype, "@_pick(p)", "");
        e->switches = true;
    } else {
        express(&e->dtype, text, text);
    }
}

/* Two flags are bits of one number. */
static void bits_position(struct everyday *e)
{
    static const char *const forms[][2] = {{"(n & 1)", "(n & 2)"},
                                           {"n % 2 == 1", "n / 2 == 1"},
                                           {"(n >> 0 & 1)", "(n >> 1 & 1)"},
                                           {"n == 1 || n == 3", "n >= 2"}};
    const char *const *form = forms[below(e, COUNT(forms))];
    text_printf(&e->fields, "int n = atoi(argv[%d]);\n", ++e->position);
    express(&e->half, form[0], "");
    express(&e->cuda, form[1], "");
    struct question *q = question_new(e);
    for (int i = 0; i < MAX_ANSWERS; i++)
        answer(q, (char[]){(char)('0' + i), '\0'}, "");
}

/* ---- the environment, and devices ------------------------------------------------------------ */

static void variable(struct everyday *e, const char *name, struct expression *x)
{
    char text[100], word[RUN_WORD];
    static const char *const forms[] = {"getenv(\"@_%s\")", "getenv(\"@_%s\") != NULL"};
    snprintf(word, sizeof word, "%s_%s=1", e->g->p->name, name);
    struct question *q = question_new(e);
    answer(q, "", "");
    answer(q, word, "");
    snprintf(text, sizeof text, percent(e, 50) ? forms[0] : forms[1], name);
    if (percent(e, 30)) {
        text_printf(&e->functions, "static bool @_wants_%s(void)\n{\n    return %s;\n}\n\n", name,
                    text);
        snprintf(text, sizeof text, "@_wants_%s()", name);
    }
    express(x, text, text);
}

static void available(struct everyday *e)
{
    struct question *q = question_new(e);
    answer(q, "", "");
    answer(q, "MISCAST_SIM_DEVICES=0", "");
    express(&e->cuda, "mc_cuda_is_available()", "mc_cuda_is_available()");
}

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
        variable(e, "HALF", &e->half);
    else if (e->reading != READING_POSITIONS)
        dtype_option(e);
    else if (percent(e, 50))
        dtype_position(e);
    else
        flag_position(e, "half", &e->half);
}

static void choose_device(struct everyday *e)
{
    int how = below(e, 100);
    if (how < 15)
        available(e);
    else if (how < 30)
        variable(e, "CUDA", &e->cuda);
    else if (e->reading != READING_POSITIONS)
        device_option(e);
    else
        flag_position(e, "cuda", &e->cuda);
}

static void choose_amp(struct everyday *e)
{
    if (percent(e, 20))
        variable(e, "AMP", &e->amp);
    else if (e->reading != READING_POSITIONS)
        flag_option(e, "amp", "--amp", &e->amp);
    else
        flag_position(e, "amp", &e->amp);
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
        bits_position(e);
    } else {
        if (percent(e, 85))
            choose_dtype(e);
        if (percent(e, 60) || !e->question_count)
            choose_device(e);
    }
    if (percent(e, 35))
        choose_amp(e);
    if (e->reading != READING_POSITIONS)
        other_options(e);
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
