/* runtime/core: tensors, their memory and lifetime, the frame of a running op, errors.
 *
 * Everything else in the runtime is built on this, and core calls none of it: a device comes as a
 * struct backend, everything else as the table of functions in hooks.h.
 *
 *     dtype.c     sizes and names of dtypes and devices
 *     error.c     raising errors and handing them to the user's handler
 *     op.c        begin and end of an op: operands, temporaries, trace
 *     tensor.c    tensor headers and the public queries on them
 *     scope.c     threads, scopes and the lifetime of tensors (thread.h)
 *     storage.c   reference-counted blocks of device memory
 *     memory.c    the caching allocator of host memory
 *     pool.c      pools of headers (pool.h)
 *     watch.c     the ledger of storages, for probes and guard pages (watch.h)
 *     parallel.c  the thread pool
 *     backend.h   what a device brings; hooks.h: what the other parts bring; rng.h: the generator
 */
#ifndef RUNTIME_CORE_H
#define RUNTIME_CORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "miscast/tensor.h"
#include "runtime/core/rng.h"

/* An internal error: prints where and aborts. Never for anything that a user can cause. */
#define BUG(...) core_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void core_bug(const char *file, int line, const char *fmt, ...) MC_PRINTF(3, 4);

struct backend;

/* Drops one counted reference; true: it was the last. The only holder need not decrement, since no
 * other thread can. */
static inline bool last_ref(atomic_int *refs)
{
    return atomic_load_explicit(refs, memory_order_acquire) == 1 ||
           atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
}

/* ---- storage ------------------------------------------------------------------------------ */

#define STORAGE_INLINE_BYTES 64

/* A block of memory on one device, shared by the tensors that view it. */
struct storage {
    atomic_int refs;
    mc_device device;
    const struct backend *backend;
    size_t nbytes;
    char *bytes;         /* what kernels read and write */
    void *address;       /* what the user may see: a guarded address on sim */
    size_t capacity;     /* of the block behind bytes; 0: inline, or borrowed. See watch.h */
    atomic_uint version; /* incremented by every in-place op */
    atomic_int aliases;  /* those of refs that are held by saved tensors only */
    struct notes *notes; /* what few storages need; NULL: none of it */
    bool borrowed;
    _Alignas(16) char inline_bytes[STORAGE_INLINE_BYTES];
};

struct shared_history;

struct notes {
    void (*release)(
        void *data,
        void *user); /* borrowed memory: called when it is no longer used; may be NULL */
    void *user;
    const char *changed_by; /* the last op that incremented version and left its name; or NULL */
    mc_place changed_at;
    struct shared_history
        *histories; /* histories that tensors of this memory share (autograd/graph.h) */
};

/* NULL when out of memory. */
struct storage *storage_new(mc_device device, size_t nbytes);
/* A storage over borrowed host memory. */
struct storage *storage_borrow(void *data, size_t nbytes, void (*release)(void *, void *),
                               void *user);
void storage_ref(struct storage *s);
void storage_unref(struct storage *s);
/* Its notes, allocated on first use, by any thread; NULL: out of memory. */
struct notes *storage_notes(struct storage *s);
/* Its notes if there are any. */
static inline struct notes *storage_noted(const struct storage *s)
{
    return __atomic_load_n(&s->notes, __ATOMIC_ACQUIRE);
}

/* The caching allocator of host memory, for the backends. Blocks are 64-byte aligned; large ones
 * are cached when freed. *capacity must be passed to memory_free. */
void *memory_alloc(size_t nbytes, size_t *capacity);
void memory_free(void *block, size_t capacity);
void memory_empty_cache(void);

/* ---- tensors ------------------------------------------------------------------------------ */

#define TENSOR_ALIVE 0x74656e73u
#define TENSOR_DEAD  0x64656164u

struct thread;
struct autocast;
struct node;

/* How a tensor became a view. Recorded ops may not write to the last two kinds in place. */
enum view_made { VIEW_NONE, VIEW_FREELY, VIEW_WITHOUT_GRAD, VIEW_OF_SEVERAL };

/* The role of a tensor: the user's; the gradient of another, which may not be freed; or saved for
 * backward, which is invisible to users and counted by its storage. */
enum tensor_role { ROLE_PLAIN, ROLE_GRADIENT, ROLE_SAVED };

