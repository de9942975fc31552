/* Profile: ops that have ended come in and are summed by op and source location; when the program
 * ends a table goes out, the most expensive first. MISCAST_PROFILE names its destination, see
 * trace.h. */
#include "runtime/trace/trace.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The cost of one op at one location. file is NULL where the location is not known. */
struct row {
    char *op; /* NULL: a free slot */
    char *file;
    int line;
    bool is_backward; /* in backward, for that op */
    uint64_t calls;
    uint64_t total_ns;
    uint64_t self_ns; /* without ops called by this one */
    uint64_t bytes;
    uint64_t conversion_ns;
    uint64_t conversion_bytes;
};

/* A hash table with open addressing: slots is 0 or a power of two, at least twice used. */
struct table {
    struct row *rows;
    size_t slots, used;
    struct row rest; /* what could not be separated for lack of memory */
};

static struct {
    pthread_mutex_t lock;
    int fd;
    pid_t pid; /* a forked child does not print what its parent did */
    bool done;
    struct table table;
} profile = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool profile_begin(const char *setting)
{
    if (!setting || !*setting || strcmp(setting, "0") == 0)
        return false;
    profile.pid = getpid();
    profile.fd = trace_open("MISCAST_PROFILE", strcmp(setting, "1") == 0 ? "-" : setting);
    return profile.fd >= 0;
}

/* ---- summing ------------------------------------------------------------------------------- */

/* Of op and line only: the file rarely adds anything, and is long. */
static size_t row_hash(const char *op, int line)
{
    uint64_t hash = 1469598103934665603u ^ (uint64_t)line;
    for (; *op; op++)
        hash = (hash ^ (unsigned char)*op) * 1099511628211u;
    return (size_t)(hash ^ hash >> 32);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The row of that op and place, or the free slot where it belongs. */
static struct row *table_slot(struct table *t, const struct row *like)
{
    size_t i = row_hash(like->op, like->line) & (t->slots - 1);
    for (struct row *r = &t->rows[i];; r = &t->rows[i = (i + 1) & (t->slots - 1)])
        if (!r->op || (r->line == like->line && r->is_backward == like->is_backward &&
                       same_text(r->op, like->op) && same_text(r->file, like->file)))
            return r;
}

static bool table_grow(struct table *t)
{
    struct table bigger = {.slots = t->slots ? t->slots * 2 : 64, .used = t->used, .rest = t->rest};
    bigger.rows = calloc(bigger.slots, sizeof *bigger.rows);
    if (!bigger.rows)
        return false;
    for (size_t i = 0; i < t->slots; i++) {
        const struct row *r = &t->rows[i];
        if (r->op)
            *table_slot(&bigger, r) = *r;
    }
    free(t->rows);
    *t = bigger;
    return true;
}

/* The row that counts an op at a location; names are copied, as the module they are in may be
 * unloaded before the table is printed. */
static struct row *table_row(struct table *t, const struct row *like)
{
    if (t->used * 2 >= t->slots && !table_grow(t))
        return &t->rest;
    struct row *r = table_slot(t, like);
    if (r->op)
        return r;
    struct row fresh = *like;
    fresh.op = strdup(like->op);
    fresh.file = like->file ? strdup(like->file) : NULL;
    if (!fresh.op || (like->file && !fresh.file)) {
        free(fresh.op);
        free(fresh.file);
        return &t->rest;
    }
    *r = fresh;
    t->used++;
    return r;
}

static void row_add(struct row *to, const struct row *from)
{
    to->calls += from->calls;
    to->total_ns += from->total_ns;
    to->self_ns += from->self_ns;
    to->bytes += from->bytes;
    to->conversion_ns += from->conversion_ns;
    to->conversion_bytes += from->conversion_bytes;
}

/* Distinct elements in memory: a broadcast dimension reads the same ones again. */
static uint64_t tensor_extent_bytes(const mc_tensor *t)
{
    uint64_t n = t->numel > 0 ? dtype_size(t->dtype) : 0;
    for (int i = 0; i < t->ndim; i++)
        n *= t->stride[i] ? (uint64_t)t->shape[i] : 1;
    return n;
}

/* Operands and results, each once. An op whose result is only a view of its operand touched no
 * memory. */
static uint64_t bytes_touched(const struct trace_event *e)
{
    const mc_tensor *all[MC_MAX_OPERANDS + 4];
    int count = 0;
    for (int i = 0; i < e->op->operand_count; i++)
        all[count++] = e->op->operands[i];
    if (count > 0 && e->result && all[0] && e->result != all[0] &&
        e->result->storage == all[0]->storage)
        return 0;
    all[count++] = e->result;
    for (int i = 0; i < e->op->extra_count; i++)
        all[count++] = e->op->extra[i];
    uint64_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bool seen = !all[i] || all[i]->magic != TENSOR_ALIVE;
        for (int j = 0; j < i; j++)
            seen |= all[j] == all[i];
        bytes += seen ? 0 : tensor_extent_bytes(all[i]);
    }
    return bytes;
}

void profile_add(const struct trace_event *e)
{
    struct row cost = {.calls = 1, .total_ns = e->ns, .self_ns = e->self_ns};
    const struct row like = {.op = (char *)e->op->name,
                             .file = (char *)e->op->at.file,
                             .line = e->op->at.line,
                             .is_backward = e->op->is_backward};
    cost.bytes = e->error ? 0 : bytes_touched(e);
    cost.conversion_ns = e->op->conversion_ns;
    cost.conversion_bytes = e->op->conversion_bytes;
    pthread_mutex_lock(&profile.lock);
    if (!profile.done)
        row_add(table_row(&profile.table, &like), &cost);
    pthread_mutex_unlock(&profile.lock);
}

