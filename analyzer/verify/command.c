/* Commands that the user has for the program, or that its project offers: tests, a training run.
 * They run as they are, in the sandbox, with everything that they start; each process that is
 * linked with the runtime reports what it saw, and is judged like a run of ours. Nothing is built
 * here: a program that is older than the source says nothing about it. */
#include "analyzer/verify/command.h"

#include "analyzer/verify/channel.h"
#include "analyzer/verify/judge.h"
#include "analyzer/verify/runner.h"
#include "analyzer/verify/scratch.h"
#include "runtime/trace/protocol.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a command may write in all, in memory: what it compiles is there, too. */
enum { COMMAND_FILES = 512 << 20, COMMAND_FILE = 256 << 20 };

/* ---- which program a process was --------------------------------------------------------------
 */

/* When it was written, in nanoseconds; 0: not known. */
static int64_t time_of(const char *file)
{
    struct stat s;
    return file && !stat(file, &s) ? (int64_t)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec : 0;
}

/* "test_layer --half in 'ctest --test-dir build'", "./train --half" */
static const char *label_of(struct verifier *v, const struct verify_command *c, const json_t *begin)
{
    const char *own = json_string_value(json_object_get(begin, "command"));
    if (!own || !strcmp(own, c->text))
        return arena_printf(v->arena, "%s", c->text);
    size_t first = strcspn(own, " ");
    const char *name = path_last(arena_printf(v->arena, "%.*s", (int)first, own));
    const char *shown = arena_printf(v->arena, "%s%s", name, own + first);
    return !strcmp(shown, c->text) ? shown : arena_printf(v->arena, "%s in '%s'", shown, c->text);
}

/* ---- judging ----------------------------------------------------------------------------------
 */

static bool is_stale(const struct finding *f, const struct run *r)
{
    return r->built && time_of(f->span.file) > r->built;
}

/* A reason why not, where there is no verdict yet. */
static void leave_unrun(struct finding *f, const char *why)
{
    if (!f->verdict.kind && *why)
        f->verdict = (struct verdict){.kind = VERDICT_NOT_RUN, .what = why};
}

static void judge(struct verifier *v, struct finding *f, const struct run *r)
{
    const struct runner *runner = v->in->runner;
    const char *unobserved = runner->unobserved ? runner->unobserved(v, f, r) : NULL;
    if (unobserved)
        leave_unrun(f, unobserved);
    else if (!is_stale(f, r))
        judge_run(v, f, r);
    else
        leave_unrun(f, arena_printf(v->arena, "'%s' was built before %s changed", r->entry,
                                    path_last(f->span.file)));
}

static void judge_process(struct verifier *v, struct verify_command *c, const struct channel *from,
                          int process, const struct sandbox_end *end, finding_list *findings)
{
    struct error e = {0};
    struct run r = {.entry = c->text, .simulated = true, .shadows = c->shadows};
    const char *text = channel_text(from, process);
    if (!text || !events_read(v, text, NULL, &r, &e) || r.broken)
        return;
    r.cut |= channel_is_cut(from, process);
    r.complete = r.closed;
    r.entry = label_of(v, c, r.first);
    r.built = json_integer_value(json_object_get(r.first, "built"));
    r.end = (struct sandbox_end){.how = SANDBOX_EXITED, .ns = end->ns};
    if (!r.closed && sandbox_was_ended(end))
        r.end = *end;
    if (v->in->runner->read_process)
        v->in->runner->read_process(v, &r);
    c->processes++;
    for (int i = 0; i < findings->count; i++)
        if (!is_settled(findings->items[i]))
            judge(v, findings->items[i], &r);
    run_free(&r);
}

/* One process that is not believed says nothing; what anyone may have sent spoils all. */
static void judge_all(struct verifier *v, struct verify_command *c, const struct channel *from,
                      const struct sandbox_end *end, finding_list *findings)
{
    for (int i = 0; i < channel_count(from); i++)
        if (!channel_trouble(from, i))
            judge_process(v, c, from, i, end, findings);
        else
            c->why = arena_printf(v->in->arena, "tampered: %s", channel_trouble(from, i));
}

