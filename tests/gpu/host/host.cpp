/* The stand-in for a GPU behind the headers of this folder. HOST_GPUS says how many there are (by
 * default 2), HOST_GPU_MEMORY how many bytes each has. */
#include <cuda_runtime.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/* One thread of the program at a time uses what stands here. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

struct turn {
    turn()
    {
        pthread_mutex_lock(&lock);
    }
    ~turn()
    {
        pthread_mutex_unlock(&lock);
    }
};

/* ---- memory ---------------------------------------------------------------------------------- */

enum { SEGMENTS = 65536, DEVICES = 16 };

static struct segment {
    char *address;
    size_t size;
    int device;
} segments[SEGMENTS];
static int segment_count;
static thread_local int in_use_now;
static size_t used[DEVICES];
static int open_count;

/* The memory can be touched between the two, and only there: what reads it elsewhere faults. */
static void memory_open(void)
{
    if (!open_count++)
        for (int i = 0; i < segment_count; i++)
            mprotect(segments[i].address, segments[i].size, PROT_READ | PROT_WRITE);
}

static void memory_close(void)
{
    if (!--open_count)
        for (int i = 0; i < segment_count; i++)
            mprotect(segments[i].address, segments[i].size, PROT_NONE);
}

static size_t total_memory(void)
{
    const char *said = getenv("HOST_GPU_MEMORY");
    return said ? strtoull(said, NULL, 10) : (size_t)4 << 30;
}

