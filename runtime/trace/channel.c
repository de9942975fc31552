/* The program's end of the event channel. The key is read when the library is loaded (trace.c), and
 * cannot be read a second time. Lines come in, sealed messages go out. */
#include "runtime/trace/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/trace/protocol.h"

static struct {
    bool open;
    pid_t owner;
    atomic_flag busy; /* including the number */
    uint64_t number, key[2], wants, process;
} channel = {.busy = ATOMIC_FLAG_INIT};

bool channel_is_open(void)
{
    return channel.open;
}

bool channel_wants_shadow(void)
{
    return channel.open && channel.wants & CHANNEL_SHADOW;
}

bool channel_is_shared(void)
{
    return channel.open && channel.wants & CHANNEL_SHARED;
}

/* ---- sending ------------------------------------------------------------------------------- */

static bool wait_for_room(void)
{
    struct pollfd ready = {CHANNEL_DESCRIPTOR, POLLOUT, 0};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

static bool send_whole(const char *line, size_t size)
{
    struct channel_head head = {++channel.number, 0, channel.process};
    struct iovec parts[] = {{&head, sizeof head}, {(char *)line, size}};
    ssize_t sent;
    head.seal = event_seal(channel.key, head.number, line, size);
    do
        sent = writev(CHANNEL_DESCRIPTOR, parts, 2);
    while (sent < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_room())));
    return sent == (ssize_t)(sizeof head + size);
}

/* No handler may leave in the middle by longjmp: a number would be missing. */
void channel_send(const char *line, size_t size)
{
    sigset_t all, old;
    int error = errno;
    if (getpid() != channel.owner)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (atomic_flag_test_and_set(&channel.busy))
        sched_yield();
    if (!send_whole(line, size))
        kill(channel.owner, SIGKILL);
    atomic_flag_clear(&channel.busy);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Only `miscast verify` leaves such a socket there: packets, non-blocking. Until the key is read,
 * only the kernel is called: AddressSanitizer intercepts functions of the C library, and asks the
 * program for its options when the first of them is called. */
static bool is_ours(void)
{
    int kind = 0;
    socklen_t size = sizeof kind;
    long flags = syscall(SYS_fcntl, CHANNEL_DESCRIPTOR, F_GETFL, 0);
    return flags >= 0 && flags & O_NONBLOCK &&
           syscall(SYS_getsockopt, CHANNEL_DESCRIPTOR, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 &&
           kind == SOCK_SEQPACKET;
}

bool channel_take_key(void)
{
    struct channel_hello hello;
    if (!is_ours() ||
        syscall(SYS_read, CHANNEL_DESCRIPTOR, &hello, sizeof hello) != (long)sizeof hello ||
        memcmp(hello.word, CHANNEL_WORD, sizeof hello.word) != 0)
        return false;
    if (!(hello.wants & CHANNEL_SHARED)) {
        (void)fcntl(CHANNEL_DESCRIPTOR, F_SETFD, FD_CLOEXEC);
        (void)fcntl(CHANNEL_DESCRIPTOR, F_SETFL, 0);
    }
    memcpy(channel.key, hello.key, sizeof channel.key);
    channel.wants = hello.wants;
    channel.process = hello.process;
    explicit_bzero(&hello, sizeof hello);
    channel.owner = getpid();
    channel.open = true;
    return true;
}
