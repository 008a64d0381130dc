#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the sdist and a wheel for each system in build/wheels, and looks into each program.

The programs are built from the sdist by zig, which carries the C libraries of other systems. What
this machine can start, with an emulator where it has one, is run on examples/; of the rest the
report says that it was not run. `./dev wheels [PART OF A TARGET'S NAME…]` calls this.
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import typing
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "wheels"
TOOLS = ["build==1.6.1", "scikit-build-core==1.1.2", "wheel==0.48.0", "ziglang==0.17.1"]
NEWEST_GLIBC = (2, 17)  # manylinux2014
SYSTEM_LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|ld-linux-[a-z0-9-]+)\.so\.\d")
ARM_LIBRARIES = "/usr/aarch64-linux-gnu"


class Target(typing.NamedTuple):
    """A system: zig's name for it, the wheel's tag, and what runs its programs here."""

    name: str
    tag: str
    runner: typing.Optional[typing.List[str]]


TARGETS = [
    Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64", []),
    Target(
        "aarch64-linux-gnu.2.17",
        "manylinux_2_17_aarch64.manylinux2014_aarch64",
        ["qemu-aarch64", "-L", ARM_LIBRARIES],
    ),
    Target("aarch64-macos.11.0", "macosx_11_0_arm64", None),
    Target("x86_64-macos.11.0", "macosx_11_0_x86_64", None),
    Target("x86_64-windows-gnu", "win_amd64", ["wine"]),
]


def call(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def output_of(*command):
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def install_tools():
    """The pinned tools, in an environment of their own; gives its Python."""
    python = OUT / "tools" / "bin" / "python"
    if not python.exists():
        call(sys.executable, "-m", "venv", OUT / "tools")
    call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS)
    return python


def make_sdist(python):
    """Gives the folder of its unpacked sources."""
    call(python, "-m", "build", "--sdist", "--no-isolation", "--outdir", OUT, ROOT,
         stdout=subprocess.DEVNULL)
    sdist = max(OUT.glob("vramlint-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    shutil.rmtree(OUT / "source", ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(OUT / "source")
    (sources,) = (OUT / "source").iterdir()
    report(sdist, "sources")
    return sources


def build_program(python, sources, compiler, target):
    """Kept between calls, so that only what changed is compiled again."""
    zig = output_of(python, "-c", "import ziglang; print(ziglang.__path__[0])").strip() + "/zig"
    folder = OUT / target.name
    call("cmake", "-S", sources, "-B", folder, "-G", "Ninja", "--log-level=WARNING",
         "-DCMAKE_BUILD_TYPE=Release", "-DVRAMLINT_TESTS=OFF",
         f"-DCMAKE_TOOLCHAIN_FILE={sources}/cmake/zig.cmake", f"-DZIG={zig}",
         f"-DVRAMLINT_TARGET={target.name}", f"-DVRAMLINT_KNOWLEDGE_COMPILER={compiler}",
         stdout=subprocess.DEVNULL)
    built = subprocess.run(["cmake", "--build", folder, "--target", "vramlint"],
                           capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(f"wheels: {target.name}: {built.stdout[-4000:]}{built.stderr}")
    return folder / ("vramlint.exe" if "windows" in target.name else "vramlint")


def pack(python, sources, target, program):
    """Gives the wheel around a program, with the tag of its system."""
    folder = OUT / "packed"
    shutil.rmtree(folder, ignore_errors=True)
    settings = [f"--config-settings=cmake.define.VRAMLINT_PROGRAM={program}",
                f"--config-settings=build-dir={OUT}/packing"]
    if "windows" in target.name:
        # The C run-time library that is linked in; those of the other systems stay outside.
        (terms,) = OUT.glob("tools/lib/python*/site-packages/ziglang/lib/libc/mingw/COPYING")
        settings.append(f"--config-settings=cmake.define.VRAMLINT_RUNTIME_LICENSES={terms}")
    shutil.rmtree(OUT / "packing", ignore_errors=True)
    call(python, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--no-build-isolation", "--wheel-dir", folder, *settings, sources)
    (wheel,) = folder.iterdir()
    call(python, "-m", "wheel", "tags", "--remove", "--platform-tag", target.tag, wheel,
         stdout=subprocess.DEVNULL)
    (wheel,) = folder.iterdir()
    return wheel.replace(OUT / wheel.name)


def elf_needs(program):
    """What a Linux program asks of the system; stops when that is more than manylinux2014 has."""
    libraries = re.findall(r"NEEDED.*\[(.+)\]", output_of("readelf", "-dW", program))
    strange = [library for library in libraries if not SYSTEM_LIBRARIES.fullmatch(library)]
    versions = set(re.findall(r"\bGLIBC_(\d+)\.(\d+)", output_of("readelf", "-VW", program)))
    newest = max((int(major), int(minor)) for major, minor in versions)
    if strange or newest > NEWEST_GLIBC:
        sys.exit(f"wheels: {program} needs {strange}, glibc {newest}")
    return f"glibc {newest[0]}.{newest[1]} or newer"


def kind_of(program):
    """The system that a program's own header names."""
    head = program.read_bytes()[:4096]
    if head[:4] == b"\x7fELF":
        machine = {62: "x86-64", 183: "aarch64"}[struct.unpack_from("<H", head, 18)[0]]
        return f"ELF {machine}, {elf_needs(program)}"
    if head[:4] == b"\xcf\xfa\xed\xfe":
        machine = {0x01000007: "x86-64", 0x0100000C: "arm64"}
        return f"Mach-O {machine[struct.unpack_from('<I', head, 4)[0]]}"
    at = struct.unpack_from("<I", head, 0x3C)[0]
    if head[:2] == b"MZ" and head[at : at + 4] == b"PE\0\0":
        return f"PE {({0x8664: 'x86-64'})[struct.unpack_from('<H', head, at + 4)[0]]}"
    sys.exit(f"wheels: {program} is no program")


def try_out(target, program, version):
    """Runs the program on examples/ where that is possible, and says whether it was."""
    runner = target.runner
    if runner is None or (runner and not shutil.which(runner[0])):
        return "built, NOT RUN"
    if ARM_LIBRARIES in runner and not pathlib.Path(ARM_LIBRARIES).exists():
        return "built, NOT RUN"
    environment = {**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": str(OUT / "wine")}
    words = [*runner, str(program)]
    told = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True,
                          env=environment).stdout
    found = subprocess.run([*words, "check", "--output-format", "concise", "examples"], cwd=ROOT,
                           capture_output=True, text=True, env=environment)
    found_it = found.returncode == 1 and "VRL101" in found.stdout
    if told.strip() != f"vramlint {version}" or not found_it:
        sys.exit(f"wheels: {program} does not work: {told}{found.stdout}{found.stderr}")
    return "run with " + runner[0] if runner else "run"


def report(file, *words):
    print(f"{file.name}: {file.stat().st_size / 1e6:.2f} MB, {', '.join(words)}", flush=True)


def main():
    compiler, *wanted = sys.argv[1:]
    OUT.mkdir(parents=True, exist_ok=True)
    python = install_tools()
    sources = make_sdist(python)
    version = sources.name.partition("-")[2]
    for target in TARGETS:
        if wanted and not any(part in target.name for part in wanted):
            continue
        program = build_program(python, sources, compiler, target)
        wheel = pack(python, sources, target, program)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(OUT / "unpacked" / target.name)
        (packed,) = (OUT / "unpacked" / target.name).glob("*.data/scripts/*")
        packed.chmod(0o755)
        report(wheel, kind_of(packed), try_out(target, packed, version))


if __name__ == "__main__":
    main()
