/* The state of the generator while it writes a program as people write them: settings from the
 * command line and the environment decide the dtype and device of tensors, which are kept in
 * structs, arrays and tables, and used together. Most programs work with every setting; in some,
 * one tensor is left as it was made.
 *
 * Text has @ where the program's name goes. */
#ifndef TESTS_AGREE_EVERYDAY_H
#define TESTS_AGREE_EVERYDAY_H

#include "tests/agree/generator.h"

/* How main reads its command line, and where it keeps what it read. */
enum reading { READING_LOOP, READING_GETOPT, READING_POSITIONS };
enum keeping { KEEPING_LOCALS, KEEPING_STRUCT, KEEPING_GLOBALS, KEEPING_BITS };

/* An expression in main, and in other functions; "": it cannot be evaluated there. */
struct expression {
    char here[100], there[100];
};

enum { MAX_QUESTIONS = 7, MAX_ANSWERS = 4 };

/* What a setting can be on the command line: each answer is up to two words. A word with = is a
 * variable of the environment. */
struct question {
    char answers[MAX_ANSWERS][2][RUN_WORD];
    int count;
};

struct everyday {
    struct generator *g;
    struct text types, functions, body; /* of main */
    enum reading reading;
    enum keeping keeping;
    struct question questions[MAX_QUESTIONS];
    int question_count, position;
    struct text loop, fields, flags, globals; /* parts of how options are read */

    /* What the settings decide; empty: nothing does. A dtype and a device may also be conditions:
     * half or not, cuda or not. */
    struct expression dtype, half, device, cuda, amp;
    bool switches;                     /* the dtype also depends on p: 1 is f16, 2 is bf16 */
    const char *half_name, *half_cast; /* "MC_F16", "mc_half" */
    const char *parameter, *argument;  /* what functions need to evaluate them; "": nothing */
    bool has_place;                    /* the function of placing.c was written */
    int until_bug; /* tensors to make before the one that is left as it is; < 0: none is */
};

static inline int below(struct everyday *e, int n)
{
    return chance_below(&e->g->chance, n);
}

static inline bool percent(struct everyday *e, int n)
{
    return chance_percent(&e->g->chance, n);
}

/* questions.c: each adds a question and the expression that asks it. Options are read by a loop or
 * getopt_long; positions are words at a place of the command line. */
void ask_dtype_option(struct everyday *e);
void ask_device_option(struct everyday *e);
void ask_flag_option(struct everyday *e, const char *name, const char *option,
                     struct expression *x);
void ask_other_options(struct everyday *e); /* that decide nothing about tensors */
void ask_flag_position(struct everyday *e, const char *name, struct expression *x);
void ask_dtype_position(struct everyday *e);
void ask_bits_position(struct everyday *e); /* the dtype and the device are bits of a number */
void ask_variable(struct everyday *e, const char *name, struct expression *x);
void ask_available(struct everyday *e); /* whether there is a GPU */

/* settings.c: chooses the questions, and writes how main reads the answers. */
void settings_choose(struct everyday *e);
void settings_read(struct everyday *e);
void settings_runs(struct everyday *e);        /* all combinations of answers */
bool settings_reach(const struct everyday *e); /* other functions can evaluate all of them */

/* placing.c: statements after which the variable, which may be declared by them, is a new matrix of
 * the dtype and on the device that the settings decide. there: not in main. */
void place_new(struct everyday *e, const char *variable, bool declares, bool there);
/* The same for one that holds an f32 matrix on the CPU. */
void place_old(struct everyday *e, const char *variable, bool there);

/* containers.c: tensors that are kept somewhere, and used with x; a variable is the simplest. */
void container_statement(struct everyday *e);
void variable_statement(struct everyday *e);
void use(struct everyday *e, const char *tensor); /* a statement that uses x with the tensor */
/* objects.c: containers with names and functions. */
void by_name(struct everyday *e);
void loaded(struct everyday *e);       /* by name, and cast when taken out */
void derived(struct everyday *e);      /* found from a first member */
void container_of(struct everyday *e); /* found from another member */
void lazy(struct everyday *e);         /* made when first needed */
void autocast_statement(struct everyday *e);

/* Between these, lines go to a function of its own, which ends up before main. */
struct function_text {
    struct text own, *before;
    int indent;
};
void function_begin(struct everyday *e, struct function_text *f);
void function_end(struct everyday *e, struct function_text *f);
/* A line that uses the parameter which functions need for the settings, if they need one. */
void mention_parameter(struct everyday *e);
/* Declarations or a function in front of main, unless they are there. */
void write_once(struct everyday *e, const char *text);

#endif
