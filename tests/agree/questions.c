/* Questions that a program asks about its command line and environment, and the answers they can
 * have. The same question may be asked many times, or once and kept. */
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

void ask_flag_option(struct everyday *e, const char *name, const char *option, struct expression *x)
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

void ask_dtype_option(struct everyday *e)
{
    int how = e->keeping == KEEPING_BITS || e->reading == READING_GETOPT ? 0 : below(e, 3);
    if (how == 0) {
        ask_flag_option(e, "half", "--half", &e->half);
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

void ask_device_option(struct everyday *e)
{
    int how = e->keeping == KEEPING_BITS || e->reading == READING_GETOPT ? 0 : below(e, 3);
    if (how == 0) {
        ask_flag_option(e, "cuda", "--cuda", &e->cuda);
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
void ask_other_options(struct everyday *e)
{
    struct expression x;
    if (percent(e, 50))
        ask_flag_option(e, "quiet", "--quiet", &x);
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
void ask_flag_position(struct everyday *e, const char *name, struct expression *x)
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

void ask_dtype_position(struct everyday *e)
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
void ask_bits_position(struct everyday *e)
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

void ask_variable(struct everyday *e, const char *name, struct expression *x)
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

void ask_available(struct everyday *e)
{
    struct question *q = question_new(e);
    answer(q, "", "");
    answer(q, "MISCAST_SIM_DEVICES=0", "");
    express(&e->cuda, "mc_cuda_is_available()", "mc_cuda_is_available()");
}
