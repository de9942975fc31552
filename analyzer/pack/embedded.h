/* Trees of packs as data: embedded.c reads them, cmake/embed_packs.c writes them. */
#ifndef ANALYZER_PACK_EMBEDDED_H
#define ANALYZER_PACK_EMBEDDED_H

#include "analyzer/pack/private.h"

/* A node is RECORD_WORDS words: kind, skew + 1 and column in 2, 2 and 28 bits; line; size; then for
 * a text its offset in embedded_texts, else the number of its members, which follow it, each with
 * its key before it if the node is a mapping. */
enum { RECORD_WORDS = 4 };

struct embedded_pack {
    struct digest digest; /* of its file */
    const uint32_t *records;
    int nodes;
};

/* Ends with one without records. */
extern const struct embedded_pack embedded_packs[];
extern const char embedded_texts[];

/* NULL: the text is none of theirs. */
struct node *embedded_tree(struct arena *a, const char *text, size_t length);

#endif
