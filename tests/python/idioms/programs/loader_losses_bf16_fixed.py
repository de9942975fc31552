import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Accelerator:
    def __init__(self, mixed_precision="no"):
        self.dtype = {"no": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[mixed_precision]

    def prepare(self, *objects):
        return tuple(o.to(self.dtype) if isinstance(o, nn.Module) else o for o in objects)

    def backward(self, loss):
        loss.backward()


def main():
    torch.manual_seed(0)
    accelerator = Accelerator("bf16")
    model = nn.Embedding(64, 8)
    loader = DataLoader(TensorDataset(torch.randint(0, 64, (2000,))), batch_size=2)
    model, loader = accelerator.prepare(model, loader)
    total_loss = 0
    for ids, in loader:
        loss = model(ids).pow(2).mean()
        accelerator.backward(loss)
        total_loss += loss.detach().float()
    print(total_loss / len(loader))


if __name__ == "__main__":
    main()
