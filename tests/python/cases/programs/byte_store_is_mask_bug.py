import torch


def allowed_moves(board):
    return torch.tensor([1, 0, 1], dtype=torch.uint8)


class Masker:
    def __init__(self, value=0):
        self.value = value

    def __call__(self, scores, moves):
        scores = scores.clone()
        scores[0, moves] = self.value
        return scores


scores = torch.arange(6).view(2, 3) + 1
print(Masker()(scores, allowed_moves(None)))
