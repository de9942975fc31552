/* plant.c: puts one bug into a program: of the kinds that people make with dtypes and devices, at a
 * place that fits, chosen by chance.
 *
 *     plant SEED FILE...        changes one of the files, and says on one line, with tabs between:
 *                               kind, category, file:first-last line, a word, before => after
 *     plant --list FILE...      how many places there are of each kind
 *
 * The word is the name of what was dropped, for bugs that leave no line behind. The categories are
 * those that the rules were made from. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus/mutants/source.h"

enum { MAX_SITES = 4096, MAX_TEXT = 1024 };

struct site {
    int kind;
    const struct source *source;
    struct range edit;
    char text[MAX_TEXT]; /* what stands there instead */
    char word[MAX_NAME];
    bool is_drawn; /* what is changed are random numbers */
};

struct sites {
    int count;
    struct site items[MAX_SITES];
};

/* ---- making sites ------------------------------------------------------------------------ */

static struct site *add(struct sites *all, int kind, const struct source *s, struct range edit)
{
    static struct site spare;
    struct site *site = all->count < MAX_SITES ? &all->items[all->count++] : &spare;
    *site = (struct site){.kind = kind, .source = s, .edit = edit};
    return site;
}

/* What does not fit is cut off: such a mutant does not compile, and does not count. */
__attribute__((format(printf, 2, 3))) static void set(struct site *site, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    vsnprintf(site->text, MAX_TEXT, format, words);
    va_end(words);
}

static const char *piece(const struct source *s, struct range r)
{
    static char text[MAX_TEXT];
    size_t length = r.end - r.start < MAX_TEXT - 64 ? r.end - r.start : MAX_TEXT - 64;
    memcpy(text, s->text + r.start, length);
    text[length] = 0;
    return text;
}

