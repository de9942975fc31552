# Attention with several heads, by the operations that torch's multi_head_attention_forward consists of.
import torch
import torch.nn.functional as F
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


# A mask of bool becomes one that is added, of the dtype of the query; others are added as they are.
def _canonical_mask(mask, name, dtype):
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != torch.bool:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False,
                 kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        # of sizes that are not known it is not known, either, that they equal themselves
        self._qkv_same_embed_dim = (kdim is None or kdim == embed_dim) and (vdim is None or vdim == embed_dim)
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        self.add_zero_attn = add_zero_attn
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(torch.empty((3 * embed_dim, embed_dim), device=device, dtype=dtype))
            self.q_proj_weight = None
            self.k_proj_weight = None
            self.v_proj_weight = None
        else:
            self.in_proj_weight = None
            self.q_proj_weight = Parameter(torch.empty((embed_dim, embed_dim), device=device, dtype=dtype))
            self.k_proj_weight = Parameter(torch.empty((embed_dim, self.kdim), device=device, dtype=dtype))
            self.v_proj_weight = Parameter(torch.empty((embed_dim, self.vdim), device=device, dtype=dtype))
        self.in_proj_bias = Parameter(torch.empty(3 * embed_dim, device=device, dtype=dtype)) if bias else None
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        self.bias_k = None
        self.bias_v = None
        if add_bias_kv:
            self.bias_k = Parameter(torch.empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(torch.empty((1, 1, embed_dim), device=device, dtype=dtype))

    def _projected(self, query, key, value):
        n = self.embed_dim
        b = self.in_proj_bias
        b_q, b_k, b_v = (None, None, None) if b is None else (b[:n], b[n : 2 * n], b[2 * n :])
        if self._qkv_same_embed_dim:
            w = self.in_proj_weight
            w_q, w_k, w_v = w[:n], w[n : 2 * n], w[2 * n :]
        else:
            w_q, w_k, w_v = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        return F.linear(query, w_q, b_q), F.linear(key, w_k, b_k), F.linear(value, w_v, b_v)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        key_padding_mask = _canonical_mask(key_padding_mask, "key_padding_mask", query.dtype)
        if is_causal and key_padding_mask is None and not need_weights:
            attn_mask = None
        else:
            attn_mask = _canonical_mask(attn_mask, "attn_mask", query.dtype)
        is_batched = query.dim() == 3
        if not is_batched:
            query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        elif self.batch_first:
            query, key, value = query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
        length, batch, _ = query.shape
        q, k, v = self._projected(query, key, value)
        if attn_mask is not None and attn_mask.dim() == 2:
            attn_mask = attn_mask.unsqueeze(0)
        if self.bias_k is not None:
            k = torch.cat([k, self.bias_k.repeat(1, batch, 1)])
            v = torch.cat([v, self.bias_v.repeat(1, batch, 1)])
            attn_mask = None if attn_mask is None else F.pad(attn_mask, (0, 1))
            key_padding_mask = None if key_padding_mask is None else F.pad(key_padding_mask, (0, 1))
        heads = batch * self.num_heads
        q = q.reshape(length, heads, self.head_dim).transpose(0, 1)
        k = k.reshape(k.size(0), heads, self.head_dim).transpose(0, 1)
        v = v.reshape(v.size(0), heads, self.head_dim).transpose(0, 1)
        if self.add_zero_attn:
            zeros = (heads, 1, self.head_dim)
            k = torch.cat([k, torch.zeros(zeros, dtype=k.dtype, device=k.device)], dim=1)
            v = torch.cat([v, torch.zeros(zeros, dtype=v.dtype, device=v.device)], dim=1)
            attn_mask = None if attn_mask is None else F.pad(attn_mask, (0, 1))
            key_padding_mask = None if key_padding_mask is None else F.pad(key_padding_mask, (0, 1))
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.view(-1, 1, 1, k.size(1)).expand(-1, self.num_heads, -1, -1)
            key_padding_mask = key_padding_mask.reshape(heads, 1, k.size(1))
            attn_mask = key_padding_mask if attn_mask is None else attn_mask + key_padding_mask
        if need_weights:
            output, weights = self._weighted(q, k, v, attn_mask)
            weights = weights.reshape(batch, self.num_heads, length, k.size(1))
            if average_attn_weights:
                weights = weights.mean(dim=1)
        else:
            output = F.scaled_dot_product_attention(q, k, v, attn_mask, self.dropout if self.training else 0.0)
            weights = None
        output = output.transpose(0, 1).reshape(length, batch, self.embed_dim)
        output = F.linear(output, self.out_proj.weight, self.out_proj.bias)
        if not is_batched:
            return output.squeeze(1), None if weights is None else weights.squeeze(0)
        return (output.transpose(1, 0) if self.batch_first else output), weights

    # Step by step, because the weights are wanted.
    def _weighted(self, q, k, v, mask):
        q = q * (1.0 / self.head_dim) ** 0.5
        if mask is None:
            weights = torch.bmm(q, k.transpose(-2, -1))
        else:
            weights = torch.baddbmm(mask, q, k.transpose(-2, -1))
        weights = F.softmax(weights, dim=-1)
        weights = F.dropout(weights, self.dropout, self.training)
        return torch.bmm(weights, v), weights

    def merge_masks(self, attn_mask, key_padding_mask, query):
        return attn_mask if key_padding_mask is None else key_padding_mask, None
