/* pack_truth CALLS FILE...: holds the pack of our tensor API against recorded rows. Each row's call
 * is written down (calls.txt), the pack is asked what it does, and that is compared with what
 * PyTorch did. pack_truth --python CALLS FILE...: the same for the packs of Python, where each call
 * is an expression (python.txt) whose signature is looked up. Disagreements and one line of counts
 * a file go to stdout. Exit code: 0 all agree and none is skipped, 1 otherwise, 2 something cannot
 * be read. */
#include "analyzer/pack/signature.h"
#include "tests/pack/notation.h"
#include "tests/pack/python.h"
#include "tests/truth/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call_line {
    char name[40];
    int ranks[2];
    char *call;
};

struct calls {
    LIST(struct call_line) lines;
    bool is_python;
};

/* What became of a row; SAYS_LESS: of a recorded expression, the pack does not say that it fails.
 */
enum checked { AGREES, SAYS_LESS, DISAGREES, SKIPPED, CHECKED_COUNT };

struct tally {
    int rows, counts[CHECKED_COUNT];
};

/* ---- which call a name stands for --------------------------------------------------------------
 */

static bool calls_read(struct arena *a, const char *path, struct calls *to, struct error *e)
{
    size_t length;
    char *text = file_read(a, path, &length, e);
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        struct call_line c;
        int start = 0;
        if (*line == '#')
            continue;
        if (sscanf(line, "%39s %d %d %n", c.name, &c.ranks[0], &c.ranks[1], &start) < 3 || !start)
            return error_set(e, "%s: not a name, two numbers and a call: %s", path, line);
        c.call = line + start;
        LIST_ADD(a, &to->lines, c);
    }
    return text != NULL;
}

/* The n-th line of the name; NULL: it has no more. */
static const struct call_line *calls_find(const struct calls *calls, const char *name, int n)
{
    for (int i = 0; i < calls->lines.count; i++)
        if (strcmp(calls->lines.items[i].name, name) == 0 && n-- == 0)
            return &calls->lines.items[i];
    return NULL;
}

/* ---- one row ------------------------------------------------------------------------------------
 */

struct check {
    const char *file;
    struct row row;
    struct operand operands[2];
    int count;
    int ranks[2];
    char call[200];
    struct text got;
};

/* The numbers in rows are 2, 2.5 and true. */
static bool parse_number(const char *kind, struct operand *o)
{
    static const struct {
        const char *name;
        enum operand_kind kind;
        double number;
    } kinds[] = {{"int", OPERAND_INT, 2}, {"float", OPERAND_FLOAT, 2.5}, {"bool", OPERAND_BOOL, 1}};
    for (int i = 0; i < 3; i++) {
        if (strcmp(kind, kinds[i].name) == 0) {
            *o = (struct operand){.kind = kinds[i].kind, .known = true, .number = kinds[i].number};
            return true;
        }
    }
    return false;
}

static bool parse_operand(const char *text, struct operand *o)
{
    if (strncmp(text, "scalar:", 7) == 0)
        return parse_number(text + 7, o);
    if (strncmp(text, "dtype:", 6) == 0) {
        *o = (struct operand){.kind = OPERAND_DTYPE, .dtype = dtype_named(text + 6)};
        return o->dtype != DTYPE_NONE;
    }
    return notation_tensor(text, o);
}

static bool parse_operands(struct check *c)
{
    char text[128];
    snprintf(text, sizeof text, "%s", c->row.args);
    for (char *one = strtok(text, ","); one; one = strtok(NULL, ","))
        if (c->count == 2 || !parse_operand(one, &c->operands[c->count++]))
            return false;
    return true;
}

/* Whether the row has the expression itself. */
static bool has_expression(const struct check *c)
{
    return c->row.op[strspn(c->row.op, "abcdefghijklmnopqrstuvwxyz_0123456789")] != '\0';
}

