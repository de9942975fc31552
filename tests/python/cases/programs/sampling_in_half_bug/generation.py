import torch

from modeling import Talker


class Sampler:
    def __init__(self, temperature=0.9, top_k=20):
        self.temperature = temperature
        self.top_k = top_k

    def __call__(self, logits):
        logits = logits / self.temperature
        kth = torch.topk(logits, self.top_k)[0][..., -1, None]
        logits = logits.masked_fill(logits < kth, float("-inf"))
        probs = torch.softmax(logits, dim=-1)
        return torch.multinomial(probs, num_samples=1)


@torch.inference_mode()
def generate(model, ids, steps):
    sampler = Sampler()
    for _ in range(steps):
        logits = model(ids)[:, -1, :]
        ids = torch.cat([ids, sampler(logits)], dim=-1)
    return ids


talker = Talker().to("cuda", dtype=torch.float16)
print(generate(talker, torch.tensor([[1]], device="cuda"), 4))
