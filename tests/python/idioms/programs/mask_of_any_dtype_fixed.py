import torch


def causal(size, dtype, device):
    mask = torch.full((size, size), torch.finfo(dtype).min, device=device)
    return torch.triu(mask, diagonal=1).to(dtype)


def scaled(size, dtype: torch.dtype, device):
    least = torch.finfo(dtype).min if dtype.is_floating_point else torch.iinfo(dtype).min
    return torch.triu(torch.ones((size, size), dtype=dtype, device=device) * least, diagonal=1)


def attend(scores):
    return scores + causal(scores.size(-1), scores.dtype, scores.device)


if __name__ == "__main__":
    print(attend(torch.randn(3, 3)))
    print(scaled(3, torch.float64, "cpu"))
