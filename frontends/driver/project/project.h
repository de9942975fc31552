/* frontends/driver/project: a program, from the files that are asked for to facts about it.
 *
 *   project.c           the pipeline, one stage a function
 *   languages.c         which languages there are, and whose a file is
 *   paths.c             which file a path really is, and how the user would name it
 *   packs.c             packs: those that are installed, then the user's
 *   units.c             files → units: cached ones are read by threads, others lowered by processes
 *   workers.c           the processes that lower
 *   unit_record.c       a lowered unit ↔ bytes, between processes
 *   session.c           what a process keeps that checks again and again
 *   dependents.c        files that were touched → the units that depend on them
 *   called_functions.c  units → names of functions, which packs are loaded for
 *   imports.c           files that a program imports
 *   importers.c         programs that import a file
 *   models.c            packs and model files of a dynamic language
 *   embedded_models.c   units of model files that are built into the program
 *   mentions.c          which of the model files a program can get to
 *   cache.c             what is kept from run to run, and by which keys
 *   cache_folder.c      where that is
 *   coverage.c          what a run analysed and what it did not
 *   unread.c            files in languages that are not read; foreign.def, which those are */
#ifndef FRONTENDS_DRIVER_PROJECT_H
#define FRONTENDS_DRIVER_PROJECT_H

#include "analyzer/report/report.h"
#include "frontends/driver/process/process.h"
#include "frontends/driver/project/languages.h"
#include "frontends/driver/config/request.h"

#include <stdio.h>

struct headers;

/* A file to analyse, and what became of it. */
struct input {
    const char *file; /* as the user would name it */
    enum language_id language;
    const char *directory;
    const char *const *flags;
    int flag_count;
    struct ir_unit *unit; /* NULL: it could not be parsed, or what is needed of it is cached */
    struct error error;
    bool is_listed;  /* in the database: the flags are its own */
    bool is_touched; /* it depends on one of the files in request.touched */
    bool is_parsed;  /* the fields below are known, whether or not the unit is in memory */
    int errors, notes;
    const char *first_error;
    struct digest key, contents; /* its cache key, and a digest of all files it was made of */
    bool is_cached;              /* in the store, and up to date */
    const char *text;            /* from the store; NULL: it is lowered again */
    struct unit_reads *reads;    /* of a unit that was lowered and is to be cached */
    struct text printed;
    bool is_given; /* it comes from a summary, as a text or an error: nothing is parsed */
    const struct ir_naming *naming; /* of the files in the text; NULL: as they are */
    int flags_left_out;
    bool is_taken;              /* the unit is owned by the session */
    LIST(struct digest) pieces; /* a digest of each function with a body, */
    struct digest around;       /* and of the globals */
};

struct project {
    struct arena *arena;
    struct names *names;
    const struct request *request;
    const char *here;              /* the current folder; "": not known */
    void *parsers[LANGUAGE_COUNT]; /* NULL: not loaded */
    void *shared[LANGUAGE_COUNT];  /* by files that are being lowered; NULL: nothing */
    struct database *database;     /* NULL: none found, or all that is needed of it is cached */
    const char *database_path;     /* as the user would name it */
    const char *database_file;     /* the same, absolute */
    struct project_cache *cache;   /* NULL: none */
    struct state_folder *state;    /* where it is; NULL: nowhere, or not looked for yet */
    bool is_state_known;
    text_list asked;           /* the files to report on, sorted, each once */
    text_list imported;        /* those of them that the request does not name */
    struct map *found;         /* those of them that were only found below a folder */
    const char *unsaved;       /* the one whose contents were given; NULL: none */
    struct map *touched;       /* files that units depend on, and that were touched */
    struct overlay overlay;    /* contents that replace those of files */
    LIST(struct input) inputs; /* by file */
    LIST(struct ir_unit *) units;
    LIST(struct ir_unit *) models; /* of libraries */
    struct pack_set *packs;
    struct arena *late_packs; /* where they are, if some of it is read late; NULL: nothing is */
    struct flow *flow;        /* NULL: not yet, or all that is needed of it is cached */
    bool is_analysed;         /* the fields below are known */
    struct flow_counts counts;
    struct flow_known known; /* with -v */
    bool *assumptions_used;
    bool linked;            /* it contains the whole database */
    bool is_part;           /* less units of it that were not asked for */
    int summaries;          /* that the units come from; 0: they were parsed, or are cached */
    int shares;             /* the summaries are all shards of one run; 0: one per unit */
    bool has_default_flags; /* the database says nothing about some file */
    bool is_database_empty; /* nor about any other */
    /* Files of the program, or below the folders, in languages that are not read. */
    LIST(struct unread_file {
        const char *file;
        const char *name; /* one of that kind in words: "CUDA file" */
    })
    unread;
    struct map *unread_files;
    int unlisted; /* files in the folders that the database does not list */
    const char *first_unlisted;
    int flags_left_out; /* flags only another compiler knows, or that would run code */
    struct headers *headers;
    struct map *real_paths; /* by path */
    struct sources *sources;
};

/* unread.c: notes a file in a language that is not read, with one of that kind in words; whether it
 * was noted; whether a compile command says so; names them: "; 2 CUDA files not read (a.cu, …)". */
void unread_note(struct project *p, const char *file, const char *name);
bool unread_is(const struct project *p, const char *file);
bool unread_by_command(const struct compile *how);
void unread_say(const struct project *p);