/* The function of torch, else the method, else the function of torch.nn.functional. */
static void write_python(struct check *c, const struct pack_set *packs)
{
    static const char *const operands[] = {"", "a", "a, b"};
    int count;
    char name[80];
    snprintf(name, sizeof name, "torch.%s", c->row.op);
    packs_signatures(packs, name, &count);
    if (count) {
        snprintf(c->call, sizeof c->call, "%s(%s)", name, operands[c->count]);
        return;
    }
    snprintf(name, sizeof name, "Tensor.%s", c->row.op);
    packs_signatures(packs, name, &count);
    snprintf(c->call, sizeof c->call, count ? "a.%s(%s)" : "F.%s(%s)", c->row.op,
             !count          ? operands[c->count]
             : c->count == 2 ? "b"
                             : "");
}

/* The n-th call of the name; false: it has no more. */
static bool find_call(struct check *c, const struct calls *calls, const struct pack_set *packs,
                      int n)
{
    static const char *const operands[] = {"", "a", "a, b"};
    char name[64];
    bool is_expression = has_expression(c);
    if (is_expression && !n)
        snprintf(c->call, sizeof c->call, "%s", c->row.op);
    if (is_expression)
        return !n;
    bool dtype = c->count == 1 && c->operands[0].kind == OPERAND_DTYPE;
    snprintf(name, sizeof name, "%.50s%s", c->row.op, dtype ? ":dtype" : "");
    const struct call_line *line = calls_find(calls, name, n);
    if (!line && n)
        return false;
    for (int i = 0; i < c->count; i++)
        c->operands[i].ranks = (uint16_t)(1u << (line ? line->ranks[i] : 1));
    if (line)
        snprintf(c->call, sizeof c->call, "%s", line->call);
    else if (calls->is_python)
        write_python(c, packs);
    else
        snprintf(c->call, sizeof c->call, "%s(%s)", c->row.op, operands[c->count]);
    return true;
}

/* What is not the API's business but Python's: promote_types has no answer but an error, tolist()
 * of three elements, and the dtypes that NumPy has not. */
/* Numbers of NumPy, which have no dimensions, were recorded as those of Python. */
static const char *number_of_numpy(const char *got)
{
    char name[16];
    enum dtype d = sscanf(got, "%15[a-z0-9].0d", name) == 1 ? dtype_named(name) : DTYPE_NONE;
    return d == DTYPE_BOOL                               ? "py:bool"
           : d == DTYPE_C64 || d == DTYPE_C128           ? "py:complex"
           : d != DTYPE_NONE && DTYPES_FLOATING >> d & 1 ? "py:float"
                                                         : "py:int";
}

static void say_as_python(struct check *c)
{
    const char *got = c->got.data;
    char text[96];
    snprintf(text, sizeof text, "%s", got);
    enum dtype d = c->operands[0].dtype;
    bool no_numpy = d == DTYPE_BF16 || d == DTYPE_F8_E4M3 || d == DTYPE_F8_E5M2;
    bool works = strncmp(got, "error", 5) != 0;
    if (strcmp(c->row.op, "promote_types") == 0 && strcmp(got, "none") == 0)
        snprintf(text, sizeof text, "error:dtype");
    else if (strcmp(c->row.op, "tolist") == 0 && works)
        snprintf(text, sizeof text, "(%.20s,%.20s,%.20s)", got, got, got);
    else if (strcmp(c->row.op, "numpy") == 0 && works && no_numpy)
        snprintf(text, sizeof text, "error:dtype");
    else if (strcmp(c->row.op, "numpy") == 0 && works)
        snprintf(text, sizeof text, "py:ndarray");
    else if (strstr(c->row.op, ".numpy().") && strstr(got, ".0d") &&
             !strncmp(c->row.outcome, "py:", 3))
        snprintf(text, sizeof text, "%s", number_of_numpy(got));
    c->got.length = 0;
    text_add(&c->got, text);
}

/* "autocast:cpu:bf16"; false: the mode is no region. */
static bool parse_region(const char *mode, struct regions *r)
{
    char device[8], dtype[8];
    if (sscanf(mode, "autocast:%7[a-z]:%7s", device, dtype) != 2)
        return false;
    enum dtype d = dtype_named(dtype);
    bool is_cpu = strcmp(device, "cpu") == 0;
    /* On the CPU, a region of another dtype is off. */
    if (!is_cpu || d == DTYPE_BF16 || d == DTYPE_F16)
        r->autocast[is_cpu ? DEVICE_CPU : DEVICE_CUDA] = d;
    return true;
}

