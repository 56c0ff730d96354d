//! Each change of what a list shows of a post is shown at once by every replica that has the earlier body in memory.

use feed::read_model::{blocks, communities};
use portia_proto::feed::{
    AppealOutcome, BatchGetPostBodiesRequest, CreatePostRequest, DeleteCommentRequest, DeletePostRequest,
    GetPostRequest, ListCommentsRequest, ListPostsRequest, Post, PostSort, ReactionKind, ReportedKind,
    UpdateCommentRequest, UpdatePostRequest,
};
use uuid::Uuid;

use crate::{
    fixtures::{Fixture, community, member},
    link_previews::Site,
    moderation::{OTHER_MODERATOR, appeal, decide_appeal, remove},
    replicas::{Replicas, viewers},
};

/// The replicas, and the posts that they show.
struct Shown {
    replicas: Replicas,
    seen: Vec<Vec<Post>>,
    versions: String,
}

impl Shown {
    async fn start() -> Self {
        Self { replicas: Replicas::start().await, seen: Vec::new(), versions: String::new() }
    }

    fn fixture(&self) -> &Fixture {
        &self.replicas.fixture
    }

    /// Asserts that the posts shown changed, after a change that every list shows.
    async fn changed(&mut self, by: &str) {
        let seen = self.replicas.everything(&viewers(), by).await;
        assert_ne!(seen, self.seen, "{by} changes what is shown");
        (self.seen, self.versions) = (seen, self.replicas.row_versions().await);
    }

    /// Asserts that nothing changed, after a change that no list shows and that does not write the rows of posts.
    async fn unchanged(&self, by: &str) {
        assert_eq!(self.replicas.everything(&viewers(), by).await, self.seen, "{by} changes nothing shown");
        assert_eq!(self.replicas.row_versions().await, self.versions, "{by} changes no version");
    }

    async fn edit_comment(&self, who: u128, comment: &str, content: &str) {
        let request = UpdateCommentRequest { comment_id: comment.to_owned(), content: content.to_owned() };
        self.fixture().update_comment(&self.fixture().as_member(member(who)), request).await.unwrap();
    }

    async fn delete_comment(&self, who: u128, comment: &str) {
        let request = DeleteCommentRequest { comment_id: comment.to_owned(), reason: 0 };
        self.fixture().delete_comment(&self.fixture().as_member(member(who)), request).await.unwrap();
    }

    async fn edit_post(&self, who: u128, post: &str, content: &str) {
        let request = UpdatePostRequest { post_id: post.to_owned(), content: content.to_owned(), ..Default::default() };
        self.fixture().update_post(&self.fixture().as_member(member(who)), request).await.unwrap();
    }

    async fn delete_post(&self, who: u128, post: &str) {
        let request = DeletePostRequest { post_id: post.to_owned(), reason: 0 };
        self.fixture().delete_post(&self.fixture().as_member(member(who)), request).await.unwrap();
    }

    async fn create(&self, who: u128, request: CreatePostRequest) -> String {
        let who = self.fixture().as_member(member(who));
        self.fixture().create_post(&who, request).await.unwrap().post.unwrap().id
    }

    async fn close(&self, who: Uuid) {
        let mut conn = self.fixture().pool().acquire().await.unwrap();
        let now = self.fixture().harness.clock.now();
        feed::deactivation::deactivate(&mut conn, &who.to_string(), now).await.unwrap();
    }

    async fn reopen(&self, who: Uuid) {
        let mut conn = self.fixture().pool().acquire().await.unwrap();
        feed::deactivation::reactivate(&mut conn, &who.to_string()).await.unwrap();
    }

    async fn erase(&self, who: Uuid) {
        let mut conn = self.fixture().pool().acquire().await.unwrap();
        let now = self.fixture().harness.clock.now();
        feed::deactivation::request_erasure(&mut conn, &who.to_string(), now).await.unwrap();
        let erased = async {
            while self.fixture().count("select count(*) from feed.erasures").await > 0 {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), erased).await.expect("the member is erased");
    }
}

