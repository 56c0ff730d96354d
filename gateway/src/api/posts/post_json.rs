//! The JSON of a body, written once, with places for the cards of members and for the reactions.

use std::ops::Range;

use portia_proto::feed as pb;

use crate::{
    api::{
        members::{cache::MemberCards, views::Author},
        posts::{like_views::Like, mentions, views::Post},
    },
    edge::signed_addresses::SignedAddresses,
};

/// The reactions in the JSON of a post without reactions: first those of the post, because no text contains a bare quotation mark.
const NO_LIKES: &str = "\"likes\":[]";
/// Reactions in a post.
const MAX_LIKES: usize = 20;

/// The JSON of a body.
pub struct Template {
    parts: Vec<Part>,
    /// The reactions without the brackets.
    likes: String,
    /// The member and the place of each reaction in `likes`.
    places: Vec<(String, Range<usize>)>,
}

enum Part {
    Text(String),
    /// The card of a member.
    Card(String),
    /// The reactions.
    Likes,
}

impl Template {
    /// The JSON of a public post without mentions. Addresses of pictures in communities end, and names in texts are not cards.
    pub fn of(body: &pb::Post, addresses: &SignedAddresses) -> Option<Self> {
        let repost = body.repost.iter().filter_map(|repost| repost.content.as_deref());
        let comments = body.comments.iter().map(|comment| comment.content.as_str());
        let mut texts = std::iter::once(body.content.as_str()).chain(repost).chain(comments);
        if body.community.is_some() || texts.any(|text| mentions::members_in(text).next().is_some()) {
            return None;
        }
        let bare = pb::Post { reactions: Vec::new(), ..body.clone() };
        let json = serde_json::to_string(&Post::of(bare, &MemberCards::default(), addresses)).ok()?;
        let (before, after) = json.split_once(NO_LIKES)?;
        let mut parts = Vec::new();
        split_cards(before, &mut parts)?;
        parts.push(Part::Text("\"likes\":[".to_owned()));
        parts.push(Part::Likes);
        parts.push(Part::Text("]".to_owned()));
        split_cards(after, &mut parts)?;
        let mut template = Self { parts, likes: String::new(), places: Vec::new() };
        for reaction in &body.reactions {
            if !template.likes.is_empty() {
                template.likes.push(',');
            }
            let start = template.likes.len();
            template.likes.push_str(&like(reaction.clone())?);
            template.places.push((reaction.member_id.clone(), start..template.likes.len()));
        }
        Some(template)
    }

    /// About the memory.
    pub fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) | Part::Card(text) => text.len(),
            Part::Likes => 0,
        });
        parts.sum::<usize>() + size_of_val(self.parts.as_slice()) + self.likes.len() + self.places.len() * 80
    }

    /// Writes the post with the caller's reaction.
    ///
    /// # Errors
    /// Never: reactions and cards are serializable.
    pub fn write(
        &self,
        own: Option<&pb::Reaction>,
        people: &MemberCards,
        json: &mut Vec<u8>,
    ) -> serde_json::Result<()> {
        for part in &self.parts {
            match part {
                Part::Text(text) => json.extend_from_slice(text.as_bytes()),
                Part::Card(id) => people.write_author(id, json)?,
                Part::Likes => self.write_likes(own, json)?,
            }
        }
        Ok(())
    }

    /// The caller's reaction comes first.
    fn write_likes(&self, own: Option<&pb::Reaction>, json: &mut Vec<u8>) -> serde_json::Result<()> {
        let Some(own) = own else {
            json.extend_from_slice(self.likes.as_bytes());
            return Ok(());
        };
        serde_json::to_writer(&mut *json, &Like::from(own.clone()))?;
        let others = self.places.iter().filter(|(member, _)| *member != own.member_id);
        for (_, place) in others.take(MAX_LIKES - 1) {
            json.push(b',');
            json.extend_from_slice(self.likes.get(place.clone()).unwrap_or_default().as_bytes());
        }
        Ok(())
    }
}

fn like(reaction: pb::Reaction) -> Option<String> {
    serde_json::to_string(&Like::from(reaction)).ok()
}

/// Splits JSON at the cards of members without names. Their form occurs in no text, where quotation marks have a backslash.
fn split_cards(mut json: &str, parts: &mut Vec<Part>) -> Option<()> {
    const MARK: &str = "00000000-0000-0000-0000-000000000000";
    let nameless = serde_json::to_string(&Author::nameless(MARK)).ok()?;
    let (before_id, after_id) = nameless.split_once(MARK)?;
    while let Some(end) = json.find(after_id) {
        let start = json.get(..end)?.rfind(before_id)?;
        parts.push(Part::Text(json.get(..start)?.to_owned()));
        parts.push(Part::Card(json.get(start + before_id.len()..end)?.to_owned()));
        json = json.get(end + after_id.len()..)?;
    }
    parts.push(Part::Text(json.to_owned()));
    Some(())
}
