"""What is known about operations of aten: which need no shadow, which are random, which arguments
decide something and follow the real run, and which are computed by a formula of ours.
"""

import torch

from . import formulas

# The result is right as it is: it has no value, is all zeros or ones, or is memory that others fill.
PASSING = frozenset((
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "zeros", "zeros_like",
    "new_zeros", "ones", "ones_like", "new_ones", "eye", "lift_fresh", "lift", "lift_fresh_copy",
    "_unsafe_view", "_reshape_alias", "_local_scalar_dense", "equal", "is_same_size", "is_pinned",
    "_pin_memory", "randperm", "record_stream", "_efficientzerotensor", "_conj", "_neg_view",
    "_nested_tensor_size", "is_nonzero"))

# What they do to memory cannot be followed: the real values are right afterwards.
FORGETTING = frozenset(("set_", "resize_", "resize_as_", "_resize_output_", "resize", "swap_",
                        "_amp_update_scale_"))  # a scaler goes by the gradients of the real run

# The result jumps, or its sign is arbitrary, or it counts: it follows the real run.
FOLLOWING = frozenset((
    "mode", "histc", "bincount", "unique_dim", "_unique2", "unique_consecutive", "linalg_qr",
    "_linalg_svd", "_linalg_eigh", "linalg_eig", "geqrf", "linalg_householder_product", "svd",
    "_fake_quantize_learnable_per_tensor_affine", "nonzero", "nonzero_static",
    "fake_quantize_per_tensor_affine_cachemask", "fake_quantize_per_channel_affine_cachemask",
    "quantize_per_tensor", "_weight_norm_interface_backward", "bitwise_and", "bitwise_or",
    "bitwise_xor", "bitwise_not", "bitwise_left_shift", "bitwise_right_shift", "__lshift__",
    "__rshift__", "__and__", "__or__", "__xor__", "bitwise_and_", "bitwise_or_", "bitwise_xor_",
    "bitwise_not_", "rrelu_with_noise", "rrelu_with_noise_", "sgn", "sign", "_ctc_loss",
    "_ctc_loss_backward", "_cudnn_ctc_loss"))

# All arguments decide: what is rounded to is that of the real values.
JUMPS = frozenset((
    "floor", "ceil", "round", "trunc", "frac", "floor_divide", "fmod", "remainder", "heaviside",
    "floor_", "ceil_", "round_", "trunc_", "frac_", "floor_divide_", "fmod_", "remainder_"))

# These arguments decide: on which side of a corner a gradient is.
DECIDING = {
    "threshold_backward": ("self",), "hardtanh_backward": ("self",),
    "leaky_relu_backward": ("self",), "elu_backward": ("self_or_result",),
    "hardswish_backward": ("self",), "hardsigmoid_backward": ("self",),
    "hardshrink_backward": ("self",), "softshrink_backward": ("self",),
    "softplus_backward": ("self",), "logit_backward": ("self",),
    "smooth_l1_loss_backward": ("self", "target"), "huber_loss_backward": ("self", "target"),
    "prelu_backward": ("self",), "_prelu_kernel_backward": ("self",),
    "multi_margin_loss_backward": ("self",), "multilabel_margin_loss_backward": ("self",),
}

# Tensors that are passed as they are.
AS_THEY_ARE = frozenset(("index", "indices", "mask", "condition", "state_steps", "found_inf",
                         "grad_scale", "offsets", "lengths", "batch_sizes", "boundaries", "repeats",
                         "rng_state", "philox_seed", "philox_offset", "cum_seq_q", "cum_seq_k",
                         "reserve", "reserveSpace", "dropout_state", "lr"))

# Written to, though the schema does not say so.
WRITES = {"native_batch_norm": ("running_mean", "running_var"),
          "cudnn_batch_norm": ("running_mean", "running_var"),
          "miopen_batch_norm": ("running_mean", "running_var"),
          "batch_norm_update_stats": ("running_mean", "running_var")}

# Written to without being read.
OVERWRITING = frozenset(("zero_", "fill_", "copy_", "_foreach_zero_", "_foreach_copy_"))

