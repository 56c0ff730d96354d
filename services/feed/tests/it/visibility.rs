//! Visibility: every kind of viewer and post, with the same result from all RPCs.

use portia_proto::feed::{
    BatchGetPostsRequest, CreateCommentRequest, GetPostRequest, ListActivityRequest, ListCommentsRequest,
    ListPostsRequest, ListReactionsRequest, Post, PostSort, RemoveReactionRequest, SaveItemRequest, SavedKind,
    SetReactionRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

const AUTHOR: u128 = 1;
const STRANGER: u128 = 2;
const FELLOW: u128 = 3;
const BLOCKED: u128 = 4;
const BLOCKER: u128 = 5;
/// A former member of the community who posted in it.
const LEFT: u128 = 6;
const CLOSED: u128 = 8;
/// The author of comments on all posts.
const COMMENTER: u128 = 9;

/// Returns the visibility of a post by RPC, without the RPCs that refuse the caller.
async fn visibility_by_rpc(fixture: &Fixture, who: &Call, is_member: bool, post: &Post) -> Vec<(&'static str, bool)> {
    let id = || post.id.clone();
    let found = |answer: Result<bool, StatusDetails>| match answer {
        Ok(found) => found,
        // An author who left sees their own post, but cannot write there.
        Err(refused) if refused.reason == "NOT_A_MEMBER" => true,
        Err(refused) => {
            assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
            false
        }
    };
    let mut answers = Vec::new();
    for (name, sort, author_id) in [
        ("recent", PostSort::Recent, None),
        ("top", PostSort::Top, None),
        ("relevant", PostSort::Relevant, None),
        ("by", PostSort::Recent, Some(post.author_id.clone())),
    ] {
        // Pages of two, so that the post may be on any page.
        let (mut met, mut page_token) = (false, String::new());
        loop {
            let request = ListPostsRequest {
                sort: sort.into(),
                author_id: author_id.clone(),
                page_size: 2,
                page_token,
                ..Default::default()
            };
            let page = fixture.list_posts(who, request).await.unwrap();
            met |= page.posts.iter().any(|listed| listed.id == post.id);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        answers.push((name, met));
    }
    let one = fixture.get_post(who, GetPostRequest { post_id: id(), ..Default::default() }).await;
    let several = fixture.batch_get_posts(who, BatchGetPostsRequest { post_ids: vec![id()] }).await.unwrap().posts;
    answers.push(("BatchGetPosts", several.iter().any(|one| one.id == post.id)));
    answers.push(("GetPost", found(one.map(|one| one.post.unwrap().id == post.id))));
    let list = ListReactionsRequest { post_id: id(), ..Default::default() };
    answers.push(("ListReactions", found(fixture.list_reactions(who, list).await.map(|_| true))));
    let list = ListCommentsRequest { post_id: id(), ..Default::default() };
    answers.push(("ListComments", found(fixture.list_comments(who, list).await.map(|_| true))));
    for (name, doer) in [("posted", post.author_id.clone()), ("commented", member(COMMENTER).to_string())] {
        let request = ListActivityRequest { member_id: doer, page_size: 100, ..Default::default() };
        let activities = fixture.list_activity(who, request).await.unwrap().activities;
        answers.push((name, activities.iter().any(|activity| activity.post_id == post.id)));
    }
    if is_member {
        let save = SaveItemRequest { kind: SavedKind::Post.into(), id: id() };
        answers.push(("SaveItem", found(fixture.save_item(who, save).await.map(|_| true))));
        let set = SetReactionRequest { post_id: id(), kind: 1 };
        answers.push(("SetReaction", found(fixture.set_reaction(who, set).await.map(|_| true))));
        let remove = RemoveReactionRequest { post_id: id() };
        answers.push(("RemoveReaction", found(fixture.remove_reaction(who, remove).await.map(|_| true))));
        let comment = CreateCommentRequest { post_id: id(), content: "Seen.".to_owned(), ..Default::default() };
        answers.push(("CreateComment", found(fixture.create_comment(who, comment).await.map(|_| true))));
    }
    answers
}

#[tokio::test]
async fn every_rpc_agrees_on_the_visibility_of_each_post_for_each_viewer() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[AUTHOR, FELLOW, BLOCKED, BLOCKER, LEFT, COMMENTER].map(member)).await;
    fixture.join_community(community(2), &[member(STRANGER)]).await;
    let mut posts = Vec::new();
    for (name, author, into) in [
        ("public", AUTHOR, None),
        ("in the community", AUTHOR, Some(society)),
        ("of who left", LEFT, Some(society)),
        ("of a closed account", CLOSED, None),
    ] {
        let post = match into {
            Some(into) => fixture.create_post_in(member(author), into, name).await,
            None => fixture.create_post_of(member(author), name).await,
        };
        fixture.advance_clock(60);
        fixture.create_comment_of(member(COMMENTER), &post.id, "Noted.").await;
        posts.push(post);
    }
    // Enough other posts for several pages.
    for n in 0..5 {
        fixture.create_post_of(member(20), &format!("another {n}")).await;
        fixture.advance_clock(60);
    }
    fixture.leave_community(society, member(LEFT)).await;
    fixture.block_member(member(AUTHOR), member(BLOCKED)).await;
    fixture.block_member(member(BLOCKER), member(AUTHOR)).await;
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &member(CLOSED).to_string(), fixture.harness.clock.now()).await.unwrap();
    drop(conn);

    //                     public, community, left, closed
    let table = [
        (None, [true, false, false, false]),
        (Some(STRANGER), [true, false, false, false]),
        (Some(FELLOW), [true, true, true, false]),
        (Some(AUTHOR), [true, true, true, false]),
        (Some(BLOCKED), [false, false, true, false]),
        (Some(BLOCKER), [false, false, true, false]),
        // A former member of the community sees their own post, without the comments and reactions of others.
        (Some(LEFT), [true, false, true, false]),
    ];
    for fresh in [true, false] {
        if !fresh {
            // After an hour own posts do not lead the page.
            fixture.advance_clock(7_200);
        }
        for (viewer, expected) in table {
            let who = viewer.map_or_else(|| fixture.as_visitor(), |viewer| fixture.as_member(member(viewer)));
            for (post, expected) in posts.iter().zip(expected) {
                for (rpc, knows) in visibility_by_rpc(&fixture, &who, viewer.is_some(), post).await {
                    // The comment of another member, which an author who left does not see.
                    let is_left = viewer == Some(LEFT) && post.author_id == member(LEFT).to_string();
                    let expected = expected && !(is_left && rpc == "commented");
                    assert_eq!(knows, expected, "{rpc} of {:?} for {viewer:?}", post.content);
                }
            }
        }
    }
    fixture.assert_counters().await;
}

