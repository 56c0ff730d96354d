//! Hostile and invalid feeds, fetched and read as a service does it.

use chrono::{DateTime, Utc};
use crawler::{
    feed::{self, Entry, FeedError, MAX_ENTRIES},
    fetch::Document,
};

use crate::{
    bodies::{compress, gzip},
    server::{Answer, Server, answer, ok, redirect},
};

fn now() -> DateTime<Utc> {
    "2026-11-22T12:00:00Z".parse().unwrap()
}

fn read(mut document: Document) -> Result<Vec<Entry>, FeedError> {
    feed::read(&mut document, now())
}

async fn fetched(answer: Vec<u8>) -> Result<Vec<Entry>, FeedError> {
    read(Server::saying(answer).await.document("/feed").await)
}

/// Why a body is refused, which is the same for the compressed body.
async fn refusal(body: impl AsRef<[u8]>) -> String {
    let refusal = fetched(ok(&body)).await.unwrap_err().to_string();
    assert_eq!(fetched(gzip(&compress(body.as_ref()))).await.unwrap_err().to_string(), refusal);
    refusal
}

/// A feed with these items.
pub fn rss(items: &str) -> String {
    format!("<?xml version='1.0'?><rss version='2.0'><channel><title>Law</title>{items}</channel></rss>")
}

/// The title of the only entry of a feed.
async fn title(answer: Vec<u8>) -> String {
    let [entry] = fetched(answer).await.unwrap().try_into().unwrap();
    entry.title
}

const DOCUMENT_TYPE: &str = "It brings a document type of its own.";
const NOT_A_FEED: &str = "It is no RSS or Atom feed.";
const BROKEN: &str = "Its XML is broken.";
const EXCESSIVE: &str = "It repeats or nests elements beyond measure.";

#[tokio::test]
async fn entity_definitions_are_refused() {
    let laughs: String =
        (1..10).map(|at| format!("<!ENTITY lol{at} \"{}\">", format!("&lol{};", at - 1).repeat(10))).collect();
    let title = "<rss version='2.0'><channel><item><title>&lol9;</title></item></channel></rss>";
    for (what, kind) in [
        ("a billion laughs", format!("<!DOCTYPE rss [<!ENTITY lol0 \"lol\">{laughs}]>")),
        ("one long entity", format!("<!DOCTYPE rss [<!ENTITY lol9 \"{}\">]>", "a".repeat(1 << 20))),
        ("an external entity", "<!DOCTYPE rss [<!ENTITY lol9 SYSTEM \"file:///etc/passwd\">]>".to_owned()),
        ("one of another server", "<!DOCTYPE rss [<!ENTITY lol9 SYSTEM \"http://169.254.169.254/\">]>".to_owned()),
        ("a parameter entity", "<!DOCTYPE rss [<!ENTITY % e SYSTEM \"http://127.0.0.1/x.dtd\">%e;]>".to_owned()),
        (
            "an external subset",
            "<!DOCTYPE rss PUBLIC \"-//N//DTD RSS 0.91//EN\" \"http://127.0.0.1/rss.dtd\">".to_owned(),
        ),
        ("behind a comment", "<!-- a --><!doctype rss [<!ENTITY lol9 \"x\">]>".to_owned()),
    ] {
        assert_eq!(refusal(format!("<?xml version='1.0'?>\n{kind}{title}")).await, DOCUMENT_TYPE, "{what}");
    }
    // Without a document type, an unknown entity is text.
    let [entry] = fetched(ok(title)).await.unwrap().try_into().unwrap();
    assert_eq!(entry.title, "&lol9;");
}

#[tokio::test]
async fn at_most_five_hundred_items_are_read() {
    // The most that fit.
    let items = "<item/>".repeat(290_000);
    assert_eq!(fetched(ok(rss(&items))).await.unwrap().len(), MAX_ENTRIES);
    let titled: String =
        (0..20_000).map(|at| format!("<item><title>Story {at}</title><guid>{at}</guid></item>")).collect();
    let entries = fetched(gzip(&compress(rss(&titled).as_bytes()))).await.unwrap();
    assert_eq!(
        (entries.len(), entries[0].title.as_str(), entries[499].id.as_deref()),
        (MAX_ENTRIES, "Story 0", Some("499"))
    );
    let million = Server::saying(gzip(&compress(rss(&"<item/>".repeat(1_000_000)).as_bytes()))).await;
    assert_eq!(million.failure("/feed").await.to_string(), "It sent more than 2 MiB.");
}

