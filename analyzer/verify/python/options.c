/* What a program may understand on its command line, and in its environment. A program comes in;
 * choices go out: options that it declares to argparse or click, words that it compares, variables
 * that it reads. */
#include "analyzer/verify/python/private.h"

#include <ctype.h>
#include <string.h>

enum { MAX_WORDS = 48, MAX_VALUE = 24 };
/* As users hide their GPUs; the simulated one is hidden by it, too (watcher/cuda/device.py). */
#define NO_GPU_VARIABLE "CUDA_VISIBLE_DEVICES"
#define NO_GPU_VALUE    "-1"

struct reading {
    struct verifier *v;
    text_list words; /* that something is compared with */
    text_list names; /* under which classes and functions may be registered */
    choice_list *out;
    bool reads_words; /* of sys.argv, by itself */
};

static void add_word(struct reading *r, text_list *l, const char *word)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], word))
            return;
    if (*word && strlen(word) < MAX_VALUE && l->count < MAX_WORDS && !strpbrk(word, " \n\t{}%/"))
        LIST_ADD(r->v->arena, l, word);
}

static void add_choice(struct reading *r, const struct line_choice *c)
{
    if (r->out->count < CHOICES_MAX)
        LIST_ADD(r->v->arena, r->out, *c);
}

/* ---- values -----------------------------------------------------------------------------------
 */

static const struct ir_inst *inst_at(const struct ir_function *f, ir_value v)
{
    return v > 0 && v < f->insts.count ? &f->insts.items[v] : NULL;
}

static const char *text_at(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    return i && i->op == IR_TEXT ? i->name : NULL;
}

static ir_value labelled(const struct ir_inst *i, const char *label)
{
    for (int k = 0; k < i->arg_count && i->labels; k++)
        if (i->labels[k] && !strcmp(i->labels[k], label))
            return i->args[k];
    return 0;
}

static bool is_true(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    return i && ((i->op == IR_NAME && !strcmp(i->name, "True")) || (i->op == IR_INT && i->integer));
}

static const char *name_at(const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = inst_at(f, v);
    return i && (i->op == IR_NAME || i->op == IR_ATTR) ? i->name : "";
}

/* The texts in a list, or of click.Choice([...]). */
static void texts_in(struct reading *r, const struct ir_function *f, ir_value v, text_list *out)
{
    const struct ir_inst *i = inst_at(f, v);
    if (!i || (i->op != IR_MAKE && i->op != IR_INVOKE && i->op != IR_CALL))
        return;
    for (int k = 0; k < i->arg_count; k++) {
        const char *text = text_at(f, i->args[k]);
        const struct ir_inst *arg = inst_at(f, i->args[k]);
        char number[32];
        if (arg && arg->op == IR_INT) {
            snprintf(number, sizeof number, "%lld", (long long)arg->integer);
            text = arena_printf(r->v->arena, "%s", number);
        }
        if (text)
            add_word(r, out, text);
        else
            texts_in(r, f, i->args[k], out);
    }
}

/* ---- declared options -------------------------------------------------------------------------
 */

/* The longest name: "-d", "--dtype" is --dtype; without dashes it is a word of its own. */
static const char *option_name(const struct ir_function *f, const struct ir_inst *i)
{
    const char *found = NULL;
    for (int k = 0; k < i->arg_count; k++) {
        const char *text = i->labels && i->labels[k] ? NULL : text_at(f, i->args[k]);
        if (text && (!found || strlen(text) > strlen(found)))
            found = text;
    }
    return found;
}

static bool is_switch(const struct ir_function *f, const struct ir_inst *i)
{
    const char *action = text_at(f, labelled(i, "action"));
    return (action && (!strncmp(action, "store_", 6) || !strcmp(action, "count"))) ||
           is_true(f, labelled(i, "is_flag")) ||
           !strcmp(name_at(f, labelled(i, "action")), "BooleanOptionalAction");
}

