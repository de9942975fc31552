#pragma once
#include <stdint.h>

struct shape {
    int32_t width, height;
};
