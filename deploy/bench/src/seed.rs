//! A data folder of some size: Portia makes the tables, the world fills them.

use std::path::Path;

use anyhow::Context as _;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use portia_postgres::{Options, Postgres, Profile, Source};
use sqlx::{ConnectOptions as _, Connection as _};

use crate::{
    fill::{self, PASSWORD, Say},
    place::{Note, Place},
    portia::Portia,
    size::Size,
    world::World,
};

/// Makes a folder of that size, unless it is one already.
///
/// # Errors
/// When the folder holds another Portia, or cannot be filled.
pub async fn ensure(
    program: &Path,
    place: &Place,
    size: Size,
    as_of: Option<DateTime<Utc>>,
    say: Say<'_>,
) -> anyhow::Result<Note> {
    let path = place.path().display();
    if let Some(note) = place.note()? {
        anyhow::ensure!(
            note.size == size.to_string(),
            "{path} has size {}, not {size}: take another folder, or delete it.",
            note.size
        );
        return Ok(note);
    }
    anyhow::ensure!(
        !place.is_taken(),
        "{path} holds a Portia that was not made for measuring, or was filled only in part: take another folder, or \
         delete it."
    );
    say(&format!("Having Portia make its tables in {path} ..."));
    Portia::start(program, place)?.stop()?;
    let as_of = as_of.unwrap_or_else(this_hour);
    say(&format!("Drawing {} members and what they did ...", size.members));
    let world = World::new(size, as_of);
    write(place, &world, say).await?;
    let note = note(&world);
    place.write_note(&note)?;
    Ok(note)
}

/// The data is as good as the seed it is made from: nothing has to survive a power cut meanwhile.
async fn write(place: &Place, world: &World, say: Say<'_>) -> anyhow::Result<()> {
    let options = Options {
        data: place.postgres(),
        profile: Profile::Throwaway,
        source: Source::default(),
        progress: &|line| say(line),
    };
    let server = Postgres::start(options)?;
    let (_, options) = place.server()?;
    let mut db = options.connect().await?;
    fill::fill(&mut db, world, say).await?;
    db.close().await?;
    server.stop().context("Postgres does not stop")
}

/// Who can be signed in as, and what else a measurement needs to know.
#[must_use]
pub fn note(world: &World) -> Note {
    let most = world.ties.degrees.iter().max().copied().unwrap_or_default();
    let name = |number: &u32| world.members[*number].username.clone();
    let degree = |numbers: &[u32]| numbers.first().map(|number| world.ties.degrees[*number]).unwrap_or_default();
    let typical = world.with_degree(50, 4);
    let (known, hub) = (world.with_degree(500, 1), world.with_degree(most, 1));
    Note {
        size: world.size.to_string(),
        members: world.members.len(),
        posts: world.posts.len(),
        as_of: world.now,
        password: PASSWORD.to_owned(),
        degrees: [degree(&typical), degree(&known), degree(&hub)],
        typical: typical.iter().map(name).collect(),
        known: known.iter().map(name).collect(),
        hub: hub.iter().map(name).collect(),
    }
}

/// Rows made within one hour are the same.
fn this_hour() -> DateTime<Utc> {
    let now = primitives::clock::Clock::system().now();
    now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now)
}
