/* The first record of a process that shares the event channel with others: its command line, its
 * executable, and when that and the libraries of the project were written, by which `miscast
 * verify` knows whether they are older than the source. */
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/trace/line.h"
#include "runtime/trace/protocol.h"
#include "runtime/trace/trace.h"

enum { COMMAND_MAX = 1024 };

/* The words of the command line, with spaces between them. */
static void put_command(struct line *l)
{
    char text[COMMAND_MAX];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    n = n > 0 ? n : 0;
    text[n] = '\0';
    for (ssize_t i = 0; i + 1 < n; i++)
        if (!text[i])
            text[i] = ' ';
    put(l, ",\"command\":");
    put_string(l, text);
}

static void put_executable(struct line *l)
{
    char text[TEXT_MAX];
    ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    put(l, ",\"program\":");
    put_string(l, text);
}

static int64_t time_of(const char *file)
{
    struct stat s;
    return stat(file, &s) == 0 ? (int64_t)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec : 0;
}

static bool is_of_system(const char *name)
{
    return strncmp(name, "/lib", 4) == 0 || strncmp(name, "/usr/", 5) == 0;
}

static int take_library(struct dl_phdr_info *info, size_t size, void *context)
{
    int64_t *newest = context;
    bool counts = info->dlpi_name[0] && !is_of_system(info->dlpi_name);
    int64_t at = counts ? time_of(info->dlpi_name) : 0;
    (void)size;
    *newest = at > *newest ? at : *newest;
    return 0;
}

void program_write(void)
{
    atomic_int to = CHANNEL_DESCRIPTOR;
    int64_t newest = time_of("/proc/self/exe");
    struct line *l = line_open();
    put(l, "{\"begin\":true,\"pid\":%ld", (long)getpid());
    put_command(l);
    put_executable(l);
    dl_iterate_phdr(take_library, &newest);
    put(l, ",\"built\":%" PRId64 "}\n", newest);
    line_close(l, &to, "MISCAST_PROBE");
}