/* What options of such names usually take. */
static void add_usual(struct reading *r, const char *name, text_list *out)
{
    static const struct {
        const char *part, *values[8];
    } usual[] = {{"device", {"cpu", "cuda"}},
                 {"dtype", {"float32", "float64", "bfloat16", "float16"}},
                 {"precision", {"fp32", "32", "bf16", "16", "fp16"}}};
    for (size_t i = 0; name && i < sizeof usual / sizeof *usual; i++)
        for (int k = 0; strstr(name, usual[i].part) && usual[i].values[k]; k++)
            add_word(r, out, usual[i].values[k]);
}

/* Values of an option that does not say which it takes. */
static void guess_values(struct reading *r, const struct ir_function *f, const struct ir_inst *i,
                         text_list *out)
{
    const char *type = name_at(f, labelled(i, "type"));
    static const char *const numbers[] = {"2", "0", "1"}, *const truths[] = {"True", "False", "1"};
    bool is_number = !strcmp(type, "int") || !strcmp(type, "float");
    bool is_truth = !strcmp(type, "bool") || strstr(type, "bool");
    add_usual(r, option_name(f, i), out);
    for (int k = 0; k < 3 && (is_number || is_truth); k++)
        add_word(r, out, is_number ? numbers[k] : truths[k]);
    for (int k = 0; k < r->names.count && !is_number && !is_truth; k++)
        add_word(r, out, r->names.items[k]);
    for (int k = 0; k < r->words.count && !is_number && !is_truth; k++)
        add_word(r, out, r->words.items[k]);
}

static void add_option(struct reading *r, const struct ir_function *f, const struct ir_inst *i)
{
    const char *name = option_name(f, i), *slash = name ? strchr(name, '/') : NULL;
    text_list values = {0};
    if (!name)
        return;
    const char *flag = *name == '-' ? name : NULL;
    if (slash) { /* click: --half/--no-half */
        add_choice(
            r, &(struct line_choice){.flag = arena_text(r->v->arena, name, (size_t)(slash - name)),
                                     .known = true});
        add_choice(r, &(struct line_choice){.flag = slash + 1, .known = true});
        return;
    }
    if (flag && is_switch(f, i)) {
        add_choice(r, &(struct line_choice){.flag = flag, .known = true});
        if (!strcmp(name_at(f, labelled(i, "action")), "BooleanOptionalAction"))
            add_choice(r,
                       &(struct line_choice){.flag = arena_printf(r->v->arena, "--no-%s", flag + 2),
                                             .known = true});
        return;
    }
    texts_in(r, f, labelled(i, "choices"), &values);
    texts_in(r, f, labelled(i, "type"), &values);
    if (!values.count)
        guess_values(r, f, i, &values);
    for (int k = 0; k < values.count; k++)
        add_choice(
            r, &(struct line_choice){.flag = flag ? arena_printf(r->v->arena, "%s=", flag) : NULL,
                                     .value = values.items[k],
                                     .known = true});
}

/* ---- what is read otherwise -------------------------------------------------------------------
 */

static void add_variable(struct reading *r, const char *name)
{
    static const char *const usual[] = {"1", "0", "true"};
    text_list values = {0};
    if (!*name || strpbrk(name, " =/"))
        return;
    for (int k = 0; k < 3; k++)
        add_word(r, &values, usual[k]);
    for (int k = 0; k < r->words.count; k++)
        add_word(r, &values, r->words.items[k]);
    for (int k = 0; k < values.count; k++)
        add_choice(
            r, &(struct line_choice){.variable = name, .value = values.items[k], .known = true});
}

/* os.environ.get("X"), os.getenv("X"), os.environ["X"] */
static const char *variable_read(const struct ir_function *f, const struct ir_inst *i)
{
    int of = i->op == IR_INVOKE || i->op == IR_APPLY ? 0 : -1;
    if (of < 0 || i->arg_count < 2)
        return NULL;
    bool is_environ = !strcmp(name_at(f, i->args[0]), "environ");
    bool gets = i->op == IR_INVOKE ? (is_environ && !strcmp(i->name, "get")) ||
                                         (i->name && !strcmp(i->name, "getenv"))
                                   : is_environ && i->integer == PROTOCOL_GETITEM;
    return gets ? text_at(f, i->args[1]) : NULL;
}

static bool compares(const struct ir_inst *i)
{
    return i->op == IR_APPLY &&
           (i->integer == PROTOCOL_EQ || i->integer == PROTOCOL_NE || i->integer == PROTOCOL_IN);
}

