/* Findings over time: how many were present, introduced and fixed, as a chart and as a table.
 * Nothing if there were fewer than two runs. */
#include "analyzer/report/page.h"
#include "analyzer/report/private.h"

#include <math.h>
#include <time.h>

enum { WIDE = 720, TALL = 124, LEFT = 36, RIGHT = 12, TOP = 14, BOTTOM = 22, MOST = 120 };

static const char *date_of(struct arena *a, const struct page_run *r)
{
    time_t t = (time_t)r->time;
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&t, &utc))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M", &utc);
    return arena_printf(a, "%s", text);
}

static int highest(const struct page_run *runs, int count)
{
    int most = 1;
    for (int i = 0; i < count; i++) {
        most = runs[i].present > most ? runs[i].present : most;
        most = runs[i].introduced > most ? runs[i].introduced : most;
        most = runs[i].fixed > most ? runs[i].fixed : most;
    }
    return most;
}

/* Rounds up to a multiple of 1, 2 or 5 times a power of ten. */
static int step_of(int most)
{
    static const int steps[] = {1, 2, 5};
    for (int power = 1;; power *= 10)
        for (int k = 0; k < 3; k++)
            if (steps[k] * power * 4 >= most)
                return steps[k] * power;
}

struct scale {
    double left, step, bottom, unit;
};

static double x_of(const struct scale *s, int i)
{
    return s->left + s->step * (i + 0.5);
}

static double y_of(const struct scale *s, double n)
{
    return s->bottom - s->unit * n;
}

static void add_grid(struct page *p, const struct scale *s, int most)
{
    for (int n = 0; n <= most; n += step_of(most)) {
        text_printf(p->out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y_of(s, n),
                    WIDE - RIGHT);
        text_printf(p->out, "<text class=\"axis\" x=\"%d\" y=\"%.1f\">%d</text>\n", LEFT - 6,
                    y_of(s, n) + 4, n);
    }
}

static void add_bar(struct page *p, const struct scale *s, int i, int n, double side,
                    const char *class)
{
    double wide = fmin(s->step * 0.3, 10);
    if (n)
        text_printf(p->out,
                    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                    class, x_of(s, i) + (side - 1) * wide, y_of(s, n), wide, s->unit * n);
}

static void add_picture(struct page *p, const struct page_run *runs, int count)
{
    int most = highest(runs, count);
    struct scale s = {.left = LEFT,
                      .step = (double)(WIDE - LEFT - RIGHT) / count,
                      .bottom = TALL - BOTTOM,
                      .unit = (double)(TALL - TOP - BOTTOM) / most};
    text_printf(p->out,
                "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"findings "
                "over %d runs: %d in the first, %d in the last\">\n",
                WIDE, TALL, count, runs[0].present, runs[count - 1].present);
    add_grid(p, &s, most);
    for (int i = 0; i < count; i++) {
        add_bar(p, &s, i, runs[i].introduced, 0, "introduced");
        add_bar(p, &s, i, runs[i].fixed, 1, "fixed");
    }
    text_add(p->out, "<path class=\"present\" d=\"");
    for (int i = 0; i < count; i++)
        text_printf(p->out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(&s, i), y_of(&s, runs[i].present));
    text_add(p->out, "\"/>\n");
    for (int i = 0; i < count; i++)
        text_printf(p->out, "<circle class=\"present\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
                    x_of(&s, i), y_of(&s, runs[i].present));
    text_printf(p->out, "\n<text class=\"date\" x=\"%d\" y=\"%d\">%s</text>", LEFT, TALL - 6,
                date_of(p->arena, &runs[0]));
    text_printf(p->out, "<text class=\"date last\" x=\"%d\" y=\"%d\">%s</text>", WIDE - RIGHT,
                TALL - 6, date_of(p->arena, &runs[count - 1]));
    text_add(p->out, "</svg>\n");
}

static void add_table(struct page *p, const struct page_run *runs, int count)
{
    text_add(p->out,
             "<details class=\"numbers\"><summary>As a table</summary><div class=\"scroll\" "
             "tabindex=\"0\"><table><thead><tr>"
             "<th>run (UTC)</th><th>revision</th><th>introduced</th><th>fixed</th>"
             "<th>set aside</th><th>present</th></tr></thead><tbody>\n");
    for (int i = count - 1; i >= 0; i--) {
        text_printf(p->out, "<tr><td>%s</td><td>", date_of(p->arena, &runs[i]));
        markup_line(p->out, runs[i].revision ? text_cut(p->arena, runs[i].revision, 12) : "");
        text_printf(p->out, "</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td></tr>\n",
                    runs[i].introduced, runs[i].fixed, runs[i].set_aside, runs[i].present);
    }
    text_add(p->out, "</tbody></table></div></details>\n");
}

void page_add_chart(struct page *p)
{
    int count = p->in->run_count < MOST ? p->in->run_count : MOST;
    if (count < 2) /* a single point is no chart */
        return;
    const struct page_run *runs = p->in->runs + (p->in->run_count - count);
    text_add(p->out, "<section id=\"history\" aria-labelledby=\"history-title\">\n"
                     "<h2 id=\"history-title\">Over time</h2>\n"
                     "<p class=\"legend\"><span class=\"key present\"></span>present "
                     "<span class=\"key introduced\"></span>introduced "
                     "<span class=\"key fixed\"></span>fixed</p>\n");
    add_picture(p, runs, count);
    add_table(p, runs, count);
    text_add(p->out, "</section>\n");
}
