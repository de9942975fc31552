/* Values from outside: parameters of functions that nobody calls, and options. Nothing is known of
 * one, but it is the same each time: what is asked about it twice has one answer. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

static const struct type bool_type = {.kind = TYPE_BOOL};
static const struct type int_type = {.kind = TYPE_INT, .bits = 64, .is_signed = true};

struct value outside_value(struct dyn *d, struct key key, const struct access_path *place)
{
    struct flow *f = d->p->f;
    struct object *o = object_at(f->heap, key, OBJECT_UNKNOWN, NULL, NULL);
    if (!o->is) {
        o->is = arena_one(f->kept, struct dynamic);
        o->is->kind = DYNAMIC_OUTSIDE;
        o->pointer = place;
        o->is_one = true;
        o->unknown_contents = true;
    }
    return dyn_value(d, o);
}

diagram outside_on_gpu(struct dyn *d)
{
    struct guards *g = d->p->f->guards;
    uint64_t words[] = {KEY_OUTSIDE, 0, KEY_ASSUMED};
    diagram is = literal_is(guard_conditions(g), NULL, words, COUNT(words), 1);
    struct value there = has_gpu(d->p->f, d->p->fr, d->p->s);
    d->p->s->guarded = true;
    if (!value_is_initial(&there))
        return is;
    struct domain yes = {1, 1};
    return guards_both(g, is, initial_within(guard_conditions(g), there.test->of->origin, yes));
}

struct value outside_member(struct dyn *d, struct object *o, const char *name)
{
    const struct value *set = dyn_get(d, o, name);
    if (set)
        return *set;
    struct key key = key_of(KEY_OUTSIDE, (uint64_t)o->id, name_id(name));
    struct value v =
        outside_value(d, key,
                      access_member(d->p->f->arena, o->pointer ? o->pointer : &place_unnamed,
                                    name_of(d->p->f->names, name)));
    dyn_object(&v)->is->is_data |= o->is->is_data;
    return v;
}

/* Steps are kept longer than the objects of a root. */
static const struct access_path *keep_place(struct arena *a, const struct access_path *place)
{
    if (!place || place == &place_unnamed)
        return place;
    struct access_path *kept = arena_one(a, struct access_path);
    *kept = *place;
    kept->of = keep_place(a, place->of);
    kept->by = keep_place(a, place->by);
    return kept;
}

static const struct step *step_from(struct flow *f, const struct frame *fr,
                                    const struct access_path *place)
{
    struct step *how = arena_one(f->arena, struct step);
    ir_value call = 0;
    fr = frame_in_program(fr, &call);
    how->function = fr->code->fn;
    how->span = fr->code->fn->span;
    how->place = keep_place(f->arena, place);
    how->fact = fact_unknown();
    return how;
}

static int argument_name(struct flow *f, const struct code *code, int param)
{
    return tensor_name(f->heap,
                       key_of(KEY_ASSUMED, (uint64_t)code->order + 1, (uint64_t)param << 8 | 3));
}

/* A tensor that is passed to a function by whoever calls it: on a GPU, where all that is passed
 * from outside is then, to constructors and to their methods, too; or wherever it fits. */
struct value outside_argument(struct dyn *d, const struct code *code, int param)
{
    struct flow *f = d->p->f;
    const struct ir_local *l = &code->fn->locals.items[param];
    const struct access_path *place = access_variable(f->arena, name_of(f->names, l->name));
    int id = argument_name(f, code, param);
    struct tensor on[2];
    if (state_tensor(d->p->s, id))
        return value_of_tensor(id);
    for (int i = 0; i < 2; i++) {
        struct step *how = arena_one(f->arena, struct step);
        struct fact *is = &how->fact;
        *how = (struct step){
            .function = code->fn, .span = l->span, .place = place, .fact = fact_unknown()};
        is->devices = i ? 1u << DEVICE_CUDA : is->devices;
        is->gpus = i ? GPUS_ALL : is->gpus;
        on[i] = (struct tensor){.id = id, .unknown = true, .fact = *is, .how = how};
    }
    struct tensor all = guard_choose_tensor(d->p->s, outside_on_gpu(d), &on[1], &on[0]);
    state_tensor_put(f->scratch, d->p->s, all);
    return value_of_tensor(id);
}