/* Texts that are compared, and keys of a table that something is looked up in. */
static void read_words(struct reading *r, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        r->reads_words |= i->op == IR_ATTR && !strcmp(i->name, "argv");
        bool is_table = i->op == IR_MAKE && i->integer == KIND_DICT;
        const char *member = i->op == IR_SETATTR ? text_at(f, i->args[i->arg_count - 1]) : NULL;
        if (member) /* of an enumeration, perhaps */
            add_word(r, &r->words, member);
        for (int k = 0; k < i->arg_count && (compares(i) || is_table); k++) {
            const char *text = text_at(f, i->args[k]);
            if (text && strcmp(text, "__main__") != 0)
                add_word(r, &r->words, text);
            else if (compares(i))
                texts_in(r, f, i->args[k], &r->words);
        }
    }
}

/* What a decorator makes of a class or function of the file; NULL: the instruction is none. */
static const struct ir_inst *decorated(const struct ir_function *f, const struct ir_inst *i)
{
    const struct ir_inst *of =
        i->op == IR_CALL && i->arg_count == 2 ? inst_at(f, i->args[1]) : NULL;
    bool is_definition = of && (of->op == IR_CLASS || of->op == IR_CLOSURE);
    return is_definition && of->name && !strchr(of->name, '.') ? of : NULL;
}

/* Registries: "@register('nll') class NLL", "@register def nll", "TABLE['nll'] = NLL",
 * "class NLL(Loss, name='nll')", "register('nll', NLL)". */
static void read_names(struct reading *r, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n], *of = decorated(f, i);
        const struct ir_inst *by = of ? inst_at(f, i->args[0]) : NULL;
        bool sets = i->op == IR_APPLY && i->integer == PROTOCOL_SETITEM;
        bool registers =
            i->op == IR_INVOKE || i->op == IR_CALL
                ? strstr(i->op == IR_CALL ? name_at(f, i->args[0]) : i->name, "regist") != NULL
                : i->op == IR_CLASS;
        bool calls = by && (by->op == IR_CALL || by->op == IR_INVOKE);
        const struct ir_inst *with = calls ? by : sets || registers ? i : NULL;
        for (int k = 0; with && k < with->arg_count; k++)
            if (text_at(f, with->args[k]))
                add_word(r, &r->names, text_at(f, with->args[k]));
        if (of)
            add_word(r, &r->names, of->name);
    }
}

/* A program that asks whether there is a GPU may do something else without. */
static void add_no_gpu(struct reading *r)
{
    for (int i = 0; i < r->out->count; i++)
        if (r->out->items[i].variable && !strcmp(r->out->items[i].variable, NO_GPU_VARIABLE))
            return;
    add_choice(r, &(struct line_choice){
                      .variable = NO_GPU_VARIABLE, .value = NO_GPU_VALUE, .known = true});
}

static void read_options(struct reading *r, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const char *variable = variable_read(f, i);
        if (variable)
            add_variable(r, variable);
        if (i->op == IR_INVOKE && i->name && !strcmp(i->name, "is_available"))
            add_no_gpu(r);
        if (i->op == IR_INVOKE && i->name &&
            (!strcmp(i->name, "add_argument") || !strcmp(i->name, "option") ||
             !strcmp(i->name, "argument")))
            add_option(r, f, i);
    }
}

static void each_function(struct reading *r, const struct program *p,
                          void (*on)(struct reading *, const struct ir_function *))
{
    for (int k = 0; k < p->units.count; k++)
        for (int i = 0; i < p->units.items[k]->unit->functions.count; i++)
            on(r, p->units.items[k]->unit->functions.items[i]);
}

bool python_choices_of(struct verifier *v, const struct program *p, choice_list *out)
{
    struct reading r = {.v = v, .out = out};
    each_function(&r, p, read_words);
    each_function(&r, p, read_names);
    each_function(&r, p, read_options);
    for (int k = 0; k < r.words.count && r.reads_words; k++)
        add_choice(&r, r.words.items[k][0] == '-'
                           ? &(struct line_choice){.flag = r.words.items[k]}
                           : &(struct line_choice){.value = r.words.items[k]});
    return r.reads_words;
}
