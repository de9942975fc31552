/* The check of what is staged: findings that stop the commit go out, with what to do about them.
 * When there is nothing to say, nothing is said. */
#include "frontends/hook/hook.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- what is checked ------------------------------------------------------------------------ */

/* A database that names units says who includes what; else it is looked for. */
static bool names_units(const struct project *p)
{
    return p->database_file && strstr(p->database_file, "compile_commands.json");
}

static bool has_parts(const struct staged *s)
{
    for (int i = 0; i < s->changed.count; i++)
        if (!is_c_unit(s->changed.items[i]))
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

/* Those that nobody includes are checked as if they were units. */
static bool add_includers(struct staged *s, struct options *o, struct error *e)
{
    text_list units = {0}, alone = {0};
    if (!includes_find(s, &units, &alone, e))
        return false;
    o->operands = alone;
    o->touched = units;
    for (int i = 0; i < s->changed.count; i++)
        if (!is_in(&alone, s->changed.items[i]))
            LIST_ADD(s->arena, &o->touched, s->changed.items[i]);
    return true;
}

static bool find_includers(struct staged *s, struct options *o, struct error *e)
{
    struct checking c = {0};
    if (!has_parts(s))
        return true;
    bool ok = check_prepare(&c, o, e);
    bool known = ok && names_units(&c.project);
    project_free(&c.project);
    if (c.arena)
        arena_free(c.arena);
    return ok && (known || add_includers(s, o, e));
}

static void leave_operands(const struct options *from, struct options *o, struct staged *s)
{
    *o = *from;
    o->operands = (text_list){0};
    o->touched = s->changed;
    o->dropped = s->deleted;
    o->overlay = &s->overlay;
}

/* ---- what is said --------------------------------------------------------------------------- */

/* The files that a fix would change, so that the line can be copied. */
static void say_fix(struct checking *c)
{
    text_list files = {0};
    int count = 0;
    for (int i = 0; i < c->findings.count; i++) {
        const struct finding *f = c->findings.items[i];
        bool seen = !f->fix.edits.count || !f->fix.safe;
        count += !seen;
        for (int k = 0; k < files.count; k++)
            seen |= files.items[k] == f->span.file;
        if (!seen)
            LIST_ADD(c->arena, &files, f->span.file);
    }
    if (!count)
        return;
    fputs("'miscast check --fix", stderr);
    for (int i = 0; i < files.count; i++)
        fprintf(stderr, strpbrk(files.items[i], " \t\n\"$&;()<>|*?") ? " \"%s\"" : " %s",
                files.items[i]);
    fprintf(stderr, "' and 'git add' mend %d; ", count);
}

static void say_next(struct checking *c)
{
    const struct finding *first = c->findings.items[0];
    fprintf(stderr, "miscast: the commit is stopped: ");
    say_fix(c);
    fprintf(stderr,
            "'miscast explain %s' says why; '// miscast: ignore[%s] why' or 'miscast baseline "
            "write' accepts; 'git commit --no-verify' goes past it\n",
            first->rule, first->rule);
}

static void say_database(const struct checking *c)
{
    if (!c->project.database_file && c->project.inputs.count)
        fputs("miscast: no compile database, so default flags and no other files: cmake "
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson, or bear -- make writes one\n",
              stderr);
}

/* "net.h:3:5: …" */
static bool is_error_in(const struct input *in, const char *file)
{
    size_t n = strlen(file);
    return in->first_error && !strncmp(in->first_error, file, n) && in->first_error[n] == ':';
}

/* The file is staged, or what is wrong in it stands in one that is. */
static bool is_staged(struct checking *c, const struct input *in)
{
    for (int i = 0; i < c->options->touched.count; i++) {
        const char *file = project_shown(&c->project, c->options->touched.items[i]);
        if (project_same_file(&c->project, file, in->file) || is_error_in(in, file))
            return true;
    }
    return false;
}

/* Of what the commit touches. With flags that nobody named for it, it may not be the file's fault;
 * nor is it the commit's where what includes a staged file was broken before. */
static enum exit_code say_troubles(struct checking *c)
{
    struct project *p = &c->project;
    bool stops = false;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        bool has_flags = in->is_listed || (p->database_file && !names_units(p));
        if (in->is_touched && coverage_say_trouble(in))
            stops |= has_flags && is_staged(c, in);
    }
    return stops ? EXIT_PARTIAL : EXIT_CLEAN;
}

/* What stops nobody is not worth a word, unless a format was asked for. */
static enum exit_code say_result(struct checking *c, struct error *e)
{
    enum exit_code code = check_code(c);
    if ((code || c->config.formats.count) && !output_run(c, e))
        return say_error(e);
    fflush(stdout);
    enum exit_code trouble = say_troubles(c);
    if (code)
        check_say_counts(c);
    say_database(c);
    if (code)
        say_next(c);
    else if (trouble)
        fprintf(stderr, "miscast: the commit is stopped: what is staged does not compile; 'git "
                        "commit --no-verify' goes past it\n");
    return code ? code : trouble;
}

enum exit_code hook_check(const struct options *given)
{
    struct staged s = {.arena = arena_new()};
    struct checking c = {0};
    struct options o;
    struct error e = {0};
    enum exit_code code = EXIT_CLEAN;
    bool ok = staged_read(&s, &given->operands, &e);
    leave_operands(given, &o, &s);
    if (!ok || (s.changed.count && (!find_includers(&s, &o, &e) || !check_begin(&c, &o, &e))))
        code = say_error(&e);
    else if (s.changed.count)
        code = say_result(&c, &e);
    if (c.arena) {
        project_free(&c.project);
        arena_free(c.arena);
    }
    arena_free(s.arena);
    return code;
}
