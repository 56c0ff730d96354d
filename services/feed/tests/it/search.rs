//! Searching posts: found immediately, by the viewers who may see them.

use feed::search::{POSTS, read_documents};
use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, SearchPostsRequest, SearchPostsResponse, UpdatePostRequest,
};
use primitives::error::ErrorKind;
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

impl Fixture {
    async fn search_posts_as(&self, who: Option<Uuid>, query: &str) -> SearchPostsResponse {
        let request = SearchPostsRequest { query: query.to_owned(), ..Default::default() };
        let call = who.map_or_else(|| self.as_visitor(), |who| self.as_member(who));
        self.search_posts(&call, request).await.unwrap()
    }

    /// Returns the texts of the results, in order.
    async fn search_texts(&self, who: Option<Uuid>, query: &str) -> Vec<String> {
        self.search_posts_as(who, query).await.posts.into_iter().map(|post| post.content).collect()
    }

    /// Indexes the posts of closed and reopened accounts again.
    async fn reindex_authors(&self) {
        // The background task may hold the lock of an author; mark_batch then skips that author.
        while self.count("select count(*) from feed.search_authors").await > 0 {
            feed::search::reindex::mark_batch(self.pool()).await.unwrap();
        }
        self.index_pending().await;
    }

    async fn index_pending(&self) {
        while self.count("select count(*) from feed.search_documents where state < 4").await > 0 {
            POSTS.index_pending(self.pool(), read_documents).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_post_is_found_immediately_newest_first() {
    let fixture = Fixture::new().await;
    for content in ["The clerk filed a motion", "Another clerk, another day", "Nothing to see"] {
        fixture.create_post_of(member(1), content).await;
        fixture.advance_clock(1);
    }
    let both = ["Another clerk, another day", "The clerk filed a motion"];
    for who in [None, Some(member(1)), Some(member(2))] {
        assert_eq!(fixture.search_texts(who, "Clerk").await, both);
    }
    assert_eq!(fixture.search_texts(None, "clerk motion").await, both[1..]);
    fixture.create_post_of(member(2), "Clerks of the court").await;
    fixture.index_pending().await;
    assert_eq!(
        fixture.search_texts(None, "clerk").await,
        [both[0], both[1], "Clerks of the court"],
        "another form of the word ranks lower"
    );
    assert_eq!(fixture.search_texts(None, "clerkk motoin").await, both[1..]);
    assert_eq!(fixture.search_posts_as(None, "clerks").await.terms, ["clerk"]);
    let found = fixture.search_posts_as(Some(member(2)), "motion").await.posts;
    assert_eq!(
        found[0],
        fixture.get_post_as(&fixture.as_member(member(2)), &found[0].id).await,
        "equal to the post of the feed"
    );
}

#[tokio::test]
async fn citations_numbers_and_texts_without_spaces_are_found() {
    let fixture = Fixture::new().await;
    let texts = [
        "Under R.A. 10173 and G.R. No. 225442",
        "Under RA 10173 and GR No. 225442",
        "#BarExam2027 for the Republic2026, see up.edu.ph",
        "昨日最高裁判所は違憲判決を出した",
        "We chose plan B. A new day for jdelacruz31834",
    ];
    for text in texts {
        fixture.create_post_of(member(1), text).await;
        fixture.advance_clock(1);
    }
    // One post for each of many beginnings.
    for n in 0..40 {
        fixture.create_post_of(member(2), &format!("Lecture unit1{n:02}")).await;
        fixture.advance_clock(1);
    }
    fixture.index_pending().await;
    for query in ["RA 10173", "R.A. 10173", "r.a 101", "G.R. No. 225442", "gr no 2254", "GR 225442"] {
        assert_eq!(fixture.search_texts(None, query).await, [texts[1], texts[0]], "{query}");
    }
    for query in ["barexam", "barexam2", "republic", "republic202 bar", "up.edu", "edu.ph"] {
        assert_eq!(fixture.search_texts(None, query).await, [texts[2]], "{query}");
    }
    for query in ["最高裁判所", "違憲判決", "判決", "憲", "高裁判"] {
        assert_eq!(fixture.search_texts(None, query).await, [texts[3]], "{query}");
    }
    for query in ["jdelacruz", "jdelacruz3", "day b"] {
        assert_eq!(fixture.search_texts(None, query).await, [texts[4]], "{query}");
    }
    let joined = fixture.search_texts(None, "B.A.").await;
    assert!(!joined.contains(&texts[4].to_owned()), "the end of a sentence joins no words: {joined:?}");
    assert_eq!(fixture.search_texts(None, "unit10").await.len(), 10);
    assert_eq!(fixture.search_texts(None, "unit1").await.len(), 20, "a full page of the forty");
    assert_eq!(fixture.search_texts(None, "lecture unit139").await, ["Lecture unit139"]);
    assert_eq!(fixture.search_texts(None, "lecture u").await.len(), 20, "of a rare word, every beginning is known");
}

#[tokio::test]
async fn an_edited_post_is_found_by_its_new_text_and_a_deleted_one_is_not_found() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "An estoppel").await;
    let edit = UpdatePostRequest { post_id: post.id.clone(), content: "A waiver".to_owned(), ..Default::default() };
    fixture.update_post(&fixture.as_member(member(1)), edit).await.unwrap();
    assert!(fixture.search_texts(None, "estoppel").await.is_empty());
    assert_eq!(fixture.search_texts(None, "waiver").await, ["A waiver"]);
    fixture.index_pending().await;
    fixture
        .delete_post(&fixture.as_member(member(1)), DeletePostRequest { post_id: post.id, reason: 0 })
        .await
        .unwrap();
    for query in ["waiver", "waivr"] {
        assert!(fixture.search_texts(Some(member(1)), query).await.is_empty());
    }
    assert_eq!(fixture.count("select count(*) from feed.search_entries").await, 0);
    assert_eq!(fixture.count("select count(*) from feed.search_words").await, 0);
}

#[tokio::test]
async fn posts_of_a_community_are_found_by_its_members_only() {
    let fixture = Fixture::new().await;
    fixture.join_community(community(1), &[member(1), member(2)]).await;
    fixture.join_community(community(2), &[member(3)]).await;
    fixture.create_post_of(member(9), "A moot for everyone").await;
    fixture.advance_clock(1);
    fixture.create_post_in(member(1), community(1), "A moot for us").await;
    fixture.index_pending().await;
    let (all, public) = (["A moot for us", "A moot for everyone"], ["A moot for everyone"]);
    for who in [1, 2] {
        assert_eq!(fixture.search_texts(Some(member(who)), "moot").await, all);
    }
    for who in [None, Some(member(3)), Some(member(9))] {
        for query in ["moot", "moo", "mooot"] {
            assert_eq!(fixture.search_texts(who, query).await, public, "{who:?} {query}");
        }
        assert!(fixture.search_texts(who, "us").await.is_empty());
        assert!(fixture.search_texts(who, "moot us").await.is_empty());
    }
    fixture.leave_community(community(1), member(2)).await;
    fixture.leave_community(community(1), member(1)).await;
    assert_eq!(fixture.search_texts(Some(member(2)), "moot").await, public);
    assert_eq!(fixture.search_texts(Some(member(1)), "moot").await, all, "an own post");
}

#[tokio::test]
async fn a_member_of_many_communities_finds_the_posts_of_each_and_no_others() {
    let fixture = Fixture::new().await;
    let texts =
        ["plainta", "plaintb", "plaintc", "plaintd", "plainte", "quodlibet"].map(|w| format!("A moot, and {w}"));
    for (n, texts) in (1..).zip(&texts) {
        let members = if n == 6 { vec![member(9)] } else { vec![member(1), member(9)] };
        fixture.join_community(community(n), &members).await;
        fixture.create_post_in(member(9), community(n), texts).await;
        fixture.advance_clock(1);
    }
    fixture.create_post_of(member(9), "Another moot").await;
    fixture.create_post_in(member(9), community(3), "Estoppels pleaded").await;
    fixture.index_pending().await;
    let all: Vec<&str> = ["Another moot"].into_iter().chain(texts[..5].iter().rev().map(String::as_str)).collect();
    for query in ["moot", "moo", "mooot"] {
        assert_eq!(fixture.search_texts(Some(member(1)), query).await, all, "{query}");
    }
    for query in ["and moot", "plaint moot"] {
        assert_eq!(fixture.search_texts(Some(member(1)), query).await, all[1..], "{query}");
    }
    for query in ["estoppel", "estopels", "pleaded estoppels"] {
        assert_eq!(fixture.search_texts(Some(member(1)), query).await, ["Estoppels pleaded"], "{query}");
    }
    assert!(fixture.search_texts(Some(member(1)), "quodlibet").await.is_empty());
}

#[tokio::test]
async fn posts_of_blocked_and_closed_accounts_are_not_found_and_pages_are_full() {
    let fixture = Fixture::new().await;
    for n in 0..60 {
        fixture.create_post_of(member(if n % 3 == 0 { 1 } else { 2 }), &format!("Brief {n}")).await;
        fixture.advance_clock(1);
    }
    fixture.block_member(member(2), member(8)).await;
    fixture.block_member(member(9), member(2)).await;
    for who in [8, 9] {
        let found = fixture.search_posts_as(Some(member(who)), "brief").await;
        assert_eq!(found.posts.len(), 20);
        assert!(found.posts.iter().all(|post| post.author_id == member(1).to_string()));
    }
    let mut conn = fixture.pool().acquire().await.unwrap();
    let now = fixture.harness.clock.now();
    feed::deactivation::deactivate(&mut conn, &member(2).to_string(), now).await.unwrap();
    assert_eq!(fixture.search_posts_as(None, "brief").await.posts.len(), 20);
    feed::deactivation::reactivate(&mut conn, &member(2).to_string()).await.unwrap();
    // The background task may have removed the posts from the index in between.
    fixture.reindex_authors().await;
    let mut walked = Vec::new();
    let mut request = SearchPostsRequest { query: "brief".to_owned(), page_size: 7, ..Default::default() };
    loop {
        let page = fixture.search_posts(&fixture.as_visitor(), request.clone()).await.unwrap();
        walked.extend(page.posts.into_iter().map(|post| post.content));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(walked, (0..60).rev().map(|n| format!("Brief {n}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn posts_of_a_closed_account_do_not_use_up_the_scan_limit() {
    let fixture = Fixture::new().await;
    let (spammer, now) = (member(1), fixture.harness.clock.now());
    fixture.join_community(community(1), &[spammer, member(2)]).await;
    fixture.create_post_of(member(2), "An honest brief").await;
    fixture.advance_clock(1);
    // More than the scan limit of a search and than a batch of the reindexing.
    let many = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness)
        select gen_random_uuid(), '{spammer}', 'Cheap brief', '{now}'::timestamptz + n * interval '1 second', 0
        from generate_series(1, 1300) as n;
        insert into feed.search_documents (id, shelf, at, title, body, state)
        select id, 0, 0, '{{}}', '{{}}', 0 from feed.posts where author_id = '{spammer}'"
    );
    fixture.harness.database().run(many).await;
    fixture.create_post_in(spammer, community(1), "Another cheap brief").await;
    fixture.index_pending().await;
    let count_sql = "select count(*) from feed.search_entries where word = 'cheap'";
    assert_eq!(fixture.count(count_sql).await, 1301);

    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &spammer.to_string(), now).await.unwrap();
    fixture.reindex_authors().await;
    assert_eq!(fixture.search_texts(None, "brief").await, ["An honest brief"]);
    assert_eq!(fixture.search_texts(Some(member(2)), "brief").await, ["An honest brief"]);
    assert_eq!(fixture.count(count_sql).await, 0);

    // A new snapshot without the account; the member does not have to post.
    feed::deactivation::reactivate_all(&mut conn).await.unwrap();
    fixture.reindex_authors().await;
    assert_eq!(fixture.count(count_sql).await, 1301);
    assert_eq!(fixture.search_texts(Some(member(2)), "another brief").await, ["Another cheap brief"]);
    for _ in 0..2 {
        feed::deactivation::deactivate(&mut conn, &spammer.to_string(), now).await.unwrap();
    }
    feed::search::reindex::mark_batch(fixture.pool()).await.unwrap();
    feed::deactivation::reactivate(&mut conn, &spammer.to_string()).await.unwrap();
    fixture.reindex_authors().await;
    assert_eq!(fixture.count(count_sql).await, 1301, "reopened before all posts were reindexed");
    assert_eq!(fixture.count("select count(*) from feed.search_authors").await, 0);
}

#[tokio::test]
async fn a_new_post_is_found_before_the_reactivation_is_applied() {
    let fixture = Fixture::new().await;
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::deactivate(&mut conn, &member(1).to_string(), fixture.harness.clock.now()).await.unwrap();
    fixture.reindex_authors().await;
    let request = CreatePostRequest { content: "Back again".to_owned(), ..Default::default() };
    fixture.create_post(&fixture.as_member(member(1)), request).await.unwrap();
    feed::deactivation::reactivate(&mut conn, &member(1).to_string()).await.unwrap();
    assert_eq!(fixture.search_texts(None, "back").await, ["Back again"]);
}

#[tokio::test]
async fn words_removed_by_an_edit_are_deleted_unless_used_elsewhere() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "zyzzyva estoppel laches").await;
    fixture.create_post_of(member(2), "laches").await;
    fixture.index_pending().await;
    let edit = UpdatePostRequest { post_id: post.id, content: "estoppel".to_owned(), ..Default::default() };
    fixture.update_post(&fixture.as_member(member(1)), edit).await.unwrap();
    let words = sqlx::query_scalar::<_, String>("select word from feed.search_words order by word");
    assert_eq!(words.fetch_all(fixture.pool()).await.unwrap(), ["estoppel", "laches"]);
}

