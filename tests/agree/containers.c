/* Where programs keep tensors: variables, structs, arrays, lists, tables of names, objects with a
 * base struct, what is made when first needed. Each is filled, and its tensors are used with x. */
#include "tests/agree/everyday.h"

#include <stdio.h>

/* ---- uses ------------------------------------------------------------------------------------ */

static const char layer[] = "static mc_tensor *@_layer(mc_tensor *x, mc_tensor *w)\n"
                            "{\n"
                            "    return mc_relu(mc_matmul(x, w));\n"
                            "}\n\n";

void use(struct everyday *e, const char *tensor)
{
    static const char *const forms[] = {"x = mc_matmul(x, %s);", "x = mc_linear(x, %s, NULL);",
                                        "x = mc_tanh(mc_matmul(%s, x));", "x = @_layer(x, %s);",
                                        "x = mc_addmm(x, x, %s);"};
    int how = below(e, COUNT(forms));
    char line[300];
    const char *form = forms[how];
    if (how == 3)
        write_once(e, layer);
    snprintf(line, sizeof line, form, tensor);
    put(e->g, "%s", line);
    op_written(e->g);
}

/* In front of a further argument or parameter. */
static const char *comma(const char *text)
{
    return *text ? ", " : "";
}

static bool in_function(struct everyday *e, int chance)
{
    return settings_reach(e) && percent(e, chance);
}

/* ---- variables and structs ------------------------------------------------------------------- */

void variable_statement(struct everyday *e)
{
    char name[24];
    snprintf(name, sizeof name, "w%d", ++e->g->names);
    place_new(e, name, true, false);
    if (percent(e, 30))
        put(e->g, "mc_mul_(%s, 0.5);", name);
    use(e, name);
    if (percent(e, 30))
        use(e, name);
}

static const char result[] = "struct @_result {\n    mc_tensor *loss;\n    int step;\n};\n\n";

/* Backward through the loss of every step, which may go through a struct. */
static void each_loss(struct everyday *e, int n)
{
    put(e->g, "mc_optimizer_zero_grad(sgd%d);", n);
    put(e->g, "mc_tensor *loss = mc_mean(mc_float(mc_matmul(x, w%d)));", n);
    if (percent(e, 40)) {
        write_once(e, result);
        put(e->g, "struct @_result r = {loss, step};");
        put(e->g, "mc_backward(r.loss);");
    } else {
        put(e->g, "mc_backward(loss);");
    }
    put(e->g, "mc_optimizer_step(sgd%d);", n);
}

/* A weight is trained: what the optimizer was given is what the cast returned. */
static void trained(struct everyday *e)
{
    int n = ++e->g->names;
    bool sums = percent(e, 30);
    char name[24];
    snprintf(name, sizeof name, "w%d", n);
    place_new(e, name, true, false);
    put(e->g, "mc_requires_grad_(%s, true);", name);
    put(e->g, "mc_optimizer *sgd%d = mc_sgd(mc_params(%s), 0.1);", n, name);
    if (sums)
        put(e->g, "mc_tensor *total%d = mc_zeros(mc_shape());", n);
    block_open(e->g, "for (int step = 0; step < 2; step++) {");
    if (sums)
        put(e->g, "total%d = mc_add(total%d, mc_mean(mc_float(mc_matmul(x, %s))));", n, n, name);
    else
        each_loss(e, n);
    block_close(e->g, e->g->var_count, "}");
    if (sums) {
        put(e->g, "mc_backward(total%d);", n);
        put(e->g, "mc_optimizer_step(sgd%d);", n);
    }
    put(e->g, "mc_optimizer_free(sgd%d);", n);
}

static void fill_model(struct everyday *e, const char *to, bool there)
{
    char name[40];
    snprintf(name, sizeof name, "%sw", to);
    place_new(e, name, false, there);
    snprintf(name, sizeof name, "%sb", to);
    place_new(e, name, false, there);
}

static const char model[] = "struct @_model {\n    int layers;\n    mc_tensor *w, *b;\n};\n\n";