struct mc_tensor {
    /* TENSOR_ALIVE; TENSOR_DEAD once its owner freed it. Views and saved tensors may keep it
     * allocated, and a freed header keeps the value until it is reused. */
    uint32_t magic;
    atomic_int refs;
    mc_dtype dtype;
    int ndim;
    int64_t numel;
    int64_t offset; /* of the first element in the storage, in elements */
    struct storage *storage;
    bool requires_grad;      /* set by the user, or because fn is set. See hooks.h */
    unsigned char role;      /* enum tensor_role */
    unsigned char view;      /* enum view_made */
    unsigned char fn_output; /* which of fn's outputs this is */
    int scope_depth;         /* of the scope that owns it, where owner is not NULL */
    struct thread *owner;    /* the thread whose scope frees it; NULL: kept */
    mc_tensor *prev, *next;  /* in that scope's ring */
    struct node *fn;         /* the recorded op that made it; NULL: a leaf */
    struct node *sink;       /* the node that accumulates its gradient; NULL: none was needed yet */
    unsigned fn_version;     /* the storage's when fn was recorded, or the view made */
    unsigned group;          /* the tensors of one storage that share a history have the same */
    unsigned serial;         /* for probes; 0: not numbered yet */
    mc_place made;           /* the op that made it */
    int64_t shape[MC_MAX_DIMS];
    int64_t stride[MC_MAX_DIMS]; /* in elements */
};

size_t dtype_size(mc_dtype d);
bool dtype_valid(mc_dtype d);    /* one of the twelve */
bool dtype_is_float(mc_dtype d); /* including f8 */
bool dtype_is_f8(mc_dtype d);
bool dtype_is_half(mc_dtype d); /* f16, bf16 */
bool dtype_is_int(mc_dtype d);  /* u8 … i64, not bool */
const char *dtype_name(mc_dtype d);
/* The default dtype, a floating one; set for all threads. */
mc_dtype dtype_default(void);
void dtype_set_default(mc_dtype d);
/* Whether it was written mc_dims(...) rather than left out. */
bool dims_made(const mc_dims *d);
/* Product of dims, false on a negative dim or overflow. */
bool shape_numel(int ndim, const int64_t *dims, int64_t *numel);

static inline char *tensor_bytes(const mc_tensor *t)
{
    return t->storage->bytes + (size_t)t->offset * dtype_size(t->dtype);
}
static inline mc_device tensor_device(const mc_tensor *t)
{
    return t->storage->device;
}
/* MC_DEVICE_DEFAULT resolved. */
static inline mc_device device_resolve(mc_device device)
{
    return device == MC_DEVICE_DEFAULT ? MC_CPU : device;
}
static inline const struct backend *tensor_backend(const mc_tensor *t)
{
    return t->storage->backend;
}
bool tensor_is_contiguous(const mc_tensor *t);
bool tensor_same_shape(const mc_tensor *a, const mc_tensor *b);
static inline mc_shape tensor_shape(const mc_tensor *t)
{
    mc_shape s = {.ndim = t->ndim};
    for (int i = 0; i < t->ndim; i++)
        s.dims[i] = t->shape[i];
    return s;
}

/* ---- threads and scopes ------------------------------------------------------------------- */

/* The state of one thread: its scopes and its random generator. */
struct thread *thread_self(void);
struct rng *thread_rng(void);

/* Puts a new tensor into the innermost scope of this thread. */
void scope_adopt(mc_tensor *t);
void scope_unlink(mc_tensor *t);

/* ---- a running op ------------------------------------------------------------------------- */

/* One call of the public API: its name, location and operands, for errors and traces. Tensors made
 * while it runs, except its results, are freed when it ends, so the functions that ops are
 * composed of (compute/) need not care about temporaries. */
struct op {
    const char *name;
    mc_place at;
    bool ok;     /* every required operand was passed, and nothing failed since */
    bool failed; /* with an error that the handler must receive */
    bool tracks; /* an operand requires grad and grad mode is on: the op must be recorded */
    bool wrote;  /* in place */
    bool recorded;
    bool is_backward; /* it runs in backward, for the op that name and at belong to */
    int operand_count;
    const mc_tensor *operands[MC_MAX_OPERANDS];
    struct {
        const char *list; /* operand names as in the op's source: "a, b" */
        int nth;          /* the position in the list */
    } names[MC_MAX_OPERANDS];
    struct thread *thread;
    struct autocast *autocast; /* the thread's, inside an enabled region; otherwise NULL */
    mc_tensor *mark;           /* newest tensor of the scope when the op began */
    mc_tensor *extra[3];       /* further results, see op_also_returns */
    int extra_count;
    /* tracing */
    uint64_t start_ns; /* 0: off */
    uint64_t spent_ns; /* time of the ops that ended before it, in this thread */
    uint64_t conversion_ns;
    uint64_t conversion_bytes;
    int conversion_count;
};

