//! Mentions: the members that a text mentions and the viewer may see, the members to notify, and the limits.

use portia_proto::feed::{
    CreateCommentRequest, CreatePostRequest, ListActivityRequest, ListPostsRequest, PostCommentEdited, PostCommented,
    PostCreated, PostEdited, PostSort, SearchPostsRequest, UpdateCommentRequest, UpdatePostRequest,
};
use primitives::error::StatusDetails;
use prost::{Message, Name};
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

fn mention(who: u128) -> String {
    format!("@[{}]", member(who))
}

fn ids(members: &[u128]) -> Vec<String> {
    members.iter().map(|who| member(*who).to_string()).collect()
}

/// Returns the published facts of a kind, in order.
async fn facts<M: Message + Name + Default>(fixture: &Fixture) -> Vec<M> {
    let payloads =
        sqlx::query_scalar("select payload from feed.outbox where kind = $1 order by id").bind(M::full_name());
    let payloads: Vec<Vec<u8>> = payloads.fetch_all(fixture.pool()).await.unwrap();
    payloads.iter().map(|payload| M::decode(payload.as_slice()).unwrap()).collect()
}

async fn update_post(fixture: &Fixture, who: u128, post: &str, content: String) -> Result<(), StatusDetails> {
    let request = UpdatePostRequest { post_id: post.to_owned(), content, ..Default::default() };
    fixture.update_post(&fixture.as_member(member(who)), request).await.map(drop)
}

async fn hide(fixture: &Fixture, who: Uuid) {
    let mut db = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut db, &who.to_string(), fixture.harness.clock.now()).await.unwrap();
}

#[tokio::test]
async fn a_text_names_the_mentioned_members_that_the_viewer_may_see() {
    let fixture = Fixture::new().await;
    let text = format!("With {}, {} and {}", mention(2), mention(3), mention(2));
    let post = fixture.create_post_of(member(1), &text).await;
    assert_eq!((&post.content, &post.mentioned_ids), (&text, &ids(&[2, 3])));
    let comment = fixture.create_comment_of(member(2), &post.id, &mention(4)).await;
    assert_eq!(comment.mentioned_ids, ids(&[4]));
    fixture.block_member(member(3), member(5)).await;
    hide(&fixture, member(4)).await;
    for (who, expected) in [(5, ids(&[2])), (6, ids(&[2, 3])), (3, ids(&[2, 3]))] {
        let who = fixture.as_member(member(who));
        let seen = fixture.get_post_as(&who, &post.id).await;
        assert_eq!((seen.mentioned_ids, &seen.comments[0].mentioned_ids), (expected.clone(), &Vec::new()));
        let request = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
        assert_eq!(fixture.list_posts(&who, request).await.unwrap().posts[0].mentioned_ids, expected);
        assert_eq!(fixture.get_comment_as(&who, &comment.id).await.mentioned_ids, Vec::<String>::new());
    }
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost = fixture.create_post(&fixture.as_member(member(6)), request).await.unwrap().post.unwrap();
    assert_eq!(repost.repost.unwrap().mentioned_ids, ids(&[2, 3]));
}

#[tokio::test]
async fn a_post_notifies_the_mentioned_members_who_may_see_it() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2), member(4)]).await;
    fixture.block_member(member(4), member(1)).await;
    fixture.block_member(member(1), member(5)).await;
    hide(&fixture, member(6)).await;
    let everyone: Vec<String> = (1..=6).map(mention).collect();
    let post = fixture.create_post_of(member(1), &everyone.join(" ")).await;
    fixture.create_post_in(member(1), society, &everyone.join(" ")).await;
    let notified: Vec<_> = facts::<PostCreated>(&fixture).await.into_iter().map(|fact| fact.mentioned_ids).collect();
    assert_eq!(notified, [ids(&[2, 3]), ids(&[2])], "not the author, members in a block, closed accounts, strangers");
    // An edit notifies the members it adds.
    let edited = format!("{} {} {}", mention(2), mention(7), mention(1));
    update_post(&fixture, 1, &post.id, edited.clone()).await.unwrap();
    update_post(&fixture, 1, &post.id, edited).await.unwrap();
    update_post(&fixture, 1, &post.id, "No mention".to_owned()).await.unwrap();
    update_post(&fixture, 1, &post.id, mention(2)).await.unwrap();
    let edits: Vec<_> = facts::<PostEdited>(&fixture).await;
    let edits: Vec<_> = edits.into_iter().map(|fact| (fact.mentioned_ids, fact.unmentioned_ids)).collect();
    let removed = ids(&[3, 4, 5, 6]);
    assert_eq!(edits, [(ids(&[7]), removed), (ids(&[]), ids(&[1, 2, 7])), (ids(&[2]), ids(&[]))]);
}

#[tokio::test]
async fn a_comment_notifies_the_mentioned_members_who_may_see_it() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Thoughts?").await;
    let comment = fixture.create_comment_of(member(2), &post.id, &format!("{} {}", mention(1), mention(3))).await;
    // Members in a block with the author of the post or of the answered comment do not see a reply.
    fixture.block_member(member(4), member(1)).await;
    fixture.block_member(member(2), member(5)).await;
    let text = (3..=6).map(mention).collect::<Vec<_>>().join(", ");
    fixture.create_reply_of(member(3), &comment, &text).await;
    let notified: Vec<_> = facts::<PostCommented>(&fixture).await.into_iter().map(|fact| fact.mentioned_ids).collect();
    assert_eq!(notified, [ids(&[1, 3]), ids(&[6])]);
    let request = UpdateCommentRequest { comment_id: comment.id, content: format!("{} {}", mention(3), mention(7)) };
    let updated = fixture.update_comment(&fixture.as_member(member(2)), request).await.unwrap().comment.unwrap();
    assert_eq!(updated.mentioned_ids, ids(&[3, 7]));
    let edits = facts::<PostCommentEdited>(&fixture).await;
    assert_eq!((&edits[0].mentioned_ids, &edits[0].unmentioned_ids), (&ids(&[7]), &ids(&[1])));
}

