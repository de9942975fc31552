/* test_rows [--all] MISCAST FOLDER WORK [EVERY]: holds rules/packs/ggml.yaml against what ggml did,
 * through the whole program. Each row of FOLDER/rows.txt becomes a C function that makes the
 * operands and the call of ops.def; miscast says what the result is, or that the call fails. Files
 * are written to WORK.
 *
 * Of ops that were recorded alike, the first is tried with all types, and the others with types
 * that stand for their kind; with --all everything is tried. Disagreements and counts go to stdout.
 * Exit code: 0 all rows agree, 1 some do not, 2 something cannot be read. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { OPERANDS = 8, TYPES = 64, ROWS_A_FILE = 4000, NAME = 24 };

static const struct op {
    const char *name, *operands, *call;
} ops[] = {
#define OP(name, operands, pairs, call) {#name, operands, #call},
#include "tests/ggml/ops.def"
#undef OP
};
enum { OP_COUNT = sizeof ops / sizeof *ops };

/* What ggml did: result is "" where it failed. */
struct row {
    const struct op *op;
    char types[OPERANDS][NAME];
    int count;
    char outcome[NAME], result[NAME];
    /* What miscast says. */
    char said[80];
    bool is_reported;
};

struct rows {
    struct row *items;
    int count, room;
};

static struct {
    const char *miscast, *folder, *work;
    bool all;
    char quantised[TYPES][NAME];
    int quantised_count;
} test;

_Noreturn static void stop(const char *what, const char *which)
{
    printf("test_rows: %s: %s\n", what, which);
    exit(2);
}

/* ---- rows
 * ---------------------------------------------------------------------------------------- */

static const struct op *op_named(const char *name)
{
    for (int i = 0; i < OP_COUNT; i++)
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    stop("no such op in ops.def", name);
}

