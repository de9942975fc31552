/* Runs a fuzz target without a fuzzing engine: the target's valid inputs, and files named on the
 * command line, are mutated at random and fed to it. The same seed gives the same inputs anywhere.
 *
 *     fuzz_npy [--runs N] [--seed S] [FILES]
 *     fuzz_npy --write DIR      only writes the valid inputs, as an initial corpus for libFuzzer
 *
 * A crash writes the input to crash-NAME, which can then be given as a file with --runs 0. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/mutate.h"

/* ---- inputs -------------------------------------------------------------------------------- */

struct corpus {
    struct bytes *files;
    size_t count;
};

static void pick(const struct corpus *c, uint64_t *r, struct bytes *b)
{
    if (c->count && below(r, 2) == 0)
        *b = c->files[below(r, c->count)];
    else
        b->size = fuzz_target.seed(below(r, fuzz_target.seed_count), b->data, FUZZ_ROOM);
}

static void flip_bit(struct bytes *b, uint64_t *r)
{
    size_t at = below(r, b->size), bit = below(r, 8);
    if (b->size)
        b->data[at] ^= (uint8_t)(1u << bit);
}

static void set_byte(struct bytes *b, uint64_t *r)
{
    size_t at = below(r, b->size);
    if (b->size)
        b->data[at] = (uint8_t)next_random(r);
}

static void truncate_end(struct bytes *b, uint64_t *r)
{
    b->size = below(r, b->size + 1);
}

static void append(struct bytes *b, uint64_t *r)
{
    uint8_t more[64];
    for (size_t i = 0; i < sizeof more; i++)
        more[i] = (uint8_t)next_random(r);
    replace(b, b->size, 0, more, below(r, sizeof more) + 1);
}

static void erase(struct bytes *b, uint64_t *r)
{
    size_t at = below(r, b->size), n = below(r, 16) + 1;
    replace(b, at, n < b->size - at ? n : b->size - at, "", 0);
}

static void repeat(struct bytes *b, uint64_t *r)
{
    uint8_t piece[32];
    size_t at = below(r, b->size), n = below(r, sizeof piece) + 1;
    n = n < b->size - at ? n : b->size - at;
    memcpy(piece, b->data + at, n);
    replace(b, below(r, b->size + 1), 0, piece, n);
}

/* A piece of another valid input, over or between. */
static void graft(struct bytes *b, uint64_t *r)
{
    struct bytes other;
    other.size = fuzz_target.seed(below(r, fuzz_target.seed_count), other.data, FUZZ_ROOM);
    size_t from = below(r, other.size), n = below(r, other.size - from + 1);
    size_t at = below(r, b->size), over = below(r, 2) ? n : 0;
    replace(b, at, over < b->size - at ? over : b->size - at, other.data + from, n);
}

static const uint64_t integers[] = {0,          1,          0x7f,       0x80,
                                    0xff,       0x7fff,     0x8000,     0xffff,
                                    0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
                                    1ull << 63, ~0ull,      100000000,  1ull << 62};
#define INTEGER_COUNT (sizeof integers / sizeof integers[0])

static void put_integer(struct bytes *b, uint64_t *r)
{
    uint64_t value = integers[below(r, INTEGER_COUNT)];
    value += below(r, 3) - 1;
    size_t width = (size_t)1 << below(r, 4);
    size_t at = below(r, 3) ? below(r, b->size) : below(r, 16);
    for (size_t i = 0; i < width && at + i < b->size; i++)
        b->data[at + i] = (uint8_t)(value >> (8 * i));
}

static int is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* Rewrites a number in the text. */
static void put_number(struct bytes *b, uint64_t *r)
{
    char text[32];
    size_t at = below(r, b->size), n = 0, tries = b->size;
    while (tries-- && !is_digit(b->data[at]))
        at = at + 1 < b->size ? at + 1 : 0;
    while (at + n < b->size && is_digit(b->data[at + n]))
        n++;
    uint64_t value = below(r, 2) ? below(r, 70) : integers[below(r, INTEGER_COUNT)];
    int size = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    replace(b, at, n, text, (size_t)size);
}

static void put_word(struct bytes *b, uint64_t *r)
{
    size_t count = 0;
    while (fuzz_target.words[count])
        count++;
    const char *word = fuzz_target.words[below(r, count)];
    size_t at = below(r, b->size), over = below(r, 2) ? strlen(word) : 0;
    replace(b, at, over < b->size - at ? over : b->size - at, word, strlen(word));
}

static void (*const changes[])(struct bytes *, uint64_t *) = {
    flip_bit, set_byte,    truncate_end, append,     erase,    repeat,
    graft,    put_integer, put_number,   put_number, put_word,
};

