//! Decodes the bytes of a feed, by byte order mark, header and declaration.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// As far in, in bytes, an XML declaration is looked for.
const DECLARATION: usize = 256;

/// The text of a document, its XML declaration left out: what that says of the charset is true no longer.
pub(super) fn text(bytes: &[u8], charset: Option<&str>) -> String {
    let text = decoded(bytes, charset);
    let declared =
        text.trim_start().strip_prefix("<?xml").filter(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()));
    match declared.and_then(|rest| rest.split_once("?>")) {
        Some((_, document)) => document.to_owned(),
        None => text,
    }
}

fn decoded(bytes: &[u8], charset: Option<&str>) -> String {
    let (marked, length) = Encoding::for_bom(bytes).map_or((None, 0), |(encoding, length)| (Some(encoding), length));
    let bytes = bytes.get(length..).unwrap_or_default();
    let named = charset.and_then(|name| Encoding::for_label(name.as_bytes()));
    // Windows-1252 (or ISO 8859-1, which is read as that) is the default of servers without configuration: it has a character for
    // every byte, so a charset that can be proven wrong has precedence.
    let telling = |encoding: &&'static Encoding| *encoding != WINDOWS_1252;
    for encoding in [marked, named, declared(bytes), Some(UTF_8)].into_iter().flatten().filter(telling) {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return text.into_owned();
        }
    }
    WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
}

/// What the XML declaration names, or what its bytes look like.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, b'?', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'?', ..] => return Some(UTF_16BE),
        _ => {}
    }
    let start = bytes.get(..bytes.len().min(DECLARATION)).unwrap_or_default();
    let start = String::from_utf8_lossy(start);
    let declaration = start.trim_start().strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let name = value.get(1..)?.split_once(quote)?.0;
    // A declaration that is readable as ASCII is not UTF-16.
    Encoding::for_label(name.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAFE: &str = "<a>Caf\u{e9} \u{2019}</a>";

    fn windows(text: &str) -> Vec<u8> {
        WINDOWS_1252.encode(text).0.into_owned()
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn whoever_is_right_is_believed() {
        let declared = |name: &str| format!("<?xml version='1.0' encoding='{name}'?>{CAFE}");
        for (what, bytes, header) in [
            ("utf-8 without a word", CAFE.as_bytes().to_vec(), None),
            ("utf-8 with a mark, whatever the header says", format!("\u{feff}{CAFE}").into_bytes(), Some("iso-8859-1")),
            ("windows-1252 by the header", windows(CAFE), Some("windows-1252")),
            ("windows-1252 as ISO 8859-1", windows(CAFE), Some("ISO-8859-1")),
            ("windows-1252 by the declaration", windows(&declared("windows-1252")), None),
            ("windows-1252 declared utf-8", windows(&declared("utf-8")), Some("UTF-8")),
            ("windows-1252 without a word", windows(CAFE), None),
            ("windows-1252 behind utf-8's mark", [b"\xef\xbb\xbf".to_vec(), windows(CAFE)].concat(), None),
            ("an unknown name", CAFE.as_bytes().to_vec(), Some("x-klingon")),
            ("unknown names, twice", declared("x-klingon").into_bytes(), Some("")),
            ("the header against the declaration", windows(&declared("utf-8")), Some("cp1252")),
            ("utf-8 that the header calls ISO 8859-1", declared("utf-8").into_bytes(), Some("iso-8859-1")),
            ("utf-8 that calls itself windows-1252", declared("windows-1252").into_bytes(), None),
            ("utf-16 with a mark", [b"\xff\xfe".to_vec(), utf16(CAFE, false)].concat(), None),
            ("utf-16 with the other mark", [b"\xfe\xff".to_vec(), utf16(CAFE, true)].concat(), Some("utf-8")),
            ("utf-16 by the header", utf16(CAFE, true), Some("utf-16be")),
            ("utf-16 without a mark", utf16(&declared("utf-16"), false), None),
            ("utf-16 without a mark, the other", utf16(&declared("utf-16"), true), None),
            ("utf-8 that calls itself utf-16", declared("utf-16").into_bytes(), None),
        ] {
            assert_eq!(text(&bytes, header), CAFE, "{what}");
        }
    }

    #[test]
    fn the_declaration_is_gone_and_nothing_else() {
        assert_eq!(text(b"\n <?xml version='1.0'?>\n<a/>", None), "\n<a/>");
        assert_eq!(text(b"<?xml-stylesheet href='x'?><a/>", None), "<?xml-stylesheet href='x'?><a/>");
        assert_eq!(text(b"<?xml version='1.0'", None), "<?xml version='1.0'");
        assert_eq!(text(b"", None), "");
    }
}
