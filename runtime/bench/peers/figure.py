"""The one figure of figure.json, and how an engine is timed on it, for the engines that are driven from Python."""

import argparse
import json
import math
import pathlib
import statistics
import time

FIGURE = json.loads((pathlib.Path(__file__).parent / "figure.json").read_text())
BODIES, JOINTS = FIGURE["bodies"], FIGURE["joints"]
STEP_SECS = 1 / FIGURE["step_hz"]
# As in src/walk.rs.
BOW_STEPS, BOWS = 120, 8


def middle(body):
    """Where a body is in the world at rest (m)."""
    return [(a + b) / 2 for a, b in zip(body["from"], body["to"])]


def length(body):
    """Length of a body's axis (m)."""
    return math.dist(body["from"], body["to"])


def is_upright(body):
    """Whether a body's axis is upright rather than along X."""
    return abs(body["to"][1] - body["from"][1]) > abs(body["to"][0] - body["from"][0])


def place(index, count):
    """Where the figure of an index of a crowd stands (m)."""
    side = math.ceil(math.sqrt(count))
    return [index % side * FIGURE["spacing"], 0, index // side * FIGURE["spacing"]]


def bow(seconds):
    """How far the chest shall bow about X at a time (rad)."""
    return FIGURE["bow"]["angle"] * math.sin(2 * math.pi * FIGURE["bow"]["hz"] * seconds)


def times(a, b):
    """Product of two quaternions (x, y, z, w)."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def gap(turns, seconds):
    """Mean angle (rad) between where the joints are and where they shall be, from the bodies' turns (x, y, z, w) in the world."""
    total = 0
    for index, joint in enumerate(JOINTS):
        px, py, pz, pw = turns[joint["parent"]]
        x, y, z, w = times((-px, -py, -pz, pw), turns[joint["child"]])
        if index == FIGURE["bow"]["joint"]:
            angle = -bow(seconds)
            x, y, z, w = times((math.sin(angle / 2), 0, 0, math.cos(angle / 2)), (x, y, z, w))
        total += 2 * math.atan2(math.hypot(x, y, z), abs(w))
    return total / len(JOINTS)


def options():
    """Numbers of figures and repeats, as the program in Rust takes them."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--counts", default="1,32", type=lambda text: [int(count) for count in text.split(",")])
    asked.add_argument("--repeats", type=int, default=5)
    return asked.parse_args()


def measure(engine, setting, version, make, asked):
    """Times an engine at a setting with every number of figures, and prints the lines that the program in Rust prints.

    `make(count)` answers aim(seconds), step(), and quality() with the height of each pelvis (m) and the turns of each figure's bodies.
    """
    for count in asked.counts:
        aim, step, quality = make(count)
        done = 0

        def walk(steps):
            nonlocal done
            spent = 0
            for _ in range(steps):
                aim(done * STEP_SECS)
                # All threads of the process: an engine that starts its own is not cheaper for it.
                start = time.process_time_ns()
                step()
                spent += time.process_time_ns() - start
                done += 1
            return spent

        walk(BOW_STEPS)
        steps = BOW_STEPS * max(BOWS // count, 1)
        each = sorted(walk(steps) / 1e3 / (steps * count) for _ in range(asked.repeats))
        lowest, gaps = math.inf, []
        for _ in range(BOW_STEPS):
            aimed_at = done * STEP_SECS
            walk(1)
            pelvises, turns = quality()
            lowest = min(lowest, *pelvises, lowest)
            gaps += [gap(figure, aimed_at) for figure in turns]
        off = math.degrees(statistics.mean(gaps))
        row = [engine, setting, version, count, f"{each[0]:.2f}", f"{each[len(each) // 2]:.2f}", f"{lowest:.3f}", f"{off:.2f}"]
        print(*row, sep="\t", flush=True)
