/* Generates a program as people write them (everyday.h): one file whose main reads settings, makes
 * x, and uses it with tensors that are kept in various ways. */
#include "tests/agree/everyday.h"

#include <stdio.h>
#include <string.h>

void function_begin(struct everyday *e, struct function_text *f)
{
    *f = (struct function_text){.before = e->g->out, .indent = e->g->indent};
    e->g->out = &f->own;
    e->g->indent = 0;
}

void function_end(struct everyday *e, struct function_text *f)
{
    e->g->out = f->before;
    e->g->indent = f->indent;
    text_add(&e->functions, f->own.data);
    text_free(&f->own);
}

void write_once(struct everyday *e, const char *text)
{
    if (!e->functions.data || !strstr(e->functions.data, text))
        text_add(&e->functions, text);
}

void mention_parameter(struct everyday *e)
{
    if (*e->argument)
        put(e->g, "(void)%s;", *e->argument == '&' ? e->argument + 1 : e->argument);
}

static void write_body(struct everyday *e)
{
    int count = 1 + chance_below(&e->g->chance, 3);
    put(e->g, "(void)argc, (void)argv;");
    settings_read(e);
    place_new(e, "x", true, false);
    if (chance_percent(&e->g->chance, 20))
        put(e->g, "mc_add_(x, 1);");
    for (int i = 0; i < count; i++)
        container_statement(e);
    if (*e->amp.here)
        autocast_statement(e);
    e->until_bug = -1; /* one tensor uses all settings: compilers warn of what is not used */
    variable_statement(e);
    put(e->g, "return mc_ndim(x) == 2 ? 0 : 1;");
}

static void assemble(struct everyday *e)
{
    struct program *p = e->g->p;
    struct text all = {0};
    text_add(
        &all,
        "#include <miscast/tensor.h>\n\n#include <getopt.h>\n#include <stdarg.h>\n"
        "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n");
    text_add(&all, e->types.data ? e->types.data : "");
    text_add(&all, e->functions.data ? e->functions.data : "");
    text_add(&all, "int main(int argc, char **argv)\n{\n");
    text_add(&all, e->body.data);
    text_add(&all, "}\n");
    text_add_named(&p->files[0], all.data, p->name);
    text_free(&all);
}

void everyday_generate(struct generator *g)
{
    struct everyday e = {.g = g, .until_bug = -1};
    if (chance_percent(&g->chance, 45))
        e.until_bug = chance_below(&g->chance, 6);
    g->p->file_count = 1;
    snprintf(g->p->file_names[0], sizeof g->p->file_names[0], "main.c");
    g->out = &e.body;
    g->indent = 1;
    g->times = 1;
    settings_choose(&e);
    write_body(&e);
    settings_runs(&e);
    assemble(&e);
    struct text *parts[] = {&e.types,  &e.functions, &e.body,   &e.loop,
                            &e.fields, &e.flags,     &e.globals};
    for (int i = 0; i < COUNT(parts); i++)
        text_free(parts[i]);
}
