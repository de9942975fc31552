/* Messages from the program inside, over a pair of sockets: packets are passed to the caller;
 * anything sent along with them, such as file descriptors, is dropped. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Between two checks of the limits. */
enum { AT_ONCE = 256 };

/* What does not fit into the socket now is lost: the process that it was for is not observed. */
static void send_more(const struct sandbox_channel *c, int end)
{
    char message[512];
    size_t size;
    while (c->more && (size = c->more(c->context, message, sizeof message)) > 0)
        (void)!send(end, message, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool sandbox_channel_open(const struct sandbox_channel *c, int ends[2])
{
    int on = 1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    bool good = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 &&
                setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 &&
                send(ends[1], c->first, c->first_size, MSG_NOSIGNAL) == (ssize_t)c->first_size;
    if (good)
        send_more(c, ends[1]);
    return good;
}

/* As recv. An empty packet looks like the end of the stream except for its sender: is_end says
 * which it is. Descriptors that were sent along do not fit and are closed by the kernel. */
static ssize_t receive(int end, char packet[SANDBOX_PACKET], bool *is_end)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } sender;
    struct iovec io = {packet, SANDBOX_PACKET};
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &sender, .msg_controllen = sizeof sender};
    ssize_t n = recvmsg(end, &m, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
    *is_end = n == 0 && m.msg_controllen == 0;
    return n;
}

bool sandbox_channel_take(const struct sandbox_channel *c, int end, char packet[SANDBOX_PACKET])
{
    for (int i = 0; i < AT_ONCE; i++) {
        bool is_end;
        ssize_t n = receive(end, packet, &is_end);
        /* The second: the program has closed its end, and left messages to it unread. */
        if (n < 0 && (errno == EINTR || errno == ECONNRESET))
            continue;
        if (n < 0 || is_end)
            return n < 0 && errno == EAGAIN;
        if (!c->take(c->context, n <= SANDBOX_PACKET ? packet : NULL, (size_t)n))
            return false;
        send_more(c, end);
    }
    return true;
}
