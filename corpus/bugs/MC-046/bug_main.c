/* What a script does: loads a model and hands it an array of ids. */
#include <stdio.h>

#include "binding.h"

int main(void)
{
    const double ids[] = {4, 8, 15};
    struct module m;
    module_load(&m);
    mc_tensor *p = module_forward(&m, tensor_from_script(ids, 3, IDS));
    printf("answer:\n");
    mc_print(p);
    return 0;
}
