/* The stages of a check, for fuzz targets that enter at one stage or another: C text, IR, flow with
 * the installed packs, every rule, edits and comments. The invariants between stages are checked; a
 * violation aborts. */
#ifndef TESTS_ROBUST_WAY_H
#define TESTS_ROBUST_WAY_H

#include "analyzer/ir/ir.h"

/* Prints and aborts. */
void way_broken(const char *what, const struct error *e);

/* A C file that is read with lower/api.h, and with nothing else of the machine. NULL: libclang does
 * not take it. */
struct ir_unit *way_lower(struct arena *a, const char *text, size_t length);
/* The text of a unit says all of it: read back, it prints as the same. */
void way_check_text(const struct ir_unit *u);
/* All stages behind lowering; text: what the unit's file is taken to contain. */
void way_analyse(struct arena *a, struct ir_unit *u, const char *text, size_t length);

/* Some declarations of the C files that other tests have, by number. */
enum { WAY_SEEDS = 240 };
size_t way_seed(size_t which, uint8_t *to, size_t room);

#endif
