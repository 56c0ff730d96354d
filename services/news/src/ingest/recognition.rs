//! Recognition: which stored article belongs to an item.
//!
//! The identifier, the exact address and the title are compared. The canonical address alone says nothing: sites name pages in
//! what is tracking elsewhere, and entries of a digest share one address. An article of which the document contains another item
//! belongs to that item.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use crawler::canonical::exact;
use sqlx::PgConnection;
use url::Url;
use uuid::Uuid;

use crate::connectors::Item;

/// The most articles at one address that are compared.
const MAX_PER_BATCH: i64 = 5_000;

/// A stored article.
pub struct Article {
    pub id: Uuid,
    pub story_id: Uuid,
    pub source_id: String,
    pub url: String,
    pub guid: Option<String>,
    pub title: String,
    pub description: Option<String>,
    pub author: Option<String>,
    pub published_at: Option<DateTime<Utc>>,
    pub published_date: Option<NaiveDate>,
    pub found_at: DateTime<Utc>,
    canonical_url: String,
}

/// The items of a document, and the articles that were recognised so far.
pub struct Recognition {
    source: String,
    guids: HashSet<String>,
    addresses: HashSet<String>,
    /// Exact addresses with titles.
    titles: HashSet<(String, String)>,
    recognised: HashSet<Uuid>,
}

/// The stored articles that a batch may refer to.
pub struct KnownArticles {
    articles: Vec<(Article, String)>,
    by_url: HashMap<String, Vec<usize>>,
    by_guid: HashMap<String, usize>,
}

/// The reason why an article belongs to an item, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    GuidAndAddress,
    /// A new identifier, unless the document has an item with the known one.
    AddressAndTitle,
    /// The address has changed.
    Guid,
    /// The title has changed.
    Address,
    /// The tracking has changed.
    Title,
    /// An address belongs to the source that published it first.
    ForeignAddressAndTitle,
    ForeignAddress,
    ForeignTitle,
}

impl Recognition {
    pub fn new(source: &str, items: &[Item]) -> Self {
        Self {
            source: source.to_owned(),
            guids: items.iter().filter_map(|item| item.guid.clone()).collect(),
            addresses: items.iter().map(|item| item.exact_url.clone()).collect(),
            titles: items.iter().map(|item| (item.exact_url.clone(), item.title.clone())).collect(),
            recognised: HashSet::new(),
        }
    }

    /// Returns the article of an item. No article belongs to two items.
    pub fn recognise<'a>(&mut self, known: &'a KnownArticles, item: &Item) -> Option<&'a Article> {
        let at_url = known.by_url.get(&item.canonical_url).into_iter().flatten();
        let with_guid = item.guid.as_ref().and_then(|guid| known.by_guid.get(guid));
        let candidates = at_url.chain(with_guid).filter_map(|place| known.articles.get(*place));
        let candidates = candidates.filter(|(article, _)| !self.recognised.contains(&article.id));
        let (_, article) = candidates
            .filter_map(|(article, address)| Some((self.compare(article, address, item)?, article)))
            .min_by_key(|(reason, _)| *reason)?;
        self.recognised.insert(article.id);
        Some(article)
    }

    fn compare(&self, article: &Article, exact_url: &str, item: &Item) -> Option<Match> {
        let is_own = article.source_id == self.source;
        let (address, title) = (exact_url == item.exact_url, article.title == item.title);
        let guid = is_own && item.guid.is_some() && article.guid == item.guid;
        // Whether the document contains another item with the identifier, with the address and title, or with the address.
        let has_guid = is_own && article.guid.as_ref().is_some_and(|guid| self.guids.contains(guid));
        let has_title = || self.titles.contains(&(exact_url.to_owned(), article.title.clone()));
        let has_address = || self.addresses.contains(exact_url);
        // Two identifiers are two items: a column keeps its title, and a digest its address.
        let may_be = is_own && !has_guid && (item.guid.is_none() || article.guid.is_none());
        match (address, title) {
            (true, _) if guid => Some(Match::GuidAndAddress),
            (true, true) if is_own && !has_guid => Some(Match::AddressAndTitle),
            _ if guid => Some(Match::Guid),
            (true, false) if may_be && !has_title() => Some(Match::Address),
            (false, true) if may_be && !has_address() => Some(Match::Title),
            (true, true) if !is_own => Some(Match::ForeignAddressAndTitle),
            (true, false) if !is_own && !has_title() => Some(Match::ForeignAddress),
            (false, true) if !is_own && !has_address() => Some(Match::ForeignTitle),
            _ => None,
        }
    }
}

