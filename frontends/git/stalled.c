/* Output of git, read without waiting for ever: a file of the repository or the working tree may be
 * a pipe that nobody writes to, and git opens its files whatever they are. Linux names what a
 * process waits for; where it does not, git is waited for. */
#include "frontends/git/git.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOOK_MS = 100 };

/* Whether it is opening a pipe that nobody has opened at the other end. */
static bool waits_for_pipe(int pid)
{
    char path[64], at[64] = "";
    snprintf(path, sizeof path, "/proc/%d/wchan", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, at, sizeof at - 1);
    close(fd);
    return n > 0 && !strcmp(at, "wait_for_partner");
}

/* Whether there is something to read, or the end; false: git was ended. Somebody may just be
 * opening the pipe, so it has to be seen twice. */
static bool wait_for_output(int pid, int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (int seen = 0; seen < 2;) {
        int n = poll(&p, 1, LOOK_MS);
        if (n > 0 || (n < 0 && errno != EINTR))
            return true;
        seen = n == 0 && waits_for_pipe(pid) ? seen + 1 : 0;
    }
    kill(pid, SIGKILL);
    fputs("miscast: a file of this git repository is a pipe, which git would wait for\n", stderr);
    return false;
}

size_t git_read_some(int pid, int fd, char *to, size_t room)
{
    ssize_t n;
    if (!wait_for_output(pid, fd))
        return 0;
    do
        n = read(fd, to, room);
    while (n < 0 && errno == EINTR);
    return n > 0 ? (size_t)n : 0;
}