#[tokio::test]
async fn changes_by_reactions_and_comments() {
    let mut shown = Shown::start().await;
    let post = shown.fixture().create_post_of(member(1), "Moot court").await.id;
    shown.changed("a post").await;
    shown.fixture().like(member(3), &post).await;
    shown.changed("a reaction").await;
    shown.fixture().set_reaction_of(member(3), &post, ReactionKind::Thanks).await;
    shown.changed("another kind").await;
    shown.fixture().like(member(2), &post).await;
    shown.changed("the viewer's reaction").await;
    shown.fixture().unlike(member(3), &post).await;
    shown.changed("a removed reaction").await;

    let comment = shown.fixture().create_comment_of(member(3), &post, "Well argued").await;
    shown.changed("a comment").await;
    shown.edit_comment(3, &comment.id, "Argued well").await;
    shown.changed("an edited comment").await;
    shown.edit_comment(3, &comment.id, "Argued well").await;
    shown.unchanged("the same text").await;
    shown.fixture().like_comment(member(2), &comment.id).await;
    shown.changed("a reaction to a comment").await;
    shown.fixture().like_comment(member(2), &comment.id).await;
    shown.unchanged("the same reaction").await;
    shown.fixture().like_comment(member(4), &comment.id).await;
    shown.changed("another member's reaction to a comment").await;
    let reply = shown.fixture().create_reply_of(member(4), &comment, "Is it?").await;
    shown.changed("a reply").await;
    shown.fixture().like_comment(member(1), &reply.id).await;
    shown.edit_comment(4, &reply.id, "It is").await;
    shown.unchanged("a change of a reply").await;
    shown.delete_comment(4, &reply.id).await;
    shown.changed("a deleted reply").await;
    shown.fixture().unlike_comment(member(2), &comment.id).await;
    shown.changed("a removed reaction to a comment").await;
    shown.fixture().unlike_comment(member(2), &comment.id).await;
    shown.unchanged("the removal of no reaction").await;

    for n in 5..8 {
        shown.fixture().create_comment_of(member(n), &post, "Later").await;
    }
    shown.changed("newer comments").await;
    shown.delete_comment(5, &shown.seen[0][0].comments[0].id).await;
    shown.changed("a deleted comment").await;
    shown.delete_post(1, &post).await;
    shown.changed("a deleted post").await;
}

#[tokio::test]
async fn changes_of_a_text_and_of_a_reposted_post() {
    let mut shown = Shown::start().await;
    let post = shown.fixture().create_post_of(member(1), "Moot court").await.id;
    let article =
        CreatePostRequest { title: Some("On appeal".to_owned()), content: "Long ".repeat(400), ..Default::default() };
    let article = shown.create(1, article).await;
    shown.changed("posts").await;
    shown.edit_post(1, &post, &format!("Moot court with @[{}]", member(4))).await;
    shown.changed("an edit").await;
    let change = UpdatePostRequest {
        post_id: article.clone(),
        title: Some("On appeals".to_owned()),
        content: format!("{}end", "Long ".repeat(400)),
        ..Default::default()
    };
    shown.fixture().update_post(&shown.fixture().as_member(member(1)), change).await.unwrap();
    shown.changed("an edit of an article").await;
    let repost = CreatePostRequest { content: "See".into(), repost_of: Some(post.clone()), ..Default::default() };
    let repost = shown.create(5, repost).await;
    shown.changed("a repost").await;
    shown.create(6, CreatePostRequest { repost_of: Some(article.clone()), ..Default::default() }).await;
    shown.changed("a repost without a text").await;
    shown.edit_post(1, &post, "Moot courts").await;
    shown.changed("an edit of the reposted post").await;
    shown.close(member(1)).await;
    shown.changed("the closed account of the reposted author").await;
    shown.reopen(member(1)).await;
    shown.changed("the reopened account of the reposted author").await;
    shown.delete_post(1, &article).await;
    shown.changed("the deletion of the reposted post").await;
    feed::purge_deleted_posts(shown.fixture().pool()).await.unwrap();
    assert_eq!(shown.replicas.everything(&viewers(), "the purge").await, shown.seen);
    shown.delete_post(5, &repost).await;
    shown.changed("the deletion of a repost").await;
}

