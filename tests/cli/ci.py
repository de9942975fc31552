"""The commands of the examples for CI, job by job, as a shell runs them.

    ci.py github|gitlab FILE JOB

A job that runs several times has its commands several times. Fails with a message if a file is not in
the form the services require; third-party actions are skipped.
"""

import sys

import yaml


def fail(message):
    sys.exit("ci.py: " + message)


def github(jobs, name):
    job = jobs["jobs"][name]
    if job.get("needs", name) not in jobs["jobs"]:
        fail(f"{name} needs {job['needs']}, which is no job")
    shards = job.get("strategy", {}).get("matrix", {}).get("shard", [None])
    for shard in shards:
        for step in job["steps"]:
            if ("run" in step) == ("uses" in step):
                fail(f"a step of {name} has both or neither of run and uses")
            command = step.get("run", "")
            command = command.replace("${{ matrix.shard }}", str(shard))
            command = command.replace("${{ strategy.job-total }}", str(len(shards)))
            if "${{" in command:
                fail(f"{name}: an expression is not known here: {command}")
            print(command)


def gitlab(jobs, name):
    job = jobs[name]
    if job["stage"] not in jobs["stages"]:
        fail(f"{name} has a stage that is not there")
    for needed in job.get("needs", []):
        if needed not in jobs:
            fail(f"{name} needs {needed}, which is no job")
    count = job.get("parallel", 1)
    for index in range(1, count + 1):
        print(f"CI_NODE_INDEX={index} CI_NODE_TOTAL={count}")
        for command in jobs["default"]["before_script"] + job["script"]:
            if not isinstance(command, str):
                fail(f"{name}: a command is not a text: {command}")
            print(command)


with open(sys.argv[2], encoding="utf-8") as file:
    {"github": github, "gitlab": gitlab}[sys.argv[1]](yaml.safe_load(file), sys.argv[3])
