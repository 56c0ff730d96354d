//! A thousand random stories of three members who ask, write, read, clear, accept, connect, block and go: each step
//! checked against a model without a database, which counts where the service keeps.

mod story;
mod talk;

use std::{collections::BTreeSet, ops::Range};

use chrono::TimeDelta;
use outbox::Outbox;
use primitives::{
    clock::Clock,
    error::ServiceError as _,
    ids::Ids,
    input::{Line, PageSize, Text},
};
use sqlx::PgConnection;
use testkit::{Database, clock, member};

use super::{Active, Folder, find, list, steps, with};
use crate::{
    MIGRATOR, blocks,
    convert::{MyConversations, Thread},
    erase,
    error::Error,
    facts::News,
    messages::{self, Before, marks, send},
    notifications::Bell,
    standing::Effects,
    unread,
};
use story::{Story, Wish};

const STORIES: usize = 1_000;
/// Stories of one transaction.
const SHARE: usize = 50;

/// What the service's own calls stand on.
struct World {
    bell: Bell,
    clock: Clock,
    ids: Ids,
}

impl World {
    fn new() -> Self {
        let (clock, outbox) = (clock(), Outbox::new("messaging"));
        let ids = Ids::seeded(clock.clone(), 1);
        Self { bell: Bell::new(outbox, clock.clone(), ids.clone()), clock, ids }
    }

    /// What the calls, and the facts of others, do within their transaction. The facts are compared, not written.
    async fn wish(&self, db: &mut PgConnection, wish: &Wish) -> Result<Vec<News>, Error> {
        let now = self.clock.now();
        let effects = match wish {
            Wish::Open { who, other, id } => {
                if with(db, member(*who), member(*other)).await?.is_some() {
                    return Ok(Vec::new());
                }
                steps::open(db, *id, member(*who), member(*other), now).await?.effects
            }
            Wish::Say { who, talk, id, words, key } => {
                let content = Text::parse("content", words)?;
                let key = key.map(|key| Line::parse("key", key, 1, "")).transpose()?;
                let new = send::NewMessage { conversation: *talk, content, key };
                send::send(db, *id, member(*who), &new, now).await?.effects
            }
            Wish::Read { who, talk, message } => match marks::unread(db, member(*who), *talk, *message).await? {
                Some(seq) => marks::put(db, member(*who), *talk, seq).await?,
                None => Effects::default(),
            },
            Wish::Clear { who, talk } => steps::clear(db, *talk, member(*who)).await?,
            Wish::Accept { who, talk } => steps::accept(db, *talk, member(*who)).await?,
            Wish::Connect { one, other, id } => {
                let unread = steps::connected(db, *id, member(*one), member(*other), now).await?;
                Effects { unread, ..steps::appeared(db, member(*one), member(*other)).await? }
            }
            Wish::Block { one, other } => blocks::put(db, member(*one), member(*other)).await?,
            Wish::Unblock { one, other } => blocks::lift(db, member(*one), member(*other)).await?,
            Wish::Erase { who } => {
                while erase::bite(db, &self.bell, member(*who)).await? {}
                Effects::default()
            }
        };
        effects.unread.keep(db).await?;
        Ok(effects.news)
    }

    /// Time may pass, and somebody wishes for something, of the service and of the rules.
    async fn step(&self, db: &mut PgConnection, story: &mut Story) {
        self.clock.advance(story.lots.pick(&[TimeDelta::zero(), TimeDelta::minutes(1)]));
        let Some(wish) = story.draw(&self.ids) else { return };
        let done = self.wish(db, &wish).await.map_err(|error| error.reason()).map(sorted);
        let expected = story.apply(&wish).map(sorted);
        assert_eq!(done, expected, "{wish:?} in {story:#?}");
    }

    /// What every member of a story sees is what the model says.
    async fn compare(&self, db: &mut PgConnection, story: &Story) {
        for who in story.members() {
            for folder in [Folder::Inbox, Folder::Requests] {
                let size = PageSize::parse(100).unwrap();
                let mine = MyConversations { size, after: Active::FIRST, folder, among: Vec::new() };
                let rows = list(db, member(who), &mine).await.unwrap().rows.into_iter().map(|row| {
                    let other = row.other_member;
                    (row.id, other, row.last_message, row.unread_count, row.waiting)
                });
                let rows: BTreeSet<_> = rows.collect();
                assert_eq!(rows, story.listed(who, folder), "{who} {folder:?} in {story:#?}");
            }
            let unread = unread::of(db, member(who)).await.unwrap();
            assert_eq!((unread.messages, unread.requests), story.unread(who), "{who} in {story:#?}");
            for id in story.talks.keys() {
                let thread = Thread { conversation: *id, size: PageSize::parse(100).unwrap(), before: Before::END };
                let said = messages::list(db, member(who), &thread).await.ok().map(|(page, conversation)| {
                    assert_eq!(conversation.id, *id);
                    page.rows.into_iter().rev().map(|message| (message.content, message.is_read)).collect::<Vec<_>>()
                });
                assert_eq!(said, story.thread(who, *id), "{who} {id} in {story:#?}");
                assert_eq!(find(db, member(who), *id).await.is_ok(), said.is_some());
            }
        }
    }
}

fn sorted(news: Vec<News>) -> Vec<String> {
    let mut news: Vec<String> = news.iter().map(|news| format!("{news:?}")).collect();
    news.sort();
    news
}

/// Tells the stories in one transaction, then compares what it left behind, which nobody else sees.
async fn tell(world: &World, database: &Database, numbers: Range<usize>) {
    let mut tx = db::begin(database.pool()).await.unwrap();
    let mut stories: Vec<Story> = numbers.map(Story::new).collect();
    for story in &mut stories {
        for _ in 0..story.steps {
            world.step(&mut tx, story).await;
        }
    }
    let wrong = include_str!("../../tests/it/truth.sql");
    let wrong: Vec<String> = sqlx::query_scalar(wrong).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    for story in &stories {
        world.compare(&mut tx, story).await;
    }
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn a_thousand_stories_go_as_the_rules_have_it() {
    let database = Database::fresh("messaging", &MIGRATOR).await;
    let world = World::new();
    for first in (0..STORIES).step_by(SHARE) {
        tell(&world, &database, first..STORIES.min(first + SHARE)).await;
    }
}
