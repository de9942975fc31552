/* From text to a unit (the form is described in print.c). For any text the result is a unit that
 * ir_verify accepts, or an error with line and column. This half parses everything outside of
 * functions. */
#include "analyzer/ir/parse.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

static const struct type *parse_type_at(struct parser *p, int depth);

static const struct type *parse_pointer(struct parser *p, int depth)
{
    return type_pointer(p->unit, parse_type_at(p, depth + 1));
}

static const struct type *parse_array(struct parser *p, int depth)
{
    struct scanner *s = &p->scan;
    int64_t count = -1;
    if (!scan_char(s, '?')) {
        scan_peek(s);
        const char *where = s->at;
        count = scan_integer(s);
        if (count < 0)
            scan_fail(s, where, "an array with a negative number of elements");
    }
    return type_array(p->unit, parse_type_at(p, depth + 1), count);
}

/* Within a function type, a type that would be unknown is an error. */
static const struct type *parse_type_within(struct parser *p, int depth)
{
    const char *where = p->scan.at;
    const struct type *t = parse_type_at(p, depth);
    if (type_is_deepest(t))
        scan_fail(&p->scan, where, "a type nested deeper than %d", TYPE_DEPTH);
    return t;
}

static const struct type *parse_function_type(struct parser *p, int depth)
{
    struct scanner *s = &p->scan;
    LIST(struct field) params = {0};
    bool variadic = false;
    scan_expect(s, '(');
    for (bool more = scan_peek(s) != ')'; more && !variadic; more = scan_char(s, ',')) {
        if (scan_char(s, '.')) {
            scan_expect(s, '.');
            scan_expect(s, '.');
            variadic = true;
            break;
        }
        struct field param = {"", parse_type_within(p, depth + 1), 0, NULL};
        LIST_ADD(p->scratch, &params, param);
    }
    scan_expect(s, ')');
    const struct type *result = parse_type_within(p, depth + 1);
    return type_function(p->unit, result, params.items, params.count, variadic);
}

static const struct {
    const char *word;
    const struct type *(*parse)(struct parser *, int depth);
} composites[] = {{"ptr", parse_pointer}, {"array", parse_array}, {"fn", parse_function_type}};

static const struct {
    const char *word;
    enum type_kind kind;
} simple[] = {
    {"void", TYPE_VOID}, {"bool", TYPE_BOOL}, {"dyn", TYPE_DYN}, {"unknown", TYPE_UNKNOWN}};

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))

/* i32, u8, f64, bf16 */
static const struct type *parse_number_type(struct parser *p)
{
    size_t length;
    const char *word = scan_plain(&p->scan, &length);
    bool brain = word[0] == 'b';
    long bits = strtol(word + 1 + brain, NULL, 10);
    if (bits < 1 || bits > TYPE_MOST_BITS) {
        scan_fail(&p->scan, word, "a number has between 1 and %d bits", TYPE_MOST_BITS);
        return type_simple(p->unit, TYPE_UNKNOWN);
    }
    if (word[brain] == 'f')
        return type_float(p->unit, (int)bits, brain);
    return type_int(p->unit, (int)bits, word[0] == 'i');
}

static const struct type *parse_composite(struct parser *p, size_t i, int depth)
{
    const char *where = p->scan.at;
    const struct type *t = composites[i].parse(p, depth);
    if (t->kind == TYPE_UNKNOWN) /* the only reason for which that is the result */
        scan_fail(&p->scan, where, "a type nested deeper than %d", TYPE_DEPTH);
    return t;
}

static bool at_number_type(struct scanner *s)
{
    size_t length;
    const char *word = scan_plain(s, &length);
    s->at = word;
    return type_word(word, length);
}

static const struct type *parse_type_at(struct parser *p, int depth)
{
    struct scanner *s = &p->scan;
    if (depth > TYPE_DEPTH + 1)
        scan_fail(s, s->at, "a type nested deeper than %d", TYPE_DEPTH);
    if (s->failed)
        return type_simple(p->unit, TYPE_UNKNOWN);
    for (size_t i = 0; i < LENGTH(composites); i++)
        if (scan_word(s, composites[i].word))
            return parse_composite(p, i, depth);
    for (size_t i = 0; i < LENGTH(simple); i++)
        if (scan_word(s, simple[i].word))
            return type_simple(p->unit, simple[i].kind);
    if (scan_peek(s) != '"' && at_number_type(s))
        return parse_number_type(p);
    return type_record(p->unit, scan_name(s));
}