static void change(struct bytes *b, uint64_t *r)
{
    bool as_text = fuzz_target.is_text && below(r, 4);
    if (as_text)
        mutate_text(b, r);
    for (size_t i = as_text       ? 0
                    : below(r, 2) ? 1
                                  : 1 + below(r, 8);
         i > 0; i--) /* 1 goes deepest */
        changes[below(r, sizeof changes / sizeof changes[0])](b, r);
    if (below(r, 4))
        fuzz_target.repair(b->data, b->size);
}

/* ---- running ------------------------------------------------------------------------------- */

/* The input that runs, for whoever reports a crash. */
static struct bytes current;
static unsigned long inputs;

static void save_current(void)
{
    char name[80], text[160];
    snprintf(name, sizeof name, "crash-%s", fuzz_target.name);
    int n = snprintf(text, sizeof text, "fuzz %s: crash at input %lu, written to %s\n",
                     fuzz_target.name, inputs, name);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || write(fd, current.data, current.size) < 0 || write(2, text, (size_t)n) < 0)
        return;
    close(fd);
}

static void on_signal(int sig)
{
    save_current();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* A sanitizer dies in its own way, and says how; it leaves abort to us. */
void __attribute__((weak)) __sanitizer_set_death_callback(void (*callback)(void));

static void watch_for_crashes(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    bool sanitized = __sanitizer_set_death_callback != NULL;
    if (sanitized)
        __sanitizer_set_death_callback(save_current);
    for (size_t i = 0; i < (sanitized ? 1 : sizeof signals / sizeof signals[0]); i++)
        signal(signals[i], on_signal);
}

/* In a block of just its size, so that a sanitizer sees a read beyond the end. */
static void run_current(void)
{
    uint8_t *exact = malloc(current.size ? current.size : 1);
    if (!exact)
        abort();
    memcpy(exact, current.data, current.size);
    inputs++;
    LLVMFuzzerTestOneInput(exact, current.size);
    free(exact);
}

/* Valid inputs must load: a target that refuses everything would find nothing. */
static int run_seeds(void)
{
    for (size_t i = 0; i < fuzz_target.seed_count; i++) {
        unsigned long before = fuzz_loaded;
        current.size = fuzz_target.seed(i, current.data, FUZZ_ROOM);
        run_current();
        if (fuzz_loaded == before) {
            save_current();
            fprintf(stderr, "fuzz %s: valid input %zu does not load\n", fuzz_target.name, i);
            return 1;
        }
    }
    return 0;
}

static int read_files(struct corpus *c, int count, char **paths)
{
    c->files = calloc((size_t)count + 1, sizeof *c->files);
    for (int i = 0; c->files && i < count; i++) {
        FILE *in = fopen(paths[i], "rb");
        if (!in) {
            perror(paths[i]);
            return 2;
        }
        current.size = fread(current.data, 1, FUZZ_ROOM, in);
        fclose(in);
        run_current();
        c->files[c->count++] = current;
    }
    return c->files ? 0 : 2;
}

static int write_seeds(const char *dir)
{
    char path[512];
    for (size_t i = 0; i < fuzz_target.seed_count; i++) {
        snprintf(path, sizeof path, "%s/%zu", dir, i);
        FILE *out = fopen(path, "wb");
        if (!out) {
            perror(path);
            return 2;
        }
        current.size = fuzz_target.seed(i, current.data, FUZZ_ROOM);
        fwrite(current.data, 1, current.size, out);
        fclose(out);
    }
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: fuzz_%s [--runs N] [--seed S] [--write DIR] [FILES]\n",
            fuzz_target.name);
    return 2;
}

int main(int argc, char **argv)
{
    unsigned long runs = 20000;
    uint64_t r = 1;
    struct corpus corpus = {0};
    int at = 1;
    for (; at < argc && !strncmp(argv[at], "--", 2); at += 2) {
        if (at + 1 == argc)
            return usage();
        if (!strcmp(argv[at], "--runs"))
            runs = strtoul(argv[at + 1], NULL, 10);
        else if (!strcmp(argv[at], "--seed"))
            r = strtoull(argv[at + 1], NULL, 10);
        else if (!strcmp(argv[at], "--write"))
            return write_seeds(argv[at + 1]);
        else
            return usage();
    }
    watch_for_crashes();
    int failed = read_files(&corpus, argc - at, argv + at);
    failed = failed ? failed : run_seeds();
    for (unsigned long i = 0; !failed && i < runs; i++) {
        pick(&corpus, &r, &current);
        change(&current, &r);
        run_current();
    }
    free(corpus.files);
    if (!failed)
        printf("fuzz %s: %lu inputs, %lu loaded, 0 crashes\n", fuzz_target.name, inputs,
               fuzz_loaded);
    return failed;
}
