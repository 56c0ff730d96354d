//! Search: index updates, ranking, typing errors, paging and hidden members.

use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, RegistrationForm},
    profile::{EnsureMemberRequest, SearchMembersRequest, SearchMembersResponse, UpdateMemberRequest},
};
use primitives::error::{ErrorKind, StatusDetails};
use profile::search::{MEMBERS, read_documents};
use prost_types::FieldMask;
use testkit::member;
use tonic::Status;

use crate::{Profile, registration};

impl Profile {
    /// Creates a member with a name and a headline.
    async fn create_named(&self, n: u128, full_name: &str, headline: &str) {
        let form = RegistrationForm {
            full_name: full_name.to_owned(),
            headline: Some(headline.to_owned()).filter(|headline| !headline.is_empty()),
            ..Default::default()
        };
        let request = EnsureMemberRequest { form: Some(form), username: format!("user{n}"), ..registration(n) };
        self.ensure(request).await.unwrap();
        self.harness.clock.advance(chrono::TimeDelta::seconds(1));
    }

    /// Indexes all pending documents and words.
    async fn index_pending(&self) {
        while self.count("select count(*) from profile.search_documents where state < 4").await > 0 {
            MEMBERS.index_pending(self.harness.pool(), read_documents).await.unwrap();
        }
    }

    async fn search(&self, by: Option<u128>, request: SearchMembersRequest) -> Result<SearchMembersResponse, Status> {
        let call = match by {
            Some(n) => self.by(n),
            None => self.gateway(),
        };
        Ok(self.client().search_members(call.request(request)?).await?.into_inner())
    }

    /// The numbers of the found members, in order.
    async fn search_ids(&self, by: Option<u128>, query: &str) -> Vec<u128> {
        let request = SearchMembersRequest { query: query.to_owned(), ..Default::default() };
        numbers(&self.search(by, request).await.unwrap())
    }
}

fn numbers(found: &SearchMembersResponse) -> Vec<u128> {
    let id = |found: &portia_proto::profile::FoundMember| found.card.clone().unwrap().id;
    found.members.iter().map(id).map(|id| (1..100).find(|n| member(*n).to_string() == id).unwrap()).collect()
}

#[tokio::test]
async fn the_index_follows_every_change() {
    let profile = Profile::start().await;
    let form = RegistrationForm {
        full_name: "José Núñez".into(),
        headline: Some("Litigator".into()),
        school: Some("École de Droit".into()),
        ..Default::default()
    };
    profile.ensure(EnsureMemberRequest { form: Some(form), ..registration(1) }).await.unwrap();
    for query in ["jose", "NÚÑEZ", "litigator", "ecole droit", "member.1", "josé litigator"] {
        assert_eq!(profile.search_ids(None, query).await, [1], "{query}");
    }

    let paths = ["full_name", "headline", "school"].map(str::to_owned).to_vec();
    let update = UpdateMemberRequest {
        update_mask: Some(FieldMask { paths }),
        full_name: "Zoë Ångström".into(),
        school: "Ateneo".into(),
        ..Default::default()
    };
    profile.update(1, update).await.unwrap();
    profile.with_skills(1, &["Moot Court", "Research"]).await;
    profile.index_pending().await;
    for (query, found) in
        [("angstrom", 1), ("moot zoe", 1), ("ateneo", 1), ("nunez", 0), ("litigator", 0), ("droit", 0)]
    {
        assert_eq!(profile.search_ids(None, query).await.len(), found, "{query}");
    }
    profile.with_skills(1, &[]).await;
    assert!(profile.search_ids(None, "moot").await.is_empty());
    assert_eq!(
        profile
            .count(
                "select count(*) from profile.search_entries e where not exists (
                    select
                    from profile.search_documents d, unnest(d.title || d.body) as word
                    where d.id = e.id
                        and (e.word = word or (e.word like '%*' and starts_with(word, rtrim(e.word, '*')))))"
            )
            .await,
        0
    );
}

