import torch
import torch.nn.functional as F
from torch.distributions import Categorical, Dirichlet, Exponential, Gamma, Independent, Laplace, MultivariateNormal
from torch.distributions import OneHotCategorical, Poisson
from torch.distributions.kl import kl_divergence
from torch.distributions.normal import Normal

f = torch.ones(3)
d = torch.ones(3, dtype=torch.float64)
counts = torch.tensor([1, 2, 3])
reveal_type(Categorical(counts).sample())  # int64
reveal_type(Categorical(probs=counts).entropy())  # float32
reveal_type(Categorical(logits=d).log_prob(torch.tensor(1)))  # float64
reveal_type(OneHotCategorical(d).sample())  # float64
reveal_type(Laplace(f, d).rsample())  # float64
reveal_type(Gamma(d, d).sample())  # float64
reveal_type(Exponential(d).rsample())  # float64
reveal_type(Poisson(f).sample())  # float32
reveal_type(Dirichlet(d).rsample())  # float64
reveal_type(Dirichlet(f).log_prob(f / 3))  # float32
reveal_type(MultivariateNormal(f, torch.eye(3)).sample())  # float32
reveal_type(MultivariateNormal(d, scale_tril=torch.eye(3).double()).log_prob(d))  # float64
reveal_type(Independent(Normal(d, d), 1).log_prob(d))  # float64
reveal_type(kl_divergence(Normal(f, f), Normal(d, d)))  # float64
reveal_type(F.cosine_embedding_loss(torch.ones(2, 3), torch.ones(2, 3), torch.ones(2)))  # float32
reveal_type(F.multilabel_soft_margin_loss(torch.ones(2, 3).double(), torch.ones(2, 3)))  # float64
reveal_type(torch.bincount(counts, weights=f))  # float32
reveal_type(torch.bincount(counts, weights=counts))  # float64
reveal_type(torch.kron(f, d))  # float64
reveal_type(torch.linalg.matrix_power(torch.eye(2), 3))  # float32
reveal_type(torch.searchsorted(f, d, out_int32=True))  # int32
reveal_type(torch.linalg.lstsq(torch.eye(3), torch.ones(3, 1)).solution)  # float32
reveal_type(torch.einsum("i,j->ij", counts, d))  # float64
