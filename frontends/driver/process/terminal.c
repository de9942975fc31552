/* The signal handler only writes a byte to a pipe. A thread waits for that, and draws the progress
 * line, so that no worker waits for the terminal. */
#include "frontends/driver/process/terminal.h"

#include "analyzer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 500, EVERY_MS = 100, BAR = 20, LINE = 512, HANDS = 64 };

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static int ends[2] = {-1, -1}; /* of the pipe */
static pid_t self;
static pthread_mutex_t held = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static volatile sig_atomic_t stopping;

/* An item in progress. */
struct item {
    unsigned order; /* in which it was started; 0: none */
    char text[LINE];
};

static struct {
    pthread_mutex_t lock;
    struct timespec began, since; /* the process; this work */
    bool active;
    int done, count;
    unsigned taken;
    char what[32];
    struct item hands[HANDS];
    char shown[LINE + 160]; /* what is shown; empty: nothing */
    int said;               /* minutes after which a line was written instead, where there is no
                               terminal */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the line ------------------------------------------------------------------------------- */

static bool has_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

bool terminal_shows_progress(void)
{
    return isatty(STDERR_FILENO) && !has_variable("NO_COLOR") && !has_variable("CI") &&
           has_variable("TERM") && strcmp(getenv("TERM"), "dumb") != 0;
}

bool terminal_tells_progress(void)
{
    return !isatty(STDERR_FILENO) && !has_variable("NO_COLOR") && !has_variable("CI");
}

int terminal_columns(FILE *out)
{
    struct winsize size = {0};
    bool is_known = isatty(fileno(out)) && !ioctl(fileno(out), TIOCGWINSZ, &size);
    return is_known && size.ws_col > 20 ? size.ws_col : 0;
}

static int columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20)
        return 80;
    return size.ws_col < LINE ? size.ws_col : LINE - 1;
}

static int64_t ms_after(const struct timespec *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - t->tv_sec) * 1000 + (now.tv_nsec - t->tv_nsec) / 1000000;
}

