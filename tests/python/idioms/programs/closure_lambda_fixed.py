import torch
import torch.nn.functional as F


def make_loss(kind, smoothing=0.0):
    losses = {
        "bce": lambda pred, y: F.binary_cross_entropy_with_logits(pred, y),
        "mse": lambda pred, y: F.mse_loss(torch.sigmoid(pred), y.float()),
    }
    fn = losses[kind]

    def loss(pred, target):
        if smoothing > 0:
            target = target * (1 - smoothing) + 0.5 * smoothing
        return fn(pred.squeeze(-1), target)

    return loss


w = torch.randn(5, 1, requires_grad=True)
x = torch.randn(32, 5)
y = (x[:, 0] > 0).float()
loss = make_loss("bce")(x @ w, y)
loss.backward()
print(w.grad.norm())
