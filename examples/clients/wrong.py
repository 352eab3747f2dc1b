"""A client of the platform in Python as it is written in a hurry; `assay client -- python3 examples/clients/wrong.py` tells why."""
import json
import logging
import os
import sys
import time
import urllib.error
import urllib.request

logging.basicConfig(filename="client.log", level=logging.DEBUG)
BASE_URL, TOKEN, STORE = (os.environ[name] for name in ("ASSAY_BASE_URL", "ASSAY_TOKEN", "ASSAY_STORE_ID"))


def call(method, path, body=None):
    # Wrong: no content type without a body, and no Idempotency-Key at all.
    headers = {"Authorization": f"Bearer {TOKEN}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(3):
        # Wrong: the token is logged, redirects are followed, and a date in Retry-After ends the program.
        logging.debug("%s %s %s", method, path, headers)
        try:
            return json.load(urllib.request.urlopen(urllib.request.Request(BASE_URL + path, data, headers, method=method)))
        except urllib.error.HTTPError as error:
            if error.code < 429:
                raise
            time.sleep(int(error.headers.get("Retry-After", 1)))
        except OSError:
            time.sleep(1)
    raise SystemExit("gave up")


def walk(path):
    # Wrong: the log is read until a page is empty, although it says how many pages it has.
    page = 1
    while True:
        answer = call("GET", f"{path}?page={page}&limit=10")
        for item in answer["data"]:
            print(item["id"])
        if not answer["data"]:
            return
        page += 1


task = os.environ["ASSAY_TASK"]
if task == "read-store":
    call("GET", f"/api/v1/stores/{STORE}")
elif task == "walk-logs":
    walk("/api/v1/auth/activity/logs")
elif task == "create-store":
    call("POST", "/api/v1/stores", {"name": "Example store"})
elif task == "pay":
    call("POST", "/api/v1/stores/process-payment", {"amount": 1999})
else:
    sys.exit(64)
