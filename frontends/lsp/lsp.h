/* frontends/lsp: miscast lsp, the language server. Messages of an editor come in over standard
 * input, answers and diagnostics go out over standard output (LSP 3.17).
 *
 *   wire.h         bytes → messages
 *   keeper.h       another process, which outlives it
 *   inbox.c        a thread reads; messages wait here, and requests are cancelled
 *   server.c       the loop, and the methods, one row each
 *   begin.c        initialize: what the client can, what we can; settings
 *   documents.c    the texts that are open
 *   place.c        positions and URIs
 *   runs.c         which files are checked together
 *   databases.c    which units a database has
 *   look.c         a program as it is now
 *   checks.c       when it is looked at, and what is held of that
 *   diagnostics.c  findings → diagnostics
 *   hover.c        what a tensor is, and how it came to that
 *   hints.c        the same, short, in the text
 *   actions.c      fixes, comments that suppress
 *   commands.c     what actions ask for: verify, baseline
 *   child.c        work that another process does
 *   notes.c        what people are told: progress, messages
 *
 * One thread does all the work, in the order in which messages came; only reading is done by
 * another. What is checked is what `miscast check` checks, by the same code, with the texts that
 * are open in place of the files. */
#ifndef FRONTENDS_LSP_H
#define FRONTENDS_LSP_H

#include "frontends/driver/driver.h"
#include "frontends/lsp/keeper.h"

#include <jansson.h>
#include <pthread.h>
#include <strings.h>
#include <sys/types.h>

/* ---- messages ------------------------------------------------------------------------------- */

enum lsp_error {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803,
    LSP_CANCELLED = -32800,
};

struct inbox;
struct inbox *inbox_open(int fd, uint64_t from); /* the number of its first byte */
void inbox_close(struct inbox *b);
/* Nothing more comes once that process has ended, whoever else holds its end of the pipe. */
void inbox_watch(struct inbox *b, json_int_t process);
/* What came, or came apart. */
struct letter {
    json_t *message;      /* NULL: it is none, */
    enum lsp_error wrong; /* for this reason, */
    const char *why;
    bool is_end;         /* or nothing more comes, */
    uint64_t end;        /* the number of the byte behind it; 0: it came from nowhere */
    struct child *child; /* or another process is done */
};
/* Waits no longer than that (-1: as long as it takes); false: nothing came. */
bool inbox_take(struct inbox *b, int milliseconds, struct letter *out);
bool inbox_is_empty(struct inbox *b);
/* Whether the request was taken back; asked once, for it then is forgotten. */
bool inbox_cancelled(struct inbox *b, const json_t *id);
/* Of another thread: a process is done. */
void inbox_put_child(struct inbox *b, struct child *c);

/* ---- documents ------------------------------------------------------------------------------ */

/* A text that is open. */
struct document {
    const char *uri;  /* as the client writes it */
    const char *path; /* of the file, real where there is one */
    struct text text;
    json_int_t version;
    bool has_version;
    struct document *next;
};

/* What a file was called by the client when it last opened it: what is told of the file later is
 * told under that name, for another spelling would be another file to it. */
struct spelled {
    const char *path, *uri;
};

/* ---- the session ---------------------------------------------------------------------------- */

/* What the client says it can. */
struct client {
    bool utf8;        /* positions in bytes were agreed on */
    bool related;     /* relatedInformation */
    bool unnecessary; /* the tag */
    bool code_description;
    bool pulls;            /* asks for diagnostics itself, */
    bool refreshes_pulled; /* and can be told to ask again */
    bool refreshes_hints;
    bool progress, watches, markdown, document_changes, shows_documents;
};

struct settings {
    int debounce; /* milliseconds */
    int patience; /* how long a hover may wait for facts, in milliseconds */
    bool hints, hints_on_calls;
    bool trusted; /* code of the workspace may be run, when it is asked for */
    text_list select, ignore, extend_select, packs, assume;
    const char *config, *database, *cache_dir;
    bool no_cache;
    int timeout, jobs;
};

/* Of the workspace; a link may lead to it. */
struct folder {
    const char *real, *named; /* by the client */
};

struct server {
    struct arena *arena;   /* of the session */
    struct arena *scratch; /* until the message is done with */
    struct inbox *inbox;
    int out;
    struct client client;
    struct settings settings;
    json_t *given; /* the settings, as the client gave them, */
    json_t *begun; /* and as they were at first; NULL: it did not begin */
    struct arena *settings_arena;
    const json_t *id; /* of the request that is being answered */
    bool initialized, shut_down, ended;
    LIST(struct folder) folders;
    struct document *documents;
    LIST(struct spelled) spelled;
    struct session *session; /* what is kept from check to check */
    struct run *runs;
    struct units_known *databases;
    json_int_t next_id; /* of requests of ours */
    int64_t due;        /* when to check, in ms; 0: there is nothing to check */
    int64_t last_change;
    uint64_t uses;
    int64_t warm_at; /* when to do things ahead of time; 0: there are none */
    struct child *children;
    struct shared *shared; /* with the keeper; NULL: there is none */
    json_t *said;          /* messages by which the next server can begin, */
    char *said_text;       /* and the same as text */
    bool is_estate_old;
    bool is_beginning; /* nothing is sent: the client knows all that */
    struct left_alone *left_alone;
};

