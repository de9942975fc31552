/* The initialize request: the client's capabilities come in, ours go out. Also settings, which may
 * be sent at the start and at any time later. */
#include "frontends/lsp/lsp.h"

#include <stdlib.h>
#include <string.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

enum { DEBOUNCE_MS = 40, DEBOUNCE_MAX = 10000, PATIENCE_MS = 150, PATIENCE_MAX = 60000 };

/* ---- the client ----------------------------------------------------------------------------- */

static bool has_word(const json_t *list, const char *word)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text && !strcmp(text, word))
            return true;
    }
    return false;
}

static bool has_number(const json_t *list, json_int_t number)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_integer_value(json_array_get(list, i)) == number)
            return true;
    return false;
}

static bool says(const json_t *o, const char *path)
{
    return json_is_true(json_at(o, path));
}

enum { TAG_UNNECESSARY = 1 };

static void take_client(struct client *c, const json_t *can)
{
    static const char publish[] = "textDocument.publishDiagnostics";
    const json_t *told = json_at(can, publish);
    *c = (struct client){
        .utf8 = has_word(json_at(can, "general.positionEncodings"), "utf-8"),
        .related = says(told, "relatedInformation"),
        .unnecessary = has_number(json_at(told, "tagSupport.valueSet"), TAG_UNNECESSARY),
        .code_description = says(told, "codeDescriptionSupport"),
        .pulls = json_is_object(json_at(can, "textDocument.diagnostic")),
        .refreshes_pulled = says(can, "workspace.diagnostics.refreshSupport"),
        .refreshes_hints = says(can, "workspace.inlayHint.refreshSupport"),
        .progress = says(can, "window.workDoneProgress"),
        .watches = says(can, "workspace.didChangeWatchedFiles.dynamicRegistration"),
        .markdown = has_word(json_at(can, "textDocument.hover.contentFormat"), "markdown"),
        .document_changes = says(can, "workspace.workspaceEdit.documentChanges"),
        .shows_documents = says(can, "window.showDocument.support"),
    };
}

/* ---- the workspace -------------------------------------------------------------------------- */

/* File names are appended: it ends without a slash. */
static const char *folder_name(struct arena *a, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return arena_text(a, path, n);
}

static void add_path(struct server *s, const char *path)
{
    char *real = realpath(path, NULL);
    struct folder f = {real ? arena_printf(s->arena, "%s", real) : NULL,
                       folder_name(s->arena, path)};
    if (real)
        LIST_ADD(s->arena, &s->folders, f);
    free(real);
}

static void add_folder(struct server *s, const char *uri)
{
    const char *path = path_of_uri(s->arena, uri);
    if (path)
        add_path(s, path);
}

static void remove_folder(struct server *s, const char *uri)
{
    const char *path = path_of_uri(s->arena, uri);
    char *real = path ? realpath(path, NULL) : NULL; /* NULL: it may no longer exist */
    const char *named = path ? folder_name(s->arena, path) : "";
    int kept = 0;
    for (int i = 0; i < s->folders.count; i++) {
        const struct folder *f = &s->folders.items[i];
        if (real ? strcmp(f->real, real) != 0 : strcmp(f->named, named) != 0)
            s->folders.items[kept++] = *f;
    }
    s->folders.count = kept;
    free(real);
}

static void take_folders(struct server *s, const json_t *params)
{
    const json_t *list = json_object_get(params, "workspaceFolders");
    const char *root = json_string_value(json_object_get(params, "rootUri"));
    const char *path = json_string_value(json_object_get(params, "rootPath"));
    for (size_t i = 0; i < json_array_size(list); i++)
        add_folder(s, json_string_value(json_object_get(json_array_get(list, i), "uri")));
    if (!s->folders.count && root)
        add_folder(s, root);
    else if (!s->folders.count && path)
        add_path(s, path);
}

void on_folders(struct server *s, const json_t *params)
{
    const json_t *added = json_at(params, "event.added"),
                 *removed = json_at(params, "event.removed");
    for (size_t i = 0; i < json_array_size(removed); i++)
        remove_folder(s, json_string_value(json_object_get(json_array_get(removed, i), "uri")));
    for (size_t i = 0; i < json_array_size(added); i++)
        add_folder(s, json_string_value(json_object_get(json_array_get(added, i), "uri")));
    runs_arrange(s);
    runs_touch(s, NULL);
}

/* ---- settings ------------------------------------------------------------------------------- */

static bool bool_of(const json_t *o, const char *key, bool otherwise)
{
    const json_t *v = json_object_get(o, key);
    return json_is_boolean(v) ? json_is_true(v) : otherwise;
}

static int number_of(const json_t *o, const char *key, int otherwise, int most)
{
    const json_t *v = json_object_get(o, key);
    json_int_t n = json_integer_value(v);
    return json_is_integer(v) && n >= 0 && n <= most ? (int)n : otherwise;
}

static const char *word_of(struct arena *a, const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text && *text ? arena_printf(a, "%s", text) : NULL;
}

static text_list words_of(struct arena *a, const json_t *o, const char *key)
{
    const json_t *list = json_object_get(o, key);
    text_list words = {0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text)
            LIST_ADD(a, &words, arena_printf(a, "%s", text));
    }
    return words;
}

