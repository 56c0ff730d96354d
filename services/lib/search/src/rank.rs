//! What is better: a word as it was typed, or another form of it, or what it may have been meant to be; in what something
//! is called, or in what else it says.

use uuid::Uuid;

/// How many ranks there are, the best is 0.
const RANKS: u8 = 6;

/// What counts for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The word as it was typed, wherever it stands; of the same form, in the title first.
    Exact,
    /// The title, even if it only begins so, before anything else it says: whoever looks for people types names.
    Titles,
}

/// How a word of a document is related to one that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kinship {
    /// It is the word.
    Same,
    /// It is another form of it, or begins so.
    Near,
    /// It is what may have been meant.
    Meant,
}

/// A word that will do for one of those looked for.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Which of those looked for, from 0.
    pub(crate) place: usize,
    pub(crate) word: String,
    pub(crate) kinship: Kinship,
}

/// A document as the statements read it.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Row {
    pub(crate) rank: i32,
    pub(crate) at: i32,
    pub(crate) id: Uuid,
    pub(crate) title: Vec<String>,
    pub(crate) body: Vec<String>,
}

impl Order {
    /// The rank of a word that is so related, in the title or in the body.
    pub(crate) fn rank(self, kinship: Kinship, in_title: bool) -> u8 {
        match (self, kinship, in_title) {
            (_, Kinship::Same, true) => 0,
            (Self::Exact, Kinship::Same, false) | (Self::Titles, Kinship::Near, true) => 1,
            (Self::Exact, Kinship::Near, true) | (Self::Titles, Kinship::Same, false) => 2,
            (_, Kinship::Near, false) => 3,
            (_, Kinship::Meant, true) => 4,
            (_, Kinship::Meant, false) => 5,
        }
    }

    /// The ranks that are looked through once words so related are known, in order.
    pub(crate) fn ranks(self, kinship: Kinship) -> std::ops::Range<u8> {
        match (self, kinship) {
            (Self::Exact, Kinship::Same) => 0..2,
            (Self::Exact, Kinship::Near) => 2..4,
            (Self::Titles, Kinship::Same) => 0..0,
            (Self::Titles, Kinship::Near) => 0..4,
            (_, Kinship::Meant) => 4..RANKS,
        }
    }
}

/// How good a document is, as good as its worst word, and which words made it so; `None` when it lacks one.
pub(crate) fn judge<'c>(
    order: Order,
    candidates: &'c [Candidate],
    places: usize,
    row: &Row,
) -> Option<(u8, Vec<&'c str>)> {
    let mut best: Vec<Option<u8>> = vec![None; places];
    let mut terms = Vec::new();
    for candidate in candidates {
        let in_title = row.title.contains(&candidate.word);
        if !in_title && !row.body.contains(&candidate.word) {
            continue;
        }
        terms.push(candidate.word.as_str());
        let rank = order.rank(candidate.kinship, in_title);
        if let Some(best) = best.get_mut(candidate.place) {
            *best = Some(best.map_or(rank, |best| best.min(rank)));
        }
    }
    let worst = best.into_iter().collect::<Option<Vec<u8>>>()?.into_iter().max()?;
    Some((worst, terms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        let candidate = |place, word: &str, kinship| Candidate { place, word: word.to_owned(), kinship };
        vec![
            candidate(0, "law", Kinship::Same),
            candidate(0, "laws", Kinship::Near),
            candidate(1, "clerk", Kinship::Same),
            candidate(1, "clerks", Kinship::Near),
            candidate(1, "cleric", Kinship::Meant),
        ]
    }

    fn judged(order: Order, title: &str, body: &str) -> Option<u8> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let row = Row { rank: 0, at: 0, id: Uuid::nil(), title: words(title), body: words(body) };
        judge(order, &candidates(), 2, &row).map(|(rank, _)| rank)
    }

    #[test]
    fn a_document_is_as_good_as_its_worst_word() {
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
            assert_eq!(judged(Order::Exact, title, body), exact, "{title} | {body}");
            assert_eq!(judged(Order::Titles, title, body), titles, "{title} | {body}");
        }
    }

    #[test]
    fn every_rank_is_looked_through_once() {
        for order in [Order::Exact, Order::Titles] {
            let ranks: Vec<u8> = [Kinship::Same, Kinship::Near, Kinship::Meant]
                .into_iter()
                .flat_map(|kinship| {
                    let ranks = order.ranks(kinship);
                    for in_title in [true, false] {
                        assert!(ranks.is_empty() || order.rank(kinship, in_title) < ranks.end);
                    }
                    ranks
                })
                .collect();
            assert_eq!(ranks, (0..RANKS).collect::<Vec<u8>>());
        }
    }
}
