/* Findings that the user names: FILE:LINE[:COL], or the fingerprint that reports show, 16 hex
 * digits. Paths come in; the files to check go out, and then the findings that were named. */
#include "frontends/driver/check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_fingerprint(const char *word)
{
    return strlen(word) == 16 && strspn(word, "0123456789abcdef") == 16;
}

/* The number after the last colon, which is removed; 0: there is none. */
static int cut_number(char *word)
{
    char *colon = strrchr(word, ':'), *end;
    if (!colon || colon == word || !colon[1] ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return 0;
    long n = strtol(colon + 1, &end, 10);
    *colon = '\0';
    return n > 0 && n < INT32_MAX ? (int)n : 0;
}

struct place {
    const char *file;
    int line, column; /* column 0: any */
};

static bool read_place(struct arena *a, const char *word, struct place *out)
{
    char *file = arena_printf(a, "%s", word);
    int last = cut_number(file), before = last ? cut_number(file) : 0;
    *out = (struct place){file, before ? before : last, before ? last : 0};
    return last;
}

/* An existing file is a path, whatever its name. */
static bool names_finding(struct arena *a, const char *word)
{
    struct place p;
    return access(word, F_OK) && (is_fingerprint(word) || read_place(a, word, &p));
}

bool named_findings_split(struct arena *a, struct request *request, struct error *e)
{
    text_list files = {0};
    int paths = 0;
    for (int i = 0; i < request->paths.count; i++) {
        const char *word = request->paths.items[i];
        struct place p;
        if (!names_finding(a, word)) {
            paths++;
            LIST_ADD(a, &files, word);
            continue;
        }
        LIST_ADD(a, &request->findings, word);
        if (!is_fingerprint(word) && read_place(a, word, &p))
            LIST_ADD(a, &files, p.file);
    }
    if (paths && request->findings.count)
        return error_set(
            e, "'%s' names a finding, but another operand is a path; use one or the other",
            request->findings.items[0]);
    /* A finding may depend on any file here, and a fingerprint may be in any. */
    if (request->findings.count)
        LIST_ADD(a, &files, ".");
    request->paths = files;
    return true;
}

static bool is_meant(struct checking *c, const struct finding *f, const char *word)
{
    struct place p;
    if (is_fingerprint(word))
        return !strcmp(word, arena_printf(c->arena, "%016" PRIx64, f->identity));
    return read_place(c->arena, word, &p) && f->span.line == p.line &&
           (!p.column || f->span.column == p.column) &&
           project_same_file(&c->project, f->span.file, p.file);
}

static bool is_known(struct checking *c, const char *word)
{
    for (int i = 0; i < c->known.count; i++)
        if (is_meant(c, c->known.items[i], word))
            return true;
    return false;
}

bool named_findings_keep(struct checking *c, struct error *e)
{
    const text_list *wanted = &c->request->findings;
    bool *met = arena_array(c->arena, bool, wanted->count + 1);
    finding_list kept = {0};
    for (int i = 0; i < c->findings.count; i++) {
        bool meant = false;
        for (int k = 0; k < wanted->count; k++)
            if (is_meant(c, c->findings.items[i], wanted->items[k]))
                meant = met[k] = true;
        if (meant)
            LIST_ADD(c->arena, &kept, c->findings.items[i]);
    }
    if (wanted->count)
        c->findings = kept;
    for (int k = 0; k < wanted->count; k++)
        if (!met[k])
            return error_set(e,
                             is_known(c, wanted->items[k])
                                 ? "%s is in the baseline: --no-baseline includes it"
                                 : "there is no finding %s",
                             wanted->items[k]);
    return true;
}
