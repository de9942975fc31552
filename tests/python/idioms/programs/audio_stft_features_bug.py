import torch
import torch.nn as nn


class LogMel(nn.Module):
    def __init__(self, n_fft=64, hop=16, n_mels=8):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.register_buffer("window", torch.hann_window(n_fft))
        self.register_buffer("fb", torch.rand(n_fft // 2 + 1, n_mels))

    def forward(self, wav):
        spec = torch.stft(wav, self.n_fft, self.hop, window=self.window, return_complex=True)
        mel = spec.transpose(1, 2) @ self.fb
        return torch.log(mel.abs() + 1e-6)


class KeywordNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.front = LogMel()
        self.rnn = nn.GRU(8, 16, batch_first=True)
        self.out = nn.Linear(16, classes)

    def forward(self, wav):
        h, _ = self.rnn(self.front(wav))
        return self.out(h[:, -1])


net = KeywordNet()
print(net(torch.randn(2, 400)).shape)
