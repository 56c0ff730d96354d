"""Values of the formats of gateway/openapi.json, for schemathesis: what a pattern cannot say, such as an existing time zone."""

import base64
import sys
import threading
import uuid
from itertools import groupby

import jsonschema_rs
import schemathesis
from hypothesis import strategies as st
from hypothesis.internal import lambda_sources
from schemathesis.core.jsonschema import patterns
from schemathesis.specs.openapi import negative
from schemathesis.specs.openapi.coverage import _schema as coverage

# A text of the rules of services/lib/primitives/src/input/text.rs: no control character, nothing invisible.
CHARACTERS = st.characters(codec="utf-8", categories=["L", "N", "P", "Sm", "Sc", "So"], exclude_characters="\u115f\u1160\u3164\uffa0\u2800")
WORD = st.text(CHARACTERS, min_size=1, max_size=12)
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
# The generator of P-256, which is a point of the curve.
POINT = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
LINKS = ["https://example.com/", "http://example.com/a?b=c#d", "https://www.example.org/%20", "https://xn--e1afmkfd.example/"]


def base64url(data):
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def version_7(number):
    """A UUID of version 7 from 128 random bits."""
    number = (number & ~(0xF << 76)) | (0x7 << 76)
    return str(uuid.UUID(int=(number & ~(0x3 << 62)) | (0x2 << 62)))


def words(separator):
    """One to twenty words, or a long text. The length suits every limit."""
    few = st.lists(WORD, min_size=1, max_size=20).map(separator.join)
    return st.one_of(WORD, few, st.integers(1, 60_000).map(lambda length: "a" * length))


FORMATS = {
    "uuid": st.integers(0, 2**128 - 1).map(version_7),
    "cursor": st.just(""),
    "line": words(" "),
    "text": words("\n"),
    "link": st.sampled_from(LINKS),
    "password": st.integers(0, 2**64 - 1).map(lambda number: f"pw-{number:016x}"),
    "username": st.integers(0, 2**40 - 1).map(lambda number: f"fuzz.{number:x}"),
    "month": st.sampled_from(["1900-01", "2024-02", "2026-09", "2199-12"]),
    "year": st.sampled_from(["1950", "2027"]),
    "time-zone": st.sampled_from(["Asia/Manila", "UTC", "America/New_York"]),
    "topic": st.sampled_from(["torts", "Batas_1", "ñ_2", "憲法"]),
    "push-endpoint": st.integers(0, 2**32).map(lambda number: f"https://fcm.googleapis.com/fcm/send/{number}"),
    "push-key": st.just(base64url(POINT)),
    "push-secret": st.binary(min_size=16, max_size=16).map(base64url),
    "file-name": st.sampled_from(["brief.pdf", "r%C3%A9sum%C3%A9.pdf"]),
}

for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)

schemathesis.openapi.media_type("application/pdf", st.just(PDF))

# The longest text of a pattern that is drawn letter by letter. Drawing one of a thousand takes a tenth of a second, and each case of
# the coverage phase needs several: nearly all of its time. Longer ones are of one letter.
MAX_DRAWN = 32
STARTS = ["", "https://"]
draw_long = coverage.CoverageContext._long_string_matching


def long_string(self, schema, length):
    """A text of this length that the pattern accepts."""
    for start in STARTS:
        text = start + "a" * (length - len(start))
        if len(text) == length and coverage.matches_pattern(schema["pattern"])(text):
            return text
    return draw_long(self, schema, length)


coverage.MAX_GENERATED_PATTERN_LENGTH = MAX_DRAWN
coverage.CoverageContext._long_string_matching = long_string

# When a case drops a format, schemathesis counts every text as invalid for a format of our own, also one that its pattern accepts.
negative._negates_format = lambda metadata: False

def members(group):
    """What a class of characters contains when it names this Unicode group: each range, as the validator knows it."""
    accepts = jsonschema_rs.Draft202012Validator({"pattern": rf"^\p{{{group}}}$"}).is_valid
    codes = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF and accepts(chr(code))]
    ranges = [list(run) for _, run in groupby(enumerate(codes), lambda place: place[1] - place[0])]
    return "".join(f"\\U{run[0][1]:08x}-\\U{run[-1][1]:08x}" for run in ranges)


# Schemathesis replaces a Unicode group by its Latin members, and then counts a topic of other letters as invalid.
patterns._UNICODE_PROPERTY_RAW_MAP |= {group: members(group) for group in ("L", "N")}

# Python 3.11 counts the depth of ast.parse for all threads together, and fails when two workers parse at the same time.
describing = threading.Lock()
describe = lambda_sources._lambda_description


def describe_alone(function):
    """The description of a lambda."""
    with describing:
        return describe(function)


lambda_sources._lambda_description = describe_alone
