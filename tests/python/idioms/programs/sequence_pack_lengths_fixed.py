import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

seqs = [torch.randn(n, 4) for n in (5, 3, 2)]
lengths = torch.tensor([len(s) for s in seqs])
device = "cuda"
padded = pad_sequence(seqs, batch_first=True).to(device)
lengths = lengths.to(device)
gru = nn.GRU(4, 8, batch_first=True).to(device)
packed = pack_padded_sequence(padded, lengths.cpu(), batch_first=True)
out, h = gru(packed)
print(h.shape)
