# make FILE PROGRAM-LINE-END: a file with a comment to take away on each kind of line.
lines() {
    printf '#include <miscast/tensor.h>\r\nint main(void)\r\n{\r\n'
    printf '    mc_tensor *x = mc_randn(mc_shape(4, 4));\r\n'
    printf '    mc_print(x); // miscast: ignore[matmul-dtype] why\r\n'
    printf '    /* miscast: ignore[matmul-dtype] */\r\n    mc_print(x);\r\n'
    printf '    return 0; /* miscast: ignore */\r\n}\r\n// miscast: ignore'
}
