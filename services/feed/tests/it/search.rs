//! Posts found by their words: at once, by whoever may see them and by nobody else.

use feed::search::{POSTS, read};
use portia_proto::feed::{
    CreatePostRequest, DeletePostRequest, SearchPostsRequest, SearchPostsResponse, UpdatePostRequest,
};
use primitives::error::ErrorKind;
use uuid::Uuid;

use crate::stand::{Stand, community, member};

impl Stand {
    async fn search(&self, who: Option<Uuid>, query: &str) -> SearchPostsResponse {
        let request = SearchPostsRequest { query: query.to_owned(), ..Default::default() };
        let call = who.map_or_else(|| self.visitor(), |who| self.by(who));
        self.search_posts(&call, request).await.unwrap()
    }

    /// What the posts found say, in order.
    async fn found(&self, who: Option<Uuid>, query: &str) -> Vec<String> {
        self.search(who, query).await.posts.into_iter().map(|post| post.content).collect()
    }

    /// The posts of whoever was closed or opened again are read anew.
    async fn handed_over(&self) {
        while feed::search::authors::hand_over(self.pool()).await.unwrap() {}
        self.learnt().await;
    }

    async fn learnt(&self) {
        while self.count("select count(*) from feed.search_documents where state < 2").await > 0 {
            POSTS.index_pending(self.pool(), read).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_post_is_found_as_soon_as_it_is_published_the_newest_first() {
    let stand = Stand::new().await;
    for content in ["The clerk filed a motion", "Another clerk, another day", "Nothing to see"] {
        stand.post(member(1), content).await;
        stand.wait(1);
    }
    let both = ["Another clerk, another day", "The clerk filed a motion"];
    for who in [None, Some(member(1)), Some(member(2))] {
        assert_eq!(stand.found(who, "Clerk").await, both);
    }
    assert_eq!(stand.found(None, "clerk motion").await, both[1..]);
    stand.post(member(2), "Clerks of the court").await;
    stand.learnt().await;
    assert_eq!(stand.found(None, "clerk").await, [both[0], both[1], "Clerks of the court"], "another form comes later");
    assert_eq!(stand.found(None, "clerkk motoin").await, both[1..]);
    assert_eq!(stand.search(None, "clerks").await.terms, ["clerk"]);
    let found = stand.search(Some(member(2)), "motion").await.posts;
    assert_eq!(found[0], stand.seen(&stand.by(member(2)), &found[0].id).await, "as the feed carries it");
}

#[tokio::test]
async fn what_is_edited_is_found_by_what_it_says_now_and_what_is_deleted_is_not() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "An estoppel").await;
    let edit = UpdatePostRequest { post_id: post.id.clone(), content: "A waiver".to_owned(), ..Default::default() };
    stand.update_post(&stand.by(member(1)), edit).await.unwrap();
    assert!(stand.found(None, "estoppel").await.is_empty());
    assert_eq!(stand.found(None, "waiver").await, ["A waiver"]);
    stand.learnt().await;
    stand.delete_post(&stand.by(member(1)), DeletePostRequest { post_id: post.id }).await.unwrap();
    for query in ["waiver", "waivr"] {
        assert!(stand.found(Some(member(1)), query).await.is_empty());
    }
    assert_eq!(stand.count("select count(*) from feed.search_entries").await, 0);
    assert_eq!(stand.count("select count(*) from feed.search_words").await, 0);
}

#[tokio::test]
async fn a_communitys_posts_are_its_members_alone() {
    let stand = Stand::new().await;
    stand.join(community(1), &[member(1), member(2)]).await;
    stand.join(community(2), &[member(3)]).await;
    stand.post(member(9), "A moot for everybody").await;
    stand.wait(1);
    stand.post_in(member(1), community(1), "A moot for us").await;
    stand.learnt().await;
    let (all, public) = (["A moot for us", "A moot for everybody"], ["A moot for everybody"]);
    for who in [1, 2] {
        assert_eq!(stand.found(Some(member(who)), "moot").await, all);
    }
    for who in [None, Some(member(3)), Some(member(9))] {
        for query in ["moot", "moo", "mooot"] {
            assert_eq!(stand.found(who, query).await, public, "{who:?} {query}");
        }
        assert!(stand.found(who, "us").await.is_empty());
        assert!(stand.found(who, "moot us").await.is_empty());
    }
    stand.leave(community(1), member(2)).await;
    stand.leave(community(1), member(1)).await;
    assert_eq!(stand.found(Some(member(2)), "moot").await, public);
    assert_eq!(stand.found(Some(member(1)), "moot").await, all, "one's own");
}

#[tokio::test]
async fn whoever_belongs_to_many_communities_finds_what_stands_in_each_and_in_no_other() {
    let stand = Stand::new().await;
    let said = ["plainta", "plaintb", "plaintc", "plaintd", "plainte", "quodlibet"].map(|w| format!("A moot, and {w}"));
    for (n, said) in (1..).zip(&said) {
        let members = if n == 6 { vec![member(9)] } else { vec![member(1), member(9)] };
        stand.join(community(n), &members).await;
        stand.post_in(member(9), community(n), said).await;
        stand.wait(1);
    }
    stand.post(member(9), "Another moot").await;
    stand.post_in(member(9), community(3), "Estoppels pleaded").await;
    stand.learnt().await;
    let all: Vec<&str> = ["Another moot"].into_iter().chain(said[..5].iter().rev().map(String::as_str)).collect();
    for query in ["moot", "moo", "mooot"] {
        assert_eq!(stand.found(Some(member(1)), query).await, all, "{query}");
    }
    for query in ["and moot", "plaint moot"] {
        assert_eq!(stand.found(Some(member(1)), query).await, all[1..], "{query}");
    }
    for query in ["estoppel", "estopels", "pleaded estoppels"] {
        assert_eq!(stand.found(Some(member(1)), query).await, ["Estoppels pleaded"], "{query}");
    }
    assert!(stand.found(Some(member(1)), "quodlibet").await.is_empty());
}

#[tokio::test]
async fn whoever_is_blocked_or_closed_is_not_found_and_pages_are_full() {
    let stand = Stand::new().await;
    for n in 0..60 {
        stand.post(member(if n % 3 == 0 { 1 } else { 2 }), &format!("Brief {n}")).await;
        stand.wait(1);
    }
    stand.block(member(2), member(8)).await;
    stand.block(member(9), member(2)).await;
    for who in [8, 9] {
        let found = stand.search(Some(member(who)), "brief").await;
        assert_eq!(found.posts.len(), 20);
        assert!(found.posts.iter().all(|post| post.author_id == member(1).to_string()));
    }
    let mut conn = stand.pool().acquire().await.unwrap();
    let now = stand.harness.clock.now();
    feed::hidden::hide(&mut conn, &member(2).to_string(), now).await.unwrap();
    assert_eq!(stand.search(None, "brief").await.posts.len(), 20);
    feed::hidden::show(&mut conn, &member(2).to_string()).await.unwrap();
    let mut walked = Vec::new();
    let mut request = SearchPostsRequest { query: "brief".to_owned(), page_size: 7, ..Default::default() };
    loop {
        let page = stand.search_posts(&stand.visitor(), request.clone()).await.unwrap();
        walked.extend(page.posts.into_iter().map(|post| post.content));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(walked, (0..60).rev().map(|n| format!("Brief {n}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_closed_accounts_posts_take_nobodys_place_among_what_is_looked_at() {
    let stand = Stand::new().await;
    let (spammer, now) = (member(1), stand.harness.clock.now());
    stand.join(community(1), &[spammer, member(2)]).await;
    stand.post(member(2), "An honest brief").await;
    stand.wait(1);
    // More than a search looks at, and than are handed over at a time.
    let many = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness)
        select gen_random_uuid(), '{spammer}', 'Cheap brief', '{now}'::timestamptz + n * interval '1 second', 0
        from generate_series(1, 1300) as n;
        insert into feed.search_documents (id, shelf, at, title, body, state)
        select id, 0, 0, '{{}}', '{{}}', 0 from feed.posts where author_id = '{spammer}'"
    );
    stand.harness.database().run(many).await;
    stand.post_in(spammer, community(1), "Another cheap brief").await;
    stand.learnt().await;
    let theirs = "select count(*) from feed.search_entries where word = 'cheap'";
    assert_eq!(stand.count(theirs).await, 1301);

    let mut conn = stand.pool().acquire().await.unwrap();
    feed::hidden::hide(&mut conn, &spammer.to_string(), now).await.unwrap();
    stand.handed_over().await;
    assert_eq!(stand.found(None, "brief").await, ["An honest brief"]);
    assert_eq!(stand.found(Some(member(2)), "brief").await, ["An honest brief"]);
    assert_eq!(stand.count(theirs).await, 0);

    // Told of it anew, and open since: nobody has to write anything for that.
    feed::hidden::clear(&mut conn).await.unwrap();
    stand.handed_over().await;
    assert_eq!(stand.count(theirs).await, 1301);
    assert_eq!(stand.found(Some(member(2)), "another brief").await, ["Another cheap brief"]);
    for _ in 0..2 {
        feed::hidden::hide(&mut conn, &spammer.to_string(), now).await.unwrap();
    }
    feed::search::authors::hand_over(stand.pool()).await.unwrap();
    feed::hidden::show(&mut conn, &spammer.to_string()).await.unwrap();
    stand.handed_over().await;
    assert_eq!(stand.count(theirs).await, 1301, "opened again before all was handed over");
    assert_eq!(stand.count("select count(*) from feed.search_authors").await, 0);
}

#[tokio::test]
async fn whoever_writes_is_found_even_before_it_was_heard_that_the_account_is_open_again() {
    let stand = Stand::new().await;
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::hidden::hide(&mut conn, &member(1).to_string(), stand.harness.clock.now()).await.unwrap();
    stand.handed_over().await;
    let request = CreatePostRequest { content: "Back again".to_owned(), ..Default::default() };
    stand.create_post(&stand.by(member(1)), request).await.unwrap();
    feed::hidden::show(&mut conn, &member(1).to_string()).await.unwrap();
    assert_eq!(stand.found(None, "back").await, ["Back again"]);
}

#[tokio::test]
async fn words_that_an_edit_takes_away_are_forgotten_unless_somebody_uses_them() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "zyzzyva estoppel laches").await;
    stand.post(member(2), "laches").await;
    stand.learnt().await;
    let edit = UpdatePostRequest { post_id: post.id, content: "estoppel".to_owned(), ..Default::default() };
    stand.update_post(&stand.by(member(1)), edit).await.unwrap();
    let words = sqlx::query_scalar::<_, String>("select word from feed.search_words order by word");
    assert_eq!(words.fetch_all(stand.pool()).await.unwrap(), ["estoppel", "laches"]);
}

#[tokio::test]
async fn a_repost_is_found_by_its_own_words() {
    let stand = Stand::new().await;
    let original = stand.post(member(1), "A verdict").await;
    let repost = |content: &str| CreatePostRequest {
        content: content.to_owned(),
        repost_of: Some(original.id.clone()),
        ..Default::default()
    };
    stand.create_post(&stand.by(member(2)), repost("")).await.unwrap();
    stand.create_post(&stand.by(member(3)), repost("Look at this")).await.unwrap();
    assert_eq!(stand.found(None, "verdict").await, ["A verdict"]);
    let found = stand.search(None, "look").await.posts;
    assert_eq!(found[0].repost.as_ref().unwrap().post_id.as_deref(), Some(original.id.as_str()));
}

#[tokio::test]
async fn of_an_erased_members_posts_no_word_is_left() {
    let stand = Stand::new().await;
    let gone = stand.post(member(1), "An estoppel of mine").await;
    stand.post(member(2), "Another estoppel").await;
    stand.learnt().await;
    feed::erase::post(stand.pool(), gone.id.parse().unwrap()).await.unwrap();
    assert_eq!(stand.found(Some(member(1)), "estoppel").await, ["Another estoppel"]);
    for query in ["mine", "estoppl mine"] {
        assert!(stand.found(Some(member(1)), query).await.is_empty(), "{query}");
    }
    let left = format!("select count(*) from feed.search_entries where id = '{}'", gone.id);
    assert_eq!(stand.count(&left).await, 0);
    assert_eq!(stand.count("select count(*) from feed.search_words where word = 'mine'").await, 0);
}

#[tokio::test]
async fn what_cannot_be_looked_for_is_refused() {
    let stand = Stand::new().await;
    for query in ["", " ", "\0", "\u{202e}", &"a".repeat(201), &"a".repeat(1 << 20)] {
        let request = SearchPostsRequest { query: query.to_owned(), ..Default::default() };
        let refused = stand.search_posts(&stand.visitor(), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "query"));
    }
}
