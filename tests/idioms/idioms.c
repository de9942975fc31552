/* Checks every program of the manifest and compares the findings with its row: in a program that is
 * right there must be no warning and no error; a bug needs one at each line where it fails, and a
 * loss, which raises nothing, a finding of any severity; neither may have others. Rows say what is
 * wrong today: one that got better fails as well, so that the list stays true. MISCAST_BLESS=1
 * rewrites it.
 *
 *     idioms [--report] [--every N] [FOLDER | FILE]
 *
 * --report prints all that is wrong, whether or not it is known. */
#include "tests/idioms/idioms.h"

#include "rules/rules.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { RIGHT, BUG_RAISES, LOSS, KINDS };
static const char *const kind_names[KINDS] = {"right", "bug", "loss"};

enum { MISSED = 1, FALSE_FINDING = 2 }; /* bits */
static const char *const today_names[] = {"-", "missed", "false", "missed false"};

/* A row of the manifest. */
struct row {
    const char *file;
    enum kind kind;
    LIST(int) lines;  /* where it fails, or loses something; twice: two findings are needed there */
    bool any;         /* a finding at one of them is enough */
    int today;        /* an index into today_names */
    const char *text; /* of the row, without that */
};

struct tally {
    const char *folder;
    int programs[KINDS], good[KINDS];
    int false_findings;
};

struct harness {
    struct arena *arena;
    struct lowering *lowering;
    struct pack_set *packs;
    const char *comment; /* in front of the rows */
    LIST(struct row) rows;
    LIST(struct tally) tallies;
    const char *only;
    int every; /* of so many programs one is checked */
    bool report, bless;
    int changed; /* programs that differ from their rows */
};

/* ---- the manifest ---------------------------------------------------------------------------- */

static int index_of(const char *word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(word, names[i]))
            return i;
    return -1;
}

/* The next column; the text is cut behind it. */
static char *column(char **at)
{
    char *start = *at, *end = start + strcspn(start, "\t\n");
    *at = *end == '\t' ? end + 1 : end;
    *end = '\0';
    return start;
}

static size_t length_of_columns(const char *line, int count)
{
    const char *at = line;
    for (int i = 0; i < count; i++)
        at += (i && *at == '\t') + strcspn(at + (i && *at == '\t'), "\t");
    return (size_t)(at - line);
}

static bool read_row(struct harness *h, char *line, int number, struct error *e)
{
    const char *text = arena_text(h->arena, line, length_of_columns(line, 3));
    const char *file = column(&line), *kind = column(&line);
    char *lines = column(&line);
    int k = index_of(kind, kind_names, KINDS);
    int today = index_of(column(&line), today_names, COUNT(today_names));
    struct row r = {
        .file = file, .kind = k < 0 ? RIGHT : (enum kind)k, .today = today, .text = text};
    r.any = strchr(lines, '|') != NULL;
    for (char *end; (int)strtol(lines, &end, 10) > 0; lines = *end ? end + 1 : end)
        LIST_ADD(h->arena, &r.lines, (int)strtol(lines, NULL, 10));
    if (k < 0 || today < 0 || (k == RIGHT) != (r.lines.count == 0))
        return error_at(e, "manifest.tsv", number, 1, "not 'file, kind, lines, today'");
    LIST_ADD(h->arena, &h->rows, r);
    return true;
}

static bool read_manifest(struct harness *h, struct error *e)
{
    size_t length;
    char *at = file_read(h->arena, "manifest.tsv", &length, e);
    bool ok = at != NULL;
    char *start = at;
    for (int number = 1; ok && *at; number++) {
        char *line = at, *end = at + strcspn(at, "\n");
        at = *end ? end + 1 : end;
        if (*line == '#') {
            h->comment = arena_text(h->arena, start, (size_t)(at - start));
            continue;
        }
        *end = '\0';
        ok = read_row(h, line, number, e);
    }
    return ok;
}

static bool write_manifest(struct harness *h, struct error *e)
{
    struct text t = {0};
    text_add(&t, h->comment);
    for (int i = 0; i < h->rows.count; i++)
        text_printf(&t, "%s\t%s\n", h->rows.items[i].text, today_names[h->rows.items[i].today]);
    bool ok = file_write(h->arena, "manifest.tsv", t.data, t.length, e);
    text_free(&t);
    return ok;
}

