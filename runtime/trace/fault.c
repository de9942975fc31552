/* Faults: when the program accesses invalid memory, one line reports which storage that was part
 * of, which op ran last and the call stack; then the signal takes its usual effect. Calls only
 * functions that are safe in a signal handler. */
#include "runtime/trace/probe.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/core/watch.h"
#include "runtime/trace/protocol.h"

enum { FRAMES_TOLD = 64, SIGNALS = 2 };
static const int signals[SIGNALS] = {SIGSEGV, SIGBUS};

static struct {
    int fd;
    uintptr_t base, end; /* of the executable */
    struct sigaction before[SIGNALS];
    _Atomic(const char *) file;
    atomic_int line;
} fault;

void fault_near(mc_place at)
{
    atomic_store_explicit(&fault.file, at.file, memory_order_relaxed);
    atomic_store_explicit(&fault.line, at.line, memory_order_relaxed);
}

/* ---- formatting without stdio -------------------------------------------------------------- */

struct words {
    size_t used;
    char text[4096];
};

static void say(struct words *w, const char *s)
{
    while (*s && w->used < sizeof w->text)
        w->text[w->used++] = *s++;
}

static void say_number(struct words *w, uint64_t n, unsigned radix)
{
    char digits[32];
    int at = sizeof digits;
    digits[--at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[n % radix];
    while ((n /= radix) > 0);
    say(w, digits + at);
}

static void say_signed(struct words *w, int64_t n)
{
    say(w, n < 0 ? "-" : "");
    say_number(w, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, 10);
}

static void say_address(struct words *w, uintptr_t address)
{
    say(w, "\"0x");
    say_number(w, address, 16);
    say(w, "\"");
}

/* A file name: characters that JSON would escape are dropped, as are bytes that may not be UTF-8.
 */
static void say_name(struct words *w, const char *s)
{
    if (!s) {
        say(w, "null");
        return;
    }
    size_t limit = w->used + 1024;
    say(w, "\"");
    for (; *s && w->used < limit; s++)
        say(w, (unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e || *s == '"' || *s == '\\'
                   ? "?"
                   : (char[2]){*s, '\0'});
    say(w, "\"");
}

/* ---- the line ------------------------------------------------------------------------------ */

/* "true", "false", or "null" where the machine does not say. */
static const char *was_write(const void *context)
{
    const ucontext_t *at = context;
#if defined(__x86_64__)
    return at->uc_mcontext.gregs[REG_ERR] & 2 ? "true" : "false";
#elif defined(__aarch64__)
    /* A list of records, each preceded by its kind and size; one holds the syndrome. */
    const unsigned char *record = at->uc_mcontext.__reserved;
    const unsigned char *end = record + sizeof at->uc_mcontext.__reserved;
    uint32_t head[2];
    for (; end - record >= 16; record += head[1]) {
        uint64_t syndrome;
        memcpy(head, record, sizeof head);
        memcpy(&syndrome, record + sizeof head, sizeof syndrome);
        if (head[0] == 0x45535201)
            return syndrome & 0x40 ? "true" : "false";
        if (head[0] == 0 || head[1] < 16 || head[1] > end - record)
            break;
    }
    return "null";
#else
    (void)at;
    return "null";
#endif
}

/* The faulting instruction; 0 where the machine does not report it. */
static uintptr_t where(const void *context)
{
    const ucontext_t *at = context;
#if defined(__x86_64__)
    return (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)at->uc_mcontext.pc;
#else
    (void)at;
    return 0;
#endif
}

static void say_storage(struct words *w, const void *address)
{
    struct watched at;
    if (!watch_find_unlocked(address, &at)) {
        say(w, ",\"storage\":null,\"dtype\":null,\"device\":null,\"bytes\":null,\"offset\":null,"
               "\"freed\":false");
        return;
    }
    say(w, ",\"storage\":");
    say_number(w, at.serial, 10);
    say(w, ",\"dtype\":");
    say_name(w, at.dtype == MC_DTYPE_DEFAULT ? NULL : dtype_name(at.dtype));
    say(w, ",\"device\":");
    say_name(w, mc_device_name(at.device));
    say(w, ",\"bytes\":");
    say_number(w, at.bytes, 10);
    say(w, ",\"offset\":");
    say_signed(w, at.offset);
    say(w, at.freed ? ",\"freed\":true" : ",\"freed\":false");
}

uintptr_t fault_code(const void *at)
{
    uintptr_t address = (uintptr_t)at;
    return address >= fault.base && address < fault.end ? address - fault.base : 0;
}

static void say_code(struct words *w, uintptr_t at)
{
    uintptr_t code = fault_code((const void *)at);
    if (code)
        say_address(w, code);
    else
        say(w, "null");
}

static void say_frames(struct words *w)
{
    void *frames[FRAMES_TOLD];
    int count = backtrace(frames, FRAMES_TOLD);
    say(w, ",\"frames\":[");
    for (int i = 0; i < count; i++) {
        say(w, i ? "," : "");
        say_code(w, (uintptr_t)frames[i]);
    }
    say(w, "]");
}

static void say_fault(struct words *w, int signal, const siginfo_t *info, const void *context)
{
    say(w, "{\"fault\":{\"signal\":");
    say_number(w, (uint64_t)signal, 10);
    say(w, ",\"address\":");
    say_address(w, (uintptr_t)info->si_addr);
    say_storage(w, info->si_addr);
    say(w, ",\"write\":");
    say(w, was_write(context));
    say(w, "},\"pid\":");
    say_number(w, (uint64_t)getpid(), 10);
    say(w, ",\"near\":{\"file\":");
    say_name(w, atomic_load_explicit(&fault.file, memory_order_relaxed));
    say(w, ",\"line\":");
    say_signed(w, atomic_load_explicit(&fault.line, memory_order_relaxed));
    say(w, "},\"pc\":");
    say_code(w, where(context));
    say_frames(w);
    say(w, "}\n");
}

/* Returning executes the instruction again, which faults again, for the previous handler. */
static void handle(int signal, siginfo_t *info, void *context)
{
    struct words w;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &fault.before[i], NULL);
    w.used = 0;
    say_fault(&w, signal, info, context);
    (void)trace_write(fault.fd, w.text, w.used);
    if (info->si_code <= 0) /* sent by another process: it will not occur again by itself */
        raise(signal);
}

/* ---- installing ---------------------------------------------------------------------------- */

/* The executable is the first. */
static int measure_executable(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    fault.base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > fault.end)
            fault.end = end;
    }
    return 1;
}

void fault_install(int fd, bool guards)
{
    void *primed[2];
    struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    fault.fd = fd;
    dl_iterate_phdr(measure_executable, NULL);
    (void)backtrace(primed, 2); /* loads what it needs: in the handler, that is not allowed */
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &fault.before[i]);
        if (guards || fault.before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &ours, NULL);
    }
}

/* ---- AddressSanitizer ---------------------------------------------------------------------- */

enum { REPORT_MAX = 7 * TEXT_MAX, TRIES = 1000 };

/* It passes in what it is about to print; what is printed could come from anyone. */
void __asan_set_error_report_callback(void (*callback)(const char *)) __attribute__((weak));

static void report_sanitizer(const char *text)
{
    struct line *l = NULL;
    atomic_int to = CHANNEL_DESCRIPTOR;
    for (int i = 0; !l && i < TRIES; i++)
        if (!(l = line_try_open()))
            usleep(1000);
    if (!l)
        return;
    put(l, "{\"sanitizer\":");
    put_text(l, text, REPORT_MAX);
    put(l, "}\n");
    line_close(l, &to, "the channel");
}

void fault_watch_sanitizer(void)
{
    if (__asan_set_error_report_callback)
        __asan_set_error_report_callback(report_sanitizer);
}
