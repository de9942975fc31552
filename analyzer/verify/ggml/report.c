/* Records of what was seen, as lines of JSON on the channel of events. A frame is a module (the
 * program or a library), and an address in it as its symbol table has it. */
#include "analyzer/verify/ggml/observer.h"

#include "runtime/trace/channel.h"
#include "runtime/trace/protocol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_ROOM = 16384, TEXT_MOST = 1024, MODULES = 256 };

static struct {
    char text[LINE_ROOM];
    size_t used;
    uint64_t events;
    struct {
        void *base;
        bool is_fixed; /* linked for one address */
    } modules[MODULES];
    int module_count;
} line;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    size_t room = sizeof line.text - line.used;
    int n = vsnprintf(line.text + line.used, room, format, rest);
    line.used += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
    va_end(rest);
}

/* What JSON would escape becomes a question mark, and so does what may not be UTF-8. */
static void put_text(const char *s)
{
    put("\"");
    for (size_t i = 0; s[i] && i < TEXT_MOST; i++)
        put("%c", s[i] < ' ' || s[i] > '~' || s[i] == '\\' ? '?' : s[i] == '"' ? '\'' : s[i]);
    put("\"");
}

static void line_end(void)
{
    put("}\n");
    channel_send(line.text, line.used);
    line.used = 0;
}

static void event_begin(void)
{
    line.used = 0;
    put("{\"seq\":%llu", (unsigned long long)++line.events);
}

static int64_t written_at(const struct stat *s)
{
    return (int64_t)s->st_mtim.tv_sec * 1000000000 + s->st_mtim.tv_nsec;
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool is_of_system(const char *name)
{
    return !strncmp(name, "/lib", 4) || !strncmp(name, "/usr/", 5);
}

/* When the newest of the program and its own libraries was written. */
static int take_library(struct dl_phdr_info *info, size_t size, void *context)
{
    struct stat s;
    int64_t *newest = context;
    const char *name = info->dlpi_name;
    (void)size;
    if (*name && !is_of_system(name) && !stat(name, &s) && written_at(&s) > *newest)
        *newest = written_at(&s);
    return 0;
}

static void put_command(void)
{
    char text[TEXT_MOST];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n = n > 0 ? n : 0] = '\0';
    for (ssize_t i = 0; i + 1 < n; i++)
        if (!text[i])
            text[i] = ' ';
    put(",\"command\":");
    put_text(text);
}

static const char *program_path(char room[TEXT_MOST])
{
    ssize_t n = readlink("/proc/self/exe", room, TEXT_MOST - 1);
    room[n > 0 ? n : 0] = '\0';
    return room;
}

bool report_begin(void)
{
    struct stat s;
    int64_t newest = 0;
    char path[TEXT_MOST];
    if (!channel_take_key() || !channel_is_shared())
        return false;
    if (!stat("/proc/self/exe", &s))
        newest = written_at(&s);
    dl_iterate_phdr(take_library, &newest);
    put("{\"begin\":true,\"library\":\"ggml\",\"pid\":%ld", (long)getpid());
    put_command();
    put(",\"program\":");
    put_text(program_path(path));
    put(",\"built\":%lld", (long long)newest);
    line_end();
    return true;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void *program_base(void)
{
    Dl_info at;
    void *headers = (void *)(uintptr_t)getauxval(AT_PHDR); // NOLINT
    return dladdr(headers, &at) ? at.dli_fbase : NULL;
}

/* What it is known by is said once, with which file it is: the command may have built it, and then
 * it is gone, or another. */
static void module_say(int number, const Dl_info *at)
{
    struct stat s = {0};
    char path[TEXT_MOST], *real = NULL;
    const char *name = at->dli_fbase == program_base()          ? program_path(path)
                       : (real = realpath(at->dli_fname, NULL)) ? real
                                                                : at->dli_fname;
    (void)stat(name, &s);
    event_begin();
    put(",\"module\":%d,\"path\":", number);
    put_text(name);
    put(",\"size\":%lld,\"written\":%lld", (long long)s.st_size, (long long)written_at(&s));
    line_end();
    free(real);
}

/* -1: it is in none, or in too many. */
static int module_of(void *address, Dl_info *at)
{
    if (!dladdr(address, at) || !at->dli_fbase)
        return -1;
    for (int i = 0; i < line.module_count; i++)
        if (line.modules[i].base == at->dli_fbase)
            return i;
    if (line.module_count == MODULES)
        return -1;
    const ElfW(Ehdr) *header = at->dli_fbase;
    line.modules[line.module_count].base = at->dli_fbase;
    line.modules[line.module_count].is_fixed = header->e_type == ET_EXEC;
    module_say(line.module_count, at);
    return line.module_count++;
}

/* Before the line that names them. */
static void say_modules(void *const *frames, int depth)
{
    Dl_info at;
    for (int i = 0; i < depth; i++)
        module_of(frames[i], &at);
}

/* Return addresses: the call is before them. */
static void put_stack(void *const *frames, int depth)
{
    put(",\"stack\":[");
    for (int i = 0, n = 0; i < depth; i++) {
        Dl_info at;
        int module = module_of(frames[i], &at);
        if (module < 0)
            continue;
        uintptr_t base = line.modules[module].is_fixed ? 0 : (uintptr_t)at.dli_fbase;
        put("%s[%d,%llu]", n++ ? "," : "", module,
            (unsigned long long)((uintptr_t)frames[i] - base - 1));
    }
    put("]");
}

/* ---- the end --------------------------------------------------------------------------------- */

static void say_site(int number)
{
    const struct site *s = site_at(number);
    say_modules(s->frames, s->depth);
    event_begin();
    put(",\"site\":%d,\"computed\":%s", number, s->computed ? "true" : "false");
    put_stack(s->frames, s->depth);
    line_end();
}

static void say_abort(const char *message, void *const *frames, int depth, int site, bool computing)
{
    say_modules(frames, depth);
    event_begin();
    put(",\"aborts\":true,\"of\":%d,\"computing\":%s,\"message\":", site,
        computing ? "true" : "false");
    if (message)
        put_text(message);
    else
        put("null");
    put_stack(frames, depth);
    line_end();
}

void report_end(const char *message, bool aborts, void *const *frames, int depth, int site,
                bool computing)
{
    for (int i = 0; i < site_count(); i++)
        say_site(i);
    if (aborts)
        say_abort(message, frames, depth, site, computing);
    line.used = 0;
    put("{\"end\":true,\"events\":%llu,\"sites\":%d,\"cut_sites\":%s",
        (unsigned long long)line.events, site_count(), sites_are_cut() ? "true" : "false");
    line_end();
}
