/* Text that grows. It owns its memory and is freed by text_free. */
#include "analyzer/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text_grow(struct text *t, size_t need)
{
    size_t room = t->room ? t->room : 256;
    while (room < need)
        room *= 2;
    char *data = realloc(t->data, room);
    if (!data)
        BUG("out of memory: %zu bytes", room);
    t->data = data;
    t->room = room;
}

/* Makes room for so many more bytes and a NUL. */
static inline void text_reserve(struct text *t, size_t more)
{
    size_t need = t->length + more + 1;
    if (need > t->room)
        text_grow(t, need);
}

void text_add_range(struct text *t, const char *s, size_t length)
{
    text_reserve(t, length);
    if (length)
        memcpy(t->data + t->length, s, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_add(struct text *t, const char *s)
{
    text_add_range(t, s, strlen(s));
}

void text_add_number(struct text *t, int64_t n)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (n < 0)
        *--at = '-';
    text_add_range(t, at, (size_t)(digits + sizeof digits - at));
}

void text_printf(struct text *t, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    text_reserve(t, 64);
    size_t room = t->room - t->length;
    int length = vsnprintf(t->data + t->length, room, fmt, args);
    va_end(args);
    if (length < 0)
        BUG("cannot format '%s'", fmt);
    if ((size_t)length >= room) {
        text_reserve(t, (size_t)length);
        vsnprintf(t->data + t->length, (size_t)length + 1, fmt, again);
    }
    va_end(again);
    t->length += (size_t)length;
}

const char *text_end(const struct text *t)
{
    return t->data ? t->data + t->length : NULL;
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

bool text_list_has(const text_list *l, const char *text)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i], text))
            return true;
    return false;
}
