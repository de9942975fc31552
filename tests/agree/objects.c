/* Tensors behind names and objects: tables, base structs, what is made when first needed, and
 * autocast regions that functions begin and end. */
#include "tests/agree/everyday.h"

#include <stdio.h>

/* ---- names and objects ----------------------------------------------------------------------- */

static const char store[] = "struct @_store {\n"
                            "    const char *names[8];\n"
                            "    mc_tensor *tensors[8];\n"
                            "    int count;\n"
                            "};\n"
                            "\n"
                            "static void @_put(struct @_store *s, const char *name, mc_tensor *t)\n"
                            "{\n"
                            "    s->names[s->count] = name;\n"
                            "    s->tensors[s->count++] = t;\n"
                            "}\n"
                            "\n"
                            "static mc_tensor *@_get(const struct @_store *s, const char *name)\n"
                            "{\n"
                            "    for (int i = 0; i < s->count; i++)\n"
                            "        if (!strcmp(s->names[i], name))\n"
                            "            return s->tensors[i];\n"
                            "    return NULL;\n"
                            "}\n\n";

/* The table has tensors as they were loaded, which are cast when they are taken out. */
void loaded(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, store);
    put(e->g, "struct @_store s%d = {0};", n);
    put(e->g, "@_put(&s%d, \"w\", mc_rand(mc_shape(4, 4)));", n);
    put(e->g, "@_put(&s%d, \"b\", mc_ones(mc_shape(4, 4)));", n);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s%d", i ? "b" : "w", n);
        put(e->g, "mc_tensor *%s = @_get(&s%d, \"%s\");", name, n, i ? "b" : "w");
        place_old(e, name, false);
        use(e, name);
    }
}

void by_name(struct everyday *e)
{
    static const char *const names[] = {"wq", "wk", "wv"};
    int n = ++e->g->names;
    char name[40];
    write_once(e, store);
    put(e->g, "struct @_store s%d = {0};", n);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%d", names[i], n);
        place_new(e, name, true, false);
        put(e->g, "@_put(&s%d, \"%s\", %s);", n, names[i], name);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "@_get(&s%d, \"%s\")", n, names[below(e, 3)]);
        use(e, name);
    }
}

static const char base[] = "struct @_base {\n"
                           "    mc_tensor *(*forward)(struct @_base *self, mc_tensor *x);\n"
                           "};\n"
                           "\n"
                           "struct @_linear {\n"
                           "    struct @_base base;\n"
                           "    mc_tensor *w;\n"
                           "};\n"
                           "\n"
                           "static mc_tensor *@_linear_forward(struct @_base *self, mc_tensor *x)\n"
                           "{\n"
                           "    struct @_linear *l = (struct @_linear *)self;\n"
                           "    return mc_matmul(x, l->w);\n"
                           "}\n\n";

/* The outer struct is found from its first member. */
void derived(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, base);
    put(e->g, "struct @_linear l%d = {.base = {@_linear_forward}};", n);
    snprintf(name, sizeof name, "l%d.w", n);
    place_new(e, name, false, false);
    put(e->g, "struct @_base *base%d = &l%d.base;", n, n);
    put(e->g, "x = base%d->forward(base%d, x);", n, n);
}

static const char outer[] =
    "struct @_link {\n"
    "    struct @_link *next;\n"
    "};\n"
    "\n"
    "struct @_outer {\n"
    "    mc_tensor *w;\n"
    "    struct @_link link;\n"
    "};\n"
    "\n"
    "static struct @_outer *@_outer_of(struct @_link *l)\n"
    "{\n"
    "    return (struct @_outer *)((char *)l - offsetof(struct @_outer, link));\n"
    "}\n\n";

void container_of(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, outer);
    put(e->g, "struct @_outer outer%d = {0};", n);
    snprintf(name, sizeof name, "outer%d.w", n);
    place_new(e, name, false, false);
    put(e->g, "struct @_link *link%d = &outer%d.link;", n, n);
    snprintf(name, sizeof name, "@_outer_of(link%d)->w", n);
    use(e, name);
}

/* Made when first needed. */
void lazy(struct everyday *e)
{
    int n = ++e->g->names;
    char name[60];
    struct function_text f;
    if (!settings_reach(e)) {
        variable_statement(e);
        return;
    }
    function_begin(e, &f);
    put(e->g, "static mc_tensor *@_kept%d;\n", n);
    put(e->g, "static mc_tensor *@_weight%d(%s)", n, *e->parameter ? e->parameter : "void");
    block_open(e->g, "{");
    block_open(e->g, "if (!@_kept%d) {", n);
    snprintf(name, sizeof name, "@_kept%d", n);
    place_new(e, name, false, true);
    block_close(e->g, e->g->var_count, "}");
    mention_parameter(e);
    put(e->g, "return @_kept%d;", n);
    block_close(e->g, e->g->var_count, "}\n");
    function_end(e, &f);
    snprintf(name, sizeof name, "@_weight%d(%s)", n, e->argument);
    put(e->g, "for (int i = 0; i < 2; i++)");
    e->g->indent++;
    use(e, name);
    e->g->indent--;
}

/* ---- regions --------------------------------------------------------------------------------- */

static const char region[] = "struct @_region {\n"
                             "    bool on;\n"
                             "    mc_autocast cast;\n"
                             "};\n"
                             "\n"
                             "static void @_enter(struct @_region *r)\n"
                             "{\n"
                             "    r->cast = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = r->on);\n"
                             "}\n"
                             "\n"
                             "static void @_leave(struct @_region *r)\n"
                             "{\n"
                             "    mc_autocast_end(r->cast);\n"
                             "}\n\n";

/* Autocast begins and ends in functions, or here. */
void autocast_statement(struct everyday *e)
{
    int n = ++e->g->names;
    bool functions = percent(e, 60), bug = e->until_bug >= 0 && e->until_bug-- == 0;
    if (!*e->amp.here) {
        variable_statement(e);
        return;
    }
    put(e->g, "mc_tensor *q%d = mc_rand(mc_shape(4, 4)), *y%d = mc_ones(mc_shape(4, 4));", n, n);
    if (functions) {
        write_once(e, region);
        put(e->g, "struct @_region r%d = {.on = %s};", n, e->amp.here);
        put(e->g, "@_enter(&r%d);", n);
    } else {
        put(e->g, "mc_autocast r%d = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = %s);", n,
            e->amp.here);
    }
    put(e->g, "y%d = mc_linear(y%d, q%d, NULL);", n, n, n);
    put(e->g, "y%d = mc_linear(mc_relu(y%d), q%d, NULL);", n, n, n);
    put(e->g, functions ? "@_leave(&r%d);" : "mc_autocast_end(r%d);", n);
    put(e->g, bug ? "y%d = mc_matmul(y%d, q%d);" : "y%d = mc_matmul(mc_float(y%d), q%d);", n, n, n);
    put(e->g, "(void)y%d;", n);
}
