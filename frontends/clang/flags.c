/* Compiler flags: from the words of a command line, keeps those that affect the meaning of the
 * source, and counts the others by the reason they are left out. */
#include "frontends/clang/flags.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

enum form { EXACT, JOINED, NEXT, EITHER };
enum fate { KEEP, SKIP, FOREIGN, REFUSE };

struct flag_row {
    const char *text;
    enum form form;
    enum fate fate;
};

static const struct flag_row rows[] = {
#define FLAG(text, form, fate) {text, form, fate},
#include "frontends/clang/flags.def"
#undef FLAG
};

/* A compile database has a hundred thousand flags, so that the rows are indexed: for each character
 * behind the dash a list of rows in their order, numbered from 1. */
static int first_row[UCHAR_MAX + 1], next_row[COUNT(rows)];
static pthread_once_t rows_indexed = PTHREAD_ONCE_INIT;

static unsigned char key_of(const char *text)
{
    return (unsigned char)text[text[0] == '-'];
}

static void index_rows(void)
{
    for (int i = COUNT(rows); i > 0; i--) {
        int *first = &first_row[key_of(rows[i - 1].text)];
        next_row[i - 1] = *first;
        *first = i;
    }
}

static bool fits(const struct flag_row *row, const char *word)
{
    const char *text = row->text;
    while (*text && *text == *word)
        text++, word++;
    return !*text && (!*word || row->form == JOINED || row->form == EITHER);
}

static const struct flag_row *first_that_fits(unsigned char key, const char *word)
{
    for (int i = first_row[key]; i; i = next_row[i - 1])
        if (fits(&rows[i - 1], word))
            return &rows[i - 1];
    return NULL;
}

/* NULL: not a flag. */
static const struct flag_row *row_of(struct arena *a, const char *word)
{
    if (strncmp(word, "-fno-", 5) == 0)
        word = arena_printf(a, "-f%s", word + 5);
    pthread_once(&rows_indexed, index_rows);
    const struct flag_row *row = first_that_fits(key_of(word), word);
    return row ? row : first_that_fits('\0', word); /* the row for all flags */
}

static bool takes_next(const struct flag_row *row, const char *word)
{
    return (row->form == NEXT || row->form == EITHER) && strcmp(word, row->text) == 0;
}

/* Flags passed through to the compiler proper are refused; counted if they could load code. */
static bool is_harmless(const char *word, const char *value)
{
    bool inner = strcmp(word, "-Xclang") == 0 || strcmp(word, "-mllvm") == 0;
    return inner && value && !strstr(value, "load") && !strstr(value, "plugin");
}

static void count(struct flags *f, enum fate fate, const char *word, const char *value)
{
    f->foreign += fate == FOREIGN;
    f->refused += fate == REFUSE && !is_harmless(word, value);
}

/* Only words that were recognised are passed on: a word that is a value here might be a flag to a
 * compiler that parses the word before it differently. A word that starts with @ would be replaced
 * by the contents of that file unless something precedes it. */
static void keep_value(struct flags *f, struct arena *a, const char *word, const char *value)
{
    if (value && value[0] == '@') {
        LIST_ADD(a, &f->list, arena_printf(a, "%s%s", word, value));
    } else if (value && value[0] != '-') {
        LIST_ADD(a, &f->list, word);
        LIST_ADD(a, &f->list, value);
    } else {
        f->refused++;
    }
}

static void take_flag(struct flags *f, struct arena *a, const char *const *words, int n, int *i)
{
    const char *word = words[*i];
    const struct flag_row *row = row_of(a, word);
    bool takes = takes_next(row, word);
    const char *value = takes && *i + 1 < n ? words[++*i] : NULL;
    count(f, row->fate, word, value);
    if (row->fate == KEEP && takes)
        keep_value(f, a, word, value);
    else if (row->fate == KEEP)
        LIST_ADD(a, &f->list, word);
}

