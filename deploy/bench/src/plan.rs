//! The requests: the measured routes, and every list with an inspected plan.

mod conversations;
mod searches;

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};

use self::conversations::{CONVERSATIONS, Conversations};
use crate::{
    client::{Member, Request},
    data_folder::Note,
};

/// The maximum depth of a deep page, in posts, where there are twenty times as many.
const DEEP: u32 = 1_000;
/// Posts a page.
const PAGE: u32 = 20;
/// The maximum number of posts and members that the requests of a worker rotate over.
const MAX_ROTATION: usize = 200;

/// One measured route: the requests of each worker, sent repeatedly.
#[derive(Debug)]
pub struct Workload {
    /// The name in the report.
    pub name: String,
    /// One list of requests per worker.
    pub workers: Vec<(Member, Vec<Request>)>,
}

/// The signed-in members.
#[derive(Debug)]
pub struct Actors {
    /// Members with about fifty connections each.
    pub typical: Vec<Member>,
    /// A member with about five hundred connections.
    pub known: Member,
    /// The member with the most connections.
    pub hub: Member,
}

impl Actors {
    /// Signs them in.
    ///
    /// # Errors
    /// When a sign-in fails.
    pub async fn sign_in(base: &str, note: &Note) -> anyhow::Result<Self> {
        let mut typical = Vec::new();
        for username in &note.typical {
            typical.push(Member::sign_in(base, username, &note.password).await?);
        }
        let known = Member::sign_in(base, &note.known, &note.password).await?;
        let hub = Member::sign_in(base, &note.hub, &note.password).await?;
        anyhow::ensure!(!typical.is_empty(), "seed.json names no member");
        Ok(Self { typical, known, hub })
    }
}

