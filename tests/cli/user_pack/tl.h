/* A library that miscast has never seen: a context comes first, constants have names of their own. */
typedef struct tl_array tl_array;
typedef struct tl_context tl_context;
typedef struct {
    int before;
} tl_mixed;
typedef struct tl_trainer tl_trainer;
typedef struct tl_scaling tl_scaling;
enum tl_kind { TL_SINGLE, TL_HALF, TL_LONG, TL_BYTE };
enum tl_place { TL_HOST, TL_GPU };

tl_array *tl_blank(tl_context *ctx, enum tl_kind kind, enum tl_place place, int rows, int columns);
tl_array *tl_all(tl_context *ctx, enum tl_kind kind, double number, int n);
tl_array *tl_over(tl_context *ctx, void *memory, enum tl_kind kind, int n);
tl_array *tl_convert(tl_context *ctx, tl_array *t, enum tl_kind kind);
tl_array *tl_put(tl_context *ctx, tl_array *t, enum tl_place place);
enum tl_kind tl_kind_of(tl_array *t);
enum tl_place tl_place_of(tl_array *t);
tl_array *tl_times(tl_context *ctx, tl_array *lhs, tl_array *rhs);
tl_array *tl_shift(tl_context *ctx, tl_array *lhs, double by);
tl_array *tl_rows(tl_context *ctx, tl_array *table, tl_array *which);
tl_array *tl_invert(tl_context *ctx, tl_array *t);
void tl_print(tl_array *t);
tl_mixed tl_mixed_begin(tl_context *ctx, enum tl_place place, enum tl_kind kind);
void tl_mixed_end(tl_context *ctx, tl_mixed region);
tl_array *tl_learn(tl_context *ctx, tl_array *t, int on);
void tl_differentiate(tl_context *ctx, tl_array *loss);
tl_trainer *tl_trainer_new(tl_context *ctx, tl_array **arrays, int n);
tl_scaling *tl_scaling_new(tl_context *ctx, int on);
tl_array *tl_scaling_raise(tl_context *ctx, tl_scaling *s, tl_array *loss);
void tl_scaling_lower(tl_scaling *s, tl_context *ctx, tl_trainer *trainer, int verbose);
