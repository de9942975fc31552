import torch


def attention_bias(padding):
    """0 where a token may be seen, a large negative number where not."""
    visible = ~padding
    return (~visible.bool()).float() * -10000.0


lengths = torch.tensor([3, 5])
padding = torch.arange(6)[None, :] >= lengths[:, None]
print(attention_bias(padding))
