/* Writing a bundle: a folder a finding with the sources that its run needs and nothing else, how
 * each is compiled, what is expected, and a script that builds and runs them all. It needs a C
 * compiler, CMake and the runtime. */
#include "analyzer/verify/bundle.h"

#include "analyzer/verify/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what ran -------------------------------------------------------------------------------- */

void recipe_built(struct verifying *v, const char *executable, const struct program *p,
                  const struct compiling *how)
{
    struct recipe r = {.program = p, .how = *how};
    if (v->in->emit)
        map_put(v->recipes, hash_bytes(executable, strlen(executable), 0),
                arena_copy(v->arena, &r, sizeof r));
}

void recipe_run(struct verifying *v, const char *entry, const char *executable,
                const char *const *arguments, const struct run_way *way)
{
    const struct recipe *built =
        v->in->emit ? map_get(v->recipes, hash_bytes(executable, strlen(executable), 0)) : NULL;
    if (!built)
        return;
    struct recipe *r = arena_copy(v->arena, built, sizeof *built);
    r->arguments = arguments;
    r->way = *way;
    r->is_harness = built->how.no_main;
    map_put(v->recipes, (uint64_t)(uintptr_t)entry, r);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool make_folders(struct verifying *v, const char *path, struct error *e)
{
    char *copy = arena_printf(v->arena, "%s", path);
    for (char *at = copy + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            return error_at(e, copy, 0, 0, "%s", strerror(errno));
        *at = '/';
    }
    return true;
}

static bool put_file(struct verifying *v, const char *path, const char *text, size_t length,
                     struct error *e)
{
    if (!make_folders(v, path, e))
        return false;
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(text, 1, length, f) == length;
    ok = f && !fclose(f) && ok;
    return ok || error_at(e, path, 0, 0, "cannot be written: %s", strerror(errno));
}

static bool put_text(struct verifying *v, const char *path, const char *text, struct error *e)
{
    return put_file(v, path, text, strlen(text), e);
}

/* Where a file stands in a case: below src, as below the root. */
static const char *place_in(struct verifying *v, const char *path)
{
    size_t n = strlen(v->in->root);
    bool below = !strncmp(path, v->in->root, n) && path[n] == '/';
    return below ? path + n + 1 : arena_printf(v->arena, "outside%s", path);
}

static bool is_runtimes(struct verifying *v, const char *path)
{
    const char *include = path_real(v, NULL, v->in->include);
    size_t n = strlen(include);
    return !strncmp(path, include, n) && (!path[n] || path[n] == '/');
}

static bool copy_files(struct verifying *v, const char *folder, const struct verify_unit *u,
                       struct error *e)
{
    text_list files = {0};
    unit_files(v, u, &files);
    for (int i = 0; i < files.count; i++) {
        const struct source *s = sources_get(v->sources, files.items[i]);
        const char *to = arena_printf(v->arena, "%s/src/%s", folder, place_in(v, files.items[i]));
        if (s && !is_runtimes(v, files.items[i]) && !put_file(v, to, s->text, s->length, e))
            return false;
    }
    return true;
}

/* In a text of ours, the file that it is made from stands by its real path. */
static const char *without_paths(struct verifying *v, const char *text, const char *real)
{
    struct text out = {0};
    const char *quoted = arena_printf(v->arena, "\"%s\"", real);
    const char *include = "#include ", *name = strrchr(real, '/') + 1;
    for (const char *at; (at = strstr(text, quoted)); text = at + strlen(quoted)) {
        bool included = at - text >= 9 && !strncmp(at - 9, include, 9);
        text_add_range(&out, text, (size_t)(at - text));
        text_printf(&out, "\"%s\"", included ? name : place_in(v, real));
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

/* Folders move with the files in them; that of the runtime is CMake's to find. */
static void add_flags(struct verifying *v, const struct verify_unit *u, struct text *out)
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
        text_printf(out, " \"%s${CMAKE_CURRENT_SOURCE_DIR}/src/%s\"", flag, place_in(v, real));
    }
}

static bool add_unit(struct verifying *v, const char *folder, const struct recipe *r,
                     const struct verify_unit *u, struct text *list, struct text *flags,
                     struct error *e)
{
    const char *real = path_real(v, NULL, u->file), *place = place_in(v, real);
    bool own_text = u == r->how.unit;
    bool renames = function_of(u, "main") && (r->how.no_main ? !own_text : u != r->program->entry);
    if (!copy_files(v, folder, u, e))
        return false;
    if (own_text) {
        place = arena_printf(v->arena, "%s.run.c", place);
        if (!put_text(v, arena_printf(v->arena, "%s/src/%s", folder, place),
                      without_paths(v, r->how.text, real), e))
            return false;
    }
    text_printf(list, "  \"src/%s\"\n", place);
    text_printf(flags, "set_source_files_properties(\"src/%s\" PROPERTIES COMPILE_OPTIONS \"",
                place);
    struct text own = {0};
    add_flags(v, u, &own);
    if (renames)
        text_add(&own, " \"-Dmain=miscast_other_main\"");
    /* Words in quotes become a list of CMake's: ; between them, quotes escaped. */
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

static bool write_cmake(struct verifying *v, const char *folder, const char *name,
                        const struct recipe *r, struct error *e)
{
    struct text out = {0}, flags = {0};
    const char *stand_in = stand_in_for(v, r->program);
    bool ok = true;
    text_printf(&out, "add_executable(%s\n", name);
    for (int i = 0; i < r->program->units.count && ok; i++)
        ok = add_unit(v, folder, r, r->program->units.items[i], &out, &flags, e);
    if (stand_in) {
        const char *path = arena_printf(v->arena, "%s/src/stand_in.run.c", folder);
        text_add(&out, "  src/stand_in.run.c\n");
        ok = ok && put_text(v, path, stand_in, e);
    }
    text_add(&out, ")\n");
    text_add(&out, flags.data ? flags.data : "");
    text_printf(&out, "reproducer(%s)\n", name);
    if (r->how.sanitizes)
        text_printf(&out,
                    "target_compile_options(%s PRIVATE -fsanitize=address)\n"
                    "target_link_options(%s PRIVATE -fsanitize=address)\n",
                    name, name);
    ok = ok && put_text(v, arena_printf(v->arena, "%s/CMakeLists.txt", folder), out.data, e);
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

/* Sourced by run.sh: environment and arguments. */
static bool write_case(struct verifying *v, const char *folder, const struct recipe *r,
                       struct error *e)
{
    struct text out = {0};
    if (r->way.setting)
        text_printf(&out, "export %s\n", r->way.setting);
    text_add(&out, "set --");
    for (const char *const *a = r->arguments; a && *a; a++)
        add_shell(&out, *a);
    text_add(&out, "\n");
    bool ok = put_text(v, arena_printf(v->arena, "%s/case.sh", folder), out.data, e);
    text_free(&out);
    return ok;
}

static bool write_finding(struct verifying *v, const char *folder, const struct finding *f,
                          const struct recipe *r, uint64_t state, struct error *e)
{
    struct text out = {0};
    text_printf(&out,
                "{\"finding\": \"%016" PRIx64 "\", \"state\": \"%016" PRIx64
                "\", \"harness\": %s, \"sanitized\": %s, \"entry\": ",
                f->identity, state, r->is_harness ? "true" : "false",
                r->how.sanitizes ? "true" : "false");
    text_add_json(&out, f->verdict.entry);
    text_add(&out, "}\n");
    bool ok = put_text(v, arena_printf(v->arena, "%s/finding.json", folder), out.data, e);
    text_free(&out);
    return ok && put_text(v, arena_printf(v->arena, "%s/expected", folder),
                          arena_printf(v->arena, "%s:%d: %s [%s]\n",
                                       place_in(v, path_real(v, NULL, f->span.file)), f->span.line,
                                       f->message, f->rule),
                          e);
}

bool bundle_add(struct verifying *v, const struct finding *f, uint64_t state, struct error *e)
{
    const struct recipe *r =
        f->verdict.entry ? map_get(v->recipes, (uint64_t)(uintptr_t)f->verdict.entry) : NULL;
    const char *name = arena_printf(v->arena, "%s-%016" PRIx64, f->rule, f->identity);
    const char *folder = arena_printf(v->arena, "%s/%s", v->in->emit, name);
    return !r || (write_cmake(v, folder, name, r, e) && write_case(v, folder, r, e) &&
                  write_finding(v, folder, f, r, state, e));
}

/* ---- what all share
 * ------------------------------------------------------------------------------ */

static const char top_cmake[] =
    "# Builds all cases; ./run.sh does that, too, and runs them. The runtime is found where it is\n"
    "# installed (-DCMAKE_PREFIX_PATH=DIR), is built from its source (-DMISCAST_SOURCE=DIR), or "
    "is\n"
    "# there already (-DMISCAST_LIBRARY=FILE -DMISCAST_INCLUDE=DIR).\n"
    "cmake_minimum_required(VERSION 3.25)\n"
    "project(reproducers C)\n"
    "set(MISCAST_SOURCE \"\" CACHE PATH \"The source of the runtime\")\n"
    "set(MISCAST_LIBRARY \"\" CACHE FILEPATH \"The runtime\")\n"
    "set(MISCAST_INCLUDE \"\" CACHE PATH \"The folder of its headers\")\n"
    "if(MISCAST_LIBRARY)\n"
    "  add_library(miscast::runtime UNKNOWN IMPORTED)\n"
    "  set_target_properties(miscast::runtime PROPERTIES IMPORTED_LOCATION \"${MISCAST_LIBRARY}\"\n"
    "    INTERFACE_INCLUDE_DIRECTORIES \"${MISCAST_INCLUDE}\" INTERFACE_LINK_LIBRARIES openblas)\n"
    "elseif(MISCAST_SOURCE)\n"
    "  set(MISCAST_ANALYZER OFF CACHE BOOL \"\")\n"
    "  set(MISCAST_TESTS OFF CACHE BOOL \"\")\n"
    "  set(MISCAST_EXAMPLES OFF CACHE BOOL \"\")\n"
    "  add_subdirectory(\"${MISCAST_SOURCE}\" miscast EXCLUDE_FROM_ALL)\n"
    "else()\n"
    "  find_package(miscast REQUIRED)\n"
    "endif()\n"
    "find_package(Threads REQUIRED)\n\n"
    "# Files are named as they were, so that places can be told; names that no run needs may be\n"
    "# missing.\n"
    "function(reproducer name)\n"
    "  target_compile_options(${name} PRIVATE \"SHELL:-include "
    "\\\"${CMAKE_SOURCE_DIR}/first.h\\\"\"\n"
    "    -O0 -gdwarf-4 -w -fno-omit-frame-pointer\n"
    "    \"-ffile-prefix-map=${CMAKE_BINARY_DIR}=\" "
    "\"-ffile-prefix-map=${CMAKE_CURRENT_BINARY_DIR}=\"\n"
    "    \"-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/src/=\")\n"
    "  target_link_options(${name} PRIVATE -rdynamic\n"
    "    -Wl,--unresolved-symbols=ignore-in-object-files)\n"
    "  target_link_libraries(${name} PRIVATE miscast::runtime Threads::Threads m "
    "${CMAKE_DL_LIBS})\n"
    "  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "
    "\"${CMAKE_BINARY_DIR}/bin\")\n"
    "endfunction()\n\n"
    "add_executable(backend backend.c)\n"
    "reproducer(backend)\n"
    "file(GLOB cases \"*/finding.json\")\n"
    "foreach(case IN LISTS cases)\n"
    "  cmake_path(GET case PARENT_PATH folder)\n"
    "  add_subdirectory(\"${folder}\")\n"
    "endforeach()\n";

static const char backend_c[] = "/* Prints what cuda is here: \"sim\", or a device. */\n"
                                "#include <miscast/tensor.h>\n\n"
                                "#include <stdio.h>\n\n"
                                "int main(void)\n{\n"
                                "    puts(mc_backend_name(MC_CUDA));\n"
                                "    return 0;\n}\n";

static const char run_sh[] =
    "#!/bin/sh\n"
    "# Builds and runs every case here, says what was expected and what happened, and writes it "
    "to\n"
    "# CASE/verdict.json and CASE/stderr, which 'miscast verify --import' reads. Arguments go to "
    "CMake.\n"
    "set -eu\n"
    "cd \"$(dirname \"$0\")\"\n"
    "here=$(pwd -P)\n"
    "\n"
    "# run_case CASE FOLDER: with the events, stdout and stderr in FOLDER; returns its status\n"
    "run_case() {\n"
    "    limit=\n"
    "    ! command -v timeout >/dev/null 2>&1 || limit='timeout 60'\n"
    "    (\n"
    "        export MISCAST_PROBE=\"$2/events\" MISCAST_PROBE_FULL=8000\n"
    "        export MISCAST_SIM_DEVICES=8 MISCAST_THREADS=1\n"
    "        export ASAN_OPTIONS=detect_leaks=0\n"
    "        program=$here/build/bin/$1 folder=$1/src\n"
    "        . \"./$1/case.sh\" # sets the arguments\n"
    "        cd \"$folder\"\n"
    "        exec $limit \"$program\" \"$@\"\n"
    "    ) >\"$2/stdout\" 2>\"$2/stderr\"\n"
    "}\n"
    "\n"
    "# places PROGRAM EVENTS: of each event that tells through which calls the program came there, "
    "a \"#\"\n"
    "# and the places\n"
    "places() {\n"
    "    grep '\"frames\":\\[' \"$2\" | while IFS= read -r event; do\n"
    "        echo '#'\n"
    "        pc=$(printf '%s\\n' \"$event\" | sed -n 's/.*\"pc\":\"\\([^\"]*\\)\".*/\\1/p')\n"
    "        for address in $(printf '%s\\n' \"$event\" | sed "
    "'s/.*\"frames\":\\[\\([^]]*\\)\\].*/\\1/; s/[\",]/ /g'); do\n"
    "            # What is returned to lies behind the call.\n"
    "            case $address in\n"
    "                null) ;;\n"
    "                \"$pc\") echo \"$address\" ;;\n"
    "                *) printf '0x%x\\n' $((address - 1)) ;;\n"
    "            esac\n"
    "        done | xargs addr2line -e \"$1\" 2>/dev/null\n"
    "    done\n"
    "}\n"
    "\n"
    "if [ \"${1-}\" = --case ]; then\n"
    "    case=$2 backend=$3 work=$(mktemp -d) status=0\n"
    "    { run_case \"$case\" \"$work\" || status=$?; } 2>/dev/null\n"
    "    if [ \"$backend\" != sim ] && grep -q 'there is no device cuda' \"$work/stderr\" "
    "\"$work/events\"; then\n"
    "        # It needs more GPUs than there are.\n"
    "        rm -f \"$work/events\"\n"
    "        backend=sim status=0 MISCAST_CUDA=sim\n"
    "        export MISCAST_CUDA\n"
    "        { run_case \"$case\" \"$work\" || status=$?; } 2>/dev/null\n"
    "    fi\n"
    "    touch \"$work/events\"\n"
    "    {\n"
    "        printf '{\"backend\": \"%s\", \"status\": %d, \"events\": [\\n' \"$backend\" "
    "\"$status\"\n"
    "        # A last line that is not whole is left out.\n"
    "        awk '/}$/ { if (n++) printf \",\\n\"; printf \"%s\", $0 }' \"$work/events\"\n"
    "        printf '\\n]}\\n'\n"
    "    } >\"$case/verdict.json\"\n"
    "    head -c 1000000 \"$work/stderr\" >\"$case/stderr\"\n"
    "    places \"$here/build/bin/$case\" \"$work/events\" >\"$case/places\" || true\n"
    "    {\n"
    "        printf '%s (%s)\\n  expected: ' \"$case\" \"$backend\"\n"
    "        cat \"$case/expected\"\n"
    "        printf '  happened: '\n"
    "        grep -m 1 'error: ' \"$work/stderr\" || echo \"it ended with $status and raised "
    "nothing\"\n"
    "    } >\"$case/happened\"\n"
    "    rm -rf \"$work\"\n"
    "    exit 0\n"
    "fi\n"
    "\n"
    "cmake -S . -B build \"$@\" >build.log 2>&1 && cmake --build build --parallel >>build.log 2>&1 "
    "|| {\n"
    "    tail -n 20 build.log >&2\n"
    "    exit 1\n"
    "}\n"
    "backend=$(build/bin/backend)\n"
    "for case in */finding.json; do\n"
    "    echo \"${case%/*}\"\n"
    "done >cases\n"
    "xargs -P \"$(getconf _NPROCESSORS_ONLN)\" -I CASE ./run.sh --case CASE \"$backend\" <cases\n"
    "while read -r case; do\n"
    "    cat \"$case/happened\"\n"
    "done <cases\n";

bool bundle_close(struct verifying *v, struct error *e)
{
    const char *folder = v->in->emit;
    const char *run = arena_printf(v->arena, "%s/run.sh", folder);
    bool ok = put_text(v, arena_printf(v->arena, "%s/CMakeLists.txt", folder), top_cmake, e) &&
              put_text(v, arena_printf(v->arena, "%s/backend.c", folder), backend_c, e) &&
              put_text(v, arena_printf(v->arena, "%s/first.h", folder), FIRST_HEADER, e) &&
              put_text(v, run, run_sh, e);
    return ok && (!chmod(run, 0755) || error_at(e, run, 0, 0, "%s", strerror(errno)));
}
