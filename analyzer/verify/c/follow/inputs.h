/* In front of the source of a program that is followed: functions that read or compare texts report
 * that first (mc_probe_input). Each calls the function whose name it has, so that nothing else
 * changes. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <getopt.h>
#include <miscast/probe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define MISCAST_COMPARES(name)                                                                     \
    static int miscast_##name(const char *a, const char *b)                                        \
    {                                                                                              \
        mc_probe_input("compare", a, b, 0);                                                        \
        return name(a, b);                                                                         \
    }
#define MISCAST_COMPARES_SOME(name)                                                                \
    static int miscast_##name(const char *a, const char *b, size_t n)                              \
    {                                                                                              \
        mc_probe_input("compare", a, b, (int64_t)n);                                               \
        return name(a, b, n);                                                                      \
    }
#define MISCAST_CONVERTS(name, type)                                                               \
    static type miscast_##name(const char *text)                                                   \
    {                                                                                              \
        mc_probe_input("number", text, NULL, 0);                                                   \
        return name(text);                                                                         \
    }
#define MISCAST_CONVERTS_INT(name, type)                                                           \
    static type miscast_##name(const char *text, char **end, int base)                             \
    {                                                                                              \
        mc_probe_input("number", text, NULL, 0);                                                   \
        return name(text, end, base);                                                              \
    }
#define MISCAST_CONVERTS_REAL(name, type)                                                          \
    static type miscast_##name(const char *text, char **end)                                       \
    {                                                                                              \
        mc_probe_input("number", text, NULL, 0);                                                   \
        return name(text, end);                                                                    \
    }
MISCAST_COMPARES(strcmp)
MISCAST_COMPARES(strcasecmp)
MISCAST_COMPARES_SOME(strncmp)
MISCAST_COMPARES_SOME(strncasecmp)
MISCAST_CONVERTS(atoi, int)
MISCAST_CONVERTS(atol, long)
MISCAST_CONVERTS(atoll, long long)
MISCAST_CONVERTS(atof, double)
MISCAST_CONVERTS_INT(strtol, long)
MISCAST_CONVERTS_INT(strtoll, long long)
MISCAST_CONVERTS_INT(strtoul, unsigned long)
MISCAST_CONVERTS_INT(strtoull, unsigned long long)
MISCAST_CONVERTS_REAL(strtod, double)
MISCAST_CONVERTS_REAL(strtof, float)

static int miscast_memcmp(const void *a, const void *b, size_t n)
{
    char x[64] = {0}, y[64] = {0};
    if (n < sizeof x) {
        memcpy(x, a, n);
        memcpy(y, b, n);
        mc_probe_input("compare", x, y, (int64_t)n);
    }
    return memcmp(a, b, n);
}

static char *miscast_strstr(const char *text, const char *part)
{
    mc_probe_input("contain", text, part, 0);
    return (char *)(uintptr_t)strstr(text, part);
}

static char *miscast_strchr(const char *text, int letter)
{
    mc_probe_input("split", text, (char[]){(char)letter, '\0'}, 0);
    return (char *)(uintptr_t)strchr(text, letter);
}

static size_t miscast_strspn(const char *text, const char *letters)
{
    mc_probe_input("letters", text, letters, 0);
    return strspn(text, letters);
}

static char *miscast_strtok(char *text, const char *between)
{
    mc_probe_input("split", text, between, 0);
    return strtok(text, between);
}

static char *miscast_strtok_r(char *text, const char *between, char **left)
{
    mc_probe_input("split", text, between, 0);
    return strtok_r(text, between, left);
}

static char *miscast_strsep(char **text, const char *between)
{
    mc_probe_input("split", *text, between, 0);
    return strsep(text, between);
}

static char *miscast_getenv(const char *name)
{
    mc_probe_input("variable", name, NULL, 0);
    return getenv(name);
}

static char *miscast_secure_getenv(const char *name)
{
    mc_probe_input("variable", name, NULL, 0);
    return secure_getenv(name);
}

static FILE *miscast_fopen(const char *name, const char *mode)
{
    if (*mode == 'r')
        mc_probe_input("file", name, NULL, 0);
    return fopen(name, mode);
}

static const char *miscast_scanned(const char *text, const char *format)
{
    mc_probe_input("scan", text, format, 0);
    return text;
}

static int miscast_getopt(int argc, char *const *argv, const char *letters)
{
    for (const char *at = letters; *at; at++)
        if (*at != ':' && *at != '+' && *at != '-')
            mc_probe_input("option", "", (char[]){'-', *at, '\0'}, at[1] == ':');
    return getopt(argc, argv, letters);
}

static int miscast_getopt_long(int argc, char *const *argv, const char *letters,
                               const struct option *table, int *index)
{
    for (const struct option *o = table; o && o->name; o++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", o->name);
        mc_probe_input("option", "", name, o->has_arg == required_argument);
    }
    for (const char *at = letters; *at; at++)
        if (*at != ':' && *at != '+' && *at != '-')
            mc_probe_input("option", "", (char[]){'-', *at, '\0'}, at[1] == ':');
    return getopt_long(argc, argv, letters, table, index);
}

#undef strcmp
#undef strncmp
#undef strcasecmp
#undef strncasecmp
#undef memcmp
#undef strstr
#undef strchr
#undef strspn
#undef strtok
#undef strtok_r
#undef strsep
#undef getenv
#undef fopen
#define strcmp                      miscast_strcmp
#define strcasecmp                  miscast_strcasecmp
#define strncmp                     miscast_strncmp
#define strncasecmp                 miscast_strncasecmp
#define memcmp                      miscast_memcmp
#define strstr                      miscast_strstr
#define strchr                      miscast_strchr
#define strspn                      miscast_strspn
#define strtok                      miscast_strtok
#define strtok_r                    miscast_strtok_r
#define strsep                      miscast_strsep
#define atoi                        miscast_atoi
#define atol                        miscast_atol
#define atoll                       miscast_atoll
#define atof                        miscast_atof
#define strtol                      miscast_strtol
#define strtoll                     miscast_strtoll
#define strtoul                     miscast_strtoul
#define strtoull                    miscast_strtoull
#define strtod                      miscast_strtod
#define strtof                      miscast_strtof
#define getenv                      miscast_getenv
#define secure_getenv               miscast_secure_getenv
#define fopen                       miscast_fopen
#define getopt                      miscast_getopt
#define getopt_long                 miscast_getopt_long
#define MISCAST_FORMAT(format, ...) format
#define sscanf(text, ...)           sscanf(miscast_scanned(text, MISCAST_FORMAT(__VA_ARGS__, 0)), __VA_ARGS__)
#define scanf(...)                  (miscast_scanned("", MISCAST_FORMAT(__VA_ARGS__, 0)), scanf(__VA_ARGS__))
#define fscanf(file, ...)                                                                          \
    (miscast_scanned("", MISCAST_FORMAT(__VA_ARGS__, 0)), fscanf(file, __VA_ARGS__))
