/* What a program may understand on its command line. A program comes in; choices go out: flags,
 * flags with values, words. Words are those that it compares with others or has in tables; which
 * value goes with which flag is read from its strings and comments, as in "[--dtype f32|f16]", else
 * guessed. */
#include "analyzer/verify/c/private.h"

#include <ctype.h>
#include <string.h>

enum { MAX_WORDS = 48, MAX_VALUE = 24, FLAG_NUMBERS = 6, LONGER_WORDS = 4 };

struct reading {
    struct verifier *v;
    text_list flags, words;
    choice_list *out;
    bool in_comment;   /* whose words need not be values */
    bool long_options; /* a table names flags without their dashes */
    struct constants constants;
    struct reads reads;
};

/* ---- words ------------------------------------------------------------------------------------
 */

/* Functions that compare strings. */
static const char *const comparers[] = {"strcmp", "strncmp", "strcasecmp", "strncasecmp",
                                        "strstr", "strchr",  "memcmp",     "getopt"};

static bool compares(const struct ir_inst *i)
{
    for (size_t k = 0; i->op == IR_CALL && i->name && k < sizeof comparers / sizeof *comparers; k++)
        if (!strcmp(i->name, comparers[k]))
            return true;
    return false;
}

static size_t flag_length(const char *text)
{
    size_t dashes = strspn(text, "-"), n = dashes;
    if (dashes < 1 || dashes > 2 || !isalpha((unsigned char)text[n]))
        return 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '-')
        n++;
    return n;
}

static void add_once(struct reading *r, text_list *l, const char *word)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], word))
            return;
    if (*word && l->count < MAX_WORDS)
        LIST_ADD(r->v->arena, l, word);
}

/* "--dtype", or "--dtype=" with a value to follow. */
static bool has_form_of_flag(const char *word)
{
    size_t n = flag_length(word);
    return n && (!word[n] || (word[n] == '=' && !word[n + 1]));
}

static void add_word(struct reading *r, const char *word)
{
    add_once(r, has_form_of_flag(word) ? &r->flags : &r->words, word);
}

/* "ab:c" is -a, -b with a value, -c. */
static void add_letters(struct reading *r, const char *letters)
{
    for (; *letters; letters++)
        if (isalnum((unsigned char)*letters))
            add_once(r, &r->flags, arena_printf(r->v->arena, "-%c", *letters));
}

/* Whatever its case: a program that compares it in another way, too, may differ in that. */
static void add_capitals(struct reading *r, const char *word)
{
    char *capitals = arena_printf(r->v->arena, "%s", word);
    for (char *at = capitals; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    if (flag_length(word) == 0)
        add_once(r, &r->words, capitals);
}

static bool ignores_case(const struct ir_inst *i)
{
    return !strcmp(i->name, "strcasecmp") || !strcmp(i->name, "strncasecmp");
}

static void read_compared(struct reading *r, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        r->long_options |= i->op == IR_CALL && i->name && !strncmp(i->name, "getopt_long", 11);
        if (!compares(i))
            continue;
        for (int k = 0; k < i->arg_count; k++) {
            const struct ir_inst *text = &f->insts.items[value_behind(f, i->args[k])];
            if (text->op == IR_TEXT && !strcmp(i->name, "getopt"))
                add_letters(r, text->name);
            else if (text->op == IR_TEXT)
                add_word(r, text->name);
            if (text->op == IR_TEXT && ignores_case(i))
                add_capitals(r, text->name);
        }
    }
}

/* Words in a table, and options that it names without their dashes. */
static void read_table(struct reading *r, const struct ir_function *init, bool has_words)
{
    for (int n = 1; n < init->insts.count; n++) {
        const struct ir_inst *i = &init->insts.items[n];
        if (i->op != IR_TEXT || !i->name || strpbrk(i->name, " %\n\t/"))
            continue;
        if (has_words)
            add_word(r, i->name);
        if ((r->long_options || r->constants.dashes) && isalpha((unsigned char)i->name[0]))
            add_once(r, &r->flags, arena_printf(r->v->arena, "--%s", i->name));
    }
}

/* A table of getopt_long may be a variable of the function that calls it. */
static bool has_table(const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_CALL && i->name && !strncmp(i->name, "getopt_long", 11))
            return true;
    }
    return false;
}

/* ---- choices ----------------------------------------------------------------------------------
 */

