/* Replaces its output by a link to the file given, so that whoever reads the output reads that. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    puts("real output");
    fflush(stdout);
    (void)unlink("stdout"); /* where they are kept elsewhere, there is none */
    (void)unlink("stderr");
    return argc < 2 || symlink(argv[1], "stdout") != 0 || mkdir("stderr", 0700) != 0 ||
           symlink(argv[1], "result") != 0 || mkfifo("pipe", 0600) != 0;
}
