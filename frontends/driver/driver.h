/* frontends/driver: projects, checks and questions about them. A request comes in; units, facts and
 * findings go out. The command line, the language server, the hook and diff stand on it.
 *
 *   project/      which files, which packs, how they are named; the coverage line
 *   units/        files → units: workers, sessions, which unit depends on which file
 *   config/       .miscast.yaml
 *   check/        from units to findings, verdicts, fixes and reports
 *   cache/        what is kept from run to run, and where
 *   incremental/  which functions have to be analysed again after a change
 *   shards/       checks in steps
 *   history/      findings over time
 *   queries/      facts at a place in the source, their lineage, graphs of functions
 *   process/      this process: the terminal, the deadline, where its files are installed */
#ifndef FRONTENDS_CLI_H
#define FRONTENDS_CLI_H

#include "analyzer/report/report.h"

#include <stdio.h>

enum exit_code {
    EXIT_CLEAN,    /* nothing to say */
    EXIT_FINDINGS, /* something is wrong in the user's code */
    EXIT_TROUBLE,  /* usage, configuration, or our own fault */
    EXIT_PARTIAL   /* some unit could not be analysed, or not all of it */
};

/* ---- options ------------------------------------------------------------------------------- */

enum { UNIT_TIMEOUT_MAX = 86400, UNIT_MEMORY_MAX = 1 << 20 };

struct options {
    const struct command *command; /* NULL: none given */
    bool help, version;
    const char *database;        /* -p; NULL: look for one */
    bool is_database_configured; /* .miscast.yaml or a workspace names it, and not the user */
    const char *function;        /* --function; NULL: all */
    int jobs;                    /* -j; 0: as many as there are processors */
    text_list packs, assume, operands;
    /* Of check and its relatives. */
    text_list select, ignore, extend_select, formats;
    text_list found;    /* files that stand in folders; one that no database knows is left out */
    text_list foreign;  /* files there that are in a language which is not read */
    text_list folders;  /* these */
    const char *config; /* NULL: look for one */
    const char *baseline, *stdin_filename;
    const char *keep, *cache_dir, *emit, *import;
    text_list wanted;              /* findings: FILE:LINE[:COL], or fingerprints; empty: all */
    int timeout;                   /* seconds; 0: the default */
    int unit_timeout, unit_memory; /* seconds and MB to parse a unit; 0: the default */
    bool verify, uncontained, no_cache;
    bool isolated, fix, diff, unsafe_fixes, exit_zero, statistics, no_baseline;
    bool force;
    bool fails_on;
    enum severity fail_on;
    bool progress;       /* is shown */
    const char *unsaved; /* what the file stdin_filename is taken to contain; NULL: what it does */
    size_t unsaved_length;
    const struct overlay *overlay; /* what other files are taken to contain; NULL: what they do */
    text_list touched;  /* files that are asked for with all units that read them; not as units */
    text_list dropped;  /* files of the database that are no part of the program */
    text_list added;    /* files that are asked for, unless the configuration leaves them out */
    text_list program;  /* files that are units of it, and not asked for */
    const char *root;   /* where things are kept if there is no database; NULL: look for it */
    bool past_errors;   /* analyse what stands behind a call that always fails, too */
    const char *output; /* -o; NULL: standard output */
    const char *layout; /* of pictures: dot, plain; NULL: dot where it is installed */
    struct session *session; /* of a process that checks again and again; NULL: none */
    bool facts;              /* of check: they are wanted, not only findings */
    /* Of summarize, link, and check --shard. */
    const char *depfile, *depfile_target;
    const char *tree;  /* --root: paths below it are kept as such; NULL: look for it */
    int shard, shards; /* this one, from 1, of so many; 0: no shards */
    bool has_flags;    /* there is a "--", and behind it: */
    text_list flags;   /* a compiler's */
    bool json;
    bool stdio;       /* nothing else is spoken over: for editors that say it */
    bool notes_reads; /* inputs keep what they were made of */
};

