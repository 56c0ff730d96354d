"""Prints the typefaces of the device in src/app/fonts.css, which are drawn until a file has arrived:

    pip install fonttools brotli && python scripts/font_fallbacks.py

They take the width of a text and the height of a line from the file, so that little moves when it arrives. The widths of Arial
and Times are those of Liberation, which has the same; that of Georgia is of the npm package @capsizecss/metrics.
"""

from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parent.parent / "src/app/fonts"
# Shares of the letters in English texts, in percent.
LETTERS = dict(
    zip(
        " abcdefghijklmnopqrstuvwxyz",
        [18.18, 6.68, 1.22, 2.28, 3.48, 10.39, 1.82, 1.65, 4.98, 5.70, 0.13, 0.63, 3.29, 1.97]
        + [5.52, 6.14, 1.58, 0.08, 4.90, 5.18, 7.41, 2.26, 0.80, 1.93, 0.12, 1.62, 0.06],
    )
)
ARIAL = ["Arial", "Liberation Sans", "Helvetica"]
ARIAL_BOLD = ["Arial Bold", "Arial-BoldMT", "Liberation Sans Bold", "Helvetica Bold", "Helvetica-Bold"]
GEORGIA_BOLD = ["Georgia Bold", "Georgia-Bold"]
TIMES_BOLD = ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold", "Tinos Bold"]
# Family, its file and weight there, weights in the style sheet, names on devices, and their mean width of a letter in em.
FALLBACKS = [
    ("Inter Fallback", "inter", 400, "400 599", ARIAL, 0.4411),
    ("Inter Fallback", "inter", 600, "600 700", ARIAL_BOLD, 0.4769),
    ("Source Serif Georgia", "portia-serif", None, "600", GEORGIA_BOLD, 0.5097),
    ("Source Serif Times", "portia-serif", None, "600", TIMES_BOLD, 0.4252),
    ("Source Serif Display Georgia", "portia-display", None, "600", GEORGIA_BOLD, 0.5097),
    ("Source Serif Display Times", "portia-display", None, "600", TIMES_BOLD, 0.4252),
]


def mean_width(font: TTFont) -> float:
    widths, names = font["hmtx"], font.getBestCmap()
    total = sum(share * widths[names[ord(letter)]][0] for letter, share in LETTERS.items())
    return total / sum(LETTERS.values()) / font["head"].unitsPerEm


for family, file, weight, weights, names, width in FALLBACKS:
    font = TTFont(FONTS / f"{file}-latin.woff2")
    if weight:
        font = instantiateVariableFont(font, {"wght": weight})
    size = mean_width(font) / width
    em, line = font["head"].unitsPerEm, font["hhea"]
    print(f"""
@font-face {{
  font-family: "{family}";
  font-weight: {weights};
  src: {", ".join(f'local("{name}")' for name in names)};
  size-adjust: {size:.1%};
  ascent-override: {line.ascent / em / size:.1%};
  descent-override: {-line.descent / em / size:.1%};
  line-gap-override: 0%;
}}""")
