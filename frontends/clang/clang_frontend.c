/* C as the driver sees it: libclang and compile databases behind the functions of frontend.h. */
#include "frontends/clang/clang.h"
#include "frontends/clang/database.h"
#include "frontends/clang/flags.h"

#include <string.h>

static void *open_clang(struct error *e)
{
    return clang_open(e);
}

static void close_clang(void *parser)
{
    clang_close(parser);
}

static const char *version(const void *parser)
{
    return clang_version(parser);
}

static const char *library(const void *parser)
{
    return clang_path(parser);
}

static struct ir_unit *lower(void *parser, const struct frontend_input *in,
                             struct unit_reads *reads, struct error *e)
{
    return clang_lower_sharing(parser, in, reads, e);
}

static void *share(const struct frontend_input *files, int count)
{
    return beginnings_find(files, count);
}

static void stop_sharing(void *shared)
{
    beginnings_free(shared);
}

static bool distrust(void *shared, const struct frontend_input *in)
{
    return beginnings_distrust(shared, in);
}

static const struct frontend_sharing sharing = {share, stop_sharing, distrust};

static bool read_database(struct database **d, const void *parser, const char *path,
                          struct error *e)
{
    return database_read(d, parser, path, e);
}

/* An unknown name is what an editor, or the user, says that it is. */
static bool reads(const struct compile *how)
{
    return !*how->language || !strcmp(how->language, "c") || !strcmp(how->language, "c++");
}

/* Names in C++ are not written as they are in the source: this->w, items of a map. */
static bool has_fixes(const char *file, const char *const *flags, int count)
{
    return !flags_are_cpp(file, flags, count);
}

static const struct frontend_flags flags = {
    .find = database_find,
    .read = read_database,
    .close = database_close,
    .all = database_all,
    .lists_files = database_lists_files,
    .of_file = database_compile,
    .of_words = compile_with,
    .add_words = compile_add,
    .command_file = flags_file,
    .reads = reads,
    .has_fixes = has_fixes,
    .headers_new = headers_new,
    .headers_add = headers_add,
};

/* ---- units that stay open ------------------------------------------------------------------- */

static void *open_unit(void *parser, const struct frontend_input *in)
{
    return clang_unit_open(parser, in->file, in->flags, in->flag_count, in->directory);
}

static void close_unit(void *unit)
{
    clang_unit_close(unit);
}

static bool is_unit(const void *unit, const struct frontend_input *in)
{
    return clang_unit_is(unit, in->file, in->flags, in->flag_count, in->directory);
}

static bool is_current(void *unit, const struct overlay *overlay)
{
    return clang_unit_is_current(unit, overlay);
}

static void rest(void *unit)
{
    clang_unit_rest(unit);
}

static bool is_parsed(const void *unit)
{
    return clang_unit_is_parsed(unit);
}

static bool is_warm(const void *unit)
{
    return clang_unit_is_warm(unit);
}

static struct ir_unit *lower_open(void *unit, const char *file, const struct overlay *overlay,
                                  struct error *e)
{
    return clang_unit_lower(unit, file, overlay, e);
}

static struct ir_unit *lower_changed(void *unit, const struct ir_unit *base,
                                     const struct overlay *overlay, const bool **changed)
{
    return clang_unit_lower_piece(unit, base, overlay, changed);
}

static const struct frontend_editing editing = {
    .open = open_unit,
    .close = close_unit,
    .is = is_unit,
    .is_current = is_current,
    .rest = rest,
    .is_parsed = is_parsed,
    .is_warm = is_warm,
    .lower = lower_open,
    .lower_changed = lower_changed,
};

const struct frontend clang_frontend = {
    .name = "C, C++",
    .units = ".c " CPP_UNITS,
    .headers = ".h " CPP_HEADERS,
    .texts = ".c .h " CPP_UNITS " " CPP_HEADERS " .ipp .tpp .inc .inl .def .tbl .tab .x .i",
    .is_looked_for = true,
    .has_fixes = true,
    .prepare = clang_use_large_pages,
    .open = open_clang,
    .close = close_clang,
    .version = version,
    .library = library,
    .flags = &flags,
    .editing = &editing,
    .sharing = &sharing,
    .lower = lower,
};
