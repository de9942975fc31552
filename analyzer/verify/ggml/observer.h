/* analyzer/verify/ggml: a library that `miscast verify --run` loads into the processes of a command
 * (LD_PRELOAD), for programs on ggml. Where they make tensors, which of them are computed, and
 * where they abort goes over the channel of events; the runner of C makes events of it.
 * It needs nothing but the C library, and knows of ggml's structures only that they have addresses.
 *
 *   observer.c   abort, and functions of ggml in front of its own
 *   sites.c      where tensors were made: tensor → call stack
 *   report.c     records of the channel, written as JSON */
#ifndef ANALYZER_VERIFY_GGML_OBSERVER_H
#define ANALYZER_VERIFY_GGML_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>

enum { STACK_FRAMES = 32, SITE_FRAMES = 12, NO_SITE = -1 };

/* ---- sites: places that make tensors, by the calls that lead there --------------------------- */

struct site {
    int depth;
    bool computed; /* a tensor of it was computed, and nothing aborted */
    void *frames[SITE_FRAMES];
};

/* Notes that a tensor was made by these calls, innermost first. */
void site_note(const void *tensor, void *const *frames, int depth);
int site_of(const void *tensor); /* NO_SITE: it was not seen */
void site_computed(int site);
int site_count(void);
const struct site *site_at(int site);
bool sites_are_cut(void); /* there were more than are kept */

/* ---- records --------------------------------------------------------------------------------- */

/* Takes the key of the channel, and says which program this is. False: nobody listens. */
bool report_begin(void);
/* All sites, then the end. message: why it aborts, NULL: it exits; frames: where; site: of the
 * tensor that was being computed; computing: some tensor was. Once. */
void report_end(const char *message, bool aborts, void *const *frames, int depth, int site,
                bool computing);

#endif
