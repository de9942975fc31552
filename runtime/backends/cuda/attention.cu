/* Attention. What flash.cu has no kernel for is done in pieces: scores by a product, weights in
 * place, the result by another product. */
#include "runtime/backends/cuda/attention.cuh"

/* The result of one piece; its scores are in room, followed by the weights if they are rounded. */
static bool run_piece(const struct piece *piece, char *room)
{
    const struct attention *job = &piece->job;
    mc_dtype compute = compute_dtype(job->q.dtype);
    int64_t l = rows_of(&job->q), s = rows_of(&job->k);
    struct view scores = dense_like(&job->out, room, compute, l, s), weights = scores;
    if (compute != job->q.dtype)
        weights =
            dense_like(&job->out, room + (scores.numel * 4 + 255) / 256 * 256, job->q.dtype, l, s);
    struct view k = turned(&job->k);
    if (!cuda_gemm(&job->q, &k, &scores, mc_arg_float(job->scale), mc_arg_float(0)))
        return false;
    weigh(piece, &scores, &weights);
    return cuda_gemm(&weights, &job->v, &job->out, mc_arg_float(1), mc_arg_float(0));
}

static struct piece part(const struct piece *of, int dim, int64_t first, int64_t count)
{
    struct piece p = *of;
    bool rows = dim == of->job.q.ndim - 2;
    p.first += rows ? first : 0;
    p.job.q = narrowed(&of->job.q, dim, first, count);
    p.job.out = narrowed(&of->job.out, dim, first, count);
    if (of->job.has_mask)
        p.job.mask = narrowed(&of->job.mask, dim, first, count);
    if (!rows) {
        p.job.k = narrowed(&of->job.k, dim, first, count);
        p.job.v = narrowed(&of->job.v, dim, first, count);
    }
    return p;
}

/* Takes the piece apart along that dimension and those behind it, as long as it is too large. */
static bool run_pieces(const struct piece *piece, int dim, char *room)
{
    const struct view *q = &piece->job.q;
    int64_t inner = rows_of(&piece->job.k);
    for (int d = dim + 1; d <= q->ndim - 2; d++)
        inner *= q->shape[d];
    int64_t count = most(1, PIECE_SCORES / most(inner, 1));
    if (q->shape[dim] <= count && (count > 1 || dim == q->ndim - 2))
        return run_piece(piece, room);
    bool ok = true;
    for (int64_t i = 0; ok && i < q->shape[dim]; i += count) {
        struct piece p = part(piece, dim, i, least(count, q->shape[dim] - i));
        ok = count == 1 && dim < q->ndim - 2 ? run_pieces(&p, dim + 1, room) : run_piece(&p, room);
    }
    return ok;
}

bool cuda_attention(const struct attention *job)
{
    if (job->out.numel == 0)
        return true;
    USE(job->out.data);
    if (flash_attention(job))
        return true;
    size_t size =
        size_of(job->q.dtype) + (job->q.dtype == MC_F64 || job->q.dtype == MC_F32 ? 0 : 4);
    int64_t s = rows_of(&job->k), all = job->out.numel / cols_of(&job->out) * s;
    scratch room(job->out.data, (size_t)least(all, most(PIECE_SCORES, s)) * size + 256);
    if (!room.data)
        return false;
    struct piece whole = {*job, 0};
    return run_pieces(&whole, 0, room.as<char>());
}
