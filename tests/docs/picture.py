"""Renders terminal output as SVG: text with the colours it was printed in."""

import re
from html import escape

COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff",
           "36": "#76e3ea", "2": "#8b949e", "90": "#8b949e"}
CODE = re.compile(r"\x1b\[([0-9;]*)m")
NBSP = "\N{NO-BREAK SPACE}"
WIDTH, HEIGHT, LEFT, TOP = 7.8, 19, 18, 34


def style(codes):
    """The SVG attributes of text after these codes, oldest first."""
    colour, bold = "#e6edf3", False
    for code in codes:
        colour = COLOURS.get(code, colour)
        bold |= code == "1"
    return f' fill="{colour}"' + (' font-weight="bold"' if bold else "")


def spans(line):
    codes, out = [], []
    for i, part in enumerate(CODE.split(line)):
        if i % 2 == 0:
            if part:
                # Spaces as they are: those that break are drawn as one.
                out.append(f"<tspan{style(codes)}>{escape(part).replace(' ', NBSP)}</tspan>")
        elif part in ("", "0"):
            codes = []
        else:
            codes += part.split(";")
    return "".join(out)


def picture(command, text):
    lines = [f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m", *text.rstrip("\n").split("\n")]
    columns = max(len(CODE.sub("", line)) for line in lines)
    width, height = round(columns * WIDTH + 2 * LEFT), len(lines) * HEIGHT + TOP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           f'width="{width}" height="{height}" role="img">',
           f"<title>{escape(CODE.sub('', lines[1]))}</title>",
           f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
           '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" '
           'font-size="13">']
    for i, line in enumerate(lines):
        # The width is said, so that carets stand below what they mean with any font.
        plain = CODE.sub("", line)
        if plain:
            out.append(f'<text x="{LEFT}" y="{TOP - 6 + i * HEIGHT}" '
                       f'textLength="{len(plain) * WIDTH:.1f}">{spans(line)}</text>')
    return "\n".join(out) + "\n</g>\n</svg>\n"
