//! Hidden posts, and posts that rank lower because the member is not interested.

use portia_proto::feed::{
    FeedKind, GetPostRequest, HidePostRequest, ListHiddenPostsRequest, ListPostsRequest, PostSort, UnhidePostRequest,
};
use primitives::error::{ErrorKind, StatusDetails};

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member};

impl Fixture {
    pub async fn hide(&self, who: u128, post: &str, not_interested: bool) -> Result<(), StatusDetails> {
        let request = HidePostRequest { post_id: post.to_owned(), not_interested };
        self.hide_post(&self.as_member(member(who)), request).await.map(drop)
    }

    async fn unhide(&self, who: u128, post: &str) {
        let request = UnhidePostRequest { post_id: post.to_owned() };
        self.unhide_post(&self.as_member(member(who)), request).await.unwrap();
    }

    /// Returns the hidden posts of a member, page by page: content, and whether the member is not interested.
    async fn hidden(&self, who: u128, page_size: i32) -> Vec<(String, bool)> {
        let (mut met, mut request) = (Vec::new(), ListHiddenPostsRequest { page_size, ..Default::default() });
        loop {
            let page = self.list_hidden_posts(&self.as_member(member(who)), request.clone()).await.unwrap();
            met.extend(page.posts.into_iter().map(|hidden| (hidden.post.unwrap().content, hidden.not_interested)));
            if page.next_page_token.is_empty() {
                return met;
            }
            request.page_token = page.next_page_token;
        }
    }
}

const HOME: [FeedKind; 5] =
    [FeedKind::Following, FeedKind::Relevant, FeedKind::Top, FeedKind::School, FeedKind::Community];

