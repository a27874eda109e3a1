"""What works in a Space: run inside the Debian root, where deploy/space/Dockerfile has started the app on port 7860.

Prints the text of a page, the answer to an upload without a cookie, whose process it is, and its memory.
"""

import asyncio
import json
import urllib.error
import urllib.request

import psutil

from tests.debian.check import page, wait

PORT = 7860
SITE = f"http://127.0.0.1:{PORT}"


def upload() -> int:
    """The status of an upload of a session that does not exist: 400, or 403 if a cookie is asked for first."""
    body = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.csv"\r\n\r\nword\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    asked = urllib.request.Request(f"{SITE}/_stcore/upload_file/no-session/a", data=body, headers=headers, method="PUT")
    try:
        return urllib.request.urlopen(asked, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code


if __name__ == "__main__":
    wait(str(PORT))
    texts = asyncio.run(page(PORT))
    (server,) = {
        port.pid for port in psutil.net_connections("tcp") if port.status == "LISTEN" and port.laddr.port == PORT
    }
    process = psutil.Process(server)
    found = {"user": process.uids().real, "megabytes": process.memory_info().rss >> 20}
    print(json.dumps({"page": texts, "upload": upload(), **found}))
