import torch
from torch import nn
from inversion import train_embedding


class EmbeddingManager:
    def __init__(self, string_to_param, string_to_token):
        self.string_to_param = string_to_param
        self.string_to_token = string_to_token

    def __call__(self, tokens, embedded):
        for text, token in self.string_to_token.items():
            placeholder = self.string_to_param[text].to(tokens.device)
            embedded[tokens == token] = placeholder
        return embedded


def main():
    encoder = nn.Embedding(100, 16).half()
    manager = EmbeddingManager(train_embedding(16), {"*": 42})
    tokens = torch.tensor([[1, 42, 7], [42, 3, 9]])
    with torch.no_grad():
        embedded = encoder(tokens)
    print(manager(tokens, embedded).shape)


main()
