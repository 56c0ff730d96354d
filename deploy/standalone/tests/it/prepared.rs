//! The private Postgres of a first start, copied. `initdb` and the migrations of seven services take more than a second of CPU time,
//! and many tests begin with a first start.

use std::{
    mem,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use portia::{database::Database, folder::Folder};
use tokio::sync::OnceCell;

use crate::local::{config, folder};

/// Puts the Postgres of a data folder that was migrated and never served into a new data folder.
pub async fn put_into(data: &Path) {
    static MADE: OnceCell<PathBuf> = OnceCell::const_new();
    let from = MADE.get_or_init(make).await;
    let to = Folder::open(data.to_owned()).unwrap().postgres();
    // The files belong to the user who runs Postgres.
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
}

async fn make() -> PathBuf {
    let parent = folder();
    let made = Folder::open(parent.path().join("data")).unwrap();
    let database = Database::open(&config(), &made, &|_| {}).await.unwrap();
    database.migrate().await.unwrap();
    tokio::task::spawn_blocking(|| database.close()).await.unwrap().unwrap();
    delete_with_the_process(parent.keep());
    made.postgres()
}

/// A value in a static is never dropped. The shell waits for the end of its input, which is the end of this process.
fn delete_with_the_process(folder: PathBuf) {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' INT; read line; rm -rf \"$0\""]).arg(folder);
    let shell = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    mem::forget(shell);
}