static void write_all(const char *text, size_t length)
{
    while (length) {
        ssize_t n = write(STDERR_FILENO, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        text += n;
        length -= (size_t)n;
    }
}

static const char *first_in_hand(void)
{
    const struct item *first = NULL;
    for (int i = 0; i < HANDS; i++)
        if (line.hands[i].order && (!first || line.hands[i].order < first->order))
            first = &line.hands[i];
    return first ? first->text : "";
}

/* Fits one line of the terminal; a long path is cut at its beginning. */
static void draw(void)
{
    static const char full[] = "####################", none[] = "--------------------";
    const char *item = first_in_hand();
    char head[128], out[sizeof line.shown];
    int part = line.count ? BAR * line.done / line.count : 0;
    int n = line.count ? snprintf(head, sizeof head, "%s%s[%.*s%.*s] %d/%d ", line.what,
                                  line.what[0] ? " " : "", part, full, BAR - part, none, line.done,
                                  line.count)
                       : snprintf(head, sizeof head, "%s: %d so far ", line.what, line.done);
    int room = columns() - 1 - n, length = (int)strlen(item);
    if (length > room)
        item += room > 0 ? length - room : length;
    while (((unsigned char)*item & 0xc0) == 0x80) /* not within a character */
        item++;
    n = snprintf(out, sizeof out, "\r\033[K%.*s%s", columns() - 1, head, item);
    if (!strcmp(out, line.shown))
        return;
    write_all(out, (size_t)n);
    memcpy(line.shown, out, (size_t)n + 1);
}

/* "miscast: verifying 1/3 model.py:36, after 2 minutes" */
static void tell(void)
{
    int minutes = (int)(ms_after(&line.since) / 60000);
    char out[sizeof line.shown];
    if (minutes <= line.said)
        return;
    line.said = minutes;
    int n = snprintf(out, sizeof out, "miscast: %s%s%d/%d %s, after %d minute%s\n", line.what,
                     line.what[0] ? " " : "", line.done, line.count, first_in_hand(), minutes,
                     minutes == 1 ? "" : "s");
    write_all(out, (size_t)n < sizeof out ? (size_t)n : sizeof out - 1);
}

static void clear(void)
{
    if (line.shown[0])
        write_all("\r\033[K", 4);
    line.shown[0] = '\0';
}

static void tick(void)
{
    pthread_mutex_lock(&line.lock);
    if (line.active && !isatty(STDERR_FILENO))
        tell();
    else if (line.active && ms_after(&line.began) >= PATIENCE_MS)
        draw();
    pthread_mutex_unlock(&line.lock);
}

static void wake(unsigned char byte)
{
    while (write(ends[1], &byte, 1) < 0 && errno == EINTR)
        continue;
}

static int free_hand(void)
{
    for (int i = 0; i < HANDS; i++)
        if (!line.hands[i].order)
            return i;
    return -1;
}

static void begin(void)
{
    line.active = true;
    line.done = line.said = 0;
    clock_gettime(CLOCK_MONOTONIC, &line.since);
    memset(line.hands, 0, sizeof line.hands);
    wake(0);
}

int progress_take(const char *what, int count, const char *item)
{
    pthread_mutex_lock(&line.lock);
    if (!line.active && ends[1] >= 0)
        begin();
    int hand = free_hand();
    line.count = count;
    snprintf(line.what, sizeof line.what, "%s", what);
    if (hand >= 0) {
        line.hands[hand].order = ++line.taken;
        struct text shown = {0};
        text_show(&shown, "%s", item);
        snprintf(line.hands[hand].text, LINE, "%s", shown.data ? shown.data : "");
        text_free(&shown);
    }
    pthread_mutex_unlock(&line.lock);
    return hand;
}

void progress_give(int taken)
{
    pthread_mutex_lock(&line.lock);
    line.done++;
    if (taken >= 0)
        line.hands[taken].order = 0;
    pthread_mutex_unlock(&line.lock);
}

void progress_at(const char *what, int done, int count, const char *item)
{
    int taken = progress_take(what, count, item);
    pthread_mutex_lock(&line.lock);
    line.done = done;
    for (int i = 0; i < HANDS; i++)
        line.hands[i].order = i == taken ? line.hands[i].order : 0;
    pthread_mutex_unlock(&line.lock);
}

void progress_end(void)
{
    pthread_mutex_lock(&line.lock);
    line.active = false;
    clear();
    pthread_mutex_unlock(&line.lock);
}

/* ---- being stopped -------------------------------------------------------------------------- */

void terminal_hold(void)
{
    pthread_mutex_lock(&held);
}

void terminal_release(void)
{
    pthread_mutex_unlock(&held);
}

/* A second signal ends the program at once. A forked process has the handler, too, until it
 * executes another program. */
static void on_signal(int number)
{
    unsigned char byte = (unsigned char)number;
    int before = errno;
    if (getpid() != self || stopping || write(ends[1], &byte, 1) < 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    stopping = 1;
    errno = before;
}

/* Neither lock is released: nothing more is written or drawn. */
static _Noreturn void stop(int number)
{
    sigset_t only;
    pthread_mutex_lock(&held);
    pthread_mutex_lock(&line.lock);
    clear();
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    _exit(128 + number);
}

static bool is_active(void)
{
    pthread_mutex_lock(&line.lock);
    bool active = line.active;
    pthread_mutex_unlock(&line.lock);
    return active;
}

/* A forked process has the stack, but not the thread, and unmaps it. An address sanitizer does not
 * notice, and takes what is mapped there later for variables of the function if it knows any. */
__attribute__((no_sanitize("address"))) static void *attend(void *started)
{
    sem_post(started);
    for (;;) {
        struct pollfd from = {.fd = ends[0], .events = POLLIN};
        unsigned char number = 0;
        if (poll(&from, 1, is_active() ? EVERY_MS : -1) > 0 && read(ends[0], &number, 1) == 1 &&
            number)
            stop(number);
        tick();
    }
    return NULL;
}

/* A forked process goes on as a worker or a server: it must not inherit the lock from a thread that
 * it does not have. */
static void lock_line(void)
{
    pthread_mutex_lock(&line.lock);
}

static void unlock_line(void)
{
    pthread_mutex_unlock(&line.lock);
}

/* Returns when the thread has begun, since that takes locks, too, which a sanitizer does not
 * release in a fork. */
static bool start_attendant(void)
{
    pthread_t attendant;
    pthread_attr_t small;
    sem_t started;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, (size_t)256 << 10);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    sem_init(&started, 0, 0);
    bool ok = !pthread_atfork(lock_line, unlock_line, unlock_line) &&
              !pthread_create(&attendant, &small, attend, &started);
    while (ok && sem_wait(&started) && errno == EINTR)
        continue;
    sem_destroy(&started);
    pthread_attr_destroy(&small);
    return ok;
}

/* A signal that was ignored at the start stays ignored. */
static void take_signals(void)
{
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction before, now = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(signals[i], &now, NULL);
    }
}

void terminal_begin(void)
{
    self = getpid();
    clock_gettime(CLOCK_MONOTONIC, &line.began);
    if (pipe2(ends, O_CLOEXEC))
        return;
    if (start_attendant()) {
        take_signals();
    } else {
        close(ends[0]);
        close(ends[1]);
        ends[0] = ends[1] = -1;
    }
}
