/* Runs programs: the sources of a batch are compiled into one executable, which runs each program
 * with every setting in a process of its own; the runtime's trace of each op is collected by
 * location. */
#include "tests/agree/agree.h"

#include "analyzer/pack/pack.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_file(const char *path, const struct text *text, struct error *e)
{
    FILE *f = fopen(path, "w");
    /* An empty text has no data. */
    bool ok = f && (!text->length || fwrite(text->data, 1, text->length, f) == text->length);
    if (f)
        ok &= fclose(f) == 0;
    return ok || error_set(e, "cannot write %s: %s", path, strerror(errno));
}

static bool write_program(const char *dir, const struct program *p, struct error *e)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", dir, p->name);
    if (mkdir(path, 0777) && errno != EEXIST)
        return error_set(e, "cannot make %s: %s", path, strerror(errno));
    snprintf(path, sizeof path, "%s/%s/%s.h", dir, p->name, p->name);
    if (!write_file(path, &p->header, e))
        return false;
    for (int i = 0; i < p->file_count; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", dir, p->name, p->file_names[i]);
        if (!write_file(path, &p->files[i], e))
            return false;
    }
    return true;
}

/* Each run is a process: an error ends it, with a status of its own, and so does time. One that
 * goes to its end must have left nothing once the scope around it has ended: no header of a tensor
 * or storage, and no recorded op. Casts of weights do not count: an autocast region that the
 * program leaves open holds them, as it should. */
static const char driver[] =
    "size_t pool_taken(void);\n"
    "size_t graph_live_nodes(void);\n"
    "enum { REFUSED = 2, FAILED = 3, LEAKED = 4 };\n"
    "\n"
    "static void stop(const mc_error *error, void *user)\n"
    "{\n"
    "    (void)error;\n"
    "    (void)user;\n"
    "    _exit(FAILED);\n"
    "}\n"
    "\n"
    "/* Words with = go to the environment. */\n"
    "static void run(int program, size_t setting)\n"
    "{\n"
    "    char *words[20] = {\"program\"};\n"
    "    int count = 1;\n"
    "    for (const char *const *w = programs[program].runs[setting]; *w; w++)\n"
    "        if (strchr(*w, '='))\n"
    "            putenv((char *)*w);\n"
    "        else\n"
    "            words[count++] = (char *)*w;\n"
    "    mc_set_error_handler(stop, NULL);\n"
    "    alarm(60);\n"
    "    mc_scope scope = mc_scope_begin();\n"
    "    int code = programs[program].main(count, words);\n"
    "    mc_scope_end(scope);\n"
    "    mc_clear_autocast_cache();\n"
    "    _exit(code == 0 && pool_taken() + graph_live_nodes() ? LEAKED : code);\n"
    "}\n"
    "\n"
    "int main(void)\n"
    "{\n"
    "    int runs = 0, failed = 0, leaked = 0, failing = -1;\n"
    "    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)\n"
    "        for (size_t s = 0; s < programs[p].run_count; s++) {\n"
    "            int status = 0;\n"
    "            pid_t child = fork();\n"
    "            if (child == 0)\n"
    "                run((int)p, s);\n"
    "            if (child < 0 || waitpid(child, &status, 0) != child)\n"
    "                return 2;\n"
    "            int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);\n"
    "            if (code == LEAKED)\n"
    "                printf(\"leak %s setting %zu\\n\", programs[p].name, s);\n"
    "            else if (code != 0 && code != FAILED && code != REFUSED)\n"
    "                printf(\"%s setting %zu ended with %d\\n\", programs[p].name, s, code);\n"
    "            runs++;\n"
    "            if (code == FAILED && failing != (int)p)\n"
    "                printf(\"fails %s\\n\", programs[p].name);\n"
    "            failing = code == FAILED ? (int)p : failing;\n"
    "            failed += code == FAILED;\n"
    "            leaked += code == LEAKED;\n"
    "        }\n"
    "    printf(\"runs %d failed %d leaked %d\\n\", runs, failed, leaked);\n"
    "    return 0;\n"
    "}\n";

/* The settings that programs have unless they have their own. */
static void add_settings(struct text *t)
{
    text_printf(t, "static const char *const settings[][%d] = {\n", RUN_WORDS);
    for (int s = 0; s < SETTINGS; s++) {
        char w[SETTING_WORDS][4];
        setting_words(s, w);
        text_printf(t, "    {\"%s\", \"%s\", \"%s\", \"%s\", \"%s\", NULL},\n", w[0], w[1], w[2],
                    w[3], w[4]);
    }
    text_add(t, "};\n");
}

