/* Opens every block device there is, and memory itself. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    static const char *const others[] = {"/dev/mem", "/dev/kmsg", "/dev/kvm", "/proc/kcore"};
    int got = 0;
    DIR *d = opendir("/sys/class/block");
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[300];
        snprintf(path, sizeof path, "/dev/%s", e->d_name);
        if (e->d_name[0] != '.' && (open(path, O_RDONLY) >= 0 || open(path, O_WRONLY) >= 0)) {
            printf("opened %s\n", path);
            got++;
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        got += open(others[i], O_RDONLY) >= 0;
    printf("%d opened\n", got);
    return got != 0;
}