/* A word before the first flag that is not a source file is a compiler behind a wrapper. */
static bool is_wrapped(const char *const *words, int n, const char *file)
{
    return n > 1 && words[1][0] != '-' && strcmp(path_last(words[1]), path_last(file)) != 0;
}

struct flags flags_of_command(struct arena *a, const char *const *words, int n, const char *file)
{
    struct flags f = {0};
    f.refused = is_wrapped(words, n, file);
    for (int i = 1; i < n; i++) {
        if (strcmp(words[i], "--") == 0)
            break;
        if (words[i][0] == '-' || words[i][0] == '@')
            take_flag(&f, a, words, n, &i);
    }
    return f;
}

/* ---- which language ------------------------------------------------------------------------- */

static const struct {
    const char *suffixes, *language;
} suffix_rows[] = {
    {".c .h", "c"},        {".cpp .cc .cxx .c++ .cp .C .hpp .hh .hxx .h++ .H", "c++"},
    {".cu .cuh", "cuda"},  {".hip", "hip"},
    {".m", "objective-c"}, {".mm", "objective-c++"},
};

static const char *language_of_name(const char *file)
{
    for (int i = 0; i < COUNT(suffix_rows); i++)
        if (path_ends_in(file, suffix_rows[i].suffixes))
            return suffix_rows[i].language;
    return "";
}

/* g++, clang++-19, aarch64-linux-gnu-g++: what they compile is C++, whatever it is called. */
static bool is_cpp_compiler(const char *word)
{
    const char *name = path_last(word), *plus = strstr(name, "++");
    return plus && strspn(plus + 2, "-.0123456789") == strlen(plus + 2);
}

/* "c-header" and "c" are one language. */
static const char *without_kind(struct arena *a, const char *language)
{
    const char *dash = strrchr(language, '-');
    bool is_kind = dash && (!strcmp(dash, "-header") || !strcmp(dash, "-cpp-output"));
    return is_kind ? arena_text(a, language, (size_t)(dash - language)) : language;
}

/* The last -x before the file counts. */
const char *flags_language(struct arena *a, const char *const *words, int n, const char *file)
{
    const char *said = NULL, *by_name = language_of_name(file);
    for (int i = 1; i < n && strcmp(words[i], "--"); i++) {
        const struct flag_row *row = words[i][0] == '-' ? row_of(a, words[i]) : NULL;
        if (!row && words[i][0] != '@' && !strcmp(path_last(words[i]), path_last(file)))
            break;
        if (row && !strcmp(row->text, "-x"))
            said = flags_value(words, n, &i, "-x");
        else if (row && takes_next(row, words[i]))
            i++;
    }
    if (said && strcmp(said, "none"))
        return without_kind(a, said);
    bool is_c = !strcmp(by_name, "c");
    return is_c && n && is_cpp_compiler(words[0]) ? "c++" : by_name;
}

bool flags_are_cpp(const char *file, const char *const *flags, int count)
{
    const char *language = language_of_name(file);
    for (int i = 0; i < count; i++)
        if (!strcmp(flags[i], "-x") && i + 1 < count)
            language = flags[++i];
    return !strcmp(language, "c++");
}

/* What only a linker reads. */
static bool is_object(const char *word)
{
    return path_ends_in(word, ".o .a .so .lo .la");
}

const char *flags_file(struct arena *a, const char *const *words, int n, const char **other)
{
    const char *file = NULL;
    *other = NULL;
    for (int i = 1; i < n; i++) {
        const struct flag_row *row = words[i][0] == '-' ? row_of(a, words[i]) : NULL;
        if (words[i][0] != '-' && words[i][0] != '@' && !is_object(words[i])) {
            *other = file;
            file = words[i];
        } else if (row && takes_next(row, words[i]))
            i++;
    }
    return file;
}

const char *flags_value(const char *const *flags, int count, int *i, const char *flag)
{
    size_t n = strlen(flag);
    if (strncmp(flags[*i], flag, n) != 0)
        return NULL;
    if (flags[*i][n])
        return flags[*i] + n + (flags[*i][n] == '=');
    return *i + 1 < count ? flags[++*i] : NULL;
}