#[tokio::test]
async fn names_rank_before_other_words_and_exact_words_before_corrections() {
    let profile = Profile::start().await;
    profile.create_named(1, "Anna Clerk", "").await;
    profile.create_named(2, "Bea Clerkson", "").await;
    profile.create_named(3, "Carl Diaz", "Clerk of the court").await;
    profile.create_named(4, "Dora Evans", "Clerks wanted").await;
    profile.create_named(5, "Eva Clerk", "").await;
    profile.create_named(6, "Finn Gray", "Law student").await;
    profile.index_pending().await;
    // Exact names, newest first; prefixes of names; words of headlines; their other forms.
    assert_eq!(profile.search_ids(None, "clerk").await, [5, 1, 2, 3, 4]);
    assert_eq!(profile.search_ids(None, "clerks").await, [5, 2, 1, 4, 3], "another form of the same word");
    // Every word must match.
    assert_eq!(profile.search_ids(None, "clerk anna").await, [1]);
    assert_eq!(profile.search_ids(None, "cler an").await, [1]);
    assert_eq!(profile.search_ids(None, "clerk unknown").await, [0; 0]);
    // Typing errors are corrected only without another result.
    assert_eq!(profile.search_ids(None, "clekr").await, [5, 1, 3], "of the nearest word only");
    assert_eq!(profile.search_ids(None, "studnet lwa").await, [0; 0], "three letters are too near to too many");
    assert_eq!(profile.search_ids(None, "studnet finn").await, [6]);
    assert_eq!(profile.search_ids(None, "annna clerk").await, [1], "which begins no name, but is near to one");
    assert_eq!(profile.search_ids(None, "?!").await, [0; 0]);
}

#[tokio::test]
async fn a_first_name_and_every_beginning_of_a_last_name_find_the_member() {
    let profile = Profile::start().await;
    let last_names = [
        "Whitlock",
        "Santos",
        "Santiago",
        "Mercado",
        "Medina",
        "Cruz",
        "Castro",
        "Reyes",
        "Ramos",
        "Sy",
        "Ó Súilleabháin",
        "dela Cruz",
        "de los Reyes",
        "Zamora",
        "Salonga",
        "Sandoval",
        "Sarmiento",
        "Sanchez",
        "Salazar",
        "Samson",
        "Mabini",
        "Macaraeg",
        "Magsaysay",
        "Manalo",
        "Mapa",
        "Marquez",
        "Aquino2nd",
        "小明",
    ];
    for (n, last) in (1..).zip(last_names) {
        profile.create_named(n, &format!("Daniel {last}"), "Law student").await;
    }
    for n in 40..70 {
        profile.create_named(n, &format!("Sara Manuel{n}"), "Clerk").await;
    }
    for indexed in [false, true] {
        for (n, last) in (1..).zip(last_names) {
            let letters: Vec<char> = last.chars().collect();
            for end in 1..=letters.len() {
                let beginning: String = letters[..end].iter().collect();
                for query in [format!("Daniel {beginning}"), format!("{beginning}, dan"), format!("d {beginning}")] {
                    if beginning.ends_with(' ') {
                        continue;
                    }
                    let request = SearchMembersRequest { query: query.clone(), page_size: 100, ..Default::default() };
                    let found = numbers(&profile.search(None, request).await.unwrap());
                    assert!(found.contains(&n), "{query}, indexed: {indexed}");
                    assert!(found.iter().all(|n| *n < 40), "{query}: {found:?}");
                }
            }
        }
        profile.index_pending().await;
    }
    assert_eq!(profile.search_ids(None, "daniel x").await, [0; 0]);
    assert_eq!(profile.search_ids(None, "sara m").await.len(), 20);
    let update = UpdateMemberRequest {
        update_mask: Some(FieldMask { paths: vec!["full_name".into()] }),
        full_name: "Daniel Xiong".into(),
        ..Default::default()
    };
    profile.update(1, update).await.unwrap();
    assert_eq!(profile.search_ids(None, "daniel x").await, [1]);
    assert_eq!(profile.search_ids(None, "daniel w").await, [0; 0], "the beginnings of an old name are deleted");
}

#[tokio::test]
async fn a_username_with_digits_is_found_by_its_beginning() {
    let profile = Profile::start().await;
    for n in 1..=30 {
        let username = format!("jdelacruz{}", 31_800 + n);
        profile.ensure(EnsureMemberRequest { username, ..registration(n) }).await.unwrap();
    }
    profile.create_named(40, "Kate3 Bell", "Abc12345 and BarExam2027").await;
    profile.index_pending().await;
    for query in ["jdelacruz", "jdelacruz3", "j"] {
        let request = SearchMembersRequest { query: query.to_owned(), page_size: 100, ..Default::default() };
        assert_eq!(profile.search(None, request).await.unwrap().members.len(), 30, "{query}");
    }
    assert_eq!(profile.search_ids(None, "jdelacruz3181").await.len(), 10);
    assert_eq!(profile.search_ids(None, "jdelacruz31830").await, [30]);
    for query in ["kate", "abc1", "abc1234", "barexam", "bar kat", "kate barexam20"] {
        assert_eq!(profile.search_ids(None, query).await, [40], "{query}");
    }
}