static bool is_one_of(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* The last name in it: norm1 of &b->norm1. */
static void last_name(const char *text, char word[MAX_NAME])
{
    size_t end = strlen(text);
    while (end && !strchr("abcdefghijklmnopqrstuvwxyz_0123456789", text[end - 1]))
        end--;
    size_t start = end;
    while (start && strchr("abcdefghijklmnopqrstuvwxyz_0123456789", text[start - 1]))
        start--;
    snprintf(word, MAX_NAME, "%.*s", (int)(end - start), text + start);
}

/* An option by its name: `.device = x`. -1: it is not given. */
static int option_at(const struct source *s, const struct call *c, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < c->count; i++) {
        const char *at = s->text + c->args[i].start;
        if (*at == '.' && strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ')
            return i;
    }
    return -1;
}

/* From behind the argument before to the end of this one. */
static struct range with_comma(const struct call *c, int i)
{
    return (struct range){c->args[i - 1].end, c->args[i].end};
}

/* ---- the kinds --------------------------------------------------------------------------- */

#define CASTS     "mc_float mc_half mc_bfloat16 mc_type_as mc_to_dtype mc_long mc_byte"
#define MOVES     "mc_to_device mc_cpu mc_cuda"
#define PRODUCTS  "mc_linear mc_matmul mc_conv2d mc_scaled_dot_product_attention"
#define NORMS     "mc_layer_norm mc_group_norm mc_batch_norm"
#define FACTORIES "mc_zeros mc_ones mc_randn mc_empty mc_full mc_rand"
#define DRAWN     "mc_randn mc_rand"
#define INDICES   "mc_randint mc_arange"
#define MOVERS    "replace move tensor_to conv_to norm_to res_block_to encoder_move"

static void drop_call(struct sites *all, int kind, const struct source *s, const struct call *c,
                      const char *names)
{
    if (!is_one_of(c->name, names) || !c->count)
        return;
    struct site *site = add(all, kind, s, c->all);
    set(site, "(%s)", piece(s, c->args[0]));
    last_name(piece(s, c->args[0]), site->word);
}

static void drop_cast(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (!source_is_statement(s, c))
        drop_call(all, kind, s, c, CASTS);
}

static void drop_move(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (!source_is_statement(s, c))
        drop_call(all, kind, s, c, MOVES);
}

static void wrap(struct sites *all, int kind, const struct source *s, struct range r,
                 const char *cast)
{
    set(add(all, kind, s, r), "%s(%s)", cast, piece(s, r));
}

static void cast_operand(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    static const char *const casts[] = {"mc_half", "mc_bfloat16", "mc_float", "mc_double"};
    for (int i = 0; i < 2 && is_one_of(c->name, PRODUCTS); i++)
        for (size_t k = 0; k < sizeof casts / sizeof *casts; k++)
            wrap(all, kind, s, c->args[i], casts[k]);
}

static void cast_norm(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (!is_one_of(c->name, NORMS))
        return;
    wrap(all, kind, s, c->args[0], "mc_double");
    wrap(all, kind, s, c->args[0], "mc_half");
}

static void forget_field(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (!is_one_of(c->name, MOVERS) || !source_is_statement(s, c))
        return;
    struct site *site = add(all, kind, s, c->all);
    last_name(piece(s, c->args[0]), site->word);
}

static void forget_device(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    int i = option_at(s, c, "device");
    if (i > 0 && strncmp(c->name, "mc_", 3) == 0)
        add(all, kind, s, with_comma(c, i));
}

static void fix_device(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    int i = option_at(s, c, "device");
    if (i <= 0 || strncmp(c->name, "mc_", 3) != 0)
        return;
    set(add(all, kind, s, c->args[i]), ".device = MC_CUDA");
    set(add(all, kind, s, c->args[i]), ".device = MC_CPU");
}

static void forget_dtype(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    int i = option_at(s, c, "dtype");
    if (i > 0 && strncmp(c->name, "mc_", 3) == 0)
        add(all, kind, s, with_comma(c, i));
}

static void add_option(struct sites *all, int kind, const struct source *s, const struct call *c,
                       const char *option)
{
    struct range end = {c->all.end - 1, c->all.end - 1};
    struct site *site = add(all, kind, s, end);
    site->is_drawn = is_one_of(c->name, DRAWN);
    set(site, ", %s", option);
}

static void half_factory(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (!is_one_of(c->name, FACTORIES) || option_at(s, c, "dtype") >= 0)
        return;
    add_option(all, kind, s, c, ".dtype = MC_F16");
    add_option(all, kind, s, c, ".dtype = MC_BF16");
}

static void double_factory(struct sites *all, int kind, const struct source *s,
                           const struct call *c)
{
    if (is_one_of(c->name, FACTORIES) && option_at(s, c, "dtype") < 0)
        add_option(all, kind, s, c, ".dtype = MC_F64");
}

static void narrow_store(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    int i = option_at(s, c, "dtype");
    if (i <= 0 || !is_one_of(c->name, FACTORIES))
        return;
    set(add(all, kind, s, c->args[i]), ".dtype = MC_F16");
    set(add(all, kind, s, c->args[i]), ".dtype = MC_I32");
}

static void float_index(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    int i = strcmp(c->name, "mc_embedding") == 0                                         ? 0
            : is_one_of(c->name, "mc_index mc_cross_entropy")                            ? 1
            : is_one_of(c->name, "mc_gather mc_index_select mc_index_copy_ mc_scatter_") ? 2
                                                                                         : -1;
    if (i >= 0 && i < c->count)
        wrap(all, kind, s, c->args[i], "mc_float");
    if (is_one_of(c->name, INDICES) && option_at(s, c, "dtype") < 0)
        add_option(all, kind, s, c, ".dtype = MC_F32");
}

static void int_classes(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (strcmp(c->name, "mc_cross_entropy") == 0 && c->count > 1)
        wrap(all, kind, s, c->args[1], "mc_int");
}

/* `x = mc_float(x);` becomes `mc_float(x);` */
static void discard_result(struct sites *all, int kind, const struct source *s,
                           const struct call *c)
{
    struct range r = source_statement(s, c->all.start);
    const char *equals = memchr(s->code + r.start, '=', c->all.start - r.start);
    bool plain = equals && s->code[c->all.end] == ';' &&
                 strspn(equals + 1, " \n") == (size_t)(s->code + c->all.start - equals - 1);
    for (size_t i = r.start; plain && s->code + i < equals - 1; i++)
        plain = s->code[i] != ' '; /* no declaration */
    if (!plain || !is_one_of(c->name, CASTS " " MOVES " mc_to"))
        return;
    struct range edit = {r.start, c->all.start};
    last_name(piece(s, (struct range){r.start, (size_t)(equals - s->code)}),
              add(all, kind, s, edit)->word);
}

/* `mc_copy_(a, b);` becomes an expression of which nothing is kept. */
static void lose_write(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    size_t length = strlen(c->name);
    if (!is_one_of(c->name, "mc_lerp_ mc_mul_ mc_add_ mc_clamp_") || !source_is_statement(s, c))
        return;
    add(all, kind, s, (struct range){c->all.start + length - 1, c->all.start + length}); /* the _ */
}

static void work_in_place(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (!is_one_of(c->name, "mc_add mc_mul mc_sub mc_div mc_relu mc_sigmoid mc_tanh mc_silu "
                            "mc_exp mc_rsqrt mc_square mc_masked_fill"))
        return;
    size_t end = c->all.start + strlen(c->name);
    set(add(all, kind, s, (struct range){end, end}), "_");
}

static void drop_statement(struct sites *all, int kind, const struct source *s,
                           const struct call *c, const char *names)
{
    if (is_one_of(c->name, names) && source_is_statement(s, c)) {
        struct site *site = add(all, kind, s, c->all);
        last_name(c->name, site->word);
    }
}

/* Calls of the scaler left out, or the gradients clipped while they are scaled. */
static void misuse_scaler(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    struct call next;
    drop_statement(all, kind, s, c, "mc_grad_scaler_unscale_ mc_grad_scaler_update");
    if (strcmp(c->name, "mc_grad_scaler_scale") == 0 && c->count == 2)
        set(add(all, kind, s, c->all), "(%s)", piece(s, c->args[1]));
    if (strcmp(c->name, "mc_grad_scaler_step") == 0)
        set(add(all, kind, s, c->all), "mc_optimizer_step(%s)", piece(s, c->args[1]));
    if (strcmp(c->name, "mc_grad_scaler_unscale_") == 0 && source_is_statement(s, c) &&
        source_next_call(s, c->all.end, &next) && source_is_statement(s, &next)) {
        struct site *site = add(all, kind, s, (struct range){c->all.start, next.all.end});
        set(site, "%.*s; %.*s", (int)(next.all.end - next.all.start), s->text + next.all.start,
            (int)(c->all.end - c->all.start), s->text + c->all.start);
    }
}

static void leave_autocast(struct sites *all, int kind, const struct source *s,
                           const struct call *c)
{
    drop_statement(all, kind, s, c, "mc_autocast_end");
}

static void wrong_pointer(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (strcmp(c->name, "mc_data_i64") != 0)
        return;
    set(add(all, kind, s, c->all), "(const int64_t *)mc_data_i32(%s)", piece(s, c->args[0]));
    set(add(all, kind, s, c->all), "(const int64_t *)mc_data_f32(%s)", piece(s, c->args[0]));
}

static void byte_mask(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (is_one_of(c->name, "mc_masked_fill mc_where") && c->count > 1)
        wrap(all, kind, s, c->args[strcmp(c->name, "mc_where") != 0], "mc_byte");
    if (strcmp(c->name, "mc_logical_not") == 0)
        set(add(all, kind, s, c->all), "mc_bitwise_not(mc_byte(%s))", piece(s, c->args[0]));
}

static void integer_mean(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (is_one_of(c->name, "mc_mean mc_std mc_softmax"))
        wrap(all, kind, s, c->args[0], "mc_long");
}

static void bool_minus(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (strcmp(c->name, "mc_sub") == 0 && c->count > 1)
        wrap(all, kind, s, c->args[0], "mc_bool");
}

static void half_scaled(struct sites *all, int kind, const struct source *s, const struct call *c)
{
    if (is_one_of(c->name, "mc_requires_grad_"))
        wrap(all, kind, s, c->args[0], "mc_half");
}

static const struct kind {
    const char *name, *category;
    void (*find)(struct sites *, int kind, const struct source *, const struct call *);
} kinds[] = {
    {"drop-cast", "A1_mixed_float_operands", drop_cast},
    {"cast-operand", "A1_mixed_float_operands", cast_operand},
    {"cast-norm", "A1_mixed_float_operands", cast_norm},
    {"half-factory", "A1_mixed_float_operands", half_factory},
    {"narrow-store", "A2_inplace_store_dtype", narrow_store},
    {"float-index", "A3_index_label_dtype", float_index},
    {"int-classes", "A3_index_label_dtype", int_classes},
    {"double-factory", "A4_double_from_host", double_factory},
    {"forget-device", "B1_new_tensor_default_device", forget_device},
    {"drop-move", "B1_new_tensor_default_device", drop_move},
    {"forget-field", "B2_unregistered_or_late_module", forget_field},
    {"fix-device", "B3_hardcoded_device", fix_device},
    {"discard-result", "C1_discarded_cast", discard_result},
    {"lose-write", "C3_write_lost_on_cast_copy", lose_write},
    {"work-in-place", "C4_inplace_autograd", work_in_place},
    {"bool-minus", "G3_bool_arithmetic", bool_minus},
    {"byte-mask", "G4_mask_dtype_semantics", byte_mask},
    {"leave-autocast", "H1_autocast_boundary", leave_autocast},
    {"misuse-scaler", "H3_gradscaler_misuse", misuse_scaler},
    {"half-parameters", "H4_unscale_fp16_params", half_scaled},
    {"wrong-pointer", "I1_raw_pointer_dtype", wrong_pointer},
    {"integer-mean", "J1_unsupported_dtype_backend", integer_mean},
    {"forget-dtype", "L1_default_dtype_leak", forget_dtype},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- choosing ---------------------------------------------------------------------------- */

static void find_all(struct sites *all, const struct source *s)
{
    struct call c;
    for (size_t at = 0; source_next_call(s, at, &c); at = c.all.start + strlen(c.name))
        for (int k = 0; k < KINDS; k++)
            kinds[k].find(all, k, s, &c);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A kind first, so that those with few places are tried as often as others. */
static const struct site *choose(const struct sites *all, uint64_t seed)
{
    int of[KINDS] = {0}, there = 0;
    for (int i = 0; i < all->count; i++)
        there += of[all->items[i].kind]++ == 0;
    if (!there)
        return NULL;
    int n = (int)(next_random(&seed) % (uint64_t)there), kind = 0;
    while (!of[kind] || n--)
        kind++;
    n = (int)(next_random(&seed) % (uint64_t)of[kind]);
    for (int i = 0; i < all->count; i++)
        if (all->items[i].kind == kind && n-- == 0)
            return &all->items[i];
    return NULL;
}

/* On one line, without more blanks than one. */
static void print_flat(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool space = strchr(" \n\t", text[i]) != NULL;
        if (!space)
            putchar(text[i]);
        else if (i && !strchr(" \n\t", text[i - 1]))
            putchar(' ');
    }
}

static bool apply(const struct site *site)
{
    const struct source *s = site->source;
    struct range r = source_statement(s, site->edit.start);
    const struct kind *k = &kinds[site->kind];
    printf("%s%s\t%s\t%s:%d-%d\t%s\t", k->name, site->is_drawn ? ", drawn" : "", k->category,
           s->path, source_line(s, r.start), source_line(s, r.end), *site->word ? site->word : "-");
    print_flat(s->text + site->edit.start, site->edit.end - site->edit.start);
    printf(" => ");
    print_flat(site->text, strlen(site->text));
    printf("\n");
    FILE *file = fopen(s->path, "wb");
    if (!file)
        return false;
    fwrite(s->text, 1, site->edit.start, file);
    fputs(site->text, file);
    fwrite(s->text + site->edit.end, 1, s->size - site->edit.end, file);
    return fclose(file) == 0;
}

static void list(const struct sites *all)
{
    for (int k = 0; k < KINDS; k++) {
        int count = 0;
        for (int i = 0; i < all->count; i++)
            count += all->items[i].kind == k;
        printf("%-16s %-34s %d\n", kinds[k].name, kinds[k].category, count);
    }
}

int main(int argc, char **argv)
{
    static struct sites all;
    struct source *sources = calloc((size_t)argc, sizeof *sources);
    if (argc < 3 || !sources) {
        fprintf(stderr, "usage: plant SEED|--list FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        sources[i] = source_read(argv[i]);
        find_all(&all, &sources[i]);
    }
    const struct site *site = NULL;
    bool listing = strcmp(argv[1], "--list") == 0;
    if (listing)
        list(&all);
    else
        site = choose(&all, strtoull(argv[1], NULL, 10));
    bool done = listing || (site && apply(site));
    for (int i = 2; i < argc; i++)
        source_free(&sources[i]);
    free(sources);
    return done ? 0 : 1;
}
