import torch

ROWS = """4,hello
5,fine
1,bad
5,great"""


def parse(text):
    for line in text.splitlines():
        score, _, words = line.partition(",")
        yield int(score), words


class Ratings:
    def __init__(self, rows):
        scores, self.words = zip(*rows)
        self.scores = torch.tensor(scores)

    @property
    def mean(self):
        return self.scores.sum() // len(self.scores)

    def centred(self):
        return self.scores - self.mean


if __name__ == "__main__":
    print(Ratings(list(parse(ROWS))).centred())
