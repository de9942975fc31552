"""What happens only where there is no GPU, and what it says about where there is one: nothing."""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(2, 2, device=device)
w = torch.ones(2, 2)
if device == "cpu":
    print(x.half() @ w)
elif x.sum() > 4711:
    print(x @ w)
