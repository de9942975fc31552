/* Programs held against the analysis: each becomes a C function with a statement a line, and what
 * is inferred about the tensor that a line makes, or the error reported there, is compared with
 * what PyTorch did. A statement that fails stands in a branch of its own, as no run gets behind it.
 */
#include "tests/truth/programs.h"
#include "tests/truth/static.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Programs in a unit: enough that headers cost little, few enough to stay in the cache. */
#define BATCH 100

struct program_batch {
    struct infer *infer;
    struct check checks[BATCH];
    struct program programs[BATCH];
    int first_line[BATCH]; /* of the first statement */
    int count, line;
    struct text source;
    struct inferred *lines;
    bool broken;
};

/* ---- writing --------------------------------------------------------------------------------- */

static bool word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The call with its operands' names replaced; of one that takes one, x is the same as a. */
static void add_call(struct text *to, const char *call, const struct statement *s)
{
    for (const char *p = call; *p; p++) {
        bool alone = (p == call || !word_character(p[-1])) && !word_character(p[1]);
        int which = !alone ? -1 : *p == 'x' ? 0 : *p >= 'a' && *p <= 'c' ? *p - 'a' : -1;
        if (which < 0 || which >= s->count)
            text_add_range(to, p, 1);
        else if (s->given[which].tensor >= 0)
            text_printf(to, "t%d", s->given[which].tensor);
        else
            text_add(to, s->given[which].text);
    }
}

static void add_new(struct text *to, const struct statement *s)
{
    text_add(to, "mc_zeros(mc_shape(");
    for (int i = 0; i < s->shape.ndim; i++)
        text_printf(to, "%s%lld", i ? ", " : "", (long long)s->shape.dims[i]);
    text_printf(to, "), .dtype = %s, .device = %s, .requires_grad = %s)", dtype_constant(s->dtype),
                s->device == MC_CUDA ? "MC_CUDA" : "MC_CPU", s->leaf ? "true" : "false");
}

static void add_end(struct text *to, const struct program *p, int opened)
{
    bool region = p->statements[opened].kind == STATEMENT_AUTOCAST;
    text_printf(to, "%s(r%d);", region ? "mc_autocast_end" : "mc_grad_mode_end", opened);
}

static void add_statement(struct text *to, const struct program *p, int n)
{
    const struct statement *s = &p->statements[n];
    switch (s->kind) {
    case STATEMENT_NEW:
        text_printf(to, "mc_tensor *t%d = ", n);
        add_new(to, s);
        break;
    case STATEMENT_DEED:
    case STATEMENT_CALL:
        if (s->kind == STATEMENT_CALL || s->deed->run)
            text_printf(to, "mc_tensor *t%d = ", n);
        add_call(to, s->kind == STATEMENT_CALL ? s->entry->text : s->deed->text, s);
        break;
    case STATEMENT_NO_GRAD:
    case STATEMENT_ENABLE_GRAD:
        text_printf(to, "mc_grad_mode r%d = mc_%s_begin()", n,
                    s->kind == STATEMENT_NO_GRAD ? "no_grad" : "enable_grad");
        break;
    case STATEMENT_AUTOCAST:
        text_printf(to, "mc_autocast r%d = mc_autocast_begin(%s, %s)", n,
                    s->device == MC_CUDA ? "MC_CUDA" : "MC_CPU", dtype_constant(s->dtype));
        break;
    case STATEMENT_END:
        add_end(to, p, s->opened);
        break;
    }
}

/* What is still open is ended, as anybody's program would. */
static void add_ends(struct text *to, const struct program *p)
{
    bool ended[STATEMENTS_MOST] = {false};
    for (int n = p->count - 1; n >= 0; n--) {
        const struct statement *s = &p->statements[n];
        if (s->kind == STATEMENT_END)
            ended[s->opened] = true;
        else if (s->kind >= STATEMENT_NO_GRAD && !ended[n])
            add_end(to, p, n);
    }
}

