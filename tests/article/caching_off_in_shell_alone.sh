# The same, without the word that hands it on: the program never sees it.
PYTORCH_NO_CUDA_MEMORY_CACHING=1  # expect: error setting-not-exported
python train.py
