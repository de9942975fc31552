import copy
import torch
from torch import nn

head = nn.Linear(4, 2)
body = nn.Linear(4, 4)
x = torch.randn(3, 4)


@torch.inference_mode()
def features(x):
    return torch.relu(body(x))


f = features(x)
g = features(x)
# each of these is right
head(f.clone()).sum().backward()
head(f + 0).sum().backward()
(f + head.weight.sum()).sum().backward()
head(torch.tensor(f.tolist())).sum().backward()
head(copy.deepcopy(f)).sum().backward()
head(torch.from_numpy(f.numpy())).sum().backward()
with torch.inference_mode():
    f.mul_(2)
    body.weight.mul_(1.0)
    same = x.to("cpu")
    view = x[:2]
    with torch.inference_mode(False):
        normal = x * 2
head(same).sum().backward()
head(view).sum().backward()
head(normal).sum().backward()
with torch.no_grad():
    print(head(f), f * 2)
y = torch.zeros(3, 4)
y.copy_(f)
y[0] = f[0]
head(y).sum().backward()
head(torch.cat([f, y])).sum().backward()
labels = f.argmax(-1)
out = head(x)
print(out[labels > 1])
print("ok")
