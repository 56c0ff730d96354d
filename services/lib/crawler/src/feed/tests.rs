//! Tests of feeds in the shape of real ones, and of broken feeds.

use std::io::{Seek as _, Write as _};

use chrono::{DateTime, Utc};
use proptest::prelude::*;
use tempfile::spooled_tempfile;

use super::{Entry, FeedError, read};
use crate::fetch::Document;

fn now() -> DateTime<Utc> {
    "2026-11-22T12:00:00Z".parse().unwrap()
}

fn entries(feed: impl AsRef<[u8]>) -> Result<Vec<Entry>, FeedError> {
    let mut body = spooled_tempfile(1 << 20);
    body.write_all(feed.as_ref()).unwrap();
    body.rewind().unwrap();
    let mut document = Document {
        body,
        bytes: 0,
        url: Box::new("https://feeds.example/law/rss.xml".parse().unwrap()),
        media_type: None,
        charset: None,
        etag: None,
        last_modified: None,
    };
    read(&mut document, now())
}

/// The only entry of an RSS feed with these elements.
fn rss_entry(elements: &str) -> Entry {
    let feed = format!("<rss version='2.0'><channel><item>{elements}</item></channel></rss>");
    let [entry] = entries(feed).unwrap().try_into().unwrap();
    entry
}

/// The only entry of an Atom feed with these elements.
fn atom_entry(elements: &str) -> Entry {
    let feed = format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title><entry>{elements}</entry></feed>");
    let [entry] = entries(feed).unwrap().try_into().unwrap();
    entry
}

/// A feed of WordPress with all its modules.
const WORDPRESS: &str = r#"<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:wfw="http://wellformedweb.org/CommentAPI/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:atom="http://www.w3.org/2005/Atom"
	xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"
	xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
	xmlns:media="http://search.yahoo.com/mrss/"
	>
<channel>
	<title>The Docket</title>
	<atom:link href="https://docket.example/feed/" rel="self" type="application/rss+xml" />
	<link>https://docket.example/</link>
	<description>News of courts</description>
	<lastBuildDate>Sat, 21 Nov 2026 20:15:00 +0000</lastBuildDate>
	<language>en-US</language>
	<sy:updatePeriod>hourly</sy:updatePeriod>
	<item>
		<title>Judges&#8217; Day Off &#038; Other Stories</title>
		<link>https://docket.example/2026/11/judges-day-off/</link>
		<comments>https://docket.example/2026/11/judges-day-off/#comments</comments>
		<dc:creator><![CDATA[Ada Advocate]]></dc:creator>
		<pubDate>Sat, 21 Nov 2026 19:30:00 +0000</pubDate>
		<category><![CDATA[Courts]]></category>
		<category><![CDATA[Law & Leisure]]></category>
		<guid isPermaLink="false">https://docket.example/?p=4242</guid>
		<description><![CDATA[<p>The bench took the day off. <a href="https://docket.example/2026/11/judges-day-off/">Read more</a></p>]]></description>
		<content:encoded><![CDATA[<p>The bench took the day off.</p><p>They agreed &amp; all went home.</p>]]></content:encoded>
		<slash:comments>3</slash:comments>
		<media:content url="https://docket.example/bench.jpg" medium="image"><media:title type="html">A bench</media:title></media:content>
	</item>
	<item>
		<title><![CDATA[A <em>Second</em> Look]]></title>
		<link>https://docket.example/2026/11/second-look/?utm_source=rss</link>
		<author>editor@docket.example (Eve Editor)</author>
		<pubDate>Friday, 20 November 2026 08:00:00 EST</pubDate>
		<guid>https://docket.example/2026/11/second-look/</guid>
		<description>Plain words, &lt;b&gt;bold&lt;/b&gt; ones</description>
	</item>
</channel>
</rss>
"#;

