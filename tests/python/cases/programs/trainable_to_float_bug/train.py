import torch
from misc import cast_training_params, set_trainable
from model import Detector


def main():
    model = Detector().to("cuda", dtype=torch.float16)
    set_trainable(model, ["head"])
    cast_training_params(model)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(params, lr=1e-3)
    for step in range(3):
        x = torch.randn(4, 16, device="cuda", dtype=torch.float16)
        y = torch.randint(0, 5, (4,), device="cuda")
        logits = model(x)
        loss = torch.nn.functional.cross_entropy(logits.float(), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
