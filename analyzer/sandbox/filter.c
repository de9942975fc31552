/* The system call filter: tables of what is refused, made into a filter by libseccomp. It lists
 * what a tensor program never needs; everything else is allowed, so that C libraries and sanitizers
 * of any version work. New processes are refused, unless the caller wants them: limits on their
 * number do not apply to root, and a single process with its threads can be watched and killed
 * without a race. In namespaces all of them end with the first one. */
#include "analyzer/sandbox/private.h"

#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* clang-format off */
static const char *const always_refused[] = {
    /* network */
    "socket", "socketcall", "bind", "connect", "listen", "accept", "accept4", "sendto", "sendmmsg",
    "recvfrom", "recvmmsg",
    /* inspecting other processes */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kcmp", "perf_event_open", "move_pages",
    "migrate_pages",
    /* mounts and namespaces */
    "mount", "umount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree",
    "open_tree_attr", "move_mount", "mount_setattr", "fsopen", "fsconfig", "fsmount", "fspick",
    "open_by_handle_at", "name_to_handle_at",
    /* the kernel itself */
    "bpf", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "keyctl",
    "add_key", "request_key", "init_module", "finit_module", "delete_module", "create_module",
    "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl",
    "quotactl_fd", "syslog", "sethostname", "setdomainname", "settimeofday", "clock_settime",
    "clock_adjtime", "adjtimex", "stime", "iopl", "ioperm", "vhangup", "nfsservctl",
    "lookup_dcookie", "fanotify_init", "vm86", "vm86old", "modify_ldt",
    /* memory and messages that are not charged to a process */
    "memfd_create", "memfd_secret", "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop",
    "semctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "remap_file_pages",
};

/* Refused to a program that starts no others: new processes, and what they share. clone is below,
 * since threads need it. */
static const char *const refused_to_one[] = {
    "fork", "vfork", "socketpair", "sendmsg", "recvmsg",
};

/* Refused where only Landlock guards files, which does not cover these. */
static const char *const refused_beside_others[] = {
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime",
    "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat",
    "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr",
};

/* Numbers of system calls that a libseccomp may be too old to know: it can still be called by them.
 * New calls have the same number, counted from the same base, on every machine. */
enum { NEW_CALLS = SYS_io_uring_setup - 425, FIRST_UNKNOWN = NEW_CALLS + 470, LAST_CALL = 0xefff };
static const struct {
    const char *name;
    int number;
} new_calls[] = {
    {"quotactl_fd",  443}, {"memfd_secret",  447}, {"process_mrelease", 448}, {"fchmodat2",    452},
    {"setxattrat",   463}, {"removexattrat", 466}, {"open_tree_attr",   467}, {"file_setattr", 469},
};

/* Refused if the argument, masked, has the value. */
static const struct {
    const char *name;
    unsigned argument;
    uint64_t mask, value;
} refused_when[] = {
    {"clone", 0, CLONE_NEWUSER,              CLONE_NEWUSER},    /* namespaces */
    {"clone", 0, CLONE_NEWNS,                CLONE_NEWNS},
    {"clone", 0, CLONE_NEWPID,               CLONE_NEWPID},
    {"clone", 0, CLONE_NEWNET,               CLONE_NEWNET},
    {"clone", 0, CLONE_NEWIPC,               CLONE_NEWIPC},
    {"clone", 0, CLONE_NEWUTS,               CLONE_NEWUTS},
    {"clone", 0, CLONE_NEWCGROUP,            CLONE_NEWCGROUP},
    {"prctl", 0, 0xffffffff,                 PR_SET_PDEATHSIG}, /* it must die with us */
    {"fcntl", 1, 0xffffffff,                 F_SETOWN},         /* signals to other processes */
    {"fcntl", 1, 0xffffffff,                 F_SETOWN_EX},
    {"fcntl", 1, 0xffffffff,                 F_SETLEASE},       /* makes others wait */
    {"ioctl", 1, 0xffffffff,                 FIOSETOWN},
    {"ioctl", 1, 0xffffffff,                 SIOCSPGRP},
    {"ioctl", 1, 0xffffffff,                 TIOCSTI},          /* input to a terminal */
    {"ioctl", 1, 0xffffffff,                 TIOCLINUX},
    {"setsockopt", 2, 0xffffffff,            SO_SNDBUF},        /* memory of no process */
    {"setsockopt", 2, 0xffffffff,            SO_SNDBUFFORCE},
    {"mmap",  3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS}, /* memory that can be */
    {"mmap2", 3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS}, /* kept unmapped */
};

/* Refused likewise: the types of ioctls by which file systems change attributes, for which it is
 * enough that a file can be read: common ones, btrfs, f2fs, bcachefs, FAT, ocfs2, ceph, nilfs. */
static const unsigned char file_ioctls[] = {'f', 'X', 'v', 0x94, 0xf5, 0xbc, 'r', 'o', 0x97, 'n'};

/* Outside of a namespace of its own, these may act only on the process itself: the argument is its
 * own id, or a value that means it. For the last two, 0 can also mean all processes of the user. */