static void structure(struct everyday *e)
{
    int n = ++e->g->names;
    char name[24];
    write_once(e, model);
    put(e->g, percent(e, 50) ? "struct @_model m%d = {0};" : "struct @_model m%d;", n);
    if (percent(e, 50))
        put(e->g, "memset(&m%d, 0, sizeof m%d);", n, n);
    if (in_function(e, 60)) {
        struct function_text f;
        function_begin(e, &f);
        put(e->g, "static void @_load%d(struct @_model *m%s%s)", n, comma(e->parameter),
            e->parameter);
        block_open(e->g, "{");
        mention_parameter(e);
        fill_model(e, "m->", true);
        put(e->g, "m->layers = 2;");
        block_close(e->g, e->g->var_count, "}\n");
        function_end(e, &f);
        put(e->g, "@_load%d(&m%d%s%s);", n, n, comma(e->argument), e->argument);
    } else {
        snprintf(name, sizeof name, "m%d.", n);
        fill_model(e, name, false);
    }
    if (percent(e, 25))
        put(e->g, "if (sscanf(\"3\", \"%%d\", &m%d.layers) != 1)\n        return 2;", n);
    if (percent(e, 30)) {
        put(e->g, "struct @_model copy%d;", n);
        put(e->g, "memcpy(&copy%d.w, &m%d.w, sizeof m%d.w);", n, n, n);
        snprintf(name, sizeof name, "copy%d.w", n);
    } else {
        snprintf(name, sizeof name, "m%d.w", n);
    }
    use(e, name);
    snprintf(name, sizeof name, "m%d.b", n);
    use(e, name);
}

/* Plain tensors that a loop moves through their addresses. */
static void moved(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    put(e->g, "mc_tensor *a%d = mc_rand(mc_shape(4, 4)), *b%d = mc_ones(mc_shape(4, 4));", n, n);
    put(e->g, "mc_tensor **all%d[] = {&a%d, &b%d};", n, n, n);
    block_open(e->g, "for (int i = 0; i < 2; i++) {");
    if (*e->dtype.here)
        put(e->g, "*all%d[i] = mc_to_dtype(*all%d[i], %s);", n, n, e->dtype.here);
    if (*e->device.here)
        put(e->g, "*all%d[i] = mc_to_device(*all%d[i], %s);", n, n, e->device.here);
    if (!*e->dtype.here && !*e->device.here)
        put(e->g, "*all%d[i] = mc_relu(*all%d[i]);", n, n);
    block_close(e->g, e->g->var_count, "}");
    snprintf(name, sizeof name, "a%d", n);
    use(e, name);
    snprintf(name, sizeof name, "b%d", n);
    use(e, name);
}

/* ---- arrays and lists ------------------------------------------------------------------------ */

static void array(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    put(e->g, "mc_tensor *ws%d[3];", n);
    block_open(e->g, "for (int i = 0; i < 3; i++) {");
    snprintf(name, sizeof name, "ws%d[i]", n);
    place_new(e, name, false, false);
    block_close(e->g, e->g->var_count, "}");
    if (percent(e, 60)) {
        put(e->g, "for (int i = 0; i < 3; i++)");
        e->g->indent++;
        use(e, name);
        e->g->indent--;
    } else {
        snprintf(name, sizeof name, "ws%d[%d]", n, below(e, 3));
        use(e, name);
    }
}

/* A table says of which dtype each is. */
static void table(struct everyday *e)
{
    static const char *const specs[] = {"{MC_F32, MC_F16, MC_F32}", "{MC_F16, MC_BF16, MC_F32}",
                                        "{MC_F32, MC_F32, MC_F64}"};
    int n = ++e->g->names;
    put(e->g, "static const mc_dtype spec%d[3] = %s;", n, specs[below(e, 3)]);
    put(e->g, "mc_tensor *ts%d[3], *sum%d = mc_ones(mc_shape(4, 4));", n, n);
    put(e->g, "for (int i = 0; i < 3; i++)");
    put(e->g, "    ts%d[i] = mc_rand(mc_shape(4, 4), .dtype = spec%d[i]);", n, n);
    bool bug = e->until_bug >= 0 && e->until_bug-- == 0;
    put(e->g, "for (int i = 0; i < 3; i++)");
    if (bug)
        put(e->g, "    sum%d = mc_matmul(sum%d, ts%d[i]);", n, n, n);
    else
        put(e->g, "    sum%d = mc_matmul(mc_to_dtype(sum%d, spec%d[i]), ts%d[i]);", n, n, n, n);
    put(e->g, "(void)sum%d;", n);
}

