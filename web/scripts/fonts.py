"""Creates the fonts of src/app/fonts/ with what the client uses. Run it by hand when a font changes:

    pip install fonttools brotli && python scripts/fonts.py

Source Serif 4: only weight 600, the only serif weight in use, in two optical sizes: one for titles, and one for the display sizes
of 40 px and more, which few screens have. 19 kB each; the file with all optical sizes has 46. Inter: weights 400 to 700: 32 kB
instead of 48. All without fractions and proportional figures. The licence of Source Serif reserves its name, so its files have
another one; that of Inter reserves none.
"""

from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

WEB = Path(__file__).parent.parent
SERIF = WEB / "node_modules/@fontsource-variable/source-serif-4"
INTER = WEB / "node_modules/@fontsource-variable/inter"
FONTS = WEB / "src/app/fonts"
NAMES = {1: "Portia Serif", 3: "Portia Serif", 4: "Portia Serif", 6: "PortiaSerif", 16: "Portia Serif", 25: "PortiaSerif"}
FEATURES = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"]


def reduce(source: Path, axes: dict[str, float | tuple[float, float]], target: str, names: dict[int, str]) -> None:
    # The subsetter does not accept what the instancer holds in memory.
    instance = BytesIO()
    font = instantiateVariableFont(TTFont(source), axes)
    font.flavor = None
    font.save(instance)
    instance.seek(0)
    font = TTFont(instance)
    options = Options(layout_features=FEATURES, name_IDs=["*"], notdef_outline=True, glyph_names=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=list(font.getBestCmap()))
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in names:
            record.string = names[record.nameID]
    font.flavor = "woff2"
    font.save(FONTS / target)


for letters in ["latin", "latin-ext"]:
    serif = SERIF / f"files/source-serif-4-{letters}-opsz-normal.woff2"
    reduce(serif, {"wght": 600, "opsz": 24}, f"portia-serif-{letters}.woff2", NAMES)
    reduce(serif, {"wght": 600, "opsz": 48}, f"portia-display-{letters}.woff2", NAMES)
    inter = INTER / f"files/inter-{letters}-wght-normal.woff2"
    reduce(inter, {"wght": (400, 700)}, f"inter-{letters}.woff2", {})
(FONTS / "LICENSE").write_text((SERIF / "LICENSE").read_text())
(FONTS / "LICENSE-inter").write_text((INTER / "LICENSE").read_text())
