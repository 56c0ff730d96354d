//! Random histories: after every change both replicas show every list as the statement without bodies does.

use feed::read_model::{blocks, communities};
use portia_proto::feed::{
    CreateMuteRequest, CreatePostRequest, DeleteCommentRequest, DeletePostRequest, ListPostsRequest, MuteKind,
    PostSort, ReactionKind, ReportedKind, SetCommentReactionRequest, UpdateCommentRequest, UpdatePostRequest,
};
use uuid::Uuid;

use crate::{
    fixtures::{community, member},
    moderation::remove,
    replicas::Replicas,
    rng::Rng,
};

const HISTORIES: u64 = 2;
const CHANGES: u64 = 60;
const MEMBERS: u64 = 6;
/// The member who reports a post that a moderator removes.
const READER: u128 = 2;

/// A random history and what exists in it.
struct History {
    replicas: Replicas,
    rng: Rng,
    posts: Vec<String>,
    comments: Vec<String>,
}

impl History {
    fn someone(&mut self) -> Uuid {
        member(u128::from(1 + self.rng.draw(MEMBERS)))
    }

    fn community(&mut self) -> Uuid {
        community(u128::from(1 + self.rng.draw(2)))
    }

    /// Returns one of the items that exist or existed.
    fn one_of(rng: &mut Rng, of: &[String]) -> Option<String> {
        let n = rng.draw(of.len().max(1) as u64);
        of.get(usize::try_from(n).unwrap()).cloned()
    }

    async fn write_post(&mut self) {
        let author = self.someone();
        let mentioned = self.someone();
        let mut new = CreatePostRequest { content: format!("Post for @[{mentioned}]"), ..Default::default() };
        match self.rng.draw(5) {
            0 => new.community_id = Some(self.community().to_string()),
            1 => new.title = Some("An article".to_owned()),
            2 | 3 => {
                new.repost_of = Self::one_of(&mut self.rng, &self.posts);
                if new.repost_of.is_some() && self.rng.chance(50) {
                    new.content.clear();
                }
            }
            _ => {}
        }
        let fixture = &self.replicas.fixture;
        if let Ok(created) = fixture.create_post(&fixture.as_member(author), new).await {
            self.posts.push(created.post.unwrap().id);
        }
    }