/// Returns the numbers of reactions and comments by `author` that `who` sees on a post: embedded and listed.
async fn visible_answers(fixture: &Fixture, who: Uuid, subject: Uuid, post: &str) -> [usize; 4] {
    let (who, subject) = (fixture.as_member(who), subject.to_string());
    let seen = fixture.get_post_as(&who, post).await;
    assert_eq!((seen.like_count, seen.comment_count), (2, 2), "the counters include it");
    let list = ListReactionsRequest { post_id: post.to_owned(), ..Default::default() };
    let reactions = fixture.list_reactions(&who, list).await.unwrap().reactions;
    let list = ListCommentsRequest { post_id: post.to_owned(), ..Default::default() };
    let comments = fixture.list_comments(&who, list).await.unwrap().comments;
    [
        seen.reactions.iter().filter(|reaction| reaction.member_id == subject).count(),
        seen.comments.iter().filter(|comment| comment.author_id == subject).count(),
        reactions.iter().filter(|reaction| reaction.member_id == subject).count(),
        comments.iter().filter(|comment| comment.author_id == subject).count(),
    ]
}

#[tokio::test]
async fn reactions_and_comments_of_blocked_members_are_hidden() {
    let fixture = Fixture::new().await;
    let (one, other, third) = (member(1), member(2), member(3));
    let post = fixture.create_post_of(third, "Public").await;
    for who in [one, other] {
        fixture.like(who, &post.id).await;
        fixture.create_comment_of(who, &post.id, "Hear, hear.").await;
    }
    assert_eq!(visible_answers(&fixture, one, other, &post.id).await, [1; 4]);
    fixture.block_member(one, other).await;
    assert_eq!(visible_answers(&fixture, one, other, &post.id).await, [0; 4]);
    assert_eq!(visible_answers(&fixture, other, one, &post.id).await, [0; 4]);
    for who in [one, other, third] {
        for subject in [one, other].into_iter().filter(|subject| *subject == who || who == third) {
            assert_eq!(visible_answers(&fixture, who, subject, &post.id).await, [1; 4], "to themselves and to others");
        }
    }
    let request = ListActivityRequest { member_id: other.to_string(), ..Default::default() };
    assert_eq!(fixture.list_activity(&fixture.as_member(one), request.clone()).await.unwrap().activities.len(), 0);
    assert_eq!(fixture.list_activity(&fixture.as_member(third), request).await.unwrap().activities.len(), 2);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn pages_are_full_in_spite_of_blocks() {
    let fixture = Fixture::new().await;
    for n in 0..30 {
        let post = fixture.create_post_of(member(1 + n % 3), &format!("post {n}")).await;
        for fan in 0..30 {
            fixture.like(member(1 + fan), &post.id).await;
        }
        for who in [9, 9, 9, 1, 1, 1] {
            fixture.create_comment_of(member(who), &post.id, "hm").await;
        }
        fixture.advance_clock(1);
    }
    fixture.block_member(member(2), member(1)).await;
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        let request = ListPostsRequest { sort: sort.into(), page_size: 10, ..Default::default() };
        let posts = fixture.list_posts(&fixture.as_member(member(2)), request).await.unwrap().posts;
        assert_eq!(posts.len(), 10, "{sort:?}");
        for post in &posts {
            assert_eq!((post.reactions.len(), post.comments.len()), (20, 3));
        }
    }
}
