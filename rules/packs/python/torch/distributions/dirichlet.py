from torch.distributions import Dirichlet
