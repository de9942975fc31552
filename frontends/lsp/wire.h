/* Messages on a stream: a header with the length, an empty line, the body. Bytes come in as they
 * arrive, bodies go out. Anything else is skipped, so that one mistake of a client does not end the
 * session. */
#ifndef FRONTENDS_LSP_WIRE_H
#define FRONTENDS_LSP_WIRE_H

#include "analyzer/base/base.h"

enum {
    WIRE_BODY_MAX = 64 << 20,  /* bytes; a larger body is skipped */
    WIRE_HEADER_MAX = 8 << 10, /* of all header lines together */
};

enum wire_event {
    WIRE_MORE,       /* incomplete */
    WIRE_BODY,       /* a message */
    WIRE_TOO_LARGE,  /* one was skipped because of its size */
    WIRE_BAD_HEADER, /* a header without a length was skipped */
};

/* Zeroed: nothing has arrived. */
struct wire {
    struct text bytes;
    size_t at;        /* everything before it has been processed */
    uint64_t to_skip; /* bytes of a skipped body */
};

void wire_feed(struct wire *w, const char *bytes, size_t count);
/* The body is valid until the next call. */
enum wire_event wire_next(struct wire *w, const char **body, size_t *length);
void wire_free(struct wire *w);
/* Repairs a body that is JSON except for invalid Unicode in strings, as editors may send it: a byte
 * in another encoding, an unpaired surrogate. Each is replaced by a character of the same length in
 * the client's units. */
void wire_repair(struct text *body);

#endif
