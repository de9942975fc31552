/* What was measured: accuracies, as doubles. */
#include "predictor.h"

struct batch dataset_batch(void)
{
    const double measured[NETWORKS] = {0.91, 0.88, 0.93, 0.70};
    struct batch b;
    mc_manual_seed(60);
    b.features = mc_randn(mc_shape(NETWORKS, FEATURES));
    b.accuracy = mc_from_array(measured, mc_shape(NETWORKS));
    return b;
}
