//! Changing what one wrote: who may, how it is marked, and that it is seen everywhere at once.

use portia_proto::feed::{
    ListActivityRequest, ListCommentsRequest, ListPostsRequest, PostSort, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::Uuid;

use crate::stand::{NOWHERE, Stand, community, member};

fn of_post(post: &str, content: &str) -> UpdatePostRequest {
    UpdatePostRequest { post_id: post.to_owned(), content: content.to_owned(), ..Default::default() }
}

fn of_comment(comment: &str, content: &str) -> UpdateCommentRequest {
    UpdateCommentRequest { comment_id: comment.to_owned(), content: content.to_owned() }
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

#[tokio::test]
async fn a_changed_post_is_marked_and_reads_so_everywhere() {
    let stand = Stand::new().await;
    let me = stand.by(member(1));
    let post = stand.post(member(1), "Moot cuort").await;
    stand.like(member(2), &post.id).await;
    stand.comment(member(2), &post.id, "Court?").await;
    assert_eq!(post.edited_at, None);
    stand.wait(20);
    let changed = stand.update_post(&me, of_post(&post.id, "Moot court")).await.unwrap().post.unwrap();
    assert_eq!((changed.content.as_str(), changed.like_count, changed.comment_count), ("Moot court", 1, 1));
    let at = changed.edited_at.unwrap();
    assert_eq!(at.seconds, stand.harness.clock.now().timestamp());
    assert_eq!(changed.created_at, post.created_at);
    assert_eq!(stand.seen(&me, &post.id).await, changed);
    for (sort, author_id) in [
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Relevant, None),
        (PostSort::Recent, Some(member(1).to_string())),
    ] {
        let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
        let page = stand.list_posts(&stand.visitor(), request).await.unwrap();
        assert_eq!((page.posts[0].content.as_str(), page.posts[0].edited_at), ("Moot court", Some(at)), "{sort:?}");
    }
    // The same again is no change.
    stand.wait(20);
    let again = stand.update_post(&me, of_post(&post.id, "Moot court")).await.unwrap().post.unwrap();
    assert_eq!(again.edited_at, Some(at));
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn nobody_but_its_author_changes_a_post() {
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
        let answer = stand.update_post(&stand.by(member(who)), of_post(post, "Not mine")).await;
        assert_eq!(refusal(answer), *expected, "{who} {post}");
    }
    // Whoever left their community keeps the right to their own words.
    stand.leave(society, member(1)).await;
    stand.update_post(&stand.by(member(1)), of_post(&closed.id, "Ours, once")).await.unwrap();
    let visitor = stand.update_post(&stand.visitor(), of_post(&open.id, "Nobody's")).await;
    assert_eq!(refusal(visitor).0, ErrorKind::Unauthenticated);
    assert_eq!(stand.seen(&stand.visitor(), &open.id).await.content, "Mine");
}

#[tokio::test]
async fn what_a_post_does_not_have_cannot_be_changed() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Plain").await;
    let title = UpdatePostRequest { title: Some("Title".to_owned()), ..of_post(&post.id, "Plain still") };
    let alt = UpdatePostRequest { picture_alt: Some("A court".to_owned()), ..of_post(&post.id, "Plain still") };
    for (field, request) in [("title", title), ("pictureAlt", alt)] {
        let refused = stand.update_post(&stand.by(member(1)), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(stand.seen(&stand.visitor(), &post.id).await.content, "Plain");
}

#[tokio::test]
async fn a_changed_comment_is_marked_wherever_it_stands() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Thoughts?").await;
    let comment = stand.comment(member(2), &post.id, "Non").await;
    assert_eq!(comment.edited_at, None);
    stand.wait(20);
    let me = stand.by(member(2));
    let changed = stand.update_comment(&me, of_comment(&comment.id, "None")).await.unwrap().comment.unwrap();
    assert_eq!((changed.content.as_str(), changed.created_at), ("None", comment.created_at));
    assert_eq!(changed.edited_at.unwrap().seconds, stand.harness.clock.now().timestamp());
    assert_eq!(stand.seen(&me, &post.id).await.comments, std::slice::from_ref(&changed));
    let list = ListCommentsRequest { post_id: post.id.clone(), ..Default::default() };
    assert_eq!(stand.list_comments(&me, list).await.unwrap().comments, std::slice::from_ref(&changed));
    let activity = ListActivityRequest { member_id: member(2).to_string(), ..Default::default() };
    let deed = stand.list_activity(&me, activity).await.unwrap().activities.remove(0).deed.unwrap();
    assert_eq!(deed, portia_proto::feed::activity::Deed::Commented(changed.clone()));
    stand.wait(20);
    let again = stand.update_comment(&me, of_comment(&comment.id, "None")).await.unwrap().comment.unwrap();
    assert_eq!(again, changed);
}

#[tokio::test]
async fn nobody_but_its_author_changes_a_comment_and_only_where_they_are_heard() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Thoughts?").await;
    let comment = stand.comment(member(2), &post.id, "None").await;
    let change = async |who: Uuid, comment: &str| stand.update_comment(&stand.by(who), of_comment(comment, "!")).await;
    assert_eq!(refusal(change(member(1), &comment.id).await), (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned()));
    let unknown = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    assert_eq!(refusal(change(member(1), NOWHERE).await), unknown);
    // Blocked by the commentator: for them it does not exist.
    stand.block(member(2), member(3)).await;
    assert_eq!(refusal(change(member(3), &comment.id).await), unknown);
    // Blocked by the post's author: whose post says nothing new any more.
    stand.block(member(1), member(2)).await;
    assert_eq!(refusal(change(member(2), &comment.id).await), unknown);
    assert_eq!(stand.count("select count(*) from feed.comments where content = 'None'").await, 1);
}
