//! Removes posts with muted words and reposts of muted members from a page, because the indexes of lists do not cover
//! words.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::MuteKind;
use crate::{
    mentions,
    posts::{Post, Repost},
};

/// The muted words and members of a viewer, for filtering a page.
pub struct MuteFilter {
    viewer_id: Uuid,
    words: Vec<String>,
    members: HashSet<Uuid>,
}

impl MuteFilter {
    /// Reads the words and members that the viewer mutes now.
    pub async fn of(db: &mut PgConnection, viewer_id: Uuid, now: DateTime<Utc>) -> Result<Self, sqlx::Error> {
        let mut filter = Self { viewer_id, words: Vec::new(), members: HashSet::new() };
        for mute in super::list(db, viewer_id, now).await? {
            match (mute.kind, mute.word, mute.target_id) {
                (MuteKind::Word, Some(word), _) => filter.words.push(word),
                (MuteKind::Member, _, Some(id)) => drop(filter.members.insert(id)),
                _ => {}
            }
        }
        Ok(filter)
    }

    /// Returns whether the post, or the post that it reposts, is muted. The viewer's own posts are never muted.
    pub fn removes(&self, post: &Post) -> bool {
        if post.author_id == self.viewer_id {
            return false;
        }
        let original = match &post.repost {
            Some(Repost::Of(original)) => Some(original),
            Some(Repost::Unavailable) | None => None,
        };
        if original.is_some_and(|original| self.members.contains(&original.author_id)) {
            return true;
        }
        let title = post.title.as_deref();
        let shown = original.map(|original| [original.title.as_deref(), Some(original.content.as_str())]);
        let texts = [title, Some(post.content.as_str())].into_iter().chain(shown.into_iter().flatten()).flatten();
        !self.words.is_empty() && texts.map(normalized).any(|text| self.words.iter().any(|word| occurs(word, &text)))
    }
}

/// Normalizes a text for the comparison of words: lower case, single spaces, no mentions.
pub fn normalized(text: &str) -> String {
    let text = mentions::replace(text, " ").to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a word or phrase occurs in the text as whole words. Both are [`normalized`].
fn occurs(word: &str, text: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (open, close) = (inside(word.chars().next()), inside(word.chars().next_back()));
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !((open && inside(before)) || (close && inside(after)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_muted(word: &str, text: &str) -> bool {
        occurs(&normalized(word), &normalized(text))
    }

    #[test]
    fn whole_words_are_compared_without_case() {
        for text in ["Bar exam", "the BAR, again", "#bar", "(bar)", "bar", "a\nbar\tb", "crow-bar", "bar's"] {
            assert!(is_muted("Bar", text), "{text}");
        }
        for text in ["barrister", "crowbar", "bar_exam", "b a r", "", "bár"] {
            assert!(!is_muted("bar", text), "{text}");
        }
    }

    #[test]
    fn several_words_match_over_any_white_space() {
        assert!(is_muted("moot  court", "The Moot\n Court of appeal"));
        assert!(!is_muted("moot court", "moot courts") && !is_muted("moot court", "moot the court"));
    }

    #[test]
    fn letters_of_all_alphabets_count() {
        assert!(is_muted("ÉCOLE", "l'école") && is_muted("ÑANDÚ", "ñandú!"));
        assert!(!is_muted("cole", "école") && is_muted("c++", "C++11"));
    }

    #[test]
    fn the_id_of_a_mention_is_no_word() {
        let text = "Ask @[01930000-0000-7000-8000-000000000001] today";
        assert!(!is_muted("7000", text) && is_muted("today", text));
    }
}
