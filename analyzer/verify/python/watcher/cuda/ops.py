"""What is known of the operations of PyTorch on cuda. An operation that is in no list cannot be
simulated. The lists are names of functions and methods; a name with "_" behind is its in-place form
and belongs to the same lists, except those of autocast.

What is said here was recorded on PyTorch 2.11 with a GPU (tests/truth/rows, tests/pack/rows), and
tests/python/simulate replays these rows.
"""


def words(text):
    return frozenset(text.split())


# They select, copy or describe: any dtype, and nothing is computed.
SIMPLE = words("""
    __getitem__ __setitem__ _is_view _storage storage untyped_storage adjoint alias_copy align_as as_strided
    as_strided_copy as_subclass bfloat16 bool broadcast_tensors broadcast_to byte cdouble cfloat chalf char chunk clone
    column_stack concat concatenate cat conj contiguous copy_ data_ptr detach detach_copy diag diag_embed diagflat diagonal
    diagonal_copy diagonal_scatter dim double dsplit dstack element_size expand expand_as expand_copy fill_ flatten flip
    fliplr flipud float get_device half hsplit hstack imag int is_complex is_conj is_contiguous is_distributed
    is_floating_point is_inference is_neg is_nonzero is_same_size is_set_to is_shared is_signed item long masked_select
    meshgrid moveaxis movedim narrow narrow_copy ndimension nelement numel permute permute_copy positive ravel real
    refine_names register_hook register_post_accumulate_grad_hook rename repeat reshape reshape_as requires_grad_ resize_
    resize_as_ resolve_conj resolve_neg retain_grad roll rot90 row_stack select select_copy select_scatter set_ share_memory_
    short size slice_copy slice_scatter split split_copy split_with_sizes split_with_sizes_copy squeeze squeeze_copy stack
    storage_offset storage_type stride swapaxes swapdims t t_copy take take_along_dim tensor_split tile tolist transpose
    transpose_copy tril triu type_as unbind unbind_copy unflatten unfold unfold_copy unsafe_chunk unsafe_split
    unsafe_split_with_sizes unsqueeze unsqueeze_copy untyped_storage view view_as view_as_complex view_as_real view_copy
    vsplit vstack zero_ __len__ __bool__ __int__ __float__ __index__ __complex__ __contains__ __format__ dense_dim
    block_diag atleast_1d atleast_2d atleast_3d cartesian_prod unravel_index sym_size is_pinned is_sparse
    promote_types result_type can_cast is_tensor is_storage typename numel _version _unsafe_view nonzero nonzero_static argwhere
    index_select masked_scatter masked_fill index_fill pixel_shuffle pixel_unshuffle channel_shuffle constant_pad_nd pad _pad_enum _pad_circular
    reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d
    unique unique_dim _unique2 unique_consecutive pad_sequence _pack_padded_sequence _pad_packed_sequence
    _has_compatible_shallow_copy_type has_names names sym_numel sym_stride sym_storage_offset dim_order nbytes itemsize _typed_storage _has_symbolic_sizes_strides
""")

# Elementwise operations of two operands, of which one without dimensions may be on the CPU.
JOINED = words("""
    add sub mul div multiply divide subtract true_divide rsub pow float_power floor_divide remainder fmod atan2 arctan2
    eq ne lt le gt ge equal_ greater greater_equal less less_equal not_equal maximum minimum fmax fmin
    bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift where isclose allclose kl_div l1_loss
    xlogy logaddexp logaddexp2 copysign hypot nextafter heaviside ldexp gcd lcm polar complex igamma igammac
    special_xlogy special_xlog1py special_zeta lshift rshift __and__ __or__ __xor__ __lshift__ __rshift__
    __rand__ __ror__ __rxor__ binary_cross_entropy_with_logits addr_ isin max min
""")
# The same, but only the second operand may be.
SECOND_JOINED = words("logical_and logical_or logical_xor lerp masked_fill index_put index_put_ fill index_fill")

