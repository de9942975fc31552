/* Generates a whole program from a seed: a header and two to four C files. Each function calls only
 * functions before it; main, the last, calls the remaining ones. */
#include "tests/agree/generator.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *type, *name;
} params[PARAM_KINDS] = {
    [PARAM_MATRIX] = {"mc_tensor *", "x"},
    [PARAM_VECTOR] = {"mc_tensor *", "bias"},
    [PARAM_CONFIG] = {"const struct %s_config *", "c"},
    [PARAM_MODEL] = {"struct %s_model *", "m"},
    [PARAM_BLOCK] = {"struct %s_block *", "b"},
    [PARAM_OUT] = {"mc_tensor **", "out"},
    [PARAM_ACT] = {"mc_tensor *(*act)(mc_tensor *)", ""},
    [PARAM_DTYPE] = {"mc_dtype ", "d"},
    [PARAM_COUNT] = {"int ", "n"},
    [PARAM_LIST] = {"mc_tensor **", "list"},
    [PARAM_VALUE] = {"struct %s_block ", "v"},
    [PARAM_USER] = {"void *", "user"},
};

/* ---- signatures ------------------------------------------------------------------------------ */

static struct function *function_new(struct generator *g, enum role role, const char *stem, int n)
{
    struct function *f = &g->functions[g->function_count++];
    *f = (struct function){.role = role, .file = chance_below(&g->chance, g->p->file_count)};
    f->result = (struct kind){SHAPE_MATRIX, LIKELY_FLOAT, HOME_CONFIG};
    snprintf(f->name, sizeof f->name, n < 0 ? "%s_%s" : "%s_%s%d", g->p->name, stem, n);
    return f;
}

static void add_param(struct function *f, enum param p)
{
    if (f->param_count < 5)
        f->params[f->param_count++] = p;
}

static bool takes(const struct function *f, enum param p)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i] == p)
            return true;
    return false;
}

static void choose_params(struct generator *g, struct function *f)
{
    static const struct {
        enum param param;
        int percent;
    } extra[] = {{PARAM_MATRIX, 35}, {PARAM_BLOCK, 20}, {PARAM_OUT, 20},
                 {PARAM_ACT, 20},    {PARAM_DTYPE, 20}, {PARAM_COUNT, 25},
                 {PARAM_VECTOR, 25}, {PARAM_LIST, 12},  {PARAM_VALUE, 10}};
    add_param(f, PARAM_MATRIX);
    int how = chance_below(&g->chance, 100);
    if (how < 70)
        add_param(f, how < 45 ? PARAM_MODEL : PARAM_CONFIG);
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++)
        if (chance_percent(&g->chance, extra[i].percent))
            add_param(f, extra[i].param);
}

static void choose_layer(struct generator *g, int n)
{
    static const char *const stems[] = {"layer", "block", "step", "project", "merge"};
    static const enum returns often[] = {RETURNS_MATRIX,  RETURNS_MATRIX, RETURNS_MATRIX,
                                         RETURNS_MATRIX,  RETURNS_SCALAR, RETURNS_PAIR,
                                         RETURNS_NOTHING, RETURNS_MAYBE};
    struct function *f = function_new(g, ROLE_LAYER, stems[chance_below(&g->chance, 5)], n);
    choose_params(g, f);
    f->returns = often[chance_below(&g->chance, 8)];
    if (f->returns == RETURNS_SCALAR)
        f->result.shape = SHAPE_NONE;
    f->recursive =
        f->returns == RETURNS_MATRIX && takes(f, PARAM_COUNT) && chance_percent(&g->chance, 50);
}

/* A static function needs a caller behind it in its file. */
static void choose_internal(struct generator *g)
{
    for (int i = 0; i + 1 < g->function_count; i++) {
        struct function *f = &g->functions[i], *next = f + 1;
        bool needs = takes(f, PARAM_MODEL) || takes(f, PARAM_BLOCK) || takes(f, PARAM_CONFIG) ||
                     takes(f, PARAM_VALUE);
        if (f->role == ROLE_LAYER && next->role == ROLE_LAYER && f->file == next->file &&
            (!needs || takes(next, PARAM_MODEL)))
            f->internal = chance_percent(&g->chance, 60);
    }
}