static void add_program(struct program_batch *b, int i)
{
    const struct program *p = &b->programs[i];
    text_printf(&b->source, "void program_%d(int at)\n{\n", i);
    b->first_line[i] = b->line + 2;
    for (int n = 0; n < p->count; n++) {
        bool fails = strncmp(p->statements[n].outcome, "error:", 6) == 0;
        if (fails)
            text_printf(&b->source, "    if (at == %d) { ", n);
        else
            text_add(&b->source, "    ");
        add_statement(&b->source, p, n);
        text_add(&b->source, fails ? "; return; }\n" : ";\n");
    }
    text_add(&b->source, "    ");
    add_ends(&b->source, p);
    text_add(&b->source, "\n}\n");
    b->line += p->count + 4;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* In the words of infer_lines. */
static void expected_words(const struct statement *s, char *words)
{
    struct recorded want;
    if (!recorded_parse(s->outcome, &want))
        snprintf(words, OUTCOME_SIZE, "%s", strcmp(s->outcome, "none") == 0 ? "null" : s->outcome);
    else
        snprintf(words, OUTCOME_SIZE, "%s:%d%s%s", want.dtype, want.shape.ndim,
                 want.cuda ? "@cuda" : "",
                 !want.requires_grad ? ""
                 : want.leaf         ? "+leaf"
                                     : "+grad");
}

static bool is_one_of(const struct statement *s, const char *const *names, int count)
{
    size_t length = strcspn(s->text, " ");
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncmp(s->text, names[i], length) == 0)
            return true;
    return false;
}

/* What is not asked, as README.md says. How many dimensions squeeze leaves hangs on sizes, and of
 * einsum it stands in a text; whether these others return x, a view of it or a copy hangs on how
 * its elements lie. No other statement uses what they return. */
static const char *const rank_open[] = {"squeeze_first", "squeeze_all", "einsum"};
static const char *const alias_open[] = {"contiguous", "flat", "flatten", "reshape_as"};

/* Cuts off what is not asked. */
static void cut_open(const struct statement *s, char *words)
{
    char *rank = strchr(words, ':'), *end = rank ? rank + strcspn(rank, "@+") : NULL;
    char *grad = strchr(words, '+');
    if (strncmp(words, "error:", 6) == 0)
        return;
    if (grad && is_one_of(s, alias_open, 4))
        *grad = '\0';
    else if (rank && is_one_of(s, rank_open, 3))
        memmove(rank, end, strlen(end) + 1);
}

/* That no backward has come to a tensor is one of two possibilities. What makes no tensor may make
 * some on its way. */
static bool agrees(const struct statement *s, const char *want, const char *got)
{
    bool makes = s->kind == STATEMENT_NEW || s->kind == STATEMENT_CALL ||
                 (s->kind == STATEMENT_DEED && s->deed->run);
    if (strcmp(want, "-") == 0)
        return !makes && strstr(got, "error:") == NULL;
    if (strcmp(want, "null") == 0)
        return strstr(got, "error:") == NULL && strstr(got, "null");
    return strcmp(want, got) == 0;
}

static void compare(struct program_batch *b, int i, struct tally *tally)
{
    const struct program *p = &b->programs[i];
    struct check *c = &b->checks[i];
    for (int n = 0; n < p->count; n++) {
        char want[OUTCOME_SIZE];
        expected_words(&p->statements[n], want);
        snprintf(c->got, sizeof c->got, "%s", b->lines[b->first_line[i] + n].outcome);
        cut_open(&p->statements[n], want);
        cut_open(&p->statements[n], c->got);
        if (agrees(&p->statements[n], want, c->got))
            continue;
        tally->disagree++;
        program_report(c, p, n, "inferred");
        return;
    }
    tally->agree++;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void begin(struct program_batch *b)
{
    static const char head[] = "#include \"tests/truth/helpers.h\"\n";
    b->source.length = 0;
    text_add(&b->source, head);
    b->line = 2;
}

bool programs_flush(struct program_batch *b, struct tally *tally)
{
    struct error e = {0};
    if (b->count && !b->broken) {
        b->lines = calloc((size_t)b->line + 1, sizeof *b->lines);
        b->broken = !b->lines || !infer_lines(b->infer, &b->source, b->lines, b->line + 1, &e);
        if (b->broken)
            fprintf(stderr, "truth: %s%s%s\n", e.file, e.file[0] ? ": " : "", e.message);
    }
    for (int i = 0; i < b->count; i++) {
        if (!b->broken)
            compare(b, i, tally);
        program_free(&b->programs[i]);
    }
    free(b->lines);
    b->lines = NULL;
    b->count = 0;
    return !b->broken;
}

void programs_add(struct program_batch *b, const struct check *c, struct tally *tally)
{
    struct check *waits = &b->checks[b->count];
    const char *reason = program_parse(&b->programs[b->count], &c->row);
    if (reason) {
        program_free(&b->programs[b->count]);
        check_skip(c, tally, reason);
        return;
    }
    if (b->count == 0)
        begin(b);
    *waits = *c; /* its strings are the program's own */
    add_program(b, b->count++);
    if (b->count == BATCH)
        programs_flush(b, tally);
}

struct program_batch *programs_open(struct infer *infer)
{
    struct program_batch *b = calloc(1, sizeof *b);
    if (b)
        b->infer = infer;
    return b;
}

void programs_close(struct program_batch *b)
{
    if (b)
        text_free(&b->source);
    free(b);
}
