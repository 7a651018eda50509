#!/usr/bin/env python3
"""Shoves a figure through the control port and plots its lean, with Python's standard library alone.

    simrun scenes/street.json --control 7777 --token street &
    python3 runtime/simrun/examples/control.py --port 7777 --token street --figure ann
"""

import argparse
import json
import socket


class Simrun:
    """A connection: `sim("ann:lean()")` is the answer's text."""

    def __init__(self, port, token):
        self.stream = socket.create_connection(("127.0.0.1", port)).makefile("rw", encoding="utf-8", newline="\n")
        self.last = 0
        self.ask(token=token)

    def ask(self, **request):
        self.last += 1
        self.stream.write(json.dumps({"id": self.last, **request}) + "\n")
        self.stream.flush()
        while True:
            line = self.stream.readline()
            if not line:
                raise ConnectionError("the port hung up")
            answer = json.loads(line)
            if answer.get("id") == self.last:
                break
        if not answer["ok"]:
            raise RuntimeError(answer["error"])
        return answer.get("value")

    def __call__(self, line):
        return self.ask(line=line)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--token", required=True)
    options.add_argument("--figure", default="ann")
    options.add_argument("--impulse", type=float, default=60.0, help="N·s, forward")
    given = options.parse_args()
    sim = Simrun(given.port, given.token)
    figure = f"scene.find({json.dumps(given.figure)})"
    sim(":pause")
    sim(f"local yaw = {figure}:facing() {figure}:hit('chest', vector.create(math.sin(yaw), 0, math.cos(yaw)) * {given.impulse})")
    for step in range(0, 120, 4):
        lean = float(sim(f"{figure}:lean()"))
        print(f"{step / 60:5.2f} s {lean:6.3f} rad {'#' * round(lean * 60)}")
        sim(":step 4")
    sim(":resume")


if __name__ == "__main__":
    main()
