/* What is learnt: a rhyme that comes again and again, with a verse in which one word changes. */
#include "lstm.h"

#include <string.h>

enum { VERSES = 24, ROOM = 4096 };

static const char *const verse = "the % sat on the mat and saw the moon. ";
static const char *const words[] = {"cat", "owl", "fox"};

static int64_t spell(char *to)
{
    int64_t n = 0;
    for (int i = 0; i < VERSES; i++) {
        for (const char *c = verse; *c; c++) {
            const char *word = words[i % 3];
            if (*c != '%')
                to[n++] = *c;
            else
                for (; *word; word++)
                    to[n++] = *word;
        }
    }
    return n;
}

static int64_t number_of(struct text *t, char c)
{
    for (int64_t i = 0; i < t->alphabet; i++)
        if (t->character[i] == c)
            return i;
    t->character[t->alphabet] = c;
    return t->alphabet++;
}

struct text text_new(int64_t rows, mc_device device)
{
    static char letters[ROOM];
    static int64_t numbers[ROOM];
    struct text t = {.rows = rows};
    int64_t count = spell(letters);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = number_of(&t, letters[i]);
    t.length = count / rows;
    t.letters = mc_from_array(numbers, mc_shape(rows, t.length), .device = device);
    return t;
}

bool text_piece(const struct text *t, int64_t at, int64_t time, mc_tensor **x, mc_tensor **y)
{
    if (at + time + 1 > t->length)
        return false;
    *x = mc_narrow(t->letters, 1, at, time);
    *y = mc_narrow(t->letters, 1, at + 1, time);
    return true;
}
