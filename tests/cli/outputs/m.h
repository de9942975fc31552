#include <miscast/tensor.h>
