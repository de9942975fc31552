/* A file of rows comes in; each row that is understood goes out to whoever holds something against
 * it, the runtime or the analysis. What cannot be understood is counted as skipped, and said. */
#include "tests/truth/truth.h"

#include <stdio.h>
#include <string.h>

/* ---- understanding a row ------------------------------------------------------------------ */

static enum mode mode_parse(struct check *c)
{
    const char *mode = c->row.mode;
    char device[8], dtype[8];
    if (strcmp(mode, "plain") == 0)
        return MODE_PLAIN;
    if (strcmp(mode, "values") == 0)
        return MODE_VALUES;
    if (strcmp(mode, "typed") == 0)
        return MODE_PROGRAM;
    if (sscanf(mode, "autocast%*1[01]:%7s", dtype) == 1) { /* what is done there says the row */
        c->region = operand_dtype(dtype);
        return c->region ? MODE_PLAIN : MODE_UNKNOWN;
    }
    if (strcmp(mode, "cpu>cuda") == 0 || strcmp(mode, "cuda>cpu") == 0) {
        c->device = mode[1] == 'u' ? MC_CUDA : MC_CPU;
        c->to = c->device == MC_CPU ? MC_CUDA : MC_CPU;
        return MODE_BITS;
    }
    if (sscanf(mode, "default:%7s", dtype) == 1) {
        c->region = operand_dtype(dtype);
        return c->region ? MODE_DEFAULT : MODE_UNKNOWN;
    }
    bool region = sscanf(mode, "autocast:%7[a-z]:%7s", device, dtype) == 2;
    if (!region)
        snprintf(device, sizeof device, "%s", mode);
    c->region = region ? operand_dtype(dtype) : MC_DTYPE_DEFAULT;
    c->device = strcmp(device, "cuda") == 0 ? MC_CUDA : MC_CPU;
    if (c->device == MC_CPU && strcmp(device, "cpu") != 0)
        return MODE_UNKNOWN;
    if (!region)
        return MODE_BITS;
    bool casts =
        c->region == MC_F16 || c->region == MC_BF16 || c->region == MC_F32 || c->region == MC_F64;
    return casts ? MODE_AUTOCAST : MODE_UNKNOWN;
}

/* NULL, or why the row cannot be asked. */
static const char *understand(struct check *c)
{
    c->mode = mode_parse(c);
    if (c->mode == MODE_UNKNOWN)
        return "unknown mode";
    if (c->mode == MODE_PROGRAM)
        return NULL;
    if (c->mode == MODE_VALUES)
        return grad_understand(c) && (c->grad == GRAD_VALUES || c->grad == GRAD_PROGRAM)
                   ? NULL
                   : "no row of values";
    if (!operands_parse(c->row.args, c->operands, &c->count))
        return "malformed operands";
    for (int i = 0; c->mode == MODE_BITS && i < c->count; i++)
        c->operands[i].device = c->device;
    if (c->count && c->operands[0].has_bits != (c->mode == MODE_BITS))
        return "operands do not fit the mode";
    if (grad_understand(c))
        return NULL;
    c->entry = entry_find(c->row.op, c->operands, c->count);
    return c->entry ? NULL : "unknown op, or operands it does not take";
}

/* ---- comparing ---------------------------------------------------------------------------- */

static bool ends_with(const char *text, char c)
{
    size_t length = strlen(text);
    return length && text[length - 1] == c;
}

bool check_better_word(const struct check *c)
{
    if (strcmp(c->row.outcome, "error:dtype") != 0)
        return false;
    bool in_place = ends_with(c->row.op, '_') && c->count == 2;
    if (in_place && c->operands[0].zero_dim && !c->operands[1].zero_dim)
        return strcmp(c->got, "error:shape") == 0;
    if (strcmp(c->row.op, "cholesky") == 0)
        return strcmp(c->got, "error:value") == 0;
    return false;
}

/* ---- a file -------------------------------------------------------------------------------- */

void check_skip(const struct check *c, struct tally *tally, const char *reason)
{
    fprintf(stderr, "%s:%d: skipped: %s\n", c->file, c->row.line, reason);
    tally->skipped++;
}

bool check_rows(const char *path, struct tally *tally,
                void (*each)(struct check *c, struct tally *tally, void *user), void *user)
{
    const char *error;
    struct rows *rows = rows_open(path, &error);
    if (!rows) {
        fprintf(stderr, "truth: %s %s\n", path, error);
        return false;
    }
    enum rows_next next;
    struct check c = {.file = path};
    while ((next = rows_next(rows, &c.row)) == ROWS_ROW || next == ROWS_MALFORMED) {
        const char *reason = next == ROWS_ROW ? understand(&c) : "malformed row";
        tally->rows++;
        if (reason)
            check_skip(&c, tally, reason);
        else
            each(&c, tally, user);
        c = (struct check){.file = path};
    }
    rows_close(rows);
    if (next == ROWS_BROKEN)
        fprintf(stderr, "truth: %s cannot be read to its end\n", path);
    return next == ROWS_END;
}
