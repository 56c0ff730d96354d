"""Makes src/app/fonts/portia-serif-*.woff2 of Source Serif 4: of its weights only 600, in which Portia sets everything that is in
serif, drawn for each size as before. 120 kB become 50. Run by hand when the font changes:

    pip install fonttools brotli && python scripts/serif.py

The licence reserves the name of the original for the original, so that the files go by another.
"""

from pathlib import Path

from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

WEB = Path(__file__).parent.parent
SOURCE = WEB / "node_modules/@fontsource-variable/source-serif-4"
FONTS = WEB / "src/app/fonts"
NAMES = {1: "Portia Serif", 3: "Portia Serif", 4: "Portia Serif", 6: "PortiaSerif", 16: "Portia Serif", 25: "PortiaSerif"}

for subset in ["latin", "latin-ext"]:
    font = TTFont(SOURCE / f"files/source-serif-4-{subset}-opsz-normal.woff2")
    font = instantiateVariableFont(font, {"wght": 600})
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = NAMES[record.nameID]
    font.flavor = "woff2"
    font.save(FONTS / f"portia-serif-{subset}.woff2")
(FONTS / "LICENSE").write_text((SOURCE / "LICENSE").read_text())