#[tokio::test]
async fn abbreviations_and_texts_without_spaces_are_found() {
    let profile = Profile::start().await;
    profile.create_named(1, "李小明", "昨日最高裁判所は違憲判決を出した").await;
    profile.create_named(2, "J.R. Santos", "LL.M., Ph.D.").await;
    profile.create_named(3, "JR Santos", "LLM, PhD").await;
    profile.create_named(4, "สมชาย ใจดี", "ศาลรัฐธรรมนูญ").await;
    for indexed in [false, true] {
        for query in ["小明", "李", "明", "李小明", "最高裁判所", "判決", "違憲 小明"] {
            assert_eq!(profile.search_ids(None, query).await, [1], "{query}, indexed: {indexed}");
        }
        for query in ["LLM", "ll.m.", "Ph.D.", "phd", "jr", "J.R.", "j.r. santos", "santos llm"] {
            assert_eq!(profile.search_ids(None, query).await, [3, 2], "{query}, indexed: {indexed}");
        }
        for query in ["รัฐธรรมนูญ", "สมชาย", "ชาย", "ใจ"] {
            assert_eq!(profile.search_ids(None, query).await, [4], "{query}, indexed: {indexed}");
        }
        assert_eq!(profile.search_ids(None, "小李").await, [0; 0]);
        profile.index_pending().await;
    }
}

#[tokio::test]
async fn documents_of_an_earlier_tokenization_are_indexed_again() {
    let profile = Profile::start().await;
    profile.create_named(1, "Daniel Whitlock", "LL.M., BarExam2027").await;
    profile.index_pending().await;
    // The rows of an earlier version.
    let earlier = "delete from profile.search_entries;
        delete from profile.search_words;
        update profile.search_documents set title = '{daniel,whitlock,user1}', body = '{ll,m,barexam2027}', state = 2;
        insert into profile.search_entries (word, shelf, at, id)
        select word, 0, at, id from profile.search_documents, unnest(title) as word
        union all
        select word, 1, at, id from profile.search_documents, unnest(body) as word;
        insert into profile.search_words (word, stem, slips) values ('daniel', 'daniel', '{daniel,danil}')";
    for state in [2, 1] {
        profile.harness.database().run(&earlier.replace("state = 2", &format!("state = {state}"))).await;
        profile.index_pending().await;
        for query in ["daniel w", "llm", "barexam", "danil whitlok"] {
            assert_eq!(profile.search_ids(None, query).await, [1], "{query}");
        }
    }
}

#[tokio::test]
async fn typing_errors_in_both_names_are_corrected() {
    let profile = Profile::start().await;
    profile::demo::load(&profile.harness.context).await.unwrap();
    profile.index_pending().await;
    for query in ["isabel reyes", "isabl reys", "Isabell Reyez", "reyes, isabel", "isabel.reyes", "isa rey"] {
        let request = SearchMembersRequest { query: query.to_owned(), ..Default::default() };
        let found = profile.search(None, request).await.unwrap();
        let first = found.members.first().unwrap_or_else(|| panic!("{query}"));
        let card = first.card.as_ref().unwrap();
        assert_eq!((card.full_name.as_str(), first.username.as_str()), ("Isabel Reyes", "isabel.reyes"), "{query}");
    }
    let found = profile.search(None, SearchMembersRequest { query: "isabl rey".into(), ..Default::default() });
    assert_eq!(found.await.unwrap().terms, ["isabel", "rey"]);
}

#[tokio::test]
async fn blocked_and_hidden_members_are_not_found() {
    let profile = Profile::start().await;
    for n in 1..=4 {
        profile.create_named(n, "Maria Santos", "Clerk").await;
    }
    profile.index_pending().await;
    profile.block(1, 2).await;
    assert_eq!(profile.search_ids(Some(1), "maria").await, [4, 3, 1]);
    assert_eq!(profile.search_ids(Some(2), "maria").await, [4, 3, 2]);
    assert_eq!(profile.search_ids(Some(3), "maria clerk").await, [4, 3, 2, 1]);
    profile.publish_auth(4, &AccountClosed { member_id: member(4).to_string() }).await;
    assert_eq!(profile.search_ids(None, "maria").await, [3, 2, 1]);
    assert_eq!(profile.search_ids(None, "marya").await, [3, 2, 1], "nor by what may have been meant");
    profile.publish_auth(4, &AccountReopened { member_id: member(4).to_string() }).await;
    assert_eq!(profile.search_ids(None, "maria").await, [4, 3, 2, 1]);
    profile.publish_auth(4, &AccountErased { member_id: member(4).to_string() }).await;
    assert_eq!(profile.search_ids(None, "maria").await, [3, 2, 1]);
}

