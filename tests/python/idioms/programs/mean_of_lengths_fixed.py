import torch


def statistics(batch):
    lengths = torch.tensor([len(text.split()) for text in batch])
    return lengths.max().item(), lengths.float().mean().item()


texts = ["a b c", "d e", "f"]
print(statistics(texts))
