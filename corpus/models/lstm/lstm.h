/* lstm.h: a recurrent network over characters: layers of LSTM cells, and what they remember from
 * one piece of the text to the next. */
#ifndef LSTM_H
#define LSTM_H

#include <miscast/tensor.h>

enum { LAYERS = 2, MAX_PARAMETERS = 4 * LAYERS + 3 };

struct lstm_cell {
    mc_tensor *w_in,
        *w_hidden; /* (4 hidden, in), (4 hidden, hidden): input, forget, cell, output */
    mc_tensor *b_in, *b_hidden;
};

struct lstm {
    int64_t alphabet, hidden;
    mc_tensor *letters; /* (alphabet, hidden) */
    struct lstm_cell cells[LAYERS];
    mc_tensor *head_w, *head_b;
};

/* What is remembered, a layer each: (batch, hidden). Cells are f32, whatever is computed in. */
struct lstm_state {
    mc_tensor *h[LAYERS], *c[LAYERS];
};

/* cell.c */
struct lstm_cell cell_new(int64_t in, int64_t hidden, mc_device device);
/* x: (batch, in). The new h; h and c become what they are after it. */
mc_tensor *cell_step(const struct lstm_cell *cell, mc_tensor *x, mc_tensor **h, mc_tensor **c);

/* model.c */
struct lstm lstm_new(int64_t alphabet, int64_t hidden, mc_device device);
/* All that is trained; how many. */
size_t lstm_parameters(const struct lstm *m, mc_tensor *all[MAX_PARAMETERS]);
struct lstm_state lstm_state_new(const struct lstm *m, int64_t batch);
/* The same numbers without their history: gradients end here. */
void lstm_state_detach(struct lstm_state *s);
/* letters: (batch, time), i64. Logits: (batch, time, alphabet). The state becomes that after them.
 * Runs in whatever scope is open, which the state belongs to. */
mc_tensor *lstm_forward(const struct lstm *m, mc_tensor *letters, struct lstm_state *state);

/* text.c: a text as numbers, cut into `rows` that are read side by side. */
struct text {
    int64_t alphabet, rows, length;
    mc_tensor *letters; /* (rows, length), i64 */
    char character[64]; /* which number is which */
};

struct text text_new(int64_t rows, mc_device device);
/* Pieces of `time` letters, and those that follow them. False: the text is over. */
bool text_piece(const struct text *t, int64_t at, int64_t time, mc_tensor **x, mc_tensor **y);

#endif
