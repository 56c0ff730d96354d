//! What a member did lately: in order, page by page, and only what may be seen.

use portia_proto::feed::{Activity, ListActivityRequest, ReactionKind, activity::Deed};
use primitives::error::ErrorKind;
use uuid::Uuid;

use crate::stand::{Stand, member};

fn request(whose: Uuid, size: i32, token: &str) -> ListActivityRequest {
    ListActivityRequest { member_id: whose.to_string(), page_size: size, page_token: token.to_owned() }
}

/// Walks from the first page to the last; `between` happens after each page.
async fn walk(stand: &Stand, whose: Uuid, size: i32, mut between: impl AsyncFnMut(&Stand)) -> Vec<Activity> {
    let (mut all, mut token) = (Vec::new(), String::new());
    loop {
        let page = stand.list_activity(&stand.visitor(), request(whose, size, &token)).await.unwrap();
        assert!(page.activities.len() <= usize::try_from(size).unwrap());
        all.extend(page.activities);
        if page.next_page_token.is_empty() {
            return all;
        }
        token = page.next_page_token;
        between(stand).await;
    }
}

async fn nothing(_: &Stand) {}

/// An activity in a word.
fn told(activity: &Activity) -> String {
    match activity.deed.as_ref().unwrap() {
        Deed::Posted(true) => format!("posted {}", activity.post_excerpt),
        Deed::Posted(false) => panic!("they did"),
        Deed::Commented(comment) => format!("said {} under {}", comment.content, activity.post_excerpt),
        Deed::Reacted(kind) => format!("{:?} {}", ReactionKind::try_from(*kind).unwrap(), activity.post_excerpt),
    }
}

#[tokio::test]
async fn posts_comments_and_reactions_come_newest_first() {
    let stand = Stand::new().await;
    let theirs = stand.post(member(2), "theirs").await;
    stand.wait(1);
    let mine = stand.post(member(1), "mine").await;
    stand.wait(1);
    stand.react(member(1), &theirs.id, ReactionKind::Insightful).await;
    stand.wait(1);
    let comment = stand.comment(member(1), &theirs.id, "quite").await;
    stand.wait(1);
    stand.like(member(1), &mine.id).await;
    // What others do is theirs.
    stand.like(member(2), &mine.id).await;
    stand.comment(member(2), &mine.id, "no").await;

    let all = walk(&stand, member(1), 20, nothing).await;
    let words: Vec<_> = all.iter().map(told).collect();
    assert_eq!(words, ["Like mine", "said quite under theirs", "Insightful theirs", "posted mine"]);
    assert_eq!(all[1].deed, Some(Deed::Commented(comment.clone())));
    assert_eq!((&all[1].post_id, &all[1].post_author_id), (&theirs.id, &member(2).to_string()));
    assert_eq!(all[1].at, comment.created_at);
    assert_eq!((&all[3].post_id, all[3].at), (&mine.id, mine.created_at));

    stand.unlike(member(1), &mine.id).await;
    stand.react(member(1), &theirs.id, ReactionKind::Thanks).await;
    let words: Vec<_> = walk(&stand, member(1), 20, nothing).await.iter().map(told).collect();
    assert_eq!(words, ["said quite under theirs", "Thanks theirs", "posted mine"], "as it is now");
}

#[tokio::test]
async fn a_walk_meets_everything_once_at_whatever_size() {
    let stand = Stand::new().await;
    // All of one moment: a post, a reaction to it and comments, whose ids and times tie.
    for n in 0..4 {
        let post = stand.post(member(1), &format!("post {n}")).await;
        stand.like(member(1), &post.id).await;
        stand.comment(member(1), &post.id, "one").await;
        stand.comment(member(1), &post.id, "two").await;
        if n == 2 {
            stand.wait(1);
        }
    }
    let whole = walk(&stand, member(1), 100, nothing).await;
    assert_eq!(whole.len(), 16);
    for size in [1, 2, 3, 5, 15, 16] {
        assert_eq!(walk(&stand, member(1), size, nothing).await, whole, "pages of {size}");
    }
    let busy = async |stand: &Stand| {
        stand.wait(1);
        stand.post(member(1), "while you read").await;
    };
    assert_eq!(walk(&stand, member(1), 3, busy).await, whole, "what came later belongs to the next walk");
}

#[tokio::test]
async fn an_excerpt_is_three_hundred_characters() {
    let stand = Stand::new().await;
    stand.post(member(1), &"\u{1f389}".repeat(301)).await;
    stand.post(member(1), &"ñ".repeat(300)).await;
    let all = walk(&stand, member(1), 20, nothing).await;
    let mut excerpts: Vec<_> = all.iter().map(|activity| activity.post_excerpt.clone()).collect();
    excerpts.sort();
    assert_eq!(excerpts, ["ñ".repeat(300), "\u{1f389}".repeat(300)]);
}

#[tokio::test]
async fn a_member_nobody_knows_did_nothing() {
    let stand = Stand::new().await;
    stand.post(member(1), "not theirs").await;
    assert_eq!(walk(&stand, member(2), 20, nothing).await, []);
}

#[tokio::test]
async fn what_is_no_page_is_refused() {
    let stand = Stand::new().await;
    for n in 0..3 {
        stand.post(member(1), &format!("post {n}")).await;
    }
    let posts = portia_proto::feed::ListPostsRequest { sort: 2, page_size: 1, ..Default::default() };
    let other_list = stand.list_posts(&stand.visitor(), posts).await.unwrap().next_page_token;
    assert!(!other_list.is_empty());
    let id = member(1).to_string();
    let long = "A".repeat(1 << 20);
    let mut bad = vec![(id.clone(), -1, String::new(), "pageSize"), (id.clone(), 0, other_list, "pageToken")];
    bad.extend(["x", "e30", "\0", "bnVsbA", &long].map(|token| (id.clone(), 0, token.to_owned(), "pageToken")));
    let ids = ["", "1", "\0", "\u{202e}", "' or 1=1 --", "f47ac10b-58cc-4372-a567-0e02b2c3d479", &long];
    bad.extend(ids.map(|id| (id.to_owned(), 0, String::new(), "userId")));
    for (member_id, page_size, page_token, field) in bad {
        let request = ListActivityRequest { member_id, page_size, page_token };
        let refused = stand.list_activity(&stand.visitor(), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
}
