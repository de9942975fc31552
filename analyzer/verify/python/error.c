/* What PyTorch's messages are about: an error that the program raised comes in, and out goes the
 * kind that the analysis has for it. Messages are those of PyTorch 1.13 to 2.11. */
#include "analyzer/verify/python/private.h"

#include <string.h>

/* The first row whose text is in the message counts. A kind of NULL: nothing follows from it. */
static const struct {
    const char *kind, *text;
} messages[] = {
    {EVENT_LACKS_F16,
     "not implemented for 'Half'"}, /* the CPU of older versions lacks it, where cuda has it */
    {EVENT_LACKS_BF16, "not implemented for 'BFloat16'"},
    {NULL, "CUDA error"},
    {NULL, "Found no NVIDIA"},
    {NULL, "No CUDA GPUs are available"},
    {NULL, "not compiled with CUDA"},
    {NULL, "out of memory"},
    {"cast", "can't be cast"},
    {"cast", "Cannot cast ufunc"}, /* of NumPy */
    {"overflow", "without overflow"},
    {"device", "on the same device"},
    {"device", "same device"},
    {"device", "two devices"},
    {"device", "device type tensor to numpy"},
    {"device", "arguments from the '"},
    {"device", "Expected object of device type"},
    {"device", "Cannot copy out of meta tensor"},
    {"device", "Attempted to set the storage of a tensor on device"},
    {"device", "indices should be either on cpu or on the same device"},
    {"device", "must be on the same device"},
    {"device", "device type for generator but found"},
    {"device", "not on the expected device"},
    {"device", "device of"},
    {"device", "CPU int64 tensor"},
    {"leaf", "leaf Variable that requires grad"},
    {"leaf", "leaf variable that requires grad"},
    {"leaf", "view of a leaf"},
    {"version", "modified by an inplace operation"},
    {"autocast", "unsafe to autocast"},
    {"unscale", "unscale FP16"},
    {"unscale", "unscale_"},
    {"unscale", "No inf checks were recorded"},
    {"unscale", "non_finite_check_and_unscale"},
    {"dtype", "implemented for '"},
    {"grad", "can require gradients"},
    {"grad", "does not require grad"},
    {"grad", "requires grad. Use tensor.detach"},
    {"grad", "that requires grad"},
    {"grad", "automatic differentiation"},
    {"grad", "not differentiable"},
    {"grad", "derivative for "},
    {"grad", "graph a second time"},
    {"grad", "returns multiple views"},
    {"grad", "no_grad mode"},
    {"grad", "nference tensor"},
    {"grad", "inference mode"},
    {"grad", "grad can be implicitly created only for"},
    {"shape", "must match the size"},
    {"shape", "shapes cannot be multiplied"},
    {"shape", "batch_size"},
    {"shape", "shape mismatch"},
    {"shape", "size mismatch"},
    {"shape", "Sizes of tensors must match"},
    {"shape", "for input of size"},
    {"shape", "doesn't match the broadcast"},
    {"dtype", "scalar type"},
    {"dtype", "ScalarType"},
    {"dtype", "same dtype"},
    {"dtype", "dtype"},
    {"dtype", "tensors used as indices must be"},
    {"dtype", "data type"},
    {"dtype", "data of a different type"},
    {"dtype", "only applicable to index tensor"},
    {"dtype", "should be the same"},
    {"dtype", "floating point"},
    {"dtype", "floating-point"},
    {"dtype", "integral"},
    {"dtype", "integer"},
    {"dtype", "bool tensor"},
    {"dtype", "not supported"},
    {"dtype", "not implemented"},
    {"dtype", "mat1 and mat2 must have"},
    {"dtype", "Expected tensor for argument"},
    {"dtype", "expected type"},
    {"dtype", "expected m1 and m2"},
    {"dtype", "Index put requires"},
    {"dtype", "type mismatch"},
    {"dtype", "got Float"},
    {"dtype", "got Double"},
    {"dtype", "got Half"},
    {"dtype", "got Long"},
    {"dtype", "got Int"},
    {"shape", "shape"},
    {"shape", "size"},
    {"shape", "dimension"},
    {"shape", "broadcast"},
    {"value", "out of range"},
    {"value", "out of bounds"},
    {"value", "probability tensor contains"},
};

static bool is_of_type(const struct event *e, const char *name)
{
    const json_t *error = json_object_get(e->raw, "error");
    const char *type = json_string_value(json_object_get(error, "type"));
    const json_t *bases = json_object_get(error, "bases");
    for (size_t i = 0; i < json_array_size(bases); i++) {
        const char *base = json_string_value(json_array_get(bases, i));
        if (base && !strcmp(base, name))
            return true;
    }
    return type && !strcmp(type, name);
}

/* "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same" */
static bool is_apart(const char *message)
{
    const char *input = strstr(message, "Input type ("), *weight = strstr(message, "weight type (");
    static const char cuda[] = "(torch.cuda.";
    return input && weight &&
           !strncmp(strchr(input, '('), cuda, sizeof cuda - 1) !=
               !strncmp(strchr(weight, '('), cuda, sizeof cuda - 1);
}

/* What the program raises itself says nothing about PyTorch. */
static bool is_own(const struct event *e)
{
    return json_is_true(json_object_get(json_object_get(e->raw, "error"), "own"));
}

const char *python_error_kind(const struct event *e)
{
    if (!e->error)
        return NULL;
    if (is_of_type(e, "OSError"))
        return "file";
    if (is_own(e))
        return "other";
    if (is_apart(e->error))
        return "device";
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strstr(e->error, messages[i].text))
            return messages[i].kind ? messages[i].kind : "other";
    return is_of_type(e, "ValueError") || is_of_type(e, "IndexError") ? "value" : "other";
}
