import numpy as np


class Episode:
    def __init__(self):
        self.rewards = []

    def add(self, reward):
        self.rewards.append(reward)


def discount(rewards, gamma=0.8):
    returns = np.zeros_like(rewards)
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + gamma * running
        returns[t] = running
    return returns


def play():
    episode = Episode()
    for reward in [0, 0, 1, 1]:
        episode.add(reward)
    return np.array(episode.rewards, dtype=np.int64)


if __name__ == "__main__":
    print(discount(play()))
