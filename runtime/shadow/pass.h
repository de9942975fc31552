/* One kernel with its shadow. A function that stands in for a kernel does
 *
 *     PASS(p);
 *     struct view *y = pass_write(&p, &out), *x = pass_read(&p, &in);
 *     pass_before(&p)->reduce->softmax(kind, out, in, dim);
 *     while (pass_next(&p))
 *         cpu_reduce.softmax(kind, *y, *x, dim);
 *
 * pass_before returns the device's own kernels. The loop runs once on shadow values; and again, if
 * the result has to be explained, on the real operands in f64: the difference to that is what was
 * lost here, the rest came with the operands. */
#ifndef RUNTIME_SHADOW_PASS_H
#define RUNTIME_SHADOW_PASS_H

#include "runtime/kernels/kernels.h"
#include "runtime/kernels/view.h"
#include "runtime/shadow/compare.h"
#include "runtime/shadow/ledger.h"

enum { PARTS = 12 };

enum role {
    PART_READ,
    PART_WRITE,
    PART_UPDATE, /* read and written */
    PART_FOLLOW, /* read as it is: indices and masks */
    PART_REAL,   /* read, but the real values: what decides a branch */
};

struct part {
    struct view real, wide;
    enum role role;
    struct shadow *shadow; /* NULL: memory without an entry */
    int64_t low, span;     /* elements from the lowest to real.data, and to the highest */
    char *saved;           /* the real bytes before the kernel, if it changes them */
    char *temporary;
    size_t capacity;
    double error, scale; /* of an operand; as the entry had them before the kernel */
    bool broken;
    bool misfit;             /* its geometry is not within the entry */
    bool judged;             /* a result that needs no judging by its difference */
    bool passing;            /* a result that is not compared: its real values are right */
    struct view host;        /* a result in host memory, */
    char *fetched;           /* which may be a copy, */
    struct view shadowed;    /* its shadow values, */
    struct difference total; /* and the difference between them */
};

enum pass_stage { PASS_BEFORE, PASS_SHADOW, PASS_LOCAL, PASS_DONE };

struct pass {
    enum pass_stage stage;
    int count;
    bool by_element; /* each element is scaled by itself, so that noise may become as large */
    bool is_pair;    /* of two operands, one of which may be a number that is no part */
    bool failed;     /* no memory: the results' real values count as right */
    bool placed;     /* kernels are those of the device */
    const struct kernels *kernels;
    struct part parts[PARTS];
};

#define PASS(p)                                                                                    \
    struct pass p;                                                                                 \
    pass_init(&p)
void pass_init(struct pass *p);
/* Returns where the operand is during pass_next; NULL for NULL. */
struct view *pass_part(struct pass *p, enum role role, const struct view *v);
static inline struct view *pass_read(struct pass *p, const struct view *v)
{
    return pass_part(p, PART_READ, v);
}
static inline struct view *pass_write(struct pass *p, const struct view *v)
{
    return pass_part(p, PART_WRITE, v);
}
static inline struct view *pass_update(struct pass *p, const struct view *v)
{
    return pass_part(p, PART_UPDATE, v);
}
static inline struct view *pass_follow(struct pass *p, const struct view *v)
{
    return pass_part(p, PART_FOLLOW, v);
}
static inline struct view *pass_decides(struct pass *p, const struct view *v)
{
    return pass_part(p, PART_REAL, v);
}
const struct kernels *pass_before(struct pass *p);
bool pass_next(struct pass *p);
/* The operand is written, too, but what is written there needs no shadow: chosen indices, scratch
 * memory. */
struct view *pass_lets(struct pass *p, struct view *operand);
/* The shadow's kernel failed: the results' real values count as right. */
void pass_fail(struct pass *p);
/* Instead of pass_next: there is nothing to compute, the results' real values are right. */
void pass_real(struct pass *p);

/* Whether it is all of its storage. */
static inline bool part_covers(const struct part *t)
{
    size_t size = dtype_size(t->real.dtype);
    return (size_t)t->real.numel >= t->shadow->nbytes / size;
}

/* A loop's operand of that dtype as a view; and the loop over such views again. */
struct view loop_view(const struct loop *l, int k, mc_dtype dtype);
struct loop wide_loop(const struct loop *l, struct view *const *views);

/* The losses that the compared results show; called with the lock held. (judge.c) */
bool judge_needs_local(const struct pass *p); /* the real operands have to be tried */
void judge(struct pass *p, bool with_local);
/* A cast of floats to integers, while both are set up. */
void judge_cast(struct pass *p, struct part *from, struct part *to);
/* A fraction is written to integers. */
void judge_fraction(struct pass *p, struct part *to, double value);

#endif
