//! Editing posts and comments: permission, the mark, and visibility in every list.

use portia_proto::feed::{
    ListActivityRequest, ListCommentsRequest, ListPostsRequest, PostSort, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::Uuid;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member};

fn update_post(post: &str, content: &str) -> UpdatePostRequest {
    UpdatePostRequest { post_id: post.to_owned(), content: content.to_owned(), ..Default::default() }
}

fn update_comment(comment: &str, content: &str) -> UpdateCommentRequest {
    UpdateCommentRequest { comment_id: comment.to_owned(), content: content.to_owned() }
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, StatusDetails>) -> (ErrorKind, String) {
    let refused = answer.unwrap_err();
    (refused.kind, refused.reason)
}

#[tokio::test]
async fn an_edited_post_is_marked_in_every_list() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let post = fixture.create_post_of(member(1), "Moot cuort").await;
    fixture.like(member(2), &post.id).await;
    fixture.create_comment_of(member(2), &post.id, "Court?").await;
    assert_eq!(post.edited_at, None);
    fixture.advance_clock(20);
    let changed = fixture.update_post(&me, update_post(&post.id, "Moot court")).await.unwrap().post.unwrap();
    assert_eq!((changed.content.as_str(), changed.like_count, changed.comment_count), ("Moot court", 1, 1));
    let at = changed.edited_at.unwrap();
    assert_eq!(at.seconds, fixture.harness.clock.now().timestamp());
    assert_eq!(changed.created_at, post.created_at);
    assert_eq!(fixture.get_post_as(&me, &post.id).await, changed);
    for (sort, author_id) in [
        (PostSort::Recent, None),
        (PostSort::Top, None),
        (PostSort::Relevant, None),
        (PostSort::Recent, Some(member(1).to_string())),
    ] {
        let request = ListPostsRequest { sort: sort.into(), author_id, ..Default::default() };
        let page = fixture.list_posts(&fixture.as_visitor(), request).await.unwrap();
        assert_eq!((page.posts[0].content.as_str(), page.posts[0].edited_at), ("Moot court", Some(at)), "{sort:?}");
    }
    // An equal text is not a change.
    fixture.advance_clock(20);
    let again = fixture.update_post(&me, update_post(&post.id, "Moot court")).await.unwrap().post.unwrap();
    assert_eq!(again.edited_at, Some(at));
    fixture.assert_counters().await;
}

#[tokio::test]
async fn only_the_author_edits_a_post() {
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
        let answer = fixture.update_post(&fixture.as_member(member(who)), update_post(post, "Not mine")).await;
        assert_eq!(refusal(answer), *expected, "{who} {post}");
    }
    let visitor = fixture.update_post(&fixture.as_visitor(), update_post(&open.id, "A visitor's")).await;
    assert_eq!(refusal(visitor).0, ErrorKind::Unauthenticated);
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &open.id).await.content, "Mine");
}

#[tokio::test]
async fn an_edit_of_a_missing_part_is_refused() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Plain").await;
    let title = UpdatePostRequest { title: Some("Title".to_owned()), ..update_post(&post.id, "Plain still") };
    let alt = UpdatePostRequest { picture_alt: Some("A court".to_owned()), ..update_post(&post.id, "Plain still") };
    for (field, request) in [("title", title), ("pictureAlt", alt)] {
        let refused = fixture.update_post(&fixture.as_member(member(1)), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.content, "Plain");
}

#[tokio::test]
async fn an_edited_comment_is_marked_in_every_list() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Non").await;
    assert_eq!(comment.edited_at, None);
    fixture.advance_clock(20);
    let me = fixture.as_member(member(2));
    let changed = fixture.update_comment(&me, update_comment(&comment.id, "None")).await.unwrap().comment.unwrap();
    assert_eq!((changed.content.as_str(), changed.created_at), ("None", comment.created_at));
    assert_eq!(changed.edited_at.unwrap().seconds, fixture.harness.clock.now().timestamp());
    assert_eq!(fixture.get_post_as(&me, &post.id).await.comments, std::slice::from_ref(&changed));
    let list = ListCommentsRequest { post_id: post.id.clone(), ..Default::default() };
    assert_eq!(fixture.list_comments(&me, list).await.unwrap().comments, std::slice::from_ref(&changed));
    let activity = ListActivityRequest { member_id: member(2).to_string(), ..Default::default() };
    let action = fixture.list_activity(&me, activity).await.unwrap().activities.remove(0).action.unwrap();
    assert_eq!(action, portia_proto::feed::activity::Action::Commented(changed.clone()));
    fixture.advance_clock(20);
    let again = fixture.update_comment(&me, update_comment(&comment.id, "None")).await.unwrap().comment.unwrap();
    assert_eq!(again, changed);
}

#[tokio::test]
async fn only_the_author_edits_a_comment_and_not_during_a_block() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "None").await;
    let change = async |who: Uuid, comment: &str| {
        fixture.update_comment(&fixture.as_member(who), update_comment(comment, "!")).await
    };
    assert_eq!(refusal(change(member(1), &comment.id).await), (ErrorKind::Forbidden, "NOT_THE_AUTHOR".to_owned()));
    let unknown = (ErrorKind::NotFound, "COMMENT_NOT_FOUND".to_owned());
    assert_eq!(refusal(change(member(1), UNKNOWN_ID).await), unknown);
    // The commenter blocks the author of the post: the post is not found.
    fixture.block_member(member(2), member(3)).await;
    assert_eq!(refusal(change(member(3), &comment.id).await), unknown);
    // The author of the post blocks the commenter: the comment cannot be changed.
    fixture.block_member(member(1), member(2)).await;
    assert_eq!(refusal(change(member(2), &comment.id).await), unknown);
    assert_eq!(fixture.count("select count(*) from feed.comments where content = 'None'").await, 1);
}