/* ---- one program ----------------------------------------------------------------------------- */

static const char *same_name(void *context, const char *file)
{
    (void)context;
    return file;
}

static finding_list find(struct harness *h, struct arena *a, struct ir_unit *u, struct flow *flow)
{
    bool selected[RULE_COUNT];
    finding_list found = {0};
    struct check_input in = {.arena = a,
                             .flow = flow,
                             .units = &u,
                             .unit_count = 1,
                             .packs = h->packs,
                             .sources = sources_new(a)};
    for (int i = 0; i < RULE_COUNT; i++)
        selected[i] = rules[i].on && rules[i].run;
    rules_check(&in, selected, &found);
    findings_settle(a, &found, in.sources, same_name, NULL);
    findings_fold(a, &found);
    return found;
}

static bool has_line(const struct row *r, int line)
{
    for (int i = 0; i < r->lines.count; i++)
        if (r->lines.items[i] == line)
            return true;
    return false;
}

static bool is_false(const struct row *r, const struct finding *f)
{
    return f->severity > SEVERITY_NOTE && !has_line(r, f->span.line);
}

/* Whether there is a finding for the i-th line, beside those for the same line before it. */
static bool is_found(const struct row *r, int i, const finding_list *found)
{
    enum severity least = r->kind == LOSS ? SEVERITY_NOTE : SEVERITY_WARNING;
    int needed = 0, line = r->lines.items[i];
    for (int k = 0; k <= i; k++)
        needed += r->lines.items[k] == line;
    for (int k = 0; k < found->count; k++) {
        const struct finding *f = found->items[k];
        needed -= f->span.line == line && f->severity >= least;
    }
    return needed <= 0;
}

static int count_missed(const struct row *r, const finding_list *found)
{
    int missed = 0;
    for (int i = 0; i < r->lines.count; i++)
        missed += !is_found(r, i, found);
    return r->any && missed < r->lines.count ? 0 : missed;
}

static void print_wrong(const struct row *r, const finding_list *found)
{
    for (int i = 0; i < found->count; i++) {
        const struct finding *f = found->items[i];
        if (is_false(r, f))
            printf("false   %s:%d: %s: %s [%s]\n", r->file, f->span.line,
                   severity_name(f->severity), f->message, f->rule);
    }
    for (int i = 0; count_missed(r, found) && i < r->lines.count; i++)
        if (!is_found(r, i, found))
            printf("missed  %s:%d\n", r->file, r->lines.items[i]);
}

static struct tally *tally_of(struct harness *h, const char *file)
{
    size_t n = strcspn(file, "/");
    for (int i = 0; i < h->tallies.count; i++)
        if (!strncmp(h->tallies.items[i].folder, file, n) && !h->tallies.items[i].folder[n])
            return &h->tallies.items[i];
    LIST_ADD(h->arena, &h->tallies, (struct tally){.folder = arena_text(h->arena, file, n)});
    return &h->tallies.items[h->tallies.count - 1];
}

static int judge(struct harness *h, const struct row *r, const finding_list *found)
{
    struct tally *t = tally_of(h, r->file);
    int wrong = count_missed(r, found) ? MISSED : 0;
    for (int i = 0; i < found->count; i++)
        if (is_false(r, found->items[i])) {
            wrong |= FALSE_FINDING;
            t->false_findings++;
        }
    t->programs[r->kind]++;
    t->good[r->kind] += r->kind == RIGHT ? !wrong : !(wrong & MISSED);
    return wrong;
}

static void compare(struct harness *h, struct row *r, const finding_list *found)
{
    int today = judge(h, r, found), *known = &r->today;
    if (h->bless)
        *known = today;
    if (h->report || today & ~*known)
        print_wrong(r, found);
    if (today == *known)
        return;
    h->changed++;
    printf("%s  %s: today '%s', and the manifest says '%s'%s\n",
           today & ~*known ? "worse " : "better", r->file, today_names[today], today_names[*known],
           today & ~*known ? "" : ": correct it");
}

