# SPDX-License-Identifier: MIT
"""Writes the table of `../README.md` and `results/<workload>.svg` from what `run.py` kept.

    python3 rules/evidence/article/page.py [--check]

With `--check` nothing is written, and the exit status is 1 when something would change.
"""
import html
import json
import pathlib
import statistics
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PAGE = FOLDER.parent / "README.md"
BEGIN, END = "<!-- made by article/page.py -->\n", "<!-- end -->\n"
TITLES = {
    "resnet50_training": "ResNet-50, training",
    "bert_finetuning": "BERT-base, fine-tuning",
    "inference_workers": "eight inference processes",
    "single_inference": "single inference",
}
COLUMNS = ["default", "caching off", "expandable segments", "cudaMallocAsync",
           "max_split_size_mb 128", "gc threshold 0.8", "gc threshold 0.8, fraction"]
MEMORY, TIME = "#2563eb", "#d9480f"


def results():
    for workload in TITLES:
        file = FOLDER / "results" / f"{workload}.json"
        yield workload, json.loads(file.read_text(encoding="utf-8"))


def column_of(name):
    return COLUMNS[-1] if name.startswith(COLUMNS[-1]) else name


def figures(variant):
    """Megabytes and milliseconds, nothing for what did not end well."""
    times = [time for time in variant["step_ms"] if time is not None]
    peaks = [peak for peak in variant["device_peak_bytes"] if peak is not None]
    if variant["ended"] != ["exit 0"] or not times or not peaks:
        return None
    return statistics.median(peaks) / 1e6, statistics.median(times)


def table(everything):
    lines = ["| workload | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for workload, result in everything:
        seen = {column_of(name): figures(each) for name, each in result["variants"].items()}
        cells = []
        for column in COLUMNS:
            found = seen.get(column)
            cells.append(f"{found[0]:.0f} MB, {found[1]:.1f} ms" if found
                         else "failed" if column in seen else "not run")
        lines.append(f"| {TITLES[workload]} | " + " | ".join(cells) + " |")
    machine = everything[0][1]["machine"]
    place = f"{machine['devices'][0]}, driver {machine['driver']}, PyTorch {machine['torch']}"
    drawings = [f"![{TITLES[workload]}](article/results/{workload}.svg)" for workload, _ in everything]
    return "\n".join([*lines, "", f"Seen on: {place}.", "", *drawings]) + "\n"


def bar(y, share, color, words):
    return (f'<rect x="190" y="{y}" width="{max(1, 360 * share):.1f}" height="9" fill="{color}"/>'
            f'<text x="{196 + 360 * share:.1f}" y="{y + 9}" font-size="10" fill="#666">'
            f"{html.escape(words)}</text>")


def drawing(workload, result):
    """Two bars for each setting: memory and time, each as a share of the largest."""
    rows = {column_of(name): figures(each) for name, each in result["variants"].items()}
    rows = {name: each for name, each in rows.items() if each}
    most_memory, most_time = (max(each[i] for each in rows.values()) for i in (0, 1))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {34 + 30 * len(rows)}" '
           f'role="img" font-family="sans-serif" font-size="12">',
           f'<text x="0" y="14" font-weight="600" fill="#888">{TITLES[workload]}</text>',
           f'<text x="190" y="14" fill="{MEMORY}">device memory, peak</text>',
           f'<text x="330" y="14" fill="{TIME}">a step</text>']
    for number, (name, (memory, time)) in enumerate(rows.items()):
        y = 26 + 30 * number
        out.append(f'<text x="182" y="{y + 14}" text-anchor="end" fill="#888">{name}</text>')
        out.append(bar(y, memory / most_memory, MEMORY, f"{memory:.0f} MB"))
        out.append(bar(y + 11, time / most_time, TIME, f"{time:.1f} ms"))
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    everything = list(results())
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    wanted = {PAGE: before + BEGIN + table(everything) + END + after}
    for workload, result in everything:
        wanted[FOLDER / "results" / f"{workload}.svg"] = drawing(workload, result)
    changed = [file for file, text in wanted.items()
               if not file.exists() or file.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv[1:]:
        for file in changed:
            print(f"{file.name} is not what the results say; run page.py")
        return 1 if changed else 0
    for file in changed:
        file.write_text(wanted[file], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