#[test]
fn rss_2_is_read() {
    let [first, second] = entries(WORDPRESS).unwrap().try_into().unwrap();
    assert_eq!(first, Entry {
        id: Some("https://docket.example/?p=4242".to_owned()),
        title: "Judges\u{2019} Day Off & Other Stories".to_owned(),
        url: Some("https://docket.example/2026/11/judges-day-off/".parse().unwrap()),
        html: Some("<p>The bench took the day off.</p><p>They agreed &amp; all went home.</p>".to_owned()),
        summary: Some(
            "<p>The bench took the day off. <a href=\"https://docket.example/2026/11/judges-day-off/\">Read more</a></p>".to_owned()
        ),
        author: Some("Ada Advocate".to_owned()),
        published: Some("2026-11-21T19:30:00Z".parse().unwrap()),
        published_on: None,
        categories: vec!["Courts".to_owned(), "Law & Leisure".to_owned()],
    });
    assert_eq!(second.title, "A Second Look");
    assert_eq!(second.author.as_deref(), Some("Eve Editor"));
    assert_eq!(second.published, Some("2026-11-20T13:00:00Z".parse().unwrap()));
    assert_eq!(second.html.as_deref(), Some("Plain words, <b>bold</b> ones"));
    assert_eq!(second.summary, second.html);
}

#[test]
fn atom_is_read() {
    let feed = r#"<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <title type="text">Case Notes</title>
  <id>tag:notes.example,2026:/</id>
  <updated>2026-11-21T09:00:00-05:00</updated>
  <author><name>The Editors</name></author>
  <entry>
    <title type="html">Smith &lt;i&gt;v.&lt;/i&gt; Jones, &amp;sect; 12</title>
    <link rel="enclosure" href="https://notes.example/smith.mp3" type="audio/mpeg" length="1"/>
    <link rel="alternate" type="text/html" href="https://notes.example/smith-v-jones"/>
    <id>tag:notes.example,2026:42</id>
    <published>2026-11-20T09:00:00.123-05:00</published>
    <updated>2026-11-21T09:00:00-05:00</updated>
    <author><name>Nora Notes</name><email>nora@notes.example</email><uri>https://notes.example/nora</uri></author>
    <category term="torts" label="Torts"/>
    <summary>Short.</summary>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Held: <em>no</em> duty.</p></div></content>
  </entry>
  <entry>
    <title>Without a date of its own</title>
    <link href="https://notes.example/undated"/>
    <id>https://notes.example/undated</id>
    <updated>2026-11-19T00:00:00Z</updated>
  </entry>
</feed>"#;
    let [first, second] = entries(feed).unwrap().try_into().unwrap();
    assert_eq!(first.title, "Smith v. Jones, \u{a7} 12");
    assert_eq!(first.url.unwrap().as_str(), "https://notes.example/smith-v-jones");
    assert_eq!(first.id.as_deref(), Some("tag:notes.example,2026:42"));
    assert_eq!(first.author.as_deref(), Some("Nora Notes"));
    assert_eq!(first.categories, ["Torts"]);
    assert_eq!(first.published, Some("2026-11-20T14:00:00.123Z".parse().unwrap()));
    assert_eq!(first.summary.as_deref(), Some("Short."));
    let html = first.html.unwrap();
    assert_eq!(crate::text::plain(&html, 999), "Held: no duty.", "{html}");
    assert_eq!(second.published, Some("2026-11-19T00:00:00Z".parse().unwrap()));
    assert_eq!((second.html, second.author), (None, None));
}

#[test]
fn rss_1_is_read() {
    let feed = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel rdf:about="https://reporter.example/">
    <title>Reporter</title><link>https://reporter.example/</link><description>Opinions</description>
    <items><rdf:Seq><rdf:li rdf:resource="https://reporter.example/1"/></rdf:Seq></items>
  </channel>
  <item rdf:about="https://reporter.example/1">
    <title>Opinion No. 1</title>
    <link>https://reporter.example/1</link>
    <description>Affirmed.</description>
    <dc:creator>Per Curiam</dc:creator>
    <dc:date>2026-11-18T10:00:00+01:00</dc:date>
  </item>
  <item rdf:about="https://reporter.example/2"><title>Opinion No. 2</title><link>https://reporter.example/2</link></item>
</rdf:RDF>"#;
    let [first, second] = entries(feed).unwrap().try_into().unwrap();
    assert_eq!((first.title.as_str(), first.html.as_deref()), ("Opinion No. 1", Some("Affirmed.")));
    assert_eq!(first.published, Some("2026-11-18T09:00:00Z".parse().unwrap()));
    assert_eq!(first.author.as_deref(), Some("Per Curiam"));
    assert_eq!(second.url.unwrap().as_str(), "https://reporter.example/2");
    assert_eq!((first.id, second.id), (None, None), "RSS 1.0 has none");
}

