//! Ranking by match (the exact word, a related form or prefix, a corrected word) and by place (title or body).

use uuid::Uuid;

/// The number of ranks; 0 is the best.
const RANKS: u8 = 6;

/// Which matches rank first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Exact words before related ones; titles before bodies within each.
    Exact,
    /// Titles before bodies, also for prefixes. For names.
    Titles,
}

/// How a word of a document matches a word of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MatchKind {
    Exact,
    /// Another form of the word, or a word with this prefix.
    Related,
    /// The probable word behind a typing error.
    Corrected,
}

/// Where an indexed word matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shelves {
    Both,
    Body,
    /// The entries of a beginning, which only titles have: `word` is the beginning with its sign.
    Beginning,
}

/// An indexed word that matches a word of the query.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The position of the query's word, from 0.
    pub(crate) place: usize,
    pub(crate) word: String,
    pub(crate) kind: MatchKind,
    pub(crate) shelves: Shelves,
}

impl Candidate {
    /// The candidate for all longer words of titles that begin with `typed`.
    pub(crate) fn beginning(place: usize, typed: &str) -> Self {
        Self { place, word: format!("{typed}*"), kind: MatchKind::Related, shelves: Shelves::Beginning }
    }

    /// Whether the word matches in the title, or only in the body, of a document.
    fn in_title(&self, row: &Row) -> Option<bool> {
        let in_title = match (self.shelves, self.word.strip_suffix('*')) {
            (Shelves::Beginning, Some(typed)) => {
                return row
                    .title
                    .iter()
                    .any(|word| word.len() > typed.len() && word.starts_with(typed))
                    .then_some(true);
            }
            (Shelves::Body, _) => false,
            _ => row.title.contains(&self.word),
        };
        (in_title || row.body.contains(&self.word)).then_some(in_title)
    }
}

/// A row of a document.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Row {
    pub(crate) rank: i32,
    pub(crate) at: i32,
    pub(crate) id: Uuid,
    pub(crate) title: Vec<String>,
    pub(crate) body: Vec<String>,
}

impl Order {
    /// Returns the rank of a match in the title or in the body.
    pub(crate) fn rank(self, kind: MatchKind, in_title: bool) -> u8 {
        match (self, kind, in_title) {
            (_, MatchKind::Exact, true) => 0,
            (Self::Exact, MatchKind::Exact, false) | (Self::Titles, MatchKind::Related, true) => 1,
            (Self::Exact, MatchKind::Related, true) | (Self::Titles, MatchKind::Exact, false) => 2,
            (_, MatchKind::Related, false) => 3,
            (_, MatchKind::Corrected, true) => 4,
            (_, MatchKind::Corrected, false) => 5,
        }
    }

    /// Returns the ranks to scan once the candidates of this kind are known.
    pub(crate) fn ranks(self, kind: MatchKind) -> std::ops::Range<u8> {
        match (self, kind) {
            (Self::Exact, MatchKind::Exact) => 0..2,
            (Self::Exact, MatchKind::Related) => 2..4,
            (Self::Titles, MatchKind::Exact) => 0..0,
            (Self::Titles, MatchKind::Related) => 0..4,
            (_, MatchKind::Corrected) => 4..RANKS,
        }
    }
}

/// Returns the rank of a document, which is the rank of its worst word, and the matching words. `None` when a word is
/// missing. `beginnings` are words of the query with their positions that also match as beginnings of any word.
pub(crate) fn rank_document<'c>(
    order: Order,
    candidates: &'c [Candidate],
    places: usize,
    beginnings: &[(usize, &'c str)],
    row: &Row,
) -> Option<(u8, Vec<&'c str>)> {
    let mut best: Vec<Option<u8>> = vec![None; places];
    let mut terms = Vec::new();
    let mut add = |place: usize, word: &'c str, rank: u8| {
        terms.push(word);
        if let Some(best) = best.get_mut(place) {
            *best = Some(best.map_or(rank, |best| best.min(rank)));
        }
    };
    for candidate in candidates {
        if let Some(in_title) = candidate.in_title(row) {
            add(candidate.place, candidate.word.trim_end_matches('*'), order.rank(candidate.kind, in_title));
        }
    }
    for (place, typed) in beginnings {
        let begins = |words: &[String]| words.iter().any(|word| word.starts_with(typed));
        let in_title = begins(&row.title);
        if in_title || begins(&row.body) {
            add(*place, typed, order.rank(MatchKind::Related, in_title));
        }
    }
    let worst = best.into_iter().collect::<Option<Vec<u8>>>()?.into_iter().max()?;
    Some((worst, terms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        let candidate =
            |place, word: &str, kind| Candidate { place, word: word.to_owned(), kind, shelves: Shelves::Both };
        vec![
            candidate(0, "law", MatchKind::Exact),
            candidate(0, "laws", MatchKind::Related),
            candidate(1, "clerk", MatchKind::Exact),
            candidate(1, "clerks", MatchKind::Related),
            candidate(1, "cleric", MatchKind::Corrected),
        ]
    }

    fn rank_of(order: Order, title: &str, body: &str) -> Option<u8> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let row = Row { rank: 0, at: 0, id: Uuid::nil(), title: words(title), body: words(body) };
        rank_document(order, &candidates(), 2, &[], &row).map(|(rank, _)| rank)
    }

    #[test]
    fn a_beginning_matches_longer_words() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let row = |title, body| Row { rank: 0, at: 0, id: Uuid::nil(), title: words(title), body: words(body) };
        let of_titles = [Candidate::beginning(0, "whi")];
        let rank = |title, body| rank_document(Order::Titles, &of_titles, 1, &[], &row(title, body));
        assert_eq!(rank("daniel whitlock", ""), Some((1, vec!["whi"])));
        assert_eq!(rank("daniel whi", "whitlock"), None, "only longer words of titles have this entry");
        let of_a_word = rank_document(Order::Exact, &[], 1, &[(0, "barexam")], &row("", "moot barexam2027"));
        assert_eq!(of_a_word, Some((3, vec!["barexam"])));
        assert_eq!(rank_document(Order::Exact, &[], 1, &[(0, "exam")], &row("", "barexam2027")), None);
    }

    #[test]
    fn a_document_has_the_rank_of_its_worst_word() {
        for (title, body, exact, titles) in [
            ("law clerk", "", Some(0), Some(0)),
            ("law", "clerk", Some(1), Some(2)),
            ("laws clerks", "", Some(2), Some(1)),
            ("", "laws clerk", Some(3), Some(3)),
            ("law cleric", "clerks", Some(3), Some(3)),
            ("law cleric", "", Some(4), Some(4)),
            ("", "cleric law", Some(5), Some(5)),
            ("law", "", None, None),
        ] {
            assert_eq!(rank_of(Order::Exact, title, body), exact, "{title} | {body}");
            assert_eq!(rank_of(Order::Titles, title, body), titles, "{title} | {body}");
        }
    }

    #[test]
    fn every_rank_is_scanned_once() {
        for order in [Order::Exact, Order::Titles] {
            let ranks: Vec<u8> = [MatchKind::Exact, MatchKind::Related, MatchKind::Corrected]
                .into_iter()
                .flat_map(|kind| {
                    let ranks = order.ranks(kind);
                    for in_title in [true, false] {
                        assert!(ranks.is_empty() || order.rank(kind, in_title) < ranks.end);
                    }
                    ranks
                })
                .collect();
            assert_eq!(ranks, (0..RANKS).collect::<Vec<u8>>());
        }
    }
}
