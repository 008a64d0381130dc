# SPDX-License-Identifier: MIT
"""Runs the workloads of this folder under `vramlint validate`, with each allocator setting.

    python3 rules/evidence/article/run.py VRAMLINT [--runs N] [--steps N] [--results FOLDER] [WORKLOAD…]

Keeps `FOLDER/<workload>.json`; `page.py` makes the table and the drawings from them. Exit status: 0
everything ran, 1 otherwise.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
STRING = "PYTORCH_CUDA_ALLOC_CONF"

# The share of an H200 that is somewhat more than each program's tensors need.
FRACTIONS = {"resnet50_training": 0.05, "bert_finetuning": 0.05, "single_inference": 0.005,
             "inference_workers": 0.005}


def settings(workload):
    fraction = FRACTIONS[workload]
    return {
        "caching off": "PYTORCH_NO_CUDA_MEMORY_CACHING=1",
        "expandable segments": f"{STRING}=expandable_segments:True",
        "cudaMallocAsync": f"{STRING}=backend:cudaMallocAsync",
        "max_split_size_mb 128": f"{STRING}=max_split_size_mb:128",
        "gc threshold 0.8": f"{STRING}=garbage_collection_threshold:0.8",
        f"gc threshold 0.8, fraction {fraction}":
            f"{STRING}=garbage_collection_threshold:0.8,per_process_memory_fraction:{fraction}",
    }


def step_ms(run):
    for line in run["last_output"].splitlines():
        if line.startswith("@{"):
            return json.loads(line[1:])["step_ms"]
    return None


def middle(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def figures(runs):
    driver = [run["driver"] for run in runs if run["driver"]]
    return {
        "runs": len(runs),
        "ended": sorted({f"{run['ended']} {run['status']}" for run in runs}),
        "step_ms": [step_ms(run) for run in runs],
        "device_peak_bytes": [run["device_peak_bytes"] for run in runs],
        "tensors_peak_bytes": middle(sum(process.get("allocated_peak") or 0
                                         for process in run["processes"]) for run in runs),
        "driver_allocations": middle(each["allocations"] for each in driver),
        "pooled_allocations": middle(each["pooled"] for each in driver),
        "driver_seconds": middle(each["seconds"] for each in driver),
        "trace_bytes": middle(each["trace_bytes"] for each in driver),
        "last_error": runs[-1]["last_errors"].strip().splitlines()[-1:] if runs else [],
        "complaints": sorted({each for run in runs for each in run["complaints"]}),
    }


def measure(program, workload, options):
    command = [program, "validate", "--isolated", str(FOLDER / f"{workload}.py"), "--runs",
               str(options.runs), "--timeout", "90", "--interpreter", sys.executable,
               "--output-format", "json"]
    tried = settings(workload)
    for words in tried.values():
        command += ["--set", words]
    if options.steps:
        command += ["--", str(options.steps)]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        print(done.stderr)
        return None
    report = json.loads(done.stdout)
    names = ["default", *tried]
    variants = {}
    for name, variant in zip(names, report["variants"]):
        runs = [run for run in report["runs"] if run["variant"] == variant["letter"]]
        variants[name] = {"setting": " ".join(f"{key}={value}" for key, value in
                                              variant["settings"].items())} | figures(runs)
    return {"workload": workload, "machine": report["machine"], "notes": report["notes"],
            "variants": variants}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--results", type=pathlib.Path, default=FOLDER / "results")
    options = parser.parse_intermixed_args()
    for name in options.workloads:
        if name not in FRACTIONS:
            parser.error(f"no workload {name}; there are {', '.join(FRACTIONS)}")
    options.results.mkdir(parents=True, exist_ok=True)
    failed = False
    for workload in options.workloads or FRACTIONS:
        result = measure(options.program, workload, options)
        if result is None:
            failed = True
            continue
        text = json.dumps(result, indent=1, ensure_ascii=False)
        (options.results / f"{workload}.json").write_text(text + "\n")
        for name, each in result["variants"].items():
            print(workload, name, each["ended"], each["step_ms"], each["device_peak_bytes"],
                  each["driver_allocations"], each["last_error"] if each["ended"] != ["exit 0"] else "",
                  flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