/* Begins an op. The operands listed are required: a NULL or freed one fails the op, silently if it
 * results from an earlier error. Write
 *     OP_BEGIN(op, "mm", at, a, b);
 *     return op_end(&op, op.ok ? mm(&op, a, b) : NULL); */
#define OP_BEGIN(op, name, at, ...)                                                                \
    struct op op;                                                                                  \
    op_begin(&op, name, at, (mc_tensor *const[]){__VA_ARGS__},                                     \
             (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)), #__VA_ARGS__)
/* For ops without tensor operands. */
#define OP_BEGIN0(op, name, at)                                                                    \
    struct op op;                                                                                  \
    op_begin(&op, name, at, NULL, 0, "")
void op_begin(struct op *op, const char *name, mc_place at, mc_tensor *const *required, int count,
              const char *names);
/* Adds an operand that may be left out; false if it is a freed tensor. NULL is fine. */
#define op_optional(op, t) op_optional_named(op, t, #t)
bool op_optional_named(struct op *op, const mc_tensor *t, const char *name);
/* Adds the tensor of a tensor-or-number operand. A NULL tensor fails the op. */
#define op_arg(op, a) op_arg_named(op, a, #a)
bool op_arg_named(struct op *op, mc_arg a, const char *name);
/* t is made by this op and returned in addition to the result. At most three. */
void op_also_returns(struct op *op, mc_tensor *t);
/* Frees temporaries, writes the trace, calls the handler if the op failed, returns result. */
mc_tensor *op_end(struct op *op, mc_tensor *result);
/* The same for an op that returns no tensor. */
void op_finish(struct op *op);

/* Raises an error of this op: fills in mc_error. The handler is called at the end of the op, when
 * it holds nothing any more: it may free operands, end scopes, or leave by longjmp. Returns NULL
 * (also usable as false). */
void *op_fail(struct op *op, mc_error_kind kind, const char *fmt, ...) MC_PRINTF(3, 4);

/* An op within op failed: its error becomes op's, with the name and location of the inner one. */
void op_take_error(struct op *op, struct op *inner);

/* The name of this operand; "an operand" if it is none of them. */
const char *op_operand_name(const struct op *op, const mc_tensor *t, char *buf, size_t size);
/* "f16 cpu (2, 3)" into buf, for messages. */
const char *tensor_describe(const mc_tensor *t, char *buf, size_t size);
const char *shape_describe(int ndim, const int64_t *dims, char *buf, size_t size);

/* ---- making tensors, within an op --------------------------------------------------------- */

/* A new contiguous tensor with undefined contents; NULL after op_fail (shape, memory, device). */
mc_tensor *op_new(struct op *op, mc_shape shape, mc_dtype dtype, mc_device device);
mc_tensor *op_new_like(struct op *op, const mc_tensor *t, mc_dtype dtype);
/* A tensor over t's storage with another geometry. The caller guarantees that it stays inside. */
mc_tensor *op_view_of(struct op *op, const mc_tensor *t, int ndim, const int64_t *shape,
                      const int64_t *stride, int64_t offset);
/* A tensor over t's memory without scope or gradient history; NULL: out of memory. Freed by
 * tensor_unref. */
mc_tensor *tensor_alias(const mc_tensor *t);
/* A tensor over the storage; takes over one reference. */
mc_tensor *op_wrap(struct op *op, struct storage *storage, mc_shape shape, mc_dtype dtype);

/* Raises that there is no such device, and why. */
void *op_no_device(struct op *op, mc_device device);

/* Resolves a dimension that may be negative; ndim 0 counts as 1. False after op_fail. */
bool op_dim(struct op *op, int64_t *dim, int ndim);

/* ---- worker threads ----------------------------------------------------------------------- */

/* Runs body over [0, n) in pieces of at least grain, on at most as many threads as
 * mc_set_num_threads allows, and returns when all are done. Nested calls run serially. */
void parallel_for(int64_t n, int64_t grain, void (*body)(int64_t begin, int64_t end, void *ctx),
                  void *ctx);

uint64_t now_ns(void);

#endif
