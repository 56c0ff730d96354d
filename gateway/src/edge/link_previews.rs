//! Rendering of link previews as meta tags.

use crate::edge::html::escape;

/// The picture of pages without one. Its size is in its file: 512 x 512.
const DEFAULT_PICTURE: &str = "/brand/portia-icon.png";

/// Removes control characters and marks of text direction, which would affect the text around a preview.
pub fn plain(text: &str) -> String {
    let is_removed = |c: char| {
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || (c.is_control() && !c.is_whitespace())
    };
    text.chars().filter(|c| !is_removed(*c)).collect()
}

/// The preview of a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Preview {
    /// The path of the page.
    pub path: String,
    /// The title of the page.
    pub title: String,
    /// The description.
    pub description: String,
    /// The Open Graph type.
    pub og_type: &'static str,
    /// The path of the picture.
    pub picture: Option<String>,
}

impl Preview {
    /// The meta tags, marked so that the client replaces them with its own.
    pub fn tags(&self, origin: &str) -> String {
        let (title, description) = (escape(&self.title), escape(&self.description));
        let address = escape(&format!("{origin}{}", self.path));
        // Only pictures of this gateway.
        let picture = self.picture.as_deref().filter(|picture| picture.starts_with("/media/"));
        let picture = escape(&format!("{origin}{}", picture.unwrap_or(DEFAULT_PICTURE)));
        let mut tags = format!(
            "<title data-preview>{title}</title><link data-preview rel=\"canonical\" href=\"{address}\">\
             <meta data-preview name=\"description\" content=\"{description}\">"
        );
        let social = [
            ("property", "og:site_name", "Portia"),
            ("property", "og:type", self.og_type),
            ("property", "og:title", &title),
            ("property", "og:description", &description),
            ("property", "og:url", &address),
            ("property", "og:image", &picture),
            ("property", "og:locale", "en_US"),
            ("name", "twitter:card", "summary"),
            ("name", "twitter:title", &title),
            ("name", "twitter:description", &description),
            ("name", "twitter:image", &picture),
        ];
        for (attribute, name, content) in social {
            tags.push_str(&format!("<meta data-preview {attribute}=\"{name}\" content=\"{content}\">"));
        }
        tags
    }
}
