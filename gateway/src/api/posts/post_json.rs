//! The JSON of a body, written once.

use std::ops::Range;

use portia_proto::feed as pb;

use crate::{
    api::{
        members::cache::MemberCards,
        posts::{json_parts::JsonParts, like_views::Like, mentions, views::Post},
    },
    edge::signed_addresses::AddressSigner,
};

/// Reactions in a post.
const MAX_LIKES: usize = 20;

/// The JSON of a body.
pub struct Template {
    parts: JsonParts,
    /// The reactions without the brackets.
    likes: String,
    /// The member and the place of each reaction in `likes`.
    places: Vec<(String, Range<usize>)>,
}

impl Template {
    /// The JSON of a public post without mentions. Addresses of pictures in communities end, and names in texts are not cards.
    pub fn of(body: &pb::Post, addresses: AddressSigner<'_>) -> Option<Self> {
        let repost = body.repost.iter().filter_map(|repost| repost.content.as_deref());
        let comments = body.comments.iter().map(|comment| comment.content.as_str());
        let mut texts = std::iter::once(body.content.as_str()).chain(repost).chain(comments);
        if body.community.is_some() || texts.any(|text| mentions::members_in(text).next().is_some()) {
            return None;
        }
        let bare = pb::Post { reactions: Vec::new(), ..body.clone() };
        let json = serde_json::to_string(&Post::of(bare, &MemberCards::default(), addresses)).ok()?;
        let mut template = Self { parts: JsonParts::of(&body.id, &json)?, likes: String::new(), places: Vec::new() };
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
        self.parts.write(people, json, |_, json| self.write_likes(own, json))
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
