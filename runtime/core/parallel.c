/* Worker threads. The pool is started by the first large op and waits on a condition; the calling
 * thread always takes part. One job runs at a time: a second caller works alone meanwhile. */
#include "runtime/core/core.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_WORKERS = 63 };

struct job {
    void (*body)(int64_t, int64_t, void *);
    void *ctx;
    int64_t n, piece;
    atomic_llong next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_mutex_t busy; /* held by the caller whose job runs */
    struct job *job;
    uint64_t generation;
    int running; /* workers inside the job */
    int workers; /* threads that exist */
    bool forks;  /* the fork handlers below are installed */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
    .busy = PTHREAD_MUTEX_INITIALIZER,
};

static atomic_int thread_limit;
static _Thread_local bool inside;

static void run_pieces(struct job *job)
{
    for (;;) {
        int64_t begin = atomic_fetch_add(&job->next, job->piece);
        if (begin >= job->n)
            return;
        int64_t end = begin + job->piece < job->n ? begin + job->piece : job->n;
        job->body(begin, end, job->ctx);
    }
}

static void *worker(void *arg)
{
    uint64_t seen = (uint64_t)(uintptr_t)arg;
    inside = true;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.generation == seen || !pool.job) {
            if (pool.generation != seen)
                seen = pool.generation; /* woke too late: that job is over */
            pthread_cond_wait(&pool.work, &pool.lock);
        }
        seen = pool.generation;
        struct job *job = pool.job;
        pool.running++;
        pthread_mutex_unlock(&pool.lock);
        run_pieces(job);
        pthread_mutex_lock(&pool.lock);
        if (--pool.running == 0)
            pthread_cond_signal(&pool.done);
    }
    return NULL;
}

/* A fork waits until no job runs. The child has no workers, but condition variables that count
 * some as waiting: it starts over. */
static void before_fork(void)
{
    pthread_mutex_lock(&pool.busy);
    pthread_mutex_lock(&pool.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.busy);
}

static void in_child(void)
{
    pool.workers = 0;
    pool.work = pool.done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    after_fork();
}

/* With pool.busy held exclusively, before any worker exists. */
static void expect_forks(void)
{
    pool.forks = pool.forks || !pthread_atfork(before_fork, after_fork, in_child);
}

/* With pool.lock held. */
static void start_workers(int wanted)
{
    pthread_attr_t attr;
    if (!pool.forks)
        return;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    while (pool.workers < wanted && pool.workers < MAX_WORKERS) {
        pthread_t thread;
        if (pthread_create(&thread, &attr, worker, (void *)(uintptr_t)pool.generation))
            break;
        pool.workers++;
    }
    pthread_attr_destroy(&attr);
}

static void run_shared(struct job *job, int threads)
{
    expect_forks();
    pthread_mutex_lock(&pool.lock);
    start_workers(threads - 1);
    pool.job = job;
    pool.generation++;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
    inside = true;
    run_pieces(job);
    inside = false;
    pthread_mutex_lock(&pool.lock);
    pool.job = NULL;
    while (pool.running)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void parallel_for(int64_t n, int64_t grain, void (*body)(int64_t, int64_t, void *), void *ctx)
{
    if (n <= 0)
        return;
    int threads = inside || n <= grain ? 1 : mc_get_num_threads();
    if (threads == 1 || pthread_mutex_trylock(&pool.busy)) {
        body(0, n, ctx);
        return;
    }
    int64_t piece = (n + threads - 1) / threads;
    struct job job = {.body = body, .ctx = ctx, .n = n, .piece = piece > grain ? piece : grain};
    run_shared(&job, threads);
    pthread_mutex_unlock(&pool.busy);
}

void mc_set_num_threads(int n)
{
    atomic_store(&thread_limit, n < 1 ? 1 : n > MAX_WORKERS + 1 ? MAX_WORKERS + 1 : n);
}

static int default_threads(void)
{
    const char *said = getenv("MISCAST_THREADS");
    long n = said ? strtol(said, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_WORKERS + 1 ? MAX_WORKERS + 1 : (int)n;
}

int mc_get_num_threads(void)
{
    int n = atomic_load(&thread_limit);
    if (!n)
        atomic_store(&thread_limit, n = default_threads());
    return n;
}
