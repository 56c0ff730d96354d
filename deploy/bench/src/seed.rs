//! Creates a data folder of a given size: Portia creates the tables, and the generated world fills them.

use std::path::Path;

use anyhow::Context as _;
use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use portia_postgres::{Options, Postgres, Profile, Source};
use sqlx::{ConnectOptions as _, Connection as _};

use crate::{
    data_folder::{DataFolder, Note},
    fill::{self, PASSWORD, Progress},
    portia::Portia,
    size::Size,
    world::World,
};

/// Creates a folder of that size, unless it has that size already.
///
/// # Errors
/// When the folder contains another Portia, or cannot be filled.
pub async fn ensure(
    program: &Path,
    folder: &DataFolder,
    size: Size,
    as_of: Option<DateTime<Utc>>,
    progress: Progress<'_>,
) -> anyhow::Result<Note> {
    let path = folder.path().display();
    if let Some(note) = folder.note()? {
        anyhow::ensure!(
            note.size == size.to_string(),
            "{path} has size {}, not {size}: take another folder, or delete it.",
            note.size
        );
        return Ok(note);
    }
    anyhow::ensure!(
        !folder.is_taken(),
        "{path} holds a Portia that was not made for measuring, or was filled only in part: take another folder, or \
         delete it."
    );
    progress(&format!("Creating the tables in {path} ..."));
    Portia::start(program, folder)?.stop()?;
    let as_of = as_of.unwrap_or_else(this_hour);
    progress(&format!("Generating {} members and their activity ...", size.members));
    let world = World::new(size, as_of);
    write(folder, &world, progress).await?;
    let note = note(&world);
    folder.write_note(&note)?;
    Ok(note)
}

/// Writes without durability: the data can be generated again after a power failure.
async fn write(folder: &DataFolder, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    let options = Options {
        data: folder.postgres(),
        profile: Profile::Throwaway,
        source: Source::default(),
        progress: &|line| progress(line),
    };
    let server = Postgres::start(options)?;
    let (_, options) = folder.server()?;
    let mut db = options.connect().await?;
    fill::fill(&mut db, world, progress).await?;
    db.close().await?;
    server.stop().context("Postgres does not stop")
}

/// The members for the measurements, and the rest of the note.
#[must_use]
pub fn note(world: &World) -> Note {
    let most = world.relationships.degrees.iter().max().copied().unwrap_or_default();
    let name = |number: &u32| world.members[*number].username.clone();
    let degree =
        |numbers: &[u32]| numbers.first().map(|number| world.relationships.degrees[*number]).unwrap_or_default();
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

/// The current hour: runs within one hour give the same rows.
fn this_hour() -> DateTime<Utc> {
    let now = primitives::clock::Clock::system().now();
    now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now)
}
