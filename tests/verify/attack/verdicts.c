#include "attack.h"

/* What is kept, and the key that it is sealed with, whose path attack.sh puts here. */
static const char *const files[] = {".miscast/verdicts.json", ".miscast/seal", "KEY_FILE"};

int main(void)
{
    for (int i = 0; i < 3; i++)
        if (fopen(files[i], "r"))
            escaped("verdicts.json");
    THE_BUG();
    return 0;
}