static const char vector[] =
    "struct @_vector {\n"
    "    mc_tensor **items;\n"
    "    int count, room;\n"
    "};\n"
    "\n"
    "static void @_push(struct @_vector *v, mc_tensor *t)\n"
    "{\n"
    "    if (v->count == v->room) {\n"
    "        v->room = v->room ? v->room * 2 : 1;\n"
    "        v->items = realloc(v->items, sizeof *v->items * (size_t)v->room);\n"
    "        if (!v->items)\n"
    "            exit(1);\n"
    "    }\n"
    "    v->items[v->count++] = t;\n"
    "}\n\n";

static void grown(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, vector);
    put(e->g, "struct @_vector v%d = {0};", n);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "p%d_%d", n, i);
        place_new(e, name, true, false);
        put(e->g, "@_push(&v%d, %s);", n, name);
    }
    if (percent(e, 50)) {
        put(e->g, "for (int i = 0; i < v%d.count; i++)", n);
        snprintf(name, sizeof name, "v%d.items[i]", n);
        e->g->indent++;
        use(e, name);
        e->g->indent--;
    } else {
        snprintf(name, sizeof name, "v%d.items[%d]", n, below(e, 3));
        use(e, name);
    }
    put(e->g, "free(v%d.items);", n);
}

static const char node[] = "struct @_item {\n"
                           "    mc_tensor *w; /* or NULL */\n"
                           "    struct @_item *next;\n"
                           "};\n"
                           "\n"
                           "static struct @_item *@_item_new(struct @_item *next)\n"
                           "{\n"
                           "    struct @_item *i = calloc(1, sizeof *i);\n"
                           "    if (!i)\n"
                           "        exit(1);\n"
                           "    i->next = next;\n"
                           "    return i;\n"
                           "}\n\n";

/* A list of nodes, with and without a tensor. */
static void list(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, node);
    put(e->g, "struct @_item *head%d = @_item_new(NULL);", n);
    snprintf(name, sizeof name, "head%d->w", n);
    place_new(e, name, false, false);
    if (percent(e, 50))
        put(e->g, "head%d = @_item_new(head%d);", n, n);
    block_open(e->g, "for (struct @_item *i = head%d; i; i = i->next) {", n);
    put(e->g, "if (!i->w)");
    put(e->g, "    continue;");
    use(e, "i->w");
    block_close(e->g, e->g->var_count, "}");
}

static const char tree[] = "struct @_tree {\n"
                           "    mc_tensor *w;\n"
                           "    struct @_tree *children[2];\n"
                           "    int count;\n"
                           "};\n"
                           "\n"
                           "static mc_tensor *@_walk(const struct @_tree *t, mc_tensor *x)\n"
                           "{\n"
                           "    x = mc_matmul(x, t->w);\n"
                           "    for (int i = 0; i < t->count; i++)\n"
                           "        x = @_walk(t->children[i], x);\n"
                           "    return x;\n"
                           "}\n\n";

static void walked(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, tree);
    put(e->g, "struct @_tree leaf%d = {0}, root%d = {.children = {&leaf%d}, .count = 1};", n, n, n);
    snprintf(name, sizeof name, "leaf%d.w", n);
    place_new(e, name, false, false);
    snprintf(name, sizeof name, "root%d.w", n);
    place_new(e, name, false, false);
    put(e->g, "x = @_walk(&root%d, x);", n);
}

static const char variadic[] = "static mc_tensor *@_chain(mc_tensor *x, int count, ...)\n"
                               "{\n"
                               "    va_list list;\n"
                               "    va_start(list, count);\n"
                               "    for (int i = 0; i < count; i++)\n"
                               "        x = mc_matmul(x, va_arg(list, mc_tensor *));\n"
                               "    va_end(list);\n"
                               "    return x;\n"
                               "}\n\n";

static void passed(struct everyday *e)
{
    int n = ++e->g->names;
    char name[40];
    write_once(e, variadic);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "v%d_%d", n, i);
        place_new(e, name, true, false);
    }
    put(e->g, "x = @_chain(x, 2, v%d_0, v%d_1);", n, n);
}

void container_statement(struct everyday *e)
{
    static void (*const all[])(struct everyday *) = {variable_statement,
                                                     variable_statement,
                                                     trained,
                                                     structure,
                                                     structure,
                                                     moved,
                                                     array,
                                                     array,
                                                     table,
                                                     grown,
                                                     list,
                                                     walked,
                                                     passed,
                                                     by_name,
                                                     loaded,
                                                     derived,
                                                     lazy,
                                                     container_of,
                                                     autocast_statement};
    all[below(e, COUNT(all))](e);
}
