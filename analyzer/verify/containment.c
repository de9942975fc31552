/* What contains programs on this machine, in words: one that does nothing is run. */
#include "analyzer/verify/run.h"
#include "analyzer/verify/scratch.h"
#include "analyzer/verify/verify.h"

const char *verify_containment(struct arena *a)
{
    struct scratch s;
    struct error e = {0};
    const char *const words[] = {"/bin/true", NULL};
    if (!scratch_make(a, &s, &e))
        return arena_printf(a, "%s: %s", e.file, e.message);
    const struct sandbox_run run = {.argv = words, .room = s.path};
    struct sandbox_end end = sandbox_execute(&run);
    scratch_remove(&s);
    if (end.how == SANDBOX_NOT_STARTED)
        return arena_printf(a, "nothing can be run: %s", end.why);
    return arena_printf(a, "%s%s", sandbox_held_text(a, end.held),
                        end.held & SANDBOX_NAMESPACES
                            ? ""
                            : "; without namespaces, programs that start others are not run");
}
