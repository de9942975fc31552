import torch


def keep(model, names):
    for name, p in model.named_parameters():
        if any(n in name for n in names):
            p = p.to(torch.float32)  # expect: rebound-cast warning


class Loader:
    @classmethod
    def load(cls, model):
        for p in model.parameters():
            p = p.half()  # expect: rebound-cast warning

    @staticmethod
    def load_all(models):
        for model in models:
            for b in model.buffers():
                b = b.half()  # expect: rebound-cast warning
