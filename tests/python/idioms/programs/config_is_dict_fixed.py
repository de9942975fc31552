import torch
from torch import nn


class Config(dict):
    __getattr__ = dict.__getitem__


def causal_mask(n, device=None, dtype=torch.float32):
    mask = torch.full((n, n), float("-inf"), device=device, dtype=dtype)
    return torch.triu(mask, diagonal=1)


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Parameter(torch.zeros(1, cfg.length, cfg.dim))
        self.layer = nn.TransformerDecoderLayer(cfg.dim, cfg.heads, cfg.dim * 2, batch_first=True)

    def forward(self, ids, memory):
        x = self.embed(ids) + self.pos[:, : ids.size(1)]
        mask = causal_mask(ids.size(1), device=x.device, dtype=x.dtype)
        h = self.layer(x, memory, tgt_mask=mask)
        return h @ self.embed.weight.t()


def main():
    cfg = Config(vocab=40, dim=16, length=12, heads=2)
    net = Decoder(cfg).cuda().train()
    ids = torch.randint(0, 40, (2, 7), device="cuda")
    memory = torch.randn(2, 4, 16, device="cuda")
    logits = net(ids, memory)
    loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
