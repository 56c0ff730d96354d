//! Decodes the bytes of a feed, by byte order mark, header and declaration.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The bytes that are searched for an XML declaration.
const DECLARATION: usize = 256;

/// Decodes a document without its XML declaration, whose charset is no longer correct.
pub(super) fn text(bytes: &[u8], charset: Option<&str>) -> String {
    let text = decoded(bytes, charset, declared);
    let declared =
        text.trim_start().strip_prefix("<?xml").filter(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()));
    match declared.and_then(|rest| rest.split_once("?>")) {
        Some((_, document)) => document.to_owned(),
        None => text,
    }
}

/// Decodes a document with the first charset of its mark, its header and its declaration in which it is valid.
pub(crate) fn decoded(
    bytes: &[u8],
    charset: Option<&str>,
    declared: impl Fn(&[u8]) -> Option<&'static Encoding>,
) -> String {
    let (marked, length) = Encoding::for_bom(bytes).map_or((None, 0), |(encoding, length)| (Some(encoding), length));
    let bytes = bytes.get(length..).unwrap_or_default();
    let named = charset.and_then(|name| Encoding::for_label(name.as_bytes()));
    // windows-1252 (also for ISO 8859-1) is the default of servers without configuration, and every byte is valid in it.
    // Charsets that can be proven wrong have precedence.
    let is_verifiable = |encoding: &&'static Encoding| *encoding != WINDOWS_1252;
    for encoding in [marked, named, declared(bytes), Some(UTF_8)].into_iter().flatten().filter(is_verifiable) {
        if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(bytes) {
            return text.into_owned();
        }
    }
    WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
}

/// The charset of the XML declaration, or UTF-16 by its bytes.
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
    fn the_first_charset_without_invalid_bytes_is_used() {
        let declared = |name: &str| format!("<?xml version='1.0' encoding='{name}'?>{CAFE}");
        for (what, bytes, header) in [
            ("utf-8 without a declaration", CAFE.as_bytes().to_vec(), None),
            (
                "utf-8 with a byte order mark and another header",
                format!("\u{feff}{CAFE}").into_bytes(),
                Some("iso-8859-1"),
            ),
            ("windows-1252 by the header", windows(CAFE), Some("windows-1252")),
            ("windows-1252 as ISO 8859-1", windows(CAFE), Some("ISO-8859-1")),
            ("windows-1252 by the declaration", windows(&declared("windows-1252")), None),
            ("windows-1252 declared utf-8", windows(&declared("utf-8")), Some("UTF-8")),
            ("windows-1252 without a declaration", windows(CAFE), None),
            (
                "windows-1252 after the byte order mark of utf-8",
                [b"\xef\xbb\xbf".to_vec(), windows(CAFE)].concat(),
                None,
            ),
            ("an unknown name", CAFE.as_bytes().to_vec(), Some("x-klingon")),
            ("unknown names, twice", declared("x-klingon").into_bytes(), Some("")),
            ("the header against the declaration", windows(&declared("utf-8")), Some("cp1252")),
            ("utf-8 with a header of ISO 8859-1", declared("utf-8").into_bytes(), Some("iso-8859-1")),
            ("utf-8 declared windows-1252", declared("windows-1252").into_bytes(), None),
            ("utf-16 with a mark", [b"\xff\xfe".to_vec(), utf16(CAFE, false)].concat(), None),
            ("utf-16 with the other mark", [b"\xfe\xff".to_vec(), utf16(CAFE, true)].concat(), Some("utf-8")),
            ("utf-16 by the header", utf16(CAFE, true), Some("utf-16be")),
            ("utf-16 without a mark", utf16(&declared("utf-16"), false), None),
            ("utf-16 without a mark, the other", utf16(&declared("utf-16"), true), None),
            ("utf-8 declared utf-16", declared("utf-16").into_bytes(), None),
        ] {
            assert_eq!(text(&bytes, header), CAFE, "{what}");
        }
    }

    #[test]
    fn only_the_declaration_is_removed() {
        assert_eq!(text(b"\n <?xml version='1.0'?>\n<a/>", None), "\n<a/>");
        assert_eq!(text(b"<?xml-stylesheet href='x'?><a/>", None), "<?xml-stylesheet href='x'?><a/>");
        assert_eq!(text(b"<?xml version='1.0'", None), "<?xml version='1.0'");
        assert_eq!(text(b"", None), "");
    }
}
