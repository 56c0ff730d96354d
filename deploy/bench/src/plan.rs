//! The requests: the measured routes, and every list with an inspected plan.

mod conversations;
mod searches;

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};

use self::conversations::{CONVERSATIONS, Conversations};
use crate::{
    client::{Ask, Member},
    place::Note,
};

/// How many posts down a deep page is at most, where there are twenty times as many.
const DEEP: u32 = 1_000;
/// Posts a page.
const PAGE: u32 = 20;
/// Posts and members asked for in turn, at most.
const IN_TURN: usize = 200;

/// One thing to be measured: for each worker who asks, and what, over and over.
#[derive(Debug)]
pub struct Contest {
    /// As the report calls it.
    pub name: String,
    /// One a worker.
    pub workers: Vec<(Member, Vec<Ask>)>,
}

/// Who asks.
#[derive(Debug)]
pub struct Actors {
    /// With about fifty connections each.
    pub typical: Vec<Member>,
    /// With about five hundred.
    pub known: Member,
    /// With most.
    pub hub: Member,
}

impl Actors {
    /// Signs them in.
    ///
    /// # Errors
    /// When one of them cannot.
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

/// Where the measured requests go: found by reading, as a member would.
#[derive(Debug)]
struct Found {
    posts: Vec<String>,
    authors: Vec<String>,
    deep: Vec<(&'static str, String)>,
}

const ORDERS: [&str; 3] = ["recent", "relevant", "top"];

/// Everything that is measured.
///
/// # Errors
/// When a page cannot be read, or is empty.
pub async fn measured(actors: &Actors, note: &Note) -> anyhow::Result<Vec<Contest>> {
    let mut found = Vec::new();
    for member in &actors.typical {
        found.push(look(member, note).await?);
    }
    let each = |name: &str, asks: &dyn Fn(&Member, &Found) -> Vec<Ask>| Contest {
        name: name.to_owned(),
        workers: apart(actors.typical.iter().zip(&found).map(|(member, found)| (member.clone(), asks(member, found)))),
    };
    let mut contests = Vec::new();
    for order in ORDERS {
        contests.push(each(&format!("feed {order}"), &|_, _| vec![feed(order)]));
        contests.push(each(&format!("feed {order}, deep"), &|_, found| {
            found.deep.iter().filter(|(of, _)| *of == order).map(|(_, path)| Ask::get(path)).collect()
        }));
    }
    contests
        .push(each("post", &|_, found| found.posts.iter().map(|id| Ask::get(format!("/api/posts/{id}"))).collect()));
    contests.push(each("post's comments", &|_, found| {
        found.posts.iter().map(|id| Ask::get(format!("/api/posts/{id}/comments"))).collect()
    }));
    contests.push(each("profile", &|_, found| {
        found.authors.iter().map(|id| Ask::get(format!("/api/users/{id}/profile"))).collect()
    }));
    contests.push(each("connections", &|member, _| vec![Ask::get(format!("/api/users/{}/connections", member.id))]));
    let [typical, known, hub] = note.degrees;
    contests.push(each(&format!("suggestions, {typical} connections"), &|member, _| vec![suggestions(member)]));
    for (member, degree) in [(&actors.known, known), (&actors.hub, hub)] {
        let workers = several(actors, member, &suggestions(member))?;
        contests.push(Contest { name: format!("suggestions, {degree} connections"), workers });
    }
    contests.push(each("communities", &|_, _| vec![Ask::get("/api/communities")]));
    contests.push(each("events", &|_, _| vec![Ask::get("/api/events")]));
    let lists = searches::lists(actors.typical.first().context("seed.json names no member")?, note).await?;
    for (name, asks) in &lists {
        contests.push(each(name, &|_, _| asks.clone()));
    }
    let conversations = Conversations::found(actors).await?;
    contests.push(each("conversations", &|_, _| vec![Ask::get(CONVERSATIONS)]));
    contests.push(Contest {
        name: format!("conversations, {} of them", conversations.of_hub),
        workers: several(actors, &actors.hub, &Ask::get(CONVERSATIONS))?,
    });
    contests.push(each("thread", &|member, _| conversations.of(member).map(Ask::get).collect()));
    contests.push(Contest {
        name: format!("thread, {} messages down", conversations.down),
        workers: several(actors, &actors.hub, &Ask::get(&conversations.deep))?,
    });
    contests.push(each("message", &|member, _| {
        conversations.of(member).map(|path| conversations::message(member, path)).collect()
    }));
    contests.push(each("like, unlike", &|member, found| found.posts.iter().flat_map(|id| like(member, id)).collect()));
    if let Some(empty) = contests.iter().find(|contest| contest.workers.iter().any(|(_, asks)| asks.is_empty())) {
        anyhow::bail!("There is nothing to ask for '{}': this Portia is too small.", empty.name);
    }
    Ok(contests)
}

/// As many workers as elsewhere, all of them one member.
fn several(actors: &Actors, member: &Member, ask: &Ask) -> anyhow::Result<Vec<(Member, Vec<Ask>)>> {
    actors.typical.iter().map(|_| Ok((member.again()?, vec![ask.clone()]))).collect()
}

/// Each begins elsewhere in the list, so that they do not wait for one another at the same post; pairs stay pairs.
fn apart(workers: impl ExactSizeIterator<Item = (Member, Vec<Ask>)>) -> Vec<(Member, Vec<Ask>)> {
    let count = workers.len();
    let turned = workers.enumerate().map(|(place, (member, mut asks))| {
        let by = asks.len() * place / count;
        asks.rotate_left(by - by % 2);
        (member, asks)
    });
    turned.collect()
}

fn feed(order: &str) -> Ask {
    Ask::get(format!("/api/posts?sort={order}"))
}

fn suggestions(member: &Member) -> Ask {
    Ask::get(format!("/api/users/{}/suggestions", member.id))
}

/// A reaction set and removed: the row does not change, and two facts are published.
fn like(member: &Member, post: &str) -> [Ask; 2] {
    let path = format!("/api/posts/{post}/likes");
    let set =
        Ask { method: Method::POST, path: path.clone(), body: Some(json!({"userId": member.id, "type": "like"})) };
    [set, Ask { method: Method::DELETE, path, body: None }]
}

/// Reads down every order.
async fn look(member: &Member, note: &Note) -> anyhow::Result<Found> {
    let pages = DEEP.min(note.posts / 20) / PAGE;
    let mut found = Found { posts: Vec::new(), authors: Vec::new(), deep: Vec::new() };
    for order in ORDERS {
        let mut path = feed(order).path;
        for _ in 0..pages.max(1) {
            let answer = member.ask(&Ask::get(&path)).await?;
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
    // The first ones of every order are in the set.
    spread(&mut found.posts);
    spread(&mut found.authors);
    found.authors.retain(|author| *author != member.id);
    Ok(found)
}

/// Each once, and of more than are wanted every so manieth.
fn spread(ids: &mut Vec<String>) {
    ids.sort_unstable();
    ids.dedup();
    let step = ids.len().div_ceil(IN_TURN).max(1);
    *ids = ids.drain(..).step_by(step).collect();
}

/// Every list and page there is to look at the plan of, asked by the first of the typical members.
///
/// # Errors
/// When a page cannot be read.
pub async fn explained(actors: &Actors, note: &Note) -> anyhow::Result<Vec<(String, Member, Ask)>> {
    let me = actors.typical.first().context("seed.json names no member")?;
    let found = look(me, note).await?;
    let (post, author) = (found.posts.first().context("no post")?, found.authors.first().context("no author")?);
    let community = first(me, "/api/communities").await?;
    let event = first(me, "/api/events").await?;
    let id = &me.id;
    let mut asks: Vec<(String, Member, Ask)> = Vec::new();
    for order in ORDERS {
        asks.push((format!("feed {order}"), me.clone(), feed(order)));
        let deep = found.deep.iter().find(|(of, _)| *of == order).map(|(_, path)| Ask::get(path));
        asks.extend(deep.map(|ask| (format!("feed {order}, deep"), me.clone(), ask)));
    }
    let [typical, known, hub] = note.degrees;
    asks.push((format!("feed relevant, {hub} connections"), actors.hub.clone(), feed("relevant")));
    let mut mine = |name: &str, path: String| asks.push((name.to_owned(), me.clone(), Ask::get(path)));
    mine("a member's posts", format!("/api/posts?sort=recent&userId={author}"));
    mine("a community's posts", format!("/api/posts?sort=recent&communityId={community}"));
    mine("post", format!("/api/posts/{post}"));
    mine("post's comments", format!("/api/posts/{post}/comments"));
    mine("post's reactions", format!("/api/posts/{post}/likes"));
    mine("activity", format!("/api/users/{author}/activity"));
    mine("profile", format!("/api/users/{author}/profile"));
    mine("connections", format!("/api/users/{id}/connections"));
    mine("requests", format!("/api/connections?recipientId={id}&status=pending"));
    mine("blocks", "/api/blocks".to_owned());
    let conversations = Conversations::found(actors).await?;
    if let Some((_, path)) = conversations.newest.first() {
        mine("thread", path.clone());
    }
    mine("conversations", CONVERSATIONS.to_owned());
    mine("unread", "/api/unread".to_owned());
    mine("notifications", "/api/notifications".to_owned());
    asks.extend(
        conversations
            .newest
            .iter()
            .take(1)
            .map(|(_, path)| ("message".to_owned(), me.clone(), conversations::message(me, path))),
    );
    let of_hub = |name: String, path: &str| (name, actors.hub.clone(), Ask::get(path));
    asks.push(of_hub(format!("conversations, {} of them", conversations.of_hub), CONVERSATIONS));
    asks.push(of_hub(format!("thread, {} messages down", conversations.down), &conversations.deep));
    let mut mine = |name: &str, path: String| asks.push((name.to_owned(), me.clone(), Ask::get(path)));
    mine("communities", "/api/communities".to_owned());
    mine("a community's members", format!("/api/communities/{community}/members"));
    mine("events", "/api/events".to_owned());
    mine("an event's attendees", format!("/api/events/{event}/attendees"));
    mine(&format!("suggestions, {typical} connections"), suggestions(me).path);
    for (member, degree) in [(&actors.known, known), (&actors.hub, hub)] {
        asks.push((format!("suggestions, {degree} connections"), member.clone(), suggestions(member)));
    }
    let lists = searches::lists(me, note).await?.into_iter();
    asks.extend(lists.filter_map(|(name, asks)| Some((name, me.clone(), asks.into_iter().next()?))));
    Ok(asks)
}

/// The id of the first entry of a list.
async fn first(member: &Member, path: &str) -> anyhow::Result<String> {
    let list = member.ask(&Ask::get(path)).await?.json()?;
    let id = list.get(0).and_then(|entry| entry.get("id")).and_then(Value::as_str);
    Ok(id.with_context(|| format!("{path} is empty"))?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_in_turn_is_spread_over_all_there_is() {
        let mut ids: Vec<String> = (0..1_000).rev().map(|number| format!("{:04}", number % 900)).collect();
        spread(&mut ids);
        assert_eq!(ids.len(), 180);
        assert_eq!((ids[0].as_str(), ids[179].as_str()), ("0000", "0895"));
        let mut few = vec!["b".to_owned(), "a".to_owned(), "b".to_owned()];
        spread(&mut few);
        assert_eq!(few, ["a", "b"]);
    }
}
