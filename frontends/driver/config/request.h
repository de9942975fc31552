/* What a front end asks of the driver: which files, with which configuration, within which limits,
 * with what kept from run to run, and what is to be done. The command line fills it from options,
 * the language server from settings and documents, the hook and diff from git. All zero: check the
 * current folder with its own configuration. */
#ifndef FRONTENDS_DRIVER_REQUEST_H
#define FRONTENDS_DRIVER_REQUEST_H

#include "analyzer/finding/finding.h"

struct overlay;
struct session;

enum { UNIT_TIMEOUT_MAX = 86400, UNIT_MEMORY_MAX = 1 << 20 };

struct limits {
    int jobs;         /* files parsed, and threads, at a time; 0: one per CPU */
    int unit_timeout; /* seconds to parse a unit; 0: the default */
    int unit_memory;  /* megabytes to parse a unit; 0: the default */
};

/* Running the code of findings. */
struct verify_request {
    bool wanted;
    bool uncontained;   /* also where nothing can contain the code */
    int timeout;        /* seconds of one run; 0: the default */
    text_list commands; /* that run the program or its tests */
    const char *keep;   /* a folder: what was built and written stays there; NULL: nowhere */
    const char *emit;   /* a folder to write what would be run to, for another machine */
    const char *import; /* a folder to take verdicts from that were made on another machine */
};

/* A check in steps: summaries are written, and linked later. */
struct shard_request {
    int number, count;   /* this one, from 1, of so many; count 0: no shards */
    const char *root;    /* paths below it are portable; NULL: the repository's root */
    const char *output;  /* the summary */
    const char *depfile; /* what was read, for Make and Ninja; NULL: not written */
    const char *depfile_target;
};

struct request {
    /* For messages: the command that was given, and whether it takes folders. */
    const char *command;
    bool takes_folders;

    /* Which files. */
    text_list paths;               /* files and folders; none: the current folder */
    text_list touched;             /* files to check with all units that read them */
    text_list added;               /* files to check, unless the configuration excludes them */
    text_list program;             /* files that are units of the program and are not checked */
    text_list dropped;             /* files of the database that are no part of the program */
    const struct overlay *overlay; /* contents that replace those of files; NULL: none */
    const char *unsaved_file;      /* a file that has these contents; NULL: none */
    const char *unsaved;
    size_t unsaved_length;
    text_list findings; /* FILE:LINE[:COL] or fingerprints: only these; none: all */
    /* Found below folders, see folders_expand. */
    text_list found;   /* files; one that the database does not list is skipped */
    text_list foreign; /* files in languages that are not read */
    text_list folders;
    int folders_unread; /* that could not be listed: reported, and the exit code is 3 */
    bool only_here;     /* of a database, only units that are asked for */

    /* How they are compiled. */
    const char *database;        /* the folder of compile_commands.json; NULL: look for one */
    bool is_database_configured; /* by .miscast.yaml or a workspace, not by the user */
    bool has_flags;              /* these are used, and no database */
    text_list flags;
    text_list extra_flags;      /* for every file, after its own */
    text_list configured_flags; /* the same, by .miscast.yaml in this folder */
    const char *configured_folder;

    /* Configuration: it overrides .miscast.yaml. */
    const char *config; /* the file; NULL: the nearest one */
    bool isolated;      /* no file */
    text_list select, ignore, extend_select, packs, assume, formats;
    text_list target; /* backends that the program is for, from the configuration */
    const char *baseline;
    bool no_baseline;
    bool fails_on; /* fail_on is set */
    enum severity fail_on;
    bool exit_zero;
    struct limits limits;

    /* What is kept from run to run. */
    const char *cache_dir; /* NULL: the usual place */
    bool no_cache;
    const char *root;        /* of the project, where there is no database; NULL: look for it */
    struct session *session; /* of a process that checks again and again; NULL: none */

    /* What is to be done. */
    bool past_errors; /* analyse code behind a call that always fails, too */
    bool strict;      /* assume nothing of code that cannot be seen */
    bool facts;       /* are needed, and not only findings */
    bool notes_reads; /* inputs record which files they were made of */
    bool fix, unsafe_fixes;
    bool diff; /* show what fixes would change, and change nothing */
    bool statistics;
    bool progress; /* is shown */
    bool quiet;    /* only findings, and what could not be analysed */
    bool verbose;  /* also which functions no pack knows */
    struct verify_request verify;
    struct shard_request shard;
};

#endif
