/* Validates twice. The truth is f32 and belongs to the data set; what is found comes as f64. */
#include <stdio.h>

#include "boxes.h"

int main(void)
{
    mc_tensor *truth = mc_ones(mc_shape(2, BOX));
    mc_tensor *found = mc_ones(mc_shape(2, BOX), .dtype = MC_F64);
    double first = evaluate(found, truth), second = evaluate(found, truth);
    printf("off by %.2f, then by %.2f\n", first, second);
    return first != 0 || second != 0;
}
