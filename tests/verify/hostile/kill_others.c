/* Kills, stops, limits and traces: its parent, the process given, and all others. It may succeed
 * with processes of its own namespace; the test sees whether the one given was hit. */
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int harm(pid_t pid)
{
    char byte, path[64];
    int done = 0, ends[2];
    struct iovec mine = {&byte, 1}, theirs = {path, 1};
    struct rlimit none = {0, 0};
    done += kill(pid, SIGTERM) == 0;
    done += kill(pid, SIGKILL) == 0;
    done += syscall(SYS_tgkill, pid, pid, SIGKILL) == 0;
    done += ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0;
    done += process_vm_readv(pid, &mine, 1, &theirs, 1, 0) == 1;
    done += prlimit(pid, RLIMIT_CPU, &none, NULL) == 0;
    done += setpriority(PRIO_PROCESS, (id_t)pid, 19) == 0;
    snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    done += open(path, O_RDWR) >= 0;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    done += open(path, O_RDONLY) >= 0 && read(open(path, O_RDONLY), &byte, 1) == 1;
    if (pipe(ends) == 0)
        done += fcntl(ends[0], F_SETOWN, pid) == 0 ||
                (ioctl(ends[0], FIOSETOWN, &pid) != 0 && errno != EPERM);
    return done;
}

int main(int argc, char **argv)
{
    int done = argc > 1 ? harm(atoi(argv[1])) : 0;
    (void)signal(SIGTERM, SIG_IGN);
    printf("%d done to the one given\n", done);
    fflush(stdout);
    harm(getppid());
    /* All of the user's, the one given among them. */
    (void)setpriority(PRIO_USER, 0, 1);
    /* Only asked: no signal is sent. */
    if (kill(-1, 0) == 0)
        puts("there are others in reach");
    return done != 0 || kill(-1, 0) == 0;
}