static bool check(struct harness *h, struct row *r, struct error *e)
{
    const struct flow_options options = {.past_errors = true};
    struct ir_unit *u = lowering_unit(h->lowering, r->file, e);
    struct flow *flow = u ? flow_run(&u, 1, h->packs, &options, e) : NULL;
    if (flow) {
        struct arena *a = arena_new();
        finding_list found = find(h, a, u, flow);
        compare(h, r, &found);
        arena_free(a);
    }
    bool ok = flow != NULL;
    flow_free(flow);
    if (u)
        ir_unit_free(u);
    return ok;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_wanted(const struct harness *h, const char *file)
{
    size_t n = h->only ? strlen(h->only) : 0;
    return !n || (!strncmp(file, h->only, n) && (!file[n] || file[n] == '/'));
}

static bool check_all(struct harness *h, struct error *e)
{
    bool ok = true;
    for (int i = 0; i < h->rows.count; i += h->every)
        if (is_wanted(h, h->rows.items[i].file))
            lowering_expect(h->lowering, h->rows.items[i].file);
    for (int i = 0; ok && i < h->rows.count; i += h->every)
        ok = !is_wanted(h, h->rows.items[i].file) || check(h, &h->rows.items[i], e);
    return ok;
}

static bool has_row(const struct harness *h, const char *file)
{
    for (int i = 0; i < h->rows.count; i++)
        if (!strcmp(h->rows.items[i].file, file))
            return true;
    return false;
}

/* Every program has a row. */
static bool check_complete(struct harness *h, const char *folder, struct error *e)
{
    bool ok = true;
    DIR *d = opendir(folder);
    for (struct dirent *i; d && ok && (i = readdir(d));) {
        const char *file = arena_printf(h->arena, "%s/%s", folder, i->d_name);
        if (path_ends_in(file, ".c") && !has_row(h, file))
            ok = error_at(e, file, 0, 0, "not in the manifest");
    }
    if (d)
        closedir(d);
    return ok;
}

static bool check_folders(struct harness *h, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < h->tallies.count; i++)
        ok = check_complete(h, h->tallies.items[i].folder, e);
    return ok;
}

static void print_tally(const struct tally *t)
{
    printf("%-13s right silent %d/%d, bugs found %d/%d, losses found %d/%d, false findings %d\n",
           t->folder, t->good[RIGHT], t->programs[RIGHT], t->good[BUG_RAISES],
           t->programs[BUG_RAISES], t->good[LOSS], t->programs[LOSS], t->false_findings);
}

static void print_summary(const struct harness *h)
{
    struct tally sum = {.folder = "all"};
    for (int i = 0; i < h->tallies.count; i++) {
        const struct tally *t = &h->tallies.items[i];
        for (int k = 0; k < KINDS; k++) {
            sum.programs[k] += t->programs[k];
            sum.good[k] += t->good[k];
        }
        sum.false_findings += t->false_findings;
        print_tally(t);
    }
    print_tally(&sum);
}

static bool load_packs(struct harness *h, struct error *e)
{
    static const char *const names[] = {"libc.yaml", "miscast.yaml"};
    bool ok = true;
    h->packs = packs_new(h->arena, names_new(h->arena));
    for (int i = 0; ok && i < COUNT(names); i++)
        ok =
            packs_load(h->packs, arena_printf(h->arena, "%s/%s", packs_builtin_dir(), names[i]), e);
    return ok;
}

static bool run(struct harness *h, struct error *e)
{
    if (chdir(PROGRAMS))
        return error_set(e, "cannot enter " PROGRAMS);
    h->lowering = lowering_new(h->arena, KEPT);
    bool ok = load_packs(h, e) && read_manifest(h, e) && check_all(h, e) && check_folders(h, e) &&
              (!h->bless || write_manifest(h, e));
    lowering_close(h->lowering);
    return ok;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    struct harness h = {
        .arena = arena_new(), .comment = "", .every = 1, .bless = getenv("MISCAST_BLESS") != NULL};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--report"))
            h.report = true;
        else if (!strcmp(argv[i], "--every") && i + 1 < argc && atoi(argv[i + 1]) > 0)
            h.every = atoi(argv[++i]);
        else
            h.only = argv[i];
    bool ok = run(&h, &e);
    if (ok)
        print_summary(&h);
    else
        fprintf(stderr, "idioms: %s:%d: %s\n", e.file, e.line, e.message);
    arena_free(h.arena);
    return !ok ? 2 : !h.report && h.changed;
}