#[test]
fn old_rss_and_job_feeds_are_read() {
    let old = "<rss version='0.91'><channel><title>Old</title><item><title>Story</title><link>https://old.example/1</link></item></channel></rss>";
    assert_eq!(entries(old).unwrap()[0].title, "Story");
    let job = r#"<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Openings</title><item>
        <title>Associate Attorney - Litigation (Remote)</title><dc:creator>Smith & Jones LLP</dc:creator>
        <link>https://jobs.example/1?a=1&b=2</link><category>Full time</category></item></channel></rss>"#;
    let [job] = entries(job).unwrap().try_into().unwrap();
    assert_eq!(job.author.as_deref(), Some("Smith & Jones LLP"));
    assert_eq!(job.url.unwrap().as_str(), "https://jobs.example/1?a=1&b=2");
}

#[test]
fn an_id_is_as_it_is_given() {
    let id = |guid: &str| rss_entry(&format!("<title>x</title><guid>{guid}</guid>")).id;
    for guid in ["1", "https://docket.example/?p=1&amp;copy=2", "tag:a.example,2026:&lt;b&gt;", "&amp;amp;"] {
        let plain = guid.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        assert_eq!(id(guid), Some(plain), "{guid}");
    }
    assert_eq!((id(""), id(" "), rss_entry("<title>x</title>").id), (None, None, None));
    let long = |end: &str| id(&format!("{}{end}", "a".repeat(600))).unwrap();
    assert!(long("x").len() == 64 && long("x") != long("y") && long("x") != long("X"));
}

#[test]
fn an_email_address_is_not_used_as_a_name() {
    let author = |author: &str| {
        let feed = format!(
            "<rss version='2.0'><channel><item><title>x</title><author>{author}</author></item></channel></rss>"
        );
        entries(feed).unwrap()[0].author.clone()
    };
    assert_eq!(author("jane@example.org"), None);
    assert_eq!(author("jane@example.org (Jane Doe)").as_deref(), Some("Jane Doe"));
    assert_eq!(author("Jane Doe").as_deref(), Some("Jane Doe"));
    assert_eq!(author(""), None);
}

#[test]
fn a_feed_with_local_errors_is_read() {
    let feed = "\n\n <?xml version='1.0'?>\n<rss version=\"2.0\"><channel><title>A & B</title>\
        <item><title>One\u{b} & two&nbsp;three</title><link> https://example.org/1 </link><pubDate>tomorrow</pubDate></item>\
        <item><title></title><link>not a link</link></item></channel></rss>\n<!-- cached -->\n";
    let [first, second] = entries(feed).unwrap().try_into().unwrap();
    assert_eq!((first.title.as_str(), first.published), ("One & two three", None));
    assert_eq!(first.url.unwrap().as_str(), "https://example.org/1");
    assert_eq!((second.title.as_str(), second.url), ("", None));
}

#[test]
fn unused_modules_are_ignored() {
    let long = "9".repeat(40);
    let feed = format!(
        "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/' xmlns:i='http://www.itunes.com/dtds/podcast-1.0.dtd'>\
         <channel><i:category text='Law'/><item><title>One</title><media:title>Two</media:title><i:duration>{long}</i:duration>\
         <i:duration>{long}:00:00</i:duration><media:text start='{long}' end='1.{long}'>x</media:text>\
         <media:thumbnail url='https://example.org/' time='{long}'/></item></channel></rss>"
    );
    assert_eq!(entries(feed).unwrap()[0].title, "One");
}

