/* The layer between the script and the library. */
#include "binding.h"

enum { LONGEST = 64 };

mc_tensor *tensor_from_script(const double *data, int64_t length, enum element kind)
{
    float numbers[LONGEST];
    (void)kind; /* there is one kind of number */
    for (int64_t i = 0; i < length; i++)
        numbers[i] = (float)data[i];
    return mc_from_array(numbers, mc_shape(length));
}
