/* Tensors of the dtype and on the device that the settings decide: made so, cast on a condition, or
 * passed through a function that does it. */
#include "tests/agree/everyday.h"

#include <stdio.h>

enum { LEFT_DTYPE = 1, LEFT_DEVICE = 2 };

static const char *in(const struct expression *x, bool there)
{
    return there ? x->there : x->here;
}

/* What is left out of this tensor; 0: nothing. */
static int leave_out(struct everyday *e)
{
    int can = (*e->dtype.here ? LEFT_DTYPE : 0) | (*e->device.here ? LEFT_DEVICE : 0);
    if (!can || e->until_bug < 0 || e->until_bug-- > 0)
        return 0;
    int some = 1 + chance_below(&e->g->chance, 3);
    return some & can ? some & can : can;
}

/* ", .dtype = D, .device = V" */
static void add_options(struct everyday *e, int left, bool there, struct text *out)
{
    if (*e->dtype.here && !(left & LEFT_DTYPE))
        text_printf(out, ", .dtype = %s", in(&e->dtype, there));
    if (*e->device.here && !(left & LEFT_DEVICE))
        text_printf(out, ", .device = %s", in(&e->device, there));
}

static void factory_of(struct everyday *e, struct text *out)
{
    static const char *const names[] = {"mc_rand", "mc_randn", "mc_ones", "mc_zeros"};
    text_printf(out, "%s(mc_shape(4, 4)", names[chance_below(&e->g->chance, 4)]);
}

/* ---- forms ----------------------------------------------------------------------------------- */

static void by_switch(struct generator *g, const char *variable)
{
    put(g, "switch (p) {");
    put(g, "case 1:");
    put(g, "    %s = mc_half(%s);", variable, variable);
    put(g, "    break;");
    put(g, "case 2:");
    put(g, "    %s = mc_bfloat16(%s);", variable, variable);
    put(g, "    break;");
    put(g, "default:");
    put(g, "    break;");
    put(g, "}");
}

/* Keeps the variable unless the cast gave another tensor. */
static void if_another(struct everyday *e, const char *variable, bool there)
{
    int n = ++e->g->names;
    put(e->g, "mc_tensor *n%d = mc_to_dtype(%s, %s);", n, variable, in(&e->dtype, there));
    put(e->g, "if (n%d != %s)", n, variable);
    put(e->g, "    %s = n%d;", variable, n);
}

static void cast_dtype(struct everyday *e, const char *variable, bool there)
{
    int how = chance_below(&e->g->chance, 100);
    if (e->switches && !there && how < 50) {
        by_switch(e->g, variable);
    } else if (how < 15) {
        if_another(e, variable, there);
    } else if (*e->half.here) {
        put(e->g, "if (%s)", in(&e->half, there));
        put(e->g, "    %s = %s(%s);", variable, e->half_cast, variable);
    } else {
        put(e->g, "%s = mc_to_dtype(%s, %s);", variable, variable, in(&e->dtype, there));
    }
}

static void cast_device(struct everyday *e, const char *variable, bool there)
{
    if (*e->cuda.here) {
        put(e->g, "if (%s)", in(&e->cuda, there));
        put(e->g, "    %s = mc_cuda(%s);", variable, variable);
    } else {
        put(e->g, "%s = mc_to_device(%s, %s);", variable, variable, in(&e->device, there));
    }
}

static void cast_each(struct everyday *e, const char *variable, int left, bool there)
{
    if (*e->dtype.here && !(left & LEFT_DTYPE))
        cast_dtype(e, variable, there);
    if (*e->device.here && !(left & LEFT_DEVICE))
        cast_device(e, variable, there);
}

void place_old(struct everyday *e, const char *variable, bool there)
{
    cast_each(e, variable, leave_out(e), there);
}

static void write_place(struct everyday *e)
{
    struct function_text f;
    struct text options = {0};
    function_begin(e, &f);
    bool at_once = chance_percent(&e->g->chance, 40);
    put(e->g, "static mc_tensor *@_place(%s%smc_tensor *t)", e->parameter,
        *e->parameter ? ", " : "");
    block_open(e->g, "{");
    mention_parameter(e);
    add_options(e, 0, true, &options);
    if (at_once && options.length)
        put(e->g, "t = mc_to(t%s);", options.data);
    else
        cast_each(e, "t", 0, true);
    put(e->g, "return t;");
    block_close(e->g, e->g->var_count, "}\n");
    text_free(&options);
    function_end(e, &f);
    e->has_place = true;
}

static void by_function(struct everyday *e, const char *start, const char *made, bool there)
{
    if (!e->has_place)
        write_place(e);
    const char *argument = there && *e->argument == '&' ? e->argument + 1 : e->argument;
    put(e->g, "%s = @_place(%s%s%s));", start, argument, *argument ? ", " : "", made);
}

void place_new(struct everyday *e, const char *variable, bool declares, bool there)
{
    struct text made = {0}, options = {0};
    char start[100];
    int left = leave_out(e), how = chance_below(&e->g->chance, 100);
    snprintf(start, sizeof start, "%s%s", declares ? "mc_tensor *" : "", variable);
    factory_of(e, &made);
    add_options(e, left, there, &options);
    op_written(e->g);
    if (how < 30) {
        put(e->g, "%s = %s%s);", start, made.data, options.data ? options.data : "");
    } else if (how < 45 && options.length) {
        put(e->g, "%s = mc_to(%s)%s);", start, made.data, options.data);
    } else if (how < 70 && settings_reach(e) && !left) {
        by_function(e, start, made.data, there);
    } else {
        put(e->g, "%s = %s);", start, made.data);
        cast_each(e, variable, left, there);
    }
    text_free(&made);
    text_free(&options);
}
