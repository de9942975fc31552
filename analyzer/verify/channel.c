/* Packets from the runtime come in and are checked one by one; the text of the lines in them goes
 * out, or why they are not believed. */
#include "analyzer/verify/channel.h"

#include "runtime/trace/protocol.h"

#include <string.h>
#include <sys/random.h>

/* How much of one run is kept: of all lines, and of those in full form, which take twelve times
 * their size once they are read. A few more errors are kept, because they decide most verdicts. */
enum { MOST_BYTES = 48 << 20, MOST_FULL_BYTES = 16 << 20, ERRORS_BEYOND = 100 };

struct channel {
    struct channel_hello hello;
    uint64_t number; /* of the last packet */
    struct text text;
    size_t full_bytes;
    int beyond;
    bool cut;
    const char *trouble;
};

struct channel *channel_new(struct arena *a, bool shadows, struct error *e)
{
    struct channel *c = arena_one(a, struct channel);
    c->hello.wants = shadows ? CHANNEL_SHADOW : 0;
    memcpy(c->hello.word, CHANNEL_WORD, sizeof c->hello.word);
    if (getrandom(c->hello.key, sizeof c->hello.key, 0) == (ssize_t)sizeof c->hello.key)
        return c;
    error_set(e, "there are no random numbers for the key of its events");
    return NULL;
}

static const char *trouble_of(const struct channel *c, const char *packet, size_t size)
{
    struct channel_head head;
    if (!packet || size <= sizeof head)
        return "something other than the runtime wrote to the channel of its events";
    memcpy(&head, packet, sizeof head);
    const char *line = packet + sizeof head;
    size_t length = size - sizeof head;
    if (head.seal != event_seal(c->hello.key, head.number, line, length))
        return "something other than the runtime wrote to the channel of its events";
    if (head.number != c->number + 1)
        return "events are missing, or came twice";
    if (memchr(line, '\0', length) || memchr(line, '\n', length) != line + length - 1)
        return "an event is not one line";
    return NULL;
}

static bool has_error(const char *line, size_t length)
{
    return memmem(line, length, "\"error\":{", 9) || memmem(line, length, ",\"loss\":\"", 9) ||
           memmem(line, length, "\"fault\":{", 9) || memmem(line, length, "{\"sanitizer\":", 13) ||
           memmem(line, length, "{\"end\":", 7);
}

static void keep(struct channel *c, const char *line, size_t length)
{
    bool is_brief = memmem(line, length, ",\"brief\":true,", 14);
    bool fits = c->text.length + length <= MOST_BYTES &&
                (is_brief || c->full_bytes + length <= MOST_FULL_BYTES);
    c->cut |= !fits;
    c->full_bytes += fits && !is_brief ? length : 0;
    if (fits || (has_error(line, length) && c->beyond++ < ERRORS_BEYOND))
        text_add_range(&c->text, line, length);
}

static bool take(void *context, const void *packet, size_t size)
{
    struct channel *c = context;
    c->trouble = trouble_of(c, packet, size);
    if (c->trouble)
        return false;
    c->number++;
    keep(c, (const char *)packet + sizeof(struct channel_head), size - sizeof(struct channel_head));
    return true;
}

struct sandbox_channel channel_ends(struct channel *c)
{
    return (struct sandbox_channel){.descriptor = CHANNEL_DESCRIPTOR,
                                    .first = &c->hello,
                                    .first_size = sizeof c->hello,
                                    .take = take,
                                    .context = c};
}

const char *channel_text(const struct channel *c)
{
    return c->text.length ? c->text.data : NULL;
}

const char *channel_trouble(const struct channel *c)
{
    return c->trouble;
}

bool channel_is_cut(const struct channel *c)
{
    return c->cut;
}

void channel_free(struct channel *c)
{
    explicit_bzero(&c->hello, sizeof c->hello);
    text_free(&c->text);
}
