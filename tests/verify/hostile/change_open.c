/* Changes the files behind its descriptors: who may use them, and that others run as their owner.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    puts("#!/bin/sh");
    fflush(stdout);
    for (int fd = 0; fd < 256; fd++) {
        (void)!fchmod(fd, fd ? 06755 : 0667);
        (void)!futimens(fd, NULL);
    }
    return read(0, &(char){0}, 1) != 0; /* there is nothing to read */
}
