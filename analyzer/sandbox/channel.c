/* Messages from the program inside: a pair of sockets, of which it gets one and cannot open it a
 * second time; packets come in, and go to whoever runs it. What it sends beside, descriptors of
 * files for example, is dropped. */
#include "analyzer/sandbox/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Between two looks at the limits. */
enum { AT_ONCE = 256 };

bool sandbox_channel_open(const struct sandbox_channel *c, int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 &&
           send(ends[1], c->first, c->first_size, MSG_NOSIGNAL) == (ssize_t)c->first_size;
}

bool sandbox_channel_take(const struct sandbox_channel *c, int end, char packet[SANDBOX_PACKET])
{
    for (int i = 0; i < AT_ONCE; i++) {
        ssize_t n = recv(end, packet, SANDBOX_PACKET, MSG_DONTWAIT | MSG_TRUNC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 && errno == EAGAIN;
        if (!c->take(c->context, n <= SANDBOX_PACKET ? packet : NULL, (size_t)n))
            return false;
    }
    return true;
}