ELEMENTWISE = words("""
    abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan atanh bitwise_not ceil celu
    clamp clamp_max clamp_min clip conj_physical cos cosh deg2rad digamma dropout elu erf erfc erfinv exp exp2 expm1 fix
    floor frac frexp gelu glu hardshrink hardsigmoid hardswish hardtanh i0 isfinite isinf isnan isneginf isposinf isreal
    leaky_relu lgamma log log10 log1p log2 log_sigmoid log_softmax logical_not logit mish mvlgamma nan_to_num neg negative
    polygamma prelu rad2deg reciprocal relu relu6 round rrelu rrelu_with_noise rsqrt selu sgn sigmoid sign signbit silu sin
    sinc sinh softmax softplus softshrink sqrt square tan tanh threshold trunc addcmul addcdiv logit_ alpha_dropout
    feature_dropout feature_alpha_dropout native_dropout bernoulli normal normal_ uniform_ random_ exponential_ cauchy_
    geometric_ log_normal_ poisson binomial multinomial fill_diagonal_ _softmax _log_softmax _fused_dropout
    special_digamma special_entr special_erf special_erfc special_erfcx special_erfinv special_exp2 special_expit
    special_expm1 special_gammaln special_i0 special_i0e special_i1 special_i1e special_log1p special_log_ndtr
    special_log_softmax special_logit special_logsumexp special_ndtr special_ndtri special_psi special_round special_sinc
    special_softmax _safe_softmax _standard_gamma _sample_dirichlet _dirichlet_grad _weight_norm _weight_norm_interface norm_except_dim
""")

REDUCTIONS = words("""
    _is_all_true _is_any_true all amax amin aminmax any argmax argmin argsort bincount bucketize count_nonzero cummax cummin cumprod cumsum
    cumulative_trapezoid diff dist equal histc kthvalue logcumsumexp logsumexp mean median mode msort nanmean nanmedian
    nanquantile nansum norm frobenius_norm nuclear_norm prod quantile searchsorted sort std std_mean sum sum_to_size topk
    trace trapezoid trapz var var_mean renorm corrcoef cov one_hot linalg_norm linalg_vector_norm linalg_matrix_norm
    cosine_similarity pairwise_distance pdist cdist combinations repeat_interleave tensordot gradient
""")

INDEXING = words("""
    gather scatter scatter_add scatter_reduce index_add index_copy index_reduce masked_fill embedding embedding_bag put
    put_ embedding_renorm_ affine_grid_generator grid_sampler grid_sampler_2d grid_sampler_3d
""")

# Matrix products and the like: all operands have one dtype, a floating one.
PRODUCTS = words("""
    addbmm addmm addmv addr baddbmm bmm chain_matmul dot einsum inner linear matmul mm mv vdot linalg_matmul
    linalg_multi_dot linalg_vecdot bilinear __matmul__ __rmatmul__ scaled_dot_product_attention _scaled_dot_product_attention
    conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution _convolution
""")
CONVOLUTIONS = words("conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution _convolution")

LAYERS = words("""
    layer_norm native_layer_norm group_norm native_group_norm rms_norm _fused_rms_norm batch_norm native_batch_norm
    instance_norm adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool1d_with_indices max_pool2d
    max_pool2d_with_indices max_pool3d max_pool3d_with_indices max_unpool2d max_unpool3d fractional_max_pool2d
    fractional_max_pool3d im2col col2im lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
    upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d
    upsample_trilinear3d _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d
    _upsample_nearest_exact2d _upsample_nearest_exact3d conv_tbc
    _transformer_encoder_layer_fwd _native_multi_head_attention _nested_tensor_from_mask_left_aligned
""")

LOSSES = words("""
    binary_cross_entropy cosine_embedding_loss cross_entropy_loss ctc_loss hinge_embedding_loss huber_loss
    margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss nll_loss nll_loss2d nll_loss_nd poisson_nll_loss
    smooth_l1_loss soft_margin_loss triplet_margin_loss
""")

# Only dtypes that LAPACK has.
LINEAR_ALGEBRA = words("""
    cholesky cholesky_inverse cholesky_solve det inverse logdet matrix_power pinverse qr slogdet svd
    linalg_cholesky linalg_cholesky_ex linalg_cond linalg_det linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh
    linalg_inv linalg_inv_ex linalg_lstsq linalg_lu linalg_lu_factor linalg_lu_solve linalg_matrix_rank linalg_pinv linalg_qr
    linalg_slogdet linalg_solve linalg_solve_ex linalg_solve_triangular linalg_svd linalg_svdvals linalg_matrix_exp
    matrix_exp linalg_householder_product triangular_solve lu_solve lu_unpack geqrf ormqr orgqr
""")
OTHER = words("""
    cross linalg_cross linalg_diagonal linalg_matrix_power kron outer ger linalg_vander vander fft_fft fft_fft2 fft_fftn
    fft_fftshift fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ifftshift fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2
    fft_rfftn stft istft lu lobpcg svd_lowrank pca_lowrank _adaptive_avg_pool2d _batch_norm_impl_index
    _amp_foreach_non_finite_check_and_unscale_ _amp_update_scale_ apply_ map_ map2_
""")