struct value outside_tensor(struct dyn *d, struct object *o, bool is_sure)
{
    struct flow *f = d->p->f;
    int id = tensor_name(f->heap, key_of(KEY_ASSUMED, (uint64_t)o->id, 1));
    const struct code *to = o->is->passed_to;
    if (to && (is_sure || state_tensor(d->p->s, argument_name(f, to, o->is->passed_as))))
        return outside_argument(d, to, o->is->passed_as);
    if (!state_tensor(d->p->s, id))
        state_tensor_put(f->scratch, d->p->s,
                         (struct tensor){.id = id,
                                         .unknown = true,
                                         .fact = fact_unknown(),
                                         .how = step_from(f, d->p->fr, o->pointer)});
    return value_of_tensor(id);
}

struct value outside_truth(struct dyn *d, struct object *o, const char *question)
{
    struct flow *f = d->p->f;
    const struct loc *l = dyn_field(d, o, dyn_join(d, "(", question, ")"));
    return memory_read(f, d->p->fr, d->p->s, l, &bool_type);
}

static struct value choose_by(struct dyn *d, const struct object *o, const char *text,
                              const struct value *yes, const struct value *no)
{
    uint64_t key[] = {KEY_OUTSIDE, (uint64_t)o->id};
    int64_t literal = (int64_t)(name_id(text) >> 2);
    diagram holds = literal_is(guard_conditions(d->p->f->guards), NULL, key, COUNT(key), literal);
    d->p->s->guarded = true;
    return guard_choose(d->p->s, holds, yes, no);
}