/* files: those the request is about. False: e says why nothing could be done. */
bool project_lower(struct project *p, const struct request *request, const text_list *files,
                   struct error *e);
bool project_analyse(struct project *p, const struct request *request, const text_list *files,
                     struct error *e);
/* Only which files to report on. */
bool project_ask(struct project *p, const struct request *request, const text_list *files,
                 struct error *e);
/* And where the database is. */
bool project_find(struct project *p, const struct request *request, const text_list *files,
                  struct error *e);
/* The two halves of project_analyse: which files there are, how they are compiled and which of them
 * are cached; and the rest. */
bool project_prepare(struct project *p, const struct request *request, const text_list *files,
                     struct error *e);
bool project_infer(struct project *p, struct error *e);
/* Some units could not be parsed, or not completely; or were left out. */
bool project_has_trouble(const struct project *p);
bool project_is_incomplete(const struct project *p);
/* Constants of packs are those of the enumerations in the unit, where it has them. */
void project_number_packs(struct project *p, const struct ir_unit *u);
/* units.c: how many threads and processes to use. */
int project_threads(const struct project *p);
/* What its frontend lowers. */
struct frontend_input project_input(const struct project *p, const struct input *in);
void project_sort(struct project *p); /* the inputs, by file */
/* Ends a run: reports on stderr what could not be analysed, then the coverage line. */
enum exit_code project_close(struct project *p);
void project_free(struct project *p); /* the same without the report */

/* Limits the time of everything that follows to five times what its units may take to parse: on a
 * busy machine that may be four times as long by the clock. Not in a session, whose server is
 * watched by another process. */
void project_limit(const struct project *p);
/* Asks for the units that are known to depend on what was touched. */
void project_ask_touched(struct project *p);

/* packs.c: errors in the user's packs are reported before the program is parsed. */
bool project_check_packs(struct project *p, struct error *e);
/* For the functions that is_wanted accepts, by name. */
bool project_load_packs(struct project *p,
                        bool (*is_wanted)(const void *data, const char *function), const void *data,
                        struct error *e);

/* models.c: whether a file that was asked for is in a dynamic language; the packs and model files
 * that its programs need. */
bool project_is_dynamic(const struct project *p);
/* The packs and model files that are read for such programs; only the packs, in the order in which
 * they are loaded. */
void project_model_files(struct project *p, text_list *out);
void project_model_packs(struct project *p, text_list *out);
/* Model files that were lowered, for whoever checks repeatedly. */
struct model_store;
struct model_store *model_store_new(void);
void model_store_free(struct model_store *s);
/* The units are the store's; NULL: the project's. */
bool project_add_models(struct project *p, struct model_store *kept, struct error *e);

/* mentions.c: the names that the units have in them; whether a model file may be asked for by them.
 */
struct mentions;
struct mentions *mentions_new(struct arena *a);
void mentions_add(struct mentions *m, const struct ir_unit *u, bool is_model);
bool mentions_module(const struct mentions *m, const char *module);

/* importers.c: the files, in the folders of these and in the ones above up to the root, that import
 * them. Paths are absolute. */
text_list importers_of(struct arena *a, const char *root, const text_list *files);
/* imports.c: asks for the files that those asked for import. */
void project_add_imports(struct project *p);
/* Once they are read: their units are not analysed on their own. */
void project_mark_imports(struct project *p);

/* paths.c: whether the two name one file. Paths must live as long as the project. */
bool project_same_file(struct project *p, const char *a, const char *b);
/* The path is a file by that name, whatever links are there. */
void project_is_file(struct project *p, const char *path);
/* The path is no symbolic link, which need not be checked again. */
void project_is_no_link(struct project *p, const char *path);
/* The real path, absolute. */
const char *project_real(struct project *p, const char *path);
/* A path as the user would name it: below the current folder a relative one. */
const char *project_shown(struct project *p, const char *path);
/* Whether it is one of the files to report on, by the name that the user would give it. */
bool project_asks_for(const struct project *p, const char *file);
/* The source of a file that is part of it; NULL if it cannot be read. */
const struct source *project_source(struct project *p, const char *path);
/* The text of the span, cut to so many columns. */
const char *project_text(struct project *p, const struct span *span, int columns);
/* "not c->half", "bits is 16". */
const char *project_condition(struct project *p, const struct condition *c, int columns);

/* Loads the parser of the language, and reads the database, if that was not done yet. */
bool project_open_parser(struct project *p, enum language_id language, struct error *e);
bool project_open_database(struct project *p, struct error *e);

enum exit_code coverage_print(const struct project *p);
/* Only its last line, the sum. */
enum exit_code coverage_sum(const struct project *p);
/* Reports what is wrong with one file; false: nothing is. */
bool coverage_say_trouble(const struct input *in);
bool coverage_has_trouble(const struct input *in);
/* The functions that are called and that neither the program nor a pack describes, the most used
 * first; the same as lines with the number of calls. */
missing_list coverage_missing(const struct project *p);
void coverage_list_missing(const struct project *p, FILE *out);
/* No file could be analysed to its end. */
bool coverage_is_nothing(const struct project *p);
/* Whether anything has flags that a database could give. */
bool project_has_flags(const struct project *p);
/* That many more files are read than were asked for, if they are. */
void coverage_say_others(const struct project *p);
/* How to get a database, and what is analysed without one besides the files. */
void coverage_say_no_database(const char *others);

#endif
