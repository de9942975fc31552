from torch.distributions import Bernoulli
