#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renders the results of a run as the tables of bench/README.md, between the lines that mark them.

    table.py RESULTS.json              prints the tables
    table.py RESULTS.json --write      rewrites bench/README.md
"""
import argparse
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


def quantity(value, unit):
    if unit == "ns":
        for unit in ("ns", "µs", "ms", "s"):
            if value < 1000 or unit == "s":
                break
            value /= 1000
    return f"{value:.3g} {unit}"


def verdict(target, result):
    """(what was measured, what is wanted, whether it was reached), or None where there is nothing to compare."""
    ours = result["ours"]["median"]
    peer = target.get("peer")
    if peer is not None and peer not in result["ratio"]:
        return ("not built", "", None) if peer in result["not_built"] else None
    if target.get("beyond"):
        more = ours - result["peers"][peer]["median"]
        return f"{more:.1f} ns beyond {peer}", f"≤ {target['ns']} ns", more <= target["ns"]
    if "ratio" in target:
        ratio = result["ratio"][peer]
        return f"{ratio:.2f} × {peer}", f"≥ {target['ratio']} ×", ratio >= target["ratio"]
    if "value" in target:
        return quantity(ours, result["unit"]), f"≤ {target['value']}", ours <= target["value"]
    return quantity(ours, "ns"), f"≤ {quantity(target['ns'], 'ns')}", ours <= target["ns"]


def target_rows(targets, results):
    for target in targets:
        for result in results:
            if re.search(target["cases"], result["name"]):
                found = verdict(target, result)
                if found:
                    yield target["row"], result["name"], *found


def target_table(targets, results):
    rows = list(target_rows(targets, results))
    reached = sum(1 for row in rows if row[4])
    known = sum(1 for row in rows if row[4] is not None)
    lines = [f"{reached} of {known} comparisons reach their target.", "",
             "| row | case | measured | target | |", "|---|---|---|---|---|"]
    before = None
    for row, name, measured, wanted, good in rows:
        mark = {True: "reached", False: "**missed**", None: ""}[good]
        lines.append(f"| {row if row != before else ''} | {name} | {measured} | {wanted} | {mark} |")
        before = row
    return lines


def full_table(results):
    lines = ["| case | shape | ours (quartiles) | how many times better than |", "|---|---|---|---|"]
    for result in results:
        ours, unit = result["ours"], result["unit"]
        peers = [f"{peer} {ratio:.2f}" for peer, ratio in result["ratio"].items()]
        peers += [f"{peer} not built" for peer in result["not_built"]]
        lines.append(
            f"| {result['name']} | {result['shape']} | {quantity(ours['median'], unit)} "
            f"({quantity(ours['p25'], unit)}–{quantity(ours['p75'], unit)}) | {', '.join(peers)} |"
        )
    return lines


def machine_lines(machine, name):
    peers = "; ".join(f"{peer}: {text}" for peer, text in machine["peers"].items())
    return [
        f"From `results/{name}`: {machine['processor']}, {machine['processors']} processors, "
        f"{', '.join(machine['caches'])}, {machine['isa_level']}, governor {machine['governor']}, {machine['kernel']}, "
        f"huge pages {machine['huge_pages']}; {machine['threads']} threads, seed {machine['seed']}; load average "
        f"{machine['load_average_before']:.1f} before and {machine['load_average_after']:.1f} after.",
        "",
        f"Peers: {peers}.",
    ]


def render(document, targets, name):
    results = document["results"]
    return "\n".join(
        machine_lines(document["machine"], name) + ["", "### Targets", ""] + target_table(targets, results)
        + ["", "### All rows", ""] + full_table(results)
    )


def replace_between(text, rendered):
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise SystemExit(f"bench/README.md: wanted the lines '{BEGIN}' and '{END}'")
    return text[: begin + len(BEGIN)] + "\n" + rendered + "\n" + text[end:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    document = json.loads(arguments.results.read_text())
    targets = json.loads((HERE / "targets.json").read_text())["targets"]
    rendered = render(document, targets, arguments.results.name)
    if arguments.write:
        readme = HERE / "README.md"
        readme.write_text(replace_between(readme.read_text(), rendered))
    else:
        print(rendered)


if __name__ == "__main__":
    sys.exit(main())
