/* Functions in front of those of the C library and of ggml. Aborting ends the record. Graphs are
 * computed node by node, so that it is known which of them aborts: ggml does the same for programs
 * that ask to be called after each node. What a version of ggml does not export, or calls without
 * going through its name, is not seen. */
#include "analyzer/verify/ggml/observer.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { MESSAGE = 1024 };

static bool is_on;
static atomic_flag ended = ATOMIC_FLAG_INIT;
static atomic_bool reported; /* after that the process may end */
static _Thread_local bool is_reporting;
static atomic_int graphs;                 /* that are being computed */
static _Atomic(const void *) node;        /* of the last of them */
static _Thread_local const char *message; /* with which ggml aborts */

/* ---- the beginning and the end --------------------------------------------------------------- */

/* Whether the program is linked with ggml statically: then it holds this text. */
static bool holds_ggml(void)
{
    static const char text[] = "GGML_ASSERT(%s) failed";
    struct stat s;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    bool found = false;
    if (fd >= 0 && !fstat(fd, &s) && s.st_size > 0) {
        void *all = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (all != MAP_FAILED) {
            found = memmem(all, (size_t)s.st_size, text, sizeof text - 1);
            munmap(all, (size_t)s.st_size);
        }
    }
    if (fd >= 0)
        close(fd);
    return found;
}

__attribute__((constructor)) static void begin(void)
{
    void *first[1];
    if (!dlsym(RTLD_NEXT, "ggml_abort") && !holds_ggml())
        return;
    is_on = report_begin();
    if (is_on)
        (void)backtrace(first, 1); /* the first call loads a library */
}

__attribute__((destructor)) static void end(void)
{
    if (is_on && !atomic_flag_test_and_set(&ended)) {
        is_reporting = true;
        report_end(NULL, false, NULL, 0, NO_SITE, false);
        atomic_store(&reported, true);
    }
}

/* The real function: that of the next library, or of the one that calls it, which a program may
 * have loaded for itself alone. */
