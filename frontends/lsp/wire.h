/* Messages as they come over a stream: a header with the length, an empty line, the body. Bytes
 * come in as they arrive, bodies go out. What is not a message is skipped, so that one mistake of a
 * client does not end the session. */
#ifndef FRONTENDS_LSP_WIRE_H
#define FRONTENDS_LSP_WIRE_H

#include "analyzer/base/base.h"

enum {
    WIRE_BODY_MAX = 64 << 20,  /* bytes; a larger body is not taken */
    WIRE_HEADER_MAX = 8 << 10, /* of all header lines together */
};

enum wire_event {
    WIRE_MORE,       /* bytes are missing */
    WIRE_BODY,       /* a message */
    WIRE_TOO_LARGE,  /* one was skipped, for its size */
    WIRE_BAD_HEADER, /* a header was skipped, for it says no length */
};

/* Zeroed: nothing came yet. */
struct wire {
    struct text bytes;
    size_t at;        /* before it, all is done with */
    uint64_t to_skip; /* bytes of a body that is not taken */
};

void wire_feed(struct wire *w, const char *bytes, size_t count);
/* The body is there until the next call. */
enum wire_event wire_next(struct wire *w, const char **body, size_t *length);
void wire_free(struct wire *w);
/* A body that may be JSON but for texts that are no Unicode, as editors have them: a byte of
 * another encoding, half of a pair of UTF-16. Each becomes a character that is as long for who
 * counts. */
void wire_mend(struct text *body);

#endif
