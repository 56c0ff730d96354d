//! Mentions of members in posts and comments. A text contains their ids; the gateway shows the names.

pub mod allowance;

use std::collections::{BTreeSet, HashSet};

use outbox::UnitOfWork;
use portia_proto::mentions::{TOKEN_LENGTH, tokens};
use sqlx::PgConnection;
use uuid::Uuid;

/// The maximum number of mentions in a text.
pub const MAX_MENTIONS: usize = 20;
/// The characters that a stored text may have beyond the limit of the text shown.
pub const MAX_TOKENS: usize = MAX_MENTIONS * TOKEN_LENGTH;

/// Returns the members mentioned in a text, each once.
pub fn members_in(text: &str) -> BTreeSet<Uuid> {
    tokens(text).filter_map(|token| token.member_id.parse().ok()).collect()
}

/// Replaces each mention in a text by another text.
pub fn replace(text: &str, with: &str) -> String {
    let (mut replaced, mut end) = (String::with_capacity(text.len()), 0);
    for token in tokens(text) {
        replaced.extend([text.get(end..token.start).unwrap_or_default(), with]);
        end = token.end;
    }
    replaced.push_str(text.get(end..).unwrap_or_default());
    replaced
}

/// The thread in which a text mentions members.
#[derive(Clone, Copy)]
pub struct MentionPlace {
    pub post_id: Uuid,
    /// The author of the text.
    pub author_id: Uuid,
    /// The author of the comment that a reply belongs to.
    pub reply_to_author: Option<Uuid>,
}

/// The mentions that an edit of a text added and removed.
#[derive(Debug, Default)]
pub struct MentionChange {
    /// The members to notify: see [`list_to_notify`].
    pub notified: Vec<Uuid>,
    /// The members that the text mentioned before and does not mention now.
    pub removed: Vec<Uuid>,
}

/// Compares the mentions in `before` and `text`.
pub async fn change(
    work: &mut UnitOfWork<'_>,
    place: MentionPlace,
    before: &str,
    text: &str,
) -> Result<MentionChange, sqlx::Error> {
    let removed = members_in(before).difference(&members_in(text)).copied().collect();
    Ok(MentionChange { notified: list_to_notify(work, place, before, text).await?, removed })
}

/// Returns the members to notify of a text: it mentions them now and did not before, they may see the post, have an
/// active account, and are in no block with the author of the text, of the post or of the answered comment. Members who
/// know the author (by a connection, by following, or by their own post or comment) are all notified; of the others, as
/// many as [`allowance`] has left.
pub async fn list_to_notify(
    work: &mut UnitOfWork<'_>,
    place: MentionPlace,
    before: &str,
    text: &str,
) -> Result<Vec<Uuid>, sqlx::Error> {
    let known = members_in(before);
    let members: Vec<Uuid> =
        members_in(text).into_iter().filter(|member| *member != place.author_id && !known.contains(member)).collect();
    if members.is_empty() {
        return Ok(members);
    }
    let visible = sqlx::query!(
        r#"
        select
            m.id as "id!",
            (
                m.id in (p.author_id, $4)
                or exists (select from feed.connections c where c.member_id = m.id and c.other_id = $3)
                or exists (select from feed.follows f where f.member_id = m.id and f.followed_id = $3)
            ) as "knows_author!"
        from feed.posts p
        cross join unnest($2::uuid[]) as m (id)
        where p.id = $1
            and (
                p.community_id is null
                or exists (
                    select from feed.memberships s where s.member_id = m.id and s.community_id = p.community_id
                )
            )
            and not exists (select from feed.hidden_members h where h.member_id = m.id)
            and not exists (
                select
                from feed.blocks b
                where (b.blocker_id = m.id and b.blocked_id in ($3, $4, p.author_id))
                    or (b.blocked_id = m.id and b.blocker_id in ($3, $4, p.author_id))
            )
        order by m.id
        "#,
        place.post_id,
        &members,
        place.author_id,
        // Equal to no member, unlike null, which makes a comparison unknown.
        place.reply_to_author.unwrap_or_default()
    );
    let mut visible = visible.fetch_all(&mut *work.db).await?;
    let strangers = visible.iter().filter(|member| !member.knows_author).count();
    let mut left = match strangers {
        0 => 0,
        strangers => allowance::take(work, place.author_id, strangers).await?,
    };
    visible.retain(|member| {
        let is_notified = member.knows_author || left > 0;
        left = left.saturating_sub(usize::from(is_notified && !member.knows_author));
        is_notified
    });
    Ok(visible.into_iter().map(|member| member.id).collect())
}

/// Returns the members among `members` that the viewer may see: with an active account, and in no block with the
/// viewer.
pub async fn list_visible(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    members: &BTreeSet<Uuid>,
) -> Result<HashSet<Uuid>, sqlx::Error> {
    if members.is_empty() {
        return Ok(HashSet::new());
    }
    let members: Vec<Uuid> = members.iter().copied().collect();
    let visible = sqlx::query_scalar!(
        r#"
        select m.id as "id!"
        from unnest($2::uuid[]) as m (id)
        where not exists (select from feed.hidden_members h where h.member_id = m.id)
            and not exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = m.id)
            and not exists (select from feed.blocks b where b.blocker_id = m.id and b.blocked_id = $1)
        "#,
        viewer,
        &members
    );
    Ok(visible.fetch_all(db).await?.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_replaced_and_the_rest_stays() {
        let id = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0001);
        let text = format!("@[{id}]ñ @[x] @[{id}]");
        assert_eq!(replace(&text, "@"), "@ñ @[x] @");
        assert_eq!(members_in(&text), BTreeSet::from([id]));
        assert_eq!(replace("No mention", "@"), "No mention");
    }
}
