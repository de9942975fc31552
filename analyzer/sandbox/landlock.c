/* Access to files, restricted by Landlock: everything but devices and hidden paths may be read and
 * executed; only the room may be written to. Rules can only grant, so along the path to a hidden
 * file every other entry of each folder is granted one by one. Such a folder can still be listed,
 * as Python does to import what is in it; with it, the names of hidden files, but not the files. */
#include "analyzer/sandbox/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in linux/landlock.h, which on many machines is older than the kernel. */
struct ruleset {
    uint64_t files, network, scopes;
};
struct __attribute__((packed)) rule {
    uint64_t allowed;
    int32_t fd;
};

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    MAKE_CHAR = 1 << 6,
    MAKE_BLOCK = 1 << 11,
    TRUNCATE = 1 << 14,
    IOCTL_DEVICE = 1 << 15,
    RULE_BELOW_PATH = 1,
    ASK_VERSION = 1,
    READING = EXECUTE | READ_FILE | READ_DIR,
    ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE,
};

/* The rights handled from this version on. */
static const struct {
    int version;
    struct ruleset handles;
} versions[] = {
    {3, {(1 << 15) - 1, 0, 0}}, /* the first to handle truncation */
    {4, {0, 3, 0}},             /* TCP */
    {5, {IOCTL_DEVICE, 0, 0}},
    {6, {0, 0, 3}}, /* signals and abstract sockets */
};

/* Devices that programs may use; those of the GPU are for the cuda device. */
static const struct {
    const char *prefix;
    bool whole; /* the whole name, not a prefix */
    int allowed;
} devices[] = {
    {"null", true, READ_FILE | WRITE_FILE},
    {"full", true, READ_FILE | WRITE_FILE},
    {"random", true, READ_FILE},
    {"urandom", true, READ_FILE},
    {"nvidia", false, READ_FILE | WRITE_FILE | IOCTL_DEVICE | READ_DIR},
};

/* Everything but devices. */
#define IN_ROOM (~(uint64_t)(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEVICE))

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct granting {
    int ruleset;
    struct ruleset handles;
    const struct sandbox_plan *plan;
    bool failed; /* a folder could not be listed, or a rule not added */
};

static bool add_rule(int ruleset, int fd, uint64_t allowed)
{
    struct rule r = {allowed, fd};
    return syscall(SYS_landlock_add_rule, ruleset, RULE_BELOW_PATH, &r, 0) == 0;
}

/* Links, and what no longer exists, need no rule. */
static void grant(struct granting *g, int folder, const char *name, uint64_t allowed)
{
    struct stat s;
    int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &s) != 0 || S_ISLNK(s.st_mode)) {
        if (fd >= 0)
            close(fd);
        return;
    }
    allowed &= g->handles.files & (S_ISDIR(s.st_mode) ? ~(uint64_t)0 : ON_FILES);
    if (allowed && !add_rule(g->ruleset, fd, allowed))
        g->failed = true;
    close(fd);
}

static void grant_devices(struct granting *g)
{
    DIR *d = opendir("/dev");
    for (struct dirent *e; d && (e = readdir(d));)
        for (size_t i = 0; i < COUNT(devices); i++)
            if (devices[i].whole
                    ? strcmp(e->d_name, devices[i].prefix) == 0
                    : strncmp(e->d_name, devices[i].prefix, strlen(devices[i].prefix)) == 0)
                grant(g, dirfd(d), e->d_name, (uint64_t)devices[i].allowed);
    if (d)
        closedir(d);
}

enum relation { APART, IS_HIDDEN, LEADS_TO_HIDDEN };

static enum relation relation_to(const char *path, const char *hidden)
{
    size_t n = strlen(path);
    if (strncmp(path, hidden, n) != 0)
        return APART;
    return hidden[n] == '\0' ? IS_HIDDEN : hidden[n] == '/' ? LEADS_TO_HIDDEN : APART;
}

