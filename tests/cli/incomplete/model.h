#include <miscast/tensor.h>
extern mc_tensor *w;
extern int use_half;
void load(void);
mc_tensor *step(mc_tensor *x);
