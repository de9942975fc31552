/* Sampling: where a root has more paths than can be kept separate, states are joined, and a
 * failure may be on no path, since facts of different paths are combined. So the root is run
 * again on a few paths that are as different as possible, which are never joined; the others are
 * dropped. A failure on one of them is certain. */
#include "analyzer/flow/engine/engine.h"

#include <limits.h>
#include <string.h>

int64_t sampling_visits(const struct flow *f)
{
    return 2 * f->options.max_visits;
}

/* The number of paths: fewer the less budget is left, and the more paths the callers have, so
 * that some reach the end. */
int sampling_room(const struct flow *f)
{
    int64_t all = sampling_visits(f);
    int room = f->left > all / 3 * 2 ? SAMPLED_STATES : f->left > all / 3 ? SAMPLED_STATES / 2 : 2;
    return room / f->caller_paths > 2 ? room / f->caller_paths : 2;
}

void contrasts_take(struct contrasts *c, int at, const struct state *s)
{
    if (c->of[at] == s)
        return;
    c->of[at] = s;
    for (int i = 0; i <= SAMPLED_STATES; i++)
        c->with[at][i] = c->with[i][at] = -1;
}

/* Exact up to `most`. */
static int contrast(struct state *const *states, int a, int b, int most, struct contrasts *known)
{
    if (!known)
        return state_contrast(states[a], states[b], most);
    if (known->with[a][b] < 0)
        known->with[a][b] = known->with[b][a] = state_contrast(states[a], states[b], INT_MAX);
    return known->with[a][b];
}

void sampling_choose(struct state *const *states, int count, int room, int *chosen,
                     struct contrasts *known)
{
    for (int i = 0; known && i < count; i++)
        contrasts_take(known, i, states[i]);
    int nearest[SAMPLED_MAX]; /* of each: its distance from those chosen */
    for (int i = 0; i < count; i++)
        nearest[i] = INT_MAX;
    for (int n = 0; n < room && n < count; n++) {
        int next = 0;
        for (int i = 0; i < count; i++)
            next = nearest[i] > nearest[next] ? i : next;
        chosen[n] = next;
        for (int i = 0; i < count && n < room - 1; i++) {
            int most = nearest[i];
            int one = most >= 0 ? contrast(states, i, next, most, known) : -1;
            nearest[i] = one < most ? one : most;
        }
        nearest[next] = -1;
    }
}

static struct state *state_of(const void *items, int k, size_t size, size_t at)
{
    struct state *s;
    memcpy(&s, (const char *)items + (size_t)k * size + at, sizeof s);
    return s;
}

int drop_after_error(void *items, int count, size_t size, size_t at)
{
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (!state_of(items, k, size, at)->past)
            memmove((char *)items + (size_t)kept++ * size, (char *)items + (size_t)k * size, size);
    return kept ? kept : 1;
}

int nearest_of(const void *items, int count, size_t size, size_t at, const struct state *s)
{
    int nearest = 0, least = state_distance(state_of(items, 0, size, at), s, INT_MAX);
    for (int k = 1; k < count; k++) {
        int distance = state_distance(state_of(items, k, size, at), s, least);
        if (distance < least) {
            least = distance;
            nearest = k;
        }
    }
    return nearest;
}

int sampling_keep(struct flow *f, void *items, int count, size_t size, size_t at, int room)
{
    struct state *all[SAMPLED_MAX];
    int chosen[SAMPLED_MAX];
    count = count < SAMPLED_MAX ? count : SAMPLED_MAX;
    const char *before = arena_copy(f->scratch, items, size * (size_t)count);
    for (int k = 0; k < count; k++)
        all[k] = state_of(before, k, size, at);
    int kept = count < room ? count : room;
    sampling_choose(all, count, kept, chosen, NULL);
    for (int k = 0; k < kept; k++)
        memcpy((char *)items + (size_t)k * size, before + (size_t)chosen[k] * size, size);
    return kept;
}
