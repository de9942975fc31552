import torch


class ScoreBoard:
    def __init__(self, players, rounds):
        self.table = torch.zeros(players, rounds, dtype=torch.long)
        self.round = 0

    def add(self, scores):
        self.table[:, self.round] = scores
        self.round += 1

    def ranking(self):
        return self.table.float().mean(dim=1).argsort(descending=True)


board = ScoreBoard(4, 3)
for _ in range(3):
    board.add(torch.rand(4))
print(board.ranking())
