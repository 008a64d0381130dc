# SPDX-License-Identifier: MIT
"""Under a pluggable allocator in use `memory_allocated()` raises and `empty_cache()` passes."""
import shutil

from _run import judge, needs, program


def claim():
    compiler = shutil.which("cc") or shutil.which("gcc")
    needs(compiler, "no C compiler")
    seen = program("""
        import os, subprocess
        import torch

        with open("allocator.c", "w") as file:
            file.write('''
                #include <dlfcn.h>
                #include <stddef.h>
                static void *driver(const char *name) {
                  return dlsym(dlopen("libcuda.so.1", RTLD_LAZY), name);
                }
                void *take(ptrdiff_t size, int device, void *stream) {
                  unsigned long long at = 0;
                  ((int (*)(unsigned long long *, size_t))driver("cuMemAlloc_v2"))(&at, size);
                  return (void *)at;
                }
                void give(void *at, ptrdiff_t size, int device, void *stream) {
                  ((int (*)(unsigned long long))driver("cuMemFree_v2"))((unsigned long long)at);
                }''')
        command = ["COMPILER", "-shared", "-fPIC", "-o", "allocator.so", "allocator.c", "-ldl"]
        subprocess.run(command, check=True)
        library = os.path.abspath("allocator.so")
        allocator = torch.cuda.memory.CUDAPluggableAllocator(library, "take", "give")
        torch.cuda.memory.change_current_allocator(allocator)
        tell(sum=torch.ones(4, device="cuda").sum().item())
        torch.cuda.empty_cache()
        tell(empty_cache="passes")
        torch.cuda.memory_allocated()
        """.replace("COMPILER", compiler))
    return (seen["sum"] == 4 and seen["empty_cache"] == "passes"
            and seen.fails_with("CUDAPluggableAllocator does not yet support getDeviceStats"))


if __name__ == "__main__":
    judge(claim)