/* A document that a server died of: it is not looked at until it changes. */
struct left_alone {
    char *path, *why;
    struct left_alone *next;
};

enum exit_code lsp_run(void);

/* ---- server.c ------------------------------------------------------------------------------- */

void server_reply(struct server *s, json_t *result); /* takes the result */
void server_fail(struct server *s, enum lsp_error code, const char *fmt, ...) PRINTF_LIKE(3, 4);
void server_notify(struct server *s, const char *method, json_t *params); /* takes params */
void server_request(struct server *s, const char *method, json_t *params);
int64_t now_ms(void);
/* A member of a member …, names with dots between; NULL: it is not there. */
json_t *json_at(const json_t *o, const char *path);

/* estate.c */
enum { DOCUMENTS_MAX = 1024 }; /* that the next server is told of */
void estate_note(struct server *s, const char *method, const json_t *params);
/* done: up to this byte; 0: as before. */
void estate_write(struct server *s, uint64_t done);
void estate_read(struct server *s);
const struct left_alone *left_alone(const struct server *s, const char *path); /* NULL: it is not */
void leave_alone(struct server *s, const char *path, const char *why);
void try_again(struct server *s, const char *path); /* NULL: all */
/* A message of the one before. */
void server_repeat(struct server *s, const json_t *message);

/* What a method does with its params; a request has to be answered. */
typedef void method_function(struct server *s, const json_t *params);

method_function on_initialize, on_initialized, on_configuration, on_folders; /* begin.c */
method_function on_open, on_change, on_close, on_save;                       /* documents.c */
method_function on_watched;                                                  /* runs.c */
method_function on_pull;                                                     /* diagnostics.c */
method_function on_hover, on_decided;                                        /* hover.c */
method_function on_hints;                                                    /* hints.c */
method_function on_actions;                                                  /* actions.c */
method_function on_command;                                                  /* commands.c */

/* The commands of workspace/executeCommand, for initialize. */
json_t *command_names(void);

/* ---- place.c -------------------------------------------------------------------------------- */

bool is_word(char c); /* part of a name */

/* How long so many bytes are for the client; how many bytes it means by so many units. */
size_t units_in(const char *text, size_t bytes, bool utf8);
size_t bytes_before(const char *text, size_t length, size_t units, bool utf8);
/* Where that is in the text; beyond the end of a line or text: there. */
size_t offset_at(const char *text, size_t length, int64_t line, int64_t character, bool utf8);
/* The client's place as spans count; false: there is no such line. */
bool place_at(const struct source *s, int64_t line, int64_t character, bool utf8, int *our_line,
              int *our_column);
/* How a text became another: so many of the client's lines are the same at its beginning, and so
 * many at its end. */
struct line_shift {
    int64_t before, behind; /* lines that are the same */
    int64_t old_lines, new_lines;
};
struct line_shift lines_shifted(const char *old, size_t old_length, const char *now, size_t length);
/* Where a line went, or came from; -1: it is not the same any more. */
int64_t line_now(const struct line_shift *s, int64_t old_line);
int64_t line_before(const struct line_shift *s, int64_t line);
/* source: what the span is in; NULL: it cannot be read. */
json_t *range_of(const struct server *s, const struct source *source, const struct span *span);
bool read_position(const json_t *position, int64_t *line, int64_t *character);
/* What is not UTF-8 in it becomes U+FFFD. */
json_t *text_json(const char *text);
/* The same for people to read: nothing in it could be obeyed by what shows it. */
json_t *shown_json(const char *text);
json_t *uri_of(struct arena *a, const char *path);
/* As the client writes it, if it is open or was. */
json_t *document_uri(struct server *s, struct arena *a, const char *path);
const char *path_of_uri(struct arena *a, const char *uri); /* NULL: it is no file */

/* ---- documents.c ---------------------------------------------------------------------------- */

struct document *document_of(struct server *s, const json_t *params); /* NULL: it is not open */
/* The one that changed last, if it is open by two names. */
struct document *document_at(struct server *s, const char *path);
void documents_free(struct server *s);

/* ---- runs.c, look.c, checks.c ---------------------------------------------------------------- */

/* A check that was made, and all that it found: what is asked later is asked of this. */
struct looked {
    struct arena *arena;
    struct request request;
    struct checking check;
    struct mentions_of *mentions; /* by file, once asked for */
};

