/* The check of what is staged: findings that stop the commit, and what to do about them. If there
 * is nothing to report, it prints nothing. */
#include "frontends/hook/hook.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- what is checked ------------------------------------------------------------------------ */

/* A database that lists units says who includes what; otherwise #include lines are read. */
static bool names_units(const struct project *p)
{
    return p->database_file && strstr(p->database_file, "compile_commands.json");
}

static bool has_parts(const struct staged *s)
{
    for (int i = 0; i < s->changed.count; i++)
        if (!is_unit_file(s->changed.items[i]))
            return true;
    return false;
}

static bool is_in(const text_list *l, const char *path)
{
    for (int i = 0; i < l->count; i++)
        if (l->items[i] == path)
            return true;
    return false;
}

/* Headers that nobody includes are checked as if they were units. */
static bool add_includers(struct staged *s, struct request *request, struct error *e)
{
    text_list units = {0}, alone = {0};
    if (!includes_find(s, &units, &alone, e))
        return false;
    request->paths = alone;
    request->touched = units;
    for (int i = 0; i < s->changed.count; i++)
        if (!is_in(&alone, s->changed.items[i]))
            LIST_ADD(s->arena, &request->touched, s->changed.items[i]);
    return true;
}

/* If a database has flags but lists no units, all files below it that git knows are the program; if
 * there is none, those next to the staged files. */
static bool find_program(struct staged *s, struct request *request, struct error *e)
{
    struct checking c = {0};
    bool ok = check_prepare(&c, request, e), known = ok && names_units(&c.project);
    const char *file = ok ? c.project.database_file : NULL;
    if (file && !known)
        ok = units_below(s, arena_text(s->arena, file, (size_t)(strrchr(file, '/') - file)),
                         &request->program, e);
    else if (ok && !file)
        ok = units_beside(s, &request->program, e);
    check_free(&c);
    return ok && (known || !has_parts(s) || add_includers(s, request, e));
}

static void leave_operands(const struct request *from, struct request *request, struct staged *s)
{
    *request = *from;
    request->paths = (text_list){0};
    request->touched = s->changed;
    request->dropped = s->deleted;
    request->overlay = &s->overlay;
}

/* ---- what is said --------------------------------------------------------------------------- */

static void add_once(struct checking *c, text_list *l, const char *file)
{
    if (!is_in(l, file))
        LIST_ADD(c->arena, l, file);
}

/* So that the command can be copied. */
static void say_files(struct checking *c, const text_list *files)
{
    for (int i = 0; i < files->count; i++)
        print_shown(stderr, " %s", shell_word(c->arena, files->items[i]));
}

/* If only flags are known, one file is not the program that was checked. */
static const char *fix_path(struct checking *c, const char *file)
{
    const char *database = c->project.database_path, *slash;
    if (!database || names_units(&c->project))
        return file;
    slash = strrchr(database, '/');
    return !slash ? "." : name_of_range(c->project.names, database, (size_t)(slash - database));
}

static bool is_fixed(const struct finding *f)
{
    return f->fix.edits.count && f->fix.safe;
}

static void say_fix(struct checking *c)
{
    text_list files = {0}, changed = {0};
    int count = 0;
    for (int i = 0; i < c->findings.count; i++) {
        const struct finding *f = c->findings.items[i];
        if (!is_fixed(f))
            continue;
        count++;
        add_once(c, &files, fix_path(c, f->span.file));
        for (int k = 0; k < f->fix.edits.count; k++)
            add_once(c, &changed, f->fix.edits.items[k].span.file);
    }
    if (!count)
        return;
    fprintf(stderr, "  to fix %d:       miscast check --fix", count);
    say_files(c, &files);
    fputs(" && git add", stderr);
    say_files(c, &changed);
    fputc('\n', stderr);
}

/* Whether the working tree is fine although the staged contents are not. */
static bool is_tree_good(struct checking *c)
{
    struct request tree = *c->request;
    struct checking again = {0};
    struct error e = {0};
    if (!tree.overlay->files.count)
        return false;
    tree.overlay = NULL;
    bool good = check_begin(&again, &tree, &e) && check_code(&again) == EXIT_CLEAN;
    for (int i = 0; i < again.project.inputs.count && good; i++)
        good = !coverage_has_trouble(&again.project.inputs.items[i]);
    check_free(&again);
    return good;
}

static void say_add(struct checking *c)
{
    text_list files = {0};
    for (int i = 0; i < c->request->overlay->files.count; i++)
        add_once(c, &files, project_shown(&c->project, c->request->overlay->files.items[i].path));
    fputs("  the tree is not what is staged, and is good: git add", stderr);
    say_files(c, &files);
    fputc('\n', stderr);
}