struct command {
    const char *name, *operands, *summary;
    const char *options; /* the keys of those it takes, beside help (option.def) */
    int least, most;     /* operands; -1: any number */
    bool takes_flags;    /* what stands behind "--" are a compiler's */
    enum exit_code (*run)(const struct options *o);
    const char *more; /* the rest of its help */
};

extern const struct command commands[];
extern const int command_count;
const struct command *command_named(const char *name, struct error *e); /* NULL: e says what is */

/* False: e says what is wrong with the arguments. */
bool options_parse(struct arena *a, int argc, char **argv, struct options *o, struct error *e);
void options_help(const struct command *c, FILE *out); /* NULL: of the program */

/* The options as they stand in option.def. */
struct option_row {
    char letter; /* the short form; '\0': none */
    const char *name, *value, *summary;
};
int option_count(void);
struct option_row option_at(int i);
bool command_takes(const struct command *c, int option);

/* shell_word.c: the path, quoted for the shell where that is needed, in a line that can be copied.
 */
const char *shell_word(struct arena *a, const char *path);

/* "miscast: error: place: message" on stderr. */
enum exit_code say_error(const struct error *e);

/* ---- a project ----------------------------------------------------------------------------- */

/* A file to be analysed, and what became of it. */
struct input {
    const char *file; /* as the user would name it */
    const char *directory;
    const char *const *flags;
    int flag_count;
    struct ir_unit *unit; /* NULL: it could not be parsed, or all that is wanted of it is kept */
    struct error error;
    bool is_listed;  /* in the database: the flags are its own */
    bool is_touched; /* it was made of one of the files options.touched names */
    bool is_parsed;  /* what is told of it stands here, be it there or not: */
    int errors, notes;
    const char *first_error;
    struct digest key, contents; /* what it is kept by, and what stands for all it was made of */
    bool is_kept;                /* in the store, as it would be made now */
    const char *text;            /* from there; NULL: it is made anew */
    struct clang_reads *reads;   /* of one that was made anew, and is to be kept */
    struct text printed;
    bool is_given;                  /* by a summary: it is as it is, be there a text or an error */
    const struct ir_naming *naming; /* of the files in the text; NULL: as they are */
    int flags_left_out;
    bool is_taken;              /* the unit is the session's */
    LIST(struct digest) pieces; /* what stands for each function with a body, */
    struct digest around;       /* and for the globals */
};

struct project {
    struct arena *arena;
    struct names *names;
    const struct options *options;
    const char *here; /* the current folder; "": not known */
    struct clang *clang;
    struct database *database;  /* NULL: none found, or all that it says is kept */
    const char *database_path;  /* as the user would name it */
    const char *database_file;  /* the same, absolute */
    struct kept *kept;          /* NULL: nothing is */
    struct state_folder *state; /* where; NULL: nowhere, or not asked for yet */
    bool is_state_known;
    text_list asked;           /* files the user named, sorted, each once */
    struct map *found;         /* of those, which only stood in a folder */
    const char *unsaved;       /* of those, the one whose text was given; NULL: none */
    struct map *touched;       /* of files that units were made of, which were touched */
    struct overlay overlay;    /* texts that stand for files, with that one's */
    LIST(struct input) inputs; /* by file */
    LIST(struct ir_unit *) units;
    struct pack_set *packs;
    struct flow *flow; /* NULL: not yet, or all that is wanted of it is kept */
    bool is_analysed;  /* what is told of it stands here: */
    struct flow_counts counts;
    bool *assumptions_used;
    bool linked;            /* all of the database is in it */
    int summaries;          /* that the units come from; 0: they were parsed, or are kept */
    int shares;             /* those are all shares of one run; 0: each is of a unit */
    bool has_default_flags; /* of some file the database says nothing */
    int unlisted;           /* C files in the folders that were asked for, not in the database */
    const char *first_unlisted;
    int flags_left_out; /* which only another compiler knows, or which would run code */
    struct headers *headers;
    struct map *real_paths; /* by path */
    struct sources *sources;
};

