//! Who may see what: every kind of viewer against every kind of post, and all RPCs of one mind about it.

use portia_proto::feed::{
    BatchGetPostsRequest, CreateCommentRequest, GetPostRequest, ListActivityRequest, ListCommentsRequest,
    ListPostsRequest, ListReactionsRequest, Post, PostSort, RemoveReactionRequest, SaveItemRequest, SavedKind,
    SetReactionRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use rpc::Call;
use uuid::Uuid;

use crate::stand::{Stand, community, member};

const AUTHOR: u128 = 1;
const STRANGER: u128 = 2;
const FELLOW: u128 = 3;
const BLOCKED: u128 = 4;
const BLOCKER: u128 = 5;
/// Was in the community, and wrote in it.
const LEFT: u128 = 6;
const CLOSED: u128 = 8;
/// Comments on everything.
const TALKER: u128 = 9;

/// Whether each RPC knows of the post, for somebody who may ask it at all.
async fn asked(stand: &Stand, who: &Call, is_member: bool, post: &Post) -> Vec<(&'static str, bool)> {
    let id = || post.id.clone();
    let found = |answer: Result<bool, StatusDetails>| match answer {
        Ok(found) => found,
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
        // Pages of two, so that it may be on any of them.
        let (mut met, mut page_token) = (false, String::new());
        loop {
            let request = ListPostsRequest {
                sort: sort.into(),
                author_id: author_id.clone(),
                page_size: 2,
                page_token,
                ..Default::default()
            };
            let page = stand.list_posts(who, request).await.unwrap();
            met |= page.posts.iter().any(|listed| listed.id == post.id);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        answers.push((name, met));
    }
    let one = stand.get_post(who, GetPostRequest { post_id: id() }).await;
    let several = stand.batch_get_posts(who, BatchGetPostsRequest { post_ids: vec![id()] }).await.unwrap().posts;
    answers.push(("BatchGetPosts", several.iter().any(|one| one.id == post.id)));
    answers.push(("GetPost", found(one.map(|one| one.post.unwrap().id == post.id))));
    let list = ListReactionsRequest { post_id: id(), ..Default::default() };
    answers.push(("ListReactions", found(stand.list_reactions(who, list).await.map(|_| true))));
    let list = ListCommentsRequest { post_id: id(), ..Default::default() };
    answers.push(("ListComments", found(stand.list_comments(who, list).await.map(|_| true))));
    for (name, doer) in [("posted", post.author_id.clone()), ("commented", member(TALKER).to_string())] {
        let request = ListActivityRequest { member_id: doer, page_size: 100, ..Default::default() };
        let activities = stand.list_activity(who, request).await.unwrap().activities;
        answers.push((name, activities.iter().any(|activity| activity.post_id == post.id)));
    }
    if is_member {
        let save = SaveItemRequest { kind: SavedKind::Post.into(), id: id() };
        answers.push(("SaveItem", found(stand.save_item(who, save).await.map(|_| true))));
        let set = SetReactionRequest { post_id: id(), kind: 1 };
        answers.push(("SetReaction", found(stand.set_reaction(who, set).await.map(|_| true))));
        let remove = RemoveReactionRequest { post_id: id() };
        answers.push(("RemoveReaction", found(stand.remove_reaction(who, remove).await.map(|_| true))));
        let comment = CreateCommentRequest { post_id: id(), content: "Seen.".to_owned(), ..Default::default() };
        answers.push(("CreateComment", found(stand.create_comment(who, comment).await.map(|_| true))));
    }
    answers
}

#[tokio::test]
async fn every_viewer_against_every_post_and_every_rpc() {
    let stand = Stand::new().await;
    let society = community(1);
    stand.join(society, &[AUTHOR, FELLOW, BLOCKED, BLOCKER, LEFT, TALKER].map(member)).await;
    stand.join(community(2), &[member(STRANGER)]).await;
    let mut posts = Vec::new();
    for (name, author, into) in [
        ("for everybody", AUTHOR, None),
        ("in the community", AUTHOR, Some(society)),
        ("of who left", LEFT, Some(society)),
        ("of a closed account", CLOSED, None),
    ] {
        let post = match into {
            Some(into) => stand.post_in(member(author), into, name).await,
            None => stand.post(member(author), name).await,
        };
        stand.wait(60);
        stand.comment(member(TALKER), &post.id, "Noted.").await;
        posts.push(post);
    }
    // Enough besides that there are pages.
    for n in 0..5 {
        stand.post(member(20), &format!("another {n}")).await;
        stand.wait(60);
    }
    stand.leave(society, member(LEFT)).await;
    stand.block(member(AUTHOR), member(BLOCKED)).await;
    stand.block(member(BLOCKER), member(AUTHOR)).await;
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::hidden::hide(&mut conn, &member(CLOSED).to_string(), stand.harness.clock.now()).await.unwrap();
    drop(conn);

    //                     everybody, community, left, closed
    let table = [
        (None, [true, false, false, false]),
        (Some(STRANGER), [true, false, false, false]),
        (Some(FELLOW), [true, true, true, false]),
        (Some(AUTHOR), [true, true, true, false]),
        (Some(BLOCKED), [false, false, true, false]),
        (Some(BLOCKER), [false, false, true, false]),
        // Not in the community any more, but their own post stays theirs.
        (Some(LEFT), [true, false, true, false]),
    ];
    for fresh in [true, false] {
        if !fresh {
            // Nothing leads any more.
            stand.wait(7_200);
        }
        for (viewer, expected) in table {
            let who = viewer.map_or_else(|| stand.visitor(), |viewer| stand.by(member(viewer)));
            for (post, expected) in posts.iter().zip(expected) {
                for (rpc, knows) in asked(&stand, &who, viewer.is_some(), post).await {
                    assert_eq!(knows, expected, "{rpc} of {:?} for {viewer:?}", post.content);
                }
            }
        }
    }
    stand.assert_counters_true().await;
}

/// What of `whose` is shown to `who` under a post: embedded and listed.
async fn said(stand: &Stand, who: Uuid, whose: Uuid, post: &str) -> [usize; 4] {
    let (who, whose) = (stand.by(who), whose.to_string());
    let seen = stand.seen(&who, post).await;
    assert_eq!((seen.like_count, seen.comment_count), (2, 2), "counters count it all the same");
    let list = ListReactionsRequest { post_id: post.to_owned(), ..Default::default() };
    let reactions = stand.list_reactions(&who, list).await.unwrap().reactions;
    let list = ListCommentsRequest { post_id: post.to_owned(), ..Default::default() };
    let comments = stand.list_comments(&who, list).await.unwrap().comments;
    [
        seen.reactions.iter().filter(|reaction| reaction.member_id == whose).count(),
        seen.comments.iter().filter(|comment| comment.author_id == whose).count(),
        reactions.iter().filter(|reaction| reaction.member_id == whose).count(),
        comments.iter().filter(|comment| comment.author_id == whose).count(),
    ]
}

#[tokio::test]
async fn what_they_say_elsewhere_is_left_out_for_each_other() {
    let stand = Stand::new().await;
    let (one, other, third) = (member(1), member(2), member(3));
    let post = stand.post(third, "Everybody's").await;
    for who in [one, other] {
        stand.like(who, &post.id).await;
        stand.comment(who, &post.id, "Hear, hear.").await;
    }
    assert_eq!(said(&stand, one, other, &post.id).await, [1; 4]);
    stand.block(one, other).await;
    assert_eq!(said(&stand, one, other, &post.id).await, [0; 4]);
    assert_eq!(said(&stand, other, one, &post.id).await, [0; 4]);
    for who in [one, other, third] {
        for whose in [one, other].into_iter().filter(|whose| *whose == who || who == third) {
            assert_eq!(said(&stand, who, whose, &post.id).await, [1; 4], "to themselves and to others");
        }
    }
    let request = ListActivityRequest { member_id: other.to_string(), ..Default::default() };
    assert_eq!(stand.list_activity(&stand.by(one), request.clone()).await.unwrap().activities.len(), 0);
    assert_eq!(stand.list_activity(&stand.by(third), request).await.unwrap().activities.len(), 2);
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn pages_are_full_whoever_is_blocked() {
    let stand = Stand::new().await;
    for n in 0..30 {
        let post = stand.post(member(1 + n % 3), &format!("post {n}")).await;
        for fan in 0..30 {
            stand.like(member(1 + fan), &post.id).await;
        }
        for who in [9, 9, 9, 1, 1, 1] {
            stand.comment(member(who), &post.id, "hm").await;
        }
        stand.wait(1);
    }
    stand.block(member(2), member(1)).await;
    for sort in [PostSort::Relevant, PostSort::Recent, PostSort::Top] {
        let request = ListPostsRequest { sort: sort.into(), page_size: 10, ..Default::default() };
        let posts = stand.list_posts(&stand.by(member(2)), request).await.unwrap().posts;
        assert_eq!(posts.len(), 10, "{sort:?}");
        for post in &posts {
            assert_eq!((post.reactions.len(), post.comments.len()), (20, 3));
        }
    }
}
