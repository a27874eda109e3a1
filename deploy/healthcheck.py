"""Ends with 0 if the app in this container answers, and with 1 otherwise: `python deploy/healthcheck.py`."""

import os
import sys
import urllib.request

PORT = os.environ.get("STREAMLIT_SERVER_PORT", "8501")
BASE = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")

if __name__ == "__main__":
    address = "/".join(filter(None, (f"http://127.0.0.1:{PORT}", BASE, "_stcore/health")))
    try:
        with urllib.request.urlopen(address, timeout=4) as answer:
            sys.exit(answer.status != 200)
    except OSError as error:
        sys.exit(f"{address} does not answer: {error}")
