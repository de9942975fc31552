/* Validates compile_commands.json before libclang reads it, because libclang accepts a truncated
 * file and prints its complaints to stderr. The file must be a JSON array of objects with a
 * directory, a file and a command each. Like libclang, it accepts a trailing comma. */
#include "frontends/clang/check_commands.h"

#include <string.h>

struct json {
    const char *path, *text, *at, *end;
    struct error *error;
};

/* No system starts a program with a longer command, and no project has more commands. */
enum { MOST_COMMANDS = 100000, LONGEST_COMMAND = 2 << 20 };

enum key { NO_KEY, DIRECTORY = 1, FILE_NAME = 2, COMMAND = 4, ARGUMENTS = 8, OUTPUT = 16 };

static bool wrong(const struct json *j, const char *at, const char *what)
{
    int line = 1;
    const char *start = j->text;
    for (const char *p = j->text; p < at; p++)
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    return error_at(j->error, j->path, line, (int)(at - start) + 1, "%s", what);
}

/* The next character that is not whitespace; NUL at the end. */
static char next(struct json *j)
{
    while (j->at < j->end && strchr(" \t\r\n", *j->at) && *j->at)
        j->at++;
    return j->at < j->end ? *j->at : '\0';
}

static bool take(struct json *j, char c)
{
    if (next(j) != c)
        return false;
    j->at++;
    return true;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool check_text(struct json *j)
{
    const char *start = j->at;
    if (!take(j, '"'))
        return wrong(j, j->at, "expected a text in double quotes");
    for (; j->at < j->end && *j->at != '"'; j->at++)
        j->at += *j->at == '\\' && j->at + 1 < j->end;
    return take(j, '"') || wrong(j, start, "a text that does not end");
}

/* After an item: whether another one follows, or the list ends. */
static bool goes_on(struct json *j, char close, bool *ok)
{
    bool comma = take(j, ',');
    if (take(j, close))
        return false;
    *ok = comma || wrong(j, j->at, close == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
    return *ok;
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool check_texts(struct json *j)
{
    bool ok = take(j, '[') || wrong(j, j->at, "expected a list of texts");
    if (!ok || take(j, ']'))
        return ok;
    do {
        next(j);
        ok = check_text(j);
    } while (ok && goes_on(j, ']', &ok));
    return ok;
}

/* The keys that libclang knows; it rejects all others. */
static const struct {
    const char *text; /* with its quotes */
    enum key key;
} keys[] = {
    {"\"directory\"", DIRECTORY}, {"\"file\"", FILE_NAME}, {"\"command\"", COMMAND},
    {"\"arguments\"", ARGUMENTS}, {"\"output\"", OUTPUT},
};

/* 0: none of them */
static enum key key_of(const char *from, const char *to)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((size_t)(to - from) == strlen(keys[i].text) &&
            memcmp(from, keys[i].text, (size_t)(to - from)) == 0)
            return keys[i].key;
    return NO_KEY;
}

static bool check_setting(struct json *j, unsigned *found)
{
    next(j);
    const char *start = j->at;
    if (!check_text(j))
        return false;
    enum key key = key_of(start, j->at);
    if (!key)
        return wrong(j, start, "expected directory, file, arguments, command or output");
    if (!take(j, ':'))
        return wrong(j, j->at, "expected ':'");
    *found |= key;
    next(j);
    return key == ARGUMENTS ? check_texts(j) : check_text(j);
}

static bool check_found(const struct json *j, const char *at, unsigned found)
{
    if (!(found & FILE_NAME))
        return wrong(j, at, "a command without \"file\"");
    if (!(found & DIRECTORY))
        return wrong(j, at, "a command without \"directory\"");
    return found & (COMMAND | ARGUMENTS) ||
           wrong(j, at, "a command with neither \"arguments\" nor \"command\"");
}

static bool check_command(struct json *j)
{
    unsigned found = 0;
    next(j);
    const char *start = j->at;
    bool ok = take(j, '{') || wrong(j, j->at, "expected '{', a command");
    if (!ok || take(j, '}'))
        return ok && check_found(j, start, found);
    do
        ok = check_setting(j, &found);
    while (ok && goes_on(j, '}', &ok));
    if (ok && j->at - start > LONGEST_COMMAND)
        return wrong(j, start, "a command of more than 2 MB");
    return ok && check_found(j, start, found);
}

static bool check_commands(struct json *j)
{
    int count = 0;
    bool ok = take(j, '[') || wrong(j, j->at, "expected '[', a list of commands");
    if (!ok || take(j, ']'))
        return ok;
    do
        ok = (++count <= MOST_COMMANDS || wrong(j, j->at, "more than 100000 commands")) &&
             check_command(j);
    while (ok && goes_on(j, ']', &ok));
    return ok;
}

bool commands_check(struct arena *a, const char *path, struct error *e)
{
    size_t length;
    struct json j = {.path = path, .error = e};
    j.text = j.at = file_read_kind(a, path, FILE_DATABASE, &length, e);
    if (!j.text)
        return false;
    j.end = j.text + length;
    if (strncmp(j.text, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        j.at += 3;
    return check_commands(&j) &&
           (next(&j) == '\0' && j.at == j.end ? true : wrong(&j, j.at, "expected the end"));
}
