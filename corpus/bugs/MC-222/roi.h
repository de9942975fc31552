/* Pooling of feature regions, written by hand for speed. */
#ifndef ROI_H
#define ROI_H

#include <miscast/tensor.h>

/* features (H, W), boxes (n, 2): first row and last row of each. Returns the mean of each box. */
mc_tensor *roi_pool(mc_tensor *features, mc_tensor *boxes);

#endif
