/* frontends/lsp: miscast lsp, the language server. An editor's messages come in over standard
 * input, answers and diagnostics go out over standard output (LSP 3.17).
 *
 *   wire.c         bytes → messages
 *   supervisor.h   the process that restarts the server
 *   inbox.c        a thread that reads; the queue of messages; cancelled requests
 *   send.c         replies, notifications and requests to the client
 *   server.c       the main loop, and the methods, one row each
 *   initialize.c   initialize: capabilities of both sides; settings
 *   documents.c    the open texts
 *   positions.c    positions and URIs
 *   programs.c     which files are checked together
 *   databases.c    which units a compilation database has
 *   analysis.c     a check of the current texts
 *   schedule.c     when to check, and which results to keep
 *   diagnostics.c  findings → diagnostics
 *   hover.c        what a tensor is, and where that was decided
 *   hints.c        inlay hints
 *   actions.c      code actions: fixes, suppression comments
 *   commands.c     commands of actions: verify, baseline
 *   aside.c        answers while a check is under way
 *   subprocess.c   work done by another process
 *   progress.c     progress and messages for the user
 *
 * One thread does all the work, in the order of messages; only reading is done by another, and what
 * it reads while a check takes long is answered by a copy of the process, if older results answer
 * it. A check is the one of `miscast check`, by the same code, with the open texts in place of the
 * files. */
#ifndef FRONTENDS_LSP_H
#define FRONTENDS_LSP_H

#include "frontends/driver/driver.h"
#include "frontends/lsp/supervisor.h"

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
struct server;
/* from: the number of the first byte; leaving: set, once nothing more will come, to the time. */
struct inbox *inbox_open(struct server *s, int fd, uint64_t from, _Atomic int64_t *leaving);
void inbox_close(struct inbox *b);
/* Ends when that process ends, whoever else holds its end of the pipe. */
void inbox_watch(struct inbox *b, json_int_t process);
/* What arrived. */
struct letter {
    json_t *message;      /* NULL: there is none, */
    enum lsp_error wrong; /* for this reason, */
    const char *why;
    bool is_end;         /* or the input has ended, */
    uint64_t end;        /* the number of the byte after it; 0: it did not come from the client */
    struct child *child; /* or another process has finished */
};
/* Waits at most that long (-1: without a limit); false: nothing arrived. */
bool inbox_take(struct inbox *b, int milliseconds, struct letter *out);
bool inbox_is_empty(struct inbox *b);
/* Whether the request was cancelled; the cancellation is then forgotten. */
bool inbox_cancelled(struct inbox *b, const json_t *id);
/* Called by another thread: a process has finished. */
void inbox_put_child(struct inbox *b, struct child *c);

/* ---- documents ------------------------------------------------------------------------------ */

/* An open text. */
struct document {
    const char *uri;  /* as the client writes it */
    const char *path; /* of the file, real if it exists */
    struct text text;
    json_int_t version;
    bool has_version;
    struct document *next;
};

/* The name under which the client last opened a file: later reports about the file use it, since
 * the client would take another spelling for another file. */
struct spelled {
    const char *path, *uri;
};

/* ---- the session ---------------------------------------------------------------------------- */

/* The client's capabilities. */
struct client {
    bool utf8;        /* positions in bytes were agreed on */
    bool related;     /* relatedInformation */
    bool unnecessary; /* the tag */
    bool code_description;
    bool pulls;            /* requests diagnostics itself, */
    bool refreshes_pulled; /* and can be asked to do so again */
    bool refreshes_hints;
    bool progress, watches, markdown, document_changes, shows_documents;
};

struct settings {
    int debounce; /* milliseconds */
    int patience; /* how long a hover may wait for facts, in milliseconds */
    bool hints, hints_on_calls;
    bool trusted; /* code of the workspace may be run on request */
    text_list select, ignore, extend_select, packs, assume;
    const char *config, *database, *cache_dir;
    bool no_cache;
    int timeout, jobs;
};

/* A folder of the workspace; may be a symbolic link. */
struct folder {
    const char *real, *named; /* the real path, and the client's name */
};

