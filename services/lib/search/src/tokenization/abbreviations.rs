//! Joins the parts of abbreviations: `R.A.`, `LL. M.`, `M.Phil.`, `F. Supp. 2d` are one word each.
//!
//! A document has every joined word that a search may mean, and all parts. A query has one reading: where a name is as likely
//! (`J. R. Santos`, `J.Cruz`), the parts.

use std::collections::BTreeSet;

use super::MAX_LENGTH;

/// The longest part of any abbreviation, as `LL` in `LL.M.`, in characters.
const SHORT_PART: usize = 2;
/// The longest part beside a single letter (`M.Pharm.`) or before an ordinal (`Cal.App.4th`).
const LONG_PART: usize = 5;
/// The most parts before an ordinal: `N. Y. S. 2d`.
const MAX_BEFORE_ORDINAL: usize = 4;
/// Parts that follow an abbreviation and are words: `G.R.No.225442`.
const NO_PARTS: [&str; 2] = ["no", "vs"];
/// Two letters with a stop and a space that begin a name: `Ma. L. Santos`.
const TITLES: [&str; 6] = ["dr", "jr", "ma", "mr", "ms", "st"];
/// Longer parts that are no names.
const LONG_PARTS: [&str; 18] = [
    "acc", "admin", "arch", "econ", "educ", "eng", "jur", "lit", "litt", "mus", "pharm", "phil", "psy", "psych", "sci",
    "supp", "tech", "theol",
];
/// The same with a stop behind it; otherwise it is a part of an address: `x.com`.
const COM: &str = "com";

/// What stands between a word and the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Glue {
    /// Only a stop.
    Stop,
    /// A stop and a space.
    StopAndSpace,
    /// A stop, and then no word.
    FinalStop,
    /// No stop.
    None,
}

/// A word of a chain: words with no more than a stop and a space between them.
pub(super) struct Part {
    pub(super) word: String,
    pub(super) glue: Glue,
}

/// The words of a chain in a document: the joined ones, then all parts.
pub(super) fn of_document(chain: Vec<Part>, words: &mut Vec<String>) {
    // Where the next run may begin: a run within a run is none of its own.
    let (mut after_tight, mut after_spaced) = (0, 0);
    for at in 0..chain.len() {
        let from = chain.get(at..).unwrap_or_default();
        let tight = if at < after_tight { 1 } else { tight(from) };
        let spaced = if at < after_spaced { 1 } else { initials(from) };
        (after_tight, after_spaced) = (after_tight.max(at + tight), after_spaced.max(at + spaced));
        let lengths = BTreeSet::from([tight, spaced, pair(from), ordinal(from)]);
        words.extend(lengths.range(2..).filter_map(|length| from.get(..*length)).map(joined));
    }
    words.extend(chain.into_iter().map(|part| part.word));
}

/// The words of a chain in a query. `is_first` tells that no other word stands before it.
pub(super) fn of_query(chain: &[Part], is_first: bool, words: &mut Vec<String>) {
    let mut at = 0;
    while let Some((first, others)) = chain.get(at..).and_then(<[Part]>::split_first) {
        let from = chain.get(at..).unwrap_or_default();
        let is_tight = |at: Option<usize>| at.and_then(|at| chain.get(at)).is_some_and(|part| part.glue == Glue::Stop);
        // Only a pair alone: `U.P.Law.` is none.
        let is_apart = ![at.checked_sub(1), Some(at + 1)].into_iter().any(is_tight);
        let initials = Some(initials(from)).filter(|length| is_cited(from.get(*length), is_first && at == 0));
        let pair =
            Some(pair(from)).filter(|_| is_apart && others.first().is_some_and(|second| is_clear(first, second)));
        let readings = [Some(ordinal(from)), initials, Some(tight(from)), pair];
        let length = readings.into_iter().flatten().find(|length| *length > 1).unwrap_or(1);
        words.push(joined(from.get(..length).unwrap_or_default()));
        at += length;
    }
}

fn joined(parts: &[Part]) -> String {
    parts.iter().flat_map(|part| part.word.chars()).take(MAX_LENGTH).collect()
}

