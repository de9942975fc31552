import torch


def move(x, device, dtype):
    return x.to(device).to(dtype).to(device=device, dtype=dtype)


x = torch.zeros(4)
device_dtype = torch.float16
print(move(x, torch.device("cuda"), torch.float16))
print(x.to(device_dtype))
