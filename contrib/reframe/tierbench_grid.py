"""A grid of comparisons by ReFrame over the axes of grid.toml, or of the file that TIERBENCH_GRID names.

A cell holds all that is contrasted: one `compare` of all configurations, in turns on the same nodes. Across cells only ratios to
the anchor are reported. docs/cluster.md shows how to begin.
"""

import csv
import os
import tomllib
from collections import defaultdict
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import parameter, run_before, sanity_function
from reframe.core.meta import make_test

FILE = Path(os.environ.get("TIERBENCH_GRID", Path(__file__).with_name("grid.toml")))
GRID = tomllib.loads(FILE.read_text())
ANCHOR = GRID["anchor"]
CONFIGURATIONS = [ANCHOR, *(name for name in GRID["configurations"] if name != ANCHOR)]


def attribute(axis):
    return axis.replace(".", "_").replace("-", "_")


def words(axis, value):
    kind, _, name = axis.partition(".")
    return [f"--{kind}", f"{name}={value}" if name else value]


def peaks(points):
    """The highest mean throughput of each configuration over its VALID points at one load."""
    loads = defaultdict(list)
    with open(points, newline="") as file:
        for point in csv.DictReader(file):
            if point["valid"] == "true":
                configuration = point["configuration"].partition(",")[0]
                loads[configuration, point["clients"]].append(float(point["throughput_per_s"]))
    best = {}
    for (configuration, _), figures in loads.items():
        best[configuration] = max(best.get(configuration, 0), sum(figures) / len(figures))
    return best


class Cell(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = GRID.get("tierbench", "tierbench")
    postrun_cmds = [f"{executable} report result --csv > points.csv"]
    num_tasks = GRID.get("nodes", 1)
    num_tasks_per_node = 1
    exclusive_access = True
    keep_files = ["result"]

    @run_before("run")
    def set_words(self):
        axes = [word for axis in GRID["axes"] for word in words(axis, getattr(self, attribute(axis)))]
        options = [*GRID["options"], *axes, "--out", "result"]
        self.executable_opts = ["compare", GRID["application"], *CONFIGURATIONS, *options]
        # One process on the first node reaches the others itself.
        self.job.launcher = getlauncher("local")()

    @sanity_function
    def each_configuration_has_a_valid_point(self):
        found = sn.defer(sorted(peaks(Path(self.stagedir, "points.csv"))))
        return sn.assert_eq(found, sorted(CONFIGURATIONS), msg="VALID points of {0} only, of {1}")

    @run_before("performance")
    def set_ratios(self):
        best = peaks(Path(self.stagedir, "points.csv"))
        for name in CONFIGURATIONS[1:]:
            ratio = sn.defer(best[name] / best[ANCHOR])
            self.perf_variables[name] = sn.make_performance_function(ratio, "ratio")


AXES = {attribute(axis): parameter(values) for axis, values in GRID["axes"].items()}
rfm.simple_test(make_test("Tierbench", (Cell,), AXES))
