/* Scores measurements, which are doubles. */
#include <stdio.h>

#include "session.h"

static mc_tensor *measurements(void)
{
    const double rows[2 * INPUTS] = {5.1, 3.5, 1.4, 0.2, 6.3, 3.3, 6.0, 2.5};
    return mc_from_array(rows, mc_shape(2, INPUTS));
}

int main(void)
{
    struct session s;
    session_open(&s);
    mc_tensor *x = measurements();
    mc_tensor *p = session_run(&s, mc_float(x));
    printf("%d answers\n", (int)mc_size(p, 0));
    return 0;
}
