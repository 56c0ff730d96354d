//! Mentions in texts: the names in place of the ids that feed stores.

use portia_proto::mentions::tokens;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::cache::MemberCards;

/// A mentioned member in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Mention {
    /// The member.
    #[schema(format = Uuid)]
    pub id: String,
    /// The full name, which follows an `@` in the text.
    pub name: String,
    /// The offset of the `@` in the text, in UTF-16 code units.
    pub start: usize,
    /// The offset after the name, in UTF-16 code units.
    pub end: usize,
}

/// The members that a text mentions.
pub fn members_in(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).map(|token| token.member_id)
}

/// A text with names in place of ids, and its mentions. A member who is not in `visible` or has no card stays plain text.
pub fn render(text: String, visible: &[String], people: &MemberCards) -> (String, Vec<Mention>) {
    let (mut shown, mut mentions) = (String::new(), Vec::new());
    let (mut end, mut offset) = (0, 0);
    for token in tokens(&text) {
        let before = text.get(end..token.start).unwrap_or_default();
        let name = people.author(token.member_id).full_name;
        let (start, id) = (offset + utf16_length(before), token.member_id);
        offset = start + 1 + utf16_length(&name);
        shown.extend([before, "@", &name]);
        if people.contains(id) && visible.iter().any(|member| member == id) {
            mentions.push(Mention { id: id.to_owned(), name, start, end: offset });
        }
        end = token.end;
    }
    if end == 0 {
        return (text, mentions);
    }
    shown.push_str(text.get(end..).unwrap_or_default());
    (shown, mentions)
}

fn utf16_length(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}
