/* Pictures, drawn on the host as bytes. */
#include "resnet.h"

#include <stdlib.h>

static bool bar(int row, int column)
{
    return column > 5 && column < 10 && row > 1 && row < 14;
}

static bool cross(int row, int column)
{
    return abs(row - column) < 2 || abs(row + column - (SIZE - 1)) < 2;
}

static bool frame(int row, int column)
{
    int far = abs(2 * row - (SIZE - 1)) > abs(2 * column - (SIZE - 1))
                  ? abs(2 * row - (SIZE - 1))
                  : abs(2 * column - (SIZE - 1));
    return far > 8 && far < 12;
}

static bool disc(int row, int column)
{
    int y = 2 * row - (SIZE - 1), x = 2 * column - (SIZE - 1);
    return x * x + y * y < 90;
}

static bool (*const shapes[CLASSES])(int row, int column) = {bar, cross, frame, disc};

static mc_tensor *shape_picture(int class)
{
    uint8_t bytes[SIZE * SIZE];
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++)
            bytes[row * SIZE + column] = shapes[class](row, column) ? 230 : 20;
    return mc_from_array(bytes, mc_shape(1, SIZE, SIZE));
}

void pictures_make(int64_t count, mc_device device, mc_tensor **pictures, mc_tensor **classes)
{
    mc_tensor *all[CLASSES];
    for (int i = 0; i < CLASSES; i++)
        all[i] = shape_picture(i);
    mc_tensor *clean = mc_to_device(mc_stackn(0, all, CLASSES), device);
    *classes = mc_randint(0, CLASSES, mc_shape(count), .device = device);
    mc_tensor *x = mc_div(mc_float(mc_index(clean, *classes)), 127.5);
    mc_tensor *noise = mc_randn(mc_shape(count, 1, SIZE, SIZE), .device = device);
    *pictures = mc_add(mc_sub(x, 1), mc_mul(noise, 0.6));
}
