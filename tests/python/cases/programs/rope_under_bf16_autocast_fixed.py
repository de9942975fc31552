import torch
from torch import nn


class LlamaRotary(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim)))

    @torch.no_grad()
    def forward(self, x, position_ids):
        inv_freq_expanded = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1)
        position_ids_expanded = position_ids[:, None, :].float()
        with torch.autocast(device_type=x.device.type, enabled=False):
            freqs = (inv_freq_expanded.float() @ position_ids_expanded.float()).transpose(1, 2)
            emb = torch.cat((freqs, freqs), dim=-1)
            cos, sin = emb.cos(), emb.sin()
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


class Attention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.q_proj = nn.Linear(dim, dim)
        self.rotary_emb = LlamaRotary(dim)

    def forward(self, hidden, position_ids):
        q = self.q_proj(hidden)
        cos, sin = self.rotary_emb(q, position_ids)
        return q * cos + q * sin


model = Attention().cuda()
hidden = torch.randn(1, 8, 16, device="cuda")
pos = torch.arange(8, device="cuda").unsqueeze(0)
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = model(hidden, pos).float().pow(2).mean()
loss.backward()
