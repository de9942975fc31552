/* Words: h */
#include <miscast/tensor.h>
#include <stdlib.h>

struct operand {
    enum { SCALAR, TENSOR } kind;
    union {
        double number;
        mc_tensor *tensor;
    } as;
};

static mc_tensor *apply(mc_tensor *x, struct operand o)
{
    switch (o.kind) {
    case SCALAR:
        return mc_mul(x, o.as.number);
    case TENSOR:
        return mc_matmul(x, o.as.tensor);
    }
    return x;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && argv[1][0] == 'h' ? MC_F16 : MC_F32;
    struct operand ops[3];
    ops[0] = (struct operand){.kind = SCALAR, .as.number = 0.5};
    ops[1] = (struct operand){.kind = TENSOR, .as.tensor = mc_randn(mc_shape(4, 4), .dtype = d)};
    if (argc > 2)
        ops[2] = (struct operand){.kind = TENSOR,
                                  .as.tensor = mc_randn(mc_shape(4, 4), .dtype = MC_F32)};
    else
        ops[2] = (struct operand){.kind = SCALAR, .as.number = 2};
    mc_tensor *x = mc_ones(mc_shape(2, 4), .dtype = d);
    for (int i = 0; i < 3; i++)
        x = apply(x, ops[i]);
    mc_print(x);
    return 0;
}
