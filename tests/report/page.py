"""Checks the HTML report: page.py PAGE FINDINGS.json SCRIPT.js; --svg PICTURE..."""

import json
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.tags = [], [], [], {}
        self.scripts, self.findings, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes += [(tag, name, value) for name, value in attrs.items()]
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs:
            self.links.append(attrs["href"])
        if tag == "article":
            self.findings.append(attrs)
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> within {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        else:
            self.text.append(data)


def check_page(path, found, script):
    source = open(path, "rb").read().decode("utf-8")  # is UTF-8
    page = Page()
    page.feed(source)
    page.close()
    assert not page.open, page.open
    assert len(page.ids) == len(set(page.ids)), "an id is there twice"
    for link in page.links:
        assert link.startswith("#"), link
        assert link[1:] in page.ids, f"{link} leads nowhere"
    assert [s.strip() for s in page.scripts] == [open(script).read().strip()]
    for tag, name, value in page.attributes:
        assert not name.startswith("on") and name != "style" and name != "src", (tag, name, value)
    assert "img" not in page.tags and "iframe" not in page.tags
    assert "http://" not in source and "https://" not in source

    findings = json.load(open(found))["findings"]
    assert findings, "the case has no findings"
    findings.sort(key=lambda f: ["error", "warning", "note"].index(f["severity"]))
    assert [f["id"] for f in page.findings] == ["f-" + f["fingerprint"] for f in findings]
    text = " ".join(page.text)
    for told, shown in zip(findings, page.findings):
        assert shown["data-rule"] == told["rule"]
        assert shown["data-severity"] == told["severity"]
        assert shown["data-file"] == told["file"], (shown["data-file"], told["file"])
        assert told["message"] in text, told["message"]
        for step in told["lineage"]:
            assert step["what"] in text, step
    # What is markup in the source is text in the page.
    joined = "".join(page.text)
    assert "</script><img src=x onerror=alert(1)>" in joined
    assert "\u202e" not in joined, "text that turns the reading direction"
    assert page.tags.get("svg", 0) > 1 and 'class="edge bad"' in source and "converts" in source
    assert 'class="lane' in source, "no device boundary"


def check_picture(path):
    root = tree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
    nodes = [g for g in root.iter() if (g.get("class") or "").startswith("node")]
    assert len(nodes) >= 4, len(nodes)
    left, top, width, height = map(float, root.get("viewBox").split())
    for box in root.iter():
        if box.get("class") != "box" or not box.get("x"):
            continue
        x, y = float(box.get("x")), float(box.get("y"))
        assert left <= x and x + float(box.get("width")) <= left + width, "out of the picture"
        assert top <= y and y + float(box.get("height")) <= top + height, "out of the picture"
    assert any("wrong" in n.get("class") for n in nodes)


if sys.argv[1] == "--svg":
    for picture in sys.argv[2:]:
        check_picture(picture)
else:
    check_page(*sys.argv[1:])
