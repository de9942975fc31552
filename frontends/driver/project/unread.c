/* Files of the program, or below the folders that are checked, that no frontend reads: they are
 * noted while the program is put together, and named at the end. */
#include "frontends/driver/project/units.h"

void unread_note(struct project *p, const char *file, const char *name)
{
    uint64_t key = (uint64_t)(uintptr_t)file;
    if (map_get(p->unread_files, key))
        return;
    map_put(p->unread_files, key, p);
    LIST_ADD(p->arena, &p->unread, ((struct unread_file){file, name}));
}

bool unread_is(const struct project *p, const char *file)
{
    return map_get(p->unread_files, (uint64_t)(uintptr_t)file) != NULL;
}

bool unread_by_command(const struct compile *how)
{
    return how->language && !frontend_of(LANGUAGE_C)->flags->reads(how);
}

/* Whether an earlier file is of the same kind. */
static bool is_said(const struct project *p, int at)
{
    for (int i = 0; i < at; i++)
        if (p->unread.items[i].name == p->unread.items[at].name)
            return true;
    return false;
}

void unread_say(const struct project *p)
{
    for (int i = 0; i < p->unread.count; i++) {
        const struct unread_file *first = &p->unread.items[i];
        int count = 0;
        if (is_said(p, i))
            continue;
        for (int k = i; k < p->unread.count; k++)
            count += p->unread.items[k].name == first->name;
        print_shown(stderr, "; %d %s%s not read (%s%s)%s", count, first->name,
                    count == 1 ? "" : "s", shell_word(p->arena, first->file),
                    count == 1 ? "" : ", …", foreign_reason(p->arena, first->file));
    }
}
