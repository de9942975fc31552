# chain.sh N: a program of N functions below main, each called by the one before; the last one fails.
awk -v n="$1" 'BEGIN {
    print "#include <miscast/tensor.h>\n"
    print "static mc_tensor *f" n "(mc_tensor *x)\n{\n    return mc_matmul(x, mc_double(x));\n}"
    for (i = n - 1; i > 0; i--)
        print "static mc_tensor *f" i "(mc_tensor *x)\n{\n    return f" i + 1 "(mc_relu(x));\n}"
    print "int main(void)\n{\n    return mc_item(mc_sum(f1(mc_ones(mc_shape(2, 2))))) > 0;\n}"
}'
