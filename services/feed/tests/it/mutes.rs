//! Mutes of words, members and communities: where they apply, their end, limits and invalid input.

use portia_proto::feed::{
    CreateMuteRequest, CreatePostRequest, DeleteMuteRequest, FeedKind, ListMutesRequest, ListPostsRequest, Mute,
    MuteDuration, MuteKind, PostSort,
};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

fn word(word: &str) -> CreateMuteRequest {
    CreateMuteRequest { kind: MuteKind::Word.into(), word: Some(word.to_owned()), ..Default::default() }
}

fn target(kind: MuteKind, id: Uuid) -> CreateMuteRequest {
    CreateMuteRequest { kind: kind.into(), target_id: Some(id.to_string()), ..Default::default() }
}

impl Fixture {
    /// Mutes as member 1.
    async fn mute(&self, request: CreateMuteRequest) -> Result<(Mute, bool), StatusDetails> {
        let created = self.create_mute(&self.as_member(member(1)), request).await?;
        Ok((created.mute.unwrap(), created.created))
    }

    async fn mutes(&self) -> Vec<Mute> {
        self.list_mutes(&self.as_member(member(1)), ListMutesRequest {}).await.unwrap().mutes
    }

    async fn relevant(&self) -> Vec<String> {
        self.feed_of(member(1), FeedKind::Relevant, 0).await
    }
}

#[tokio::test]
async fn muted_members_words_and_communities_leave_every_home_list() {
    let fixture = Fixture::new().await;
    for n in 1..=6 {
        fixture.set_school(member(n), "Ateneo").await;
        if n > 1 {
            fixture.connect_pair(member(1), member(n)).await;
        }
    }
    fixture.join_community(community(1), &[member(1), member(4)]).await;
    fixture.join_community(community(2), &[member(1), member(4)]).await;
    let muted = fixture.create_post_of(member(2), "of a muted member").await.id;
    fixture.write(3, "The BAR exam").await;
    fixture.write(3, "A barrister").await;
    fixture.write(1, "my own bar").await;
    fixture.create_post_in(member(4), community(1), "in a muted community").await;
    fixture.create_post_in(member(4), community(2), "in another").await;
    let repost = CreatePostRequest { repost_of: Some(muted), ..Default::default() };
    fixture.create_post(&fixture.as_member(member(5)), repost).await.unwrap();
    let article =
        CreatePostRequest { title: Some("On the Bar".to_owned()), content: "Text".to_owned(), ..Default::default() };
    fixture.create_post(&fixture.as_member(member(6)), article).await.unwrap();
    for mute in [word("bar"), target(MuteKind::Member, member(2)), target(MuteKind::Community, community(1))] {
        fixture.mute(mute).await.unwrap();
    }
    for (feed, expected) in [
        (FeedKind::Following, vec!["A barrister", "in another", "my own bar"]),
        (FeedKind::Relevant, vec!["A barrister", "in another", "my own bar"]),
        (FeedKind::Top, vec!["A barrister", "in another", "my own bar"]),
        (FeedKind::School, vec!["A barrister", "my own bar"]),
        (FeedKind::Community, vec!["in another"]),
    ] {
        for size in [0, 1] {
            let mut listed = fixture.feed_of(member(1), feed, size).await;
            listed.sort_unstable();
            assert_eq!(listed, expected, "{feed:?} in pages of {size}");
        }
    }
    // A profile, the page of a community and a post are not changed.
    let who = fixture.as_member(member(1));
    for (author_id, community_id, count) in
        [(Some(member(2)), None, 1), (Some(member(3)), None, 2), (None, Some(community(1)), 1)]
    {
        let [author_id, community_id] = [author_id, community_id].map(|id| id.map(|id| id.to_string()));
        let request = ListPostsRequest { sort: PostSort::Recent.into(), author_id, community_id, ..Default::default() };
        assert_eq!(fixture.list_posts(&who, request).await.unwrap().posts.len(), count);
    }
    assert_eq!(fixture.feed_of(member(3), FeedKind::Top, 0).await.len(), 6, "others are not affected");
}

#[tokio::test]
async fn pages_are_filled_from_later_posts_and_end() {
    let fixture = Fixture::new().await;
    let mut fill = String::new();
    for n in 0..90_u32 {
        // Runs of up to thirty muted posts.
        let text = if n % 31 == 0 { format!("post {n}") } else { format!("muted {n}") };
        let at = 1_772_400_000 + n / 2;
        fill += &format!(
            "insert into feed.posts (id, author_id, content, created_at, freshness, like_count)
            values ('{}', '{}', '{text}', to_timestamp({at}), {at} / 86400.0, {});",
            Uuid::from_u128(u128::from(n) << 2 | 1),
            member(2),
            n % 3,
        );
    }
    fixture.harness.database().run(fill).await;
    fixture.mute(word("muted")).await.unwrap();
    for feed in [FeedKind::Relevant, FeedKind::Top] {
        for size in [1, 4, 20] {
            let mut listed = fixture.feed_of(member(1), feed, size).await;
            listed.sort_unstable();
            assert_eq!(listed, ["post 0", "post 31", "post 62"], "{feed:?} in pages of {size}");
        }
    }
}

