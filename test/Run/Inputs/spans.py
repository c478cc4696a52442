# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reads a trace and says what is in it: for each line of the picture the names of its
# spans, how many there are, and where they were.
import collections
import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
spans = [event for event in events if event["ph"] == "X"]
tracks = {
    (event["pid"], event["tid"]): event["args"]["name"]
    for event in events
    if event["name"] == "thread_name"
}
for event in events:
    if event["name"] == "process_name":
        print("device", event["pid"], "is", event["args"]["name"])
counts = collections.Counter()
places = collections.defaultdict(set)
for span in spans:
    assert span["ts"] >= 0 and span["dur"] >= 0, span
    name = tracks[span["pid"], span["tid"]], span["name"].split("(")[0]
    counts[name] += 1
    places[name].add(span["args"].get("on", span["args"].get("to", "?")))
for track, name in sorted(counts):
    key = track, name
    print(f"{track}: {name}: {counts[key]} {' '.join(sorted(places[key]))}")

# On a stream one thing is done at a time.
for key, name in tracks.items():
    own = sorted(
        (s["ts"], s["ts"] + s["dur"]) for s in spans if (s["pid"], s["tid"]) == key
    )
    if "stream" in name:
        for (_, end), (begin, _) in zip(own, own[1:]):
            assert begin >= end - 1, (name, end, begin)
moves = [s for s in spans if s["name"] == "move"]
parks = [s for s in spans if s["name"] == "park"]
for move in moves:
    assert any(
        move["ts"] <= park["ts"] and park["ts"] + park["dur"] <= move["ts"] + move["dur"]
        for park in parks
    ), move
