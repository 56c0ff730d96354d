//! Deleting posts and comments: invisible immediately, subtracted once, then removed from the tables.

use std::{sync::Arc, time::Duration};

use portia_proto::feed::{
    CreateCommentRequest, CreatePostRequest, DeleteCommentRequest, DeleteCommentResponse, DeletePostRequest,
    GetPostRequest, ListActivityRequest, ListCommentsRequest, ListPostsRequest, ListReactionsRequest, PostSort,
    SetReactionRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member, retry_unavailable};

async fn delete_post(fixture: &Fixture, who: Uuid, post: &str) -> Result<(), StatusDetails> {
    let (who, request) = (fixture.as_member(who), DeletePostRequest { post_id: post.to_owned(), reason: 0 });
    retry_unavailable(|| fixture.delete_post(&who, request.clone())).await.map(drop)
}

async fn delete_comment(fixture: &Fixture, who: Uuid, comment: &str) -> Result<DeleteCommentResponse, StatusDetails> {
    let (who, request) = (fixture.as_member(who), DeleteCommentRequest { comment_id: comment.to_owned(), reason: 0 });
    retry_unavailable(|| fixture.delete_comment(&who, request.clone())).await
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

/// Waits until the rows of deleted posts are removed.
async fn wait_for_removal(fixture: &Fixture) {
    let left = "select count(*) from feed.posts where author_id = '00000000-0000-0000-0000-000000000000'";
    let cleared = async {
        while fixture.count(left).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), cleared).await.expect("the rows are removed");
}

#[tokio::test]
async fn a_deleted_post_is_not_found() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    for post in
        [fixture.create_post_of(member(1), "Open").await, fixture.create_post_in(member(1), society, "Ours").await]
    {
        fixture.like(member(2), &post.id).await;
        fixture.create_comment_of(member(2), &post.id, "Noted.").await;
        delete_post(&fixture, member(1), &post.id).await.unwrap();
        let id = || post.id.clone();
        let not_found = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
        for who in [fixture.as_member(member(1)), fixture.as_member(member(2))] {
            let page = ListCommentsRequest { post_id: id(), ..Default::default() };
            assert_eq!(refusal(fixture.list_comments(&who, page).await), not_found);
            let page = ListReactionsRequest { post_id: id(), ..Default::default() };
            assert_eq!(refusal(fixture.list_reactions(&who, page).await), not_found);
            assert_eq!(
                refusal(fixture.get_post(&who, GetPostRequest { post_id: id(), ..Default::default() }).await),
                not_found
            );
            let like = SetReactionRequest { post_id: id(), kind: 1 };
            assert_eq!(refusal(fixture.set_reaction(&who, like).await), not_found);
            let comment = CreateCommentRequest { post_id: id(), content: "Late".to_owned(), ..Default::default() };
            assert_eq!(refusal(fixture.create_comment(&who, comment).await), not_found);
            let edit = UpdatePostRequest { post_id: id(), content: "Back".to_owned(), ..Default::default() };
            assert_eq!(refusal(fixture.update_post(&who, edit).await), not_found);
            for (sort, author_id, community_id) in [
                (PostSort::Recent, None, None),
                (PostSort::Top, None, None),
                (PostSort::Relevant, None, None),
                (PostSort::Recent, Some(member(1).to_string()), None),
                (PostSort::Recent, None, Some(society.to_string())),
            ] {
                let request = ListPostsRequest { sort: sort.into(), author_id, community_id, ..Default::default() };
                let posts = fixture.list_posts(&who, request).await.unwrap().posts;
                assert!(posts.iter().all(|listed| listed.id != post.id), "{sort:?}");
            }
            for doer in [member(1), member(2)] {
                let request = ListActivityRequest { member_id: doer.to_string(), ..Default::default() };
                let activities = fixture.list_activity(&who, request).await.unwrap().activities;
                assert!(activities.iter().all(|activity| activity.post_id != post.id), "{doer}");
            }
        }
        assert_eq!(
            refusal(delete_post(&fixture, member(1), &post.id).await),
            not_found,
            "there is nothing to take away twice"
        );
        let words = format!("select count(*) from feed.posts where content in ('Open', 'Ours') and id = '{}'", post.id);
        assert_eq!(fixture.count(&words).await, 0, "the text is deleted immediately");
    }
    wait_for_removal(&fixture).await;
    for table in ["posts", "reactions", "comments"] {
        assert_eq!(fixture.count(&format!("select count(*) from feed.{table}")).await, 0, "{table}");
    }
}

