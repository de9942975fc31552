import torch
from loader import load_stage


class Pipeline:
    def __init__(self, dtype=torch.float32):
        self.dtype = dtype
        self.stage = load_stage(dtype)

    @torch.no_grad()
    def __call__(self, x):
        with torch.cuda.amp.autocast(dtype=torch.bfloat16, enabled=self.dtype != torch.float32):
            h = self.stage.encode(x.to(self.dtype))
        return self.stage.decode(h)


pipeline = Pipeline()
print(pipeline(torch.randn(2, 16, device="cuda")).dtype)
