# SPDX-License-Identifier: MIT
"""Runs the experiments of this folder, all or those named, and keeps what they saw in `results/`.

    python3 rules/evidence/run.py [--jobs N] [--seconds S] [--no-results] [CLAIM…]

Exit status: 0 every claim holds, 1 one is refuted, 2 none is refuted but one could not be judged.
"""
import argparse
import ast
import concurrent.futures
import datetime
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parent
VERDICTS = {0: "holds", 1: "refuted"}

MACHINE = """
import ctypes, json, torch
driver = None
try:
    management = ctypes.CDLL("libnvidia-ml.so.1")
    text = ctypes.create_string_buffer(96)
    if management.nvmlInit_v2() == 0 and management.nvmlSystemGetDriverVersion(text, 96) == 0:
        driver = text.value.decode()
except OSError:
    pass
there = torch.cuda.is_available()
print(json.dumps({
    "torch": torch.__version__, "cuda": torch.version.cuda, "driver": driver,
    "device": torch.cuda.get_device_name() if there else None,
    "devices": torch.cuda.device_count()}))
"""


def machine():
    """What a result says of the place where it was seen."""
    run = subprocess.run([sys.executable, "-c", MACHINE], capture_output=True, text=True)
    there = json.loads(run.stdout) if run.returncode == 0 else {}
    return {name: there.get(name) for name in ("torch", "cuda", "driver", "device", "devices")} | {
        "platform": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat()}


def described(file):
    """The first line of an experiment's docstring, and whether nothing else may run beside it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    alone = any(isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ALONE"
                for node in tree.body)
    return ast.get_docstring(tree).splitlines()[0], alone


def run(file, says, seconds):
    """Runs one experiment under a time limit."""
    begin = time.monotonic()
    process = subprocess.Popen([sys.executable, str(file)], stdin=subprocess.DEVNULL, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)  # so that it can end the program that it runs
        try:
            out, err = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        status, out = 2, f"saw: not done after {seconds} seconds"
    saw = [line[len("saw: "):] for line in out.splitlines() if line.startswith("saw: ")]
    return {"claim": file.stem, "says": says, "verdict": VERDICTS.get(status, "unjudged"),
            "seconds": round(time.monotonic() - begin, 1), "saw": saw[-1] if saw else ""}, err


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claims", nargs="*", metavar="CLAIM",
                        help="names, with or without .py; default: all")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1),
                        help="how many run side by side; those with ALONE never do")
    parser.add_argument("--seconds", type=float, default=90, help="time limit for each")
    parser.add_argument("--no-results", action="store_true", help="leave results/ as it is")
    options = parser.parse_args()

    everything = {file.stem: file for file in sorted(FOLDER.glob("*.py"))
                  if file.stem not in ("run", "_run")}
    names = [pathlib.Path(name).stem for name in options.claims] or list(everything)
    unknown = [name for name in names if name not in everything]
    if unknown:
        parser.error("no such claim: " + ", ".join(unknown))

    here = machine()
    (FOLDER / "results").mkdir(exist_ok=True)
    verdicts = []

    def one(name):
        result, err = run(everything[name], descriptions[name][0], options.seconds)
        lines = [f"{result['verdict']:9}{result['seconds']:6.1f} s  {name}", result["saw"]]
        if result["verdict"] != "holds":
            lines += [line for line in err.splitlines() if line.strip()][-25:]
        print(f"\n{'':20}".join(lines), flush=True)
        verdicts.append(result["verdict"])
        # What could not be judged here leaves a verdict from elsewhere alone.
        if result["verdict"] != "unjudged" and not options.no_results:
            text = json.dumps(result | here, indent=2, ensure_ascii=False) + "\n"
            (FOLDER / "results" / f"{name}.json").write_text(text, encoding="utf-8")

    descriptions = {name: described(everything[name]) for name in names}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, [name for name in names if not descriptions[name][1]]))
    for name in names:
        if descriptions[name][1]:
            one(name)
    count = {verdict: verdicts.count(verdict) for verdict in ("holds", "refuted", "unjudged")}
    print(", ".join(f"{number} {verdict}" for verdict, number in count.items()))
    return 1 if count["refuted"] else 2 if count["unjudged"] else 0


if __name__ == "__main__":
    sys.exit(main())
