/* The deadline as a last resort: a process that runs for too long reports it and exits. */
#include "frontends/driver/process/deadline.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PARTIAL = 3 };

/* How it ended, and what it said. */
static int run(long seconds, int called_off, char *said, size_t room)
{
    int ends[2], status = 0;
    if (pipe(ends))
        return -1;
    pid_t pid = fork();
    if (!pid) {
        dup2(ends[1], STDERR_FILENO);
        deadline_begin(seconds);
        if (called_off)
            deadline_end();
        nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 200000000}, NULL);
        _exit(0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], said, room - 1);
    said[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    char said[300];
    if (run(1, 0, said, sizeof said) != PARTIAL || !strstr(said, "took longer than 1 s"))
        return fprintf(stderr, "a process went on: %s\n", said), 1;
    if (run(1, 1, said, sizeof said) != 0 || *said)
        return fprintf(stderr, "a process that was done was ended: %s\n", said), 1;
    return 0;
}