/// Whether initials with spaces stand before this part as no name does: before a number, `No.` and the `v` of a case. Without a
/// part behind them, they must be all of the query.
fn is_cited(next: Option<&Part>, is_first: bool) -> bool {
    next.map_or(is_first, |next| {
        let is_number = next.word.chars().all(char::is_numeric);
        is_number || next.word == "v" || NO_PARTS.contains(&next.word.as_str())
    })
}

/// Whether a pair is no initial and name.
fn is_clear(first: &Part, second: &Part) -> bool {
    let long = if is_single(&first.word) { &second.word } else { &first.word };
    let is_known = LONG_PARTS.contains(&long.as_str());
    match first.glue {
        Glue::Stop => is_known || is_stopped(second),
        _ if long.chars().count() <= SHORT_PART => !TITLES.contains(&long.as_str()),
        _ => is_known || long == COM,
    }
}

/// The number of parts at the beginning that stops without spaces join: `LL.M.`, `5.L.Ed.2d`.
fn tight(parts: &[Part]) -> usize {
    let mut length = 0;
    for (at, part) in parts.iter().enumerate() {
        // The `v` of a case is none: `U.S.v.Reyes`.
        let next = parts.get(at + 1).filter(|_| part.glue == Glue::Stop);
        let is_versus = part.word == "v" && next.is_some_and(|next| !is_single(&next.word));
        if !is_part(&part.word) || is_versus {
            break;
        }
        length = at + 1;
        if part.glue != Glue::Stop {
            break;
        }
    }
    let has_single = parts.iter().take(length).any(|part| is_single(&part.word));
    if has_single { length } else { 1 }
}

/// The number of initials at the beginning, each with its stop, of which two have a space between them.
fn initials(parts: &[Part]) -> usize {
    let length = parts.iter().take_while(|part| is_initial(part)).count();
    let has_space = parts.iter().take(length.saturating_sub(1)).any(|part| part.glue == Glue::StopAndSpace);
    if has_space { length } else { 1 }
}

/// Two, if the first two parts are a single letter and a longer part: `M.Phil.`, `LL. M.`, `Psy.D.`
fn pair(parts: &[Part]) -> usize {
    let [first, second, ..] = parts else { return 1 };
    let is_long = |word: &str| !is_single(word) && is_long(word);
    let is_pair =
        (is_single(&first.word) && is_long(&second.word)) || (is_long(&first.word) && is_single(&second.word));
    let is_joined = first.glue == Glue::Stop || (first.glue == Glue::StopAndSpace && is_stopped(second));
    let has_versus = first.word == "v" || second.word == "v";
    if is_pair && is_joined && !has_versus { 2 } else { 1 }
}

/// The number of parts up to an ordinal: `So.2d`, `F. Supp. 2d`.
fn ordinal(parts: &[Part]) -> usize {
    let before =
        parts.iter().take(MAX_BEFORE_ORDINAL).take_while(|part| is_long(&part.word) && is_stopped(part)).count();
    let follows = parts.get(before).is_some_and(|part| is_ordinal(&part.word));
    if before > 0 && follows { before + 1 } else { 1 }
}

fn is_stopped(part: &Part) -> bool {
    part.glue != Glue::None
}

/// Whether it is one letter with a stop. The `v` of a case is none.
fn is_initial(part: &Part) -> bool {
    is_single(&part.word) && part.word != "v" && is_stopped(part)
}

/// Whether a word between stops may be a part of any abbreviation: one or two letters, or an ordinal as in `F.3d`.
fn is_part(word: &str) -> bool {
    is_ordinal(word) || (word.chars().count() <= SHORT_PART && is_long(word))
}

/// Whether a word may be a part of an abbreviation of a known shape.
fn is_long(word: &str) -> bool {
    word.chars().count() <= LONG_PART && word.chars().all(char::is_alphabetic) && !NO_PARTS.contains(&word)
}

fn is_single(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

fn is_ordinal(word: &str) -> bool {
    let letters = word.strip_prefix(|c: char| c.is_ascii_digit());
    letters.is_some_and(|letters| ["d", "nd", "rd", "th"].contains(&letters))
}