static bool run(struct check *c, const struct calls *calls, struct notation *n)
{
    struct regions r = {.default_dtype = DTYPE_F32};
    if (!calls->is_python)
        return notation_run(n, c->call);
    return python_run(n, parse_region(c->row.mode, &r) ? &r : NULL, c->call);
}

/* Rows say dtype of every error that the recorder had no word for. An in-place op on a tensor
 * without dimensions whose result has some is an error of shape; one of devices can have other
 * words than the recorder knew. */
static bool better_word(const struct check *c)
{
    size_t length = strlen(c->row.op);
    bool apart = c->count == 2 && c->operands[0].device != c->operands[1].device;
    if (has_expression(c))
        return apart && strcmp(c->row.outcome, "error:dtype") == 0 &&
               strcmp(c->got.data, "error:device") == 0;
    bool in_place = c->row.op[length - 1] == '_' && c->count == 2;
    return in_place && c->operands[0].zero_dim && !c->operands[1].zero_dim &&
           strcmp(c->row.outcome, "error:dtype") == 0 && strcmp(c->got.data, "error:shape") == 0;
}

static bool is_mask(const struct operand *o)
{
    return o->dtype == DTYPE_BOOL || o->dtype == DTYPE_U8;
}

/* What no pack can know, because it hangs on elements, sizes or a text: a matrix of ones is not
 * positive definite, two elements do not mask three, and how many dimensions an equation leaves. */
static bool beyond_packs(const struct check *c)
{
    const char *op = c->row.op, *got = c->got.data;
    bool works = strncmp(got, "error", 5) != 0;
    if (strcmp(op, "cholesky") == 0)
        return works && strcmp(c->row.outcome, "error:dtype") == 0 && *got == 'f';
    if (strcmp(op, "index") == 0)
        return works && strcmp(c->row.outcome, "error:shape") == 0 && is_mask(&c->operands[1]);
    const char *end = strstr(got, ".?d");
    size_t dtype = end ? (size_t)(end - got) : 0;
    return strcmp(op, "einsum") == 0 && end && strncmp(got, c->row.outcome, dtype) == 0 &&
           strcmp(end + 3, c->row.outcome + dtype) == 0;
}

/* Whether the dtype is one of several: "bool|u8". */
static bool is_member(const char *several, const char *dtype)
{
    size_t length = strcspn(dtype, ".@");
    for (; several; several = strchr(several, '|'), several += several != NULL)
        if (strcspn(several, "|.@") == length && strncmp(several, dtype, length) == 0)
            return true;
    return false;
}

/* Recorded expressions: what is not said of a dtype that no check is about, and how many dimensions
 * an op leaves that no pack says. */
static bool is_less(const struct check *c)
{
    const char *got = c->got.data, *want = c->row.outcome, *unknown = strstr(got, ".?d");
    if (strncmp(want, "error:", 6) == 0)
        return strncmp(got, "error", 5) != 0;
    if (strcmp(want, "py:NoneType") == 0)
        return strncmp(got, "error", 5) != 0;
    if (strcmp(want, "py:bool") == 0)
        return strcmp(got, "true") == 0 || strcmp(got, "false") == 0;
    if (strcmp(want, "py:complex") == 0)
        return strcmp(got, "py:float") == 0;
    if (strchr(got, '|'))
        return is_member(got, want);
    size_t dtype = unknown ? (size_t)(unknown - got) : 0;
    const char *rest = want + dtype + (strncmp(want + dtype, ".0d", 3) == 0 ? 3 : 0);
    return unknown && strncmp(got, want, dtype) == 0 && strcmp(unknown + 3, rest) == 0;
}

