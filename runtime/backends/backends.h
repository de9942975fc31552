/* runtime/backends: the devices there are, each a struct backend (core/backend.h).
 *
 *     cpu.c     host memory and the kernels of kernels/
 *     sim.c     simulated cuda, on any machine: its memory is separate from the host's (the address
 *               a user sees is a page that faults) and it runs the CPU's kernels, while ops/ holds
 *               it to every rule about devices
 *     load.c    finds and opens the module for NVIDIA GPUs, which cuda/ builds
 *     device.c  which backend is behind which mc_device */
#ifndef RUNTIME_BACKENDS_H
#define RUNTIME_BACKENDS_H

#include "runtime/core/backend.h"

/* Constant, except for backends_change. */
extern struct backend cpu_backend, sim_backend;

/* The backend of the module miscast-cuda, which is loaded on the first call; NULL: *why says what
 * is missing. (load.c) */
const struct backend *cuda_backend(const char **why);

/* Has every backend changed by the function, which may replace its functions and kernels, also
 * those that are loaded later. Before the first storage exists. */
void backends_change(void (*change)(struct backend *b));

/* Why there is no cuda device, in one line; NULL: there is one. */
const char *cuda_missing(void);
/* Errors of any device since the last call, in one line; NULL: none. */
const char *backend_trouble(void);
/* The backend behind a device; NULL if there is no such device. */
const struct backend *backend_of(mc_device device);

#endif
