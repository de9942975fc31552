"""A stack of layers recognises the causal mask and does not use it, so that it may stay on the CPU."""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab=40, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(dim, 2, 32, batch_first=True), 1)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(dim, 2, 32, batch_first=True), 1)

    def forward(self, ids):
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1))
        x = self.embed(ids)
        memory = self.encoder(x, mask=mask)
        return self.decoder(x, memory, tgt_mask=mask)


net = Decoder().cuda()
ids = torch.randint(0, 40, (2, 7), device="cuda")
print(net(ids).shape)
