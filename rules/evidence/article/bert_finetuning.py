# SPDX-License-Identifier: MIT
"""BERT-base for two classes, batches of 16 texts of 64 to 384 words, AdamW."""
import random
import sys

import torch
from timing import tell, timed
from transformers import BertConfig, BertForSequenceClassification

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 40

torch.manual_seed(0)
lengths = random.Random(0)
model = BertForSequenceClassification(BertConfig()).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)


def step(_):
    words = torch.randint(30522, (16, lengths.randrange(64, 385)), device="cuda")
    labels = torch.randint(2, (16,), device="cuda")
    optimizer.zero_grad()
    model(words, labels=labels).loss.backward()
    optimizer.step()


tell(timed(step, 8, STEPS))
