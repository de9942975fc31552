/* Leaves a grandchild behind, in a session of its own, which holds its lock file and waits. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child < 0) {
        puts("fork refused");
        return 0;
    }
    if (child == 0) {
        setsid();
        if (fork() > 0)
            _exit(0);
        int fd = open("alive", O_CREAT | O_RDWR, 0600);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        fcntl(fd, F_SETLK, &lock);
        for (;;)
            pause();
    }
    waitpid(child, NULL, 0);
    while (access("alive", F_OK) != 0)
        usleep(1000);
    puts("left behind");
    return 0;
}
