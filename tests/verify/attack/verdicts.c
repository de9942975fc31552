#include "attack.h"

int main(void)
{
    if (fopen(".miscast/verdicts.json", "r"))
        escaped("verdicts.json");
    THE_BUG();
    return 0;
}
