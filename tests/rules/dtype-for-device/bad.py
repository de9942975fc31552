import torch


class Config:
    device = torch.bfloat16


def move(x, device):
    return x.to(device)  # expect: dtype-for-device warning


config = Config()
x = torch.zeros(4)
print(move(x, torch.float16))
print(x.to(config.device))  # expect: dtype-for-device warning
model_dtype = torch.device("cuda")
print(x.to(model_dtype))  # expect: dtype-for-device warning
