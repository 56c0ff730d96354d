//! Bounds the cost of a document before it is parsed: one pass that stores only the open elements.

use std::borrow::Cow;

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::FeedError;

/// The deepest nesting of elements. XHTML within Atom needs about twenty.
const MAX_DEPTH: usize = 100;
/// The most elements up to the last entry that is read: two hundred for each.
const MAX_ELEMENTS: usize = 100_000;
/// The most attributes of an element: feed-rs compares each with all previous ones.
const MAX_ATTRIBUTES: usize = 100;
/// The most namespaces in scope: every name is looked up among them.
const MAX_NAMESPACES: usize = 200;
/// The longest base address in bytes: every element within it gets a copy.
const MAX_BASE_LENGTH: usize = 2_048;

/// Returns the document up to the end of its `most`-th entry, with its open elements closed. Fails when a limit is
/// exceeded.
pub(super) fn measure(document: &str, most: usize) -> Result<Cow<'_, str>, FeedError> {
    let mut reader = Reader::from_str(document);
    reader.config_mut().trim_markup_names_in_closing_tags = true;
    let mut open: Vec<Open> = Vec::new();
    let (mut elements, mut entries, mut namespaces) = (0, 0, 0);
    loop {
        let entry = match reader.read_event().map_err(|_| FeedError::Broken)? {
            Event::Start(start) => {
                elements += 1;
                let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
                open.push(Open { name, namespaces: attributes(&start)? });
                namespaces += open.last().map_or(0, |element| element.namespaces);
                false
            }
            Event::Empty(empty) => {
                elements += 1;
                attributes(&empty)?;
                is_entry(empty.local_name().as_ref())
            }
            Event::End(end) => {
                namespaces -= open.pop().map_or(0, |element| element.namespaces);
                is_entry(end.local_name().as_ref())
            }
            // HTML pages have a document type too, and are not feeds.
            Event::DocType(kind) => {
                let page = kind.trim_ascii_start().get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"html"));
                return Err(if page { FeedError::NotAFeed } else { FeedError::DocumentType });
            }
            // `decode` removed the one at the beginning; another one could declare another charset.
            Event::Decl(_) => return Err(FeedError::Broken),
            Event::Eof if open.is_empty() => return Ok(Cow::Borrowed(document)),
            Event::Eof => return Err(FeedError::Broken),
            _ => false,
        };
        if open.len() > MAX_DEPTH || elements > MAX_ELEMENTS || namespaces > MAX_NAMESPACES {
            return Err(FeedError::Excessive);
        }
        entries += usize::from(entry);
        if entries == most {
            return Ok(close(document, reader.buffer_position(), &open));
        }
    }
}

/// An open element.
struct Open {
    name: String,
    /// The number of namespaces that it declares.
    namespaces: usize,
}

/// Checks the attributes of an element and returns the number of namespaces that they declare.
fn attributes(start: &BytesStart<'_>) -> Result<usize, FeedError> {
    let mut namespaces = 0;
    for (at, attribute) in start.attributes().with_checks(false).enumerate() {
        // The reader reports invalid attributes.
        let Ok(attribute) = attribute else { continue };
        let key = attribute.key.as_ref();
        if at >= MAX_ATTRIBUTES || (key == b"xml:base" && attribute.value.len() > MAX_BASE_LENGTH) {
            return Err(FeedError::Excessive);
        }
        namespaces += usize::from(key.starts_with(b"xmlns"));
    }
    Ok(namespaces)
}

fn is_entry(name: &[u8]) -> bool {
    matches!(name, b"item" | b"entry")
}

