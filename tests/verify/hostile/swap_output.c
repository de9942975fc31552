/* Puts a link to the file given where its output is, to have it read by whoever reads that. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    puts("real output");
    fflush(stdout);
    if (argc < 2 || unlink("stdout") != 0 || symlink(argv[1], "stdout") != 0)
        return 1;
    return unlink("stderr") != 0 || mkdir("stderr", 0700) != 0 || symlink(argv[1], "result") != 0 ||
           mkfifo("pipe", 0600) != 0;
}
