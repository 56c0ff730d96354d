//! Ten thousand random stories of two or three members, each step checked against a model without a database.

use std::collections::{BTreeMap, BTreeSet};

use chassis::error::Explained;
use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use portia_proto::social_graph::{Connection, ConnectionStatus};
use testkit::member;

use crate::graph::Graph;

const STORIES: usize = 10_000;
/// Most stories are short, so that there can be many; one in twenty goes on for as long as the longest.
const LONGEST: usize = 12;
const LONG_EVERY: usize = 20;
/// Stories told at once: fewer than there are connections, since facts are numbered and heard meanwhile.
const AT_ONCE: usize = 6;

/// splitmix64: the same lots in every run.
struct Lots(u64);

impl Lots {
    fn draw(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % below as u64).unwrap()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.draw(from.len())]
    }
}

#[derive(Clone, Copy, Debug)]
enum Wish {
    Ask,
    Accept,
    Reject,
    Remove,
    Block,
    Unblock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Pending,
    Accepted,
    Rejected,
}

#[derive(Clone, Debug)]
struct Row {
    id: String,
    requester: u128,
    status: Status,
    answered_at: Option<DateTime<Utc>>,
}

/// What a wish comes to: where the pair stands after it, or why not.
type Outcome = Result<Option<(Status, u128)>, &'static str>;

/// One story: who is in it, and what the rules say stands between them.
#[derive(Debug)]
struct Story {
    cast: Vec<u128>,
    steps: usize,
    rows: BTreeMap<(u128, u128), Row>,
    /// Ids of connections that were, for wishes about what is gone.
    former: BTreeMap<(u128, u128), String>,
    blocks: BTreeSet<(u128, u128)>,
    closed: BTreeSet<u128>,
    facts: Vec<(String, u128, u128)>,
    lots: Lots,
}

impl std::fmt::Debug for Lots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lots({})", self.0)
    }
}

const fn key(one: u128, other: u128) -> (u128, u128) {
    if one < other { (one, other) } else { (other, one) }
}

impl Story {
    fn new(n: usize) -> Self {
        let mut lots = Lots(n as u64);
        let first = 3 * n as u128 + 1;
        let cast = (first..).take(2 + lots.draw(2)).collect();
        let steps = if n.is_multiple_of(LONG_EVERY) { LONGEST } else { 2 + lots.draw(2) };
        Self {
            cast,
            steps,
            rows: BTreeMap::new(),
            former: BTreeMap::new(),
            blocks: BTreeSet::new(),
            closed: BTreeSet::new(),
            facts: Vec::new(),
            lots,
        }
    }

    fn tell(&mut self, name: &str, one: u128, other: u128) {
        self.facts.push((name.to_owned(), one, other));
    }

    /// The rules. `id` is what the service calls the connection, should this make one.
    fn apply(&mut self, wish: Wish, who: u128, other: u128, id: &str, now: DateTime<Utc>) -> Outcome {
        let pair = key(who, other);
        let stands = self.rows.get(&pair).cloned();
        let away = self.closed.contains(&other);
        match wish {
            Wish::Ask => {
                if away || self.blocks.contains(&(who, other)) || self.blocks.contains(&(other, who)) {
                    return Err("MEMBER_NOT_FOUND");
                }
                let fresh = Row { id: id.to_owned(), requester: who, status: Status::Pending, answered_at: None };
                match stands {
                    None => {
                        self.rows.insert(pair, fresh);
                        self.tell("ConnectionRequested", who, other);
                    }
                    Some(row) if row.status == Status::Accepted => return Err("ALREADY_CONNECTED"),
                    Some(row) if row.status == Status::Pending && row.requester == who => {}
                    Some(row) if row.status == Status::Pending => {
                        self.tell("ConnectionAccepted", row.requester, who);
                        self.rows.insert(pair, Row { status: Status::Accepted, answered_at: Some(now), ..row });
                    }
                    Some(row) => {
                        if row.requester == who && row.answered_at.unwrap() + TimeDelta::days(30) > now {
                            return Err("ASKED_TOO_SOON");
                        }
                        self.rows.insert(pair, fresh);
                        self.tell("ConnectionRequested", who, other);
                    }
                }
            }
            Wish::Accept | Wish::Reject => {
                let row = stands.filter(|_| !away).ok_or("CONNECTION_NOT_FOUND")?;
                let answer = if matches!(wish, Wish::Accept) { Status::Accepted } else { Status::Rejected };
                if row.requester == who {
                    return Err("NOT_RECIPIENT");
                }
                if row.status == Status::Pending {
                    let name = if answer == Status::Accepted { "ConnectionAccepted" } else { "ConnectionRemoved" };
                    self.tell(name, row.requester, who);
                    self.rows.insert(pair, Row { status: answer, answered_at: Some(now), ..row });
                } else if row.status != answer {
                    return Err("ALREADY_ANSWERED");
                }
            }
            Wish::Remove => {
                let row = stands.filter(|row| !away && row.status != Status::Rejected);
                let row = row.ok_or("CONNECTION_NOT_FOUND")?;
                if row.status == Status::Pending && row.requester != who {
                    return Err("NOT_REQUESTER");
                }
                self.part(pair);
            }
            Wish::Block => {
                if self.rows.get(&pair).is_some_and(|row| row.status != Status::Rejected) {
                    self.part(pair);
                }
                if self.blocks.insert((who, other)) {
                    self.tell("MemberBlocked", who, other);
                }
            }
            Wish::Unblock => {
                if self.blocks.remove(&(who, other)) {
                    self.tell("MemberUnblocked", who, other);
                }
            }
        }
        Ok(self.rows.get(&pair).map(|row| (row.status, row.requester)))
    }