#[tokio::test]
async fn the_pages_contain_every_member_once() {
    let profile = Profile::start().await;
    for n in 1..=30 {
        let (name, headline) = match n % 3 {
            0 => ("Law Lee", ""),
            1 => ("Lawson Lee", "Court"),
            _ => ("Lee Moreno", "Laws and law"),
        };
        profile.create_named(n, name, headline).await;
    }
    profile.block(40, 12).await;
    profile.index_pending().await;
    for query in ["law", "lee", "law lee", "lwas"] {
        let mut walked = Vec::new();
        let mut request = SearchMembersRequest { query: query.to_owned(), page_size: 4, ..Default::default() };
        loop {
            let found = profile.search(Some(40), request.clone()).await.unwrap();
            walked.extend(numbers(&found));
            assert!(found.members.len() <= 4);
            if found.next_page_token.is_empty() {
                break;
            }
            assert_eq!(found.members.len(), 4, "only the last page is short");
            request.page_token = found.next_page_token;
        }
        let whole = SearchMembersRequest { query: query.to_owned(), page_size: 100, ..Default::default() };
        assert_eq!(walked, numbers(&profile.search(Some(40), whole).await.unwrap()), "{query}");
        let mut once = walked.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), walked.len(), "{query}");
        assert!(!walked.contains(&12) && !walked.is_empty(), "{query}");
    }
    assert_eq!(profile.search_ids(None, "law lee").await.len(), 20);
}

