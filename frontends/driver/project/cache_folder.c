/* Where the cache is, and whether it is the user's own: the folder next to the database or at the
 * root, which a checkout may contain, else one in the user's cache folder. */
#include "frontends/driver/project/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where ---------------------------------------------------------------------------------- */

static const char *find_root(struct project *p)
{
    const char *here = *p->here ? p->here : ".";
    const char *root = p->request->root ? p->request->root : path_repository(p->arena, here);
    return root ? root : here;
}

/* The database by the path it was found under, if symbolic links lead out of the project. */
static const char *database_of(struct project *p, const char *root)
{
    const char *real = project_real(p, p->database_file);
    bool leads_out = path_is_below(p->database_file, root) && !path_is_below(real, root);
    return leads_out ? p->database_file : p->database_path;
}

/* .miscast in the project. The path to the root may contain symbolic links; below it there may be
 * none, since anybody could have committed them. */
static struct cache_place own_place(struct project *p)
{
    const char *root = find_root(p), *database = p->database_path ? database_of(p, root) : NULL;
    const char *slash = database ? strrchr(database, '/') : NULL;
    if (!database)
        return (struct cache_place){arena_printf(p->arena, "%s/.miscast", root), strlen(root)};
    if (!slash)
        return (struct cache_place){".miscast", 0};
    return (struct cache_place){
        arena_printf(p->arena, "%.*s/.miscast", (int)(slash - database), database),
        path_is_below(database, root) ? strlen(root) : 0};
}

/* The folder in the user's cache for that one. path NULL: there is none. */
static struct cache_place users_place(struct project *p, const char *own)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *full = *own == '/' ? own : arena_printf(p->arena, "%s/%s", p->here, own);
    if (cache && *cache == '/')
        cache = arena_printf(p->arena, "%s/miscast", cache);
    else if (home && *home == '/')
        cache = arena_printf(p->arena, "%s/.cache/miscast", home);
    else
        return (struct cache_place){0};
    return (struct cache_place){
        arena_printf(p->arena, "%s/%016" PRIx64, cache, hash_bytes(full, strlen(full), 0)),
        strlen(cache)};
}

/* A folder that the user names is trusted, except for the part inside the project. */
static struct cache_place named_place(struct project *p, const char *path)
{
    const char *root = find_root(p), *slash = strrchr(path, '/');
    if (path_is_below(path, root))
        return (struct cache_place){path, strlen(root)};
    return (struct cache_place){path, *path == '/' ? (size_t)(slash - path) : 0};
}

/* The project's own configuration names a database outside of it: nothing is written there. */
static bool leads_out(struct project *p)
{
    return p->request->is_database_configured && p->database_file &&
           !path_is_below(project_real(p, p->database_file), find_root(p));
}

int cache_places(struct project *p, struct cache_place places[CACHE_PLACES])
{
    if (p->request->cache_dir) {
        places[0] = named_place(p, p->request->cache_dir);
        return 1;
    }
    places[0] = own_place(p);
    places[1] = users_place(p, places[0].path);
    if (!places[1].path || !leads_out(p))
        return places[1].path ? 2 : 1;
    places[0] = places[1];
    return 1;
}

static void make_parents(struct project *p, const char *folder)
{
    char *path = arena_printf(p->arena, "%s", folder);
    for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700);
    }
}

/* ---- whose ---------------------------------------------------------------------------------- */

void cache_say(const struct error *e)
{
    if (e->message[0])
        print_shown(stderr, "miscast: %s%s%s\n", e->file, e->file[0] ? ": " : "", e->message);
}

/* For a path that does not exist yet: the folder it would be created in. */
static char *real_above(struct arena *a, const char *path)
{
    char *at = arena_printf(a, "%s", path), *real;
    while (!(real = realpath(*at ? at : "/", NULL)) && *at)
        *(strrchr(at, '/') ? strrchr(at, '/') : at) = '\0';
    return real;
}

static bool is_inside(struct arena *a, const char *path, const char *folder)
{
    char *real = real_above(a, path), *root = realpath(folder, NULL);
    size_t n = root ? strlen(root) : 0;
    bool is = real && root && !strncmp(real, root, n) && (real[n] == '/' || !real[n] || n == 1);
    free(real);
    free(root);
    return is;
}

bool cache_key_read(struct project *p, struct seal *out, struct error *e)
{
    const char *folder = secret_folder(p->arena), *root = find_root(p);
    if (folder && path_is_repository(p->arena, root) && is_inside(p->arena, folder, root))
        return error_at(e, folder, 0, 0,
                        "is in the repository, so anybody may have made the key in it: nothing "
                        "is kept; XDG_STATE_HOME can name another folder");
    return secret_read(p->arena, out, e);
}

/* The first that can be used. One of another user is reported. */
static struct state_folder *find_state(struct project *p)
{
    struct cache_place places[CACHE_PLACES];
    struct error trouble = {0};
    struct seal secret;
    bool through_link = false;
    int count = cache_places(p, places);
    if (!cache_key_read(p, &secret, &trouble)) {
        cache_say(&trouble);
        return NULL;
    }
    if (count == 1 && !p->request->cache_dir)
        make_parents(p, places[0].path);
    struct state_folder *f =
        state_open(places[0].path, places[0].trusted, &secret, &through_link, &trouble);
    if (count == 1 || (f && state_is_writable(f)) || (!f && !through_link))
        cache_say(&trouble);
    if (count == 1 || (f && state_is_writable(f)))
        return f;
    state_close(f);
    make_parents(p, places[1].path);
    trouble = (struct error){0};
    f = state_open(places[1].path, places[1].trusted, &secret, &through_link, &trouble);
    cache_say(&trouble);
    return f;
}

struct state_folder *cache_folder(struct project *p)
{
    if (!p->is_state_known)
        p->state = find_state(p);
    p->is_state_known = true;
    return p->state;
}

/* A symbolic link is not hidden: its target could be anything. */
const char *const *cache_hidden(struct project *p)
{
    struct cache_place places[CACHE_PLACES];
    text_list all = {0};
    struct stat st;
    const char *secret = secret_folder(p->arena);
    int count = cache_places(p, places);
    for (int i = 0; i <= count; i++) {
        const char *path = i < count ? places[i].path : secret;
        if (path && !lstat(path, &st) && S_ISDIR(st.st_mode))
            LIST_ADD(p->arena, &all, project_real(p, path));
    }
    LIST_ADD(p->arena, &all, NULL);
    return all.items;
}
