/* What the two halves of the parser share: parse.c reads the unit, parse_body.c the functions. */
#ifndef ANALYZER_IR_PARSE_H
#define ANALYZER_IR_PARSE_H

#include "analyzer/ir/private.h"
#include "analyzer/ir/scan.h"

struct parser {
    struct scanner scan;
    struct ir_unit *unit;
    struct arena *scratch;
    LIST(const char *) files; /* [0] is the unit's */
    const struct ir_naming *naming;
    const char *source;          /* the text is a source, in this file; NULL: it is of one */
    const char *line;            /* of a source: the line that was looked at last, */
    int line_number;             /* from 1 */
    struct map *function_places; /* by function: const char **, where its instructions stand */
};

const struct type *parse_type(struct parser *p);
const struct type *parse_colon_type(struct parser *p);
struct span parse_span(struct parser *p); /* nowhere, if none follows */
/* Of a source: from the beginning of a span to here. */
void parse_span_end(struct parser *p, struct span *span);

/* After "func" or "declare". */
void parse_function(struct parser *p, bool has_body);

#endif