enum { ITS_ID = -1, ONE_PROCESS = 1 /* as ioprio_set has it */ };
static const struct {
    const char *name;
    unsigned argument;
    int value;
} only_on_itself[] = {
    {"kill",               0, ITS_ID}, {"tkill",             0, ITS_ID}, {"tgkill",     0, ITS_ID},
    {"rt_sigqueueinfo",    0, ITS_ID}, {"rt_tgsigqueueinfo", 0, ITS_ID}, {"prlimit64",  0, 0},
    {"sched_setscheduler", 0, 0},      {"sched_setparam",    0, 0},      {"setpgid",    0, 0},
    {"sched_setattr",      0, 0},      {"sched_setaffinity", 0, 0},      {"ioprio_set", 1, 0},
    {"setpriority",        1, 0},
    {"setpriority",        0, PRIO_PROCESS}, {"ioprio_set", 0, ONE_PROCESS},
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof *(a))

static int number_of(const char *name)
{
    int number = seccomp_syscall_resolve_name(name);
    for (size_t i = 0; i < COUNT(new_calls) && number == __NR_SCMP_ERROR; i++)
        if (strcmp(new_calls[i].name, name) == 0)
            number = NEW_CALLS + new_calls[i].number;
    return number;
}

/* A system call that this machine does not have cannot be called. */
static bool refuse(scmp_filter_ctx c, int error, const char *name, const struct scmp_arg_cmp *arg)
{
    int number = number_of(name);
    if (number == __NR_SCMP_ERROR)
        return true;
    return seccomp_rule_add_array(c, SCMP_ACT_ERRNO((unsigned)error), number, arg ? 1 : 0, arg) ==
           0;
}

static bool refuse_all(scmp_filter_ctx c, const char *const *names, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = good && refuse(c, EPERM, names[i], NULL);
    return good;
}

static bool refuse_beside_others(scmp_filter_ctx c, pid_t self)
{
    bool good = refuse_all(c, refused_beside_others, COUNT(refused_beside_others));
    for (size_t i = 0; i < COUNT(only_on_itself); i++) {
        bool is_id = only_on_itself[i].value == ITS_ID;
        struct scmp_arg_cmp other = {only_on_itself[i].argument, SCMP_CMP_NE,
                                     (scmp_datum_t)(is_id ? self : only_on_itself[i].value), 0};
        good = good && refuse(c, EPERM, only_on_itself[i].name, &other);
    }
    for (size_t i = 0; i < COUNT(file_ioctls); i++) {
        struct scmp_arg_cmp is = {1, SCMP_CMP_MASKED_EQ, 0xff00, (scmp_datum_t)file_ioctls[i] << 8};
        good = good && refuse(c, EPERM, "ioctl", &is);
    }
    return good;
}

static bool refuse_processes(scmp_filter_ctx c)
{
    struct scmp_arg_cmp no_thread = {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0};
    return refuse_all(c, refused_to_one, COUNT(refused_to_one)) &&
           refuse(c, EPERM, "clone", &no_thread);
}

static bool add_rules(scmp_filter_ctx c, pid_t self, bool alone, bool spawns)
{
    bool good =
        refuse_all(c, always_refused, COUNT(always_refused)) && (spawns || refuse_processes(c));
    for (size_t i = 0; i < COUNT(refused_when); i++) {
        struct scmp_arg_cmp is = {refused_when[i].argument, SCMP_CMP_MASKED_EQ,
                                  refused_when[i].mask, refused_when[i].value};
        good = good && refuse(c, EPERM, refused_when[i].name, &is);
    }
    /* Its flags are in memory, which a filter cannot see; the C library falls back to clone. */
    good = good && refuse(c, ENOSYS, "clone3", NULL);
    return good && (alone || refuse_beside_others(c, self));
}

/* System calls that are newer than these tables do not exist: nobody knows what they can do. The C
 * library falls back to older ones. Numbers beyond belong to other machines. */
static size_t begin_code(struct sock_filter *code)
{
    const struct sock_filter begin[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_CALL, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    memcpy(code, begin, sizeof begin);
    return COUNT(begin);
}

/* Through a pipe, since libseccomp writes to files. It holds 64 KiB, four times the largest filter.
 */
static bool export_code(scmp_filter_ctx c, struct sandbox_filter *f)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    size_t begin = begin_code(f->code), room = sizeof f->code - begin * sizeof *f->code;
    ssize_t size = seccomp_export_bpf(c, ends[1]) == 0 ? 0 : -1;
    close(ends[1]);
    if (size == 0)
        size = read(ends[0], f->code + begin, room);
    close(ends[0]);
    f->count = size > 0 ? begin + (size_t)size / sizeof *f->code : 0;
    return size > 0 && (size_t)size < room;
}

bool sandbox_filter_build(struct sandbox_filter *f, pid_t self, bool alone, bool spawns)
{
    scmp_filter_ctx c = seccomp_init(SCMP_ACT_ALLOW);
    f->count = 0;
    bool good = c && add_rules(c, self, alone, spawns) && export_code(c, f);
    seccomp_release(c);
    return good;
}

bool sandbox_filter_enter(const struct sandbox_filter *f)
{
    struct sock_fprog program = {(unsigned short)f->count, (struct sock_filter *)f->code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