/* Unknown rules are reported and ignored. */
static text_list rules_of(struct server *s, struct arena *a, const json_t *o, const char *key)
{
    text_list words = words_of(a, o, key), known = {0};
    for (int i = 0; i < words.count; i++)
        if (rule_word_known(words.items[i]))
            LIST_ADD(a, &known, words.items[i]);
        else
            tell_log(s, MESSAGE_WARNING, "miscast: the setting %s has an unknown rule '%s'", key,
                     words.items[i]);
    return known;
}

/* Settings that were never sent have their defaults. A client with several sections may send ours
 * as "miscast". */
static void take_settings(struct server *s, const json_t *given)
{
    const json_t *part = json_object_get(given, "miscast"), *o = part ? part : given;
    struct arena *a = arena_new();
    if (part && s->begun) { /* a complete set: what is missing has its initial value */
        json_object_clear(s->given);
        json_object_update(s->given, s->begun);
    }
    json_object_update(s->given, (json_t *)(uintptr_t)o);
    o = s->given;
    s->settings = (struct settings){
        .debounce = number_of(o, "debounce", DEBOUNCE_MS, DEBOUNCE_MAX),
        .patience = number_of(o, "hoverPatience", PATIENCE_MS, PATIENCE_MAX),
        .hints = bool_of(o, "inlayHints", true),
        .hints_on_calls = bool_of(o, "inlayHintsOnCalls", true),
        .trusted = bool_of(o, "trusted", false),
        .select = rules_of(s, a, o, "select"),
        .ignore = rules_of(s, a, o, "ignore"),
        .extend_select = rules_of(s, a, o, "extendSelect"),
        .packs = words_of(a, o, "packs"),
        .assume = words_of(a, o, "assume"),
        .config = word_of(a, o, "config"),
        .database = word_of(a, o, "database"),
        .cache_dir = word_of(a, o, "cacheDir"),
        .no_cache = bool_of(o, "noCache", false),
        .timeout = number_of(o, "timeout", 0, 3600),
        .jobs = number_of(o, "jobs", 0, 1024),
    };
    arena_free(s->settings_arena);
    s->settings_arena = a;
}

void on_configuration(struct server *s, const json_t *params)
{
    const json_t *settings = json_object_get(params, "settings");
    if (!json_is_object(settings))
        return;
    take_settings(s, settings);
    runs_forget(s); /* they refer to the old settings */
    runs_arrange(s);
    runs_touch(s, NULL);
    if (s->client.refreshes_hints)
        server_request(s, "workspace/inlayHint/refresh", NULL);
}

/* ---- initialize ----------------------------------------------------------------------------- */

static json_t *capabilities(const struct server *s)
{
    json_t *can =
        json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:{s:b}, s:{s:[s,s], s:b}, s:{s:o}, "
                  "s:{s:{s:b, s:b}}}",
                  "positionEncoding", s->client.utf8 ? "utf-8" : "utf-16", "textDocumentSync",
                  "openClose", 1, "change", 2, "save", "includeText", 0, "hoverProvider", 1,
                  "typeDefinitionProvider", 1, "inlayHintProvider", "resolveProvider", 0,
                  "codeActionProvider", "codeActionKinds", "quickfix", "source.fixAll.miscast",
                  "resolveProvider", 0, "executeCommandProvider", "commands", command_names(),
                  "workspace", "workspaceFolders", "supported", 1, "changeNotifications", 1);
    if (s->client.pulls)
        json_object_set_new(can, "diagnosticProvider",
                            json_pack("{s:s, s:b, s:b}", "identifier", "miscast",
                                      "interFileDependencies", 1, "workspaceDiagnostics", 0));
    return can;
}

void on_initialize(struct server *s, const json_t *params)
{
    if (s->initialized) {
        server_fail(s, LSP_INVALID_REQUEST, "initialize was sent before");
        return;
    }
    take_client(&s->client, json_object_get(params, "capabilities"));
    take_settings(s, json_object_get(params, "initializationOptions"));
    s->begun = json_copy(s->given);
    take_folders(s, params);
    inbox_watch(s->inbox, json_integer_value(json_object_get(params, "processId")));
    s->initialized = true;
    server_reply(s, json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(s), "serverInfo",
                              "name", "miscast", "version", MISCAST_VERSION));
}

/* What a check depends on besides the documents. Packs may have any name. */
void on_initialized(struct server *s, const json_t *params)
{
    static const char *const watched[] = {"**/compile_commands.json",
                                          "**/compile_flags.txt",
                                          "**/.miscast.yaml",
                                          "**/*baseline*.json",
                                          "**/*.yaml",
                                          "**/*.[ch]"};
    json_t *list = json_array();
    (void)params;
    if (!s->client.watches) {
        json_decref(list);
        return;
    }
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        json_array_append_new(list, json_pack("{s:s}", "globPattern", watched[i]));
    server_request(s, "client/registerCapability",
                   json_pack("{s:[{s:s, s:s, s:{s:o}}]}", "registrations", "id", "miscast-files",
                             "method", "workspace/didChangeWatchedFiles", "registerOptions",
                             "watchers", list));
}
