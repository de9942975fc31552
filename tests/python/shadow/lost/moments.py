"""The variance as a difference of large numbers, in f32."""
import torch

torch.manual_seed(0)
pressure = 101325.0 + 5 * torch.randn(2000, 1)
total, squares, count = torch.zeros(1), torch.zeros(1), 0
for chunk in pressure.split(100):
    total += chunk.sum(0)
    squares += (chunk * chunk).sum(0)
    count += len(chunk)
mean = total / count
variance = squares / count - mean * mean
normal = (pressure - mean) / torch.sqrt(variance.clamp(min=0) + 1e-12)  # expect: run-cancellation