impl KnownArticles {
    /// Reads the articles of a batch of items.
    pub async fn read(db: &mut PgConnection, source: &str, items: &[Item]) -> Result<Self, sqlx::Error> {
        let urls: Vec<String> = items.iter().map(|item| item.canonical_url.clone()).collect();
        let guids: Vec<String> = items.iter().filter_map(|item| item.guid.clone()).collect();
        let articles = sqlx::query_as!(
            Article,
            r#"select
                id as "id!", story_id as "story_id!", source_id as "source_id!", url as "url!",
                canonical_url as "canonical_url!", guid, title as "title!", description, author, published_at,
                published_date, found_at as "found_at!"
            from (
                (
                    select *
                    from news.articles
                    where canonical_url = any ($1)
                    order by id desc
                    limit $4
                )
                union
                (
                    select *
                    from news.articles
                    where source_id = $2
                        and guid = any ($3)
                )
            ) known
            order by id"#,
            &urls,
            source,
            &guids,
            MAX_PER_BATCH,
        )
        .fetch_all(db)
        .await?;
        Ok(Self::new(source, articles))
    }

    fn new(source: &str, articles: Vec<Article>) -> Self {
        let articles: Vec<(Article, String)> = articles
            .into_iter()
            .map(|article| {
                // The address as the feed gave it: a row of an earlier release has no other exact form.
                let exact_url = Url::parse(&article.url).map_or_else(|_| article.url.clone(), |url| exact(&url));
                (article, exact_url)
            })
            .collect();
        let (mut by_url, mut by_guid) = (HashMap::<_, Vec<usize>>::new(), HashMap::new());
        for (place, (article, _)) in articles.iter().enumerate() {
            by_url.entry(article.canonical_url.clone()).or_default().push(place);
            if let Some(guid) = article.guid.clone().filter(|_| article.source_id == source) {
                by_guid.insert(guid, place);
            }
        }
        Self { articles, by_url, by_guid }
    }