cudaError_t cudaMalloc(void **address, size_t n)
{
    turn mine;
    n = (n + 4095) / 4096 * 4096;
    if (segment_count == SEGMENTS || n > total_memory() - used[in_use_now])
        return cudaErrorMemoryAllocation;
    void *at = mmap(NULL, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return cudaErrorMemoryAllocation;
    segments[segment_count++] = segment{(char *)at, n, in_use_now};
    used[in_use_now] += n;
    *address = at;
    return cudaSuccess;
}

static struct segment *segment_of(const void *address)
{
    for (int i = 0; i < segment_count; i++)
        if ((const char *)address >= segments[i].address &&
            (const char *)address < segments[i].address + segments[i].size)
            return &segments[i];
    return NULL;
}

cudaError_t cudaFree(void *address)
{
    turn mine;
    struct segment *s = segment_of(address);
    if (!s || s->address != address)
        return cudaErrorInvalidValue;
    used[s->device] -= s->size;
    munmap(s->address, s->size);
    *s = segments[--segment_count];
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    turn mine;
    *total = total_memory();
    *free = *total - used[in_use_now];
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *about, const void *address)
{
    turn mine;
    struct segment *s = segment_of(address);
    about->device = s ? s->device : 0;
    return s ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaHostAlloc(void **address, size_t n, unsigned)
{
    *address = malloc(n);
    return *address ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *address)
{
    free(address);
    return cudaSuccess;
}

static bool is_inside(const void *address, size_t n)
{
    struct segment *s = segment_of(address);
    return s && (const char *)address + n <= s->address + s->size;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind,
                            cudaStream_t)
{
    turn mine;
    if (is_inside(to, n) != (kind != cudaMemcpyDeviceToHost) ||
        is_inside(from, n) != (kind != cudaMemcpyHostToDevice))
        return cudaErrorInvalidValue;
    memory_open();
    memmove(to, from, n);
    memory_close();
    return cudaSuccess;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n, cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t)
{
    turn mine;
    if (!is_inside(to, n))
        return cudaErrorInvalidValue;
    memory_open();
    memset(to, value, n);
    memory_close();
    return cudaSuccess;
}

/* ---- devices, events --------------------------------------------------------------------------
 */

cudaError_t cudaGetDeviceCount(int *count)
{
    const char *said = getenv("HOST_GPUS");
    *count = said ? atoi(said) : 2;
    return *count ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9 : 2;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int)
{
    *properties = cudaDeviceProp{"this machine's processor", total_memory(), 0, 0};
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    in_use_now = device;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : "invalid value";
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    *event = reinterpret_cast<cudaEvent_t>(1);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return cudaSuccess;
}

/* ---- threads of a block ------------------------------------------------------------------------
 */

dim3 threadIdx, blockIdx, blockDim, gridDim;

enum { MOST_THREADS = 1024, STACK = 256 << 10, LANES = 32 };
enum state { NEW, READY, AT_BLOCK, AT_WARP, DONE };

/* Where something goes on. Jumps go from one stack to another without the system, which swapcontext
 * asks for the signals' mask each time; only what never ran begins as a context. */
struct place {
    jmp_buf at;
    bool ran;
    ucontext_t context;
};

struct fiber {
    struct place place;
    char *stack;
};

static struct thread {
    enum state state;
    struct fiber *fiber; /* where it waits */
    char slot[8];
} threads[MOST_THREADS];
static unsigned thread_count, next_new, now; /* now: the one that runs */
static struct fiber *running, *spare[MOST_THREADS + 1];
static int spare_count;
static struct place scheduler;
static void (*kernel)(const void *);
static const void *kernel_data;

static void go(struct place *from, struct place *to)
{
    from->ran = true;
    if (_setjmp(from->at))
        return;
    if (to->ran)
        _longjmp(to->at, 1);
    setcontext(&to->context);
}

static void become(unsigned thread)
{
    now = thread;
    threadIdx = dim3(thread % blockDim.x, thread / blockDim.x % blockDim.y,
                     thread / blockDim.x / blockDim.y);
}

/* A fiber runs one new thread after the other; the first that waits keeps it. */
static void run_new_threads(void)
{
    for (;;) {
        while (next_new < thread_count) {
            become(next_new++);
            kernel(kernel_data);
            threads[now].state = DONE;
        }
        spare[spare_count++] = running;
        go(&running->place, &scheduler);
    }
}

static struct fiber *fiber_take(void)
{
    if (spare_count)
        return spare[--spare_count];
    struct fiber *f = new fiber;
    f->stack =
        (char *)mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    f->place.ran = false;
    getcontext(&f->place.context);
    f->place.context.uc_stack.ss_sp = f->stack;
    f->place.context.uc_stack.ss_size = STACK;
    f->place.context.uc_link = NULL;
    makecontext(&f->place.context, run_new_threads, 0);
    return f;
}

static void resume(struct fiber *f)
{
    running = f;
    go(&scheduler, &f->place);
}

static void wait_as(enum state state)
{
    unsigned thread = now;
    threads[thread].state = state;
    threads[thread].fiber = running;
    go(&running->place, &scheduler);
    become(thread);
}

void host_wait_block()
{
    wait_as(AT_BLOCK);
}

void host_wait_warp()
{
    wait_as(AT_WARP);
}

unsigned host_lane()
{
    return now % LANES;
}

void *host_slot(unsigned lane)
{
    return threads[now / LANES * LANES + lane].slot;
}

bool host_lane_lives(unsigned lane)
{
    unsigned thread = now / LANES * LANES + lane;
    return lane < LANES && thread < thread_count && threads[thread].state != DONE;
}

/* Makes those ready, from first on, that all wait alike; whether there were any. */
static bool release(unsigned first, unsigned count, enum state state)
{
    bool any = false;
    for (unsigned i = first; i < first + count && i < thread_count; i++) {
        if (threads[i].state != DONE && threads[i].state != state)
            return false;
        any |= threads[i].state == state;
    }
    for (unsigned i = first; any && i < first + count && i < thread_count; i++)
        if (threads[i].state == state)
            threads[i].state = READY;
    return any;
}

static void run_block(void)
{
    for (unsigned i = 0; i < thread_count; i++)
        threads[i].state = NEW;
    next_new = 0;
    while (next_new < thread_count)
        resume(fiber_take());
    for (;;) {
        bool released = release(0, thread_count, AT_BLOCK), done = true;
        for (unsigned i = 0; i < thread_count; i += LANES)
            released |= release(i, LANES, AT_WARP);
        for (unsigned i = 0; i < thread_count; i++) {
            done &= threads[i].state == DONE;
            if (threads[i].state == READY)
                resume(threads[i].fiber);
        }
        if (done)
            return;
        if (!released) {
            fprintf(stderr, "threads of a block wait for each other at different places\n");
            abort();
        }
    }
}

void host_run(dim3 blocks, dim3 block, void (*body)(const void *data), const void *data)
{
    turn mine;
    gridDim = blocks;
    blockDim = block;
    thread_count = block.x * block.y * block.z;
    kernel = body;
    kernel_data = data;
    if (thread_count > MOST_THREADS) {
        fprintf(stderr, "%u threads in a block: %d is the most\n", thread_count, MOST_THREADS);
        abort();
    }
    memory_open();
    for (blockIdx.z = 0; blockIdx.z < blocks.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < blocks.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < blocks.x; blockIdx.x++)
                run_block();
    memory_close();
}