static void add_table(const struct batch *b, struct text *t)
{
    for (int i = 0; i < b->count; i++)
        if (b->programs[i].runs.length)
            text_printf(t, "static const char *const %s_runs[][%d] = {\n%s};\n",
                        b->programs[i].name, RUN_WORDS, b->programs[i].runs.data);
    text_printf(t,
                "static const struct {\n    const char *name;\n    int (*main)(int, char **);\n"
                "    const char *const (*runs)[%d];\n    size_t run_count;\n} programs[] = {\n",
                RUN_WORDS);
    for (int i = 0; i < b->count; i++) {
        const char *name = b->programs[i].name;
        char runs[40] = "settings";
        if (b->programs[i].runs.length)
            snprintf(runs, sizeof runs, "%s_runs", name);
        text_printf(t, "    {\"%s\", %s_main, %s, sizeof %s / sizeof *%s},\n", name, name, runs,
                    runs, runs);
    }
    text_add(t, "};\n");
}

static bool write_batch(const struct batch *b, struct error *e)
{
    char path[600];
    struct text t = {0};
    text_add(&t, "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n"
                 "#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n");
    for (int i = 0; i < b->count; i++) {
        const struct program *p = &b->programs[i];
        text_printf(&t, "#define main %s_main\n", p->name);
        for (int k = 0; k < p->file_count; k++)
            text_printf(&t, "#include \"%s/%s\"\n", p->name, p->file_names[k]);
        text_add(&t, "#undef main\n");
    }
    if (!b->programs[0].runs.length)
        add_settings(&t);
    add_table(b, &t);
    text_add(&t, driver);
    snprintf(path, sizeof path, "%s/batch.c", b->dir);
    bool ok = write_file(path, &t, e);
    text_free(&t);
    return ok;
}

bool batch_write(const struct batch *b, struct error *e)
{
    for (int i = 0; i < b->count; i++)
        if (!write_program(b->dir, &b->programs[i], e))
            return false;
    return write_batch(b, e);
}

static bool is_c(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && !strcmp(name + n - 2, ".c");
}

bool program_read(struct program *p, const char *dir, const char *name, struct error *e)
{
    char path[600];
    *p = (struct program){.id = atoi(name + 1), .foreign = true};
    snprintf(p->name, sizeof p->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    DIR *d = opendir(path);
    if (!d)
        return error_set(e, "cannot read %s: %s", path, strerror(errno));
    for (struct dirent *i; (i = readdir(d)) && p->file_count < MAX_FILES;)
        if (is_c(i->d_name))
            snprintf(p->file_names[p->file_count++], sizeof p->file_names[0], "%.23s", i->d_name);
    closedir(d);
    return write_batch(&(struct batch){dir, 0, p, 1}, e);
}

/* ---- running --------------------------------------------------------------------------------- */

static bool run_command(char *const *argv, const char *out, struct error *e)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return error_set(e, "cannot run %s: %s", argv[0], strerror(errno));
    return status == 0 || error_set(e, "%s failed, see %s", argv[0], out);
}

static bool compile(const struct batch *b, struct error *e)
{
    char source[600], program[600], out[600];
    static char all[] = AGREE_COMPILE; /* words between bars */
    char *words = strdup(all), *argv[64], *rest = NULL;
    int count = 0;
    snprintf(source, sizeof source, "%s/batch.c", b->dir);
    snprintf(program, sizeof program, "%s/batch", b->dir);
    snprintf(out, sizeof out, "%s/compile.out", b->dir);
    for (char *w = strtok_r(words, "|", &rest); w && count < 56; w = strtok_r(NULL, "|", &rest)) {
        argv[count++] = w;
        if (count == 1) { /* behind the compiler: libraries come after what needs them */
            argv[count++] = "-o";
            argv[count++] = program;
            argv[count++] = source;
            if (b->programs[0].foreign)
                argv[count++] = "-w";
        }
    }
    argv[count] = NULL;
    bool ok = run_command(argv, out, e);
    free(words);
    return ok;
}

/* ---- traces ---------------------------------------------------------------------------------- */

void seen_free(struct seen_list *l)
{
    free(l->items);
    free(l->slots);
    *l = (struct seen_list){0};
}

static uint64_t seen_hash(const struct seen *s)
{
    return hash_bytes(s->op, strlen(s->op), hash_bytes(s->place, strlen(s->place), 0));
}