#[tokio::test]
async fn only_the_author_deletes_a_post() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    let open = fixture.create_post_of(member(1), "Mine").await;
    let closed = fixture.create_post_in(member(1), society, "Ours").await;
    fixture.block_member(member(1), member(4)).await;
    let forbidden = (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned());
    let unknown = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
    for (who, post, expected) in [
        (2, open.id.as_str(), &forbidden),
        (2, &closed.id, &forbidden),
        (3, &closed.id, &unknown),
        (4, &open.id, &unknown),
        (1, UNKNOWN_ID, &unknown),
    ] {
        assert_eq!(refusal(delete_post(&fixture, member(who), post).await), *expected, "{who} {post}");
    }
    let visitor =
        fixture.delete_post(&fixture.as_visitor(), DeletePostRequest { post_id: open.id.clone(), reason: 0 }).await;
    assert_eq!(refusal(visitor).0, ErrorKind::Unauthenticated);
    assert_eq!(fixture.count("select count(*) from feed.posts where content in ('Mine', 'Ours')").await, 2);
}

#[tokio::test]
async fn a_repeated_request_does_not_restore_a_deleted_post() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let request =
        CreatePostRequest { content: "Once".to_owned(), idempotency_key: Some("key".to_owned()), ..Default::default() };
    let post = fixture.create_post(&me, request.clone()).await.unwrap().post.unwrap();
    delete_post(&fixture, member(1), &post.id).await.unwrap();
    assert_eq!(refusal(fixture.create_post(&me, request).await).0, ErrorKind::NotFound);
}

#[tokio::test]
async fn a_comment_is_deleted_by_its_author_or_the_author_of_the_post() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let mut comments = Vec::new();
    for who in [2, 2, 2, 3] {
        comments.push(fixture.create_comment_of(member(who), &post.id, "One").await.id);
    }
    let forbidden = (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned());
    let unknown = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    assert_eq!(refusal(delete_comment(&fixture, member(3), &comments[0]).await), forbidden);
    assert_eq!(refusal(delete_comment(&fixture, member(3), UNKNOWN_ID).await), unknown);
    fixture.block_member(member(2), member(4)).await;
    assert_eq!(refusal(delete_comment(&fixture, member(4), &comments[0]).await), unknown);

    let gone = delete_comment(&fixture, member(2), &comments[0]).await.unwrap();
    assert_eq!((gone.post_id.as_str(), gone.comment_count), (post.id.as_str(), Some(3)));
    assert_eq!(delete_comment(&fixture, member(1), &comments[1]).await.unwrap().comment_count, Some(2));
    assert_eq!(refusal(delete_comment(&fixture, member(2), &comments[0]).await), unknown);
    // An author deletes own comments on invisible posts, too; the answer tells nothing else about such a post.
    fixture.block_member(member(1), member(2)).await;
    assert_eq!(delete_comment(&fixture, member(2), &comments[2]).await.unwrap().comment_count, None);
    let left = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!((left.comment_count, left.comments[0].id.as_str()), (1, comments[3].as_str()));
    fixture.assert_counters().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_comment_deleted_twenty_times_concurrently_is_subtracted_once() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(1), &post.id, "One").await;
    fixture.create_comment_of(member(2), &post.id, "Two").await;
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let (fixture, id) = (Arc::clone(&fixture), comment.id.clone());
        racers.spawn(async move { delete_comment(&fixture, member(1), &id).await.is_ok() });
    }
    let won = racers.join_all().await.into_iter().filter(|won| *won).count();
    assert_eq!((won, fixture.get_post_as(&fixture.as_visitor(), &post.id).await.comment_count), (1, 1));
    fixture.assert_counters().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_post_deleted_during_reactions_and_comments_leaves_no_rows() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Quick!").await;
    let mut racers = JoinSet::new();
    for n in 2..30 {
        let (fixture, post_id) = (Arc::clone(&fixture), post.id.clone());
        racers.spawn(async move {
            let who = fixture.as_member(member(n));
            let like = SetReactionRequest { post_id: post_id.clone(), kind: 1 };
            let comment =
                CreateCommentRequest { post_id: post_id.clone(), content: "!".to_owned(), ..Default::default() };
            let liked = retry_unavailable(|| fixture.set_reaction(&who, like.clone())).await.map(drop);
            let commented = retry_unavailable(|| fixture.create_comment(&who, comment.clone())).await.map(drop);
            for answer in [liked, commented] {
                assert!(answer.is_ok() || answer.is_err_and(|refused| refused.kind == ErrorKind::NotFound));
            }
            if n == 15 {
                delete_post(&fixture, member(1), &post_id).await.unwrap();
            }
        });
    }
    racers.join_all().await;
    wait_for_removal(&fixture).await;
    for table in ["posts", "reactions", "comments"] {
        assert_eq!(fixture.count(&format!("select count(*) from feed.{table}")).await, 0, "{table}");
    }
}