const struct type *parse_type(struct parser *p)
{
    return parse_type_at(p, 1);
}

const struct type *parse_colon_type(struct parser *p)
{
    scan_expect(&p->scan, ':');
    return parse_type(p);
}

/* ---- spans ----------------------------------------------------------------------------------- */

static const char *parse_file_id(struct parser *p)
{
    const char *where = p->scan.at;
    int id = 0;
    if (scan_char(&p->scan, 'f')) {
        id = scan_count(&p->scan);
        scan_expect(&p->scan, ':');
    }
    if (id < p->files.count)
        return p->files.items[id];
    scan_fail(&p->scan, where, "there is no file f%d", id);
    return p->unit->file;
}

/* The text is read from its beginning to its end, and so are its lines. */
static void find_line(struct parser *p, const char *at)
{
    for (const char *end; (end = memchr(p->line, '\n', (size_t)(at - p->line)));) {
        p->line = end + 1;
        p->line_number++;
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void parse_span_end(struct parser *p, struct span *span)
{
    const char *end = p->scan.at;
    if (!p->source || p->scan.failed)
        return;
    find_line(p, end);
    while (end > p->line + 1 && is_blank(end[-1]))
        end--;
    span->end_line = p->line_number;
    span->end_column = (int)(end - p->line) + 1;
}

/* What was read of the line. */
static struct span line_span(struct parser *p)
{
    struct span span = {.file = p->unit->file};
    if (p->scan.failed)
        return span;
    find_line(p, p->scan.at);
    const char *begin = p->line;
    while (is_blank(*begin))
        begin++;
    span.line = p->line_number;
    span.column = (int)(begin - p->line) + 1;
    parse_span_end(p, &span);
    return span_is_good(&span) ? span : (struct span){0};
}

static struct span written_span(struct parser *p)
{
    struct scanner *s = &p->scan;
    struct span span = {0};
    if (!scan_char(s, '@'))
        return span;
    const char *where = s->at;
    span.file = parse_file_id(p);
    span.line = span.end_line = scan_count(s);
    scan_expect(s, ':');
    span.column = scan_count(s);
    scan_expect(s, '-');
    span.end_column = scan_count(s);
    if (scan_char(s, ':')) {
        span.end_line = span.end_column;
        span.end_column = scan_count(s);
    }
    if (!span_is_good(&span))
        scan_fail(s, where, "a span counts from 1 to %d and does not end before it begins",
                  SPAN_MOST);
    return span;
}

struct span parse_span(struct parser *p)
{
    struct span here = p->source ? line_span(p) : (struct span){0}, written = written_span(p);
    return p->source ? here : written;
}

/* ---- lines --------------------------------------------------------------------------------- */

static void parse_errors(struct parser *p)
{
    p->unit->errors = scan_count(&p->scan);
    if (scan_peek(&p->scan) == '"')
        p->unit->first_error = naming_of_error(p->naming, p->unit->arena, scan_string(&p->scan));
    scan_line_end(&p->scan);
}

static void parse_language(struct parser *p)
{
    ir_unit_set_language(p->unit, scan_name(&p->scan));
    scan_line_end(&p->scan);
}

static void parse_file(struct parser *p)
{
    scan_expect(&p->scan, 'f');
    const char *where = p->scan.at;
    if (scan_count(&p->scan) != p->files.count)
        scan_fail(&p->scan, where, "expected the next file, f%d", p->files.count);
    const char *file = naming_of(p->naming, p->scratch, scan_string(&p->scan));
    LIST_ADD(p->scratch, &p->files, name_of(p->unit->names, file));
    scan_line_end(&p->scan);
}

static void parse_fields(struct parser *p, bool is_union)
{
    struct scanner *s = &p->scan;
    LIST(struct field) fields = {0};
    scan_peek(s);
    const char *where = s->at;
    struct type *record = type_record(p->unit, scan_name(s));
    if (record->field_count)
        scan_fail(s, where, "record %s is defined twice", record->name);
    if (scan_word(s, "as"))
        record->spelled = scan_string(s);
    scan_expect(s, '{');
    scan_line_end(s);
    while (scan_at_name(s)) {
        struct field field = {scan_name(s), NULL, 0, NULL};
        field.type = parse_colon_type(p);
        field.flags = scan_word(s, "const") ? FIELD_TO_CONST : 0;
        field.flags |= scan_word(s, "fixed") ? FIELD_FIXED : 0;
        field.constants = scan_word(s, "enum") ? scan_string(s) : NULL;
        LIST_ADD(p->scratch, &fields, field);
        scan_line_end(s);
    }
    if (fields.count == 0)
        scan_fail(s, s->at, "a record that is defined has a field");
    scan_expect(s, '}');
    scan_line_end(s);
    if (!s->failed)
        record_define(p->unit, record, is_union, fields.items, fields.count);
}

static void parse_record(struct parser *p)
{
    parse_fields(p, false);
}

static void parse_union(struct parser *p)
{
    parse_fields(p, true);
}

static void parse_global(struct parser *p)
{
    struct scanner *s = &p->scan;
    scan_peek(s);
    const char *where = s->at, *name = scan_name(s);
    if (ir_global_find(p->unit, name))
        scan_fail(s, where, "global %s is defined twice", name);
    struct ir_global *g = ir_global_new(p->unit, name, parse_colon_type(p), (struct span){0});
    g->is_internal = scan_word(s, "internal");
    g->is_extern = scan_word(s, "extern");
    g->is_const = scan_word(s, "const");
    g->span = parse_span(p);
    scan_line_end(s);
}

static void parse_note(struct parser *p)
{
    const char *text = scan_string(&p->scan);
    ir_note_add(p->unit, parse_span(p), text);
    scan_line_end(&p->scan);
}

static void parse_func(struct parser *p)
{
    parse_function(p, true);
}

static void parse_declare(struct parser *p)
{
    parse_function(p, false);
}

/* ---- the unit -------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    void (*parse)(struct parser *);
} lines[] = {
    {"language", parse_language}, {"errors", parse_errors},   {"file", parse_file},
    {"record", parse_record},     {"union", parse_union},     {"global", parse_global},
    {"func", parse_func},         {"declare", parse_declare}, {"note", parse_note},
};

static void parse_line(struct parser *p)
{
    for (size_t i = 0; i < LENGTH(lines); i++)
        if (scan_word(&p->scan, lines[i].word)) {
            lines[i].parse(p);
            return;
        }
    scan_fail(&p->scan, p->scan.at,
              "expected language, errors, file, record, union, global, func, declare or note");
}

/* The first line names the unit; until then there is none. */
static void parse_head(struct parser *p)
{
    scan_blank_lines(&p->scan);
    if (!scan_word(&p->scan, "unit"))
        scan_fail(&p->scan, p->scan.at, "expected 'unit' and the name of its file");
    p->scan.names = names_new(p->scratch);
    const char *file = naming_of(p->naming, p->scratch, scan_string(&p->scan));
    p->unit = ir_unit_new(p->source ? p->source : file);
    p->scan.names = p->unit->names;
    LIST_ADD(p->scratch, &p->files, p->unit->file);
    scan_line_end(&p->scan);
}

static void verify_parsed(struct parser *p)
{
    struct ir_fault fault = {NULL, 0};
    struct error e;
    if (p->scan.failed || ir_verify_where(p->unit, &fault, &e))
        return;
    const char **places = map_get(p->function_places, (uintptr_t)fault.function);
    scan_fail(&p->scan, places ? places[fault.inst] : p->scan.text, "%s", e.message);
}

static struct ir_unit *parse(const char *text, const struct ir_naming *n, const char *source,
                             struct error *e)
{
    struct arena *scratch = arena_new();
    struct parser p = {
        .scan = {.text = text, .at = text, .arena = scratch, .error = e},
        .scratch = scratch,
        .function_places = map_new(scratch),
        .naming = n,
        .source = source,
        .line = text,
        .line_number = 1,
    };
    parse_head(&p);
    while (scan_peek(&p.scan))
        parse_line(&p);
    verify_parsed(&p);
    if (p.scan.failed) {
        ir_unit_free(p.unit);
        p.unit = NULL;
    }
    arena_free(scratch);
    return p.unit;
}

struct ir_unit *ir_parse_naming(const char *text, const struct ir_naming *n, struct error *e)
{
    return parse(text, n, NULL, e);
}

struct ir_unit *ir_parse(const char *text, struct error *e)
{
    return parse(text, NULL, NULL, e);
}

struct ir_unit *ir_parse_source(const char *text, const char *file, struct error *e)
{
    return parse(text, NULL, file, e);
}
