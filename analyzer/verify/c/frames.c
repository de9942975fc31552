/* Where a program was when it touched memory that it must not: addresses from the runtime, or the
 * report of AddressSanitizer, come in; files and lines go out. Addresses are resolved by addr2line;
 * without it the place of the last op is used. */
#include "analyzer/verify/c/private.h"
#include "analyzer/verify/tool.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

/* Results are cached: the resolver runs once per list of addresses, this often at most. */
enum { MAX_FRAMES = 64, MAX_REPORT = 1 << 20, MAX_RESOLVED = 256 };

static void add_frame(struct verifier *v, const char *directory, const char *file, int line,
                      struct event *e)
{
    struct event_frame f = {path_real(v, directory, file), line};
    if (line > 0 && e->frames.count < MAX_FRAMES)
        LIST_ADD(v->arena, &e->frames, f);
}

static const char *executable_of(const struct run *r)
{
    return r->build ? r->build->executable : NULL;
}

/* ---- addresses --------------------------------------------------------------------------------
 */

/* Runs it with its output in a file; false: it failed. */
static bool run_quietly(struct verifier *v, const char *const *argv, const char *out)
{
    return !tool_run(v,
                     &(struct tool_command){.argv = argv, .environment = environ, .output = out});
}

/* A return address is after its call, and may be on another line; the address of a fault is exact.
 */
static const char *address_word(struct verifier *v, const char *address, const char *fault)
{
    bool exact = fault && !strcmp(address, fault);
    return arena_printf(v->arena, "%#llx", strtoull(address, NULL, 16) - (exact ? 0 : 1));
}

/* "FILE:LINE" or "??:0", possibly with a note after it. */
static void read_places(struct verifier *v, const char *text, const char *directory,
                        struct event *e)
{
    for (const char *at = text, *end; at && (end = strchr(at, '\n')); at = end + 1) {
        const char *line = arena_printf(v->arena, "%.*s", (int)(end - at), at);
        const char *colon = strrchr(line, ':');
        if (colon && *line != '?')
            add_frame(v, directory, arena_printf(v->arena, "%.*s", (int)(colon - line), line),
                      atoi(colon + 1), e);
    }
}

/* What addr2line prints; "": it failed. */
static const char *run_addr2line(struct verifier *v, const struct run *r,
                                 const text_list *addresses)
{
    const char *out = arena_printf(v->arena, "%s/places%d", v->room, v->made++), *said = NULL;
    text_list argv = {0};
    struct error unread;
    size_t length;
    LIST_ADD(v->arena, &argv, "addr2line");
    LIST_ADD(v->arena, &argv, "-e");
    LIST_ADD(v->arena, &argv, r->build->executable);
    for (int i = 0; i < addresses->count && i < MAX_FRAMES; i++)
        LIST_ADD(v->arena, &argv, addresses->items[i]);
    LIST_ADD(v->arena, &argv, NULL);
    if (run_quietly(v, argv.items, out))
        said = file_read(v->arena, out, &length, &unread);
    return said ? said : "";
}

/* Addresses in the executable become frames. */
static void resolve(struct verifier *v, struct run *r, const text_list *addresses, struct event *e)
{
    const char *executable = executable_of(r);
    if (!addresses->count || !executable)
        return;
    uint64_t key = hash_bytes(executable, strlen(executable), 1);
    for (int i = 0; i < addresses->count && i < MAX_FRAMES; i++)
        key = hash_bytes(addresses->items[i], strlen(addresses->items[i]), key);
    struct map *places = c_state(v)->places;
    const char *said = map_get(places, key);
    if (!said && r->resolved++ < MAX_RESOLVED) {
        said = run_addr2line(v, r, addresses);
        map_put(places, key, (void *)(uintptr_t)said);
    }
    read_places(v, said, r->directory, e);
}

/* The places of the next event, which follow a "#". */
static const char *next_places(struct verifier *v, const struct run *r)
{
    const char **left = r->build ? r->build->places : NULL;
    const char *from = left && *left ? strstr(*left, "#\n") : NULL;
    const char *to = from ? strstr(from + 2, "#\n") : NULL;
    if (from)
        *left = to;
    return !from ? NULL
           : to  ? arena_printf(v->arena, "%.*s", (int)(to - from - 2), from + 2)
                 : from + 2;
}

