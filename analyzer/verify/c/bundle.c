/* Bundles of C: the sources that a run needs and nothing else, how each is compiled, and how the
 * program is run. The other machine needs a C compiler, CMake and the runtime; what all cases share
 * is in bundle/. */
#include "analyzer/verify/bundle.h"

#include "analyzer/verify/c/private.h"
#include "analyzer/verify/command_line.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The texts of the files in bundle/. */
extern const char bundle_CMakeLists[], bundle_backend[], bundle_run[];

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_text(struct verifier *v, const char *path, const char *text, struct error *e)
{
    return bundle_write(v, path, text, strlen(text), e);
}

static bool is_runtimes(struct verifier *v, const char *path)
{
    const char *include = path_real(v, NULL, c_tools(v)->include);
    size_t n = strlen(include);
    return !strncmp(path, include, n) && (!path[n] || path[n] == '/');
}

static bool copy_files(struct verifier *v, const char *folder, const struct verify_unit *u,
                       struct error *e)
{
    text_list files = {0};
    c_unit_files(v, u, &files);
    for (int i = 0; i < files.count; i++) {
        const struct source *s = sources_get(v->sources, files.items[i]);
        const char *to =
            arena_printf(v->arena, "%s/src/%s", folder, bundle_place(v, files.items[i]));
        if (s && !is_runtimes(v, files.items[i]) && !bundle_write(v, to, s->text, s->length, e))
            return false;
    }
    return true;
}

/* Texts that we made contain the real path of their source. */
static const char *without_paths(struct verifier *v, const char *text, const char *real)
{
    struct text out = {0};
    const char *quoted = arena_printf(v->arena, "\"%s\"", real);
    const char *include = "#include ", *name = strrchr(real, '/') + 1;
    for (const char *at; (at = strstr(text, quoted)); text = at + strlen(quoted)) {
        bool included = at - text >= 9 && !strncmp(at - 9, include, 9);
        text_add_range(&out, text, (size_t)(at - text));
        text_printf(&out, "\"%s\"", included ? name : bundle_place(v, real));
    }
    text_add(&out, text);
    return text_keep(v->arena, &out);
}

/* ---- how it is built ---------------------------------------------------------------------------
 */

static void add_quoted(struct text *out, const char *word)
{
    text_add(out, " \"");
    for (; *word; word++) {
        if (strchr("\"\\$;", *word))
            text_add(out, "\\");
        text_add_range(out, word, 1);
    }
    text_add(out, "\"");
}

/* Include folders become those of the case; CMake finds the runtime's. */
static void add_flags(struct verifier *v, const struct verify_unit *u, struct text *out)
{
    static const char *const folders[] = {"-iquote", "-isystem", "-idirafter", "-I"};
    for (int i = 0; i < u->flag_count; i++) {
        const char *flag = u->flags[i], *value = NULL;
        for (size_t k = 0; k < sizeof folders / sizeof *folders && !value; k++) {
            size_t n = strlen(folders[k]);
            if (strncmp(flag, folders[k], n) != 0)
                continue;
            value = flag[n] ? flag + n : i + 1 < u->flag_count ? u->flags[++i] : "";
            flag = folders[k];
        }
        if (!value) {
            add_quoted(out, flag);
            continue;
        }
        const char *real = path_real(v, *value == '/' ? NULL : u->directory, value);
        if (is_runtimes(v, real))
            continue;
        text_printf(out, " \"%s${CMAKE_CURRENT_SOURCE_DIR}/src/%s\"", flag, bundle_place(v, real));
    }
}

static bool add_unit(struct verifier *v, const char *folder, const struct build *b,
                     const struct verify_unit *u, struct text *list, struct text *flags,
                     struct error *e)
{
    const char *real = path_real(v, NULL, u->file), *place = bundle_place(v, real);
    bool own_text = u == b->unit;
    if (!copy_files(v, folder, u, e))
        return false;
    if (own_text) {
        place = arena_printf(v->arena, "%s.run.c", place);
        if (!write_text(v, arena_printf(v->arena, "%s/src/%s", folder, place),
                        without_paths(v, b->text, real), e))
            return false;
    }
    text_printf(list, "  \"src/%s\"\n", place);
    text_printf(flags, "set_source_files_properties(\"src/%s\" PROPERTIES COMPILE_OPTIONS \"",
                place);
    struct text own = {0};
    add_flags(v, u, &own);
    if (renames_main(b, u))
        text_add(&own, " \"" OTHER_MAIN "\"");
    /* Quoted words become a CMake list: separated by ;, quotes escaped. */
    const char *words = own.data ? own.data : "";
    for (const char *at = words; *at; at++)
        if (at[0] == ' ' && at[1] == '"')
            text_add(flags, at == words ? "" : ";");
        else if (*at != '"' || at[-1] == '\\')
            text_add_range(flags, at, 1);
    text_free(&own);
    text_add(flags, "\")\n");
    return true;
}

