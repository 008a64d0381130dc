# SPDX-License-Identifier: MIT
"""`torch.load` without `map_location` puts tensors on the device they were saved from.

The current device does not matter (which takes two GPUs to see), so every rank loads onto `cuda:0`.
"""
from _run import judge, program


def claim():
    seen = program("""
        import io
        import torch

        file = io.BytesIO()
        torch.save({"weight": torch.ones(4, device="cuda:0")}, file)
        torch.cuda.set_device(torch.cuda.device_count() - 1)

        def device(**options):
            file.seek(0)
            return str(torch.load(file, **options)["weight"].device)

        tell(current=torch.cuda.current_device(), plain=device(), mapped=device(map_location="cpu"))
        """)
    return seen["plain"] == "cuda:0" and seen["mapped"] == "cpu"


if __name__ == "__main__":
    judge(claim)
