/* The baseline file: which one it is, whether it may be written, and adding one finding to it. */
#include "frontends/driver/findings/findings.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_name[] = ".miscast-baseline.json";

const char *baseline_path(const struct checking *c)
{
    return c->config.baseline ? c->config.baseline : default_name;
}

const char *baseline_setting(const struct checking *c, const char *path)
{
    const char *of = c->config.path ? strrchr(c->config.path, '/') : NULL;
    bool is_toml = c->config.path ? !strcmp(of ? of + 1 : c->config.path, "pyproject.toml")
                                  : !access("pyproject.toml", F_OK);
    return arena_printf(c->arena,
                        is_toml ? "'baseline = \"%s\"' under [tool.miscast] in pyproject.toml"
                                : "'baseline: %s' in .miscast.yaml",
                        path);
}

/* A file that the project's configuration names, or the default one, must be inside the project. */
static bool may_write(struct checking *c, const char *path, struct error *e)
{
    if (c->request->baseline)
        return true;
    struct config at = {.folder = c->config.baseline ? c->config.folder : c->project.here};
    const char *why = config_why_not_written(c->arena, &at, path);
    return !why || error_at(e, path, 0, 0, "%s; --baseline can name it", why);
}

/* An existing file is replaced as a whole, so that a full disk leaves the old one; unless only the
 * file may be written, not its folder, or it is no file. */
static bool save_text(struct checking *c, const char *path, const struct text *out, struct error *e)
{
    struct stat st;
    bool is_new = lstat(path, &st) != 0;
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? arena_text(c->arena, path, (size_t)(slash - path) + (slash == path)) : ".";
    if (!is_new && S_ISREG(st.st_mode) && !access(path, W_OK) && !access(folder, W_OK))
        return file_write(c->arena, path, out->data, out->length, e) &&
               (!chmod(path, st.st_mode & 07777) || error_at(e, path, 0, 0, "%s", strerror(errno)));
    bool ok = written_whole(path, out->data, out->length, e);
    if (!ok && is_new)
        unlink(path);
    return ok;
}

bool baseline_save(struct checking *c, const struct baseline *b, const char *path, struct error *e)
{
    struct text out = {0};
    if (!may_write(c, path, e))
        return false;
    baseline_print(b, &out);
    bool ok = save_text(c, path, &out, e);
    text_free(&out);
    return ok;
}

/* Whether there is a file to start from: a pipe or a device may never end. */
bool baseline_is_there(const char *path)
{
    struct stat st;
    return !stat(path, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

bool baseline_append(struct checking *c, const struct finding *f, const char **path,
                     struct error *e)
{
    struct baseline b = {.arena = c->arena};
    *path = baseline_path(c);
    if (baseline_is_there(*path) && !baseline_read(c->arena, *path, &b, e))
        return false;
    baseline_add(&b, f, check_file(c, f->span.file));
    return baseline_save(c, &b, *path, e);
}
