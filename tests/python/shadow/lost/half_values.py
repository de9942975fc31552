"""Values that f16 and bf16 do not have."""
import torch

positions = torch.arange(5000)
half = positions.to(torch.float16)  # expect: run-inexact-integer
brain = torch.arange(300, dtype=torch.bfloat16)  # expect: run-inexact-integer
large = torch.tensor([300.0, 2.0]).half()
square = large * large  # expect: run-overflow
probability = torch.tensor([1.0, 0.0], dtype=torch.float16)
entropy = (probability + 1e-8).float().log()  # expect: run-not-finite
small = torch.full((4,), 1e-5, dtype=torch.float16) * 1e-4  # expect: run-underflow
total = torch.zeros((), dtype=torch.bfloat16)
for i in range(600):
    total = total + 1.0  # expect: run-accumulated run-inexact-integer
