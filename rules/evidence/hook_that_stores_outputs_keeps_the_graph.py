# SPDX-License-Identifier: MIT
"""A forward hook that stores outputs keeps the activations of every step."""
from _run import judge, program


def claim():
    seen = program("""
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024)).cuda()
        x = torch.randn(1024, 1024, device="cuda")

        def grown():
            model(x).mean().backward()
            before = torch.cuda.memory_allocated()
            for _ in range(10):
                model(x).mean().backward()
            return (torch.cuda.memory_allocated() - before) // 10

        without = grown()
        features = []
        model[1].register_forward_hook(lambda module, inputs, output: features.append(output))
        tell(bytes_per_step_without=without, bytes_per_step=grown(),
             output_bytes=features[0].nbytes)
        """)
    return seen["bytes_per_step_without"] == 0 and seen["bytes_per_step"] >= seen["output_bytes"]


if __name__ == "__main__":
    judge(claim)
