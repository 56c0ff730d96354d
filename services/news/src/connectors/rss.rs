//! RSS and Atom: the request of a feed, and the items of its entries.

use chrono::{DateTime, Utc};
use crawler::{
    canonical::{canonical, exact},
    feed::{self, Entry, FeedError},
    fetch::{Document, Request},
    text,
};
use url::Url;

use super::Item;

/// The most characters of a title, of an author's name, and of a description (an excerpt).
const TITLE: usize = 300;
const AUTHOR: usize = 120;
const DESCRIPTION: usize = 400;

/// The conditional request of the feed at `url`.
pub fn request(url: Url, etag: Option<String>, last_modified: Option<String>) -> Request {
    let accept = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";
    Request { etag, last_modified, ..Request::new(url, accept) }
}

/// Reads the items of a feed. Blocks: call it on a blocking thread.
///
/// # Errors
/// When the document is not a feed.
pub fn read(document: &mut Document, now: DateTime<Utc>) -> Result<Vec<Item>, FeedError> {
    let entries = feed::read(document, now)?;
    Ok(entries.into_iter().filter_map(|entry| item(entry, now)).collect())
}

/// Converts an entry to an item; `None` without a title or an address.
pub fn item(entry: Entry, now: DateTime<Utc>) -> Option<Item> {
    let url = entry.url?;
    let title = text::cut(entry.title, TITLE);
    if title.is_empty() {
        return None;
    }
    Some(Item {
        guid: entry.id,
        canonical_url: canonical(&url),
        exact_url: exact(&url),
        url: url.into(),
        title,
        // The summary, when the entry also contains the whole article.
        description: entry
            .summary
            .or(entry.html)
            .and_then(|html| non_empty(without_footer(text::plain(&html, DESCRIPTION)))),
        author: entry.author.map(|author| text::cut(author, AUTHOR)),
        // A source whose clock is ahead would keep its article on top of the list.
        published_at: entry.published.map(|at| at.min(now)),
        published_date: entry.published_on,
        found_at: now,
    })
}

/// Removes the last line of many blogs: 'The post .. appeared first on ..'.
fn without_footer(mut description: String) -> String {
    let footer = description.rfind("The post ").filter(|at| {
        let begins = description.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        begins && description.get(*at..).is_some_and(|rest| rest.contains(" appeared first on "))
    });
    if let Some(at) = footer {
        description.truncate(at);
        description.truncate(description.trim_end().len());
    }
    description
}

fn non_empty(text: String) -> Option<String> {
    if text.is_empty() { None } else { Some(text) }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_772_442_000, 0).unwrap()
    }

    fn entry() -> Entry {
        Entry {
            id: Some("https://news.example/?p=7".to_owned()),
            title: "Court rules".to_owned(),
            url: Some("http://www.news.example/court-rules/?utm_source=rss".parse().unwrap()),
            html: Some("<p>The court <b>ruled</b>.</p>".to_owned()),
            summary: None,
            author: Some("R. Cruz".to_owned()),
            published: Some(now() - TimeDelta::hours(1)),
            published_on: None,
            categories: vec![],
        }
    }

    #[test]
    fn an_item_keeps_its_address_and_has_a_canonical_one() {
        let item = item(entry(), now()).unwrap();
        assert_eq!(item.url, "http://www.news.example/court-rules/?utm_source=rss");
        assert_eq!(item.canonical_url, "https://news.example/court-rules");
        assert_eq!(item.exact_url, item.canonical_url);
        assert_eq!((item.title.as_str(), item.description.as_deref()), ("Court rules", Some("The court ruled.")));
        assert_eq!(
            (item.author.as_deref(), item.guid.as_deref()),
            (Some("R. Cruz"), Some("https://news.example/?p=7"))
        );
        assert_eq!(item.published_at, Some(now() - TimeDelta::hours(1)));
    }

    #[test]
    fn an_entry_without_a_title_or_an_address_is_ignored() {
        assert_eq!(item(Entry { title: String::new(), ..entry() }, now()).map(|item| item.title), None);
        assert_eq!(item(Entry { url: None, ..entry() }, now()), None);
    }

    #[test]
    fn blank_fields_are_missing_and_long_ones_are_cut() {
        let blank =
            Entry { id: None, html: Some("<p> <br/> </p>".to_owned()), author: None, published: None, ..entry() };
        let item_of_blanks = item(blank, now()).unwrap();
        assert_eq!((item_of_blanks.guid, item_of_blanks.description, item_of_blanks.author), (None, None, None));
        assert_eq!(item_of_blanks.published_at, None);
        let long = Entry { title: "word ".repeat(200_000), html: Some("word ".repeat(200_000)), ..entry() };
        let long = item(long, now()).unwrap();
        assert!(long.title.chars().count() <= TITLE, "{}", long.title.chars().count());
        assert!(long.description.unwrap().chars().count() <= DESCRIPTION);
    }

    #[test]
    fn a_summary_is_preferred_to_the_whole_text() {
        let both = Entry { summary: Some("In <i>short</i>.".to_owned()), ..entry() };
        assert_eq!(item(both, now()).unwrap().description.as_deref(), Some("In short."));
    }

    #[test]
    fn a_future_date_becomes_now() {
        let ahead = Entry { published: Some(now() + TimeDelta::hours(5)), ..entry() };
        assert_eq!(item(ahead, now()).unwrap().published_at, Some(now()));
    }

    #[test]
    fn the_footer_of_a_blog_is_removed() {
        let html =
            "<p>Bonuses are out.</p><p>The post <a href=\"x\">Bonuses</a> appeared first on <a>The Blog</a>.</p>";
        let parsed = item(Entry { html: Some(html.to_owned()), ..entry() }, now()).unwrap();
        assert_eq!(parsed.description.as_deref(), Some("Bonuses are out."));
        for kept in ["The post office appeared.", "It said: The post X appeared first on Y."] {
            let parsed = item(Entry { html: Some(kept.to_owned()), ..entry() }, now()).unwrap();
            assert_eq!(parsed.description.as_deref(), Some(kept));
        }
        let only = "The post Bonuses appeared first on The Blog.";
        assert_eq!(item(Entry { html: Some(only.to_owned()), ..entry() }, now()).unwrap().description, None);
    }
}
