//! The description of a page for previews: its title, description, site and picture.
//!
//! Read from Open Graph, Twitter and standard meta tags and `<title>` of the head, by the scanner of `text`: the time is linear
//! in the page, and of each tag only a bounded part is read.

use encoding_rs::Encoding;
use url::Url;

use crate::{
    feed::decode::decoded,
    text::{self, Piece, Scan, unescape},
};

/// The longest title, in characters.
pub const MAX_TITLE: usize = 200;
/// The longest description, in characters.
pub const MAX_DESCRIPTION: usize = 300;
/// The longest name of a site, in characters.
pub const MAX_SITE: usize = 80;
/// The longest address of a picture, in bytes.
const MAX_ADDRESS: usize = 2_048;
/// The most tags that are read. A head has some hundreds.
const MAX_TAGS: usize = 4_000;
/// The bytes of the attributes of a tag that are read: pictures as data addresses are longer.
const MAX_ATTRIBUTES: usize = 8_192;
/// The bytes in which a page declares its charset.
const DECLARATION: usize = 1_024;

/// The description of a page: plain texts in one line, without markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title; empty without one.
    pub title: String,
    /// The description; empty without one.
    pub description: String,
    /// The name of the site; empty without one.
    pub site: String,
    /// The absolute address of the picture, http(s).
    pub picture: Option<Url>,
}

/// Reads a page from `url` with the charset of its header.
#[must_use]
pub fn of_page(bytes: &[u8], charset: Option<&str>, url: &Url) -> Metadata {
    of_html(&decoded(bytes, charset, declared), url)
}

/// The charset of `<meta charset=..>` or `<meta http-equiv=content-type content="..; charset=..">`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(bytes.get(..bytes.len().min(DECLARATION)).unwrap_or_default()).to_lowercase();
    let after = start.split_once("charset")?.1.trim_start().strip_prefix('=')?;
    let name = after.trim_start().trim_start_matches(['"', '\'']);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')));
    let name = name.get(..end.unwrap_or(name.len()))?;
    // A declaration that is readable as ASCII is not UTF-16.
    Encoding::for_label(name.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// The first value of each name, best names first.
#[derive(Default)]
struct Found {
    titles: [Option<String>; 3],
    descriptions: [Option<String>; 3],
    site: Option<String>,
    pictures: [Option<String>; 3],
}

fn of_html(html: &str, url: &Url) -> Metadata {
    let mut found = Found::default();
    let tags = Scan::new(html).filter_map(|piece| match piece {
        Piece::Tag(tag) if tag.opens => Some(tag),
        _ => None,
    });
    for tag in tags.take(MAX_TAGS) {
        if tag.name.eq_ignore_ascii_case("body") {
            break;
        } else if tag.name.eq_ignore_ascii_case("title") {
            keep(&mut found.titles[2], tag.content.to_owned());
        } else if tag.name.eq_ignore_ascii_case("meta") {
            found.meta(tag.attributes);
        }
    }
    let first = |values: [Option<String>; 3], most| {
        let mut lines = values.into_iter().flatten().map(|value| text::line(&value, most));
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    };
    let picture = found.pictures.into_iter().flatten().find_map(|raw| address(&raw, url));
    Metadata {
        title: first(found.titles, MAX_TITLE),
        description: first(found.descriptions, MAX_DESCRIPTION),
        site: first([found.site, None, None], MAX_SITE),
        picture,
    }
}

impl Found {
    fn meta(&mut self, attributes: &str) {
        let (mut name, mut content) = (None, None);
        for (key, value) in Attributes(cut(attributes)) {
            match key.to_ascii_lowercase().as_str() {
                "property" | "name" if name.is_none() => name = Some(value.trim().to_ascii_lowercase()),
                // Once here and once in `text::line`: pages escape the content of an attribute and often its text too.
                "content" if content.is_none() => content = Some(unescape(value)),
                _ => {}
            }
        }
        let Some((name, content)) = name.zip(content).filter(|(_, content)| !content.trim().is_empty()) else { return };
        let slot = match name.as_str() {
            "og:title" => &mut self.titles[0],
            "twitter:title" => &mut self.titles[1],
            "og:description" => &mut self.descriptions[0],
            "twitter:description" => &mut self.descriptions[1],
            "description" => &mut self.descriptions[2],
            "og:site_name" => &mut self.site,
            "og:image:secure_url" => &mut self.pictures[0],
            "og:image" | "og:image:url" => &mut self.pictures[1],
            "twitter:image" | "twitter:image:src" => &mut self.pictures[2],
            _ => return,
        };
        keep(slot, content);
    }
}

/// The first value stays, as in browsers.
fn keep(slot: &mut Option<String>, value: String) {
    slot.get_or_insert(value);
}

/// At most [`MAX_ATTRIBUTES`] bytes, up to a character boundary.
fn cut(attributes: &str) -> &str {
    let most = attributes.len().min(MAX_ATTRIBUTES);
    let end = (0..=most).rev().find(|at| attributes.is_char_boundary(*at)).unwrap_or(0);
    attributes.get(..end).unwrap_or_default()
}

/// The absolute address of a picture, relative to the page.
fn address(raw: &str, page: &Url) -> Option<Url> {
    let raw = raw.trim();
    if raw.is_empty() || raw.len() > MAX_ADDRESS {
        return None;
    }
    let mut url = page.join(raw).ok()?;
    url.set_fragment(None);
    (matches!(url.scheme(), "http" | "https") && url.host_str().is_some()).then_some(url)
}

/// The attributes of a tag: names and values as written. An attribute without a value is skipped.
struct Attributes<'a>(&'a str);

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.0.trim_start_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'));
            let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '/' | '>'))?;
            let (name, rest) = rest.split_at_checked(end)?;
            let Some(value) = rest.trim_start().strip_prefix('=') else {
                self.0 = rest;
                continue;
            };
            let value = value.trim_start();
            let (value, rest) = match value.chars().next()? {
                quote @ ('"' | '\'') => value.get(1..)?.split_once(quote)?,
                _ => {
                    let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len());
                    value.split_at_checked(end)?
                }
            };
            self.0 = rest;
            return Some((name, value));
        }
    }
}

#[cfg(test)]
mod tests;
