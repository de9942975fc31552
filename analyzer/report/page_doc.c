/* The documentation of a rule as HTML: headings, paragraphs, code blocks, lists and inline code,
 * the subset of Markdown that it uses. */
#include "analyzer/report/page.h"
#include "analyzer/report/private.h"

#include <string.h>

enum block { BLOCK_NONE, BLOCK_TEXT, BLOCK_LIST, BLOCK_CODE };

static const char *const ends[] = {
    [BLOCK_NONE] = "",
    [BLOCK_TEXT] = "</p>\n",
    [BLOCK_LIST] = "</li></ul>\n",
    [BLOCK_CODE] = "</code></pre>\n",
};

static void begin(struct page *p, enum block *now, enum block next, const char *with)
{
    text_add(p->out, ends[*now]);
    text_add(p->out, with);
    *now = next;
}

/* `code` and **strong**; links are reduced to their text. */
static void add_words(struct page *p, const char *line)
{
    bool code = false, strong = false;
    while (*line) {
        size_t plain = strcspn(line, code ? "`" : "`*[");
        markup_line(p->out, arena_text(p->arena, line, plain));
        line += plain;
        const char *middle = *line == '[' ? strstr(line, "](") : NULL;
        const char *end = middle ? strchr(middle, ')') : NULL;
        if (*line == '`') {
            text_add(p->out, code ? "</code>" : "<code>");
            code = !code;
            line++;
        } else if (!strncmp(line, "**", 2)) {
            text_add(p->out, strong ? "</strong>" : "<strong>");
            strong = !strong;
            line += 2;
        } else if (end) {
            markup_line(p->out, arena_text(p->arena, line + 1, (size_t)(middle - line - 1)));
            line = end + 1;
        } else if (*line) {
            text_add_range(p->out, line++, 1);
        }
    }
    text_add(p->out, strong ? "</strong>" : "");
    text_add(p->out, code ? "</code>" : "");
}

static void add_line(struct page *p, enum block *now, const char *line)
{
    bool fence = !strncmp(line, "```", 3), item = !strncmp(line, "- ", 2);
    if (*now == BLOCK_CODE && !fence) {
        markup_line(p->out, line);
        text_add(p->out, "\n");
    } else if (fence) {
        begin(p, now, *now == BLOCK_CODE ? BLOCK_NONE : BLOCK_CODE,
              *now == BLOCK_CODE ? "" : "<pre class=\"code\"><code>");
    } else if (!strncmp(line, "## ", 3)) {
        begin(p, now, BLOCK_NONE, "<h4>");
        add_words(p, line + 3);
        text_add(p->out, "</h4>\n");
    } else if (!*line || *line == '#') {
        begin(p, now, BLOCK_NONE, "");
    } else if (item) {
        bool more = *now == BLOCK_LIST;
        if (more)
            text_add(p->out, "</li><li>");
        else
            begin(p, now, BLOCK_LIST, "<ul><li>");
        add_words(p, line + 2);
    } else {
        if (*now == BLOCK_NONE)
            begin(p, now, BLOCK_TEXT, "<p>");
        else
            text_add(p->out, " ");
        add_words(p, line);
    }
}

void page_add_doc(struct page *p, const char *markdown)
{
    enum block now = BLOCK_NONE;
    while (*markdown) {
        size_t length = strcspn(markdown, "\n");
        add_line(p, &now, arena_text(p->arena, markdown, length));
        markdown += length + (markdown[length] == '\n');
    }
    text_add(p->out, ends[now]);
}