static void add_choice(struct reading *r, const char *flag, const char *value, bool known)
{
    for (int i = 0; i < r->out->count; i++) {
        const struct line_choice *c = &r->out->items[i];
        if (!c->is_hint && !strcmp(c->flag ? c->flag : "", flag ? flag : "") &&
            !strcmp(c->value ? c->value : "", value ? value : ""))
            return;
    }
    struct line_choice c = {.flag = flag, .value = value, .known = known};
    if (r->out->count < CHOICES_MAX)
        LIST_ADD(r->v->arena, r->out, c);
}

/* A name in capitals is a placeholder. */
static const char *value_for(struct reading *r, const char *text, size_t length)
{
    bool small = false, large = false;
    for (size_t i = 0; i < length; i++) {
        small |= islower((unsigned char)text[i]) != 0;
        large |= isupper((unsigned char)text[i]) != 0;
        if (!isalnum((unsigned char)text[i]) && !strchr("_-.+", text[i]))
            return NULL;
    }
    if (!length || length > MAX_VALUE)
        return NULL;
    const char *value = arena_text(r->v->arena, text, length);
    if (small || !large)
        return value;
    bool file = strstr(value, "FILE") || strstr(value, "PATH") || strstr(value, "DIR");
    return file ? "miscast-file" : "1";
}

/* "--amp works": a word of a sentence, unless the program compares something with it. */
static bool is_of_sentence(const struct reading *r, const char *at)
{
    size_t spaces = strspn(at, " "), n = 0;
    for (at += spaces; islower((unsigned char)at[n]);)
        n++;
    bool ends = !at[n] || isspace((unsigned char)at[n]) ||
                (strchr(".,:;", at[n]) && (!at[n + 1] || isspace((unsigned char)at[n + 1])));
    for (int i = 0; i < r->words.count; i++)
        if (strlen(r->words.items[i]) == n && !strncmp(r->words.items[i], at, n))
            return false;
    return spaces && n && ends;
}

/* "f32|f16]", "<n>", "=f16": what follows a flag. */
static void read_values(struct reading *r, const char *flag, const char *at)
{
    if (r->in_comment && is_of_sentence(r, at)) {
        add_choice(r, flag, NULL, true);
        return;
    }
    at += *at == '=' ? 1 : strspn(at, " ");
    at += strspn(at, "<{(");
    size_t length = strcspn(at, " \t\n])}>\"';");
    if (!length || *at == '-' || *at == '[' || *at == '|') {
        add_choice(r, flag, NULL, true);
        return;
    }
    for (const char *end = at + length; at < end;) {
        size_t n = strcspn(at, "|,/");
        n = n > (size_t)(end - at) ? (size_t)(end - at) : n;
        const char *value = value_for(r, at, n && at[n - 1] == '.' ? n - 1 : n);
        if (value)
            add_choice(r, flag, value, true);
        at += n + 1;
    }
}

static bool is_flag(const struct reading *r, const char *flag)
{
    for (int i = 0; i < r->flags.count; i++)
        if (!strcmp(r->flags.items[i], flag))
            return true;
    return false;
}

/* Text with flags among other words. */
static void read_prose(struct reading *r, const char *text, size_t length)
{
    const char *end = text + length;
    for (const char *at = text; at < end && (at = memchr(at, '-', (size_t)(end - at)));) {
        size_t n = flag_length(at);
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && !strchr("_-", at[-1]));
        const char *flag = n && begins ? arena_text(r->v->arena, at, n) : "";
        const char *joined = n && begins ? arena_text(r->v->arena, at, n + (at[n] == '=')) : "";
        if (at[n] == '=' && is_flag(r, joined) && at + n + 1 < end)
            read_values(r, joined, at + n);
        else if (is_flag(r, flag) && at + n < end && strchr(" =[]", at[n]))
            read_values(r, flag, at + n);
        at += n ? n : 1;
    }
}

static void read_texts(struct reading *r, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_TEXT && i->name)
            read_prose(r, i->name, strlen(i->name));
    }
}

static void read_comments(struct reading *r, const struct verify_unit *u)
{
    const struct source *s = sources_get(r->v->sources, u->file);
    comment_list comments = {0};
    if (!s)
        return;
    comments_find(r->v->arena, s, &comments);
    r->in_comment = true;
    for (int i = 0; i < comments.count; i++) {
        const struct comment *c = &comments.items[i];
        read_prose(r, arena_text(r->v->arena, c->text, c->length), c->length);
    }
    r->in_comment = false;
}

/* ---- guesses ----------------------------------------------------------------------------------
 */

