/* What a program does with the texts that it reads: compares them with others, takes them for
 * numbers, for names of files or of variables. An instrumented copy reports it (miscast/probe.h),
 * so that what it is started with next can be what it looks for. */
#include "miscast/probe.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "runtime/core/core.h"
#include "runtime/trace/probe.h"

/* So many different ones are reported; texts are cut. */
enum { PLACES = 1024, MOST = 400, TEXT = 120 };

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (int i = 0; text && text[i] && i < TEXT; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

/* Whether this is the first time. One that is taken for another is not reported. */
static bool is_new(const char *what, const char *text, const char *with)
{
    static _Atomic(uint64_t) seen[PLACES];
    static atomic_int count;
    uint64_t h = hash_text(hash_text(hash_text(UINT64_C(0xcbf29ce484222325), what), text), with);
    h |= 1;
    if (atomic_load(&count) >= MOST || atomic_exchange(&seen[h % PLACES], h) == h)
        return false;
    return atomic_fetch_add(&count, 1) < MOST;
}

void mc_probe_input(const char *what, const char *text, const char *with, int64_t length)
{
    struct line *l = NULL;
    if (text && trace_enabled() && !probe_is_wide() && is_new(what, text, with))
        l = probe_line();
    if (!l)
        return;
    put(l, "\"input\":");
    put_text(l, what, TEXT);
    put(l, ",\"text\":");
    put_text(l, text, TEXT);
    put(l, ",\"with\":");
    put_text(l, with, TEXT);
    put(l, ",\"length\":%" PRId64, length);
    probe_line_close(l);
}
