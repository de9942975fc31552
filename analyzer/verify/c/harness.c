/* The harness around a function: its parameters' types come in, C that makes arguments and calls it
 * goes out. The function's file is included, so that static functions can be called and types need
 * not be written again. Records are filled field by field; what differs from run to run (a tensor's
 * dtype, device and shape, a number) is a slot. */
#include "analyzer/verify/c/private.h"

#include <string.h>

enum { MAX_SLOTS = 96, MAX_DEPTH = 4, ELEMENTS = 4 };

struct writing {
    struct verifier *v;
    const struct program *program;
    slot_list *slots;
    struct text out;
    int made; /* variables so far */
};

/* ---- types ------------------------------------------------------------------------------------
 */

static bool is_record(const struct type *t, const char *name)
{
    return t->kind == TYPE_RECORD && !strcmp(t->name, name);
}

static bool is_tensor_pointer(const struct type *t)
{
    return t->kind == TYPE_POINTER && is_record(t->of, "mc_tensor");
}

/* A record without fields in this unit may have them in another. */
static const struct type *with_fields(const struct writing *w, const struct type *t)
{
    for (int i = 0; i < w->program->units.count && !t->field_count; i++) {
        const struct ir_unit *u = w->program->units.items[i]->unit;
        for (int k = 0; k < u->records.count; k++)
            if (!strcmp(u->records.items[k]->name, t->name))
                return u->records.items[k];
    }
    return t;
}

static const char *spelled(const struct type *t)
{
    return t->spelled ? t->spelled : t->name;
}

/* ---- slots ------------------------------------------------------------------------------------
 */

static int add_slot(struct writing *w, enum slot_kind kind, const char *path, double number)
{
    struct harness_slot s = {.kind = kind,
                             .path = path,
                             .dtype = "f32",
                             .device = "cpu",
                             .ndim = 2,
                             .shape = {4, 4},
                             .number = number};
    if (w->slots->count == MAX_SLOTS)
        return -1;
    LIST_ADD(w->v->arena, w->slots, s);
    return w->slots->count - 1;
}

static const char *last_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c; c++)
        if (*c == '.' || *c == '>')
            name = c + 1;
    return name;
}

/* dtypes and devices are numbers in C: names of variables identify them. */
static double first_number(const struct type *t, const char *path)
{
    const char *name = last_name(path);
    if (t->kind == TYPE_INT && strstr(name, "dtype"))
        return 9; /* MC_F32 */
    if (t->kind == TYPE_INT && strstr(name, "device"))
        return 100; /* MC_CPU */
    return t->kind == TYPE_BOOL ? 0 : t->kind == TYPE_FLOAT ? 0.5 : 2;
}

