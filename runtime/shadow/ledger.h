/* The ledger of shadow values: one entry per storage, found by any address inside of it. Everything
 * here is called with the lock held, except where noted. */
#ifndef RUNTIME_SHADOW_LEDGER_H
#define RUNTIME_SHADOW_LEDGER_H

#include "runtime/core/backend.h"
#include "runtime/core/core.h"

enum { GROWN = 3 };

/* Errors are relative to the largest element of the tensor they were measured on. */
struct shadow {
    char *start;
    size_t nbytes;
    uint64_t serial; /* entries are numbered in the order they were made */
    const struct backend *backend;
    mc_dtype dtype;  /* of the elements; MC_DTYPE_DEFAULT: not known yet */
    char *values;    /* an f64 or i64 for each element; NULL: the real values are right */
    size_t capacity; /* of values, see memory_free */
    char *copy;      /* the bytes as the runtime left them, where the program can write; or NULL */
    double error, scale; /* of the last result written here */
    unsigned writer;     /* the site that wrote it, see losses.h; 0: none */
    unsigned since;      /* the site where the values first were of this dtype; 0: unknown */
    bool of_half;        /* it was computed from values in f16 or bf16, or is */
    bool broken;         /* some element became infinite or NaN that should not have */
    struct {
        unsigned site;
        double error; /* the sum of what was added there on the way to these values */
    } grown[GROWN];
    unsigned unchanged;    /* updates in place in a row that changed little or nothing, */
    unsigned unchanged_by; /* all at this site */
    bool moved;            /* some update in place changed something */
};

void ledger_lock(void);
bool ledger_try_lock(void); /* in a signal handler */
void ledger_unlock(void);

/* false: no memory; then the storage has no entry, and its real values count as right. */
bool ledger_add(const struct storage *s, const struct backend *backend);
void ledger_remove(const struct storage *s);
/* The entry that contains the address; NULL: none. Writes of the program are noticed here. */
struct shadow *ledger_find(const void *address);
uint64_t ledger_serial(void); /* of the next entry */

static inline bool dtype_is_shadowed(mc_dtype d)
{
    return d != MC_BOOL;
}
static inline mc_dtype dtype_widest(mc_dtype d)
{
    return d == MC_BOOL ? MC_BOOL : dtype_is_float(d) ? MC_F64 : MC_I64;
}

/* Its values as ones of this dtype: converted from the real ones if there are none. false: no
 * memory. */
bool shadow_have_values(struct shadow *s, mc_dtype dtype);
/* Room for values that are about to be written, all of them. */
bool shadow_have_room(struct shadow *s, mc_dtype dtype);
/* The real values are right again. */
void shadow_forget(struct shadow *s);
/* The same for a part, in bytes. */
void shadow_forget_part(struct shadow *s, const char *from, size_t nbytes);
/* The value at an address, and the distance between two elements there. */
static inline char *shadow_at(const struct shadow *s, const char *address)
{
    return s->values + (size_t)(address - s->start) / dtype_size(s->dtype) * 8;
}
/* The runtime has written to it: the program's writes are noticed from here on. */
void shadow_written(struct shadow *s);
/* The program can write to it from now on. */
void shadow_expose(struct shadow *s);
/* to has received from's bytes, n of them. Either may be NULL. */
void shadow_copied(struct shadow *to, char *at, const struct shadow *from, const char *start,
                   size_t n);

/* count elements at an address of a device, converted to the widest dtype of their kind; false: no
 * memory. */
bool widen(const struct backend *b, const char *from, mc_dtype dtype, int64_t count, char *to);

/* A backend as it was before shadow_begin. Keeps a copy; returns its number. (own.c) */
int backend_keep(const struct backend *b);
const struct backend *backend_itself(const struct backend *b);

#endif