static void *real(const char *name, void *caller)
{
    void *found = dlsym(RTLD_NEXT, name);
    Dl_info at;
    if (found || !dladdr(caller, &at))
        return found;
    void *library = dlopen(at.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    found = library ? dlsym(library, name) : NULL;
    if (library)
        dlclose(library);
    return found;
}

static void (*as_function(void *found))(void)
{
    void (*f)(void);
    memcpy(&f, &found, sizeof f);
    return f;
}
#define REAL(type, name) ((type)as_function(real(#name, __builtin_return_address(0))))

/* ---- aborting -------------------------------------------------------------------------------- */

/* The linker gives it the name abort (CMakeLists.txt), here only: in the objects of a program of
 * ours it would be the function that they call. */
EXPORTED _Noreturn void observed_abort(void);
_Noreturn void observed_abort(void)
{
    void *frames[STACK_FRAMES];
    if (is_on && !atomic_flag_test_and_set(&ended)) {
        is_reporting = true;
        int depth = backtrace(frames, STACK_FRAMES), count = atomic_load(&graphs);
        report_end(message, true, frames, depth, count == 1 ? site_of(atomic_load(&node)) : NO_SITE,
                   count > 0);
        atomic_store(&reported, true);
    }
    /* All threads of a kernel abort; the first one ends the process. */
    while (is_on && !is_reporting && !atomic_load(&reported))
        usleep(1000);
    void (*next)(void) = REAL(void (*)(void), abort);
    if (next)
        next();
    _exit(134);
}

EXPORTED _Noreturn void ggml_abort(const char *file, int line, const char *format, ...);
_Noreturn void ggml_abort(const char *file, int line, const char *format, ...)
{
    typedef void aborting(const char *, int, const char *, ...);
    char text[MESSAGE];
    va_list rest;
    va_start(rest, format);
    (void)vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    text[strcspn(text, "\n")] = '\0';
    message = text;
    aborting *next = REAL(aborting *, ggml_abort);
    if (next)
        next(file, line, "%s", text);
    observed_abort();
}

/* ---- making tensors -------------------------------------------------------------------------- */

/* By the calls from that one on. */
static void *note(void *tensor, const void *caller)
{
    void *frames[SITE_FRAMES + 4];
    if (!is_on || !tensor)
        return tensor;
    int depth = backtrace(frames, SITE_FRAMES + 4), first = 0;
    while (first < depth && frames[first] != caller)
        first++;
    if (first < depth)
        site_note(tensor, frames + first, depth - first);
    return tensor;
}

EXPORTED void *ggml_new_tensor(void *context, int type, int n_dims, const int64_t *ne);
void *ggml_new_tensor(void *context, int type, int n_dims, const int64_t *ne)
{
    typedef void *making(void *, int, int, const int64_t *);
    making *next = REAL(making *, ggml_new_tensor);
    return next ? note(next(context, type, n_dims, ne), __builtin_return_address(0)) : NULL;
}

EXPORTED void *ggml_view_tensor(void *context, void *of);
void *ggml_view_tensor(void *context, void *of)
{
    typedef void *viewing(void *, void *);
    viewing *next = REAL(viewing *, ggml_view_tensor);
    return next ? note(next(context, of), __builtin_return_address(0)) : NULL;
}

/* ---- computing graphs ------------------------------------------------------------------------ */

/* struct ggml_cgraph, returned in memory: larger than any version of it. */
struct graph {
    max_align_t bytes[64];
};

struct graph_functions {
    int (*count)(void *graph);
    void *(*node)(void *graph, int i);
    struct graph (*view)(void *graph, int from, int to);
};

static bool has_functions(struct graph_functions *f)
{
    f->count = REAL(int (*)(void *), ggml_graph_n_nodes);
    f->node = REAL(void *(*)(void *, int), ggml_graph_node);
    f->view = REAL(struct graph(*)(void *, int, int), ggml_graph_view);
    return is_on && f->count && f->node && f->view;
}

static int compute_nodes(const struct graph_functions *f, void *graph, void *plan,
                         int (*next)(void *, void *))
{
    int status = 0, count = f->count(graph);
    for (int i = 0; i < count && !status; i++) {
        struct graph one = f->view(graph, i, i + 1);
        atomic_store(&node, f->node(graph, i));
        status = next(&one, plan);
        if (!status)
            site_computed(site_of(f->node(graph, i)));
    }
    return status;
}

EXPORTED int ggml_graph_compute(void *graph, void *plan);
int ggml_graph_compute(void *graph, void *plan)
{
    typedef int computing(void *, void *);
    computing *next = REAL(computing *, ggml_graph_compute);
    struct graph_functions f;
    if (!next)
        observed_abort();
    if (!has_functions(&f))
        return next(graph, plan);
    atomic_fetch_add(&graphs, 1);
    int status = f.count(graph) ? compute_nodes(&f, graph, plan, next) : next(graph, plan);
    atomic_fetch_sub(&graphs, 1);
    return status;
}

#ifdef __x86_64__
/* It returns a struct whose size differs between versions: on this machine its address is the first
 * argument, and the result. A plan for each node comes first, since planning may abort, too. */
EXPORTED void *ggml_graph_plan(void *out, void *graph, int threads, void *pool);
void *ggml_graph_plan(void *out, void *graph, int threads, void *pool)
{
    typedef void *planning(void *, void *, int, void *);
    planning *next = REAL(planning *, ggml_graph_plan);
    struct graph_functions f;
    if (!next)
        observed_abort();
    if (has_functions(&f)) {
        atomic_fetch_add(&graphs, 1);
        for (int i = 0, count = f.count(graph); i < count; i++) {
            struct graph one = f.view(graph, i, i + 1);
            atomic_store(&node, f.node(graph, i));
            (void)next(out, &one, threads, pool);
        }
        atomic_fetch_sub(&graphs, 1);
    }
    return next(out, graph, threads, pool);
}
#endif