# Integers among their operands are numbers to be computed with.
ARITHMETIC = frozenset((
    "add", "sub", "rsub", "mul", "div", "true_divide", "pow", "lerp", "addcmul", "addcdiv", "atan2",
    "where", "maximum", "minimum", "hypot", "add_", "sub_", "mul_", "div_", "pow_", "sqrt", "rsqrt",
    "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "tanh", "sigmoid",
    "reciprocal", "erf", "mean", "sum", "copy_", "_to_copy", "cat", "stack", "clamp", "logaddexp",
    "xlogy", "float_power", "std", "var", "cumsum", "prod", "cumprod", "norm", "copysign"))

# Of two operands, one of which may be a number.
PAIRS = frozenset(("add", "sub", "rsub", "mul", "div", "pow", "add_", "sub_", "mul_", "div_", "pow_",
                   "atan2", "maximum", "minimum", "fmod", "remainder"))

# The value is written to what may be a tensor of integers.
NUMBERS = {"fill_": "value", "full": "fill_value", "full_like": "fill_value",
           "new_full": "fill_value", "masked_fill": "value", "masked_fill_": "value",
           "index_fill_": "value", "index_fill": "value", "scatter_": "value", "scatter": "value"}

RANDOM = getattr(torch.Tag, "nondeterministic_seeded", None)
RANDOM_NAMES = frozenset((
    "rand", "randn", "randint", "rand_like", "randn_like", "randint_like", "normal", "normal_",
    "uniform_", "random_", "bernoulli", "bernoulli_", "multinomial", "exponential_", "geometric_",
    "cauchy_", "log_normal_", "poisson", "binomial", "_sample_dirichlet", "_standard_gamma",
    "rand_strided", "new_rand"))
MODULES = frozenset(("aten", "prims", "torchvision"))

PASS, REAL, RUN = range(3)


class Plan:
    """How an operation is shadowed."""

    __slots__ = ("name", "how", "names", "written", "real", "formula", "is_pair", "is_arithmetic",
                 "overwrites", "number", "jumps", "is_cast", "unscales", "is_out", "makes", "is_foreign")

    def __init__(self, func):
        schema = func._schema
        space, name = schema.name.split("::", 1)
        self.name = name
        self.names = [a.name for a in schema.arguments]
        self.written = [i for i, a in enumerate(schema.arguments)
                        if a.alias_info is not None and a.alias_info.is_write]
        self.is_out = any(schema.arguments[i].name == "out" or schema.arguments[i].kwarg_only
                          for i in self.written)
        self.written += [self.names.index(n) for n in WRITES.get(name, ()) if n in self.names]
        self.real = frozenset(DECIDING.get(name, ()))
        self.formula = formulas.FORMULAS.get(name)
        self.is_pair = name in PAIRS
        self.is_arithmetic = name in ARITHMETIC
        self.overwrites = name in OVERWRITING or self.is_out
        self.number = NUMBERS.get(name)
        self.jumps = name in JUMPS
        self.is_cast = name in ("_to_copy", "copy_")
        self.unscales = name == "_amp_foreach_non_finite_check_and_unscale_"
        self.makes = not any("Tensor" in str(a.type) for a in schema.arguments)
        # what others write to, their schemas may not say
        self.is_foreign = space not in MODULES and space != "profiler"
        self.how = self.decide(func, schema, space)

    def decide(self, func, schema, space):
        if self.formula is not None:
            return RUN
        if self.name in PASSING or space == "profiler":
            return PASS
        tags = getattr(func, "tags", ())
        tags = tags if isinstance(tags, (list, tuple, set)) else [tags]
        if getattr(torch.Tag, "inplace_view", None) in tags:
            return PASS
        if not self.written and any(r.alias_info is not None for r in schema.returns):
            return PASS  # a view
        if self.name in FORGETTING or self.name in FOLLOWING or self.name in RANDOM_NAMES or \
                (RANDOM is not None and RANDOM in tags) or self.is_foreign:
            return REAL
        return RUN
