import numpy as np
import torch
from torch import nn


class FastSpeech(nn.Module):
    def __init__(self, vocab=50, dim=16, max_len=64):
        super().__init__()
        self.src_word_emb = nn.Embedding(vocab, dim)
        self.position_enc = nn.Embedding(max_len, dim)
        self.decoder = nn.Linear(dim, 80)

    def forward(self, src_seq, src_pos):
        enc = self.src_word_emb(src_seq) + self.position_enc(src_pos)
        return self.decoder(enc)


def get_inputs(text, device):
    text = np.stack([np.array(text)])
    src_pos = np.stack([np.arange(text.shape[1])])
    sequence = torch.from_numpy(text).to(device).float()
    src_pos = torch.from_numpy(src_pos).to(device).float()
    return sequence, src_pos


def export(model):
    device = next(model.parameters()).device
    sequence, src_pos = get_inputs([3, 8, 1, 4], device)
    with torch.no_grad():
        mel = model(sequence, src_pos)
    return mel


if __name__ == "__main__":
    print(export(FastSpeech().eval()).shape)
