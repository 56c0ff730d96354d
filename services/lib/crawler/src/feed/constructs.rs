//! The text constructs of Atom (RFC 4287, section 3.1), each as the text of HTML.
//!
//! feed-rs writes the text of XHTML without its escapes, so `List&lt;String&gt;` would become an element, and refuses the whole
//! feed for a type that it does not know.

use std::borrow::Cow;

use html_escape::encode_text_to_string;
use quick_xml::{
    NsReader,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
    name::{Namespace, ResolveResult},
};

const ATOM: Namespace<'static> = Namespace(b"http://www.w3.org/2005/Atom");

/// The type of a construct.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Text, and XHTML: elements are markup, and the rest is literal.
    Literal,
    /// Text that is HTML.
    Html,
    /// Another media type, or content at another address.
    Unreadable,
}

/// Returns the document with text constructs of the type `html` only, if it is an Atom feed.
pub(super) fn as_html(document: &str) -> Cow<'_, str> {
    rewrite(document).map_or(Cow::Borrowed(document), Cow::Owned)
}

fn rewrite(document: &str) -> Option<String> {
    let mut reader = NsReader::from_str(document);
    reader.config_mut().trim_markup_names_in_closing_tags = true;
    let (mut out, mut copied, mut is_root) = (String::new(), 0, true);
    loop {
        let start = position(&reader)?;
        let (namespace, event) = reader.read_resolved_event().ok()?;
        // Without a namespace, an element belongs to the namespace of the root.
        let is_atom = match namespace {
            ResolveResult::Bound(namespace) => namespace == ATOM,
            ResolveResult::Unbound | ResolveResult::Unknown(_) => true,
        };
        let (element, is_empty) = match event {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::Eof => break,
            _ => continue,
        };
        let local = element.local_name();
        if std::mem::take(&mut is_root) && !matches!(local.as_ref(), b"feed" | b"entry") {
            return None;
        }
        let is_content = local.as_ref() == b"content";
        if is_atom && (is_content || matches!(local.as_ref(), b"title" | b"subtitle" | b"summary" | b"rights")) {
            let kind = kind(&element, is_content);
            let html = if is_empty { String::new() } else { read_html(&mut reader, kind)? };
            out.push_str(document.get(copied..start)?);
            write(&mut out, &element, &html);
            copied = position(&reader)?;
        }
    }
    out.push_str(document.get(copied..)?);
    Some(out)
}

fn position(reader: &NsReader<&[u8]>) -> Option<usize> {
    usize::try_from(reader.buffer_position()).ok()
}

fn kind(element: &BytesStart<'_>, is_content: bool) -> Kind {
    let mut kind = Kind::Literal;
    for attribute in element.attributes().with_checks(false).flatten() {
        let value = String::from_utf8_lossy(&attribute.value).trim().to_ascii_lowercase();
        match attribute.key.as_ref() {
            b"src" if is_content => return Kind::Unreadable,
            b"type" => {
                kind = match value.split(';').next().unwrap_or_default().trim_end() {
                    "html" | "text/html" => Kind::Html,
                    media if media.ends_with("+xml") || media.ends_with("/xml") => Kind::Literal,
                    media if media.contains('/') && !media.starts_with("text/") => Kind::Unreadable,
                    _ => Kind::Literal,
                };
            }
            _ => {}
        }
    }
    kind
}

/// The content up to the end of the open element, as HTML.
fn read_html(reader: &mut NsReader<&[u8]>, kind: Kind) -> Option<String> {
    let (mut html, mut depth) = (String::new(), 0_usize);
    let push = |html: &mut String, text: &str| match kind {
        Kind::Html => html.push_str(text),
        Kind::Literal | Kind::Unreadable => {
            encode_text_to_string(text, html);
        }
    };
    loop {
        match reader.read_event().ok()? {
            Event::Start(child) => {
                depth += 1;
                tag(&mut html, "<", child.local_name().as_ref());
            }
            Event::Empty(child) => {
                tag(&mut html, "<", child.local_name().as_ref());
                // `</br>` is another line break in HTML.
                if child.local_name().as_ref() != b"br" {
                    tag(&mut html, "</", child.local_name().as_ref());
                }
            }
            Event::End(end) => {
                let Some(outer) = depth.checked_sub(1) else { break };
                depth = outer;
                tag(&mut html, "</", end.local_name().as_ref());
            }
            Event::Text(text) => push(&mut html, &String::from_utf8_lossy(&text)),
            Event::CData(text) => push(&mut html, &String::from_utf8_lossy(&text)),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().ok()? {
                Some(c) => push(&mut html, c.encode_utf8(&mut [0; 4])),
                None => {
                    let name = String::from_utf8_lossy(&reference).into_owned();
                    match resolve_predefined_entity(&name) {
                        Some(text) => push(&mut html, text),
                        // Names that only HTML knows, as `&nbsp;`.
                        None => html.push_str(&format!("&{name};")),
                    }
                }
            },
            Event::Eof => return None,
            _ => {}
        }
    }
    Some(if kind == Kind::Unreadable { String::new() } else { html })
}