/* What a message is to requests that are answered during a check. */
enum aside_kind {
    ASIDE_WAITS,   /* and so does all behind it */
    ASIDE_CHANGES, /* a text: what is behind it is about the new one */
    ASIDE_READS,
    ASIDE_READS_HINTS
};

/* Between the thread that checks and the one that reads. */
struct aside {
    enum aside_kind (*kind)(const json_t *message);
    /* In a copy: makes the changes of a message; answers one, and ends. */
    void (*change)(struct server *s, const json_t *message);
    void (*answer)(struct server *s, const json_t *message);
    pthread_mutex_t steady;  /* free only while a check is under way: results stay as they are */
    pthread_mutex_t posting; /* held while a message is written */
    struct run *run;         /* that is checked */
    int64_t since, expected; /* when the check began, and how long the last one took, in ms */
    bool gave_hints;         /* of older results, since the check began */
};

struct server {
    struct arena *arena;   /* of the session */
    struct arena *scratch; /* until the message has been processed */
    struct inbox *inbox;
    int out;
    struct client client;
    struct settings settings;
    json_t *given; /* the settings as the client sent them, */
    json_t *begun; /* and the initial ones; NULL: not initialised */
    struct arena *settings_arena;
    const json_t *id; /* of the request being answered */
    bool initialized, shut_down, ended;
    LIST(struct folder) folders;
    struct document *documents;
    LIST(struct spelled) spelled;
    struct session *session; /* what is kept between checks */
    struct run *runs;
    struct units_known *databases;
    json_int_t next_id; /* of our own requests */
    int64_t due;        /* when to check, in ms; 0: nothing to check */
    int64_t last_change;
    uint64_t uses;
    int64_t warm_at; /* when to work ahead; 0: nothing to do */
    struct child *children;
    struct shared *shared; /* with the supervisor; NULL: there is none */
    json_t *said;          /* messages from which the next server can start, */
    char *said_text;       /* and the same as text */
    bool is_estate_old;
    bool is_beginning; /* nothing is sent: the client knows it already */
    bool is_aside;     /* a copy that answers one request while the other checks */
    struct aside aside;
    struct left_alone *left_alone;
};

/* A document that killed a server: it is skipped until it changes. */
struct left_alone {
    char *path, *why;
    struct left_alone *next;
};

enum exit_code lsp_run(void);

/* ---- server.c ------------------------------------------------------------------------------- */

