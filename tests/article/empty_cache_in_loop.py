# Claim: keeps memory low. In each step it only makes the next step ask the driver again.
import torch

model = torch.nn.Linear(8, 8).cuda()
loader = torch.utils.data.DataLoader(range(1000), batch_size=4)
for batch in loader:
    model(torch.randn(4, 8, device="cuda")).sum().backward()
    torch.cuda.empty_cache()  # expect: warning empty-cache-in-loop
