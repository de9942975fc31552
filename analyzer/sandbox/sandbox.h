/* analyzer/sandbox: runs an untrusted program and reports how it ended. The program sees the files
 * of this machine except for hidden ones, writes to one folder, reaches no network and no other
 * process, and is gone with everything it started when the call returns.
 *
 *   sandbox.c    a run, from start to end
 *   plan.c       the plan, before the fork
 *   inside.c     after the fork
 *   process.c    steps after a fork
 *   mounts.c     its view of the file system
 *   landlock.c   its access to files
 *   filter.c     its system calls
 *   watch.c      its memory and threads, seen from outside
 *   channel.c    messages from it
 *   room.c       the folder it writes to
 *   tool.c       compilers and the like, which are trusted: limited, not contained */
#ifndef ANALYZER_SANDBOX_H
#define ANALYZER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Facilities that contain a program. */
enum {
    SANDBOX_NAMESPACES = 1, /* its own users, mounts, processes, network: all else is read-only */
    SANDBOX_LANDLOCK = 2,   /* access to files, enforced by the kernel; needs Linux 6.2 */
    SANDBOX_SECCOMP = 4,    /* system calls refused: sockets, new processes, ptrace, mounts... */
    SANDBOX_RLIMITS = 8,    /* CPU time, size of files, no core dumps */
    SANDBOX_ALL = 15,
};

/* 0 stands for the default. */
struct sandbox_limits {
    int wall_ms;           /* 10 s */
    int cpu_seconds;       /* 10 s, all threads together */
    uint64_t memory_bytes; /* 1 GiB, resident. Not of address space, of which sanitizers reserve
                              terabytes: it is looked at every 2 ms */
    uint64_t file_bytes;   /* 16 MiB: what does not fit into one file is not written (EFBIG) */
    uint64_t room_bytes;   /* 64 MiB, all files in the room. In namespaces it is a file system of
                              that size, in memory; elsewhere it is looked at every 50 ms */
};

/* Messages from the program while it runs, besides what it prints: descriptor `number` is a
 * non-blocking packet socket, from which it can read the first message once. */
struct sandbox_channel {
    int descriptor; /* its number inside; 3 or more */
    const void *first;
    size_t first_size;
    /* Further messages for processes that the program starts, asked for at the start and after each
     * message: fills one in and returns its size. 0: none for now. NULL: there are none. */
    size_t (*more)(void *context, void *message, size_t room);
    /* One message; packet NULL: one that is longer than SANDBOX_PACKET. False: no more of them. */
    bool (*take)(void *context, const void *packet, size_t size);
    void *context;
};
enum { SANDBOX_PACKET = 1 << 17 };

struct sandbox_run {
    const char *const *argv;        /* argv[0] is the path of the program; NULL at the end */
    const char *const *environment; /* NULL: empty. LeakSanitizer wants ptrace, which is refused:
                                       ASAN_OPTIONS needs detect_leaks=0 */
    const char *room;               /* the only folder it may write to; of this run alone */
    const char *cwd;                /* NULL: the room */
    const char *input;              /* a file, for its standard input; NULL: that is empty */
    const char *const *hidden; /* folders and files it does not see, NULL at the end; those that
                                  do not exist are skipped. Not inside the room */
    const char *changes; /* a folder that it may change, with all below: nobody else sees that, and
                            it is gone with the program. Where the kernel cannot do that, it is
                            read-only as everything else. NULL: none */
    bool spawns;         /* it may start other processes. Only with namespaces */
    const struct sandbox_channel *channel; /* NULL: none */
    struct sandbox_limits limits;
    bool keeps;       /* leave what it wrote in the room */
    unsigned without; /* facilities not to use */
    bool uncontained; /* run it even if sandbox_contains() is not satisfied */
};

struct sandbox_end {
    enum sandbox_how {
        SANDBOX_EXITED,    /* status: the exit code */
        SANDBOX_SIGNALLED, /* status: the signal */
        SANDBOX_TIMED_OUT, /* wall or CPU time */
        SANDBOX_TOO_MUCH_MEMORY,
        SANDBOX_TOO_MANY_THREADS,
        SANDBOX_TOO_MUCH_WRITTEN, /* more in its room than room_bytes, or than 4096 files */
        SANDBOX_NOT_STARTED,
    } how;
    int status;
    uint64_t ns, cpu_ns;
    uint64_t peak_bytes; /* resident; 0: it ended before it was measured */
    unsigned held;       /* the facilities that contained it */
    bool cut;            /* stdout or stderr reached file_bytes, and the rest is lost */
    char why[256];       /* a limit: which; not started: the reason. Else empty */
};

/* Runs the program to its end. Its output is in the files stdout and
 * stderr of its room. Can be called from several threads at once. The program is killed if the
 * calling thread ends. */
struct sandbox_end sandbox_execute(const struct sandbox_run *run);

/* Whether these facilities contain a program: seccomp, and one that guards the files. */
bool sandbox_contains(unsigned held);

/* Opens a file that it left in its room for reading; -1: there is none. Links, pipes and folders
 * are refused: they could lead out of the room or block forever. */
int sandbox_open(const char *room, const char *name);

/* Removes everything in the room, however nested and whatever its permissions; keeps the room
 * itself. False if something is left. The second takes an open folder. */
bool sandbox_clear(const char *room);
bool sandbox_clear_open(int folder);

/* A tool, such as a compiler. */
struct sandbox_tool {
    const char *program; /* its path */
    char *const *argv, *const *environment;
    const char *directory; /* NULL: ours */
    const char *output;    /* the file for what it prints */
    bool errors_too;       /* else what it prints to stderr is dropped */
    /* Of each process that it starts, too. */
    int cpu_seconds;
    uint64_t memory_bytes; /* address space; 0: no limit */
    uint64_t file_bytes;
    unsigned without; /* facilities not to use: only namespaces matter */
};

/* Starts it under a supervisor, a child of ours that leads a process group; its process id, -1 and
 * errno. It exits with the tool's exit code (128 and more: a signal), and with it everything that
 * the tool started is gone. SIGTERM to it, or the end of the calling thread, ends them all. */
pid_t sandbox_tool_start(const struct sandbox_tool *t);

const char *sandbox_how_name(enum sandbox_how how); /* "timed out" */
/* Whether a limit ended it, or it never began. */
bool sandbox_was_ended(const struct sandbox_end *end);

#endif
