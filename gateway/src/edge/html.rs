//! HTML escaping.

/// Escapes a text for HTML content and quoted attributes.
pub fn escape(raw: &str) -> String {
    raw.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