static const char *in_lower_case(struct dyn *d, const char *text)
{
    char *lower = arena_copy(d->p->f->scratch, text, strlen(text) + 1);
    for (char *c = lower; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    return name_of(d->p->f->names, lower);
}

/* Of the texts that an option can be, it is the last one if it is none of the others. One in upper
 * case is asked about in lower case, as programs do that know it in both. */
struct value outside_choose(struct dyn *d, struct object *o, const char *text,
                            const struct value *yes, const struct value *no)
{
    int count = o->is->choices.count;
    if (o->is->upper_of && strpbrk(text, "abcdefghijklmnopqrstuvwxyz"))
        return *no;
    if (o->is->upper_of)
        return outside_choose(d, o->is->upper_of, in_lower_case(d, text), yes, no);
    if (!outside_can_be(o, text))
        return *no;
    if (!count || !o->is->is_given || strcmp(o->is->choices.items[count - 1], text) != 0)
        return choose_by(d, o, text, yes, no);
    struct value chosen = *yes;
    for (int i = 0; i < count - 1; i++)
        chosen = choose_by(d, o, o->is->choices.items[i], no, &chosen);
    return chosen;
}

struct value outside_is_text(struct dyn *d, struct object *o, const char *text)
{
    struct value yes = dyn_bool(true), no = dyn_bool(false);
    return outside_choose(d, o, text, &yes, &no);
}

bool outside_can_be(const struct object *o, const char *text)
{
    return !o->is->choices.count || text_list_has(&o->is->choices, text);
}

struct value outside_by_text(struct dyn *d, struct object *o, of_text *of, void *context,
                             struct value otherwise)
{
    const struct value *set = dyn_get(d, o, "(default)");
    const char *usual = set ? dyn_literal(set) : NULL;
    static const char *const known[] = {"cpu", "cuda"};
    for (int i = 0; i < COUNT(known); i++) {
        struct value v = of(d, known[i], context);
        otherwise = outside_choose(d, o, known[i], &v, &otherwise);
    }
    if (!usual || !strncmp(usual, "cpu", 4) || !strncmp(usual, "cuda", 5))
        return otherwise;
    struct value v = of(d, usual, context);
    return outside_choose(d, o, usual, &v, &otherwise);
}

static struct value begins_with(struct dyn *d, const char *text, void *context)
{
    (void)d;
    return dyn_bool(!strncmp(text, context, strlen(context)));
}

static struct value ends_with(struct dyn *d, const char *text, void *context)
{
    (void)d;
    return dyn_bool(dyn_ends_with(text, context));
}

/* In lower case, it is compared with texts that are, and is the same. */
static bool is_kept_by(const char *method)
{
    return !strcmp(method, "lower") || !strcmp(method, "strip") || !strcmp(method, "casefold");
}

/* Whether one of the texts that it can be is another one in lower case. */
static bool has_upper_case(const struct object *o)
{
    for (int i = 0; i < o->is->choices.count; i++)
        if (strpbrk(o->is->choices.items[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            return true;
    return false;
}

bool outside_has_method(const struct object *o, const char *name)
{
    bool asks = !strcmp(name, "startswith") || !strcmp(name, "endswith");
    bool keeps = is_kept_by(name) || !strcmp(name, "upper");
    return asks || (o->is->is_data && keeps) || (o->is->is_text && name[0] != '_');
}

/* The text in upper case, which is not known either. */
static struct value in_upper_case(struct dyn *d, struct object *o)
{
    struct value v = outside_member(d, o, "(upper)");
    struct object *upper = dyn_object(&v);
    upper->is->upper_of = o;
    upper->is->is_text = upper->is->is_given = true;
    return v;
}

/* What a method gives of each text that it can be; of its default, if it can be any. */
static struct value of_each_text(struct dyn *d, struct object *o, const char *name,
                                 const struct arguments *a)
{
    const struct value *set = dyn_get(d, o, "(default)");
    const char *usual = set ? dyn_literal(set) : NULL;
    struct value all = strcmp(name, "upper") != 0 ? value_any : in_upper_case(d, o);
    int count = o->is->choices.count ? o->is->choices.count : usual != NULL;
    for (int i = 0; i < count; i++) {
        const char *text = o->is->choices.count ? o->is->choices.items[i] : usual;
        struct value one = dyn_text(d, text), gives;
        if (!d->natives->text_method(d, &one, name, a, &gives))
            return value_any;
        all = outside_choose(d, o, text, &gives, &all);
    }
    return all;
}

/* A text that begins with the name of a device is one of that device, and so is one that has it:
 * both are one question. */
struct value outside_method(struct dyn *d, const struct value *of, const char *name,
                            const struct arguments *a)
{
    struct object *o = dyn_object(of);
    const char *with = a->count == 1 ? dyn_literal(&a->values[0]) : NULL;
    bool is_beginning = !strcmp(name, "startswith");
    if (is_kept_by(name) && !has_upper_case(o))
        return *of;
    if (!is_beginning && strcmp(name, "endswith") != 0)
        return of_each_text(d, o, name, a);
    if (!with)
        return dyn_unknown_bool(d);
    bool is_device = is_beginning && (!strcmp(with, "cuda") || !strcmp(with, "cpu"));
    struct value is = outside_truth(d, o, dyn_join(d, is_device ? "has" : name, " ", with));
    return o->is->is_text ? outside_by_text(d, o, is_beginning ? begins_with : ends_with,
                                            (void *)(uintptr_t)with, is)
                          : is;
}

/* ---- options --------------------------------------------------------------------------------- */

/* It is not None, if it never is by default. */
void outside_set_defaults(struct dyn *d, struct object *o, const char *kind,
                          const struct value *otherwise)
{
    value_list defaults = guard_values(d->p->f->scratch, d->p->s, otherwise);
    o->is->is_given = true;
    o->is->is_text = !strcmp(kind, "builtins.str");
    for (int i = 0; i < defaults.count; i++) {
        const struct value *one = defaults.items[i];
        o->is->is_given &= !dyn_is_none(one) && one->kind != VALUE_ANY;
        o->is->is_text &= dyn_is_none(one) || dyn_is_text(one);
    }
    if (dyn_literal(otherwise))
        dyn_put(d, o, "(default)", *otherwise);
}

/* Any number if it is given, else its default, which is what most runs have. */
static struct value real_option(struct dyn *d, const struct object *o,
                                const struct value *otherwise)
{
    struct value any = value_unknown_real();
    bool is_known = otherwise->kind == VALUE_NUMBER && otherwise->is_real && otherwise->has_real;
    return is_known ? choose_by(d, o, "(default)", otherwise, &any) : any;
}

struct value outside_read(struct dyn *d, struct object *o, const char *kind,
                          const struct value *otherwise)
{
    struct flow *f = d->p->f;
    if (!strcmp(kind, "builtins.bool"))
        return memory_read(f, d->p->fr, d->p->s, dyn_field(d, o, "(true)"), &bool_type);
    if (!strcmp(kind, "builtins.int") && o->is->is_given)
        return memory_read(f, d->p->fr, d->p->s, dyn_field(d, o, "(int)"), &int_type);
    if (!strcmp(kind, "builtins.float") && o->is->is_given)
        return real_option(d, o, otherwise);
    return dyn_value(d, o);
}

struct object *outside_option(struct dyn *d, const char *name)
{
    struct flow *f = d->p->f;
    struct key key = key_of(KEY_OUTSIDE, name_id(name), 2);
    struct value v = outside_value(d, key, access_variable(f->arena, name_of(f->names, name)));
    return dyn_object(&v);
}

static struct value read_like(struct dyn *d, struct object *o, const struct value *otherwise)
{
    const char *kind = otherwise->kind != VALUE_NUMBER ? "builtins.str"
                       : otherwise->is_bool            ? "builtins.bool"
                       : otherwise->is_real            ? "builtins.float"
                                                       : "builtins.int";
    outside_set_defaults(d, o, kind, otherwise);
    return outside_read(d, o, kind, otherwise);
}

struct value outside_like(struct dyn *d, const char *name, const struct value *otherwise)
{
    return read_like(d, outside_option(d, name), otherwise);
}

/* ---- files of settings ----------------------------------------------------------------------- */

struct value outside_data(struct dyn *d)
{
    struct key key = key_of(KEY_OUTSIDE, d->p->fr->context, (uint64_t)d->n << 8 | 5);
    struct value v = outside_value(d, key, &place_unnamed);
    struct object *o = dyn_object(&v);
    o->is->is_data = true;
    if (dyn_get(d, o, "(read)"))
        return value_any;
    dyn_put(d, o, "(read)", dyn_bool(true));
    return v;
}

struct value outside_setting(struct dyn *d, struct object *of, const char *name,
                             const struct value *otherwise)
{
    struct value v = outside_member(d, of, name);
    struct object *o = dyn_object(&v);
    bool is_plain = otherwise && !otherwise->names &&
                    (otherwise->kind == VALUE_NUMBER || dyn_literal(otherwise));
    return o && o->is->kind == DYNAMIC_OUTSIDE && is_plain ? read_like(d, o, otherwise) : v;
}

struct object *outside_settings(const struct value *v)
{
    struct object *o = dyn_object(v);
    return o && o->is->kind == DYNAMIC_OUTSIDE && o->is->is_data ? o : NULL;
}

bool outside_gets(const struct object *o, const char *name)
{
    bool gets = !strcmp(name, "get") || !strcmp(name, "pop") || !strcmp(name, "setdefault");
    return o->is->kind == DYNAMIC_OUTSIDE && o->is->is_data && gets;
}
