/* Files, for the formats of this folder: input that is a file or memory, a file as one block,
 * output that replaces a file only once it is complete, and errors that name the path.
 *
 * Nothing here raises an error of the op: an error handler may leave by longjmp, so a problem is
 * noted, everything is closed, and only then file_fail raises it. */
#ifndef RUNTIME_FILE_H
#define RUNTIME_FILE_H

#include "runtime/core/core.h"

/* ---- problems ------------------------------------------------------------------------------ */

struct problem {
    mc_error_kind kind;
    char text[256];
};

/* Both return false. */
bool problem_set(struct problem *p, mc_error_kind kind, const char *fmt, ...) MC_PRINTF(3, 4);
bool problem_no_memory(struct problem *p, size_t nbytes);
#define PROBLEM(p, ...) problem_set(p, MC_ERROR_FILE, __VA_ARGS__)
/* Raises the problem as "PATH: text". Returns NULL. */
void *file_fail(struct op *op, const char *path, const struct problem *p);
/* A name from a file or a user, made safe for a message: short, no control characters. */
#define QUOTED_SIZE 72
const char *quoted(const char *name, char buf[QUOTED_SIZE]);

/* ---- input --------------------------------------------------------------------------------- */

struct input {
    int fd; /* -1: memory */
    const uint8_t *bytes;
    uint64_t size;
};

bool input_open(struct input *in, const char *path, struct problem *p);
void input_memory(struct input *in, const void *bytes, size_t size);
/* All n bytes or a problem. */
bool input_read(const struct input *in, uint64_t offset, void *to, size_t n, struct problem *p);
void input_close(struct input *in);

/* The whole input as a block that may be written without changing the file. Small files are read;
 * large ones are mapped, and must not be truncated while the image is in use: accessing the
 * missing part ends the program (SIGBUS). */
struct image {
    char *bytes;
    size_t size;
    bool mapped;
};

bool image_load(struct image *image, const struct input *in, struct problem *p);
void image_free(struct image *image);

/* ---- output -------------------------------------------------------------------------------- */

/* A separate file next to the target until output_commit renames it to the target. */
struct output {
    int fd;
    char *target, *temporary;
};

bool output_open(struct output *out, const char *path, struct problem *p);
bool output_write(struct output *out, const void *bytes, size_t n, struct problem *p);
/* The elements of a contiguous tensor, from any device. */
bool output_tensor(struct output *out, const mc_tensor *t, struct problem *p);
/* Ends the output in any case: complete and in place if everything succeeded, removed otherwise. */
bool output_commit(struct output *out, bool well, struct problem *p);

#endif