/* called_functions.c: the names of functions in the units, and whether one is among them. */
struct map *called_in(struct arena *a, struct ir_unit *const *units, int count);
bool is_called(const void *called, const char *function);

/* files: those the command is about. False: e says why nothing could be done. */
bool project_lower(struct project *p, const struct options *o, const text_list *files,
                   struct error *e);
bool project_analyse(struct project *p, const struct options *o, const text_list *files,
                     struct error *e);
/* Only which files are asked for. */
bool project_ask(struct project *p, const struct options *o, const text_list *files,
                 struct error *e);
/* And where the database is. */
bool project_find(struct project *p, const struct options *o, const text_list *files,
                  struct error *e);
/* The two halves of it: which files there are, how they are compiled and which of them are kept;
 * and all the rest. */
bool project_prepare(struct project *p, const struct options *o, const text_list *files,
                     struct error *e);
bool project_infer(struct project *p, struct error *e);
/* Units could not be parsed, or not wholly. */
bool project_is_incomplete(const struct project *p);
/* Only the units, of those inputs that are not there. */
bool project_read_units(struct project *p, struct error *e);
void project_sort(struct project *p); /* the inputs, by file */
/* Ends a run: says on stderr what could not be analysed, then the coverage line. */
enum exit_code project_close(struct project *p);
void project_free(struct project *p); /* the same without a word */

/* From here on all of it has to end within five times what its units may take to be parsed: on a
 * busy machine that may be four times as long by the clock. A server is watched by others. */
void project_limit(const struct project *p);

int processors(void); /* that this process may use */
/* Asks for the units of which it is known that they were made of what was touched. */
void project_ask_touched(struct project *p);

/* dependents.c: which units those are, of the kept ones and of those that were parsed. */
void touched_find_kept(struct project *p);
void touched_find_read(struct project *p);
/* Whether the file is no unit of the program, though the database has it; whether it was touched,
 * and is none of its own. */
bool is_dropped(struct project *p, const char *file);
bool is_touched_part(struct project *p, const char *file);

/* Only the files that are not kept, or were changed. */
bool project_lower_new(struct project *p, struct error *e);
/* The unit of an input that is kept; NULL: it cannot be read after all. */
struct ir_unit *project_unit(struct project *p, struct input *in);
/* packs.c: a mistake in the user's is to be known before the program is parsed. */
bool project_check_packs(struct project *p, struct error *e);
/* For the functions that is_wanted says, by their names. */
bool project_load_packs(struct project *p,
                        bool (*is_wanted)(const void *data, const char *function), const void *data,
                        struct error *e);

/* Whether the two name one file. Paths must live as long as the project: they are asked for often.
 */
bool project_same_file(struct project *p, const char *a, const char *b);
/* Links are not among what is found in folders: that need not be asked again. */
void project_is_no_link(struct project *p, const char *path);
/* The file it really is, absolute. */
const char *project_real(struct project *p, const char *path);
/* A path as the user would name it: below the current directory a relative one. */
const char *project_shown(struct project *p, const char *path);
/* The source of a file that is part of it; NULL if it cannot be read. */
const struct source *project_source(struct project *p, const char *path);
/* What stands at the span, cut to so many columns. */
const char *project_text(struct project *p, const struct span *span, int columns);
/* "not c->half", "bits is 16". */
const char *project_condition(struct project *p, const struct condition *c, int columns);

/* Loads libclang, and reads the database, if that was not done yet. */
bool project_open_clang(struct project *p, struct error *e);
bool project_open_database(struct project *p, struct error *e);

/* ---- what comes along ------------------------------------------------------------------------ */

/* The folder that the program's bin is in, and share if it is installed; NULL: not known. */
const char *installed_prefix(struct arena *a);
/* The folder of the packs: $MISCAST_PACKS, else the one that is installed, else the source's. */
const char *installed_packs(struct arena *a);
/* The packs in it, by name. */
bool installed_pack_files(struct arena *a, text_list *out, struct error *e);
/* The folder that <miscast/tensor.h> is in; NULL if it is not found. */
const char *installed_headers(struct arena *a);
/* tensor_header.c: adds that folder to flags that do not get at one with the header. */
struct headers;
struct compile;
struct headers *headers_new(struct arena *a);
void headers_add(struct headers *h, struct compile *how);
/* The folder of what is said about each rule; NULL if it is not found. */
const char *installed_docs(struct arena *a);

