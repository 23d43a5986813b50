"""Users who get one page and think: what crates/bench compares with users who read their pages and follow links.

At the end it prints the requests, those without an answer, and the CPU seconds before the first, which don't count.
"""

import os
import random
import resource

from locust import FastHttpUser, events, task

PAGE = os.environ["BENCH_PAGE"]
THINK_S = float(os.environ["BENCH_THINK_S"])


class Visitor(FastHttpUser):
    """Thinks for a negative exponential time after each page."""

    def wait_time(self):
        return random.expovariate(1 / THINK_S)

    @task
    def get(self):
        self.client.get(PAGE)


@events.test_start.add_listener
def note_setup(environment, **_):
    environment.bench_setup = resource.getrusage(resource.RUSAGE_SELF)


@events.quitting.add_listener
def report(environment, **_):
    total, setup = environment.stats.total, environment.bench_setup
    print("bench:", total.num_requests, total.num_failures, setup.ru_utime, setup.ru_stime, flush=True)
