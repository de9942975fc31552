import torch
from modeling import ForCausalLM

model = ForCausalLM()
model.parallelize()
ids = torch.randint(0, 40, (2, 8), device="cuda:0")
out = model(ids, labels=ids)
out.loss.backward()
