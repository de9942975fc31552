/* Leaves a room that is hard to clear: nested folders, without permissions, with odd names. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    mkdir("closed", 0700);
    close(open("closed/file", O_CREAT | O_WRONLY, 0000));
    mkdir("closed/inner", 0700);
    close(open("closed/inner/.moved-0", O_CREAT | O_WRONLY, 0000));
    mkdir(".moved-1", 0700);
    mkdir(".moved-1/.moved-1", 0300);
    close(open(".moved-1/.moved-1/x", O_CREAT | O_WRONLY, 0000));
    mkfifo("pipe", 0000);
    if (symlink("/", "root") != 0 || symlink("nowhere", "closed/link") != 0)
        return 1;
    chmod("closed/inner", 0000);
    chmod("closed", 0000);
    for (int depth = 0; depth < 3000; depth++)
        if (mkdir("deep", 0300) != 0 || chdir("deep") != 0)
            return 1;
    return 0;
}