    fn part(&mut self, pair: (u128, u128)) {
        let row = self.rows.remove(&pair).unwrap();
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        self.tell("ConnectionRemoved", row.requester, recipient);
        self.former.insert(pair, row.id);
    }

    /// One member wishes for something, of the service and of the rules.
    async fn step(&mut self, graph: &Graph) {
        let open: Vec<u128> = self.cast.iter().copied().filter(|who| !self.closed.contains(who)).collect();
        if open.is_empty() {
            return;
        }
        let who = self.lots.pick(&open);
        let others: Vec<u128> = self.cast.iter().copied().filter(|other| *other != who).collect();
        let other = self.lots.pick(&others);
        let likely = [Wish::Ask, Wish::Ask, Wish::Ask, Wish::Accept, Wish::Accept, Wish::Reject, Wish::Remove];
        let wish = match self.lots.draw(10) {
            0 => Wish::Block,
            1 => Wish::Unblock,
            _ => self.lots.pick(&likely),
        };
        let known = self.rows.get(&key(who, other)).map(|row| &row.id).or_else(|| self.former.get(&key(who, other)));
        let id = known.cloned().unwrap_or_else(|| member(1).to_string());
        let told = match wish {
            Wish::Ask => graph.request(who, other).await.map(|asked| asked.connection),
            Wish::Accept => graph.answer(who, &id, ConnectionStatus::Accepted).await.map(Some),
            Wish::Reject => graph.answer(who, &id, ConnectionStatus::Rejected).await.map(Some),
            Wish::Remove => graph.remove(who, &id).await.map(|()| None),
            Wish::Block => graph.blocks(who, other).await.map(|()| None),
            Wish::Unblock => graph.unblocks(who, other).await.map(|()| None),
        };
        let made = told.as_ref().ok().and_then(Option::as_ref).map_or(id, |connection| connection.id.clone());
        let expected = self.apply(wish, who, other, &made, graph.harness.clock.now());
        match (&told, &expected) {
            (Ok(Some(connection)), Ok(stands)) => {
                assert_eq!(Some(seen(connection)), stands.map(|(status, who)| (status, member(who).to_string())));
                assert_eq!(Some(&connection.id), self.rows.get(&key(who, other)).map(|row| &row.id));
            }
            (Ok(None), Ok(_)) => {}
            (Err(Explained { reason, .. }), Err(expected)) => assert_eq!(reason, expected, "{wish:?} in {self:?}"),
            _ => panic!("{who} {wish:?} {other}: told {told:?}, expected {expected:?} in {self:?}"),
        }
    }
}

fn seen(connection: &Connection) -> (Status, String) {
    let status = match connection.status() {
        ConnectionStatus::Pending => Status::Pending,
        ConnectionStatus::Accepted => Status::Accepted,
        ConnectionStatus::Rejected => Status::Rejected,
        ConnectionStatus::Unspecified => panic!("{connection:?}"),
    };
    (status, connection.requester_id.clone())
}

/// Some accounts close and some open again, in the long stories.
async fn close_and_reopen(graph: &Graph, stories: &mut [Story], lots: &mut Lots) {
    let mut last = 0;
    for _ in 0..STORIES / LONG_EVERY / 5 {
        let story = &mut stories[lots.draw(STORIES / LONG_EVERY) * LONG_EVERY];
        let who = lots.pick(&story.cast);
        last = if story.closed.remove(&who) {
            graph.auth.tell(who, &portia_proto::auth::AccountReopened { member_id: member(who).to_string() })
        } else {
            story.closed.insert(who);
            graph.auth.tell(who, &portia_proto::auth::AccountClosed { member_id: member(who).to_string() })
        };
    }
    graph.harness.heard("auth", last).await;
}

#[tokio::test]
async fn ten_thousand_stories_go_as_the_rules_have_it() {
    let graph = Graph::empty().await;
    let mut stories: Vec<Story> = (0..STORIES).map(Story::new).collect();
    let mut lots = Lots(u64::MAX);
    for step in 0..LONGEST {
        let shares = stories.chunks_mut(STORIES.div_ceil(AT_ONCE));
        join_all(shares.map(async |share| {
            for story in share.iter_mut().filter(|story| step < story.steps) {
                story.step(&graph).await;
            }
        }))
        .await;
        close_and_reopen(&graph, &mut stories, &mut lots).await;
        graph.assert_true().await;
        graph.harness.clock.advance(lots.pick(&[TimeDelta::zero(), TimeDelta::days(1), TimeDelta::days(30)]));
    }

    let rows = "select requester_id::text, recipient_id::text, status from social_graph.connections order by id";
    let rows: Vec<(String, String, String)> = sqlx::query_as(rows).fetch_all(graph.harness.pool()).await.unwrap();
    let rows: BTreeSet<_> = rows.into_iter().collect();
    let expected = stories.iter().flat_map(|story| &story.rows).map(|(pair, row)| {
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        let status = format!("{:?}", row.status).to_lowercase();
        (member(row.requester).to_string(), member(recipient).to_string(), status)
    });
    assert_eq!(rows, expected.collect());

    let mut facts = vec![Vec::new(); STORIES];
    for fact in graph.facts().await {
        facts[usize::try_from((fact.1 - 1) / 3).unwrap()].push(fact);
    }
    for (story, told) in stories.iter().zip(facts) {
        assert_eq!(story.facts, told);
    }
}