    /// Makes a random change, which may be refused. Returns what was tried.
    async fn change(&mut self, n: u64) -> String {
        let who = self.someone();
        let (post, comment) = (Self::one_of(&mut self.rng, &self.posts), Self::one_of(&mut self.rng, &self.comments));
        let (post_id, comment_id) = (post.unwrap_or_default(), comment.unwrap_or_default());
        let kind = [ReactionKind::Like, ReactionKind::Thanks][usize::try_from(self.rng.draw(2)).unwrap()];
        let (other, place) = (self.someone(), self.community());
        let change = self.rng.draw(20);
        self.replicas.fixture.advance_clock(1);
        let fixture = &self.replicas.fixture;
        let caller = fixture.as_member(who);
        let mut conn = fixture.pool().acquire().await.unwrap();
        match change {
            0..3 => self.write_post().await,
            3..6 => {
                let request = portia_proto::feed::SetReactionRequest { post_id, kind: kind.into() };
                drop(fixture.set_reaction(&caller, request).await);
            }
            6 => drop(fixture.remove_reaction(&caller, portia_proto::feed::RemoveReactionRequest { post_id }).await),
            7..10 => {
                let reply_to = Some(comment_id).filter(|id| !id.is_empty() && n.is_multiple_of(3));
                let content = format!("Comment for @[{other}]");
                let request =
                    portia_proto::feed::CreateCommentRequest { post_id, content, reply_to, ..Default::default() };
                if let Ok(created) = fixture.create_comment(&caller, request).await {
                    self.comments.push(created.comment.unwrap().id);
                }
            }
            10 => {
                for who in 1..=u128::from(MEMBERS) {
                    let request = UpdateCommentRequest { comment_id: comment_id.clone(), content: format!("Edit {n}") };
                    drop(fixture.update_comment(&fixture.as_member(member(who)), request).await);
                }
            }
            11 | 12 => {
                let request = SetCommentReactionRequest { comment_id, kind: kind.into() };
                drop(fixture.set_comment_reaction(&caller, request).await);
            }
            13 => drop(fixture.delete_comment(&caller, DeleteCommentRequest { comment_id, reason: 0 }).await),
            14 => {
                for who in 1..=u128::from(MEMBERS) {
                    let content = format!("Edit {n}");
                    let request = UpdatePostRequest { post_id: post_id.clone(), content, ..Default::default() };
                    drop(fixture.update_post(&fixture.as_member(member(who)), request).await);
                }
            }
            15 => drop(fixture.delete_post(&caller, DeletePostRequest { post_id, reason: 0 }).await),
            16 if who != other && n.is_multiple_of(2) => blocks::insert_all(&mut conn, &[who], &[other]).await.unwrap(),
            16 => {
                for blocked in 1..=u128::from(MEMBERS) {
                    blocks::delete(&mut conn, who, member(blocked)).await.unwrap();
                }
            }
            17 if n.is_multiple_of(2) => {
                let now = fixture.harness.clock.now();
                feed::deactivation::deactivate(&mut conn, &who.to_string(), now).await.unwrap();
            }
            17 => feed::deactivation::reactivate_all(&mut conn).await.unwrap(),
            18 if n.is_multiple_of(2) => communities::set_name(&mut conn, place, &format!("Name {n}")).await.unwrap(),
            18 => fixture.leave_community(place, who).await,
            _ if n.is_multiple_of(4) => {
                let request =
                    CreateMuteRequest { kind: MuteKind::Word.into(), word: Some("edit".into()), ..Default::default() };
                drop(fixture.create_mute(&caller, request).await);
            }
            _ => {
                let reader = fixture.as_member(member(READER));
                let request = portia_proto::feed::GetPostRequest { post_id: post_id.clone(), ..Default::default() };
                if let Ok(found) = fixture.get_post(&reader, request).await
                    && found.post.is_some_and(|post| {
                        // A report of a repost without text is one of the original.
                        post.repost.is_none() && post.author_id != member(READER).to_string()
                    })
                {
                    remove(fixture, ReportedKind::Post, &post_id).await;
                }
            }
        }
        format!("change {n} of kind {change}")
    }
}

#[tokio::test]
async fn replicas_with_bodies_answer_like_the_statement_without_them() {
    for seed in 0..HISTORIES {
        let replicas = Replicas::start().await;
        let everyone: Vec<Uuid> = (1..=u128::from(MEMBERS)).map(member).collect();
        for n in 1..=2 {
            replicas.fixture.join_community(community(n), &everyone).await;
        }
        let mut history = History { replicas, rng: Rng(seed), posts: Vec::new(), comments: Vec::new() };
        for _ in 0..8 {
            history.write_post().await;
        }
        for n in 0..CHANGES {
            let change = history.change(n).await;
            let when = format!("history {seed}, {change}");
            let viewer = Some(history.someone()).filter(|_| !history.rng.chance(20));
            let sort = [PostSort::Recent, PostSort::Top, PostSort::Relevant][usize::try_from(n % 3).unwrap()];
            let request = ListPostsRequest { sort: sort.into(), page_size: 50, ..Default::default() };
            let posts = history.replicas.page(viewer, request, &when).await;
            if let Some(post) = posts.first() {
                history.replicas.compare_single(viewer, post, &when).await;
                history.replicas.compare_comments(viewer, post, &when).await;
                let author_id = Some(post.author_id.clone());
                let request = ListPostsRequest { sort: PostSort::Recent.into(), author_id, ..Default::default() };
                history.replicas.page(viewer, request, &when).await;
            }
        }
        history.replicas.everything(&[None, Some(member(1)), Some(member(2)), Some(member(3))], "the end").await;
    }
}