    /// Returns the identifier that an article (`None`: a new one) has after an item: the item's, if no other article
    /// has it.
    pub fn guid_after(&self, article: Option<&Article>, item: &Item) -> Option<String> {
        let stored = article.and_then(|article| article.guid.clone());
        let owner =
            item.guid.as_ref().and_then(|guid| self.by_guid.get(guid)).and_then(|place| self.articles.get(*place));
        let is_free = owner.is_none_or(|(owner, _)| article.is_some_and(|article| article.id == owner.id));
        if is_free { item.guid.clone().or(stored) } else { stored }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "aba";

    fn item(guid: Option<&str>, url: &str, title: &str) -> Item {
        let parsed = Url::parse(url).unwrap();
        Item {
            guid: guid.map(str::to_owned),
            url: url.to_owned(),
            canonical_url: crawler::canonical::canonical(&parsed),
            exact_url: exact(&parsed),
            title: title.to_owned(),
            description: None,
            author: None,
            published_at: None,
            published_date: None,
            found_at: DateTime::UNIX_EPOCH,
        }
    }

    fn article(id: u128, source: &str, item: Item) -> Article {
        Article {
            id: Uuid::from_u128(id),
            story_id: Uuid::from_u128(id),
            source_id: source.to_owned(),
            url: item.url,
            guid: item.guid,
            title: item.title,
            description: None,
            author: None,
            published_at: None,
            published_date: None,
            found_at: DateTime::UNIX_EPOCH,
            canonical_url: item.canonical_url,
        }
    }

    /// The number of the article of each item; 0 for a new one.
    fn recognised(known: Vec<Article>, items: &[Item]) -> Vec<u128> {
        let known = KnownArticles::new(OWN, known);
        let mut recognition = Recognition::new(OWN, items);
        let found =
            items.iter().map(|item| recognition.recognise(&known, item).map_or(0, |article| article.id.as_u128()));
        found.collect()
    }

    /// Pairs of an address and another page, which differ in what is tracking elsewhere.
    const PAIRS: [(&str, &str); 8] = [
        ("https://digest.example/week#case-2", "https://digest.example/week#case-3"),
        ("https://spa.example/#!/o/2", "https://spa.example/#/o/3"),
        ("https://court.example/view?ref=2026-102", "https://court.example/view?REF=2026-103"),
        ("https://paper.example/show?cmp=901", "https://paper.example/show?cmp=902"),
        ("https://paper.example/show?cmpid=901", "https://paper.example/show"),
        ("https://paper.example/p?referrer=a1", "https://paper.example/p?referrer=a2"),
        ("https://paper.example/q?a=1&a=2", "https://paper.example/q?a=2&a=1"),
        ("https://paper.example/all", "https://paper.example/all?utm_source=rss"),
    ];

    #[test]
    fn items_with_different_identifiers_are_never_one() {
        for (one, other) in PAIRS {
            let items = [item(Some("1"), one, "Ruling"), item(Some("2"), other, "Ruling")];
            let first = || article(1, OWN, item(Some("1"), one, "Ruling"));
            let second = || article(2, OWN, item(Some("2"), other, "Ruling"));
            assert_eq!(recognised(vec![], &items), [0, 0], "{one}");
            assert_eq!(recognised(vec![first()], &items), [1, 0], "{one}");
            assert_eq!(recognised(vec![second()], &items), [0, 2], "{one}");
            assert_eq!(recognised(vec![first(), second()], &items), [1, 2], "{one}");
            // Both addresses change places.
            let turned = [item(Some("1"), other, "Ruling"), item(Some("2"), one, "Ruling")];
            assert_eq!(recognised(vec![first(), second()], &turned), [1, 2], "{one}");
            // A title or a guid of another document.
            let next = [item(Some("3"), other, "Another")];
            assert_eq!(recognised(vec![first()], &next), [0], "{one}");
        }
    }

    #[test]
    fn items_without_identifiers_are_told_apart_by_address_and_title() {
        for (one, other) in PAIRS.into_iter().take(7) {
            let items = [item(None, one, "Ruling 1"), item(None, other, "Ruling 2")];
            let first = || article(1, OWN, item(Some("generated"), one, "Ruling 1"));
            assert_eq!(recognised(vec![first()], &items), [1, 0], "{one}");
            let both = || vec![first(), article(2, OWN, item(None, other, "Ruling 2"))];
            assert_eq!(recognised(both(), &items), [1, 2], "{one}");
            let corrected = [item(None, one, "Ruling One"), item(None, other, "Ruling 2")];
            assert_eq!(recognised(both(), &corrected), [1, 2], "a title may change at its address: {one}");
            assert_eq!(recognised(vec![first()], &[item(None, other, "Ruling 2")]), [0], "other document: {one}");
            assert_eq!(
                recognised(vec![first()], &[item(None, other, "Ruling 1")]),
                [1],
                "only tracking changed: {one}"
            );
        }
        let page = "https://digest.example/week";
        let shared = [item(None, page, "One"), item(None, page, "Two")];
        assert_eq!(recognised(vec![article(2, OWN, item(None, page, "Two"))], &shared), [0, 2]);
        assert_eq!(recognised(vec![article(1, OWN, item(None, page, "Zero"))], &shared), [1, 0], "once at most");
    }

    #[test]
    fn an_identifier_keeps_an_article_whose_address_and_title_change() {
        let known = || vec![article(1, OWN, item(Some("1"), "https://a.example/old", "Old"))];
        assert_eq!(recognised(known(), &[item(Some("1"), "https://b.example/new", "New")]), [1]);
        assert_eq!(
            recognised(known(), &[item(Some("2"), "https://a.example/old?utm_source=x", "Old")]),
            [1],
            "a new guid"
        );
        assert_eq!(recognised(known(), &[item(None, "https://a.example/old", "New")]), [1]);
        assert_eq!(recognised(known(), &[item(Some("2"), "https://a.example/old", "New")]), [0]);
        let two = [item(Some("2"), "https://a.example/old", "Old"), item(Some("1"), "https://a.example/new", "Old")];
        assert_eq!(recognised(known(), &two), [0, 1], "the known one is in the document");
    }

    #[test]
    fn an_address_belongs_to_its_first_source_and_tracking_alone_merges_no_titles() {
        let theirs = |url: &str, title: &str| vec![article(1, "law_com", item(Some("x"), url, title))];
        for (one, other) in PAIRS.into_iter().take(7) {
            assert_eq!(recognised(theirs(one, "Ruling 1"), &[item(Some("1"), other, "Ruling 2")]), [0], "{one}");
            assert_eq!(recognised(theirs(one, "Ruling 1"), &[item(Some("1"), other, "Ruling 1")]), [1], "{one}");
            assert_eq!(recognised(theirs(one, "Ruling 1"), &[item(Some("1"), one, "Ruling 2")]), [1], "{one}");
        }
        let page = "https://digest.example/week";
        let shared = [item(Some("1"), page, "One"), item(Some("2"), page, "Two")];
        assert_eq!(recognised(theirs(page, "Two"), &shared), [0, 1]);
        assert_eq!(recognised(theirs(page, "Three"), &shared), [1, 0]);
    }

    #[test]
    fn an_identifier_moves_only_to_an_article_without_a_rival() {
        let (a, b) = ("https://a.example/a", "https://a.example/b");
        let known = KnownArticles::new(
            OWN,
            vec![article(1, OWN, item(Some("1"), a, "A")), article(2, OWN, item(None, b, "B"))],
        );
        let second = &known.articles[1].0;
        assert_eq!(known.guid_after(Some(second), &item(Some("1"), b, "B")), None);
        assert_eq!(known.guid_after(Some(second), &item(Some("2"), b, "B")).as_deref(), Some("2"));
        assert_eq!(known.guid_after(Some(&known.articles[0].0), &item(None, a, "A")).as_deref(), Some("1"));
        assert_eq!(known.guid_after(None, &item(Some("1"), b, "B")), None);
    }
}
