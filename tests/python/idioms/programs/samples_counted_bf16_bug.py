import torch
import torch.nn as nn


class LightningLike(nn.Module):
    def __init__(self):
        super().__init__()
        self._logged = {}

    def log(self, name, value):
        self._logged[name] = value

    def on_validation_start(self):
        pass

    def on_validation_end(self):
        pass


class Classifier(LightningLike):
    def __init__(self, dim=16, classes=4):
        super().__init__()
        self.net = nn.Linear(dim, classes)
        self.register_buffer("seen", torch.zeros(()))
        self.register_buffer("correct", torch.zeros((), dtype=torch.long))

    def on_validation_start(self):
        self.seen.zero_()
        self.correct.zero_()

    def validation_step(self, batch, batch_idx):
        x, y = batch
        pred = self.net(x).argmax(-1)
        self.correct += (pred == y).sum()
        self.seen += y.numel()

    def on_validation_end(self):
        self.log("acc", self.correct.float() / self.seen.float())


class Trainer:
    def __init__(self, precision="32"):
        self.precision = precision

    def validate(self, module, batches):
        if self.precision == "bf16-true":
            module = module.to(torch.bfloat16)
        module.on_validation_start()
        with torch.no_grad():
            for i, (x, y) in enumerate(batches):
                module.validation_step((x.to(module.net.weight.dtype), y), i)
        module.on_validation_end()
        return module._logged


if __name__ == "__main__":
    torch.manual_seed(0)
    batches = [(torch.randn(7, 16), torch.randint(0, 4, (7,))) for _ in range(100)]
    print(Trainer("bf16-true").validate(Classifier(), batches))
