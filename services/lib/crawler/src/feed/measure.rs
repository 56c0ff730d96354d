//! Measures a document before it is read, so that no feed costs more than a feed: one pass, nothing kept but open names.

use std::borrow::Cow;

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::Unreadable;

/// As deep may elements stand in each other. XHTML within Atom needs some twenty.
const DEEPEST: usize = 100;
/// As many elements may there be up to the last entry that is read: two hundred each.
const MOST_ELEMENTS: usize = 100_000;
/// As many attributes may an element have; each is compared with all before it.
const MOST_ATTRIBUTES: usize = 100;
/// As many namespaces may be in force at once: every name is looked for among them.
const MOST_NAMESPACES: usize = 200;
/// So long may a base for addresses be, in bytes: every element within gets a copy.
const LONGEST_BASE: usize = 2_048;

/// The document up to the end of its `most`-th entry, closed properly there, if nothing in it is beyond measure.
pub(super) fn measured(document: &str, most: usize) -> Result<Cow<'_, str>, Unreadable> {
    let mut reader = Reader::from_str(document);
    reader.config_mut().trim_markup_names_in_closing_tags = true;
    let mut open: Vec<Open> = Vec::new();
    let (mut elements, mut entries, mut namespaces) = (0, 0, 0);
    loop {
        let entry = match reader.read_event().map_err(|_| Unreadable::Broken)? {
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
            // Pages have one too, and are no feeds.
            Event::DocType(kind) => {
                let page = kind.trim_ascii_start().get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"html"));
                return Err(if page { Unreadable::NotAFeed } else { Unreadable::DocumentType });
            }
            // The one at the beginning is gone already; another could name another charset.
            Event::Decl(_) => return Err(Unreadable::Broken),
            Event::Eof if open.is_empty() => return Ok(Cow::Borrowed(document)),
            Event::Eof => return Err(Unreadable::Broken),
            _ => false,
        };
        if open.len() > DEEPEST || elements > MOST_ELEMENTS || namespaces > MOST_NAMESPACES {
            return Err(Unreadable::Excessive);
        }
        entries += usize::from(entry);
        if entries == most {
            return Ok(closed(document, reader.buffer_position(), &open));
        }
    }
}

/// An element without its end so far.
struct Open {
    name: String,
    /// How many it declares.
    namespaces: usize,
}

/// Looks through an element's attributes, and says how many of them declare namespaces.
fn attributes(start: &BytesStart<'_>) -> Result<usize, Unreadable> {
    let mut namespaces = 0;
    for (at, attribute) in start.attributes().with_checks(false).enumerate() {
        // What is no attribute is the reader's matter.
        let Ok(attribute) = attribute else { continue };
        let key = attribute.key.as_ref();
        if at >= MOST_ATTRIBUTES || (key == b"xml:base" && attribute.value.len() > LONGEST_BASE) {
            return Err(Unreadable::Excessive);
        }
        namespaces += usize::from(key.starts_with(b"xmlns"));
    }
    Ok(namespaces)
}

fn is_entry(name: &[u8]) -> bool {
    matches!(name, b"item" | b"entry")
}

/// What was read so far, with an end to everything that is open.
fn closed<'a>(document: &'a str, read: u64, open: &[Open]) -> Cow<'a, str> {
    let read = usize::try_from(read).ok().and_then(|read| document.get(..read)).unwrap_or(document);
    let ends = open.iter().rev().map(|element| format!("</{}>", element.name));
    Cow::Owned(read.to_owned() + &ends.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_ends_behind_its_last_entry() {
        let feed = "<rss><channel><title/><item><a/></item><x:item/><item>3</item></channel></rss>";
        let of = |most| measured(feed, most).unwrap().into_owned();
        assert_eq!(of(1), "<rss><channel><title/><item><a/></item></channel></rss>");
        assert_eq!(of(2), "<rss><channel><title/><item><a/></item><x:item/></channel></rss>");
        assert_eq!(of(3), feed);
        assert_eq!(of(4), feed);
    }

    #[test]
    fn what_follows_the_last_entry_is_not_even_looked_at() {
        let feed = "<rss><item/><item></rss> <!DOCTYPE x> &";
        assert_eq!(measured(feed, 1).unwrap(), "<rss><item/></rss>");
    }

    #[test]
    fn nothing_goes_beyond_measure() {
        let nested = |deep: usize| "<a>".repeat(deep) + &"</a>".repeat(deep);
        assert!(measured(&nested(DEEPEST), 9).is_ok());
        assert!(matches!(measured(&nested(DEEPEST + 1), 9), Err(Unreadable::Excessive)));
        assert!(matches!(measured(&"<a>".repeat(500_000), 9), Err(Unreadable::Excessive)));
        let many = |count: usize| format!("<r>{}</r>", "<a/>".repeat(count));
        assert!(measured(&many(MOST_ELEMENTS - 1), 9).is_ok());
        assert!(matches!(measured(&many(MOST_ELEMENTS), 9), Err(Unreadable::Excessive)));
        let wide = |count: usize| format!("<r {}/>", (0..count).map(|at| format!("a{at}='' ")).collect::<String>());
        assert!(measured(&wide(MOST_ATTRIBUTES), 9).is_ok());
        assert!(matches!(measured(&wide(MOST_ATTRIBUTES + 1), 9), Err(Unreadable::Excessive)));
        assert!(matches!(measured(&wide(200_000), 9), Err(Unreadable::Excessive)));
        let spaces = |count: usize| {
            let declared = |at| format!("<a xmlns:a{at}='x' xmlns:b{at}='y'>");
            format!("{}{}", (0..count / 2).map(declared).collect::<String>(), "</a>".repeat(count / 2))
        };
        assert!(measured(&spaces(200), 9).is_ok());
        // One after the other they are never in force together.
        assert!(measured(&format!("<r>{}</r>", "<a xmlns='x'/><a xmlns='x'></a>".repeat(500)), 9).is_ok());
        let wider = "<a xmlns:a='x' xmlns:b='x' xmlns:c='x'>".repeat(70);
        assert!(matches!(measured(&wider, 9), Err(Unreadable::Excessive)));
        let based = |length: usize| format!("<r xml:base='{}'/>", "a".repeat(length));
        assert!(measured(&based(LONGEST_BASE), 9).is_ok());
        assert!(matches!(measured(&based(LONGEST_BASE + 1), 9), Err(Unreadable::Excessive)));
    }

    #[test]
    fn a_document_type_is_refused_and_a_page_is_no_feed() {
        for kind in
            ["<!DOCTYPE rss>", "<!DOCTYPE rss [<!ENTITY a \"b\">]>", "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\">"]
        {
            assert!(matches!(measured(&format!("{kind}<rss/>"), 9), Err(Unreadable::DocumentType)), "{kind}");
        }
        assert!(matches!(measured("<!doctype HTML><html></html>", 9), Err(Unreadable::NotAFeed)));
    }

    #[test]
    fn what_is_no_xml_is_broken() {
        for broken in ["<a>", "<a></b>", "</a>", "<a", "<a><?xml version='1.0' encoding='utf-16'?></a>", "<![CDATA["] {
            assert!(matches!(measured(broken, 9), Err(Unreadable::Broken)), "{broken}");
        }
    }
}
