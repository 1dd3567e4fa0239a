"""Runs the relay's tests and prints a line of JSON for each: its name, its outcome and the reason."""
import faulthandler
import json
import os
import sys
import time
import unittest

LIMIT = 300  # seconds for all tests; a hang then shows its stack


class Lines(unittest.TestResult):
    failed, began = False, time.monotonic()

    def startTest(self, test):
        self.began = time.monotonic()

    def tell(self, test, outcome, why=""):
        seconds = round(time.monotonic() - self.began, 3)
        print(json.dumps({"test": test.id(), "outcome": outcome, "seconds": seconds, "why": why}), flush=True)
        self.failed |= outcome == "failed"

    def addSuccess(self, test):
        self.tell(test, "passed")

    def addError(self, test, err):
        self.tell(test, "failed", self._exc_info_to_string(err, test))

    addFailure = addError

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.addError(subtest, err)

    def addSkip(self, test, reason):
        self.tell(test, "skipped", reason)


if __name__ == "__main__":
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    if len(sys.argv) > 1:
        suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:])
    else:
        suite = unittest.defaultTestLoader.discover(here)
    result = Lines()
    suite.run(result)
    sys.exit(result.failed)
