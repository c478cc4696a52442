# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was found, as a page in the form of docs/results and as lines."""

import collections

import programs


def count(items, key):
    return collections.Counter(item[key] for item in items)


def names(items):
    return ", ".join(item["name"] for item in items)


def verdicts(device, found):
    """(line, whether it is good) for each part."""
    if "conformance" in found:
        items = found["conformance"]
        kinds = count(items, "verdict")
        bad = [item for item in items if item["verdict"] not in ("pass", "skip")]
        text = f"conformance on {device}: {kinds['pass']} of {len(items)} pass, {kinds['skip']} skipped, " \
               f"{kinds['differs']} differ from the host"
        yield text + (f"; not: {names(bad)}" if bad else ""), bool(items) and not bad
    if "random" in found:
        total = sum(item["programs"] for item in found["random"])
        wrong = {seed: what for item in found["random"] for seed, what in item["wrong"].items()}
        text = f"random programs on {device}: {total - len(wrong)} of {total} equal the host's"
        detail = ", ".join(f"{seed} {what}" for seed, what in wrong.items())
        yield text + (f"; {detail}" if wrong else ""), total > 0 and not wrong
    if "math" in found:
        math = found["math"]
        text = f"--het-math=native on {device}: {len(math['rows'])} functions"
        yield text + (" within CUDA's errors" if math["good"] else ": " + " ".join(math["output"].split())), math["good"]
    if "benchmark" in found:
        error = found["benchmark"].get("error")
        rows = found["benchmark"].get("rows", [])
        yield (f"benchmark on {device}: " + (error or f"{len(rows)} numbers")), bool(rows)
    if "programs" in found:
        items = found["programs"]
        bad = [item for item in items if item["status"] != "pass"]
        text = f"programs on {device}: {len(items) - len(bad)} of {len(items)} pass"
        yield text + (f"; not: {names(bad)}" if bad else ""), bool(items) and not bad


def number(value):
    return f"{value:.4g}"


def benchmarkTable(benchmark):
    if "error" in benchmark:
        return [f"Not measured: {benchmark['error']}", ""]
    rival = benchmark["rival"]
    lines = ["Medians" + (f", in turn with the same source by `{rival}`." if rival else "."), ""]
    if not rival:
        lines += ["| | hetcc |", "|---|---:|"]
        lines += [f"| {row['what']} | {number(row['ours'])} {row['unit']} |" for row in benchmark["rows"]]
        return lines + [""]
    lines += ["| | hetcc | nvcc | nvcc / hetcc |", "|---|---:|---:|---:|"]
    for row in benchmark["rows"]:
        other = row["nvcc"]
        quotient = f"{other / row['ours']:.2f}" if other and row["ours"] else ""
        lines.append(f"| {row['what']} | {number(row['ours'])} {row['unit']} | "
                     f"{number(other) + ' ' + row['unit'] if other else ''} | {quotient} |")
    return lines + [""]


def programsTable(items):
    timed = [item for item in items if item["ratio"]]
    lines = [f"{sum(item['status'] == 'pass' for item in items)} of {len(items)} programs pass."]
    if timed:
        ratios = [item["ratio"] for item in timed]
        lines += [f"nvcc's times / ours, where both print times: geometric mean {programs.geometricMean(ratios):.2f}, "
                  f"worst {min(ratios):.2f}.", "", "| program | ratio |", "|---|---:|"]
        lines += [f"| {item['name']} | {item['ratio']:.2f} |" for item in timed]
    return lines + [""]


def failures(found):
    lines = []
    for item in found.get("conformance", []):
        if item["verdict"] not in ("pass", "skip"):
            lines += [f"### {item['name']}: {item['verdict']}", "", "```", item["output"].strip(), "```", ""]
    return ["## What failed", "", *lines] if lines else []


def page(manifest, results):
    lines = []
    for device, found in results:
        lines += [f"# {device.get('description') or device['name']}", "",
                  f"{manifest['producer']}, on `{device['name']}`.", "", "## Correctness", "", "| |", "|---|"]
        lines += [f"| {text} |" for text, _ in verdicts(device["name"], found)] + [""]
        if found.get("math", {}).get("rows"):
            lines += ["## Errors of `--het-math=native`", "", "| function | ULP |", "|---|---:|"]
            lines += [f"| {row['what']} | {row['ulp']:.2f} |" for row in found["math"]["rows"]] + [""]
        if "benchmark" in found:
            lines += ["## Times", "", *benchmarkTable(found["benchmark"])]
        if found.get("programs"):
            lines += ["## Programs", "", *programsTable(found["programs"])]
        lines += failures(found)
    return "\n".join(lines).rstrip() + "\n"