#[tokio::test]
async fn a_hidden_post_leaves_every_home_list_and_stays_elsewhere() {
    let fixture = Fixture::new().await;
    for student in [1, 2] {
        fixture.set_school(member(student), "Ateneo").await;
    }
    fixture.connect_pair(member(1), member(2)).await;
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    fixture.follow_topic_of(member(1), "moot").await;
    let public = fixture.write(2, "public #moot").await;
    let shared = fixture.create_post_in(member(2), community(1), "shared").await.id;
    for post in [&public, &shared] {
        fixture.hide(1, post, false).await.unwrap();
    }
    for feed in HOME {
        assert_eq!(fixture.feed_of(member(1), feed, 0).await, Vec::<String>::new(), "{feed:?}");
        assert!(feed == FeedKind::School || !fixture.feed_of(member(2), feed, 0).await.is_empty());
    }
    let who = fixture.as_member(member(1));
    let recent = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    assert!(fixture.list_posts(&who, recent.clone()).await.unwrap().posts.is_empty());
    let profile = ListPostsRequest { author_id: Some(member(2).to_string()), ..recent.clone() };
    assert_eq!(fixture.list_posts(&who, profile).await.unwrap().posts.len(), 2);
    let page = ListPostsRequest { community_id: Some(community(1).to_string()), ..recent };
    assert_eq!(fixture.list_posts(&who, page).await.unwrap().posts.len(), 1);
    fixture.get_post(&who, GetPostRequest { post_id: public.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(fixture.feed_of(member(3), FeedKind::Relevant, 0).await, ["public #moot"]);
    for _ in 0..2 {
        fixture.unhide(1, &public).await;
    }
    assert_eq!(fixture.feed_of(member(1), FeedKind::Relevant, 0).await, ["public #moot"]);
}

#[tokio::test]
async fn hidden_posts_are_listed_last_hidden_first_and_the_oldest_are_pruned() {
    let fixture = Fixture::new().await;
    let mut posts = Vec::new();
    for n in 0..3 {
        posts.push(fixture.write(2, &format!("post {n}")).await);
    }
    fixture.hide(1, &posts[0], true).await.unwrap();
    fixture.advance_clock(1);
    fixture.hide(1, &posts[1], false).await.unwrap();
    fixture.advance_clock(1);
    fixture.hide(1, &posts[2], false).await.unwrap();
    fixture.advance_clock(1);
    let listed = |n: usize, not_interested| (format!("post {n}"), not_interested);
    assert_eq!(fixture.hidden(1, 2).await, [listed(2, false), listed(1, false), listed(0, true)]);
    fixture.hide(1, &posts[0], false).await.unwrap();
    assert_eq!(fixture.hidden(1, 0).await, [listed(0, false), listed(2, false), listed(1, false)]);
    fixture.block_member(member(3), member(1)).await;
    let fill = format!(
        "insert into feed.hidden_posts (member_id, post_id, hidden_at, not_interested, author_id, topics)
        select '{}', gen_random_uuid(), to_timestamp(n), false, gen_random_uuid(), '{{}}'
        from generate_series(1, 1100) n",
        member(1)
    );
    fixture.harness.database().run(fill).await;
    fixture.advance_clock(1);
    fixture.hide(1, &posts[1], false).await.unwrap();
    let kept = format!("select count(*) from feed.hidden_posts where member_id = '{}'", member(1));
    assert_eq!(fixture.count(&kept).await, 1_000);
    assert_eq!(fixture.hidden(1, 100).await, [listed(1, false), listed(0, false), listed(2, false)]);
}

#[tokio::test]
async fn posts_of_an_author_or_topic_of_no_interest_rank_three_days_lower_for_thirty_days() {
    let fixture = Fixture::new().await;
    let day = 86_400;
    fixture.connect_pair(member(1), member(2)).await;
    let dull = fixture.write(2, "dull #moot").await;
    fixture.advance_clock(day);
    fixture.write(3, "a stranger's").await;
    fixture.write(3, "about a #moot").await;
    fixture.advance_clock(day);
    fixture.write(4, "a later stranger's").await;
    fixture.write(2, "a connection's").await;
    let others = ["a later stranger's", "a stranger's"];
    fixture.hide(1, &dull, true).await.unwrap();
    let lowered = [others[0], others[1], "a connection's", "about a #moot"];
    for size in [0, 1, 2] {
        assert_eq!(fixture.feed_of(member(1), FeedKind::Relevant, size).await, lowered, "pages of {size}");
    }
    // Only the order by relevance changes, and only for this member.
    let following = fixture.feed_of(member(1), FeedKind::Following, 0).await;
    assert_eq!(following, ["a connection's"]);
    let usual = fixture.feed_of(member(5), FeedKind::Relevant, 0).await;
    assert_eq!(usual[0], "a connection's");
    fixture.unhide(1, &dull).await;
    assert_eq!(fixture.feed_of(member(1), FeedKind::Relevant, 0).await[0], "a connection's");
    fixture.hide(1, &dull, true).await.unwrap();
    fixture.advance_clock(30 * day);
    let after = fixture.feed_of(member(1), FeedKind::Relevant, 0).await;
    assert_eq!(after, ["a connection's", "a later stranger's", "about a #moot", "a stranger's"], "and it stays hidden");
}

#[tokio::test]
async fn own_posts_with_a_topic_of_no_interest_keep_their_rank() {
    let fixture = Fixture::new().await;
    let dull = fixture.write(2, "dull #moot").await;
    fixture.write(1, "my #moot").await;
    fixture.advance_clock(7_200);
    fixture.write(3, "a #moot").await;
    fixture.hide(1, &dull, true).await.unwrap();
    assert_eq!(fixture.feed_of(member(1), FeedKind::Relevant, 0).await, ["my #moot", "a #moot"]);
}

#[tokio::test]
async fn own_unknown_and_invalid_posts_and_visitors_are_refused() {
    let fixture = Fixture::new().await;
    let mine = fixture.write(1, "mine").await;
    fixture.join_community(community(1), &[member(2)]).await;
    let foreign = fixture.create_post_in(member(2), community(1), "foreign").await.id;
    let refused = fixture.hide(1, &mine, false).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "OWN_POST"));
    for unknown in [UNKNOWN_ID, &foreign] {
        assert_eq!(fixture.hide(1, unknown, false).await.unwrap_err().reason, "POST_NOT_FOUND");
    }
    for bad in ["", "\0", "1e400"] {
        assert_eq!(fixture.hide(1, bad, false).await.unwrap_err().violations[0].field, "postId");
    }
    let visitor = fixture.as_visitor();
    let hide = fixture.hide_post(&visitor, HidePostRequest { post_id: mine.clone(), ..Default::default() }).await;
    let show = fixture.unhide_post(&visitor, UnhidePostRequest { post_id: mine }).await;
    let list = fixture.list_hidden_posts(&visitor, ListHiddenPostsRequest::default()).await;
    for refused in [hide.map(drop), show.map(drop), list.map(drop)] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
    let who = fixture.as_member(member(1));
    for (page_size, page_token) in [(-1, ""), (0, "x"), (0, "e30")] {
        let request = ListHiddenPostsRequest { page_size, page_token: page_token.to_owned() };
        assert_eq!(fixture.list_hidden_posts(&who, request).await.unwrap_err().kind, ErrorKind::Invalid);
    }
}