/* ---- printing ------------------------------------------------------------------------------ */

enum { OP_WIDTH = 18, PLACE_WIDTH = 23, CELL = 32 };

/* Rows within 100 columns: op, place, calls, total, self, share, bytes, conversion time and bytes.
 */
#define ROW_FORMAT "%-*.*s %-*s %7s %9s %9s %6s %6s %8s %6s\n"

/* 950, 1.50K, 15.0K, 150K …: at most five characters. */
static const char *in_short(uint64_t n, unsigned base, char cell[CELL])
{
    static const char unit[] = " KMGTPE";
    double value = (double)n;
    int u = 0;
    while (value >= base - 0.5 && unit[u + 1]) {
        value /= base;
        u++;
    }
    if (u == 0)
        snprintf(cell, CELL, "%" PRIu64, n);
    else
        snprintf(cell, CELL, "%.*f%c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit[u]);
    return cell;
}

static const char *in_calls(uint64_t n, char cell[CELL])
{
    if (n > 9999999)
        return in_short(n, 1000, cell);
    snprintf(cell, CELL, "%" PRIu64, n);
    return cell;
}

/* Milliseconds, with as many decimals up to three as the width has room for. */
static const char *in_ms(uint64_t ns, int width, char cell[CELL])
{
    for (int decimals = 3; decimals >= 0; decimals--)
        if (snprintf(cell, CELL, "%.*f", decimals, (double)ns / 1e6) <= width)
            break;
    return cell;
}

/* file:line, shortened from the left. */
static const char *in_place_column(const struct row *r, char cell[CELL])
{
    char line[16];
    const char *file = r->file ? r->file : "?";
    int room = PLACE_WIDTH - snprintf(line, sizeof line, ":%d", r->line);
    size_t length = strlen(file);
    bool fits = length <= (size_t)room;
    snprintf(cell, CELL, "%s%.*s%s", fits ? "" : "...", room,
             fits ? file : file + length - (size_t)(room - 3), line);
    return cell;
}

static void print_row(FILE *to, const char *op, const char *place, const struct row *r,
                      uint64_t all_ns)
{
    char calls[CELL], total[CELL], self[CELL], share[CELL], bytes[CELL];
    char conversion[CELL], converted[CELL];
    snprintf(share, CELL, "%.1f%%", all_ns ? 100.0 * (double)r->self_ns / (double)all_ns : 0.0);
    fprintf(to, ROW_FORMAT, OP_WIDTH, OP_WIDTH, op, PLACE_WIDTH, place, in_calls(r->calls, calls),
            in_ms(r->total_ns, 9, total), in_ms(r->self_ns, 9, self), share,
            in_short(r->bytes, 1024, bytes), in_ms(r->conversion_ns, 8, conversion),
            in_short(r->conversion_bytes, 1024, converted));
}

/* The most expensive first; then by name, so that the order is reproducible. */
static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->self_ns != y->self_ns)
        return x->self_ns < y->self_ns ? 1 : -1;
    if (strcmp(x->op, y->op) != 0)
        return strcmp(x->op, y->op);
    int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    int lines = (x->line > y->line) - (x->line < y->line);
    return files ? files : lines ? lines : x->is_backward - y->is_backward;
}

/* Moves the rows in use to the front, sorted. The hash order is lost. */
static void table_sort(struct table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->slots; i++)
        if (t->rows[i].op)
            t->rows[n++] = t->rows[i];
    if (n > 0)
        qsort(t->rows, n, sizeof *t->rows, compare_rows);
}

static void table_print(struct table *t, FILE *to)
{
    table_sort(t);
    struct row sum = t->rest;
    for (size_t i = 0; i < t->used; i++)
        row_add(&sum, &t->rows[i]);
    fprintf(to, ROW_FORMAT, OP_WIDTH, OP_WIDTH, "op", PLACE_WIDTH, "place", "calls", "total ms",
            "self ms", "share", "bytes", "conv ms", "conv B");
    for (size_t i = 0; i < t->used; i++) {
        const struct row *r = &t->rows[i];
        char place[CELL], op[CELL];
        snprintf(op, CELL, "%s%s", r->is_backward ? "back " : "", r->op);
        print_row(to, op, in_place_column(r, place), r, sum.self_ns);
    }
    if (t->rest.calls)
        print_row(to, "(others)", "", &t->rest, sum.self_ns);
    print_row(to, "total", "", &sum, sum.self_ns);
}

static void table_release(struct table *t)
{
    for (size_t i = 0; i < t->used; i++) {
        free(t->rows[i].op);
        free(t->rows[i].file);
    }
    free(t->rows);
    *t = (struct table){0};
}

/* The table replaces that of an earlier run in the file. */
static void print_to(struct table *t, int fd)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return;
    table_print(t, to);
    fclose(to);
    if (fd != STDERR_FILENO && ftruncate(fd, 0) != 0) {
        /* a pipe or a terminal cannot be truncated */
    }
    if (text && !trace_write(fd, text, size))
        fprintf(stderr, "miscast: MISCAST_PROFILE: the table could not be written\n");
    free(text);
}

void profile_print(void)
{
    pthread_mutex_lock(&profile.lock);
    if (!profile.done && profile.pid == getpid() && profile.table.used > 0) {
        print_to(&profile.table, profile.fd);
        table_release(&profile.table);
    }
    profile.done = true;
    pthread_mutex_unlock(&profile.lock);
}
