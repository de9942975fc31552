import torch
from torch import nn


class Output:
    def __init__(self, loss, logits):
        self.loss = loss
        self.logits = logits


class ForCausalLM(nn.Module):
    def __init__(self, vocab=40, dim=16):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.layer = nn.Linear(dim, dim)
        self.lm_head = nn.Linear(dim, vocab)

    def parallelize(self):
        self.embed.to("cuda:0")
        self.layer.to("cuda:1")
        self.lm_head.to("cuda:1")

    def forward(self, input_ids, labels=None):
        hidden = self.embed(input_ids)
        hidden = hidden.to("cuda:1")
        logits = self.lm_head(torch.relu(self.layer(hidden)))
        loss = None
        if labels is not None:
            labels = labels.to(logits.device)
            shift_logits = logits[..., :-1, :].contiguous()
            shift_labels = labels[..., 1:].contiguous()
            loss_fct = nn.CrossEntropyLoss()
            loss = loss_fct(shift_logits.view(-1, logits.size(-1)), shift_labels.view(-1))
        return Output(loss, logits)
