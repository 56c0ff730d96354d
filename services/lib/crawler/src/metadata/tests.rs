//! Pages as they are, and hostile ones.

use super::*;

fn page(html: &str) -> Metadata {
    of_page(html.as_bytes(), None, &Url::parse("https://example.org/news/page").unwrap())
}

fn picture(html: &str) -> Option<String> {
    page(html).picture.map(String::from)
}

#[test]
fn open_graph_comes_before_standard_tags() {
    let found = page(
        r#"<!doctype html><html><head>
        <title>Plain &amp; simple</title>
        <meta name="description" content="standard">
        <meta property='og:title' content='The "Court" decides'>
        <META PROPERTY=og:description CONTENT=short>
        <meta content="Law &#8217;n&#8217; Order" property="og:site_name" />
        <meta property="og:image" content="/pictures/a.jpg#x">
        <meta property="og:image" content="/pictures/second.jpg">
        </head><body><meta property="og:title" content="late"></body>"#,
    );
    assert_eq!(found.title, "The \"Court\" decides");
    assert_eq!(found.description, "short");
    assert_eq!(found.site, "Law \u{2019}n\u{2019} Order");
    assert_eq!(found.picture.unwrap().as_str(), "https://example.org/pictures/a.jpg");
}

#[test]
fn a_page_without_open_graph_has_its_title_and_description() {
    let found = page("<title>\n A  page\n</title><meta name=description content='About it'>");
    assert_eq!((found.title.as_str(), found.description.as_str()), ("A page", "About it"));
    assert_eq!((found.site.as_str(), found.picture), ("", None));
    assert_eq!(page("no markup"), Metadata::default());
    assert_eq!(page(""), Metadata::default());
}

#[test]
fn an_empty_value_leaves_the_next_name() {
    let found = page(
        "<meta property=og:title content='  '><meta name=twitter:title content='&lt;b&gt;&lt;/b&gt;'><title>Last</title>",
    );
    assert_eq!(found.title, "Last");
}

#[test]
fn texts_have_no_markup_no_control_characters_and_a_bounded_length() {
    let found = page(
        "<meta property=og:title content='<img src=x onerror=alert(1)>Hello &lt;script&gt;alert(1)&lt;/script&gt;\u{202e}world'>",
    );
    assert_eq!(found.title, "Hello world");
    let long = "word ".repeat(10_000);
    let found = page(&format!("<title>{long}</title><meta name=description content='{long}'>"));
    assert!(found.title.chars().count() <= MAX_TITLE, "{}", found.title);
    // A tag with more attributes than are read has no complete content.
    assert_eq!(found.description, "");
    let found = page(&format!("<meta name=description content='{}'>", "word ".repeat(1_000)));
    assert!(found.description.chars().count() <= MAX_DESCRIPTION && found.description.ends_with('\u{2026}'));
}

#[test]
fn only_web_addresses_are_pictures() {
    for other in
        ["javascript:alert(1)", "data:image/png;base64,AAAA", "file:///etc/passwd", "ftp://a.example/x.png", ""]
    {
        assert_eq!(picture(&format!("<meta property=og:image content='{other}'>")), None, "{other}");
    }
    let next = "<meta property=og:image content='data:,x'><meta name=twitter:image content=//cdn.example/x.png>";
    assert_eq!(picture(next).as_deref(), Some("https://cdn.example/x.png"));
}

#[test]
fn the_declared_charset_is_used_when_it_is_valid() {
    let url = Url::parse("https://example.org/").unwrap();
    let windows = |html: &str| encoding_rs::WINDOWS_1252.encode(html).0.into_owned();
    let html = "<meta charset='windows-1252'><title>Caf\u{e9}</title>";
    assert_eq!(of_page(&windows(html), None, &url).title, "Caf\u{e9}");
    // A wrong header and a wrong declaration.
    assert_eq!(of_page(&windows(html), Some("utf-8"), &url).title, "Caf\u{e9}");
    assert_eq!(of_page(html.as_bytes(), Some("iso-8859-1"), &url).title, "Caf\u{e9}");
    let japanese =
        "<meta http-equiv=content-type content='text/html; charset=Shift_JIS'><title>\u{6cd5}\u{5f8b}</title>";
    let bytes = encoding_rs::SHIFT_JIS.encode(japanese).0.into_owned();
    assert_eq!(of_page(&bytes, None, &url).title, "\u{6cd5}\u{5f8b}");
}

#[test]
fn a_hostile_page_takes_linear_time() {
    let start = std::time::Instant::now();
    for html in [
        format!("<meta {}>", "a=b ".repeat(1 << 20)),
        format!("<meta {}", "content='".repeat(1 << 19)),
        "<meta property=og:title content=x>".repeat(100_000),
        "<title>".repeat(500_000),
        "<".repeat(4 << 20),
        "<meta =\"".repeat(400_000),
    ] {
        page(&html);
    }
    // A quadratic reader takes hours.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