#[tokio::test]
async fn excessive_elements_are_refused() {
    let deep = 100_000;
    assert_eq!(
        refusal(rss(&format!("<item><description>{}</description></item>", "<b>".repeat(deep)))).await,
        EXCESSIVE
    );
    assert_eq!(refusal(rss(&format!("{}{}", "<item>".repeat(deep), "</item>".repeat(deep)))).await, EXCESSIVE);
    assert_eq!(refusal(rss(&format!("<item>{}</item>", "<category/>".repeat(150_000)))).await, EXCESSIVE);
    let base = format!("<item xml:base='https://example.org/{}'>", "a".repeat(1_000_000));
    assert_eq!(refusal(rss(&format!("{base}{}</item>", "<link/>".repeat(90_000)))).await, EXCESSIVE);
    let spaces: String = (0..90).map(|at| format!("<a xmlns:a{at}='x' xmlns:b{at}='x' xmlns:c{at}='x'>")).collect();
    assert_eq!(refusal(rss(&format!("{spaces}{}", "<x:y/>".repeat(90_000)))).await, EXCESSIVE);
    let attributes: String = (0..100_000).map(|at| format!(" a{at}='b'")).collect();
    assert_eq!(refusal(rss(&format!("<item><title{attributes}>x</title></item>"))).await, EXCESSIVE);
}

#[tokio::test]
async fn other_documents_are_not_feeds() {
    let page = "<!DOCTYPE html>\n<html><head><title>Down for maintenance</title></head><body>Sorry</body></html>";
    for (what, body) in [
        ("an error page with 200", page),
        ("a page without a type", "<html><body><p>x</p></body></html>"),
        ("a page that is no XML either", "<!DOCTYPE HTML><p>a<br>b"),
        ("JSON", "{\"jobs\": []}"),
        ("a JSON feed", "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"x\", \"items\": []}"),
        ("JSON that is none", "{{{{[[[\"<rss"),
        ("text", "Not found"),
        ("another language of XML", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("NULs", "\0\0\0\0x"),
    ] {
        assert_eq!(refusal(body).await, NOT_A_FEED, "{what}");
    }
    for (what, body) in
        [("nothing", ""), ("space", " \r\n\t "), ("a mark", "\u{feff}"), ("a declaration", "<?xml version='1.0'?>")]
    {
        assert_eq!(fetched(ok(body)).await.unwrap_err().to_string(), "It was empty.", "{what}");
    }
}

#[tokio::test]
async fn a_truncated_feed_is_refused() {
    let whole = rss("<item><title>One</title></item><item><title>Two</title></item>");
    for end in [whole.len() - 1, whole.len() - 20, whole.len() / 2] {
        assert_eq!(refusal(&whole[..end]).await, BROKEN, "{end}");
    }
    // A response without a length may be truncated without notice.
    let broken = [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), &whole.as_bytes()[..whole.len() - 30]].concat();
    assert_eq!(fetched(broken).await.unwrap_err().to_string(), BROKEN);
    for (what, body) in
        [("packed twice", compress(whole.as_bytes())), ("noise", (0..=255).cycle().take(9_999).collect())]
    {
        assert_eq!(refusal(body).await, NOT_A_FEED, "{what}");
    }
}

