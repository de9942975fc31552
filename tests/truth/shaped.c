/* shaped runtime|static [--every N] FILE...: rows whose operands have shapes and may be leaves. The
 * order in which shapes, dtypes, devices and leaves are looked at shows in the kind of error, and
 * ranks in results. Output and exit code are those of the truth program. */
#include "tests/truth/shaped.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/truth/shaped_helpers.h"

/* ---- calls ---------------------------------------------------------------------------------- */

#define SHAPED(row, name, ...)                                                                     \
    static mc_tensor *run_##name(mc_tensor *a, mc_tensor *b, mc_tensor *c)                         \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return __VA_ARGS__;                                                                        \
    }
#include "tests/truth/shaped.def"
#undef SHAPED

static const struct shaped_entry entries[] = {
#define SHAPED(row, name, ...) {row, run_##name, #__VA_ARGS__},
#include "tests/truth/shaped.def"
#undef SHAPED
};

static const struct shaped_entry *entry_find(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

/* ---- reading -------------------------------------------------------------------------------- */

static mc_dtype dtype_named(const char *name)
{
    for (int d = MC_BOOL; d < MC_DTYPE_COUNT; d++)
        if (strcmp(name, mc_dtype_name((mc_dtype)d)) == 0)
            return (mc_dtype)d;
    return MC_DTYPE_DEFAULT;
}

static bool parse_dims(const char **at, mc_shape *shape)
{
    *shape = (mc_shape){0};
    while (**at != ']') {
        char *end;
        long size = strtol(*at, &end, 10);
        if (end == *at || size < 0 || shape->ndim == 4)
            return false;
        shape->dims[shape->ndim++] = size;
        *at = end + (*end == 'x');
    }
    (*at)++;
    return true;
}

static bool takes(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool parse_operand(const char **at, struct shaped_operand *o)
{
    char dtype[8];
    int end = 0;
    if (sscanf(*at, "%7[a-z0-9][%n", dtype, &end) != 1 || !end)
        return false;
    *at += end;
    o->dtype = dtype_named(dtype);
    if (!o->dtype || !parse_dims(at, &o->shape))
        return false;
    o->cuda = takes(at, "@cuda");
    o->leaf = takes(at, "!");
    o->view = takes(at, "v");
    return takes(at, ",") || !**at;
}

static const char *understand(struct shaped *s)
{
    s->values = strcmp(s->row.mode, "values") == 0;
    s->entry = s->values ? NULL : entry_find(s->row.op);
    if (!s->values && (!s->entry || strcmp(s->row.mode, "shapes") != 0))
        return "unknown op or mode";
    for (const char *at = s->row.args; *at;)
        if (s->count == SHAPED_OPERANDS || !parse_operand(&at, &s->operands[s->count++]))
            return "malformed operands";
    return NULL;
}

bool shaped_rows(const char *path, struct shaped_tally *tally, shaped_each *each, void *user)
{
    const char *error = NULL;
    struct rows *rows = rows_open(path, &error);
    enum rows_next next = ROWS_BROKEN;
    struct shaped s = {.file = path};
    if (!rows)
        fprintf(stderr, "shaped: %s %s\n", path, error);
    while (rows && ((next = rows_next(rows, &s.row)) == ROWS_ROW || next == ROWS_MALFORMED)) {
        const char *reason = next == ROWS_ROW ? understand(&s) : "malformed row";
        tally->rows++;
        tally->skipped += reason != NULL;
        if (reason)
            fprintf(stderr, "%s:%d: skipped: %s\n", path, s.row.line, reason);
        else
            each(&s, tally, user);
        s = (struct shaped){.file = path};
    }
    if (rows)
        rows_close(rows);
    return rows && next == ROWS_END;
}

void shaped_count(const struct shaped *s, bool agrees, const char *reason,
                  struct shaped_tally *tally)
{
    tally->agree += agrees;
    tally->disagree += !agrees;
    if (!agrees)
        printf("%s:%d: %s %s: expected %s, got %s%s%s%s\n", s->file, s->row.line, s->row.op,
               s->row.args, s->row.outcome, s->got, reason ? " (" : "", reason ? reason : "",
               reason ? ")" : "");
}

/* ---- the runtime ---------------------------------------------------------------------------- */

static mc_tensor *make(const struct shaped_operand *o)
{
    mc_tensor *x = mc_ones(o->shape, .dtype = o->dtype, .device = o->cuda ? MC_CUDA : MC_CPU,
                           .requires_grad = o->leaf);
    return o->view ? mc_view_as(x, x) : x;
}

void shaped_describe(const mc_tensor *t, char *words)
{
    int n = snprintf(words, SHAPED_WORDS, "%s[", mc_dtype_name(mc_dtype_of(t)));
    for (int i = 0; i < mc_ndim(t); i++)
        n += snprintf(words + n, (size_t)(SHAPED_WORDS - n), "%s%lld", i ? "x" : "",
                      (long long)mc_size(t, i));
    snprintf(words + n, (size_t)(SHAPED_WORDS - n), "]%s", mc_is_cuda(t) ? "@cuda" : "");
}

static void check_runtime(struct shaped *s, struct shaped_tally *tally, void *unused)
{
    if (s->values) {
        loss_values_check(s, tally, unused);
        return;
    }
    mc_tensor *operands[SHAPED_OPERANDS] = {NULL};
    mc_scope scope = mc_scope_begin();
    for (int i = 0; i < s->count; i++)
        operands[i] = make(&s->operands[i]);
    mc_tensor *result =
        mc_last_error() ? NULL : s->entry->run(operands[0], operands[1], operands[2]);
    const mc_error *error = mc_last_error();
    if (error)
        snprintf(s->got, sizeof s->got, "error:%s", mc_error_kind_name(error->kind));
    else if (result)
        shaped_describe(result, s->got);
    shaped_count(s, strcmp(s->got, s->row.outcome) == 0, error ? error->message : NULL, tally);
    mc_scope_end(scope);
    mc_clear_error();
}

/* ---- the program ---------------------------------------------------------------------------- */

static bool check_file(const char *mode, const char *path, struct shaped_tally *tally)
{
#ifdef HAVE_ANALYZER
    if (strcmp(mode, "static") == 0)
        return shaped_static(path, tally);
#endif
    return strcmp(mode, "runtime") == 0 && shaped_rows(path, tally, check_runtime, NULL);
}

int main(int argc, char **argv)
{
    int first = argc >= 4 && strcmp(argv[2], "--every") == 0 ? 4 : 2;
    int status = argc <= first ? 2 : 0;
    mc_set_error_handler(mc_error_remember, NULL);
    if (first == 4)
        rows_take_every(atoi(argv[3]) > 0 ? atoi(argv[3]) : 1);
    for (int i = first; i < argc; i++) {
        struct shaped_tally tally = {0};
        if (!check_file(argv[1], argv[i], &tally))
            status = 2;
        else if (tally.disagree && !status)
            status = 1;
        printf("%s: rows %d agree %d disagree %d skipped %d\n", argv[i], tally.rows, tally.agree,
               tally.disagree, tally.skipped);
    }
    return status;
}
