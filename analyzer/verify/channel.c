/* Packets from the runtime come in and are checked one by one; the text of the lines in them goes
 * out by process, or why they are not believed. */
#include "analyzer/verify/channel.h"

#include "runtime/trace/protocol.h"

#include <string.h>
#include <sys/random.h>

/* How much of one run is kept: of all lines, and of those in full form, which take twelve times
 * their size once they are read. A few more errors are kept, because they decide most verdicts. */
enum { MOST_BYTES = 48 << 20, MOST_FULL_BYTES = 16 << 20, ERRORS_BEYOND = 100 };
/* A shared channel has keys for so many processes ahead, and in all. */
enum { AHEAD = 32, MOST_PROCESSES = 2000 };

struct process_events {
    struct channel_hello hello;
    uint64_t number; /* of the last packet */
    struct text text;
    int beyond;
    bool cut;
    const char *trouble;
};

struct channel {
    struct arena *arena;
    uint64_t wants;
    LIST(struct process_events *) processes; /* by number; those ahead have sent nothing */
    int sent, begun;                         /* keys sent; processes that use one */
    size_t bytes, full_bytes;                /* of all */
    const char *trouble;
};

static bool add_process(struct channel *c)
{
    struct process_events *p = arena_one(c->arena, struct process_events);
    memcpy(p->hello.word, CHANNEL_WORD, sizeof p->hello.word);
    p->hello.wants = c->wants;
    p->hello.process = (uint64_t)c->processes.count;
    LIST_ADD(c->arena, &c->processes, p);
    return getrandom(p->hello.key, sizeof p->hello.key, 0) == (ssize_t)sizeof p->hello.key;
}

struct channel *channel_new(struct arena *a, uint64_t wants, struct error *e)
{
    struct channel *c = arena_one(a, struct channel);
    *c = (struct channel){.arena = a, .wants = wants};
    if (add_process(c))
        return c;
    error_set(e, "there are no random numbers for the key of its events");
    return NULL;
}

/* ---- packets ----------------------------------------------------------------------------------
 */

static const char foreign[] = "something other than the runtime wrote to the channel of its events";

/* The process that sent a packet; NULL: the runtime did not. */
static struct process_events *sender(const struct channel *c, const char *packet, size_t size,
                                     struct channel_head *head)
{
    if (!packet || size <= sizeof *head)
        return NULL;
    memcpy(head, packet, sizeof *head);
    if (head->process >= (uint64_t)c->processes.count)
        return NULL;
    struct process_events *p = c->processes.items[head->process];
    uint64_t (*seal)(const uint64_t key[2], uint64_t number, const char *text, size_t size) =
        c->wants & CHANNEL_DIGEST ? event_digest_seal : event_seal;
    return head->seal ==
                   seal(p->hello.key, head->number, packet + sizeof *head, size - sizeof *head)
               ? p
               : NULL;
}

static const char *trouble_of(const struct process_events *p, const struct channel_head *head,
                              const char *line, size_t length)
{
    if (head->number != p->number + 1)
        return "events are missing, or came twice";
    if (memchr(line, '\0', length) || memchr(line, '\n', length) != line + length - 1)
        return "an event is not one line";
    return NULL;
}

static bool has_error(const char *line, size_t length)
{
    return memmem(line, length, "\"error\":{", 9) || memmem(line, length, ",\"loss\":\"", 9) ||
           memmem(line, length, "\"fault\":{", 9) || memmem(line, length, "{\"begin\":", 9) ||
           memmem(line, length, "{\"sanitizer\":", 13) || memmem(line, length, "{\"end\":", 7);
}

static void keep(struct channel *c, struct process_events *p, const char *line, size_t length)
{
    bool is_brief =
        memmem(line, length, ",\"brief\":true,", 14) || memmem(line, length, "{\"briefs\":", 10);
    bool fits =
        c->bytes + length <= MOST_BYTES && (is_brief || c->full_bytes + length <= MOST_FULL_BYTES);
    p->cut |= !fits;
    c->full_bytes += fits && !is_brief ? length : 0;
    if (fits || (has_error(line, length) && p->beyond++ < ERRORS_BEYOND)) {
        text_add_range(&p->text, line, length);
        c->bytes += length;
    }
}

/* Which process sent something that was not sealed is not known: then none is believed. */
static bool take(void *context, const void *packet, size_t size)
{
    struct channel *c = context;
    struct channel_head head;
    struct process_events *p = sender(c, packet, size, &head);
    if (!p) {
        c->trouble = foreign;
        return false;
    }
    const char *line = (const char *)packet + sizeof head;
    if (!p->trouble)
        p->trouble = trouble_of(p, &head, line, size - sizeof head);
    if (p->trouble)
        return c->wants & CHANNEL_SHARED;
    c->begun += !p->number;
    p->number++;
    keep(c, p, line, size - sizeof head);
    return true;
}

/* Keys for processes to come. */
static size_t more(void *context, void *message, size_t room)
{
    struct channel *c = context;
    bool wanted = c->sent + 1 < c->begun + AHEAD && c->processes.count < MOST_PROCESSES;
    if (!wanted || room < sizeof(struct channel_hello) || !add_process(c))
        return 0;
    c->sent++;
    memcpy(message, &c->processes.items[c->processes.count - 1]->hello,
           sizeof(struct channel_hello));
    return sizeof(struct channel_hello);
}

struct sandbox_channel channel_ends(struct channel *c)
{
    return (struct sandbox_channel){.descriptor = CHANNEL_DESCRIPTOR,
                                    .first = &c->processes.items[0]->hello,
                                    .first_size = sizeof(struct channel_hello),
                                    .more = c->wants & CHANNEL_SHARED ? more : NULL,
                                    .take = take,
                                    .context = c};
}

/* ---- what came --------------------------------------------------------------------------------
 */

int channel_count(const struct channel *c)
{
    return c->processes.count;
}

const char *channel_text(const struct channel *c, int process)
{
    const struct text *t = &c->processes.items[process]->text;
    return t->length ? t->data : NULL;
}

const char *channel_trouble(const struct channel *c, int process)
{
    return c->trouble ? c->trouble : c->processes.items[process]->trouble;
}

bool channel_is_cut(const struct channel *c, int process)
{
    return c->processes.items[process]->cut;
}

void channel_free(struct channel *c)
{
    for (int i = 0; i < c->processes.count; i++) {
        explicit_bzero(&c->processes.items[i]->hello, sizeof c->processes.items[i]->hello);
        text_free(&c->processes.items[i]->text);
    }
}
