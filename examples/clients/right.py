"""A client of the platform in Python that keeps the contract, and the command that `assay client` runs:

    assay client -- python3 examples/clients/right.py

It needs the standard library alone.
"""
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from email.utils import parsedate_to_datetime

BASE_URL = os.environ["ASSAY_BASE_URL"]
TOKEN = os.environ["ASSAY_TOKEN"]
STORE = os.environ["ASSAY_STORE_ID"]
MOST_ATTEMPTS = 4


class PlatformError(Exception):
    """Its text holds the status and the code alone: the message may be an end user's data."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args):
        return None


opener = urllib.request.build_opener(NoRedirects)


def call(method, path, body=None):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, MOST_ATTEMPTS + 1):
        request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
        try:
            with opener.open(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            status, code, retry_after = error.code, code_of(error), error.headers["Retry-After"]
        except OSError:
            status, code, retry_after = 0, "unreachable", None
        wait = wait_seconds(status, retry_after, attempt)
        if wait is None or attempt == MOST_ATTEMPTS:
            raise PlatformError(f"the platform answered {status} {code}")
        time.sleep(wait)


def wait_seconds(status, retry_after, attempt):
    if status in (429, 503):
        if retry_after is None:
            return min(2 ** (attempt - 1), 30) + random.uniform(0, 0.25)
        if retry_after.isdigit():
            return int(retry_after)
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    return 0.25 * 2 ** (attempt - 1) if status == 0 or status >= 500 else None


def code_of(error):
    try:
        return json.load(error)["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return "unknown"


def walk_logs():
    page, pages = 1, 1
    while page <= pages:
        answer = call("GET", f"/api/v1/auth/activity/logs?page={page}&limit=100")
        pages = answer["total_pages"]
        print_ids(answer["data"])
        page += 1


def walk_notifications():
    offset = 0
    while items := call("GET", f"/api/v1/stores/{STORE}/domains/notifications?limit=100&offset={offset}"):
        print_ids(items)
        offset += len(items)


def print_ids(items):
    for item in items:
        print(item["id"])


TASKS = {
    "read-store": lambda: call("GET", f"/api/v1/stores/{STORE}"),
    "walk-logs": walk_logs,
    "walk-notifications": walk_notifications,
    "create-store": lambda: call("POST", "/api/v1/stores", {"name": "Example store"}),
    "pay": lambda: call("POST", "/api/v1/stores/process-payment", {"amount": 1999, "currency": "EUR"}),
}

perform = TASKS.get(os.environ["ASSAY_TASK"])
if perform is None:
    sys.exit(64)
try:
    perform()
except PlatformError as error:
    sys.exit(str(error))
