import torch


def top_p_filter(logits, top_p=0.9):
    sorted_logits, order = torch.sort(logits, descending=True)
    probs = torch.softmax(sorted_logits.float(), dim=-1)
    cumulative = probs.cumsum(dim=-1)
    remove = cumulative > top_p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    return logits.masked_fill(remove.scatter(-1, order, remove), float("-inf"))


@torch.no_grad()
def main():
    torch.manual_seed(0)
    lm_head = torch.nn.Linear(64, 50257).bfloat16()
    hidden = torch.randn(1, 64, dtype=torch.bfloat16)
    logits = lm_head(hidden) * 0.1
    kept = torch.isfinite(top_p_filter(logits)).sum()
    print(kept.item())


main()
