//! JSON that is written once and kept, with places for the cards of members and for reactions.

use crate::api::members::{cache::MemberCards, views::Author};

/// The reactions in the JSON of a post or comment without reactions. In a post's JSON the first match is the post's
/// own. No text contains this string, because quotation marks in a text have a backslash.
const NO_LIKES: &str = "\"likes\":[]";

/// JSON with places.
#[derive(Default)]
pub struct JsonParts(Vec<Part>);

enum Part {
    Text(String),
    /// The card of a member.
    Card(String),
    /// The reactions to a post or comment.
    Likes(String),
}

impl JsonParts {
    /// The JSON of the post or comment `id` without reactions and names of members; `None` for other JSON.
    pub fn of(id: &str, json: &str) -> Option<Self> {
        let (before, after) = json.split_once(NO_LIKES)?;
        let mut parts = Self::default();
        parts.push_with_cards(before)?;
        parts.push_text("\"likes\":[");
        parts.0.push(Part::Likes(id.to_owned()));
        parts.push_text("]");
        parts.push_with_cards(after)?;
        Some(parts)
    }

    /// About the memory.
    pub fn bytes(&self) -> usize {
        let parts = self.0.iter().map(|part| match part {
            Part::Text(text) | Part::Card(text) | Part::Likes(text) => size_of_val(part) + text.len(),
        });
        parts.sum()
    }

    /// Writes the JSON. `likes` writes the reactions to an id, without brackets.
    ///
    /// # Errors
    /// The errors of `likes`: cards are serializable.
    pub fn write(
        &self,
        people: &MemberCards,
        json: &mut Vec<u8>,
        likes: impl Fn(&str, &mut Vec<u8>) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        for part in &self.0 {
            match part {
                Part::Text(text) => json.extend_from_slice(text.as_bytes()),
                Part::Card(id) => people.write_author(id, json)?,
                Part::Likes(id) => likes(id, json)?,
            }
        }
        Ok(())
    }

    fn push_text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Part::Text(last)) => last.push_str(text),
            _ => self.0.push(Part::Text(text.to_owned())),
        }
    }

    /// Splits JSON at the cards of members without names.
    fn push_with_cards(&mut self, mut json: &str) -> Option<()> {
        const MARK: &str = "00000000-0000-0000-0000-000000000000";
        let nameless = serde_json::to_string(&Author::nameless(MARK)).ok()?;
        let (before_id, after_id) = nameless.split_once(MARK)?;
        while let Some(end) = json.find(after_id) {
            let start = json.get(..end)?.rfind(before_id)?;
            self.push_text(json.get(..start)?);
            self.0.push(Part::Card(json.get(start + before_id.len()..end)?.to_owned()));
            json = json.get(end + after_id.len()..)?;
        }
        self.push_text(json);
        Some(())
    }
}