/* Files that are checked together, as one program. */
struct run {
    const char *key;
    const char *folder; /* the current one of the check */
    struct arena *arena;
    LIST(struct document *) documents; /* open, by path */
    int count_before;
    struct arena *published_arena;
    text_list published; /* real paths of files that the client shows diagnostics of */
    struct request request;
    struct looked *last;   /* NULL: nothing came of it, or it is not held any more */
    struct looked *facts;  /* the last with facts, maybe of texts that changed since; NULL: none */
    int64_t facts_ms;      /* what these took */
    json_t *told;          /* diagnostics by path, as they were found last; NULL: never */
    bool has_other_units;  /* than those of its documents */
    bool gave_old_hints;   /* that were asked for since something changed */
    bool is_stale;         /* something changed since */
    uint64_t used;         /* when what came of it was asked for last */
    struct error error;    /* why nothing came of it; told already */
    struct child *indexer; /* reads the rest of the program; NULL: none does */
    bool is_indexed;       /* one did */
    struct run *next;
};

/* Where programs that reproduce its findings are written. */
const char *reproducers_folder(struct arena *a, struct run *r);
/* Something that all rests on changed: a document, or, with NULL, anything. */
void runs_touch(struct server *s, const struct document *d);
/* Opened and closed documents find their runs. */
void runs_arrange(struct server *s);
void runs_free(struct server *s);
/* As if none had been made. */
void runs_forget(struct server *s);

bool is_header(const char *path);
bool is_below(const char *path, const char *folder);
bool is_unit_of(struct server *s, const char *database, const char *path);
void databases_free(struct server *s);

/* facts: of all; without, findings are enough, and only what a change concerns is run again. NULL:
 * nothing came of it, and e says why. */
struct looked *look(struct server *s, struct run *r, bool facts, struct error *e);
void looked_free(struct looked *l);
/* What stands in a file, by place. */
const mention_list *looked_mentions(struct looked *l, const char *path);
/* The text of a file as it was looked at. */
const struct source *looked_source(struct looked *l, const char *path);
/* Findings as they are told: those of one cause once, as in a check. */
finding_list looked_told(struct looked *l);
bool is_asked_for(const struct project *p, const struct input *in);

/* The innermost folder of the workspace that the file is in; NULL: none. */
const struct folder *folder_of(const struct server *s, const char *path);
/* Checks what is stale, and tells it. */
void runs_check(struct server *s);
/* Does a step of what makes the next check quicker. */
void runs_warm(struct server *s);
/* The run of a document, with what is told of it up to date; NULL: nothing is known of it. */
struct run *run_told(struct server *s, const struct document *d);
/* The same, with all that was found. */
struct run *run_of(struct server *s, const struct document *d);
/* The same, with what is known of all tensors. */
struct run *run_with_facts(struct server *s, const struct document *d);
/* What is known of all tensors; of a text that changed since, if it would take long to know. */
struct looked *facts_for(struct server *s, const struct document *d, struct run **r);
/* Frees what was found. */
void run_let_go(struct run *r);

/* ---- the rest ------------------------------------------------------------------------------- */

/* diagnostics.c */
json_t *location_of(struct server *s, struct looked *l, const struct span *span);
void diagnostics_publish(struct server *s, struct run *r);
/* The same where nothing is looked at. */
void diagnostics_publish_none(struct server *s, struct run *r);
void diagnostics_clear(struct server *s, struct run *r);
/* A file is about to be opened: what it was said to have is asked for from now on, or told under
 * that name. */
void diagnostics_withdraw(struct server *s, const char *path, const char *uri);
/* Nothing is told under that name any more. */
void diagnostics_end(struct server *s, const char *uri);
json_t *diagnostic_of(struct server *s, struct run *r, const struct finding *f);
/* The real path of the file that a finding of the run is in. */
const char *finding_path(struct run *r, const struct finding *f);

/* commands.c: those of another process that makes the same check */
text_list run_arguments(struct server *s, const struct run *r, const char *command);

/* notes.c */
struct task_note {
    json_int_t token;
    bool shown;
};
struct task_note note_begin(struct server *s, const char *title);
void note_report(struct server *s, const struct task_note *n, const char *message, int percent);
void note_end(struct server *s, const struct task_note *n, const char *message);

enum message_kind { MESSAGE_ERROR = 1, MESSAGE_WARNING, MESSAGE_INFO, MESSAGE_LOG };
void tell_user(struct server *s, enum message_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
void tell_log(struct server *s, enum message_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* child.c */
struct child {
    struct arena *arena;
    struct inbox *inbox;
    pthread_t waiter;
    pid_t pid;
    int fd, status;
    struct text output; /* what it wrote, once it is done */
    void (*done)(struct server *s, struct child *c);
    /* For those who wait for it. */
    json_t *id; /* of the request to answer */
    struct task_note note;
    char identity[17];
    const char *folder;
    struct child *next;
};
/* This program with other arguments, in the folder. NULL: it could not be started. */
struct child *child_start(struct server *s, const char *folder, const text_list *arguments,
                          void (*done)(struct server *s, struct child *c));
void child_ended(struct server *s, struct child *c);
void children_end(struct server *s);

#endif