/* What a flag of that name usually takes. */
static void guess_by_name(struct reading *r, const char *flag)
{
    static const struct {
        const char *part, *values[4];
    } usual[] = {
        {"dtype", {"f16", "bf16", "f32", "f64"}},
        {"precision", {"f16", "bf16", "f32", "f64"}},
        {"device", {"cuda", "cpu"}},
    };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        for (int k = 0; k < 4 && usual[i].values[k] && strstr(flag, usual[i].part); k++)
            add_choice(r, flag, usual[i].values[k], false);
}

/* Whether it is documented what the flag takes. */
static bool is_known(const struct reading *r, const char *flag)
{
    for (int i = 0; i < r->out->count; i++) {
        const struct line_choice *c = &r->out->items[i];
        if (c->known && c->flag && !strcmp(c->flag, flag))
            return true;
    }
    return false;
}

/* Twice, too: letters may be counted. */
static void guess_letter(struct reading *r, const char *letter)
{
    add_choice(r, NULL, letter, false);
    if (r->constants.dashes)
        add_choice(r, arena_printf(r->v->arena, "-%s", letter), NULL, false);
    add_choice(r, NULL, arena_printf(r->v->arena, "%s%s", letter, letter), false);
}

/* Numbers that are compared, and those that comparisons treat in other ways than most. */
static void guess_numbers(struct reading *r)
{
    static const char *const odd[] = {"-1", "nan", "0"};
    for (int i = 0; i < r->constants.numbers.count; i++)
        add_choice(r, NULL, r->constants.numbers.items[i], false);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        add_choice(r, NULL, odd[i], false);
}

static void guess(struct reading *r)
{
    for (int i = 0; i < r->flags.count; i++) {
        guess_by_name(r, r->flags.items[i]);
        add_choice(r, r->flags.items[i], NULL, false);
    }
    for (int i = 0; i < r->words.count; i++)
        add_choice(r, NULL, r->words.items[i], false);
    for (int i = 0; i < r->constants.letters.count; i++)
        guess_letter(r, r->constants.letters.items[i]);
    for (int i = 0; i < r->flags.count; i++) {
        if (is_known(r, r->flags.items[i]))
            continue;
        for (int k = 0; k < r->words.count; k++)
            add_choice(r, r->flags.items[i], r->words.items[k], false);
        add_choice(r, r->flags.items[i], "1", false);
        for (int k = 0; k < r->constants.numbers.count && k < FLAG_NUMBERS; k++)
            add_choice(r, r->flags.items[i], r->constants.numbers.items[k], false);
    }
    guess_numbers(r);
    for (int i = 0; i < r->words.count && i < LONGER_WORDS; i++) /* the beginning may be compared */
        add_choice(r, NULL, arena_printf(r->v->arena, "%sx", r->words.items[i]), false);
}

static void add_hints(struct reading *r, const text_list *l)
{
    for (int i = 0; i < l->count; i++) {
        struct line_choice c = {.value = l->items[i], .is_hint = true};
        LIST_ADD(r->v->arena, r->out, c);
    }
}

bool c_choices_of(struct verifier *v, const struct program *p, choice_list *out)
{
    struct reading r = {.v = v, .out = out};
    const struct ir_function *start = function_of(p->entry, "main");
    if (!start)
        return false;
    for (int i = 0; i < p->units.count; i++) {
        const struct ir_unit *u = p->units.items[i]->unit;
        for (int k = 1; k < u->functions.count; k++) {
            read_compared(&r, u->functions.items[k]);
            constants_add(v, &r.constants, u->functions.items[k]);
            reads_add(v, &r.reads, u->functions.items[k]);
        }
    }
    for (int i = 0; i < p->units.count; i++) {
        const struct ir_unit *u = p->units.items[i]->unit;
        read_table(&r, u->functions.items[0], true);
        for (int k = 1; k < u->functions.count; k++)
            if (has_table(u->functions.items[k]))
                read_table(&r, u->functions.items[k], false);
    }
    r.reads.opens_argument &= start->param_count > 0;
    add_hints(&r, &r.constants.letters);
    add_hints(&r, &r.constants.marks);
    add_hints(&r, &r.constants.numbers);
    reads_choices(v, &r.reads, &r.words, &r.constants, out);
    if (!start->param_count)
        return false;
    for (int i = 0; i < p->units.count; i++) {
        const struct ir_unit *u = p->units.items[i]->unit;
        for (int k = 1; k < u->functions.count; k++)
            read_texts(&r, u->functions.items[k]);
        read_comments(&r, p->units.items[i]);
    }
    guess(&r);
    return true;
}
