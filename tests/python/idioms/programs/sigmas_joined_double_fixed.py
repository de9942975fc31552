from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class SchedulerOutput:
    prev_sample: torch.FloatTensor


class LMSDiscreteScheduler:
    def __init__(self, num_train_timesteps=1000, beta_start=0.00085, beta_end=0.012):
        self.num_train_timesteps = num_train_timesteps
        self.betas = torch.linspace(beta_start**0.5, beta_end**0.5, num_train_timesteps, dtype=torch.float32) ** 2
        self.alphas = 1.0 - self.betas
        self.alphas_cumprod = torch.cumprod(self.alphas, dim=0)
        self.init_noise_sigma = 1.0
        self.derivatives = []

    def set_timesteps(self, num_inference_steps, device=None):
        self.num_inference_steps = num_inference_steps
        timesteps = np.linspace(0, self.num_train_timesteps - 1, num_inference_steps, dtype=float)[::-1].copy()
        sigmas = np.array(((1 - self.alphas_cumprod) / self.alphas_cumprod) ** 0.5)
        sigmas = np.interp(timesteps, np.arange(0, len(sigmas)), sigmas)
        sigmas = np.concatenate([sigmas, [0.0]]).astype(np.float32)
        self.sigmas = torch.from_numpy(sigmas).to(device=device)
        self.timesteps = torch.from_numpy(timesteps).to(device=device)
        self.derivatives = []

    def scale_model_input(self, sample, index):
        sigma = self.sigmas[index : index + 1]
        return sample / ((sigma**2 + 1) ** 0.5)

    def step(self, model_output, index, sample, order=4):
        sigma = self.sigmas[index]
        pred_original_sample = sample - sigma * model_output
        derivative = (sample - pred_original_sample) / sigma
        self.derivatives.append(derivative)
        if len(self.derivatives) > order:
            self.derivatives.pop(0)
        dt = self.sigmas[index + 1] - sigma
        return SchedulerOutput(prev_sample=sample + derivative * dt)


class UNet(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.time = nn.Linear(1, channels)
        self.conv_in = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, sample, timestep):
        emb = self.time(timestep.reshape(1, 1).to(self.time.weight.dtype))
        return self.conv_in(sample) + emb[:, :, None, None]


@torch.no_grad()
def pipeline(unet, scheduler, steps=5):
    latents = torch.randn(1, 4, 8, 8) * scheduler.init_noise_sigma
    scheduler.set_timesteps(steps)
    for i, t in enumerate(scheduler.timesteps):
        latent_model_input = scheduler.scale_model_input(latents, i)
        noise_pred = unet(latent_model_input, t)
        latents = scheduler.step(noise_pred, i, latents).prev_sample
    return latents


print(pipeline(UNet(), LMSDiscreteScheduler()).mean())
