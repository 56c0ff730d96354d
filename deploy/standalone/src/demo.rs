//! The demo: loaded on the first start; its two sign-ins are stored in the data folder and printed at each start.

use std::fs;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::{
    contexts::Contexts,
    folder::{Folder, write_secret},
    passwords::random_password,
};

/// Usernames of the demo members with a known password.
const USERNAMES: [&str; 2] = ["isabel.reyes", "daniel.whitlock"];

/// A demo member with a known password.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SignIn {
    /// The username.
    pub username: String,
    /// Random for each data folder.
    pub password: String,
}

/// The state of the demo in the data folder.
#[derive(Debug, Serialize, Deserialize)]
pub struct Remembered {
    /// False while a load is running, or after it was interrupted.
    pub complete: bool,
    /// None when the folder was created without a demo.
    pub sign_ins: Vec<SignIn>,
}

/// The state of an earlier start, or `None` on the first one.
///
/// # Errors
/// When the file cannot be read.
pub fn remembered(folder: &Folder) -> anyhow::Result<Option<Remembered>> {
    let path = folder.sign_ins();
    match fs::read(&path) {
        Ok(bytes) => {
            Ok(Some(serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// Records that this data folder has no demo.
///
/// # Errors
/// When the file cannot be written.
pub fn decline(folder: &Folder) -> anyhow::Result<()> {
    remember(folder, &Remembered { complete: true, sign_ins: vec![] })
}

/// Loads each service's demo. The passwords are stored before the load and marked complete after it, so that the next
/// start repeats an interrupted load with the same passwords; every service's load is idempotent.
///
/// # Errors
/// When a service's demo cannot be written.
pub async fn load(contexts: &Contexts, folder: &Folder, begun: Option<Remembered>) -> anyhow::Result<Vec<SignIn>> {
    let mut demo = match begun {
        Some(begun) => begun,
        None => Remembered { complete: false, sign_ins: new_sign_ins()? },
    };
    remember(folder, &demo)?;
    let [one, other] = demo.sign_ins.as_slice() else {
        anyhow::bail!("{} is damaged: a demo has two sign-ins", folder.sign_ins().display());
    };
    let pairs = [one, other].map(|sign_in| (sign_in.username.as_str(), sign_in.password.as_str()));
    auth::demo::load(contexts.of("auth")?, &pairs).await.context("The demo's accounts could not be loaded")?;
    profile::demo::load(contexts.of("profile")?).await.context("The demo's profiles could not be loaded")?;
    social_graph::demo::load(contexts.of("social-graph")?)
        .await
        .context("The demo's connections could not be loaded")?;
    feed::demo::load(contexts.of("feed")?).await.context("The demo's posts could not be loaded")?;
    messaging::demo::load(contexts.of("messaging")?).await.context("The demo's conversations could not be loaded")?;
    demo.complete = true;
    remember(folder, &demo)?;
    Ok(demo.sign_ins)
}

fn new_sign_ins() -> anyhow::Result<Vec<SignIn>> {
    USERNAMES
        .iter()
        .map(|username| Ok(SignIn { username: (*username).to_owned(), password: random_password(12)? }))
        .collect()
}

fn remember(folder: &Folder, demo: &Remembered) -> anyhow::Result<()> {
    let path = folder.sign_ins();
    write_secret(&path, &serde_json::to_vec_pretty(demo)?)
        .with_context(|| format!("{} cannot be written", path.display()))
}