/* Types that stand for all of their kind. */
static bool is_common(const char *type)
{
    static const char *const names[] = {"f32", "f16",  "bf16", "i8",   "i32",
                                        "i64", "q4_0", "q8_1", "q4_K", "iq2_xxs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(type, names[i]) == 0)
            return true;
    return false;
}

static bool is_in(const char *type, char types[TYPES][NAME], int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

/* "f32,f16,Q" to names; "^f32,f16": all but these. */
static int set_parse(const char *text, char types[TYPES][NAME])
{
    static const char *const plain[] = {"f32", "f16", "i8", "i16", "i32", "i64", "f64", "bf16"};
    char copy[1000], every[TYPES][NAME], named[TYPES][NAME];
    int count = 0, named_count = 0, every_count = 0;
    bool others = *text == '^';
    for (int i = 0; i < 8; i++)
        snprintf(every[every_count++], NAME, "%.23s", plain[i]);
    for (int i = 0; i < test.quantised_count; i++)
        memcpy(every[every_count++], test.quantised[i], NAME);
    snprintf(copy, sizeof copy, "%s", text + others);
    for (char *at = strtok(copy, ","); at; at = strtok(NULL, ",")) {
        if (strcmp(at, "Q") != 0)
            snprintf(named[named_count++], NAME, "%.23s", at);
        else
            for (int i = 0; i < test.quantised_count; i++)
                memcpy(named[named_count++], test.quantised[i], NAME);
    }
    for (int i = 0; i < every_count; i++)
        if (is_in(every[i], named, named_count) != others)
            memcpy(types[count++], every[i], NAME);
    return count;
}

/* The type that the row's last word stands for: a type, or an operand with the type. */
static void result_name(const struct row *r, const char *word, char *to)
{
    if (strcmp(word, "type") == 0)
        snprintf(to, NAME, "%.23s", r->types[r->count - 1]);
    else if (word[0] && !word[1] && word[0] != '-')
        snprintf(to, NAME, "%.23s", r->types[word[0] - 'a']);
    else
        snprintf(to, NAME, "%.23s", word);
}

static void row_add(struct rows *rows, const struct row *r)
{
    if (rows->count == rows->room) {
        rows->room = rows->room ? rows->room * 2 : 1024;
        rows->items = realloc(rows->items, (size_t)rows->room * sizeof *rows->items);
        if (!rows->items)
            stop("no memory", "rows");
    }
    rows->items[rows->count++] = *r;
}

/* Whether the last two operands are quantised types that nothing sets apart from others. */
static bool are_rare(const struct row *r, int at)
{
    const char *a = at ? r->types[at - 1] : "f32", *b = r->types[at];
    return !is_common(a) && !is_common(b) && strcmp(a, b) != 0;
}

/* All calls that the line stands for, with the types from operand `at` on still open. */
static void line_expand(struct rows *rows, struct row *r, char words[][1000], int at, bool all)
{
    char types[TYPES][NAME];
    if (at == r->count) {
        result_name(r, words[at + 1], r->result);
        row_add(rows, r);
        return;
    }
    int count = set_parse(words[at], types);
    for (int i = 0; i < count; i++)
        if (all || is_common(types[i])) {
            memcpy(r->types[at], types[i], NAME);
            if (test.all || !are_rare(r, at))
                line_expand(rows, r, words, at + 1, all);
        }
}

static void line_read(struct rows *rows, const struct op *op, const char *line, bool all)
{
    static char words[OPERANDS + 2][1000];
    int count = 0, used;
    while (count < OPERANDS + 2 && sscanf(line, "%999s%n", words[count], &used) == 1)
        count++, line += used;
    struct row r = {.op = op, .count = count - 2};
    if (count < 2)
        stop("a line without outcome", op->name);
    snprintf(r.outcome, NAME, "%.23s", words[count - 2]);
    line_expand(rows, &r, words, 0, all);
}

static void rows_read(struct rows *rows)
{
    static char line[4000], names[4000];
    char path[1000];
    snprintf(path, sizeof path, "%s/rows.txt", test.folder);
    FILE *f = fopen(path, "r");
    if (!f)
        stop("cannot be opened", path);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        size_t length = strlen(line);
        if (strncmp(line, "# Q =", 5) == 0)
            for (char *at = strtok(line + 5, " "); at; at = strtok(NULL, " "))
                snprintf(test.quantised[test.quantised_count++], NAME, "%.23s", at);
        else if (length && line[length - 1] == ':')
            snprintf(names, sizeof names, "%.*s", (int)length - 1, line);
        else if (length && *line != '#') {
            int used, n = 0;
            char name[NAME * 2];
            for (const char *at = names; sscanf(at, "%47s%n", name, &used) == 1; at += used)
                line_read(rows, op_named(name), line, test.all || n++ == 0);
        }
    }
    fclose(f);
}

/* ---- programs
 * -------------------------------------------------------------------------------------- */

static void constant_print(FILE *f, const char *type)
{
    fputs("GGML_TYPE_", f);
    for (; *type; type++)
        fputc(toupper((unsigned char)*type), f);
}

/* One line: its number says which row it is. */
static void row_write(FILE *f, const struct row *r, int number)
{
    fprintf(f, "void r%d(struct ggml_context *ctx) { int sections[4] = {32, 32, 32, 32}; ", number);
    const char *at = r->op->operands;
    for (int i = 0; i < r->count; i++) {
        long ne[4] = {1, 1, 1, 1};
        bool is_type = strncmp(at, "type=", 5) == 0;
        at += strcspn(at, " ;");
        at += strncmp(at, " 0.5", 4) == 0 ? 4 : 0;
        for (int k = 0; k < 4 && *at == ' '; k++)
            ne[k] = strtol(at, (char **)&at, 10);
        at += strspn(at, "; ");
        if (is_type)
            fputs("enum ggml_type type = ", f);
        else
            fprintf(f, "struct ggml_tensor *%c = ggml_new_tensor_4d(ctx, ", 'a' + i);
        constant_print(f, r->types[i]);
        if (!is_type)
            fprintf(f, ", %ld, %ld, %ld, %ld)", ne[0], ne[1], ne[2], ne[3]);
        fputs("; ", f);
    }
    fprintf(f, "reveal(%s); (void)sections; }\n", r->op->call);
}

static void program_write(const char *path, const struct row *rows, int count)
{
    FILE *f = fopen(path, "w");
    if (!f)
        stop("cannot be written", path);
    fputs("#include \"ggml.h\"\nvoid reveal(struct ggml_tensor *);\n", f);
    for (int i = 0; i < count; i++)
        row_write(f, &rows[i], i);
    fclose(f);
}

/* ---- what miscast says
 * ------------------------------------------------------------------------------- */

/* Calls a function for each "FILE:LINE:COLUMN: SEVERITY: TEXT" of a command. */
static void miscast_run(const char *command, const char *options, const char *path,
                        struct row *rows, int count,
                        void (*on_finding)(struct row *r, const char *severity, const char *text))
{
    static char line[8000];
    snprintf(line, sizeof line,
             "'%s' %s --isolated --no-cache %s --pack '%s/reveal.yaml' '%s' -- -I'%s/include' "
             "2>/dev/null",
             test.miscast, command, options, test.folder, path, test.folder);
    FILE *f = popen(line, "r");
    if (!f)
        stop("cannot be run", test.miscast);
    while (fgets(line, sizeof line, f)) {
        const char *at = strstr(line, ".c:");
        int number, column, used = 0;
        char severity[20];
        if (*line == ' ' || isdigit((unsigned char)*line) || !at ||
            sscanf(at + 3, "%d:%d: %19[a-z]: %n", &number, &column, severity, &used) < 3)
            continue;
        if (number < 3 || number >= 3 + count)
            stop("a place that is no row", line);
        on_finding(&rows[number - 3], severity, at + 3 + used);
    }
    int status = pclose(f);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        stop("not analysed", path);
}

static void told_type(struct row *r, const char *severity, const char *text)
{
    const char *is = strstr(text, " is ");
    if (strcmp(severity, "note") == 0 && is)
        snprintf(r->said, sizeof r->said, "%.*s", (int)strcspn(is + 4, "\n"), is + 4);
}

static void told_finding(struct row *r, const char *severity, const char *text)
{
    (void)text;
    r->is_reported |= strcmp(severity, "error") == 0;
}

static bool agrees(const struct row *r)
{
    if (strcmp(r->outcome, "ok") != 0)
        return r->is_reported && strcmp(r->said, "not reached") == 0;
    size_t length = strlen(r->result);
    return !r->is_reported && strncmp(r->said, r->result, length) == 0 &&
           strchr(" \n", r->said[length]);
}

static int rows_check(struct row *rows, int count, int number)
{
    char path[1000];
    int wrong = 0;
    snprintf(path, sizeof path, "%s/rows%d.c", test.work, number);
    program_write(path, rows, count);
    miscast_run("types", "", path, rows, count, told_type);
    miscast_run("check", "--format concise", path, rows, count, told_finding);
    for (int i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        if (agrees(r))
            continue;
        wrong++;
        printf("%s", r->op->name);
        for (int k = 0; k < r->count; k++)
            printf(" %s", r->types[k]);
        printf(": ggml: %s %s, miscast: %s%s\n", r->outcome, r->result,
               *r->said ? r->said : "nothing", r->is_reported ? ", an error" : "");
    }
    return wrong;
}

int main(int argc, char **argv)
{
    struct rows rows = {0};
    int wrong = 0;
    test.all = argc > 1 && strcmp(argv[1], "--all") == 0;
    argv += test.all, argc -= test.all;
    if (argc != 4 && argc != 5)
        stop("arguments", "[--all] MISCAST FOLDER WORK [EVERY]");
    int every = argc > 4 && atoi(argv[4]) > 0 ? atoi(argv[4]) : 1, tried = 0;
    test.miscast = argv[1], test.folder = argv[2], test.work = argv[3];
    if (mkdir(test.work, 0777) && errno != EEXIST)
        stop("cannot be made", test.work);
    rows_read(&rows);
    for (int i = 0, n = 0; i < rows.count; i += ROWS_A_FILE * every, n++) {
        int left = rows.count - i, count = left < ROWS_A_FILE ? left : ROWS_A_FILE;
        wrong += rows_check(rows.items + i, count, n);
        tried += count;
    }
    printf("rows %d agree %d disagree %d\n", tried, tried - wrong, wrong);
    free(rows.items);
    return wrong || !rows.count;
}
