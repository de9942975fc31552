/* What the files of analyzer/verify/c share. */
#ifndef ANALYZER_VERIFY_C_PRIVATE_H
#define ANALYZER_VERIFY_C_PRIVATE_H

#include "analyzer/verify/c/c.h"
#include "analyzer/verify/c/harness.h"
#include "analyzer/verify/runner.h"

/* Caches of one thread. */
struct c_state {
    struct map *objects;  /* by unit and how it was compiled (build.c) */
    struct map *defined;  /* units by what they define (link.c) */
    struct map *reserved; /* the runtime's names (object.c); NULL: not read yet */
    struct map *places;   /* files and lines by addresses (frames.c) */
};

static inline struct c_state *c_state(const struct verifier *v)
{
    return v->runner_state;
}

static inline const struct c_tools *c_tools(const struct verifier *v)
{
    return v->in->tools;
}

/* An executable, and what it was made from. */
struct build {
    const struct program *program;
    const char *executable;         /* NULL: it ran elsewhere and did not come back */
    const struct verify_unit *unit; /* one that was compiled from another text; NULL: none */
    const char *text;
    const char *function;           /* what the harness calls; NULL: it is no harness */
    bool sanitizes;                 /* with AddressSanitizer */
    const condition_list *branches; /* that it reports; NULL: none */
    bool follows;                   /* what it does with what it reads is reported, too */
    slot_list slots;                /* of the harness */
    const char **places; /* ran elsewhere: what is left of its resolved places (frames.c) */
};

/* ---- programs ---------------------------------------------------------------------------------
 */

void c_index(struct verifier *v); /* once, before c_program_of */
struct program *c_program_of(struct verifier *v, const struct verify_unit *entry);
void c_unit_files(struct verifier *v, const struct verify_unit *u, text_list *out);
bool c_choices_of(struct verifier *v, const struct program *p, choice_list *out);

/* Constants that the program compares with something (constants.c). */
struct constants {
    text_list numbers, letters, marks; /* marks: other characters */
    bool dashes;                       /* something is compared with '-' */
};
void constants_add(struct verifier *v, struct constants *out, const struct ir_function *f);

/* What it reads besides its command line (reads.c). */
struct reads {
    text_list variables, files;
    bool input, opens_argument;
};
void reads_add(struct verifier *v, struct reads *out, const struct ir_function *f);
void reads_choices(struct verifier *v, const struct reads *r, const text_list *words,
                   const struct constants *constants, choice_list *out);

/* ---- building ---------------------------------------------------------------------------------
 */

struct build *c_build(struct verifier *v, const struct build_plan *plan, struct build_error *e);
/* Whether a unit of the build has its main renamed, because another one starts it. */
bool renames_main(const struct build *b, const struct verify_unit *u);
#define OTHER_MAIN "-Dmain=miscast_other_main"

/* An object file; text: what is compiled in place of the file, NULL: the file itself. */
struct compiling {
    const struct verify_unit *unit;
    const char *text;
    bool renames_main, sanitizes;
};
const char *compile(struct verifier *v, const struct compiling *how, struct error *e);
/* An executable. */
const char *link_objects(struct verifier *v, const text_list *objects, bool sanitizes,
                         struct error *e);
const char *compiler_of(const struct verifier *v);

/* Included before everything else, here and in bundles (compile.c). */
#define FIRST_HEADER "struct miscast_first; /* no precompiled header is used behind this */\n"

/* Whether an object of the program can be linked with the runtime and neither runs before it nor
 * replaces what it calls. Otherwise e says what it does. */
bool object_is_plain(struct verifier *v, const char *path, bool sanitizes, struct build_error *e);

/* The source of a replacement for libraries that the program calls; NULL: it calls none. */
const char *stand_in_for(struct verifier *v, const struct program *p);
const char *c_distrust(const struct event *e);

/* The source of a unit with measurements at the calls of as many findings as possible, which are
 * added to measured; NULL: none of them can have one. */
const char *measured_source(struct verifier *v, const struct verify_unit *u,
                            const finding_list *findings, finding_list *measured);

/* The source of a unit that reports these branches, and what it does with what it reads; NULL: it
 * has none of them. */
const char *branches_source(struct verifier *v, const struct verify_unit *u,
                            const condition_list *branches, bool follows);

/* ---- results ----------------------------------------------------------------------------------
 */

void c_add_frames(struct verifier *v, struct run *r, struct event *e);
void c_read_memory_report(struct verifier *v, const char *report, struct run *r);

/* Of programs on ggml. */
const char *const *c_command_variables(struct verifier *v, const finding_list *findings);
const char *c_library_for(struct verifier *v, const finding_list *findings);
const char *c_unobserved(struct verifier *v, const struct finding *f, const struct run *r);
const char *c_unseen(const struct pack_function *callee);
void c_read_process(struct verifier *v, struct run *r);

/* ---- bundles ----------------------------------------------------------------------------------
 */

bool c_bundle_case(struct verifier *v, const char *folder, const char *name, const struct build *b,
                   const struct launch *l, struct error *e);
bool c_bundle_close(struct verifier *v, struct error *e);
struct build *c_bundle_build(struct verifier *v, const char *name);
/* The environment variables of a launch: NAME=value. */
void launch_settings(struct verifier *v, const struct launch *l, text_list *out);

#endif