/* A type as a declaration writes it. */
static void put_type(struct writing *w, const struct type *t, int stars)
{
    static const char *const ints[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
    static const char *const unsigned_ints[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    int size = t->bits > 32 ? 3 : t->bits > 16 ? 2 : t->bits > 8 ? 1 : 0;
    switch (t->kind) {
    case TYPE_BOOL:
        text_add(&w->out, "_Bool ");
        break;
    case TYPE_INT:
        text_printf(&w->out, "%s ", t->is_signed ? ints[size] : unsigned_ints[size]);
        break;
    case TYPE_FLOAT:
        text_add(&w->out, t->bits > 32 ? "double " : "float ");
        break;
    case TYPE_POINTER:
        put_type(w, t->of, stars + 1);
        return;
    case TYPE_RECORD:
        text_printf(&w->out, "%s ", spelled(with_fields(w, t)));
        break;
    case TYPE_VOID:
    case TYPE_DYN:
    case TYPE_UNKNOWN:
    case TYPE_FUNCTION:
    case TYPE_ARRAY:
        text_add(&w->out, "void ");
        break;
    }
    for (int i = 0; i < stars; i++)
        text_add(&w->out, "*");
}

/* ---- values -----------------------------------------------------------------------------------
 */

static void fill(struct writing *w, const struct type *t, const char *place, const char *path,
                 int depth);

static void fill_record(struct writing *w, const struct type *t, const char *place,
                        const char *path, int depth)
{
    struct arena *a = w->v->arena;
    t = with_fields(w, t);
    for (int i = 0; i < t->field_count && !(t->is_union && i); i++) {
        const struct field *f = &t->fields[i];
        if (*f->name)
            fill(w, f->type, arena_printf(a, "%s.%s", place, f->name),
                 arena_printf(a, "%s.%s", path, f->name), depth);
    }
}

static void fill_array(struct writing *w, const struct type *t, const char *place, const char *path,
                       int depth)
{
    struct arena *a = w->v->arena;
    int64_t count = t->count >= 0 && t->count < ELEMENTS ? t->count : ELEMENTS;
    for (int i = 0; i < count; i++)
        fill(w, t->of, arena_printf(a, "%s[%d]", place, i), arena_printf(a, "%s[%d]", path, i),
             depth + 1);
}

/* A function of that type. */
static const char *function_like(const struct writing *w, const struct type *t)
{
    const struct ir_unit *u = w->program->entry->unit;
    for (int i = 1; i < u->functions.count; i++) {
        const struct ir_function *f = u->functions.items[i];
        if (f->has_body && f->type == t && strcmp(f->name, "main") != 0)
            return f->name;
    }
    return NULL;
}

/* A record without a name cannot be declared. */
static bool is_nameless(const struct type *t)
{
    return t->kind == TYPE_RECORD && !t->spelled && strpbrk(t->name, ".()$ ");
}

/* What a pointer points to: new memory with room for 64, written through a variable of its own,
 * because the pointer may be to const. */
static void fill_target(struct writing *w, const struct type *t, const char *place,
                        const char *path, int depth)
{
    struct arena *a = w->v->arena;
    const char *made = arena_printf(a, "made%d", w->made++);
    text_add(&w->out, "    ");
    put_type(w, t, 0);
    text_printf(&w->out, "%s = calloc(64, sizeof *%s);\n    %s = (void *)%s;\n", made, made, place,
                made);
    if (t->of->kind != TYPE_RECORD) {
        for (int i = 0; i < ELEMENTS; i++)
            fill(w, t->of, arena_printf(a, "%s[%d]", made, i), arena_printf(a, "%s[%d]", path, i),
                 depth + 1);
        return;
    }
    const struct type *r = with_fields(w, t->of);
    for (int i = 0; i < r->field_count && !(r->is_union && i); i++)
        if (*r->fields[i].name)
            fill(w, r->fields[i].type, arena_printf(a, "%s->%s", made, r->fields[i].name),
                 arena_printf(a, "%s->%s", path, r->fields[i].name), depth + 1);
    text_printf(&w->out, "    for (int i = 1; i < 64; i++)\n        %s[i] = *%s;\n", made, made);
}

static void fill_pointer(struct writing *w, const struct type *t, const char *place,
                         const char *path, int depth)
{
    const struct type *of = t->of;
    const char *function = of->kind == TYPE_FUNCTION ? function_like(w, of) : NULL;
    bool opaque = of->kind == TYPE_RECORD && (!with_fields(w, of)->field_count || is_nameless(of));
    if (of->kind == TYPE_FUNCTION)
        text_printf(&w->out, "    %s = %s;\n", place, function ? function : "0");
    else if (is_record(of, "mc_optimizer"))
        text_printf(&w->out, "    %s = harness_optimizer();\n", place);
    else if (is_record(of, "mc_grad_scaler"))
        text_printf(&w->out, "    %s = mc_grad_scaler_new();\n", place);
    else if (opaque || of->kind == TYPE_VOID || of->kind == TYPE_UNKNOWN || depth >= MAX_DEPTH ||
             (of->kind == TYPE_INT && of->bits == 8))
        text_printf(&w->out, "    %s = calloc(4096, 1);\n", place);
    else
        fill_target(w, t, place, path, depth);
}

static void fill(struct writing *w, const struct type *t, const char *place, const char *path,
                 int depth)
{
    int slot;
    switch (t->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
        slot = add_slot(w, SLOT_NUMBER, path, first_number(t, path));
        if (slot >= 0)
            text_printf(&w->out, "    harness_set(%s, harness_number(%d));\n", place, slot);
        break;
    case TYPE_POINTER:
        if (!is_tensor_pointer(t))
            fill_pointer(w, t, place, path, depth);
        else if ((slot = add_slot(w, SLOT_TENSOR, path, 0)) >= 0)
            text_printf(&w->out, "    %s = harness_tensor(%d);\n", place, slot);
        break;
    case TYPE_ARRAY:
        fill_array(w, t, place, path, depth);
        break;
    case TYPE_RECORD:
        if (depth < MAX_DEPTH)
            fill_record(w, t, place, path, depth + 1);
        break;
    case TYPE_VOID:
    case TYPE_FUNCTION:
    case TYPE_DYN:
    case TYPE_UNKNOWN:
        break;
    }
}

/* ---- the text ----------------------------------------------------------------------------------
 */

static bool leads_to_function(const struct type *t)
{
    while (t->kind == TYPE_POINTER)
        t = t->of;
    return t->kind == TYPE_FUNCTION;
}

static void put_parameter(struct writing *w, const struct ir_function *f, int k)
{
    const struct ir_local *p = &f->locals.items[k];
    const char *place = arena_printf(w->v->arena, "argument%d", k);
    const char *path = *p->name ? p->name : place;
    if (leads_to_function(p->type)) {
        const char *name = function_like(w, p->type->of);
        text_printf(&w->out, "    void *%s = (void *)(uintptr_t)%s;\n", place, name ? name : "0");
        return;
    }
    text_add(&w->out, "    ");
    put_type(w, p->type, 0);
    text_printf(&w->out, "%s;\n    memset(&%s, 0, sizeof %s);\n", place, place, place);
    fill(w, p->type, place, path, 0);
}

static const char helpers[] =
    "static char **harness_words;\n"
    "static int harness_word_count;\n"
    "static const char *harness_word(int k)\n"
    "{\n"
    "    return k + 1 < harness_word_count ? harness_words[k + 1] : \"\";\n"
    "}\n"
    "static double harness_number(int k)\n"
    "{\n"
    "    return strtod(harness_word(k), NULL);\n"
    "}\n"
    "#define harness_set(place, number) ((place) = (__typeof__(place))(number))\n"
    "/* \"f32 cpu 0 4 4\": dtype, device, whether it requires a gradient, shape */\n"
    "static mc_tensor *harness_tensor(int k)\n"
    "{\n"
    "    char dtype[16] = \"f32\", device[16] = \"cpu\";\n"
    "    int grad = 0, at = 0, dim = 0, n = 0;\n"
    "    mc_dtype wanted = MC_F32;\n"
    "    mc_device where = MC_CPU;\n"
    "    mc_shape shape = mc_shape();\n"
    "    const char *word = harness_word(k);\n"
    "    if (sscanf(word, \"%15s %15s %d%n\", dtype, device, &grad, &at) < 3)\n"
    "        return NULL;\n"
    "    for (; sscanf(word + at, \"%d%n\", &dim, &n) == 1; at += n)\n"
    "        shape.dims[shape.ndim++] = dim;\n"
    "    for (int d = 1; d < MC_DTYPE_COUNT; d++)\n"
    "        if (!strcmp(mc_dtype_name((mc_dtype)d), dtype))\n"
    "            wanted = (mc_dtype)d;\n"
    "    if (!strncmp(device, \"cuda\", 4))\n"
    "        where = MC_CUDA_AT(device[4] ? atoi(device + 5) : 0);\n"
    "    mc_tensor *t = wanted <= MC_I64 ? mc_ones(shape) : mc_randn(shape);\n"
    "    if (wanted > MC_BOOL && wanted <= MC_I64)\n"
    "        t = mc_zeros(shape);\n"
    "    t = mc_to(t, .dtype = wanted, .device = where);\n"
    "    return grad ? mc_requires_grad_(t, true) : t;\n"
    "}\n"
    "static mc_optimizer *harness_optimizer(void)\n"
    "{\n"
    "    mc_tensor *t = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);\n"
    "    return mc_sgd(mc_params(t), 0.1);\n"
    "}\n";

const char *harness_source(struct verifier *v, const struct program *p, const struct ir_function *f,
                           slot_list *slots)
{
    struct writing w = {.v = v, .program = p, .slots = slots};
    text_printf(&w.out,
                "#define main miscast_other_main\n#include \"%s\"\n#undef main\n#line 1 "
                "\"" HARNESS_FILE "\"\n#include <miscast/tensor.h>\n#include <miscast/amp.h>\n"
                "#include <miscast/optim.h>\n#include <stdint.h>\n#include <stdio.h>\n#include "
                "<stdlib.h>\n#include <string.h>\n%s\nint main(int argc, char **argv)\n{\n    "
                "harness_words = argv;\n    harness_word_count = argc;\n",
                path_real(v, NULL, p->entry->file), helpers);
    for (int i = 0; i < f->param_count; i++)
        put_parameter(&w, f, i);
    text_printf(&w.out, "    %s(", f->name);
    for (int i = 0; i < f->param_count; i++)
        text_printf(&w.out, "%sargument%d", i ? ", " : "", i);
    text_add(&w.out, ");\n    return 0;\n}\n");
    return text_keep(v->arena, &w.out);
}
