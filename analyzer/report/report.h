/* analyzer/report: findings as people and other programs read them. */
#ifndef ANALYZER_REPORT_H
#define ANALYZER_REPORT_H

#include "analyzer/finding/finding.h"

#include <stdio.h>

/* ---- colours ------------------------------------------------------------------------------- */

enum paint { PAINT_NONE, PAINT_DIM, PAINT_FACT, PAINT_BAD, PAINT_STRONG };

/* Whether the stream gets colours: a terminal, unless NO_COLOR; FORCE_COLOR: in any case. */
bool paint_wanted(FILE *out);
void paint_add(struct text *out, bool colours, enum paint paint, const char *text);

#endif