/// The ids that the measured requests use, found by reading lists.
#[derive(Debug)]
struct Targets {
    posts: Vec<String>,
    authors: Vec<String>,
    deep: Vec<(&'static str, String)>,
}

const ORDERS: [&str; 3] = ["recent", "relevant", "top"];

/// Every measured route.
///
/// # Errors
/// When a page cannot be read, or is empty.
pub async fn measured(actors: &Actors, note: &Note) -> anyhow::Result<Vec<Workload>> {
    let mut found = Vec::new();
    for member in &actors.typical {
        found.push(discover(member, note).await?);
    }
    let each = |name: &str, requests: &dyn Fn(&Member, &Targets) -> Vec<Request>| Workload {
        name: name.to_owned(),
        workers: staggered(
            actors.typical.iter().zip(&found).map(|(member, found)| (member.clone(), requests(member, found))),
        ),
    };
    let mut workloads = Vec::new();
    for order in ORDERS {
        workloads.push(each(&format!("feed {order}"), &|_, _| vec![feed(order)]));
        workloads.push(each(&format!("feed {order}, deep"), &|_, found| {
            found.deep.iter().filter(|(of, _)| *of == order).map(|(_, path)| Request::get(path)).collect()
        }));
    }
    workloads.push(each("post", &|_, found| {
        found.posts.iter().map(|id| Request::get(format!("/api/posts/{id}"))).collect()
    }));
    workloads.push(each("post's comments", &|_, found| {
        found.posts.iter().map(|id| Request::get(format!("/api/posts/{id}/comments"))).collect()
    }));
    workloads.push(each("profile", &|_, found| {
        found.authors.iter().map(|id| Request::get(format!("/api/users/{id}/profile"))).collect()
    }));
    workloads
        .push(each("connections", &|member, _| vec![Request::get(format!("/api/users/{}/connections", member.id))]));
    let [typical, known, hub] = note.degrees;
    workloads.push(each(&format!("suggestions, {typical} connections"), &|member, _| vec![suggestions(member)]));
    for (member, degree) in [(&actors.known, known), (&actors.hub, hub)] {
        let workers = for_one_member(actors, member, &suggestions(member))?;
        workloads.push(Workload { name: format!("suggestions, {degree} connections"), workers });
    }
    workloads.push(each("communities", &|_, _| vec![Request::get("/api/communities")]));
    workloads.push(each("events", &|_, _| vec![Request::get("/api/events")]));
    let lists = searches::lists(actors.typical.first().context("seed.json names no member")?, note).await?;
    for (name, requests) in &lists {
        workloads.push(each(name, &|_, _| requests.clone()));
    }
    let conversations = Conversations::discover(actors).await?;
    workloads.push(each("conversations", &|_, _| vec![Request::get(CONVERSATIONS)]));
    workloads.push(Workload {
        name: format!("conversations, {} of them", conversations.of_hub),
        workers: for_one_member(actors, &actors.hub, &Request::get(CONVERSATIONS))?,
    });
    workloads.push(each("thread", &|member, _| conversations.of(member).map(Request::get).collect()));
    workloads.push(Workload {
        name: format!("thread, {} messages down", conversations.down),
        workers: for_one_member(actors, &actors.hub, &Request::get(&conversations.deep))?,
    });
    workloads.push(each("message", &|member, _| {
        conversations.of(member).map(|path| conversations::message(member, path)).collect()
    }));
    workloads.push(each("like, unlike", &|member, found| found.posts.iter().flat_map(|id| like(member, id)).collect()));
    if let Some(empty) =
        workloads.iter().find(|workload| workload.workers.iter().any(|(_, requests)| requests.is_empty()))
    {
        anyhow::bail!("There is nothing to request for '{}': this Portia is too small.", empty.name);
    }
    Ok(workloads)
}

/// Returns as many workers as other routes have, all of one member.
fn for_one_member(actors: &Actors, member: &Member, request: &Request) -> anyhow::Result<Vec<(Member, Vec<Request>)>> {
    actors.typical.iter().map(|_| Ok((member.with_new_connection()?, vec![request.clone()]))).collect()
}

/// Each worker starts at another position of the list, so that they do not contend for one post; pairs stay together.
fn staggered(workers: impl ExactSizeIterator<Item = (Member, Vec<Request>)>) -> Vec<(Member, Vec<Request>)> {
    let count = workers.len();
    let turned = workers.enumerate().map(|(place, (member, mut requests))| {
        let by = requests.len() * place / count;
        requests.rotate_left(by - by % 2);
        (member, requests)
    });
    turned.collect()
}

/// The first page of the feed in this order.
pub(crate) fn feed(order: &str) -> Request {
    Request::get(format!("/api/posts?sort={order}"))
}

/// The member's suggestions.
pub(crate) fn suggestions(member: &Member) -> Request {
    Request::get(format!("/api/users/{}/suggestions", member.id))
}

/// Sets and removes a reaction: the row does not change, and two facts are published.
pub(crate) fn like(member: &Member, post: &str) -> [Request; 2] {
    let path = format!("/api/posts/{post}/likes");
    let set =
        Request { method: Method::POST, path: path.clone(), body: Some(json!({"userId": member.id, "type": "like"})) };
    [set, Request { method: Method::DELETE, path, body: None }]
}

/// Reads pages in every order.
async fn discover(member: &Member, note: &Note) -> anyhow::Result<Targets> {
    let pages = DEEP.min(note.posts / 20) / PAGE;
    let mut found = Targets { posts: Vec::new(), authors: Vec::new(), deep: Vec::new() };
    for order in ORDERS {
        let mut path = feed(order).path;
        for _ in 0..pages.max(1) {
            let answer = member.send(&Request::get(&path)).await?;
            let page = answer.json()?;
            let posts = page.as_array().context("a page of posts is a list")?;
            anyhow::ensure!(!posts.is_empty(), "a page of posts is empty");
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            found.posts.extend(posts.iter().filter_map(|post| text(post.get("id"))));
            found.authors.extend(posts.iter().filter_map(|post| text(post.pointer("/user/id"))));
            match answer.next {
                Some(next) => path = next,
                None => break,
            }
        }
        found.deep.push((order, path));
    }
    // The first posts of every order are included.
    sample_evenly(&mut found.posts);
    sample_evenly(&mut found.authors);
    found.authors.retain(|author| *author != member.id);
    Ok(found)
}

/// The posts that the member is shown, and their other authors.
///
/// # Errors
/// When a page cannot be read, or is empty.
pub(crate) async fn seen(member: &Member, note: &Note) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let found = discover(member, note).await?;
    Ok((found.posts, found.authors))
}

/// Distinct ids, evenly sampled down to the wanted number.
fn sample_evenly(ids: &mut Vec<String>) {
    ids.sort_unstable();
    ids.dedup();
    let step = ids.len().div_ceil(MAX_ROTATION).max(1);
    *ids = ids.drain(..).step_by(step).collect();
}

