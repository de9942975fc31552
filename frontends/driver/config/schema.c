/* The keys of the configuration as a JSON schema, for editors. */
#include "frontends/driver/config/config.h"

struct key_row {
    const char *name;
    enum key_kind kind;
    const char *summary;
};

static const struct key_row rows[] = {
#define KEY(name, set, kind, summary) {name, KEY_##kind, summary},
#include "frontends/driver/config/key.def"
#undef KEY
};

static void add_words(struct text *out, const char *const *words, int count)
{
    text_add(out, "{ \"enum\": [");
    for (int i = 0; i < count; i++) {
        text_add(out, i ? ", " : "");
        text_add_json(out, words[i]);
    }
    text_add(out, "] }");
}

static void add_levels(struct text *out)
{
    const char *names[SEVERITY_COUNT];
    for (int i = 0; i < SEVERITY_COUNT; i++)
        names[i] = severity_name((enum severity)(SEVERITY_COUNT - 1 - i));
    add_words(out, names, SEVERITY_COUNT);
}

/* Names are offered, and other words allowed: a prefix of a code selects rules, too. */
static void add_rule(struct text *out)
{
    const char *names[RULE_COUNT + GROUP_COUNT + 1];
    int count = 0;
    names[count++] = "all";
    for (int i = 0; i < GROUP_COUNT; i++)
        names[count++] = group_name((enum rule_group)i);
    for (int i = 0; i < RULE_COUNT; i++)
        names[count++] = rules[i].name;
    text_add(out, "{ \"anyOf\": [");
    add_words(out, names, count);
    text_add(out, ", { \"type\": \"string\", \"pattern\": \"^MC[0-9]*$\" }] }");
}

static void add_format(struct arena *a, struct text *out)
{
    text_printf(out, "{ \"type\": \"string\", \"description\": \"%s; FORMAT=FILE\" }",
                report_format_names(a));
}

/* One of them, or a list. */
static void add_several(struct text *out, const char *item)
{
    text_printf(out, "\"anyOf\": [%s, { \"type\": \"array\", \"items\": %s }]", item, item);
}

static void add_kind(struct arena *a, struct text *out, enum key_kind kind)
{
    switch (kind) {
    case KEY_TEXT:
        text_add(out, "\"type\": \"string\"");
        break;
    case KEY_TEXTS:
        add_several(out, "{ \"type\": \"string\" }");
        break;
    case KEY_RULES:
        add_several(out, "{ \"$ref\": \"#/definitions/rule\" }");
        break;
    case KEY_FORMATS: {
        struct text item = {0};
        add_format(a, &item);
        add_several(out, item.data);
        text_free(&item);
        break;
    }
    case KEY_LEVEL:
        text_add(out, "\"allOf\": [");
        add_levels(out);
        text_add(out, "]");
        break;
    case KEY_NUMBER:
        text_add(out, "\"type\": \"integer\", \"minimum\": 1");
        break;
    case KEY_IGNORES:
        text_add(out, "\"type\": \"object\", \"additionalProperties\": { ");
        add_several(out, "{ \"$ref\": \"#/definitions/rule\" }");
        text_add(out, " }");
        break;
    }
}

void config_schema(struct arena *a, struct text *out)
{
    text_add(out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                  "  \"title\": \"miscast\",\n"
                  "  \"description\": \".miscast.yaml, or [tool.miscast] in pyproject.toml\",\n"
                  "  \"type\": \"object\",\n  \"additionalProperties\": false,\n"
                  "  \"properties\": {\n");
    for (int i = 0; i < COUNT(rows); i++) {
        text_add(out, "    ");
        text_add_json(out, rows[i].name);
        text_add(out, ": { \"description\": ");
        text_add_json(out, rows[i].summary);
        text_add(out, ", ");
        add_kind(a, out, rows[i].kind);
        text_add(out, i + 1 < COUNT(rows) ? " },\n" : " }\n");
    }
    text_add(out, "  },\n  \"definitions\": { \"rule\": ");
    add_rule(out);
    text_add(out, " }\n}\n");
}