static bool is_about_comment(const struct finding *f)
{
    return rule_find(f->code)->group == GROUP_UPKEEP;
}

/* One about code; NULL: all are about comments, which should be fixed, not accepted. */
static const struct finding *accepted_finding(const struct checking *c)
{
    for (int i = 0; i < c->findings.count; i++)
        if (!is_about_comment(c->findings.items[i]))
            return c->findings.items[i];
    return NULL;
}

/* As the language of its file writes it. */
static const char *accepting_comment(struct checking *c, const struct finding *f)
{
    const char *text = arena_printf(c->arena, "miscast: ignore[%s] why", f->rule);
    return comment_text(c->arena, language_of_file(f->span.file), text);
}

/* Those that --fix cannot fix. */
static void say_comments(const struct checking *c)
{
    for (int i = 0; i < c->findings.count; i++) {
        const struct finding *f = c->findings.items[i];
        if (is_about_comment(f) && !is_fixed(f)) {
            print_shown(stderr, "  to fix one:     correct the comment at %s:%d, or delete it\n",
                        f->span.file, f->span.line);
            return;
        }
    }
}

static void say_next(struct checking *c)
{
    const struct finding *accepted = accepted_finding(c);
    fputs("miscast: the commit is stopped\n", stderr);
    if (is_tree_good(c)) {
        say_add(c);
    } else {
        say_fix(c);
        say_comments(c);
    }
    print_shown(stderr, "  to know why:    miscast explain %s\n",
                (accepted ? accepted : c->findings.items[0])->rule);
    if (accepted)
        print_shown(stderr,
                    "  to accept one:  a comment '%s' on its line\n"
                    "  to accept all:  miscast baseline write%s%s\n",
                    accepting_comment(c, accepted), c->config.baseline ? "" : ", with ",
                    c->config.baseline ? "" : baseline_setting(c, ".miscast-baseline.json"));
    fputs("  to go past it:  git commit --no-verify\n", stderr);
}

static void say_database(const struct checking *c)
{
    if (!c->project.database_file && c->project.inputs.count && project_has_flags(&c->project))
        coverage_say_no_database("only files next to these");
}

/* "net.h:3:5: …" */
static bool is_error_in(const struct input *in, const char *file)
{
    size_t n = strlen(file);
    return in->first_error && !strncmp(in->first_error, file, n) && in->first_error[n] == ':';
}

/* The file is staged, or the error is in a staged file. */
static bool is_staged(struct checking *c, const struct input *in)
{
    for (int i = 0; i < c->request->touched.count; i++) {
        const char *file = project_shown(&c->project, c->request->touched.items[i]);
        if (project_same_file(&c->project, file, in->file) || is_error_in(in, file))
            return true;
    }
    return false;
}

/* About what the commit touches; any: there are some. With flags of other files an error may not be
 * the file's fault; nor is it the commit's if the including file was broken before. */
static enum exit_code say_troubles(struct checking *c, bool *any)
{
    struct project *p = &c->project;
    bool stops = false;
    *any = false;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        bool has_flags = in->is_listed || !names_units(p);
        if (!in->is_touched || !coverage_say_trouble(in))
            continue;
        *any = true;
        stops |= has_flags && is_staged(c, in);
    }
    return stops ? EXIT_PARTIAL : EXIT_CLEAN;
}

static void say_not_checked(const struct checking *c)
{
    print_shown(stderr,
                "miscast: the commit is stopped: what is staged %s\n"
                "  to go past it:  git commit --no-verify\n",
                c->project.database_file
                    ? "does not compile"
                    : "does not compile with default flags, and was not checked");
}

/* Findings that do not stop the commit are not printed, unless a format was requested. */
static enum exit_code say_result(struct checking *c, struct error *e)
{
    enum exit_code code = check_code(c);
    if ((code || c->config.formats.count) && !output_run(c, e))
        return say_error(e);
    fflush(stdout);
    bool any;
    enum exit_code trouble = say_troubles(c, &any);
    if (code)
        check_say_counts(c);
    if (code || any)
        say_database(c);
    if (code)
        say_next(c);
    else if (trouble)
        say_not_checked(c);
    return code ? code : trouble;
}

enum exit_code hook_check(const struct request *given)
{
    struct staged s = {.arena = arena_new()};
    struct checking c = {0};
    struct request request;
    struct error e = {0};
    enum exit_code code = EXIT_CLEAN;
    bool ok = staged_read(&s, &given->paths, &e);
    leave_operands(given, &request, &s);
    if (!ok ||
        (s.changed.count && (!find_program(&s, &request, &e) || !check_begin(&c, &request, &e))))
        code = say_error(&e);
    else if (s.changed.count)
        code = say_result(&c, &e);
    check_free(&c);
    arena_free(s.arena);
    return code;
}
