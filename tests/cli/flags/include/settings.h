#define HALF 1
