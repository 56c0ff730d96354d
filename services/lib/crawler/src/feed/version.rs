//! The version of RSS. feed-rs refuses a feed without one, which feed readers accept.

use std::borrow::Cow;

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

/// The versions that feed-rs reads. Every other one is read as 2.0, which contains the elements of all.
const KNOWN: [&[u8]; 3] = [b"0.91", b"0.92", b"2.0"];

/// The document with a known version in its root element, if that is `rss`.
pub(super) fn complete(document: &str) -> Cow<'_, str> {
    let mut reader = Reader::from_str(document);
    let start = loop {
        let before = reader.buffer_position();
        match reader.read_event() {
            Ok(Event::Start(root)) if root.name().as_ref() == b"rss" && !has_known_version(&root) => break before,
            // `<rss/>` has no entries.
            Ok(Event::Start(_) | Event::Empty(_) | Event::Eof | Event::DocType(_)) | Err(_) => return document.into(),
            Ok(_) => {}
        }
    };
    rewrite(document, start, reader.buffer_position()).map_or(document.into(), Cow::Owned)
}

fn has_known_version(root: &BytesStart<'_>) -> bool {
    root.attributes().with_checks(false).flatten().any(|attribute| {
        attribute.key.as_ref() == b"version" && KNOWN.iter().any(|known| *known == attribute.value.as_ref())
    })
}

/// The document with version 2.0 in the tag at these positions.
fn rewrite(document: &str, start: u64, end: u64) -> Option<String> {
    let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
    let inside = document.get(start..end)?.strip_prefix('<')?.strip_suffix('>')?;
    let mut tag = String::from("<rss version=\"2.0\"");
    for attribute in BytesStart::from_content(inside, "rss".len()).attributes().with_checks(false).flatten() {
        if attribute.key.as_ref() != b"version" {
            let (key, value) =
                (String::from_utf8_lossy(attribute.key.as_ref()), String::from_utf8_lossy(&attribute.value));
            let quote = if value.contains('"') { '\'' } else { '"' };
            tag += &format!(" {key}={quote}{value}{quote}");
        }
    }
    Some(format!("{}{tag}>{}", document.get(..start)?, document.get(end..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rss_without_a_known_version_is_read_as_2_0() {
        for (given, expected) in [
            ("<rss><channel/></rss>", "<rss version=\"2.0\"><channel/></rss>"),
            ("<!-- x --> <rss\n>a</rss>", "<!-- x --> <rss version=\"2.0\">a</rss>"),
            ("<rss version='2.00'/>", "<rss version='2.00'/>"),
            ("<rss version='2.00'></rss>", "<rss version=\"2.0\"></rss>"),
            (
                "<rss xmlns:dc='a \"b\"' version=\"\" base=\"é\">é</rss>",
                "<rss version=\"2.0\" xmlns:dc='a \"b\"' base=\"é\">é</rss>",
            ),
        ] {
            assert_eq!(complete(given), expected, "{given}");
        }
    }

    #[test]
    fn other_documents_are_unchanged() {
        for same in [
            "<rss version='2.0'></rss>",
            "<rss version=\"0.91\"></rss>",
            "<feed><rss></rss></feed>",
            "<!DOCTYPE rss><rss></rss>",
            "<rdf:RDF></rdf:RDF>",
            "<rss",
            "",
        ] {
            assert!(matches!(complete(same), Cow::Borrowed(document) if document == same), "{same}");
        }
    }
}