/* ---- running ----------------------------------------------------------------------------------
 */

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (!path[n] || path[n] == '/');
}

static struct sandbox_end execute(struct verifier *v, const struct verify_command *c,
                                  const struct launch *l, const char *folder,
                                  const struct sandbox_channel *ends)
{
    const char *argv[] = {"/bin/sh", "-c", c->text, NULL};
    const char *root = v->in->root;
    struct sandbox_run how = {
        .argv = argv,
        .environment = v->in->runner->environment_of(v, l, folder),
        .cwd = c->folder,
        .changes = root && is_below(c->folder, root) ? root : c->folder,
        .spawns = true,
        .room = folder,
        .hidden = v->in->hidden,
        .channel = ends,
        .keeps = v->in->keep,
        .uncontained = v->in->uncontained,
        .limits = {.wall_ms = c->wall_ms,
                   .cpu_seconds = c->wall_ms / 1000 + 1,
                   .memory_bytes = v->in->limits.bytes,
                   .file_bytes = COMMAND_FILE,
                   .room_bytes = COMMAND_FILES},
    };
    return sandbox_execute(&how);
}

static bool wants_shadows(const finding_list *findings)
{
    for (int i = 0; i < findings->count; i++)
        if (!is_settled(findings->items[i]) && is_about_values(findings->items[i]))
            return true;
    return false;
}

/* What it printed last to standard error. */
static const char *last_words(struct arena *a, const char *folder)
{
    enum { MOST = 4096 };
    char text[MOST + 1];
    int fd = sandbox_open(folder, "stderr");
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    ssize_t n = size > 0 ? pread(fd, text, MOST, size > MOST ? size - MOST : 0) : 0;
    if (fd >= 0)
        close(fd);
    while (n > 0 && text[n - 1] == '\n')
        n--;
    text[n > 0 ? n : 0] = '\0';
    const char *line = strrchr(text, '\n');
    return n > 0 ? arena_printf(a, "%s", line ? line + 1 : text) : NULL;
}

static void run_in(struct verifier *v, struct verify_command *c, const char *folder,
                   finding_list *findings)
{
    struct error e = {0};
    const struct runner *runner = v->in->runner;
    struct launch l = {.shadows = c->shadows};
    if (runner->command_variables)
        l.environment = runner->command_variables(v, findings);
    struct channel *channel = channel_new(v->arena,
                                          CHANNEL_SHARED | (c->shadows ? CHANNEL_SHADOW : 0u) |
                                              (runner->seals_digest ? CHANNEL_DIGEST : 0u),
                                          &e);
    if (!channel) {
        c->why = arena_printf(v->in->arena, "%s", e.message);
        return;
    }
    struct sandbox_channel ends = channel_ends(channel);
    struct sandbox_end end = execute(v, c, &l, folder, &ends);
    c->ran = end.how != SANDBOX_NOT_STARTED;
    if (!c->ran || sandbox_was_ended(&end))
        c->why = arena_printf(v->in->arena, "%s", end.why);
    c->status = end.how == SANDBOX_EXITED ? end.status : -1;
    if (c->status > 0)
        c->said = last_words(v->in->arena, folder);
    if (c->ran) {
        v->held = sandbox_held_text(v->arena, end.held);
        judge_all(v, c, channel, &end, findings);
    }
    channel_free(channel);
}

void command_attempt(struct verifier *v, struct verify_command *c, finding_list *findings)
{
    const char *folder = make_folder(v, "command");
    c->shadows = wants_shadows(findings);
    c->library = v->in->runner->library_for ? v->in->runner->library_for(v, findings)
                                            : v->in->runner->library;
    if (!folder) {
        c->why = "there is no folder for what it writes";
        return;
    }
    run_in(v, c, folder, findings);
    if (!v->in->keep)
        remove_tree(folder);
}

bool command_is_asked(const struct verify_input *in)
{
    for (int i = 0; i < in->command_count; i++)
        if (!in->commands[i].is_offered)
            return true;
    return false;
}
