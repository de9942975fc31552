# How many sizes are before the last is not known of what a file has in it: the packed data of the layer keeps its dimensions.
import os
import tempfile

import torch
from torch import nn

path = os.path.join(tempfile.mkdtemp(), "tokens.pt")
if not os.path.exists(path):
    torch.save(torch.zeros(2, 7, dtype=torch.int64), path)
tokens = torch.load(path)
x = nn.Embedding(4, 6)(tokens)
rows = torch.zeros(*tokens.shape[:-1], 3)
print(torch.linalg.norm(rows))
grid = torch.ones(*tokens.shape[:-1], 4, 4)
print(torch.bmm(grid, grid).shape)
packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([7, 7]), batch_first=True)
out, _ = nn.LSTM(6, 3, batch_first=True)(packed)
memory, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
print(torch.bmm(memory, memory.transpose(1, 2)).shape)