#[tokio::test]
async fn a_repost_is_found_by_its_own_text() {
    let fixture = Fixture::new().await;
    let original = fixture.create_post_of(member(1), "A verdict").await;
    let repost = |content: &str| CreatePostRequest {
        content: content.to_owned(),
        repost_of: Some(original.id.clone()),
        ..Default::default()
    };
    fixture.create_post(&fixture.as_member(member(2)), repost("")).await.unwrap();
    fixture.create_post(&fixture.as_member(member(3)), repost("Look at this")).await.unwrap();
    assert_eq!(fixture.search_texts(None, "verdict").await, ["A verdict"]);
    let found = fixture.search_posts_as(None, "look").await.posts;
    assert_eq!(found[0].repost.as_ref().unwrap().post_id.as_deref(), Some(original.id.as_str()));
}

#[tokio::test]
async fn the_words_of_an_erased_members_posts_are_deleted() {
    let fixture = Fixture::new().await;
    let gone = fixture.create_post_of(member(1), "An estoppel of mine").await;
    fixture.create_post_of(member(2), "Another estoppel").await;
    fixture.index_pending().await;
    feed::erase_post(fixture.pool(), gone.id.parse().unwrap()).await.unwrap();
    assert_eq!(fixture.search_texts(Some(member(1)), "estoppel").await, ["Another estoppel"]);
    for query in ["mine", "estoppl mine"] {
        assert!(fixture.search_texts(Some(member(1)), query).await.is_empty(), "{query}");
    }
    let left = format!("select count(*) from feed.search_entries where id = '{}'", gone.id);
    assert_eq!(fixture.count(&left).await, 0);
    assert_eq!(fixture.count("select count(*) from feed.search_words where word = 'mine'").await, 0);
}

#[tokio::test]
async fn an_invalid_query_is_refused() {
    let fixture = Fixture::new().await;
    for query in ["", " ", "\0", "\u{202e}", &"a".repeat(201), &"a".repeat(1 << 20)] {
        let request = SearchPostsRequest { query: query.to_owned(), ..Default::default() };
        let refused = fixture.search_posts(&fixture.as_visitor(), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "query"));
    }
}
