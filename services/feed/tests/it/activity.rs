//! The activity of a member: order, pages and visibility.

use portia_proto::feed::{Activity, ListActivityRequest, ReactionKind, activity::Action};
use primitives::error::ErrorKind;
use uuid::Uuid;

use crate::fixtures::{Fixture, member};

fn request(whose: Uuid, size: i32, token: &str) -> ListActivityRequest {
    ListActivityRequest { member_id: whose.to_string(), page_size: size, page_token: token.to_owned() }
}

/// Reads all pages and runs `between` after each.
async fn read_all_pages(
    fixture: &Fixture,
    whose: Uuid,
    size: i32,
    mut between: impl AsyncFnMut(&Fixture),
) -> Vec<Activity> {
    let (mut all, mut token) = (Vec::new(), String::new());
    loop {
        let page = fixture.list_activity(&fixture.as_visitor(), request(whose, size, &token)).await.unwrap();
        assert!(page.activities.len() <= usize::try_from(size).unwrap());
        all.extend(page.activities);
        if page.next_page_token.is_empty() {
            return all;
        }
        token = page.next_page_token;
        between(fixture).await;
    }
}

async fn nothing(_: &Fixture) {}

/// Returns an activity as text.
fn describe(activity: &Activity) -> String {
    match activity.action.as_ref().unwrap() {
        Action::Posted(true) => format!("posted {}", activity.post_excerpt),
        Action::Posted(false) => panic!("unexpected"),
        Action::Commented(comment) => format!("commented {} under {}", comment.content, activity.post_excerpt),
        Action::Reacted(kind) => format!("{:?} {}", ReactionKind::try_from(*kind).unwrap(), activity.post_excerpt),
    }
}

#[tokio::test]
async fn posts_comments_and_reactions_come_newest_first() {
    let fixture = Fixture::new().await;
    let theirs = fixture.create_post_of(member(2), "theirs").await;
    fixture.advance_clock(1);
    let mine = fixture.create_post_of(member(1), "mine").await;
    fixture.advance_clock(1);
    fixture.set_reaction_of(member(1), &theirs.id, ReactionKind::Insightful).await;
    fixture.advance_clock(1);
    let comment = fixture.create_comment_of(member(1), &theirs.id, "quite").await;
    fixture.advance_clock(1);
    fixture.like(member(1), &mine.id).await;
    // Actions of others are not listed.
    fixture.like(member(2), &mine.id).await;
    fixture.create_comment_of(member(2), &mine.id, "no").await;

    let all = read_all_pages(&fixture, member(1), 20, nothing).await;
    let words: Vec<_> = all.iter().map(describe).collect();
    assert_eq!(words, ["Like mine", "commented quite under theirs", "Insightful theirs", "posted mine"]);
    assert_eq!(all[1].action, Some(Action::Commented(comment.clone())));
    assert_eq!((&all[1].post_id, &all[1].post_author_id), (&theirs.id, &member(2).to_string()));
    assert_eq!(all[1].at, comment.created_at);
    assert_eq!((&all[3].post_id, all[3].at), (&mine.id, mine.created_at));

    fixture.unlike(member(1), &mine.id).await;
    fixture.set_reaction_of(member(1), &theirs.id, ReactionKind::Thanks).await;
    let words: Vec<_> = read_all_pages(&fixture, member(1), 20, nothing).await.iter().map(describe).collect();
    assert_eq!(words, ["commented quite under theirs", "Thanks theirs", "posted mine"], "the current text");
}

#[tokio::test]
async fn pages_of_any_size_contain_each_activity_once() {
    let fixture = Fixture::new().await;
    // A post, a reaction and comments with equal times.
    for n in 0..4 {
        let post = fixture.create_post_of(member(1), &format!("post {n}")).await;
        fixture.like(member(1), &post.id).await;
        fixture.create_comment_of(member(1), &post.id, "one").await;
        fixture.create_comment_of(member(1), &post.id, "two").await;
        if n == 2 {
            fixture.advance_clock(1);
        }
    }
    let whole = read_all_pages(&fixture, member(1), 100, nothing).await;
    assert_eq!(whole.len(), 16);
    for size in [1, 2, 3, 5, 15, 16] {
        assert_eq!(read_all_pages(&fixture, member(1), size, nothing).await, whole, "pages of {size}");
    }
    let busy = async |fixture: &Fixture| {
        fixture.advance_clock(1);
        fixture.create_post_of(member(1), "while you read").await;
    };
    assert_eq!(read_all_pages(&fixture, member(1), 3, busy).await, whole, "later posts are not on these pages");
}