#[tokio::test]
async fn a_mute_ends_and_is_pruned() {
    let fixture = Fixture::new().await;
    fixture.write(2, "bar").await;
    fixture.write(3, "moot").await;
    for (mute, duration) in [
        (word("bar"), MuteDuration::Day),
        (target(MuteKind::Member, member(3)), MuteDuration::Week),
        (word("never"), MuteDuration::Unspecified),
    ] {
        fixture.mute(CreateMuteRequest { duration: duration.into(), ..mute }).await.unwrap();
    }
    assert_eq!(fixture.relevant().await, Vec::<String>::new());
    fixture.advance_clock(86_400);
    assert_eq!(fixture.relevant().await, ["bar"]);
    assert_eq!(fixture.mutes().await.len(), 2);
    fixture.advance_clock(6 * 86_400);
    assert_eq!(fixture.relevant().await.len(), 2);
    assert_eq!(feed::prune_mutes(fixture.pool(), fixture.harness.clock.now()).await.unwrap(), 2);
    assert_eq!(fixture.count("select count(*) from feed.mutes").await, 1);
}

#[tokio::test]
async fn a_repeated_mute_replaces_the_duration_and_a_removed_one_ends() {
    let fixture = Fixture::new().await;
    let (first, created) = fixture.mute(word("  #Bar   Exam ")).await.unwrap();
    assert_eq!((first.word.as_deref(), created, first.expires_at), (Some("bar exam"), true, None));
    let again = CreateMuteRequest { duration: MuteDuration::Month.into(), ..word("BAR exam") };
    let (again, created) = fixture.mute(again).await.unwrap();
    assert!(!created && again.id == first.id && again.expires_at.is_some());
    fixture.join_community(community(1), &[member(1)]).await;
    fixture.advance_clock(1);
    let (society, _) = fixture.mute(target(MuteKind::Community, community(1))).await.unwrap();
    assert_eq!(society.community.as_deref(), Some("Moot Court Society"));
    assert_eq!(fixture.mutes().await, [society, again]);
    let request = DeleteMuteRequest { mute_id: first.id.clone() };
    fixture.delete_mute(&fixture.as_member(member(2)), request.clone()).await.unwrap();
    assert_eq!(fixture.mutes().await.len(), 2, "only its owner removes a mute");
    for _ in 0..2 {
        fixture.delete_mute(&fixture.as_member(member(1)), request.clone()).await.unwrap();
    }
    let mut conn = fixture.pool().acquire().await.unwrap();
    // A former member does not learn what a private community is called later.
    fixture.leave_community(community(1), member(1)).await;
    let names = || async { fixture.mutes().await.into_iter().map(|mute| mute.community).collect::<Vec<_>>() };
    assert_eq!(names().await, [Some(String::new())]);
    let (again, created) = fixture.mute(target(MuteKind::Community, community(1))).await.unwrap();
    assert_eq!((again.community.as_deref(), created), (Some(""), false));
    feed::read_model::communities::delete(&mut conn, community(1)).await.unwrap();
    assert_eq!(fixture.mutes().await, vec![], "a removed community is not muted");
}

#[tokio::test]
async fn the_number_of_mutes_is_limited() {
    let fixture = Fixture::new().await;
    for n in 0..100 {
        fixture.mute(word(&format!("word {n}"))).await.unwrap();
    }
    let refused = fixture.mute(word("one more")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "TOO_MANY_MUTES"));
    fixture.mute(word("word 7")).await.unwrap();
    fixture.mute(target(MuteKind::Member, member(2))).await.unwrap();
}

#[tokio::test]
async fn invalid_mutes_and_visitors_are_refused() {
    let fixture = Fixture::new().await;
    let bad_targets = [MuteKind::Member, MuteKind::Community];
    for bad in ["", " ", "#", "\0", "a\u{202e}b", &"a".repeat(51)] {
        assert_eq!(fixture.mute(word(bad)).await.unwrap_err().violations[0].field, "word", "{bad:?}");
        for kind in bad_targets {
            let request =
                CreateMuteRequest { target_id: Some(bad.to_owned()), kind: kind.into(), ..Default::default() };
            assert_eq!(fixture.mute(request).await.unwrap_err().violations[0].field, "targetId");
        }
    }
    let own = fixture.mute(target(MuteKind::Member, member(1))).await.unwrap_err();
    assert_eq!(own.violations[0].field, "targetId");
    assert_eq!(fixture.mute(CreateMuteRequest::default()).await.unwrap_err().violations[0].field, "kind");
    let visitor = fixture.as_visitor();
    let create = fixture.create_mute(&visitor, word("bar")).await.map(drop);
    let delete = fixture.delete_mute(&visitor, DeleteMuteRequest { mute_id: member(1).to_string() }).await.map(drop);
    let list = fixture.list_mutes(&visitor, ListMutesRequest {}).await.map(drop);
    for refused in [create, delete, list] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Unauthenticated);
    }
}
