# Claim: cures an out-of-memory error. It may need more memory, not less.
import torch

model = torch.nn.Conv2d(3, 8, 3).cuda()
try:
    model(torch.randn(64, 3, 512, 512, device="cuda"))
except torch.cuda.OutOfMemoryError:
    torch.backends.cudnn.benchmark = True  # expect: note remedy-takes-more-memory