#[tokio::test]
async fn an_excerpt_has_three_hundred_characters() {
    let fixture = Fixture::new().await;
    fixture.create_post_of(member(1), &"\u{1f389}".repeat(301)).await;
    fixture.create_post_of(member(1), &"ñ".repeat(300)).await;
    let all = read_all_pages(&fixture, member(1), 20, nothing).await;
    let mut excerpts: Vec<_> = all.iter().map(|activity| activity.post_excerpt.clone()).collect();
    excerpts.sort();
    assert_eq!(excerpts, ["ñ".repeat(300), "\u{1f389}".repeat(300)]);
}

#[tokio::test]
async fn an_unknown_member_has_no_activity() {
    let fixture = Fixture::new().await;
    fixture.create_post_of(member(1), "not theirs").await;
    assert_eq!(read_all_pages(&fixture, member(2), 20, nothing).await, []);
}

#[tokio::test]
async fn an_invalid_page_is_refused() {
    let fixture = Fixture::new().await;
    for n in 0..3 {
        fixture.create_post_of(member(1), &format!("post {n}")).await;
    }
    let posts = portia_proto::feed::ListPostsRequest { sort: 2, page_size: 1, ..Default::default() };
    let other_list = fixture.list_posts(&fixture.as_visitor(), posts).await.unwrap().next_page_token;
    assert!(!other_list.is_empty());
    let id = member(1).to_string();
    let long = "A".repeat(1 << 20);
    let mut bad = vec![(id.clone(), -1, String::new(), "pageSize"), (id.clone(), 0, other_list, "pageToken")];
    bad.extend(["x", "e30", "\0", "bnVsbA", &long].map(|token| (id.clone(), 0, token.to_owned(), "pageToken")));
    let ids = ["", "1", "\0", "\u{202e}", "' or 1=1 --", "f47ac10b-58cc-4372-a567-0e02b2c3d479", &long];
    bad.extend(ids.map(|id| (id.to_owned(), 0, String::new(), "userId")));
    for (member_id, page_size, page_token, field) in bad {
        let request = ListActivityRequest { member_id, page_size, page_token };
        let refused = fixture.list_activity(&fixture.as_visitor(), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
}

#[tokio::test]
async fn the_activity_is_listed_for_the_viewers_that_the_privacy_settings_admit() {
    let fixture = Fixture::new().await;
    let (owner, connection, stranger) = (member(1), member(2), member(3));
    fixture.create_post_of(owner, "mine").await;
    fixture.connect_pair(owner, connection).await;
    let viewers =
        [fixture.as_visitor(), fixture.as_member(stranger), fixture.as_member(connection), fixture.as_member(owner)];
    for (audience, activity_shown, expected) in [
        ("public", true, [1, 1, 1, 1]),
        ("public", false, [0, 0, 0, 1]),
        ("members", true, [0, 1, 1, 1]),
        ("connections", true, [0, 0, 1, 1]),
        ("connections", false, [0, 0, 0, 1]),
    ] {
        fixture.set_privacy(owner, audience, activity_shown).await;
        let mut listed = Vec::new();
        for viewer in &viewers {
            listed.push(fixture.list_activity(viewer, request(owner, 20, "")).await.unwrap().activities.len());
        }
        assert_eq!(listed, expected, "{audience} {activity_shown}");
    }
}

#[tokio::test]
async fn a_reply_is_hidden_with_its_top_level_comment() {
    let fixture = Fixture::new().await;
    let (owner, author, viewer) = (member(1), member(2), member(3));
    let post = fixture.create_post_of(member(4), "a question").await.id;
    let comment = fixture.create_comment_of(author, &post, "an answer").await;
    fixture.create_reply_of(owner, &comment, "a reply").await;
    let count = async |who| fixture.list_activity(&who, request(owner, 20, "")).await.unwrap().activities.len();
    assert_eq!((count(fixture.as_member(viewer)).await, count(fixture.as_visitor()).await), (1, 1));
    fixture.block_member(author, viewer).await;
    assert_eq!((count(fixture.as_member(viewer)).await, count(fixture.as_visitor()).await), (0, 1));
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &author.to_string(), fixture.harness.clock.now()).await.unwrap();
    assert_eq!(count(fixture.as_visitor()).await, 0);
}
