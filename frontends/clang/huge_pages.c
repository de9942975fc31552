/* Huge pages for the parser. A parser allocates tens of megabytes in small pieces, and a tenth of
 * its time goes into page faults. Where the system gives huge pages on request (Linux by default),
 * the heaps of the C library request them. Every step may fail, and then everything works, only
 * slower. Not used in a long-running process: the system rebuilds huge pages from memory that was
 * returned, so the process grows again. */
#include "frontends/clang/library.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

#define MAIN_ROOM   (64 << 20)         /* enough for a large file with its headers */
#define THREAD_HEAP ((size_t)64 << 20) /* size and alignment of another thread's heap */
#define HUGE_PAGE   ((uintptr_t)2 << 20)

static bool is_wanted;

static void ask(uintptr_t from, uintptr_t to)
{
    from = (from + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    to &= ~(HUGE_PAGE - 1);
    if (from < to)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* Grows the heap once, by more than is likely to be needed: untouched pages cost nothing. */
void clang_use_large_pages(void)
{
    is_wanted = true;
    mallopt(M_TOP_PAD, MAIN_ROOM);
    mallopt(M_MMAP_THRESHOLD, MAIN_ROOM / 2);
    void *before = sbrk(0);
    free(malloc(MAIN_ROOM / 4));
    ask((uintptr_t)before, (uintptr_t)sbrk(0));
}

void clang_use_large_pages_here(void)
{
    if (!is_wanted)
        return;
    void *some = malloc(1);
    uintptr_t heap = (uintptr_t)some & ~(uintptr_t)(THREAD_HEAP - 1);
    ask(heap, heap + THREAD_HEAP);
    free(some);
}
#else
void clang_use_large_pages(void)
{
}

void clang_use_large_pages_here(void)
{
}
#endif