static void seen_rehash(struct seen_list *l)
{
    l->slot_count = l->slot_count ? l->slot_count * 2 : 4096;
    free(l->slots);
    l->slots = malloc(sizeof *l->slots * (size_t)l->slot_count);
    for (int i = 0; i < l->slot_count; i++)
        l->slots[i] = -1;
    for (int i = 0; i < l->count; i++) {
        uint64_t at = seen_hash(&l->items[i]);
        while (l->slots[at % (uint64_t)l->slot_count] >= 0)
            at++;
        l->slots[at % (uint64_t)l->slot_count] = i;
    }
}

static void join_shapes(struct seen *into, const struct seen *s)
{
    bool first = !into->ranks[0];
    if (!s->ranks[0])
        return;
    for (int i = 0; i < 8; i++)
        into->dims[i] = first || into->dims[i] == s->dims[i] ? s->dims[i] : -1;
    if (first || s->ranks[0] < into->ranks[0])
        into->ranks[0] = s->ranks[0];
    if (first || s->ranks[1] > into->ranks[1])
        into->ranks[1] = s->ranks[1];
}

static void seen_add(struct seen_list *l, const struct seen *s)
{
    if (l->count * 2 >= l->slot_count)
        seen_rehash(l);
    uint64_t at = seen_hash(s);
    int *slot;
    for (;; at++) {
        slot = &l->slots[at % (uint64_t)l->slot_count];
        if (*slot < 0)
            break;
        struct seen *old = &l->items[*slot];
        if (strcmp(old->place, s->place) || strcmp(old->op, s->op))
            continue;
        old->dtypes |= s->dtypes;
        old->devices |= s->devices;
        old->zero_dims |= s->zero_dims;
        old->errors |= s->errors;
        old->worked |= s->worked;
        join_shapes(old, s);
        old->least = fmin(old->least, s->least);
        old->greatest = fmax(old->greatest, s->greatest);
        old->nan |= s->nan;
        old->inf |= s->inf;
        return;
    }
    if (l->count == l->room) {
        l->room = l->room ? l->room * 2 : 1024;
        l->items = realloc(l->items, sizeof *l->items * (size_t)l->room);
    }
    *slot = l->count;
    l->items[l->count++] = *s;
}

/* The string behind a key, which must follow at; "" if it is not a string. */
static const char *string_after(const char *at, const char *key, char *to, size_t size)
{
    const char *found = at ? strstr(at, key) : NULL;
    *to = '\0';
    if (!found)
        return NULL;
    found += strlen(key);
    if (*found != '"')
        return found;
    size_t n = strcspn(++found, "\"");
    snprintf(to, size, "%.*s", (int)(n < size ? n : size - 1), found);
    return found + n;
}

/* The folder and the file are enough to know the program by. */
static const char *last_two(const char *path)
{
    const char *at = strrchr(path, '/');
    while (at && at > path && at[-1] != '/')
        at--;
    return at ? at : path;
}

static unsigned error_bit(const char *name)
{
    for (int k = 1; k < ERROR_KIND_COUNT; k++)
        if (!strcmp(error_kind_name((enum error_kind)k), name))
            return 1u << k;
    return 1u; /* one that the analysis has no name for */
}

/* "2,3]" */
static void read_shape(const char *at, struct seen *s)
{
    int rank = 0;
    char *end;
    for (; *at != ']' && rank < 8; at = *end == ',' ? end + 1 : end)
        s->dims[rank++] = strtoll(at, &end, 10);
    s->ranks[0] = s->ranks[1] = rank + 1;
}

/* "nan":0,"inf":0,"min":-1,"max":1: null where no element is finite. */
static void read_elements(const char *at, struct seen *s)
{
    const char *nan = strstr(at, "\"nan\":"), *inf = strstr(at, "\"inf\":");
    const char *min = strstr(at, "\"min\":"), *max = strstr(at, "\"max\":");
    if (!nan || !inf || !min || !max)
        return;
    s->nan = atoll(nan + 6) > 0;
    s->inf = atoll(inf + 6) > 0;
    char *end;
    double least = strtod(min + 6, &end);
    if (end == min + 6 || isnan(least))
        return;
    s->least = least;
    s->greatest = strtod(max + 6, NULL);
}