static bool write_cmake(struct verifier *v, const char *folder, const char *name,
                        const struct build *b, struct error *e)
{
    struct text out = {0}, flags = {0};
    const char *stand_in = stand_in_for(v, b->program);
    bool ok = true;
    text_printf(&out, "add_executable(%s\n", name);
    for (int i = 0; i < b->program->units.count && ok; i++)
        ok = add_unit(v, folder, b, b->program->units.items[i], &out, &flags, e);
    if (stand_in) {
        const char *path = arena_printf(v->arena, "%s/src/stand_in.run.c", folder);
        text_add(&out, "  src/stand_in.run.c\n");
        ok = ok && write_text(v, path, stand_in, e);
    }
    text_add(&out, ")\n");
    text_add(&out, flags.data ? flags.data : "");
    text_printf(&out, "reproducer(%s)\n", name);
    if (b->sanitizes)
        text_printf(&out,
                    "target_compile_options(%s PRIVATE -fsanitize=address)\n"
                    "target_link_options(%s PRIVATE -fsanitize=address)\n",
                    name, name);
    ok = ok && write_text(v, arena_printf(v->arena, "%s/CMakeLists.txt", folder), out.data, e);
    text_free(&out);
    text_free(&flags);
    return ok;
}

/* ---- how it is run
 * ------------------------------------------------------------------------------- */

static void add_shell(struct text *out, const char *word)
{
    text_add(out, " '");
    for (; *word; word++)
        text_add(out, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    text_add(out, "'");
}

/* Sourced by run.sh: environment, files and arguments. */
static bool write_case(struct verifier *v, const char *folder, const struct launch *l,
                       struct error *e)
{
    struct text out = {0};
    text_list settings = {0};
    launch_settings(v, l, &settings);
    for (int i = 0; i < settings.count; i++)
        text_printf(&out, "export %s\n", settings.items[i]);
    for (int i = 0; i < l->file_count; i++)
        text_add(&out, *l->files[i].name ? "folder=$1/files\n" : "input=$here/$1/files/stdin\n");
    text_add(&out, "set --");
    for (const char *const *a = l->arguments; *a; a++)
        add_shell(&out, *a);
    text_add(&out, "\n");
    bool ok = bundle_write_files(v, folder, l, e) &&
              write_text(v, arena_printf(v->arena, "%s/case.sh", folder), out.data, e);
    text_free(&out);
    return ok;
}

bool c_bundle_case(struct verifier *v, const char *folder, const char *name, const struct build *b,
                   const struct launch *l, struct error *e)
{
    return write_cmake(v, folder, name, b, e) && write_case(v, folder, l, e);
}

bool c_bundle_close(struct verifier *v, struct error *e)
{
    const struct {
        const char *name, *text;
    } files[] = {{"CMakeLists.txt", bundle_CMakeLists},
                 {"backend.c", bundle_backend},
                 {"first.h", FIRST_HEADER},
                 {"run.sh", bundle_run}};
    const char *path = NULL;
    for (int i = 0; i < COUNT(files); i++) {
        path = arena_printf(v->arena, "%s/%s", v->in->emit, files[i].name);
        if (!write_text(v, path, files[i].text, e))
            return false;
    }
    return !chmod(path, 0755) || error_at(e, path, 0, 0, "%s", strerror(errno));
}

/* ---- back again ------------------------------------------------------------------------------ */

/* Its program resolves addresses, if it came along; else its places were resolved there. */
struct build *c_bundle_build(struct verifier *v, const char *name)
{
    struct build *b = arena_one(v->arena, struct build);
    struct error unread;
    size_t length;
    const char *executable = arena_printf(v->arena, "%s/build/bin/%s", v->in->import, name);
    const char *places = arena_printf(v->arena, "%s/%s/places", v->in->import, name);
    b->executable = access(executable, R_OK) ? NULL : executable;
    b->places = arena_one(v->arena, const char *);
    *b->places = file_read_kind(v->arena, places, FILE_RESULTS, &length, &unread);
    return b;
}