#[tokio::test]
async fn every_charset_is_decoded() {
    let declared = |name: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{name}\"?><rss version='2.0'><channel><item><title>Caf\u{e9} \u{2019}s</title></item></channel></rss>"
        )
    };
    let windows = |text: &str| encoding_rs::WINDOWS_1252.encode(text).0.into_owned();
    let utf16 = |text: &str| [vec![0xff, 0xfe], text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
    let typed = |kind: &str, body: &[u8]| answer("200 OK", &[&format!("content-type: {kind}")], body);
    for (what, answer) in [
        ("utf-8", ok(declared("utf-8"))),
        ("declared utf-8, is windows-1252", ok(windows(&declared("utf-8")))),
        ("header utf-8, is windows-1252", typed("text/xml; charset=utf-8", &windows(&declared("utf-8")))),
        ("header against declaration", typed("application/rss+xml;charset=windows-1252", &windows(&declared("utf-8")))),
        ("utf-16 with a mark", ok(utf16(&declared("utf-16")))),
        ("utf-16 with a mark, called utf-8", typed("text/xml; charset=utf-8", &utf16(&declared("utf-8")))),
        ("an unknown name", typed("text/xml; charset=klingon", declared("x-klingon").as_bytes())),
        ("utf-8 called utf-16", ok(declared("utf-16"))),
        ("a mark in front", ok(format!("\u{feff}{}", declared("iso-8859-1")))),
    ] {
        assert_eq!(title(answer).await, "Caf\u{e9} \u{2019}s", "{what}");
    }
}

#[tokio::test]
async fn titles_become_plain_text_of_bounded_length() {
    let titled = |title: &str| ok(rss(&format!("<item><title>{title}</title></item>")));
    let long = title(titled(&"word ".repeat(200_000))).await;
    assert!(long.chars().count() <= 500 && long.ends_with("word\u{2026}"), "{long}");
    assert_eq!(title(titled(&"a".repeat(1_000_000))).await.chars().count(), 500);
    assert_eq!(title(titled("a\0b\u{1}c\u{202e}d&#0;e")).await, "abcd\u{fffd}e");
    assert_eq!(title(titled("&lt;script&gt;alert(1)&lt;/script&gt;Court &amp;amp; jury")).await, "Court & jury");
    assert_eq!(title(titled("<![CDATA[<b>Bold</b> & bare]]>")).await, "Bold & bare");
    assert_eq!(title(titled("AT&T & R&D")).await, "AT&T & R&D");
    assert_eq!(title(titled("It&rsquo;s &#8220;here&#8221;&nbsp;now")).await, "It\u{2019}s \u{201c}here\u{201d} now");
    assert_eq!(title(titled(&"&amp;".repeat(300_000))).await.chars().count(), 500);
}

#[tokio::test]
async fn an_entry_with_an_unreadable_date_is_kept_without_it() {
    let item = |date: &str| format!("<item><title>x</title><guid>{date}</guid><pubDate>{date}</pubDate></item>");
    let dates = [
        "soon",
        "0000-00-00",
        "Mon, 99 Foo 2026",
        "Fri, 20 Nov 2099 00:00:00 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "Fri, 20 Nov 2026 15:04:05 GMT",
    ];
    let entries = fetched(ok(rss(&dates.map(item).concat()))).await.unwrap();
    let read: Vec<bool> = entries.iter().map(|entry| entry.published.is_some()).collect();
    assert_eq!(read, [false, false, false, false, false, true]);
}

#[tokio::test]
async fn only_web_links_are_read() {
    let item = |link: &str| format!("<item><title>x</title><link>{link}</link></item>");
    let long = format!("https://example.org/{}", "a".repeat(2_100));
    let links = [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://me:pw@example.org/",
        "//me:pw@example.org/x",
        "data:text/html,x",
        &long,
        "https://example.org/a?b=1&c=2",
    ];
    let entries = fetched(ok(rss(&links.map(item).concat()))).await.unwrap();
    let urls: Vec<Option<String>> = entries.into_iter().map(|entry| entry.url.map(String::from)).collect();
    assert_eq!(urls, [None, None, None, None, None, None, Some("https://example.org/a?b=1&c=2".to_owned())]);
}

#[tokio::test]
async fn relative_addresses_follow_the_final_address_of_the_feed() {
    let items = "<item><title>One</title><link>one</link></item><item><title>Two</title><link>/two</link></item>";
    let feed = rss(items);
    let server = Server::start(move |target| {
        Answer::Bytes(if target == "/feed" { redirect("/law/rss.xml") } else { ok(&feed) })
    })
    .await;
    let entries = read(server.document("/feed").await).unwrap();
    let addresses: Vec<String> = entries.into_iter().map(|entry| entry.url.unwrap().to_string()).collect();
    let base = format!("http://{}", server.address);
    assert_eq!(addresses, [format!("{base}/law/one"), format!("{base}/two")]);
}