void server_reply(struct server *s, json_t *result); /* takes the result */
void server_fail(struct server *s, enum lsp_error code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* id NULL: the request has none that could be read. */
void server_fail_for(struct server *s, const json_t *id, enum lsp_error code, const char *message);
void server_notify(struct server *s, const char *method, json_t *params); /* takes params */
void server_request(struct server *s, const char *method, json_t *params);
int64_t now_ms(void);
/* Bytes of whole messages. */
void server_write(struct server *s, const char *bytes, size_t count);
/* A member by its path, names separated by dots; NULL: not there. */
json_t *json_at(const json_t *o, const char *path);

/* handover.c */
enum { DOCUMENTS_MAX = 1024 }; /* that are handed over to the next server */
void estate_note(struct server *s, const char *method, const json_t *params);
/* done: up to this byte; 0: as before. */
void estate_write(struct server *s, uint64_t done);
typedef void message_function(struct server *s, const json_t *message);
/* repeat: called for each message of the previous server from which this one can start. */
void estate_read(struct server *s, message_function *repeat);
const struct left_alone *left_alone(const struct server *s,
                                    const char *path); /* NULL: it is not skipped */
void leave_alone(struct server *s, const char *path, const char *why);
void try_again(struct server *s, const char *path); /* NULL: all */

/* A method, with its params; a request must be answered. */
typedef void method_function(struct server *s, const json_t *params);

method_function on_initialize, on_initialized, on_configuration, on_folders; /* initialize.c */
method_function on_open, on_change, on_close, on_save;                       /* documents.c */
method_function on_watched;                                                  /* programs.c */
method_function on_pull;                                                     /* diagnostics.c */
method_function on_hover, on_decided;                                        /* hover.c */
method_function on_hints;                                                    /* hints.c */
method_function on_actions;                                                  /* actions.c */
method_function on_command;                                                  /* commands.c */

/* The commands of workspace/executeCommand, for initialize. */
json_t *command_names(void);

/* ---- positions.c --------------------------------------------------------------------------------
 */

bool is_word(char c); /* part of a name */

/* The length of bytes in the client's units, and the reverse. */
size_t units_in(const char *text, size_t bytes, bool utf8);
size_t bytes_before(const char *text, size_t length, size_t units, bool utf8);
/* The offset in the text; beyond the end of a line or text: its end. */
size_t offset_at(const char *text, size_t length, int64_t line, int64_t character, bool utf8);
/* The client's position in span coordinates; false: there is no such line. */
bool place_at(const struct source *s, int64_t line, int64_t character, bool utf8, int *our_line,
              int *our_column);
/* How a text was edited: how many of the client's lines are unchanged at its start and at its end.
 */
struct line_shift {
    int64_t before, behind; /* unchanged lines */
    int64_t old_lines, new_lines;
};
struct line_shift lines_shifted(const char *old, size_t old_length, const char *now, size_t length);
/* Where a line moved to, or came from; -1: it changed. */
int64_t line_now(const struct line_shift *s, int64_t old_line);
int64_t line_before(const struct line_shift *s, int64_t line);
/* source: the text of the span's file; NULL: it cannot be read. */
json_t *range_of(const struct server *s, const struct source *source, const struct span *span);
bool read_position(const json_t *position, int64_t *line, int64_t *character);
/* Invalid UTF-8 becomes U+FFFD. */
json_t *text_json(const char *text);
/* The same for display: without control characters. */
json_t *shown_json(const char *text);
json_t *uri_of(struct arena *a, const char *path);
/* As the client writes it, if it is or was open. */
json_t *document_uri(struct server *s, struct arena *a, const char *path);
const char *path_of_uri(struct arena *a, const char *uri); /* NULL: not a file */

/* ---- documents.c ---------------------------------------------------------------------------- */

struct document *document_of(struct server *s, const json_t *params); /* NULL: not open */
/* The one that changed last, if it is open under two names. */
struct document *document_at(struct server *s, const char *path);
void documents_free(struct server *s);

/* ---- programs.c, analysis.c, schedule.c
 * ---------------------------------------------------------------- */

/* A finished check with all its results, for later queries. */
struct looked {
    struct arena *arena;
    struct request request;
    struct checking check;
    struct mentions_of *mentions; /* by file, cached */
};

/* Files that are checked together, as one program. */
struct run {
    const char *key;
    const char *folder; /* the working directory of the check */
    struct arena *arena;
    LIST(struct document *) documents; /* open, by path */
    int count_before;
    struct arena *published_arena;
    text_list published; /* real paths of files for which the client shows diagnostics */
    struct request request;
    struct looked *last;   /* NULL: it failed, or was dropped */
    struct looked *facts;  /* the last one with facts, perhaps of older texts; NULL: none */
    int64_t facts_ms;      /* how long these took, */
    int64_t check_ms;      /* and the last check without them */
    json_t *told;          /* diagnostics by path, as last found; NULL: never */
    bool has_other_units;  /* other than its documents */
    bool gave_old_hints;   /* hints were requested since something changed */
    bool is_stale;         /* something changed since */
    uint64_t used;         /* when its results were last used */
    struct error error;    /* why there is no result; reported already */
    struct child *indexer; /* parses the rest of the program; NULL: none */
    bool is_indexed;       /* one has finished */
    struct run *next;
};

/* Where programs that reproduce its findings are written. */
const char *reproducers_folder(struct arena *a, struct run *r);
/* A dependency changed: a document, or, with NULL, anything. */
void runs_touch(struct server *s, const struct document *d);
/* Assigns opened and closed documents to their programs. */
void runs_arrange(struct server *s);
void runs_free(struct server *s);
/* Drops all results. */
void runs_forget(struct server *s);

bool run_enter(const char *folder);
bool is_unit_of(struct server *s, const char *database, const char *path);
void databases_free(struct server *s);

/* facts: compute all of them; without, findings are enough, and only what is affected by a change
 * is run again. NULL: it failed, and e says why. */
struct looked *look(struct server *s, struct run *r, bool facts, struct error *e);
void looked_free(struct looked *l);
/* The mentions in a file, by position. */
const mention_list *looked_mentions(struct looked *l, const char *path);
/* The text of a file as it was checked. */
const struct source *looked_source(struct looked *l, const char *path);
/* Findings as reported: those with one cause once, as in a check. */
finding_list looked_told(struct looked *l);
bool is_asked_for(const struct project *p, const struct input *in);

/* The innermost workspace folder that contains the file; NULL: none. */
const struct folder *folder_of(const struct server *s, const char *path);
/* Checks what is stale, and publishes the result. */
void runs_check(struct server *s);
/* Does one step that makes the next check faster. */
void runs_warm(struct server *s);
/* The program of a document, with its published results up to date; NULL: none. */
struct run *run_told(struct server *s, const struct document *d);
/* The same, with all findings. */
struct run *run_of(struct server *s, const struct document *d);
/* The same, with facts about all tensors. */
struct run *run_with_facts(struct server *s, const struct document *d);
/* Facts about all tensors; perhaps of an older text, if computing them would take long. */
struct looked *facts_for(struct server *s, const struct document *d, struct run **r);
/* Frees the results. */
void run_let_go(struct run *r);

/* ---- the rest ------------------------------------------------------------------------------- */

/* diagnostics.c */
json_t *location_of(struct server *s, struct looked *l, const struct span *span);
void diagnostics_publish(struct server *s, struct run *r);
/* The same for a file that is not checked. */
void diagnostics_publish_none(struct server *s, struct run *r);
void diagnostics_clear(struct server *s, struct run *r);
/* A file is about to be opened: its diagnostics are now pulled, or published under that name. */
void diagnostics_withdraw(struct server *s, const char *path, const char *uri);
/* Clears what was published under that name. */
void diagnostics_end(struct server *s, const char *uri);
json_t *diagnostic_of(struct server *s, struct run *r, const struct finding *f);
/* The real path of the file that a finding is in. */
const char *finding_path(struct run *r, const struct finding *f);

/* commands.c: the arguments of another process that makes the same check. */
text_list run_arguments(struct server *s, const struct run *r, const char *command);

/* progress.c */
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

/* aside.c, for the thread that checks: from here on, and until here, results stay as they are. */
void aside_init(struct server *s);
void aside_free(struct server *s);
void aside_allow(struct server *s, struct run *r, int64_t expected_ms);
void aside_forbid(struct server *s);
/* For the reader. False: there is no check that takes long, or nothing is known yet. Between the
 * two, results stay as they are. */
bool aside_begin(struct server *s);
void aside_end(struct server *s, bool gave_hints);
/* A copy of the process; in the copy, pid is 0. */
struct copy {
    pid_t pid;
    int fd; /* what it writes */
};
struct copy copy_make(struct server *s);
/* Waits for its answer, and passes it on. False: it has none. */
bool copy_post(struct server *s, struct copy c);
/* Ends a copy that would have to check. */
void copy_give_up(struct server *s);

/* subprocess.c */
struct child {
    struct arena *arena;
    struct inbox *inbox;
    pthread_t waiter;
    pid_t pid;
    int fd, status;
    struct text output; /* what it wrote, once finished */
    void (*done)(struct server *s, struct child *c);
    /* For whoever waits for it. */
    json_t *id; /* of the request to answer */
    struct task_note note;
    char identity[17];
    const char *folder;
    struct child *next;
};
/* Runs this program with other arguments, in the folder. NULL: it could not be started. */
struct child *child_start(struct server *s, const char *folder, const text_list *arguments,
                          void (*done)(struct server *s, struct child *c));
void child_ended(struct server *s, struct child *c);
void children_end(struct server *s);

#endif