void c_add_frames(struct verifier *v, struct run *r, struct event *e)
{
    const json_t *frames = json_object_get(e->raw, "frames");
    const char *pc = json_string_value(json_object_get(e->raw, "pc"));
    text_list addresses = {0};
    for (size_t i = 0; i < json_array_size(frames) && i < MAX_FRAMES; i++) {
        const char *address = json_string_value(json_array_get(frames, i));
        if (address)
            LIST_ADD(v->arena, &addresses, address_word(v, address, pc));
    }
    resolve(v, r, &addresses, e);
    if (!executable_of(r))
        read_places(v, next_places(v, r), r->directory, e);
}

/* ---- AddressSanitizer --------------------------------------------------------------------------
 */

/* "    #1 0x55d in upload_stage /src/bug.c:28:5": the file and the line; the column may be there.
 */
static void read_frame(struct verifier *v, const char *line, const char *directory, struct event *e)
{
    const char *function = strstr(line, " in "),
               *file = function ? strchr(function + 4, ' ') : NULL;
    if (!file || file[1] == '(') /* in a library, with an address instead of a line */
        return;
    char *path = arena_printf(v->arena, "%s", file + 1);
    int numbers[2] = {0};
    for (int i = 0; i < 2; i++) {
        char *colon = strrchr(path, ':'), *end;
        long n = colon ? strtol(colon + 1, &end, 10) : 0;
        if (!colon || end == colon + 1 || *end)
            break;
        numbers[1] = numbers[0];
        numbers[0] = (int)n;
        *colon = '\0';
    }
    add_frame(v, directory, path, numbers[0], e);
}

/* "WRITE of size 4096", "0x… is located 0 bytes after 2048-byte region": in one sentence. */
static const char *report_text(struct verifier *v, const char *report)
{
    const char *read = strstr(report, "READ of size "), *write = strstr(report, "WRITE of size ");
    const char *access = write ? write : read;
    const char *region = strstr(report, "-byte region"), *digits = region;
    const char *kind = strstr(report, "AddressSanitizer: ");
    kind = kind ? kind + strlen("AddressSanitizer: ") : report;
    if (!access)
        return arena_printf(v->arena, "touched memory here that is not its own: %.*s",
                            (int)strcspn(kind, " \n"), kind);
    long long size = atoll(strchr(access, 'z') + 2);
    while (digits && digits > report && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    if (region)
        return arena_printf(v->arena, "%s %lld byte%s here, beyond a block of %lld",
                            write ? "wrote" : "read", size, size == 1 ? "" : "s", atoll(digits));
    return arena_printf(v->arena, "%s %lld byte%s here outside of its memory: %.*s",
                        write ? "wrote" : "read", size, size == 1 ? "" : "s",
                        (int)strcspn(kind, " \n"), kind);
}

/* "    #1 0x55d  (/tmp/program+0xd9040) (BuildId: 6fb9)": clang runs another program to
 * resolve names, which the sandbox does not allow. The address is already that of the call. */
static void read_address(struct verifier *v, const char *line, const struct run *r,
                         text_list *addresses)
{
    const char *open = strchr(line, '('), *plus = open ? strstr(open, "+0x") : NULL;
    const char *executable = executable_of(r);
    const char *name = executable ? strrchr(executable, '/') : NULL;
    if (!plus || !name || (size_t)(plus - open) < strlen(name) ||
        strncmp(plus - strlen(name), name, strlen(name)) != 0)
        return;
    LIST_ADD(v->arena, addresses, arena_printf(v->arena, "%#llx", strtoull(plus + 1, NULL, 16)));
}

/* The first stack is that of the access: it ends with an empty line. */
void c_read_memory_report(struct verifier *v, const char *said, struct run *r)
{
    const char *report = said ? strstr(said, "ERROR: AddressSanitizer: ") : NULL;
    struct event e = {.op = "", .error_kind = EVENT_MEMORY};
    if (!report || strlen(report) > MAX_REPORT)
        return;
    e.error = report_text(v, report);
    text_list addresses = {0};
    bool in_stack = false;
    for (const char *at = report, *end; (end = strchr(at, '\n')); at = end + 1) {
        bool is_frame = !strncmp(at, "    #", 5);
        if (in_stack && !is_frame)
            break;
        in_stack |= is_frame;
        if (!is_frame)
            continue;
        const char *line = arena_printf(v->arena, "%.*s", (int)(end - at), at);
        int known = e.frames.count;
        read_frame(v, line, r->directory, &e);
        if (e.frames.count == known)
            read_address(v, line, r, &addresses);
    }
    resolve(v, r, &addresses, &e);
    LIST_ADD(r->arena ? r->arena : v->arena, &r->events, e);
}
