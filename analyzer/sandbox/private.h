/* Shared by the files of the sandbox. A plan is made where memory can be allocated; inside, after
 * the fork of a process with threads, only system calls are made. */
#ifndef ANALYZER_SANDBOX_PRIVATE_H
#define ANALYZER_SANDBOX_PRIVATE_H

#include "analyzer/sandbox/sandbox.h"

#include <linux/filter.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    SANDBOX_FILTER_ROOM = 2048,
    SANDBOX_HIDDEN_ROOM = 64,
    SANDBOX_THREADS = 1024,
    SANDBOX_FILES = 4096 /* in the room */
};

struct sandbox_filter {
    size_t count; /* 0: none */
    struct sock_filter code[SANDBOX_FILTER_ROOM];
};

struct sandbox_plan {
    const char *const *argv, *const *environment;
    const char *cwd, *room; /* absolute, without links */
    char *changes;          /* likewise; NULL: none */
    bool spawns;
    bool counts_processes;             /* namespaces have a limit of their own of processes */
    char *hidden[SANDBOX_HIDDEN_ROOM]; /* likewise */
    int hidden_count;
    struct sandbox_limits limits; /* none of them 0 */
    unsigned use;                 /* facilities */
    uid_t uid;
    gid_t gid;
    pid_t caller;
    int control; /* the inner end of the socket pair */
    int channel; /* likewise, for the program; -1: none */
    int channel_number;
    int streams[3];
    int ruleset; /* of Landlock; -1: none */
};

/* The steps inside that can fail. */
enum sandbox_step {
    STEP_CLONE,
    STEP_USER,
    STEP_PRIVATE,
    STEP_ROOM,
    STEP_HIDE,
    STEP_READ_ONLY,
    STEP_ATTACH,
    STEP_CHANGES,
    STEP_FORK,
    STEP_CWD,
    STEP_STREAMS,
    STEP_LIMITS,
    STEP_RIGHTS,
    STEP_LANDLOCK,
    STEP_SECCOMP,
    STEP_EXEC,
    STEP_COUNT
};

/* Messages from inside. */
struct sandbox_note {
    enum { NOTE_ROOM, NOTE_READY, NOTE_FAILED, NOTE_STARTED, NOTE_ENDED } kind;
    /* room: comes with a descriptor */
    pid_t self;             /* ready: its own process id; it waits for the filter */
    uint64_t peak_bytes;    /* ready: of the fork; ended: of fork and program, the larger */
    enum sandbox_step step; /* failed */
    int number;             /* failed: errno; ended: as wait() has it */
    uint64_t cpu_ns;        /* ended */
};

/* Fills end and returns false. */
bool sandbox_not_started(struct sandbox_end *end, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

const char *sandbox_stream_name(int stream); /* of 1 and 2 */
bool sandbox_plan_make(struct sandbox_plan *p, const struct sandbox_run *run, unsigned use,
                       struct sandbox_end *end);
void sandbox_plan_release(struct sandbox_plan *p);

/* The first process inside, which starts the program, waits for it and reports. */
_Noreturn void sandbox_inside(const struct sandbox_plan *p);

/* Mounts of a new namespace: everything read-only, hidden paths covered, the room writable. Returns
 * the room, a file system of its own; -1: failed says at which step. */
int sandbox_mounts(const struct sandbox_plan *p, enum sandbox_step *failed);

/* A ruleset, -1 if the kernel's Landlock is too old. In namespaces hidden paths are already covered
 * by mounts; otherwise access to them is not granted. */
int sandbox_landlock_rules(const struct sandbox_plan *p);
/* From inside: adds the /proc, the room of this namespace (-1: none of its own) and the folder that
 * it may change, and restricts the process to the rules. */
bool sandbox_landlock_enter(const struct sandbox_plan *p, int room);

/* The filter for a process whose own id is `self`; `alone`: in its own namespaces; `spawns`: it may
 * start other processes there. */
bool sandbox_filter_build(struct sandbox_filter *f, pid_t self, bool alone, bool spawns);
bool sandbox_filter_enter(const struct sandbox_filter *f);

/* Both ends, the program's first, with the first message already sent; -1: it failed. */
bool sandbox_channel_open(const struct sandbox_channel *c, int ends[2]);
/* Reads the messages that are there. False: there will be no more. */
bool sandbox_channel_take(const struct sandbox_channel *c, int end, char packet[SANDBOX_PACKET]);

/* Steps after a fork. */
bool sandbox_write_file(const char *path, const char *text, size_t length);
bool sandbox_map_user(uid_t uid, gid_t gid); /* in a new namespace of users */
void sandbox_close_between(unsigned first, unsigned last);
bool sandbox_set_limit(int which, uint64_t soft, uint64_t hard);
void sandbox_reset_signals(void);
void sandbox_end_children(void);

/* Resident memory and threads of a process, seen from outside. */
struct sandbox_usage {
    uint64_t resident, peak;
    int threads;
};
bool sandbox_usage_read(pid_t pid, struct sandbox_usage *u);
/* The same of all processes that it has started, directly or not, and what their sockets hold. */
struct sandbox_usage sandbox_usage_below(pid_t pid);
/* What the kernel itself has allocated, for all processes of the machine; 0: not known. */
uint64_t sandbox_kernel_bytes(void);
/* Processes and threads of the whole machine; cheap, and 0 if it is not known. */
int sandbox_threads_of_machine(void);
/* Whether the folder holds more than so many bytes, too many files, folders too deep, or something
 * that cannot be examined. Unlinked files that the process still holds count. */
bool sandbox_room_over(const char *room, uint64_t bytes, pid_t pid);
/* Whether a room that is a file system of its own is full. */
bool sandbox_room_full(int room);
/* Copies the files and folders left in such a room into the folder. */
void sandbox_room_copy(int room, const char *to);

#endif