/// Every list and page with an inspected plan, requested by the first of the typical members.
///
/// # Errors
/// When a page cannot be read.
pub async fn explained(actors: &Actors, note: &Note) -> anyhow::Result<Vec<(String, Member, Request)>> {
    let me = actors.typical.first().context("seed.json names no member")?;
    let found = discover(me, note).await?;
    let (post, author) = (found.posts.first().context("no post")?, found.authors.first().context("no author")?);
    let community = first(me, "/api/communities").await?;
    let event = first(me, "/api/events").await?;
    let id = &me.id;
    let mut requests: Vec<(String, Member, Request)> = Vec::new();
    for order in ORDERS {
        requests.push((format!("feed {order}"), me.clone(), feed(order)));
        let deep = found.deep.iter().find(|(of, _)| *of == order).map(|(_, path)| Request::get(path));
        requests.extend(deep.map(|request| (format!("feed {order}, deep"), me.clone(), request)));
    }
    let [typical, known, hub] = note.degrees;
    requests.push((format!("feed relevant, {hub} connections"), actors.hub.clone(), feed("relevant")));
    let next_comments = me.send(&Request::get(format!("/api/posts/{post}/comments?limit=1"))).await?.next;
    let mut mine = |name: &str, path: String| requests.push((name.to_owned(), me.clone(), Request::get(path)));
    mine("a member's posts", format!("/api/posts?sort=recent&userId={author}"));
    mine("a community's posts", format!("/api/posts?sort=recent&communityId={community}"));
    mine("post", format!("/api/posts/{post}"));
    mine("post's comments", format!("/api/posts/{post}/comments"));
    if let Some(path) = next_comments {
        mine("post's comments, the next page", path);
    }
    mine("post's reactions", format!("/api/posts/{post}/likes"));
    mine("activity", format!("/api/users/{author}/activity"));
    mine("profile", format!("/api/users/{author}/profile"));
    mine("connections", format!("/api/users/{id}/connections"));
    mine("requests", format!("/api/connections?recipientId={id}&status=pending"));
    mine("blocks", "/api/blocks".to_owned());
    let conversations = Conversations::discover(actors).await?;
    if let Some((_, path)) = conversations.newest.first() {
        mine("thread", path.clone());
    }
    mine("conversations", CONVERSATIONS.to_owned());
    mine("unread", "/api/unread".to_owned());
    mine("notifications", "/api/notifications".to_owned());
    requests.extend(
        conversations
            .newest
            .iter()
            .take(1)
            .map(|(_, path)| ("message".to_owned(), me.clone(), conversations::message(me, path))),
    );
    let of_hub = |name: String, path: &str| (name, actors.hub.clone(), Request::get(path));
    requests.push(of_hub(format!("conversations, {} of them", conversations.of_hub), CONVERSATIONS));
    requests.push(of_hub(format!("thread, {} messages down", conversations.down), &conversations.deep));
    let mut mine = |name: &str, path: String| requests.push((name.to_owned(), me.clone(), Request::get(path)));
    mine("communities", "/api/communities".to_owned());
    mine("a community's members", format!("/api/communities/{community}/members"));
    mine("events", "/api/events".to_owned());
    mine("an event's attendees", format!("/api/events/{event}/attendees"));
    mine(&format!("suggestions, {typical} connections"), suggestions(me).path);
    for (member, degree) in [(&actors.known, known), (&actors.hub, hub)] {
        requests.push((format!("suggestions, {degree} connections"), member.clone(), suggestions(member)));
    }
    let lists = searches::lists(me, note).await?.into_iter();
    requests.extend(lists.filter_map(|(name, requests)| Some((name, me.clone(), requests.into_iter().next()?))));
    Ok(requests)
}

/// The id of the first entry of a list.
async fn first(member: &Member, path: &str) -> anyhow::Result<String> {
    let list = member.send(&Request::get(path)).await?.json()?;
    let id = list.get(0).and_then(|entry| entry.get("id")).and_then(Value::as_str);
    Ok(id.with_context(|| format!("{path} is empty"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_sampled_evenly() {
        let mut ids: Vec<String> = (0..1_000).rev().map(|number| format!("{:04}", number % 900)).collect();
        sample_evenly(&mut ids);
        assert_eq!(ids.len(), 180);
        assert_eq!((ids[0].as_str(), ids[179].as_str()), ("0000", "0895"));
        let mut few = vec!["b".to_owned(), "a".to_owned(), "b".to_owned()];
        sample_evenly(&mut few);
        assert_eq!(few, ["a", "b"]);
    }
}