#[test]
fn authors_in_unusual_formats_are_read_or_none() {
    for (author, name) in [
        ("jane@example.org\u{2013}Jane Doe", None),
        ("Jane Doe\u{a0}jane@example.org", None),
        ("\u{2018}jane@example.org\u{2019} (Jan\u{e9})", Some("Jan\u{e9}")),
        ("\u{201c}", Some("\u{201c}")),
    ] {
        let feed = format!(
            "<rss version='2.0'><channel><item><title>x</title><author>{author}</author></item></channel></rss>"
        );
        assert_eq!(entries(feed).unwrap()[0].author.as_deref(), name, "{author}");
    }
}

#[test]
fn a_feed_that_is_too_long_is_refused() {
    let long = format!("<rss version='2.0'><channel><title>{}</title></channel></rss>", "a".repeat(2 << 20));
    assert!(matches!(entries(long), Err(FeedError::TooLarge)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// A damaged feed causes no panic, and its entries keep their limits.
    #[test]
    fn a_damaged_feed_is_refused_or_read_within_the_limits(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut feed = WORDPRESS.as_bytes().to_vec();
        for (at, byte) in damage {
            let at = at.index(feed.len());
            feed[at] = byte;
        }
        if let Some(cut) = cut {
            feed.truncate(cut.index(feed.len()));
        }
        for entry in entries(&feed).unwrap_or_default() {
            prop_assert!(entry.title.chars().count() <= 500 && !entry.title.contains(char::is_control));
            prop_assert!(entry.id.is_none_or(|id| !id.is_empty() && id.chars().count() <= 500));
            prop_assert!(entry.url.is_none_or(|url| matches!(url.scheme(), "http" | "https")));
            prop_assert!(entry.published.is_none_or(|at| at <= now() + chrono::TimeDelta::days(1)));
        }
    }
}

#[test]
fn rss_without_its_version_is_read() {
    let feed = |attributes: &str| {
        let item = "<item><title>A ruling</title><link>https://docket.example/1</link><guid>1</guid></item>";
        format!("<?xml version='1.0'?><rss{attributes}><channel><title>Docket</title>{item}</channel></rss>")
    };
    let expected = entries(feed(" version='2.0'")).unwrap();
    assert_eq!(expected[0].title, "A ruling");
    for attributes in
        ["", " version=''", " version='2'", " version='0.94'", " xmlns:dc='http://purl.org/dc/elements/1.1/'"]
    {
        assert_eq!(entries(feed(attributes)).unwrap(), expected, "{attributes}");
    }
}

#[test]
fn atom_texts_follow_their_type() {
    for (title, expected) in [
        ("<title type='text'>the &lt;div&gt; element</title>", "the <div> element"),
        ("<title>the &lt;div&gt; element</title>", "the <div> element"),
        ("<title type='text'>if a &lt;b and c&gt; d</title>", "if a <b and c> d"),
        ("<title>List&lt;String&gt; generics</title>", "List<String> generics"),
        ("<title>AT&amp;amp;T literally</title>", "AT&amp;T literally"),
        ("<title>AT&amp;T</title>", "AT&T"),
        ("<title>&lt;/kubernetes&gt;</title>", "</kubernetes>"),
        ("<title><![CDATA[<script>alert(1)</script> & more]]></title>", "<script>alert(1)</script> & more"),
        ("<title>&lt;!-- a comment --&gt;</title>", "<!-- a comment -->"),
        ("<title>5 &lt; 6\n  and&#160;more</title>", "5 < 6 and more"),
        ("<title type='text/plain'>a &lt;b&gt;</title>", "a <b>"),
        ("<title type='html'>Smith &lt;i&gt;v.&lt;/i&gt; Jones, &amp;sect; 12</title>", "Smith v. Jones, \u{a7} 12"),
        ("<title type='html'>AT&amp;amp;T</title>", "AT&T"),
        ("<title type='html'>List&amp;lt;String&amp;gt;</title>", "List<String>"),
        ("<title type='html'>&lt;br&gt;</title>", "<br>"),
        ("<title type='html'><![CDATA[<b>Bold</b> &amp; bright]]></title>", "Bold & bright"),
        (
            "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>Less: <em> &lt; </em>, List&lt;String&gt;</div></title>",
            "Less: < , List<String>",
        ),
        (
            "<title type='xhtml'><x:div xmlns:x='http://www.w3.org/1999/xhtml'>a<x:br/>b &amp;amp;</x:div></title>",
            "a b &amp;",
        ),
        ("<title type='nonsense'>a &lt;b&gt;</title>", "a <b>"),
        ("<title type='html'/>", ""),
    ] {
        assert_eq!(atom_entry(title).title, expected, "{title}");
    }
}

#[test]
fn atom_contents_follow_their_type() {
    let plain = |html: Option<String>| html.map(|html| crate::text::plain(&html, 99));
    for (content, expected) in [
        ("type='text'>the &lt;div&gt; &amp;amp; more", Some("the <div> &amp; more")),
        (">the &lt;div&gt;", Some("the <div>")),
        ("type='html'>&lt;p&gt;one&lt;/p&gt;&lt;p&gt;R&amp;amp;D", Some("one\n\nR&D")),
        ("type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>a</p><p>&lt;b&gt;</p></div>", Some("a\n\n<b>")),
        ("type='application/xhtml+xml'><html xmlns='http://www.w3.org/1999/xhtml'><body>a</body></html>", Some("a")),
        ("type='text/plain'>a &lt;b&gt;", Some("a <b>")),
        ("type='application/pdf'>aGVsbG8=", None),
        ("type='html' src='https://a.example/1'>", None),
        ("type='%' src='https://a.example/1'>text", None),
    ] {
        let entry = atom_entry(&format!("<title>x</title><content {content}</content>"));
        assert_eq!(plain(entry.html).as_deref(), expected, "{content}");
        if !content.contains("src") {
            let entry = atom_entry(&format!("<title>x</title><summary {content}</summary>"));
            assert_eq!(plain(entry.summary).as_deref(), expected, "{content}");
        }
    }
}

#[test]
fn rss_titles_may_be_html_or_not() {
    for (title, expected) in [
        ("&lt;/backslash&gt;", "</backslash>"),
        ("&lt;/kubernetes&gt;", "</kubernetes>"),
        ("List&lt;String&gt; generics", "List<String> generics"),
        ("if a &lt;b and c&gt; d", "if a <b and c> d"),
        ("&lt;br&gt;", "<br>"),
        ("A &lt;em&gt;second&lt;/em&gt; look", "A second look"),
        ("A <em>second</em> look", "A second look"),
        ("<![CDATA[A <i>v.</i> B &amp; C]]>", "A v. B & C"),
        ("AT&amp;amp;T", "AT&T"),
        ("5 &lt; 6", "5 < 6"),
        ("Judges&#8217; Day", "Judges\u{2019} Day"),
    ] {
        assert_eq!(rss_entry(&format!("<title>{title}</title>")).title, expected, "{title}");
    }
}

#[test]
fn names_are_plain_text_in_atom_and_either_in_rss() {
    let atom = atom_entry(
        "<title>x</title><author><name>R&amp;amp;D &lt;Team&gt;</name></author>
        <category term='a' label='C++ &lt;vector&gt; &amp;amp; more'/><category term='&lt;b&gt;'/>",
    );
    assert_eq!(atom.author.as_deref(), Some("R&amp;D <Team>"));
    assert_eq!(atom.categories, ["C++ <vector> &amp; more", "<b>"]);
    let rss = rss_entry(
        "<title>x</title><dc:creator xmlns:dc='http://purl.org/dc/elements/1.1/'>Smith &amp;amp; Jones &lt;LLP&gt;</dc:creator>
        <category>C++ &lt;vector&gt;</category><category><![CDATA[Law &amp; Leisure]]></category>
        <category>&lt;b&gt;Torts&lt;/b&gt;</category>",
    );
    assert_eq!(rss.author.as_deref(), Some("Smith & Jones <LLP>"));
    assert_eq!(rss.categories, ["C++ <vector>", "Law & Leisure", "Torts"]);
}

#[test]
fn a_date_without_a_time_is_a_day() {
    let entry = |date: &str| rss_entry(&format!("<title>x</title><pubDate>{date}</pubDate>"));
    let day = entry("20 Nov 2026");
    assert_eq!(day.published, Some("2026-11-20T00:00:00Z".parse().unwrap()));
    assert_eq!(day.published_on, "2026-11-20".parse().ok());
    for time in ["Fri, 20 Nov 2026 00:00:00 GMT", "2026-11-20T00:00:00.000000001Z"] {
        let entry = entry(time);
        assert_eq!((entry.published, entry.published_on), (day.published, None), "{time}");
    }
    assert_eq!((entry("tomorrow").published, entry("tomorrow").published_on), (None, None));
}

#[test]
fn relative_addresses_are_resolved() {
    for (link, expected) in [
        ("/2026/a", Some("https://feeds.example/2026/a")),
        ("a?b=c#d", Some("https://feeds.example/law/a?b=c#d")),
        ("../a", Some("https://feeds.example/a")),
        ("//docket.example/a", Some("https://docket.example/a")),
        ("?p=1", Some("https://feeds.example/law/rss.xml?p=1")),
        ("\n  /a\n", Some("https://feeds.example/a")),
        ("www.docket.example/a", Some("https://www.docket.example/a")),
        ("https://docket.example/a", Some("https://docket.example/a")),
        ("not a link", None),
        ("", None),
        ("  ", None),
        ("javascript:alert(1)", None),
        ("mailto:a@example.org", None),
        ("//user:pw@docket.example/a", None),
    ] {
        let rss = rss_entry(&format!("<title>x</title><link>{link}</link>"));
        assert_eq!(rss.url.as_ref().map(url::Url::as_str), expected, "{link}");
        let atom = atom_entry(&format!("<title>x</title><link href='{link}'/>"));
        assert_eq!(atom.url, rss.url, "{link}");
    }
    // An id that is an address replaces a link that is not one.
    let permanent = "<guid>https://docket.example/1</guid>";
    let entry = rss_entry(&format!("<link>not a link</link>{permanent}"));
    assert_eq!(entry.url.unwrap().as_str(), "https://docket.example/1");
}

#[test]
fn relative_addresses_are_resolved_against_their_base() {
    let based = |on_feed: &str, on_entry: &str, on_link: &str| {
        let feed = format!(
            "<feed xmlns='http://www.w3.org/2005/Atom' {on_feed}><entry {on_entry}><title>x</title>
            <link {on_link} href='a'/></entry></feed>"
        );
        entries(feed).unwrap()[0].url.clone().unwrap().to_string()
    };
    let base = |base: &str| format!("xml:base='{base}'");
    for (feed, entry, link, expected) in [
        ("", "", "", "https://feeds.example/law/a"),
        ("https://docket.example/b/", "", "", "https://docket.example/b/a"),
        ("/b/", "", "", "https://feeds.example/b/a"),
        ("https://docket.example/b/", "c/", "", "https://docket.example/b/c/a"),
        ("https://docket.example/b/", "c/", "/d/", "https://docket.example/d/a"),
        ("", "c/", "", "https://feeds.example/law/c/a"),
        ("", "", "//docket.example/", "https://docket.example/a"),
    ] {
        let [on_feed, on_entry, on_link] =
            [feed, entry, link].map(|value| if value.is_empty() { String::new() } else { base(value) });
        assert_eq!(based(&on_feed, &on_entry, &on_link), expected, "{feed} {entry} {link}");
    }
    let rss = "<rss version='2.0' xml:base='https://docket.example/b/'><channel><item><title>x</title>
        <link>a</link></item></channel></rss>";
    assert_eq!(entries(rss).unwrap()[0].url.clone().unwrap().as_str(), "https://docket.example/b/a");
}
