#!/usr/bin/env python3
"""Says which relative links in the Markdown files below a folder lead nowhere: to no file, or to no heading of it.

    check_links.py FOLDER

A heading's anchor is as GitHub makes it. Fails where a link is dead, or where there is none at all. Build folders and hidden
ones are left out, and so is code.
"""

import pathlib
import re
import sys

FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
ADDRESS = re.compile(r"[a-z]+:")


def anchors(text):
    found = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        base = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "]", heading).lower()).replace(" ", "-")
        name, number = base, 0
        while name in found:
            number += 1
            name = f"{base}-{number}"
        found.add(name)
    return found


root = pathlib.Path(sys.argv[1]).resolve()
documents = [path for path in sorted(root.rglob("*.md"))
             if not any(part == "build" or part.startswith(".") for part in path.relative_to(root).parts)]
links = dead = 0
for document in documents:
    for target in LINK.findall(CODE.sub("", FENCED.sub("", document.read_text()))):
        if ADDRESS.match(target):
            continue
        links += 1
        name, _, anchor = target.partition("#")
        file = document.parent / name if name else document
        if not file.exists():
            wrong = "there is no such file"
        elif anchor and anchor not in (anchors(file.read_text()) if file.suffix == ".md" else ()):
            wrong = "there is no such heading"
        else:
            continue
        dead += 1
        print(f"{document.relative_to(root)} links to {target}: {wrong}")
print(f"{links} relative links in {len(documents)} documents, {dead} of them dead")
sys.exit(1 if dead or not links else 0)