/// Among equal matches: a connection, a member with a mutual connection, of the same school, a verified one, the newest.
#[tokio::test]
async fn ties_with_the_viewer_order_equal_matches() {
    let profile = Profile::start().await;
    for n in 1..=7 {
        let school = if n == 4 || n == 7 { "ATENEO law" } else { "" };
        profile.create_student(n, if n == 7 { "Viewing Member" } else { "Maria Santos" }, school).await;
    }
    profile.create_student(8, "Maria Santosa", "Ateneo Law").await;
    profile.create_student(9, "Shared Connection", "").await;
    profile.index_pending().await;
    assert_eq!(profile.search_ids(Some(7), "maria santos").await, [4, 6, 5, 3, 2, 1, 8]);
    profile.connect(7, 1).await;
    profile.connect(9, 7).await;
    profile.connect(9, 2).await;
    profile.verify_by_operator(3, None).await.unwrap();
    let ordered = [1, 2, 4, 3, 6, 5, 8];
    assert_eq!(profile.search_ids(Some(7), "maria santos").await, ordered, "the prefix of a word stays behind");
    assert_eq!(profile.search_ids(None, "maria santos").await, [3, 6, 5, 4, 2, 1, 8], "a visitor has no ties");
    let mut walked = Vec::new();
    let mut request = SearchMembersRequest { query: "maria santos".into(), page_size: 2, ..Default::default() };
    loop {
        let page = profile.search(Some(7), request.clone()).await.unwrap();
        walked.extend(numbers(&page));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(walked, ordered);
}

#[tokio::test]
async fn pages_over_several_windows_contain_every_member_once() {
    let profile = Profile::start().await;
    for n in 1..=90 {
        profile.create_named(n, "Maria Santos", "").await;
    }
    profile.create_named(91, "Viewing Member", "").await;
    profile.connect(91, 60).await;
    profile.connect(91, 20).await;
    profile.index_pending().await;
    let mut walked = Vec::new();
    let mut request = SearchMembersRequest { query: "santos".into(), page_size: 20, ..Default::default() };
    loop {
        let page = profile.search(Some(91), request.clone()).await.unwrap();
        walked.push(numbers(&page));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(walked.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20, 20, 20, 10]);
    assert_eq!((walked[0][0], walked[2][0]), (60, 20), "each window begins with the connections in it");
    let mut all = walked.concat();
    all.sort_unstable();
    assert_eq!(all, (1..=90).collect::<Vec<_>>());
}

/// The first window of a single word reads no documents, the later ones do: a member with several matching words is in the best of
/// their places, once.
#[tokio::test]
async fn windows_with_and_without_documents_have_one_order() {
    let profile = Profile::start().await;
    for n in 1..=90 {
        let (name, headline) = match n % 5 {
            0 => ("Law Lawson", "Lawyer"),
            1 => ("Lawson Lawrence", "Law"),
            2 => ("Lee Moreno", "Laws and law"),
            3 => ("Lee Moreno", "Lawyer"),
            _ => ("Law Moreno", ""),
        };
        profile.create_named(n, name, headline).await;
    }
    profile.index_pending().await;
    for query in ["law", "lawson", "lawyers"] {
        let whole = SearchMembersRequest { query: query.to_owned(), page_size: 100, ..Default::default() };
        let whole = profile.search(None, whole).await.unwrap();
        let (mut walked, mut terms) = (Vec::new(), Vec::new());
        let mut request = SearchMembersRequest { query: query.to_owned(), page_size: 3, ..Default::default() };
        loop {
            let page = profile.search(None, request.clone()).await.unwrap();
            walked.extend(numbers(&page));
            terms.extend(page.terms);
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
        }
        assert_eq!(walked, numbers(&whole), "{query}");
        terms.sort();
        terms.dedup();
        assert_eq!(terms, whole.terms, "{query}");
        assert!(walked.len() > 30, "{query}");
    }
}

#[tokio::test]
async fn a_word_is_deleted_with_its_last_document() {
    let profile = Profile::start().await;
    profile.create_named(1, "Xiomara Quelled", "Clerk").await;
    profile.create_named(2, "Ann Bell", "Clerk").await;
    profile.index_pending().await;
    let words = "select count(*) from profile.search_words where word in ('xiomara', 'quelled', 'clerk')";
    assert_eq!(profile.count(words).await, 3);
    profile.publish_auth(1, &AccountErased { member_id: member(1).to_string() }).await;
    assert_eq!(profile.count(words).await, 1);
}

#[tokio::test]
async fn pending_documents_are_indexed_after_the_start() {
    let profile = Profile::start().await;
    profile.create_named(1, "Ann Bell", "Clerk").await;
    profile.create_named(2, "Bea Bell", "Clerk").await;
    // The state before the first indexing.
    profile
        .harness
        .database()
        .run(
            "delete from profile.search_entries;
            delete from profile.search_words;
            update profile.search_documents set title = '{}', body = '{}', shelf = 0, at = 0, state = 0;",
        )
        .await;
    profile.index_pending().await;
    assert_eq!(profile.search_ids(None, "bell clerk").await, [2, 1]);
    assert_eq!(profile.search_ids(None, "bel").await, [2, 1]);
}

#[tokio::test]
async fn an_invalid_search_is_refused() {
    let profile = Profile::start().await;
    let request = |query: &str, page_size, token: &str| SearchMembersRequest {
        query: query.to_owned(),
        page_size,
        page_token: token.to_owned(),
    };
    let long = "a".repeat(201);
    let megabyte = "a".repeat(1 << 20);
    for (request, field) in [
        (request("", 0, ""), "query"),
        (request(" \u{200b} ", 0, ""), "query"),
        (request("a\0", 0, ""), "query"),
        (request("\u{202e}a", 0, ""), "query"),
        (request(&long, 0, ""), "query"),
        (request(&megabyte, 0, ""), "query"),
        (request("a", -1, ""), "pageSize"),
        (request("a", 0, "x"), "pageToken"),
        (request("a", 0, &megabyte), "pageToken"),
    ] {
        let error = StatusDetails::from(&profile.search(None, request).await.unwrap_err());
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    for harmless in ["%", "_", "'", "\\", "a' or 1=1 --", "\u{1f469}\u{200d}\u{2696}\u{fe0f}", "&|!:*()", "𝔏𝔞𝔴"]
    {
        assert!(profile.search_ids(None, harmless).await.is_empty(), "{harmless}");
    }
}

#[tokio::test]
async fn demo_members_are_found_by_name_and_headline() {
    let profile = Profile::start().await;
    profile::demo::load(&profile.harness.context).await.unwrap();
    profile.create_named(99, "New Comer", "").await;
    for who in [None, Some(99)] {
        for (query, found) in
            [("Isabel Reyes", 1), ("moot court captain", 1), ("Daniel Whitlock", 2), ("appellate litigation", 2)]
        {
            assert!(profile.search_ids(who, query).await.contains(&found), "{query}");
        }
    }
    profile.index_pending().await;
    for (query, found) in [("isa", 1), ("isabl reys", 1), ("whitlok", 2), ("daniel", 2)] {
        assert!(profile.search_ids(Some(99), query).await.contains(&found), "{query}");
    }
}