enum exit_code coverage_print(const struct project *p);
/* Only the line of it that sums all up. */
enum exit_code coverage_sum(const struct project *p);
/* What is wrong with one file; false: there is nothing to say. */
bool coverage_say_trouble(const struct input *in);
bool coverage_has_trouble(const struct input *in);
/* Whether there is no file that could be analysed to its end. */
bool coverage_is_nothing(const struct project *p);
/* How to get a database, and what is looked at without one besides the files. */
void coverage_say_no_database(const char *others);

/* ---- places that mention a tensor ----------------------------------------------------------- */

enum mention_kind {
    MENTION_PARAMETER, /* of a function, where it is declared */
    MENTION_READ,
    MENTION_WRITTEN, /* what was assigned there */
    MENTION_RESULT,  /* of a call */
    MENTION_REVEAL,  /* what the user asks to be told */
    MENTION_FAILURE  /* a call that can fail: there is no value */
};

struct mention {
    enum mention_kind kind;
    struct span span;
    const struct ir_function *function;
    const char *name; /* as it stands in the source */
    struct fact fact;
    bool reached;                   /* false: no path gets here; there is no fact */
    bool fails;                     /* not reached: a call that always fails */
    const struct span *cut;         /* not reached: the analysis was cut short there; or NULL */
    const struct flow_value *value; /* NULL if not reached */
    const struct flow_failure *failure;
    int order; /* in which they were found: where all else is equal, the first comes first */
};

typedef LIST(struct mention) mention_list;

/* All in the file, by place. */
void mentions_find(struct project *p, const struct source *s, mention_list *out);
/* "f16 cuda", "not reached", "gives no result: it fails", "dtype" for what fails. */
const char *mention_fact(struct arena *a, const struct mention *m);

/* The narrowest that holds the place; NULL: none does. Columns are bytes, from 1. */
const struct mention *mention_at(const mention_list *l, int line, int column);

/* ---- how a tensor came to what it is --------------------------------------------------------- */

enum { CHAIN_MAX = 64 };
/* From the mention back to where it was decided. */
struct chain {
    const struct step *steps[CHAIN_MAX];
    int count;
    bool cut; /* it goes on */
};
typedef LIST(struct chain) chain_list;
/* The shortest first; none, if nothing is known of it. */
void chains_of(struct arena *a, const struct mention *m, chain_list *out);

/* What a function that nobody calls needs of its arguments, a line each; nothing, if it is called
 * or needs nothing. */
void contract_print(struct project *p, const struct ir_function *f, struct text *out);

/* ---- commands ------------------------------------------------------------------------------ */

enum exit_code summarize_run(const struct options *o);
enum exit_code link_run(const struct options *o);
enum exit_code history_run(const struct options *o);
enum exit_code diff_run(const struct options *o);
enum exit_code types_run(const struct options *o);
enum exit_code trace_run(const struct options *o);
enum exit_code ir_run(const struct options *o);
enum exit_code contracts_run(const struct options *o);
enum exit_code graph_run(const struct options *o);
enum exit_code report_run(const struct options *o);
enum exit_code check_run(const struct options *o);
enum exit_code verify_run(const struct options *o);
enum exit_code baseline_run(const struct options *o);
enum exit_code rules_run(const struct options *o);
enum exit_code explain_run(const struct options *o);
enum exit_code config_run(const struct options *o);
enum exit_code doctor_run(const struct options *o);
enum exit_code clean_run(const struct options *o);
enum exit_code hook_run(const struct options *o); /* frontends/hook */
enum exit_code completion_run(const struct options *o);
enum exit_code manual_run(const struct options *o);
enum exit_code lsp_run(const struct options *o); /* frontends/lsp */

#endif
