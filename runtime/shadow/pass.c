/* A kernel with its shadow: finds the values of its operands, keeps what it is about to overwrite,
 * and has its results compared. The lock is held except while the real kernel runs. */
#include "runtime/shadow/pass.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/shadow/losses.h"

static bool reads(const struct part *t)
{
    return t->role != PART_WRITE;
}

static bool writes(const struct part *t)
{
    return t->role == PART_WRITE || t->role == PART_UPDATE || t->passing;
}

static bool is_compared(const struct part *t)
{
    return writes(t) && !t->passing && t->span && dtype_is_shadowed(t->real.dtype);
}

static size_t size_of(const struct part *t)
{
    return dtype_size(t->real.dtype);
}

/* The lowest address of its elements. */
static char *lowest(const struct part *t)
{
    return t->real.data - (size_t)t->low * size_of(t);
}

/* ---- operands ------------------------------------------------------------------------------ */

void pass_init(struct pass *p)
{
    memset(p, 0, offsetof(struct pass, parts));
    p->kernels = &cpu_kernels;
}

static void measure(struct part *t)
{
    int64_t high = 0;
    t->low = 0;
    for (int i = 0; i < t->real.ndim; i++) {
        int64_t reach = (t->real.shape[i] - 1) * t->real.stride[i];
        t->low -= reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    t->span = t->real.numel ? t->low + high + 1 : 0;
}

struct view *pass_part(struct pass *p, enum role role, const struct view *v)
{
    if (!v)
        return NULL;
    if (p->count == PARTS)
        BUG("a kernel has more than %d operands", PARTS);
    struct part *t = &p->parts[p->count++];
    memset(t, 0, sizeof *t);
    t->real = t->wide = *v;
    t->role = v->dtype == MC_BOOL && role != PART_WRITE && role != PART_UPDATE ? PART_FOLLOW : role;
    measure(t);
    return &t->wide;
}

struct view *pass_lets(struct pass *p, struct view *operand)
{
    for (int i = 0; i < p->count; i++)
        if (operand == &p->parts[i].wide)
            p->parts[i].passing = true;
    return operand;
}

void pass_fail(struct pass *p)
{
    p->failed = true;
}

/* ---- before the kernel --------------------------------------------------------------------- */

static void find(struct pass *p, struct part *t)
{
    struct shadow *s = t->span ? ledger_find(lowest(t)) : NULL;
    if (!s)
        return;
    if (!p->placed || writes(t)) /* a number may be on another device */
        p->kernels = backend_itself(s->backend)->kernels;
    p->placed = true;
    size_t first = (size_t)(lowest(t) - s->start), n = (size_t)t->span * size_of(t);
    t->shadow = s;
    if (first % size_of(t) || first + n > s->nbytes) {
        t->misfit = p->failed = true;
        return;
    }
    t->error = s->error;
    t->scale = s->scale;
    t->broken = s->broken;
}

static void prepare(struct pass *p, struct part *t)
{
    bool needed = t->role == PART_READ || t->role == PART_UPDATE ||
                  (t->role == PART_WRITE && t->shadow && !part_covers(t));
    if (t->shadow && needed && dtype_is_shadowed(t->real.dtype) &&
        !shadow_have_values(t->shadow, t->real.dtype))
        p->failed = true;
}

static bool is_overwritten(const struct pass *p, const struct part *t)
{
    if (t->role == PART_UPDATE)
        return true;
    if (t->passing) /* what it chose is read */
        return false;
    for (int i = 0; reads(t) && i < p->count; i++)
        if (writes(&p->parts[i]) && p->parts[i].shadow && p->parts[i].shadow == t->shadow)
            return true;
    return false;
}

/* The real elements from the lowest to the highest, in host memory of our own. */
static char *bytes_of(const struct part *t)
{
    size_t n = (size_t)t->span * size_of(t);
    const struct backend *b = t->shadow ? t->shadow->backend : NULL;
    char *to = malloc(n + 1);
    struct storage at = {.backend = b, .nbytes = n, .bytes = lowest(t)};
    if (!to || !b || !b->is_apart)
        return to ? memcpy(to, lowest(t), n) : NULL;
    if (backend_itself(b)->download(to, &at, 0, n))
        return to;
    free(to);
    return NULL;
}

const struct kernels *pass_before(struct pass *p)
{
    ledger_lock();
    for (int i = 0; i < p->count; i++)
        find(p, &p->parts[i]);
    for (int i = 0; i < p->count; i++)
        prepare(p, &p->parts[i]);
    for (int i = 0; i < p->count; i++) {
        struct part *t = &p->parts[i];
        if (t->span && !p->failed && is_overwritten(p, t) && !(t->saved = bytes_of(t)))
            p->failed = true;
    }
    ledger_unlock();
    return p->kernels;
}

/* ---- values for a stage -------------------------------------------------------------------- */

static void drop(struct part *t)
{
    if (t->temporary)
        memory_free(t->temporary, t->capacity);
    t->temporary = NULL;
}

static bool have_temporary(struct part *t, size_t nbytes)
{
    drop(t);
    t->temporary = memory_alloc(nbytes ? nbytes : 8, &t->capacity);
    return t->temporary != NULL;
}

static void use(struct part *t, char *values, mc_dtype dtype)
{
    t->wide = t->real;
    t->wide.dtype = dtype;
    t->wide.data = values + t->low * (int64_t)dtype_size(dtype);
}

/* The real values, as they were before the kernel. */
static bool use_real(struct part *t)
{
    const struct backend *b = t->saved || !t->shadow ? NULL : t->shadow->backend;
    if (!t->span)
        t->wide.dtype = dtype_widest(t->real.dtype);
    if (!t->span)
        return true;
    if (!have_temporary(t, (size_t)t->span * 8) ||
        !widen(b, t->saved ? t->saved : lowest(t), t->real.dtype, t->span, t->temporary))
        return false;
    use(t, t->temporary, dtype_widest(t->real.dtype));
    return true;
}

static bool use_as_is(struct part *t)
{
    bool apart = t->shadow && t->shadow->backend->is_apart;
    t->wide = t->real;
    if (apart && t->span && !t->saved && !(t->saved = bytes_of(t)))
        return false;
    if (t->saved)
        use(t, t->saved, t->real.dtype);
    return true;
}

static bool use_zeros(struct part *t)
{
    if (!have_temporary(t, (size_t)t->span * 8))
        return false;
    memset(t->temporary, 0, (size_t)t->span * 8);
    use(t, t->temporary, dtype_widest(t->real.dtype));
    return true;
}

static bool use_shadow(struct part *t)
{
    mc_dtype dtype = t->real.dtype;
    if (t->role == PART_WRITE && !shadow_have_room(t->shadow, dtype))
        return false;
    if (!t->shadow->values)
        return false;
    use(t, shadow_at(t->shadow, lowest(t)), dtype_widest(dtype));
    return true;
}

static bool set_up(struct part *t, bool local)
{
    if (t->role == PART_FOLLOW)
        return use_as_is(t);
    if (t->role == PART_REAL || (t->role == PART_READ && (local || !t->shadow)))
        return use_real(t);
    if (t->role == PART_UPDATE && (local || !t->shadow))
        return use_real(t);
    if (!t->span || local || !t->shadow || !dtype_is_shadowed(t->real.dtype))
        return use_zeros(t);
    return use_shadow(t);
}

static bool set_up_all(struct pass *p, bool local)
{
    bool ok = !p->failed;
    for (int i = 0; ok && i < p->count; i++)
        ok = set_up(&p->parts[i], local);
    return ok;
}

/* ---- after the kernel ---------------------------------------------------------------------- */

static void forget(struct part *t)
{
    if (t->misfit || !t->shadow->values || part_covers(t) || t->shadow->dtype != t->real.dtype)
        shadow_forget(t->shadow);
    else /* a part of it; what is between its elements becomes real, too */
        shadow_forget_part(t->shadow, lowest(t), (size_t)t->span * size_of(t));
    t->shadow->dtype = t->real.dtype;
}

static void finish(struct pass *p)
{
    for (int i = 0; i < p->count; i++) {
        struct part *t = &p->parts[i];
        if (t->passing && t->shadow)
            forget(t);
        if (writes(t) && t->shadow) {
            shadow_written(t->shadow);
            t->shadow->writer = frame_site();
        }
        drop(t);
        free(t->saved);
        free(t->fetched);
    }
    p->stage = PASS_DONE;
    ledger_unlock();
}

static void forget_results(struct pass *p)
{
    for (int i = 0; i < p->count; i++) {
        struct part *t = &p->parts[i];
        if (writes(t) && t->shadow)
            forget(t);
    }
}

void pass_real(struct pass *p)
{
    ledger_lock();
    shadow_coverage.kernels++;
    forget_results(p);
    finish(p);
}

static bool has_shadowed_result(const struct pass *p)
{
    for (int i = 0; i < p->count; i++)
        if (is_compared(&p->parts[i]))
            return true;
    return false;
}

/* The results as they are, in host memory. */
static bool fetch(struct part *t)
{
    t->host = t->real;
    if (!t->shadow || !t->shadow->backend->is_apart)
        return true;
    t->fetched = bytes_of(t);
    t->host.data = t->fetched + (size_t)t->low * size_of(t);
    return t->fetched != NULL;
}

static bool compare_results(struct pass *p)
{
    for (int i = 0; i < p->count; i++) {
        struct part *t = &p->parts[i];
        if (!is_compared(t))
            continue;
        if (!fetch(t))
            return false;
        t->total = compare(&t->host, &t->wide);
        t->shadowed = t->wide;
    }
    return true;
}

static bool begin_shadow(struct pass *p)
{
    ledger_lock();
    shadow_coverage.kernels++;
    bool shadowed = has_shadowed_result(p);
    if (shadowed && set_up_all(p, false)) {
        p->stage = PASS_SHADOW;
        return true;
    }
    if (shadowed)
        coverage_missed();
    forget_results(p);
    finish(p);
    return false;
}

static bool begin_local(struct pass *p)
{
    if (p->failed || !compare_results(p)) {
        coverage_missed();
        forget_results(p);
    } else if (!judge_needs_local(p) || !set_up_all(p, true)) {
        judge(p, false);
    } else {
        p->stage = PASS_LOCAL;
        return true;
    }
    finish(p);
    return false;
}

bool pass_next(struct pass *p)
{
    switch (p->stage) {
    case PASS_BEFORE:
        return begin_shadow(p);
    case PASS_SHADOW:
        return begin_local(p);
    case PASS_LOCAL:
        judge(p, true);
        finish(p);
        return false;
    case PASS_DONE:
        return false;
    }
    return false;
}

/* ---- loops --------------------------------------------------------------------------------- */

struct view loop_view(const struct loop *l, int k, mc_dtype dtype)
{
    struct view v = {.data = l->data[k], .dtype = dtype, .ndim = l->ndim, .numel = l->numel};
    int64_t size = (int64_t)dtype_size(dtype);
    for (int i = 0; i < l->ndim; i++) {
        v.shape[i] = l->shape[i];
        v.stride[i] = l->stride[k][i] / size;
    }
    return v;
}

struct loop wide_loop(const struct loop *l, struct view *const *views)
{
    struct loop w = *l;
    for (int k = 0; k < l->count; k++) {
        if (!views[k])
            continue;
        w.data[k] = views[k]->data;
        for (int i = 0; i < l->ndim; i++)
            w.stride[k][i] = views[k]->stride[i] * (int64_t)dtype_size(views[k]->dtype);
    }
    return w;
}
