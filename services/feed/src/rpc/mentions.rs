//! Adds the mentioned members that the actor may see to a response, with one statement if there are any.

use std::collections::{BTreeSet, HashSet};

use portia_proto::mentions::tokens;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{FeedService, pb};
use crate::{comments::Comment, error::Error, mentions, posts::Post};

/// A message with a text.
trait Mentioning {
    fn text(&self) -> &str;
    fn set_mentioned(&mut self, ids: Vec<String>);

    fn fill(&mut self, visible: &HashSet<Uuid>) {
        let ids = tokens(self.text()).map(|token| token.member_id);
        let ids = ids.filter(|id| id.parse().is_ok_and(|id: Uuid| visible.contains(&id)));
        let ids: BTreeSet<String> = ids.map(str::to_owned).collect();
        self.set_mentioned(ids.into_iter().collect());
    }
}

macro_rules! mentioning {
    ($($message:ty: $text:expr;)+) => { $(
        impl Mentioning for $message {
            fn text(&self) -> &str {
                let text: fn(&Self) -> &str = $text;
                text(self)
            }

            fn set_mentioned(&mut self, ids: Vec<String>) {
                self.mentioned_ids = ids;
            }
        }
    )+ };
}

mentioning! {
    pb::Post: |post| &post.content;
    pb::Comment: |comment| &comment.content;
    pb::Repost: |repost| repost.content.as_deref().unwrap_or_default();
}

/// Adds the mentions of posts, of their comments and of the posts that they repost.
pub(super) async fn add_to_posts(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    posts: &mut [pb::Post],
) -> Result<(), Error> {
    let mut members = BTreeSet::new();
    for post in &*posts {
        let comments = post.comments.iter().map(Mentioning::text);
        for text in [post.text()].into_iter().chain(comments).chain(post.repost.as_ref().map(Mentioning::text)) {
            members.append(&mut mentions::members_in(text));
        }
    }
    let visible = mentions::list_visible(db, viewer, &members).await?;
    for post in posts {
        post.fill(&visible);
        post.comments.iter_mut().for_each(|comment| comment.fill(&visible));
        post.repost.iter_mut().for_each(|repost| repost.fill(&visible));
    }
    Ok(())
}

/// Converts a post and adds its mentions.
pub(super) async fn of_post(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    post: impl Into<pb::Post>,
) -> Result<pb::Post, Error> {
    let mut post = post.into();
    add_to_posts(db, viewer, std::slice::from_mut(&mut post)).await?;
    Ok(post)
}

/// Adds the mentions of comments.
pub(super) async fn add_to_comments<'a>(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    comments: impl IntoIterator<Item = &'a mut pb::Comment>,
) -> Result<(), Error> {
    let mut comments: Vec<_> = comments.into_iter().collect();
    let members = comments.iter().flat_map(|comment| mentions::members_in(comment.text())).collect();
    let visible = mentions::list_visible(db, viewer, &members).await?;
    comments.iter_mut().for_each(|comment| comment.fill(&visible));
    Ok(())
}

/// Converts a new post and adds its mentions. Acquires no connection when the post has none.
pub(super) async fn of_new_post(service: &FeedService, author: Uuid, post: Post) -> Result<pb::Post, Error> {
    if tokens(&post.content).next().is_none() && post.repost.is_none() {
        return Ok(post.into());
    }
    of_post(&mut *service.connection().await?, Some(author), post).await
}

/// Converts a new comment and adds its mentions. Acquires no connection when the comment has none.
pub(super) async fn of_new_comment(
    service: &FeedService,
    author: Uuid,
    comment: Comment,
) -> Result<pb::Comment, Error> {
    if tokens(&comment.content).next().is_none() {
        return Ok(comment.into());
    }
    of_comment(&mut *service.connection().await?, Some(author), comment).await
}

/// Converts a comment and adds its mentions.
pub(super) async fn of_comment(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    comment: impl Into<pb::Comment>,
) -> Result<pb::Comment, Error> {
    let mut comment = comment.into();
    add_to_comments(db, viewer, [&mut comment]).await?;
    Ok(comment)
}
