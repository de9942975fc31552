/* Additions for libFuzzer: a mutator that keeps inputs well-formed, and the target's valid inputs
 * and words as initial corpus and dictionary.
 *
 *     fuzz_ir --write DIR FILE      writes the valid inputs into the folder and the words, as a
 *                                   dictionary, to the file */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/mutate.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static FILE *open_or_exit(const char *path)
{
    FILE *out = fopen(path, "wb");
    if (!out) {
        perror(path);
        exit(2);
    }
    return out;
}

static void write_words(const char *path)
{
    FILE *out = open_or_exit(path);
    for (const char *const *word = fuzz_target.words; *word; word++) {
        fputc('"', out);
        for (const char *c = *word; *c; c++)
            fprintf(out, "\\x%02x", (unsigned char)*c);
        fputs("\"\n", out);
    }
    fclose(out);
}

static void write_seeds(const char *folder)
{
    static uint8_t data[FUZZ_ROOM];
    char path[4096];
    for (size_t i = 0; i < fuzz_target.seed_count; i++) {
        snprintf(path, sizeof path, "%s/%zu", folder, i);
        FILE *out = open_or_exit(path);
        size_t size = fuzz_target.seed(i, data, sizeof data);
        fwrite(data, 1, size, out);
        fclose(out);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (*argc != 4 || strcmp((*argv)[1], "--write") != 0)
        return 0;
    write_seeds((*argv)[2]);
    write_words((*argv)[3]);
    exit(0);
}

/* Of text, bytes are changed now and then, too. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static struct bytes b;
    uint64_t r = seed;
    room = room < FUZZ_ROOM ? room : FUZZ_ROOM;
    size = size < room ? size : room;
    if (fuzz_target.is_text && below(&r, 8)) {
        memcpy(b.data, data, size);
        b.size = size;
        mutate_text(&b, &r);
        size = b.size < room ? b.size : room;
        memcpy(data, b.data, size);
    } else {
        size = LLVMFuzzerMutate(data, size, room);
    }
    if (below(&r, 16))
        fuzz_target.repair(data, size);
    return size;
}
