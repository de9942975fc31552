/* Runs a program on a pseudo-terminal and prints everything it wrote there. With -i TEXT, Ctrl-C is
 * typed once TEXT appears. The exit code is the program's, 128 plus the signal that killed it, or
 * 125 if it took longer than 20 seconds.
 *
 *   pty [-i TEXT] PROGRAM [ARGUMENT...] */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 20 };

static int fail(const char *what)
{
    fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
    return 126;
}

static int become(int master, char **argv)
{
    int fd;
    setsid();
    if ((fd = open(ptsname(master), O_RDWR)) < 0 || ioctl(fd, TIOCSCTTY, 0) < 0)
        return fail("terminal");
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    close(fd);
    close(master);
    execvp(argv[0], argv);
    return fail(argv[0]);
}

/* What is done once the text is seen. */
static void answer(int master)
{
    if (write(master, "\003", 1) != 1)
        fail("Ctrl-C");
}

static int status_of(pid_t pid)
{
    int status;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int attend(int master, pid_t pid, const char *text)
{
    static char all[1 << 20];
    size_t length = 0;
    time_t end = time(NULL) + SECONDS;
    for (;;) {
        struct pollfd from = {.fd = master, .events = POLLIN};
        int ready = poll(&from, 1, 100);
        if (time(NULL) > end) {
            kill(pid, SIGKILL);
            status_of(pid);
            return 125;
        }
        ssize_t n = ready > 0 ? read(master, all + length, sizeof all - 1 - length) : 0;
        if (ready > 0 && n <= 0)
            break;
        fwrite(all + length, 1, (size_t)n, stdout);
        length += (size_t)n;
        if (text && strstr(all, text)) {
            answer(master);
            text = NULL;
        }
    }
    return status_of(pid);
}

int main(int argc, char **argv)
{
    const char *text = NULL;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    while (getopt(argc, argv, "+i:") != -1)
        text = optarg;
    if (optind >= argc || master < 0 || grantpt(master) || unlockpt(master))
        return fail("terminal");
    struct winsize size = {.ws_row = 24, .ws_col = 60};
    ioctl(master, TIOCSWINSZ, &size);
    pid_t pid = fork();
    if (pid == 0)
        _exit(become(master, argv + optind));
    return pid < 0 ? fail("fork") : attend(master, pid, text);
}
