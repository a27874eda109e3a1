"""One table in many shapes, as people have them."""

import json

import pandas as pd

SHAPES = {
    "comma": lambda t: t.to_csv(index=False).encode(),
    "semicolon, mark, Windows lines": lambda t: t.to_csv(index=False, sep=";", lineterminator=";\r\n").encode("utf-8-sig"),
    "tab": lambda t: t.to_csv(index=False, sep="\t").encode(),
    "bar": lambda t: t.to_csv(index=False, sep="|").encode(),
    "Excel's Unicode text": lambda t: t.to_csv(index=False, sep="\t", lineterminator="\r\n").encode("utf-16"),
    "UTF-16 without a mark": lambda t: t.to_csv(index=False).encode("utf-16-le"),
    "sep line": lambda t: b"sep=;\r\n" + t.to_csv(index=False, sep=";", lineterminator="\r\n").encode(),
    "old Macintosh lines": lambda t: t.to_csv(index=False, lineterminator="\r").encode(),
    "quoted": lambda t: t.to_csv(index=False, quoting=1).encode(),
    "pandas index": lambda t: t.to_csv().encode(),
    "pandas index twice": lambda t: t.reset_index().rename(columns={"index": "Unnamed: 0"}).to_csv().encode(),
    "R": lambda t: t.to_csv(sep="\t", quoting=2).replace('""\t', "", 1).encode(),
    "empty lines": lambda t: b"\n\n" + t.to_csv(index=False).replace("\n", "\n\n").encode(),
    "capitals and spaces": lambda t: t.rename(columns=lambda n: f" {n.upper()} ").to_csv(index=False).encode(),
    "JSON": lambda t: t.to_json(orient="records").encode(),
    "JSON columns": lambda t: t.to_json().encode(),
    "JSON lists": lambda t: json.dumps(t.to_dict(orient="list")).encode(),
    "JSON split": lambda t: t.to_json(orient="split").encode(),
    "JSON lines": lambda t: t.to_json(orient="records", lines=True).encode(),
    "JSON lines with index": lambda t: t.reset_index().to_json(orient="records", lines=True).encode(),
    "one long row": lambda t: t.to_csv(index=False).encode() + b"a,b,c,d,e,f\n",
}  # fmt: skip

VECTORS = pd.DataFrame(
    [[0.91, 0.12, 0.03], [0.83, 0.21, 0.08], [0.12, 0.94, 0.07], [0.21, 0.82, 0.05]],
    columns=["d0", "d1", "d2"],
    index=pd.Index(["cat", "dog", "car", "bus"], name="word"),
)
