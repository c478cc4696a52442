# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# random_moves.py PROGRAM HETRUN PARKS[:TARGET] DEVICE...: runs the program again and again
# while its device is moved, among DEVICEs (HET_DEVICES' names; "spirv:0/16": with
# sub-groups of 16), at times, with numbers of threads and with distances between polls
# (HET_RANDOM_POLLS) that are drawn at random, until so many moves (from or to TARGET's
# devices) have parked blocks inside. Each run has to print what the first one printed,
# undisturbed on the first device.

import os
import random
import re
import subprocess
import sys

PARKED = re.compile(r"device 0: (\S+) -> (\S+): .* ([0-9]+) blocks parked")


FEWEST_RUNS = 12  # as different as they are drawn; fewer where few parks are asked for


def main():
    program, hetrun, devices = sys.argv[1], sys.argv[2], sys.argv[4:]
    number, _, target = sys.argv[3].partition(":")
    wanted = int(number)
    fewest = min(FEWEST_RUNS, wanted // 5)
    seed = int(os.environ.get("HET_RANDOM_SEED", "1"))
    rng = random.Random(seed)
    much = os.environ.get("HET_RANDOM_MUCH", "60")
    polls = os.environ.get("HET_RANDOM_POLLS", "0,50,2000").split(",")

    def run(environment, *before):
        done = subprocess.run([*before, program, much], capture_output=True, text=True, timeout=300,
                              env={**os.environ, "HET_LOG": "info", **environment})
        if done.returncode:
            sys.exit("error: %s %s: exit code %d: %s" % (before, environment, done.returncode,
                                                         (done.stdout + done.stderr)[-2000:]))
        return done

    expected = run({"HET_DEVICES": devices[0].split("/")[0]}).stdout
    print(expected)
    parks, moves, runs, ways = 0, 0, 0, {}
    while parks < wanted or runs < fewest:
        others = rng.sample(devices, rng.randint(1, min(2, len(devices))))
        places = [rng.choice(devices), *others]
        # A chip or a GPU is opened once.
        places = [place for i, place in enumerate(places)
                  if not place.startswith(("tensix:", "ptx:")) or place not in places[i + 1:]]
        if len(places) == 1:
            places.append("host")
        lanes = [place.split("/")[1] for place in places if "/" in place]
        plan = ",".join(place.split("/")[0] for place in places)
        environment = {
            "HET_HOST_THREADS": rng.choice(["1", "2", "16"]),
            "HET_POLL_INTERVAL": rng.choice(polls),
        }
        if lanes:
            environment["HET_SPIRV_SUBGROUP"] = rng.choice(lanes)
        time = "%dus" % int(10 ** rng.uniform(2.6, 3.6))
        home = plan.split(",")[0]
        done = run(environment, hetrun, "--devices=" + home, "--hop=%s:%s" % (time, plan))
        if done.stdout != expected:
            sys.exit("error: --hop=%s:%s, %s: found\n%s\nexpected\n%s" % (time, plan, environment,
                                                                         done.stdout, expected))
        runs += 1
        for source, destination, blocks in PARKED.findall(done.stderr):
            moves += 1
            if int(blocks):
                parks += not target or target + ":" in source + " " + destination
                way = source.split("#")[0] + " -> " + destination.split("#")[0]
                ways[way] = ways.get(way, 0) + 1
        if runs == 20 + wanted:
            sys.exit("error: %d runs parked blocks %d times only" % (runs, parks))
    print("%d runs, %d moves, %d of them with blocks parked inside" % (runs, moves, parks))
    for way, count in sorted(ways.items()):
        print("%s: %d" % (way, count))


main()