static void choose_functions(struct generator *g)
{
    for (int i = 0; i < 3; i++)
        add_param(function_new(g, ROLE_ACT, "act", i), PARAM_MATRIX);
    for (int i = 0; i < 2; i++) {
        struct function *f = function_new(g, ROLE_MIX, "mix", i);
        add_param(f, PARAM_MATRIX);
        add_param(f, PARAM_MATRIX);
    }
    for (int i = 0; i < 2; i++) {
        struct function *f = function_new(g, ROLE_VISIT, "visit", i);
        add_param(f, PARAM_MATRIX);
        add_param(f, PARAM_USER);
    }
    int layers = 2 + chance_below(&g->chance, 5);
    for (int i = 0; i < layers; i++)
        choose_layer(g, i);
    choose_internal(g);
    struct function *setup = function_new(g, ROLE_SETUP, "setup", -1);
    add_param(setup, PARAM_MODEL);
    add_param(setup, PARAM_CONFIG);
    setup->returns = RETURNS_NOTHING;
    struct function *main = function_new(g, ROLE_MAIN, "main", -1);
    main->file = 0;
    main->returns = RETURNS_NOTHING; /* but 0 */
}

static void signature(const struct generator *g, const struct function *f, struct text *out)
{
    char result[64];
    const char *p = g->p->name;
    snprintf(result, sizeof result, "struct %s_pair ", p);
    text_printf(out, "%s%s%s(", f->internal ? "static " : "",
                f->returns == RETURNS_NOTHING ? "void "
                : f->returns == RETURNS_PAIR  ? result
                                              : "mc_tensor *",
                f->name);
    for (int i = 0, matrices = 0; i < f->param_count; i++) {
        const char *type = params[f->params[i]].type, *at = strstr(type, "%s");
        text_add(out, i ? ", " : "");
        if (at)
            text_printf(out, "%.*s%s%s", (int)(at - type), type, p, at + 2);
        else
            text_add(out, type);
        bool second = f->params[i] == PARAM_MATRIX && matrices++ > 0;
        text_add(out, second ? "y" : params[f->params[i]].name);
    }
    text_add(out, ")");
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void begin_function(struct generator *g, struct function *f)
{
    g->fn = f;
    g->out = &g->p->files[f->file];
    g->indent = g->depth = g->loops = g->var_count = g->names = 0;
    g->times = 1;
    g->cost = 0;
    memset(g->has, 0, sizeof g->has);
    memset(g->used, 0, sizeof g->used);
    for (int i = 0; i < f->param_count; i++)
        g->has[f->params[i]] = true;
    bool own = g->has[PARAM_CONFIG] || g->has[PARAM_USER];
    g->config = own ? "c->" : g->has[PARAM_MODEL] ? "m->config->" : NULL;
}

static void add_variables(struct generator *g)
{
    struct kind given = {SHAPE_MATRIX, LIKELY_FLOAT, HOME_CONFIG};
    struct kind configured = {SHAPE_MATRIX, LIKELY_CONFIG, HOME_CONFIG};
    struct kind scalar = {SHAPE_NONE, LIKELY_CONFIG, HOME_CONFIG};
    static const char *const fields[] = {"m->blocks[0].w", "m->blocks[1].u", "m->blocks[2].w"};
    for (int i = 0, n = 0; i < g->fn->param_count; i++)
        if (g->fn->params[i] == PARAM_MATRIX)
            var_new(g, n++ ? "y" : "x", given, true);
    if (g->has[PARAM_LIST]) {
        var_new(g, "list[0]", given, false);
        var_new(g, "list[2]", given, false);
    }
    if (g->has[PARAM_BLOCK]) {
        var_new(g, "b->w", configured, false);
        var_new(g, "b->u", configured, false);
    }
    if (g->has[PARAM_VALUE]) {
        var_new(g, "v.w", configured, false);
        var_new(g, "v.u", configured, false);
    }
    for (int i = 0; g->has[PARAM_MODEL] && i < 3; i++)
        var_new(g, fields[i], configured, false);
    if (g->has[PARAM_MODEL]) {
        var_new(g, "m->cache", given, false);
        var_new(g, "m->scale", scalar, false);
    }
}

/* Whether the text from there on has the name as a word. */
static bool mentions(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        static const char word[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.>";
        if (!strchr(word, at[-1]) && !(at[length] && strchr(word, at[length]) && at[length] != '.'))
            return true;
    }
    return false;
}

static void discard_params(struct generator *g, size_t start)
{
    for (int i = 0; i < g->fn->param_count; i++) {
        enum param p = g->fn->params[i];
        const char *name = p == PARAM_ACT ? "act" : params[p].name;
        if (p != PARAM_MATRIX && !mentions(g->out->data + start, name))
            put(g, "(void)%s;", name);
    }
    if (g->has[PARAM_USER] && !mentions(strstr(g->out->data + start, " = user;"), "c"))
        put(g, "(void)c;");
    discard_unused(g, 0);
}

static void recurse(struct generator *g, struct var *x)
{
    struct text args = {0};
    for (int i = 0, n = 0; i < g->fn->param_count; i++) {
        enum param p = g->fn->params[i];
        text_add(&args, i ? ", " : "");
        if (p == PARAM_MATRIX)
            text_add(&args, n++ ? take(operand(g, SHAPE_MATRIX, NEEDS_ANY)) : take(x));
        else
            text_add(&args, p == PARAM_COUNT ? "n - 1" : p == PARAM_ACT ? "act" : params[p].name);
    }
    put(g, "return %s(%s);", g->fn->name, args.data);
    text_free(&args);
    g->cost *= 4;
}

static void end_function(struct generator *g, size_t start)
{
    struct var *x = operand(g, g->fn->result.shape, NEEDS_ANY);
    struct var *y = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    if (g->fn->returns != RETURNS_NOTHING)
        take(x);
    if (g->fn->returns == RETURNS_PAIR)
        take(y);
    if (g->has[PARAM_OUT] && chance_percent(&g->chance, 70))
        put(g, "*out = %s;", take(y));
    discard_params(g, start);
    if (g->fn->recursive)
        recurse(g, x);
    else if (g->fn->returns == RETURNS_PAIR)
        put(g, "return (struct %s_pair){%s, %s};", g->p->name, x->text, y->text);
    else if (g->fn->returns != RETURNS_NOTHING)
        put(g, "return %s;", x->text);
    g->fn->result = kind_join(g->fn->result, x->kind);
    g->fn->cost = g->cost;
    g->indent--;
    put(g, "}");
}

/* Functions that only this one can still call. */
static void call_the_rest(struct generator *g)
{
    for (int i = 0; &g->functions[i] < g->fn; i++) {
        struct function *f = &g->functions[i];
        bool mine = g->fn->role == ROLE_MAIN ? !f->internal : f->internal && f->file == g->fn->file;
        if (f->role == ROLE_LAYER && !f->called && mine)
            call_function(g, f);
        if (f->role == ROLE_VISIT && !f->called && g->fn->role == ROLE_MAIN)
            call_back(g, f);
    }
}

static void write_function(struct generator *g, struct function *f, int ops)
{
    begin_function(g, f);
    text_add(g->out, "\n");
    signature(g, f, g->out);
    text_add(g->out, "\n{\n");
    size_t start = g->out->length;
    g->indent = 1;
    g->left = ops;
    add_variables(g);
    if (g->has[PARAM_OUT])
        put(g, "*out = %s;", take(&g->vars[0]));
    if (g->has[PARAM_USER])
        put(g, "const struct %s_config *c = user;", g->p->name);
    if (f->returns == RETURNS_MAYBE) {
        char test[200];
        condition(g, test, sizeof test);
        put(g, "if (%s)", test);
        put(g, "    return NULL;");
    }
    if (f->recursive) {
        put(g, "if (n <= 0)");
        put(g, "    return x;");
        take(&g->vars[0]);
    }
    while (g->left > 0 && g->var_count < MAX_VARS - 24)
        statements(g, 1);
    if (f->role == ROLE_LAYER)
        call_the_rest(g);
    end_function(g, start);
}

/* ---- setup and main -------------------------------------------------------------------------- */

static void made(struct generator *g, const char *to, const char *shape, const char *rest)
{
    static const char *const names[] = {"zeros", "ones", "randn", "rand"};
    static const char *const dtypes[] = {"c->dtype", "c->dtype", "c->dtype", "MC_F32",
                                         "c->half ? MC_BF16 : c->dtype"};
    put(g, "%s = %smc_%s(%s, .dtype = %s, .device = c->device)%s;", to, *rest ? "c->train ? " : "",
        names[chance_below(&g->chance, 4)], shape, dtypes[chance_below(&g->chance, 5)], rest);
    op_written(g);
}

static void write_setup(struct generator *g, struct function *f)
{
    const char *p = g->p->name;
    int a = chance_below(&g->chance, 3), b = chance_below(&g->chance, 3);
    begin_function(g, f);
    text_add(g->out, "\n");
    signature(g, f, g->out);
    text_add(g->out, "\n{\n");
    g->indent = 1;
    put(g, "m->config = c;");
    block_open(g, "for (int i = 0; i < 3; i++) {");
    made(g, "m->blocks[i].w", "mc_shape(4, 4)", "");
    made(g, "m->blocks[i].u", "mc_shape(4, 4)", "");
    made(g, "m->blocks[i].bias", "mc_shape(4)", " : NULL");
    block_close(g, 0, "}");
    made(g, "m->cache", "mc_shape(4, 4)", "");
    made(g, "m->scale", "mc_shape()", "");
    made(g, chance_percent(&g->chance, 50) ? "m->last" : "m->blocks[1].u", "mc_shape(4, 4)", "");
    text_printf(g->out, "    %s_shared = mc_ones(mc_shape(4, 4), .device = c->device);\n", p);
    op_written(g);
    if (chance_percent(&g->chance, 50))
        put(g, "m->act = c->half ? %s_act%d : %s_act%d;", p, a, p, b);
    else
        put(g, "m->act = %s_acts[c->mode];", p);
    put(g, "m->ops = c->train ? &%s_plain : &%s_fast;", p, p);
    train_setup(g);
    g->indent = 0;
    put(g, "}");
}

static void read_flag(struct generator *g, const char *flag, int at)
{
    switch (chance_below(&g->chance, 4)) {
    case 0:
        put(g, "c->%s = argc > %d && atoi(argv[%d]) != 0;", flag, at, at);
        break;
    case 1:
        put(g, "c->%s = argc > %d && argv[%d][0] == '1';", flag, at, at);
        break;
    case 2:
        put(g, "c->%s = argc > %d && strcmp(argv[%d], \"1\") == 0;", flag, at, at);
        break;
    default:
        put(g, "if (argc > %d && atoi(argv[%d]))", at, at);
        put(g, "    c->%s = true;", flag);
    }
}

static void read_device(struct generator *g)
{
    static const char *const several[] = {"c->cuda ? MC_CUDA_AT(1) : MC_CPU",
                                          "c->cuda ? MC_CUDA_AT((int)c->mode) : MC_CPU",
                                          "c->train ? MC_CUDA_AT(1) : c->cuda ? MC_CUDA : MC_CPU"};
    put(g, "c->device = %s;",
        g->gpus ? several[chance_below(&g->chance, 3)] : "c->cuda ? MC_CUDA : MC_CPU");
}

static void read_config(struct generator *g)
{
    static const char *const halves[] = {"MC_F16", "MC_BF16", "MC_F16", "MC_F64"};
    const char *p = g->p->name, *half = halves[chance_below(&g->chance, 4)];
    text_printf(g->out, "\nstatic void %s_read(struct %s_config *c, int argc, char **argv)\n{\n", p,
                p);
    g->indent = 1;
    read_flag(g, "half", 1);
    read_flag(g, "cuda", 2);
    read_flag(g, "train", 3);
    put(g, "c->mode = argc > 4 ? (enum %s_mode)atoi(argv[4]) : %s_MODE_0;", p, p);
    put(g, "if (c->mode > %s_MODE_2)", p);
    put(g, "    c->mode = %s_MODE_0;", p);
    put(g, "c->layers = argc > 5 ? atoi(argv[5]) : 1;");
    if (chance_percent(&g->chance, 60)) {
        put(g, "c->dtype = c->half ? %s : MC_F32;", half);
    } else {
        put(g, "c->dtype = MC_F32;");
        put(g, "if (c->half)");
        put(g, "    c->dtype = %s;", half);
    }
    read_device(g);
    put(g, "%s_verbose = c->train;", p);
    g->indent = 0;
    put(g, "}");
}

static void write_main(struct generator *g, struct function *f, int ops)
{
    const char *p = g->p->name;
    static const char *const models[] = {"struct %s_model model = {0};", "struct %s_model model;",
                                         "static struct %s_model model;"};
    begin_function(g, f);
    read_config(g);
    g->has[PARAM_MODEL] = true;
    g->config = "c->";
    text_add(g->out, "\nint main(int argc, char **argv)\n{\n");
    g->indent = 1;
    put(g, "struct %s_config config = {0}, *c = &config;", p);
    int how = chance_below(&g->chance, 3);
    const char *at = strstr(models[how], "%s");
    put(g, "%.*s%s%s", (int)(at - models[how]), models[how], p, at + 2);
    put(g, "struct %s_model *m = &model;", p);
    put(g, "%s_read(c, argc, argv);", p);
    put(g, "%s_setup(m, c);", p);
    g->left = ops;
    add_variables(g);
    struct call c;
    factory(g, SHAPE_MATRIX, &c);
    declare(g, "input", &c);
    while (g->left > 0 && g->var_count < MAX_VARS - 24)
        statements(g, 1);
    call_the_rest(g);
    discard_unused(g, 0);
    put(g, "return 0;");
    g->indent = 0;
    put(g, "}");
}

/* ---- the header and tables ------------------------------------------------------------------- */

static const char types[] =
    "enum @_mode { @_MODE_0, @_MODE_1, @_MODE_2 };\n"
    "\n"
    "struct @_config {\n"
    "    bool half, cuda, train;\n"
    "    enum @_mode mode;\n"
    "    int layers;\n"
    "    mc_dtype dtype;\n"
    "    mc_device device;\n"
    "};\n"
    "\n"
    "struct @_block {\n"
    "    mc_tensor *w, *u;\n"
    "    mc_tensor *bias; /* or NULL */\n"
    "};\n"
    "\n"
    "struct @_ops {\n"
    "    mc_tensor *(*act)(mc_tensor *);\n"
    "    mc_tensor *(*mix)(mc_tensor *, mc_tensor *);\n"
    "};\n"
    "\n"
    "struct @_model {\n"
    "    const struct @_config *config;\n"
    "    struct @_block blocks[3];\n"
    "    mc_tensor *cache, *scale, *last;\n"
    "    mc_tensor *(*act)(mc_tensor *);\n"
    "    const struct @_ops *ops;\n"
    "};\n"
    "\n"
    "struct @_pair {\n"
    "    mc_tensor *first, *second;\n"
    "};\n"
    "\n"
    "struct @_node {\n"
    "    mc_tensor *tensor;\n"
    "    const struct @_node *next;\n"
    "};\n"
    "\n"
    "extern mc_tensor *@_shared;\n"
    "extern bool @_verbose;\n"
    "extern const struct @_ops @_plain, @_fast;\n"
    "extern mc_tensor *(*const @_acts[3])(mc_tensor *);\n"
    "extern const mc_dtype @_dtypes[3];\n"
    "\n"
    "mc_tensor *@_apply(mc_tensor *x, mc_tensor *(*fn)(mc_tensor *, void *), void *user);\n"
    "\n"
    "static inline void @_swap(mc_tensor **a, mc_tensor **b)\n"
    "{\n"
    "    mc_tensor *t = *a;\n"
    "    *a = *b;\n"
    "    *b = t;\n"
    "}\n"
    "\n";

static const char tables[] = "\nmc_tensor *@_shared;\n"
                             "bool @_verbose;\n"
                             "const struct @_ops @_plain = {.act = @_act0, .mix = @_mix0};\n"
                             "const struct @_ops @_fast = {@_act1, @_mix1};\n"
                             "mc_tensor *(*const @_acts[3])(mc_tensor *) = "
                             "{@_act0, @_act1, @_act2};\n"
                             "const mc_dtype @_dtypes[3] = {MC_F32, MC_F16, MC_F64};\n"
                             "\n"
                             "mc_tensor *@_apply(mc_tensor *x, "
                             "mc_tensor *(*fn)(mc_tensor *, void *), void *user)\n"
                             "{\n"
                             "    return fn(x, user);\n"
                             "}\n";

void text_add_named(struct text *out, const char *text, const char *name)
{
    for (const char *at; (at = strchr(text, '@')); text = at + 1) {
        text_add_range(out, text, (size_t)(at - text));
        text_add(out, name);
    }
    text_add(out, text);
}

static void write_header(struct generator *g)
{
    struct text *h = &g->p->header;
    const char *p = g->p->name;
    text_printf(h, "#ifndef %s_H\n#define %s_H\n\n#include <miscast/tensor.h>\n\n", p, p);
    text_add_named(h, types, p);
    for (int i = 0; i < g->function_count; i++) {
        const struct function *f = &g->functions[i];
        if (f->role == ROLE_MAIN || f->internal)
            continue;
        signature(g, f, h);
        text_add(h, ";\n");
    }
    text_add(h, "\n#endif\n");
}

static void begin_files(struct generator *g)
{
    static const char *const names[MAX_FILES] = {"main.c", "layers.c", "blocks.c", "ops.c"};
    g->p->file_count = 2 + chance_below(&g->chance, 3);
    for (int i = 0; i < g->p->file_count; i++) {
        snprintf(g->p->file_names[i], sizeof g->p->file_names[i], "%s", names[i]);
        text_printf(&g->p->files[i], "#include \"%s.h\"\n\n#include <stdlib.h>\n%s", g->p->name,
                    i ? "" : "#include <string.h>\n");
    }
    text_add_named(&g->p->files[chance_below(&g->chance, g->p->file_count)], tables, g->p->name);
}

static void write_functions(struct generator *g)
{
    int ops = 20 + chance_below(&g->chance, 90);
    for (int i = 0; i < g->function_count; i++) {
        struct function *f = &g->functions[i];
        int share = 1 + ops / g->function_count + chance_below(&g->chance, 6);
        if (f->role == ROLE_MAIN)
            write_main(g, f, share);
        else if (f->role == ROLE_SETUP)
            write_setup(g, f);
        else
            write_function(g, f, f->role == ROLE_LAYER ? share * 3 / 2 : 2);
    }
}

void program_generate(struct program *p, int id, uint64_t seed, enum program_form form)
{
    struct generator g = {.p = p};
    *p = (struct program){.id = id, .form = form};
    snprintf(p->name, sizeof p->name, "p%d", id);
    struct chance all = {seed * 0x2545f4914f6cdd1du + (uint64_t)id * 0x9e3779b97f4a7c15u};
    g.chance.state = chance_next(&all); /* mixed: else each would go on as the next one begins */
    g.gpus = chance_percent(&g.chance, 25);
    if (form == FORM_EVERYDAY) {
        everyday_generate(&g);
        return;
    }
    begin_files(&g);
    choose_functions(&g);
    write_functions(&g);
    write_header(&g);
}

void program_free(struct program *p)
{
    text_free(&p->header);
    text_free(&p->runs);
    for (int i = 0; i < p->file_count; i++)
        text_free(&p->files[i]);
}

/* Every combination: what no run can show is what the program cannot do. */
void setting_words(int setting, char words[SETTING_WORDS][4])
{
    const int values[SETTING_WORDS] = {setting & 1, setting >> 1 & 1, setting >> 2 & 1,
                                       setting / 8 % 4, setting / 32 % 4};
    for (int i = 0; i < SETTING_WORDS; i++)
        snprintf(words[i], sizeof words[i], "%d", values[i]);
}
