"""Creates src/app/fonts/portia-serif-*.woff2 from Source Serif 4: only weight 600, the only serif weight in use, with optical
sizes. This reduces 120 kB to 50. Run it by hand when the font changes:

    pip install fonttools brotli && python scripts/serif.py

The licence reserves the name of the original font, so the files have another name.
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