static void report(const struct check *c, const struct notation *n)
{
    struct text why = {0};
    if (n->outcome.error != ERROR_NONE && n->outcome.reason)
        pack_reason_print(n->function, n->operands, NULL, NULL, n->outcome.reason, &why);
    printf("%s:%d: %s %s: %s: expected %s, got %s%s%s\n", c->file, c->row.line, c->row.op,
           c->row.args, c->call, c->row.outcome, c->got.data, why.length ? ": " : "",
           why.length ? why.data : "");
    text_free(&why);
}

static enum checked check_call(struct check *c, const struct pack_set *packs,
                               const struct calls *calls)
{
    struct notation n = {.packs = packs, .a = &c->operands[0], .b = &c->operands[1]};
    if (!run(c, calls, &n)) {
        printf("%s:%d: skipped: %s %s: %s\n", c->file, c->row.line, c->row.op, c->row.args,
               n.problem);
        return SKIPPED;
    }
    c->got.length = 0;
    notation_print(&n, &c->got);
    say_as_python(c);
    bool agrees = strcmp(c->got.data, c->row.outcome) == 0 || better_word(c) || beyond_packs(c);
    if (!agrees && has_expression(c) && is_less(c))
        return SAYS_LESS;
    if (!agrees)
        report(c, &n);
    return agrees ? AGREES : DISAGREES;
}

/* A row agrees if it does in all spellings. */
static void check_row(struct check *c, const struct pack_set *packs, const struct calls *calls,
                      struct tally *tally)
{
    enum checked worst = parse_operands(c) ? AGREES : SKIPPED;
    if (worst == SKIPPED)
        printf("%s:%d: skipped: %s %s: malformed operands\n", c->file, c->row.line, c->row.op,
               c->row.args);
    for (int n = 0; worst == AGREES && find_call(c, calls, packs, n); n++)
        worst = check_call(c, packs, calls);
    tally->counts[worst]++;
}

static bool check_file(const char *path, const struct pack_set *packs, const struct calls *calls,
                       struct tally *tally)
{
    const char *error;
    struct rows *rows = rows_open(path, &error);
    enum rows_next next;
    struct check c = {.file = path};
    if (!rows) {
        fprintf(stderr, "pack_truth: %s %s\n", path, error);
        return false;
    }
    while ((next = rows_next(rows, &c.row)) == ROWS_ROW) {
        tally->rows++;
        check_row(&c, packs, calls, tally);
        text_free(&c.got);
        c = (struct check){.file = path};
    }
    rows_close(rows);
    if (next != ROWS_END)
        fprintf(stderr, "pack_truth: %s cannot be read to its end\n", path);
    return next == ROWS_END;
}

static bool load_packs(struct arena *a, struct pack_set *packs, bool python, struct error *e)
{
    static const char *const names[] = {"miscast", "python/ops", "python/torch", "python/numpy"};
    bool ok = true;
    for (int i = 0; ok && i < (python ? COUNT(names) : 1); i++)
        ok = packs_load(packs, arena_printf(a, "%s/%s.yaml", packs_builtin_dir(), names[i]), e);
    return ok;
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct pack_set *packs = packs_new(arena, names_new(arena));
    struct calls calls = {0};
    struct error e = {0};
    int status = 0;
    calls.is_python = argc > 1 && strcmp(argv[1], "--python") == 0;
    argc -= calls.is_python;
    argv += calls.is_python;
    if (argc < 3 || !load_packs(arena, packs, calls.is_python, &e) ||
        !calls_read(arena, argv[1], &calls, &e)) {
        fprintf(stderr, "pack_truth: %s:%d:%d: %s\n", e.file, e.line, e.column, e.message);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        struct tally t = {0};
        if (!check_file(argv[i], packs, &calls, &t))
            status = 2;
        else if (status == 0 && (t.counts[DISAGREES] || t.counts[SKIPPED]))
            status = 1;
        printf("%s: rows %d agree %d disagree %d skipped %d says less %d\n", argv[i], t.rows,
               t.counts[AGREES], t.counts[DISAGREES], t.counts[SKIPPED], t.counts[SAYS_LESS]);
    }
    arena_free(arena);
    return status;
}