KNOWN = frozenset().union(SIMPLE, JOINED, SECOND_JOINED, ELEMENTWISE, REDUCTIONS, INDEXING, PRODUCTS, LAYERS, LOSSES,
                          LINEAR_ALGEBRA, OTHER)

# Written in Python, but with checks of their own that do not let them run twice.
WHOLE = words("unique unique_consecutive storage untyped_storage _typed_storage")

# They promote floating operands that differ.
PROMOTING = (JOINED | SECOND_JOINED | words("""
    addcmul addcdiv clamp clamp_max clamp_min clip mse_loss smooth_l1_loss huber_loss cosine_similarity cat concat
    concatenate stack hstack vstack dstack column_stack row_stack cross linalg_cross outer ger kron dist
    pairwise_distance cross_entropy_loss cosine_embedding_loss batch_norm native_batch_norm instance_norm searchsorted bucketize
""")) - words("complex polar lerp index_put index_put_")
# Their result has the dtype of the first operand.
AS_FIRST = words("cosine_embedding_loss")
# On cuda they have no half precision either.
NO_HALF = LINEAR_ALGEBRA | words("""
    angle cdist pdist complex polar fft_fft fft_fft2 fft_fftn fft_ifft fft_rfft fft_irfft histc ctc_loss lobpcg bincount
    linalg_householder_product view_as_complex
""")

# What regions of autocast cast to. Only the operation itself, not its in-place form or one with out=.
AUTOCAST = {}
for kind, text in {
    "low": """
        addbmm addmm addmv addr baddbmm bmm chain_matmul conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d
        conv_transpose3d convolution _convolution einsum gru_cell linalg_multi_dot linalg_vecdot linear lstm_cell matmul mm mv
        prelu rnn_relu_cell rnn_tanh_cell lstm gru rnn_tanh rnn_relu scaled_dot_product_attention
        _scaled_dot_product_attention linalg_matmul __matmul__ __rmatmul__ inner
    """,
    "f32": """
        acos arccos asin arcsin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow square softplus layer_norm
        native_layer_norm group_norm native_group_norm frobenius_norm nuclear_norm cosine_similarity poisson_nll_loss
        cosine_embedding_loss cross_entropy_loss nll_loss nll_loss2d nll_loss_nd hinge_embedding_loss kl_div l1_loss
        smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss triplet_margin_loss
        multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp norm linalg_norm
        linalg_vector_norm linalg_matrix_norm pairwise_distance trace special_erfinv special_expm1 special_log1p
        special_logsumexp upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d
        upsample_nearest3d upsample_trilinear3d _upsample_bicubic2d_aa _upsample_bilinear2d_aa _upsample_nearest_exact1d
        _upsample_nearest_exact2d _upsample_nearest_exact3d __rpow__ __pow__
    """,
    "f32_dtype": "cumprod cumsum log_softmax prod softmax sum special_softmax special_log_softmax",
    "promote": """
        addcdiv addcmul atan2 arctan2 bilinear cross dot grid_sampler index_put scatter_add tensordot vdot
    """,
    "refused": "binary_cross_entropy",
}.items():
    for name in text.split():
        AUTOCAST[name] = kind

# Methods of the names of Python, as the functions they are.
SAME = {
    "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_", "__itruediv__": "div_", "__add__": "add", "__radd__": "add",
    "__mul__": "mul", "__rmul__": "mul", "__sub__": "sub", "__truediv__": "div", "__eq__": "eq", "__ne__": "ne",
    "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge", "__iand__": "bitwise_and_", "__ior__": "bitwise_or_",
    "__ixor__": "bitwise_xor_", "__ilshift__": "bitwise_left_shift_", "__irshift__": "bitwise_right_shift_",
    "__and__": "bitwise_and", "__or__": "bitwise_or", "__xor__": "bitwise_xor", "__invert__": "bitwise_not",
    "__neg__": "neg", "__abs__": "abs", "__mod__": "remainder", "__imod__": "remainder_", "__matmul__": "matmul",
    "__pow__": "pow", "__ipow__": "pow_", "__div__": "div", "__idiv__": "div_", "__nonzero__": "__bool__", "__long__": "__int__",
    "__lshift__": "bitwise_left_shift", "__rshift__": "bitwise_right_shift", "__rand__": "bitwise_and",
    "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__pos__": "positive", "__floordiv__": "floor_divide",
    "__ifloordiv__": "floor_divide_", "__reversed__": "flip",
}