#[tokio::test]
async fn changes_of_members_communities_and_by_moderators() {
    let mut shown = Shown::start().await;
    let place = community(1);
    shown.fixture().join_community(place, &[member(1), member(2), member(3)]).await;
    let post = shown.fixture().create_post_in(member(1), place, "Moot court").await.id;
    let public = shown.fixture().create_post_of(member(1), "In public").await.id;
    shown.changed("posts").await;
    let mut conn = shown.fixture().pool().acquire().await.unwrap();
    communities::set_name(&mut conn, place, "Renamed").await.unwrap();
    shown.changed("the name of a community").await;
    for who in [3, 4] {
        shown.fixture().like(member(who), &public).await;
        let comment = shown.fixture().create_comment_of(member(who), &public, "Well argued").await;
        shown.fixture().like_comment(member(7 - who), &comment.id).await;
        shown.fixture().like_comment(member(2), &comment.id).await;
    }
    shown.changed("reactions and comments").await;
    shown.close(member(3)).await;
    shown.changed("a closed account").await;
    shown.close(member(3)).await;
    shown.unchanged("a repeated fact").await;
    shown.reopen(member(3)).await;
    shown.changed("a reopened account").await;
    blocks::insert_all(&mut conn, &[member(4)], &[member(2)]).await.unwrap();
    shown.changed("a block").await;
    blocks::delete(&mut conn, member(4), member(2)).await.unwrap();
    shown.changed("the end of a block").await;
    blocks::insert_all(&mut conn, &[member(2)], &[member(9)]).await.unwrap();
    shown.unchanged("a block with another member").await;

    let comment = shown.seen[0].iter().find(|shown| shown.id == public).unwrap().comments[0].id.clone();
    let removal = remove(shown.fixture(), ReportedKind::Comment, &comment).await;
    shown.changed("a removed comment").await;
    appeal(shown.fixture(), 3, &removal).await.unwrap();
    decide_appeal(shown.fixture(), OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    shown.changed("a restored comment").await;
    let removal = remove(shown.fixture(), ReportedKind::Post, &post).await;
    shown.changed("a removed post").await;
    appeal(shown.fixture(), 1, &removal).await.unwrap();
    decide_appeal(shown.fixture(), OTHER_MODERATOR, &removal, AppealOutcome::Overturned).await.unwrap();
    shown.changed("a restored post").await;
    shown.erase(member(3)).await;
    shown.changed("an erased account").await;
    shown.fixture().leave_community(place, member(2)).await;
    shown.changed("a left community").await;
    communities::delete(&mut conn, place).await.unwrap();
    shown.changed("a removed community").await;
}

#[tokio::test]
async fn changes_by_an_erasure_of_reactions_only() {
    let mut shown = Shown::start().await;
    let post = shown.fixture().create_post_of(member(1), "Moot court").await.id;
    let comment = shown.fixture().create_comment_of(member(4), &post, "Well argued").await;
    shown.fixture().like_comment(member(3), &comment.id).await;
    shown.changed("a reaction to a comment").await;
    shown.erase(member(3)).await;
    shown.changed("an erased account").await;
}

#[tokio::test]
async fn a_changed_preview_is_shown() {
    let Site { fixture, server, store: _store, folder: _folder } = Site::start().await;
    let post = fixture.create_post_of(member(1), &server.url("/case")).await;
    let repost = CreatePostRequest { content: "See".into(), repost_of: Some(post.id), ..Default::default() };
    fixture.create_post(&fixture.as_member(member(3)), repost).await.unwrap();
    let mut shown = Shown { replicas: Replicas::of(fixture).await, seen: Vec::new(), versions: String::new() };
    let fetched = async {
        while shown.fixture().count("select count(*) from feed.link_previews where card is null").await > 0 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(120), fetched).await.expect("the page is fetched");
    shown.changed("a preview").await;
    assert!(shown.seen[0].iter().any(|post| post.link_preview.is_some()));
    let changed = "update feed.link_previews set card = card || '{\"title\": \"Another title\"}'";
    shown.fixture().harness.database().run(changed).await;
    shown.changed("another preview of the page").await;
    let original = shown.seen[0].iter().find_map(|post| post.repost.as_ref()).unwrap();
    assert_eq!(original.link_preview.as_ref().unwrap().title, "Another title");
}

#[tokio::test]
async fn a_body_in_memory_is_not_read_again() {
    let shown = Shown::start().await;
    let post = shown.fixture().create_post_of(member(1), "Moot court").await;
    let comment = shown.fixture().create_comment_of(member(3), &post.id, "Well argued").await;
    let first = shown.fixture().get_post_as(&shown.fixture().as_visitor(), &post.id).await;
    // No writer changes a comment without its post.
    let written = format!("update feed.comments set content = 'Behind its back' where id = '{}'", comment.id);
    shown.fixture().harness.database().run(written).await;
    let second = shown.fixture().get_post_as(&shown.fixture().as_visitor(), &post.id).await;
    assert_eq!((second.comments[0].content.as_str(), first.comments.len()), ("Well argued", 1));
    shown.fixture().like(member(2), &post.id).await;
    let third = shown.fixture().get_post_as(&shown.fixture().as_visitor(), &post.id).await;
    assert_eq!(third.comments[0].content, "Behind its back");
}

#[tokio::test]
async fn members_in_a_block_share_the_bodies_of_posts_without_the_other() {
    let shown = Shown::start().await;
    let fixture = shown.fixture();
    let id = fixture.create_post_of(member(1), "Moot court").await.id;
    let is_shared = async |who: u128| {
        let caller = fixture.as_member(member(who));
        let list = ListPostsRequest { sort: PostSort::Recent.into(), without_bodies: true, ..Default::default() };
        let listed = fixture.list_posts(&caller, list).await.unwrap().posts.remove(0);
        let single = GetPostRequest { post_id: id.clone(), known_version: Some(Vec::new()) };
        let single = fixture.get_post(&caller, single).await.unwrap().post.unwrap();
        let read = BatchGetPostBodiesRequest { post_ids: vec![id.clone()] };
        let read = fixture.batch_get_post_bodies(&caller, read).await.unwrap().posts.remove(0);
        [listed, single, read].map(|post| !post.version.is_empty())
    };
    fixture.block_member(member(5), member(6)).await;
    assert_eq!(is_shared(5).await, [true; 3]);
    let comment = fixture.create_comment_of(member(2), &id, &format!("See @[{}]", member(6))).await;
    assert_eq!((is_shared(5).await, is_shared(4).await), ([false; 3], [true; 3]), "a mention");
    shown.delete_comment(2, &comment.id).await;
    assert_eq!(is_shared(5).await, [true; 3], "the comment is gone");
    fixture.like(member(6), &id).await;
    assert_eq!((is_shared(5).await, is_shared(4).await), ([false; 3], [true; 3]), "a reaction");
}

#[tokio::test]
async fn a_page_of_comments_in_memory_is_not_read_again() {
    let shown = Shown::start().await;
    let post = shown.fixture().create_post_of(member(1), "Moot court").await;
    let comment = shown.fixture().create_comment_of(member(3), &post.id, "Well argued").await;
    let list = async |who: u128| {
        let request = ListCommentsRequest { post_id: post.id.clone(), ..Default::default() };
        shown.fixture().list_comments(&shown.fixture().as_member(member(who)), request).await.unwrap().comments
    };
    assert_eq!(list(4).await[0].content, "Well argued");
    // No writer changes a comment without its post.
    let written = format!("update feed.comments set content = 'Behind its back' where id = '{}'", comment.id);
    shown.fixture().harness.database().run(written).await;
    assert_eq!(list(2).await[0].content, "Well argued", "one page serves every viewer");
    shown.fixture().block_member(member(5), member(6)).await;
    assert_eq!(list(5).await[0].content, "Well argued", "also one in a block with none of its authors");
    shown.fixture().block_member(member(3), member(5)).await;
    assert!(list(5).await.is_empty(), "the author of the comment blocks this one");
    shown.fixture().like_comment(member(2), &comment.id).await;
    let (own, others) = (list(2).await, list(4).await);
    assert_eq!((own[0].content.as_str(), own[0].reactions.len(), own[0].like_count), ("Behind its back", 1, 1));
    assert_eq!(
        (others[0].content.as_str(), others[0].reactions.len(), others[0].like_count),
        ("Behind its back", 0, 1)
    );
}