static enum relation relation_to_hidden(const struct sandbox_plan *p, const char *path)
{
    enum relation most = APART;
    if (p->use & SANDBOX_NAMESPACES)
        return APART;
    for (int i = 0; i < p->hidden_count && most != IS_HIDDEN; i++) {
        enum relation r = relation_to(path, p->hidden[i]);
        most = r == APART ? most : r;
    }
    return most;
}

static bool is_root(const char *path)
{
    return !*path;
}

/* Whether a hidden path is an entry of the folder. */
static bool holds_hidden(const struct sandbox_plan *p, const char *path)
{
    size_t n = strlen(path);
    for (int i = 0; i < p->hidden_count; i++)
        if (relation_to(path, p->hidden[i]) == LEADS_TO_HIDDEN &&
            !strchr(p->hidden[i] + n + 1, '/'))
            return true;
    return false;
}

static void grant_below(struct granting *g, const char *path);

static void grant_entry(struct granting *g, int folder, const char *path, const char *name)
{
    char full[4096];
    int n = snprintf(full, sizeof full, "%s/%s", path, name);
    if (n < 0 || (size_t)n >= sizeof full)
        return;
    switch (relation_to_hidden(g->plan, full)) {
    case APART:
        grant(g, folder, name, READING);
        break;
    case LEADS_TO_HIDDEN:
        grant_below(g, full);
        break;
    case IS_HIDDEN:
        break;
    }
}

/* Grants the entries of a folder that cannot be granted as a whole. The root is "" here. */
static void grant_below(struct granting *g, const char *path)
{
    DIR *d = opendir(is_root(path) ? "/" : path);
    bool is_listed = relation_to_hidden(g->plan, path) == LEADS_TO_HIDDEN &&
                     (!is_root(path) || holds_hidden(g->plan, path));
    if (d && is_listed)
        grant(g, dirfd(d), ".", READ_DIR);
    for (struct dirent *e; d && (e = readdir(d));) {
        bool device = is_root(path) && strcmp(e->d_name, "dev") == 0;
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && !device)
            grant_entry(g, dirfd(d), path, e->d_name);
    }
    if (d)
        closedir(d);
}

/* The version of this kernel. System calls only. */
static struct ruleset handled(void)
{
    struct ruleset all = {0, 0, 0};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    for (size_t i = 0; i < COUNT(versions) && version >= versions[i].version; i++) {
        all.files |= versions[i].handles.files;
        all.network |= versions[i].handles.network;
        all.scopes |= versions[i].handles.scopes;
    }
    return all;
}

int sandbox_landlock_rules(const struct sandbox_plan *p)
{
    struct granting g = {.plan = p, .handles = handled()};
    if (!g.handles.files)
        return -1;
    g.ruleset = (int)syscall(SYS_landlock_create_ruleset, &g.handles, sizeof g.handles, 0);
    if (g.ruleset < 0)
        return -1;
    grant_below(&g, "");
    grant_devices(&g);
    if (!(p->use & SANDBOX_NAMESPACES)) /* if it does not exist yet */
        grant(&g, AT_FDCWD, p->room, IN_ROOM);
    if (!g.failed)
        return g.ruleset;
    close(g.ruleset);
    return -1;
}

static bool allow(const struct sandbox_plan *p, const char *folder, uint64_t allowed)
{
    int fd = open(folder, O_PATH | O_CLOEXEC);
    bool good = fd < 0 || add_rule(p->ruleset, fd, allowed & handled().files);
    if (fd >= 0)
        close(fd);
    return good;
}

bool sandbox_landlock_enter(const struct sandbox_plan *p, int room)
{
    bool good = allow(p, "/proc", READING);
    if (room >= 0)
        good = good && add_rule(p->ruleset, room, IN_ROOM & handled().files);
    if (room >= 0 && p->changes) /* read-only, unless there is a layer for its changes on it */
        good = good && allow(p, p->changes, IN_ROOM);
    return good && syscall(SYS_landlock_restrict_self, p->ruleset, 0) == 0;
}
