//! Taking away what was written: at once for everybody, counted off once, and then out of the tables.

use std::{sync::Arc, time::Duration};

use portia_proto::feed::{
    CreateCommentRequest, CreatePostRequest, DeleteCommentRequest, DeleteCommentResponse, DeletePostRequest,
    GetPostRequest, ListActivityRequest, ListCommentsRequest, ListPostsRequest, ListReactionsRequest, PostSort,
    SetReactionRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::stand::{NOWHERE, Stand, community, member, patiently};

async fn remove(stand: &Stand, who: Uuid, post: &str) -> Result<(), StatusDetails> {
    let (who, request) = (stand.by(who), DeletePostRequest { post_id: post.to_owned() });
    patiently(|| stand.delete_post(&who, request.clone())).await.map(drop)
}

async fn unsay(stand: &Stand, who: Uuid, comment: &str) -> Result<DeleteCommentResponse, StatusDetails> {
    let (who, request) = (stand.by(who), DeleteCommentRequest { comment_id: comment.to_owned() });
    patiently(|| stand.delete_comment(&who, request.clone())).await
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

/// Waits until nothing is left of what was taken away.
async fn cleared(stand: &Stand) {
    let left = "select count(*) from feed.posts where author_id = '00000000-0000-0000-0000-000000000000'";
    let cleared = async {
        while stand.count(left).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), cleared).await.expect("it is cleared away");
}

#[tokio::test]
async fn a_deleted_post_is_gone_for_everybody_at_once() {
    let stand = Stand::new().await;
    let society = community(1);
    stand.join(society, &[member(1), member(2)]).await;
    for post in [stand.post(member(1), "Open").await, stand.post_in(member(1), society, "Ours").await] {
        stand.like(member(2), &post.id).await;
        stand.comment(member(2), &post.id, "Noted.").await;
        remove(&stand, member(1), &post.id).await.unwrap();
        let id = || post.id.clone();
        let not_found = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
        for who in [stand.by(member(1)), stand.by(member(2))] {
            let page = ListCommentsRequest { post_id: id(), ..Default::default() };
            assert_eq!(refusal(stand.list_comments(&who, page).await), not_found);
            let page = ListReactionsRequest { post_id: id(), ..Default::default() };
            assert_eq!(refusal(stand.list_reactions(&who, page).await), not_found);
            assert_eq!(refusal(stand.get_post(&who, GetPostRequest { post_id: id() }).await), not_found);
            let like = SetReactionRequest { post_id: id(), kind: 1 };
            assert_eq!(refusal(stand.set_reaction(&who, like).await), not_found);
            let comment = CreateCommentRequest { post_id: id(), content: "Late".to_owned(), ..Default::default() };
            assert_eq!(refusal(stand.create_comment(&who, comment).await), not_found);
            let edit = UpdatePostRequest { post_id: id(), content: "Back".to_owned(), ..Default::default() };
            assert_eq!(refusal(stand.update_post(&who, edit).await), not_found);
            for (sort, author_id, community_id) in [
                (PostSort::Recent, None, None),
                (PostSort::Top, None, None),
                (PostSort::Relevant, None, None),
                (PostSort::Recent, Some(member(1).to_string()), None),
                (PostSort::Recent, None, Some(society.to_string())),
            ] {
                let request = ListPostsRequest { sort: sort.into(), author_id, community_id, ..Default::default() };
                let posts = stand.list_posts(&who, request).await.unwrap().posts;
                assert!(posts.iter().all(|listed| listed.id != post.id), "{sort:?}");
            }
            for doer in [member(1), member(2)] {
                let request = ListActivityRequest { member_id: doer.to_string(), ..Default::default() };
                let deeds = stand.list_activity(&who, request).await.unwrap().activities;
                assert!(deeds.iter().all(|deed| deed.post_id != post.id), "{doer}");
            }
        }
        assert_eq!(
            refusal(remove(&stand, member(1), &post.id).await),
            not_found,
            "there is nothing to take away twice"
        );
        let words = format!("select count(*) from feed.posts where content in ('Open', 'Ours') and id = '{}'", post.id);
        assert_eq!(stand.count(&words).await, 0, "its words are gone already");
    }
    cleared(&stand).await;
    for table in ["posts", "reactions", "comments"] {
        assert_eq!(stand.count(&format!("select count(*) from feed.{table}")).await, 0, "{table}");
    }
}

#[tokio::test]
async fn nobody_but_its_author_deletes_a_post() {
    let stand = Stand::new().await;
    let society = community(1);
    stand.join(society, &[member(1), member(2)]).await;
    let open = stand.post(member(1), "Mine").await;
    let closed = stand.post_in(member(1), society, "Ours").await;
    stand.block(member(1), member(4)).await;
    let forbidden = (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned());
    let unknown = (ErrorKind::NotFound, "POST_NOT_FOUND".to_owned());
    for (who, post, expected) in [
        (2, open.id.as_str(), &forbidden),
        (2, &closed.id, &forbidden),
        (3, &closed.id, &unknown),
        (4, &open.id, &unknown),
        (1, NOWHERE, &unknown),
    ] {
        assert_eq!(refusal(remove(&stand, member(who), post).await), *expected, "{who} {post}");
    }
    let visitor = stand.delete_post(&stand.visitor(), DeletePostRequest { post_id: open.id.clone() }).await;
    assert_eq!(refusal(visitor).0, ErrorKind::Unauthenticated);
    assert_eq!(stand.count("select count(*) from feed.posts where content in ('Mine', 'Ours')").await, 2);
}

#[tokio::test]
async fn a_request_sent_again_does_not_bring_it_back() {
    let stand = Stand::new().await;
    let me = stand.by(member(1));
    let request =
        CreatePostRequest { content: "Once".to_owned(), idempotency_key: Some("key".to_owned()), ..Default::default() };
    let post = stand.create_post(&me, request.clone()).await.unwrap().post.unwrap();
    remove(&stand, member(1), &post.id).await.unwrap();
    assert_eq!(refusal(stand.create_post(&me, request).await).0, ErrorKind::NotFound);
}

#[tokio::test]
async fn a_comment_goes_by_its_author_or_the_posts() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Thoughts?").await;
    let mut comments = Vec::new();
    for who in [2, 2, 2, 3] {
        comments.push(stand.comment(member(who), &post.id, "One").await.id);
    }
    let forbidden = (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned());
    let unknown = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    assert_eq!(refusal(unsay(&stand, member(3), &comments[0]).await), forbidden);
    assert_eq!(refusal(unsay(&stand, member(3), NOWHERE).await), unknown);
    stand.block(member(2), member(4)).await;
    assert_eq!(refusal(unsay(&stand, member(4), &comments[0]).await), unknown);

    let gone = unsay(&stand, member(2), &comments[0]).await.unwrap();
    assert_eq!((gone.post_id.as_str(), gone.comment_count), (post.id.as_str(), Some(3)));
    assert_eq!(unsay(&stand, member(1), &comments[1]).await.unwrap().comment_count, Some(2));
    assert_eq!(refusal(unsay(&stand, member(2), &comments[0]).await), unknown);
    // Their own words are theirs to take back, seen or not; what else there is, is not told of what they do not see.
    stand.block(member(1), member(2)).await;
    assert_eq!(unsay(&stand, member(2), &comments[2]).await.unwrap().comment_count, None);
    let left = stand.seen(&stand.visitor(), &post.id).await;
    assert_eq!((left.comment_count, left.comments[0].id.as_str()), (1, comments[3].as_str()));
    stand.assert_counters_true().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_comment_deleted_by_twenty_at_once_is_counted_off_once() {
    let stand = Arc::new(Stand::new().await);
    let post = stand.post(member(1), "Thoughts?").await;
    let comment = stand.comment(member(1), &post.id, "One").await;
    stand.comment(member(2), &post.id, "Two").await;
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let (stand, id) = (Arc::clone(&stand), comment.id.clone());
        racers.spawn(async move { unsay(&stand, member(1), &id).await.is_ok() });
    }
    let won = racers.join_all().await.into_iter().filter(|won| *won).count();
    assert_eq!((won, stand.seen(&stand.visitor(), &post.id).await.comment_count), (1, 1));
    stand.assert_counters_true().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_post_deleted_while_others_answer_takes_all_of_it_along() {
    let stand = Arc::new(Stand::new().await);
    let post = stand.post(member(1), "Quick!").await;
    let mut racers = JoinSet::new();
    for n in 2..30 {
        let (stand, post_id) = (Arc::clone(&stand), post.id.clone());
        racers.spawn(async move {
            let who = stand.by(member(n));
            let like = SetReactionRequest { post_id: post_id.clone(), kind: 1 };
            let comment =
                CreateCommentRequest { post_id: post_id.clone(), content: "!".to_owned(), ..Default::default() };
            let liked = patiently(|| stand.set_reaction(&who, like.clone())).await.map(drop);
            let said = patiently(|| stand.create_comment(&who, comment.clone())).await.map(drop);
            for answer in [liked, said] {
                assert!(answer.is_ok() || answer.is_err_and(|refused| refused.kind == ErrorKind::NotFound));
            }
            if n == 15 {
                remove(&stand, member(1), &post_id).await.unwrap();
            }
        });
    }
    racers.join_all().await;
    cleared(&stand).await;
    for table in ["posts", "reactions", "comments"] {
        assert_eq!(stand.count(&format!("select count(*) from feed.{table}")).await, 0, "{table}");
    }
}