/// The document as far as it was read, with the open elements closed.
fn close<'a>(document: &'a str, read: u64, open: &[Open]) -> Cow<'a, str> {
    let read = usize::try_from(read).ok().and_then(|read| document.get(..read)).unwrap_or(document);
    let ends = open.iter().rev().map(|element| format!("</{}>", element.name));
    Cow::Owned(read.to_owned() + &ends.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_ends_after_its_last_entry() {
        let feed = "<rss><channel><title/><item><a/></item><x:item/><item>3</item></channel></rss>";
        let of = |most| measure(feed, most).unwrap().into_owned();
        assert_eq!(of(1), "<rss><channel><title/><item><a/></item></channel></rss>");
        assert_eq!(of(2), "<rss><channel><title/><item><a/></item><x:item/></channel></rss>");
        assert_eq!(of(3), feed);
        assert_eq!(of(4), feed);
    }

    #[test]
    fn nothing_is_read_after_the_last_entry() {
        let feed = "<rss><item/><item></rss> <!DOCTYPE x> &";
        assert_eq!(measure(feed, 1).unwrap(), "<rss><item/></rss>");
    }

    #[test]
    fn limits_are_enforced() {
        let nested = |deep: usize| "<a>".repeat(deep) + &"</a>".repeat(deep);
        assert!(measure(&nested(MAX_DEPTH), 9).is_ok());
        assert!(matches!(measure(&nested(MAX_DEPTH + 1), 9), Err(FeedError::Excessive)));
        assert!(matches!(measure(&"<a>".repeat(500_000), 9), Err(FeedError::Excessive)));
        let many = |count: usize| format!("<r>{}</r>", "<a/>".repeat(count));
        assert!(measure(&many(MAX_ELEMENTS - 1), 9).is_ok());
        assert!(matches!(measure(&many(MAX_ELEMENTS), 9), Err(FeedError::Excessive)));
        let wide = |count: usize| format!("<r {}/>", (0..count).map(|at| format!("a{at}='' ")).collect::<String>());
        assert!(measure(&wide(MAX_ATTRIBUTES), 9).is_ok());
        assert!(matches!(measure(&wide(MAX_ATTRIBUTES + 1), 9), Err(FeedError::Excessive)));
        assert!(matches!(measure(&wide(200_000), 9), Err(FeedError::Excessive)));
        let spaces = |count: usize| {
            let declared = |at| format!("<a xmlns:a{at}='x' xmlns:b{at}='y'>");
            format!("{}{}", (0..count / 2).map(declared).collect::<String>(), "</a>".repeat(count / 2))
        };
        assert!(measure(&spaces(200), 9).is_ok());
        // Namespaces of consecutive elements are not in scope together.
        assert!(measure(&format!("<r>{}</r>", "<a xmlns='x'/><a xmlns='x'></a>".repeat(500)), 9).is_ok());
        let wider = "<a xmlns:a='x' xmlns:b='x' xmlns:c='x'>".repeat(70);
        assert!(matches!(measure(&wider, 9), Err(FeedError::Excessive)));
        let based = |length: usize| format!("<r xml:base='{}'/>", "a".repeat(length));
        assert!(measure(&based(MAX_BASE_LENGTH), 9).is_ok());
        assert!(matches!(measure(&based(MAX_BASE_LENGTH + 1), 9), Err(FeedError::Excessive)));
    }

    #[test]
    fn a_document_type_is_refused_and_a_page_is_not_a_feed() {
        for kind in
            ["<!DOCTYPE rss>", "<!DOCTYPE rss [<!ENTITY a \"b\">]>", "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\">"]
        {
            assert!(matches!(measure(&format!("{kind}<rss/>"), 9), Err(FeedError::DocumentType)), "{kind}");
        }
        assert!(matches!(measure("<!doctype HTML><html></html>", 9), Err(FeedError::NotAFeed)));
    }

    #[test]
    fn invalid_xml_is_broken() {
        for broken in ["<a>", "<a></b>", "</a>", "<a", "<a><?xml version='1.0' encoding='utf-16'?></a>", "<![CDATA["] {
            assert!(matches!(measure(broken, 9), Err(FeedError::Broken)), "{broken}");
        }
    }
}
