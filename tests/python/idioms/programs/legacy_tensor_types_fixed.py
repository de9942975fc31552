import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.encoder = nn.Embedding(vocab, hidden)
        self.rnn = nn.RNNCell(hidden, hidden)
        self.decoder = nn.Linear(hidden, vocab)
        self.hidden = hidden

    def forward(self, tok, h):
        h = self.rnn(self.encoder(tok), h)
        return self.decoder(h), h

    def init_hidden(self, n):
        return torch.zeros(n, self.hidden).type(torch.FloatTensor)


def char_tensor(text, alphabet):
    t = torch.zeros(len(text)).type(torch.LongTensor)
    for i, ch in enumerate(text):
        t[i] = alphabet.index(ch)
    return t


def generate(model, alphabet, prime="ab", length=5):
    h = model.init_hidden(1)
    inp = char_tensor(prime, alphabet)
    out = prime
    for i in range(length):
        logits, h = model(inp[-1:], h)
        nxt = logits.argmax(-1).item()
        out += alphabet[nxt]
        inp = char_tensor(alphabet[nxt], alphabet)
    return out


alphabet = "abcdefg "
print(generate(CharRNN(len(alphabet), 12), alphabet))
