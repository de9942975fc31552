/* Which languages there are, and whose a file is: the one place that decides it. */
#ifndef FRONTENDS_DRIVER_LANGUAGES_H
#define FRONTENDS_DRIVER_LANGUAGES_H

#include "frontends/frontend.h"

enum language_id { LANGUAGE_C, LANGUAGE_IR, LANGUAGE_PYTHON, LANGUAGE_COUNT };

const struct frontend *frontend_of(enum language_id language);
/* By its name; C, if no language has it: an editor or a command may say so. */
enum language_id file_language(const char *path);

/* Whether a language has files with such a name. */
bool is_language_file(const char *path);
/* For messages: "C, IR or Python". */
const char *language_names(struct arena *a);

/* What a file is to the languages that are looked for in folders and among changes. */
bool is_unit_file(const char *path);
bool is_header_file(const char *path);
bool is_text_file(const char *path);        /* one of these, or anything else units are made of */
bool is_foreign_file(const char *path);     /* in a language that is not read (foreign.def) */
const char *foreign_name(const char *path); /* "Rust file"; NULL: it is none */
const char *article_of(const char *name);   /* "a", "an" */
/* ": this program was built without …", if another build would read it; "": none does. */
const char *foreign_reason(struct arena *a, const char *path);
const char *foreign_language_name(const char *language); /* of "cuda", as -x has it; never NULL */

#endif