static bool read_result(const char *at, struct seen *s)
{
    char word[32];
    at = string_after(at, "\"dtype\":", word, sizeof word);
    s->dtypes = 1u << dtype_named(word);
    at = string_after(at, "\"device\":", word, sizeof word);
    struct operand o = {.kind = OPERAND_TENSOR};
    if (!device_parse(word, &o.device, &o.gpus))
        return false;
    s->devices = operand_places(&o);
    at = at ? strstr(at, "\"shape\":[") : NULL;
    if (!at)
        return false;
    s->zero_dims = at[9] == ']' ? 2 : 1;
    read_shape(at + 9, s);
    read_elements(at, s);
    return true;
}

/* False: it has no place, or did not run. What went wrong on the way back is told by the op it went
 * wrong at, before the call of backward, whose error it is. */
static bool read_line(const char *line, struct seen *s, unsigned *on_the_way)
{
    char path[600], kind[32];
    const char *at = string_after(line, "{\"op\":", s->op, sizeof s->op);
    at = string_after(at, "\"file\":", path, sizeof path);
    const char *number = at ? strstr(at, "\"line\":") : NULL;
    const char *result = number ? strstr(number, "\"result\":") : NULL;
    if (!result || !*path)
        return false;
    if (strstr(result, "\"backward\":true")) {
        string_after(strstr(result, "\"error\":"), "\"kind\":", kind, sizeof kind);
        *on_the_way |= *kind ? error_bit(kind) : 0;
        return false;
    }
    bool back = strcmp(s->op, "backward") == 0;
    if (strstr(result, "\"skipped\":true") && !(back && *on_the_way))
        return false;
    snprintf(s->place, sizeof s->place, "%.36s:%d", last_two(path), atoi(number + 7));
    s->program = atoi(last_two(path) + 1);
    string_after(strstr(result, "\"error\":"), "\"kind\":", kind, sizeof kind);
    if (*kind)
        s->errors = error_bit(kind);
    if (back) {
        s->errors |= *on_the_way;
        *on_the_way = 0;
    }
    s->worked = !s->errors;
    return result[9] != '{' || read_result(result, s);
}

static bool read_trace(const char *path, struct seen_list *seen, struct error *e)
{
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return error_set(e, "cannot read %s: %s", path, strerror(errno));
    unsigned on_the_way = 0;
    while (getline(&line, &room, f) > 0) {
        struct seen s = {.least = INFINITY, .greatest = -INFINITY};
        if (read_line(line, &s, &on_the_way))
            seen_add(seen, &s);
    }
    free(line);
    fclose(f);
    return true;
}

/* A run may fail in an op that was called by its address, of which the place is not known. */
static void note_failing(const char *name, struct seen_list *seen)
{
    struct seen s = {.errors = 1, .anywhere = true, .least = INFINITY, .greatest = -INFINITY};
    if (sscanf(name, "p%d", &s.program) != 1)
        return;
    snprintf(s.place, sizeof s.place, "p%d", s.program);
    seen_add(seen, &s);
}

static bool read_counts(const char *path, struct seen_list *seen, struct totals *t, struct error *e)
{
    char line[200] = "";
    long runs = 0, failed = 0, leaked = 0;
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "leak ", 5) == 0) {
            printf("%s", line);
            continue;
        }
        if (strncmp(line, "fails ", 6) == 0) {
            note_failing(line + 6, seen);
            continue;
        }
        if (sscanf(line, "runs %ld failed %ld leaked %ld", &runs, &failed, &leaked) != 3) {
            fclose(f);
            return error_set(e, "%s: %s", path, line);
        }
    }
    if (f)
        fclose(f);
    t->runs += runs;
    t->failed_runs += failed;
    t->leaks += leaked;
    return runs > 0 || error_set(e, "%s: nothing ran", path);
}

bool batch_run(const struct batch *b, struct seen_list *seen, struct totals *t, struct error *e)
{
    char program[600], trace[600], out[600];
    char *const argv[] = {program, NULL};
    snprintf(program, sizeof program, "%s/batch", b->dir);
    snprintf(trace, sizeof trace, "%s/trace.jsonl", b->dir);
    snprintf(out, sizeof out, "%s/run.out", b->dir);
    unlink(trace);
    setenv("MISCAST_TRACE", trace, 1);
    setenv("MISCAST_TRACE_ELEMENTS", "1", 1);
    setenv("MISCAST_THREADS", "1", 1);
    setenv("MISCAST_SIM_DEVICES", "3", 1);
    bool ok = compile(b, e) && run_command(argv, out, e) && read_counts(out, seen, t, e) &&
              read_trace(trace, seen, e);
    unlink(trace);
    return ok;
}
