# SPDX-License-Identifier: MIT


def relu(value):
    return value


softmax = cross_entropy = mse_loss = lambda value, *_args, **_kwargs: value
