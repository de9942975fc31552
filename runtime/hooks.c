/* The one file above all parts of the runtime: it gives core the functions that core calls in
 * them. */
#include "runtime/core/hooks.h"

#include "runtime/amp/amp.h"
#include "runtime/autograd/graph.h"
#include "runtime/backends/backends.h"
#include "runtime/trace/trace.h"

const struct core_hooks core_hooks = {
    .cpu = &cpu_backend,
    .backend_of = backend_of,
    .cuda_missing = cuda_missing,
    .backend_trouble = backend_trouble,
    .shared_requires_grad = shared_requires_grad,
    .op_check_history = op_check_history,
    .record_unknown = record_unknown,
    .node_unref = node_unref,
    .shared_free = shared_free,
    .autocast_free = autocast_free,
    .trace_decide = trace_decide,
    .trace_begin = trace_begin,
    .trace_op = trace_op,
    .trace_note = probe_note,
    .trace_write = trace_writes,
    .trace_exposes = trace_exposes,
    .trace_numbers = trace_numbers,
    .trace_mark = probe_mark,
    .trace_finish = trace_finish,
    .errors_go_on = probe_goes_on,
    .errors_are_ignored = probe_is_wide,
};