#[tokio::test]
async fn limits_count_a_mention_as_one_character() {
    let fixture = Fixture::new().await;
    let who = fixture.as_member(member(1));
    let post = fixture.create_post_of(member(1), "Hello").await;
    let text = |mentions: usize, length: usize| mention(2).repeat(mentions) + &"ñ".repeat(length - mentions);
    for (content, refused) in [
        (text(20, 5_000), None),
        (text(0, 5_000), None),
        (text(20, 5_001), Some("This must be at most 5000 characters.")),
        (text(0, 5_001), Some("This must be at most 5000 characters.")),
        (text(21, 100), Some("Mention at most 20 members.")),
    ] {
        let request = CreatePostRequest { content: content.clone(), ..Default::default() };
        let created = fixture.create_post(&who, request).await.map(drop);
        for outcome in [created, update_post(&fixture, 1, &post.id, content).await] {
            let violation = outcome.err().map(|error| error.violations[0].clone());
            let expected = refused.map(|message| ("content".to_owned(), message.to_owned()));
            assert_eq!(violation.map(|violation| (violation.field, violation.message)), expected);
        }
    }
    let comment = |content: String| CreateCommentRequest { post_id: post.id.clone(), content, ..Default::default() };
    assert!(fixture.create_comment(&who, comment(text(20, 2_000))).await.is_ok());
    assert!(fixture.create_comment(&who, comment(text(20, 2_001))).await.is_err());
    // A long article stays one when it is edited without its title.
    let request =
        CreatePostRequest { title: Some("Notes".to_owned()), content: text(20, 40_000), ..Default::default() };
    let article = fixture.create_post(&who, request).await.unwrap().post.unwrap();
    assert!(update_post(&fixture, 1, &article.id, text(10, 39_000)).await.is_ok());
}

#[tokio::test]
async fn ids_are_not_searched_and_not_cut() {
    let fixture = Fixture::new().await;
    let content = format!("{}{} moot", "x".repeat(590), mention(2));
    let request = CreatePostRequest { title: Some("Finals".to_owned()), content, ..Default::default() };
    let who = fixture.as_member(member(1));
    fixture.create_post(&who, request).await.unwrap();
    let request = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    let listed = fixture.list_posts(&who, request).await.unwrap().posts.remove(0);
    assert_eq!(listed.content, format!("{}\u{2026}", "x".repeat(590)));
    fixture.create_post_of(member(1), &format!("{}{}", "y".repeat(290), mention(2))).await;
    let request = ListActivityRequest { member_id: member(1).to_string(), ..Default::default() };
    let activities = fixture.list_activity(&who, request).await.unwrap().activities;
    assert_eq!(activities[0].post_excerpt, "y".repeat(290));
    let query = member(2).to_string().rsplit('-').next().unwrap().to_owned();
    let request = SearchPostsRequest { query, ..Default::default() };
    assert_eq!(fixture.search_posts(&who, request).await.unwrap().posts.len(), 0);
}

#[tokio::test]
async fn strangers_are_notified_up_to_the_allowance_of_a_day() {
    let fixture = Fixture::new().await;
    let mut first = 1_000;
    let mut mention_twenty = async |known: &str| {
        let strangers: Vec<String> = (first..first + 19).map(mention).collect();
        first += 19;
        fixture.create_post_of(member(1), &format!("{known} {}", strangers.join(" "))).await
    };
    // An account of more than a month, without connections.
    for _ in 0..6 {
        mention_twenty(&mention(1)).await;
    }
    let notified: Vec<usize> =
        facts(&fixture).await.iter().map(|fact: &PostCreated| fact.mentioned_ids.len()).collect();
    assert_eq!(notified, [19, 19, 19, 19, 19, 5]);
    // The text keeps every mention; a member who follows the author, and the author of the post, are notified as ever.
    fixture.follow(member(2), member(1)).await;
    let post = mention_twenty(&mention(2)).await;
    assert_eq!(post.mentioned_ids.len(), 20);
    let last = facts::<PostCreated>(&fixture).await.pop().unwrap();
    assert_eq!(last.mentioned_ids, ids(&[2]));
    let theirs = fixture.create_post_of(member(3), "Ask me").await;
    fixture.create_comment_of(member(1), &theirs.id, &format!("{} {}", mention(3), mention(4))).await;
    let commented = facts::<PostCommented>(&fixture).await.pop().unwrap();
    assert_eq!(commented.mentioned_ids, ids(&[3]));
    // One becomes free again.
    fixture.harness.clock.advance(chrono::TimeDelta::minutes(15));
    fixture.create_comment_of(member(1), &theirs.id, &mention(5)).await;
    assert_eq!(facts::<PostCommented>(&fixture).await.pop().unwrap().mentioned_ids, ids(&[5]));
}