fn tag(html: &mut String, start: &str, name: &[u8]) {
    html.push_str(start);
    html.push_str(&String::from_utf8_lossy(name));
    html.push('>');
}

/// Writes the element with HTML as its text.
fn write(out: &mut String, element: &BytesStart<'_>, html: &str) {
    let qualified = element.name();
    let name = String::from_utf8_lossy(qualified.as_ref());
    out.push_str(&format!("<{name} type=\"html\""));
    for attribute in element.attributes().with_checks(false).flatten() {
        let key = String::from_utf8_lossy(attribute.key.as_ref());
        // The prefix of the name may be declared here.
        if key.starts_with("xmlns") {
            let value = String::from_utf8_lossy(&attribute.value);
            let quote = if value.contains('"') { '\'' } else { '"' };
            out.push_str(&format!(" {key}={quote}{value}{quote}"));
        }
    }
    // Not escaped, which could make nine bytes of one.
    out.push_str("><![CDATA[");
    out.push_str(&html.replace("]]>", "]]]]><![CDATA[>"));
    out.push_str(&format!("]]></{name}>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(title: &str) -> String {
        let feed = format!("<feed xmlns='http://www.w3.org/2005/Atom'><entry>{title}<id>1</id></entry></feed>");
        let written = as_html(&feed).into_owned();
        let inner = written.strip_prefix("<feed xmlns='http://www.w3.org/2005/Atom'><entry>").unwrap();
        inner.strip_suffix("<id>1</id></entry></feed>").unwrap().to_owned()
    }

    fn html(inner: &str) -> String {
        format!("<title type=\"html\"><![CDATA[{inner}]]></title>")
    }

    #[test]
    fn each_type_becomes_html() {
        for (given, expected) in [
            ("<title>a &lt;b&gt; &amp;amp; c</title>", "a &lt;b&gt; &amp;amp; c"),
            ("<title type='text'><![CDATA[a <b> &amp; c]]></title>", "a &lt;b&gt; &amp;amp; c"),
            ("<title type=' HTML '>a &lt;b&gt; &amp;amp; c</title>", "a <b> &amp; c"),
            ("<title type='html'><![CDATA[a <b>c</b>]]></title>", "a <b>c</b>"),
            ("<title type='html'>a <b>c</b></title>", "a <b>c</b>"),
            ("<title type='text/html; charset=utf-8'>a &lt;b&gt;</title>", "a <b>"),
            (
                "<title type='xhtml'><x:div xmlns:x='y'>a<x:br/>&lt;b&gt;<x:i class='&quot;'>c</x:i></x:div></title>",
                "<div>a<br>&lt;b&gt;<i>c</i></div>",
            ),
            ("<title type='application/xhtml+xml'><p>a</p></title>", "<p>a</p>"),
            ("<title type='text/plain'>&#60;b>&nbsp;&#x26;</title>", "&lt;b&gt;&nbsp;&amp;"),
            ("<title type='unheard of'>&lt;b></title>", "&lt;b&gt;"),
            ("<title>A <em>marked</em> word</title>", "A <em>marked</em> word"),
            ("<title type='image/png'>aGVsbG8=</title>", ""),
            ("<title type='html'>a]]&gt;b</title>", "a]]]]><![CDATA[>b"),
            ("<title/>", ""),
        ] {
            assert_eq!(title(given), html(expected), "{given}");
        }
        assert_eq!(
            title("<content src='https://a.example/1' type='html'>x</content>"),
            "<content type=\"html\"><![CDATA[]]></content>"
        );
        let declared = "<a:title xmlns:a='http://www.w3.org/2005/Atom' a:x='y'>&lt;</a:title>";
        assert_eq!(
            title(declared),
            "<a:title type=\"html\" xmlns:a=\"http://www.w3.org/2005/Atom\"><![CDATA[&lt;]]></a:title>"
        );
    }

    #[test]
    fn other_elements_and_documents_are_unchanged() {
        for same in [
            "<rss><channel><title>a</title></channel></rss>",
            "<rdf:RDF xmlns:rdf='x'><title>a</title></rdf:RDF>",
            "<feed><m:title xmlns:m='urn:unread'>a</m:title><link title='b'/></feed>",
            "<feed><title>never ends",
            "",
        ] {
            assert_eq!(as_html(same), same);
        }
    }
}
