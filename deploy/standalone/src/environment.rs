//! The environment of one process of an installation on this machine, for the tests and `cargo xtask chaos`.

use std::{collections::HashMap, path::PathBuf};

use chassis::config::field_name;

use crate::{folder::Folder, keys};

/// The variables of a process that serves at `listen` and uses the keys, certificates and pictures of `folder`. `upstreams` are the
/// addresses of the services by name: `https://host:port`, or several separated by commas. `database` is the URL of its schema, which
/// the gateway does not have. The process reads no external source, and has the rate limits of a test.
#[must_use]
pub fn of_process(
    process: &str,
    listen: &str,
    upstreams: &HashMap<String, String>,
    database: Option<&str>,
    folder: &Folder,
) -> Vec<(String, String)> {
    let keys = folder.keys();
    let show = |path: PathBuf| path.display().to_string();
    let mut variables = vec![
        ("PORTIA_LISTEN".to_owned(), listen.to_owned()),
        ("PORTIA_PUBLIC_KEYS".to_owned(), show(keys.join(keys::PUBLIC))),
        ("PORTIA_SERVICE_KEY".to_owned(), show(keys.join(keys::own(process)))),
        ("PORTIA_TLS_DIR".to_owned(), show(keys.join("tls").join(process))),
        ("PORTIA_SIGNING_KEYS".to_owned(), show(keys.join(keys::MEMBERS))),
        ("PORTIA_CREDENTIAL_KEYS".to_owned(), show(keys.join(keys::CREDENTIALS))),
        ("PORTIA_PICTURE_KEYS".to_owned(), show(keys.join(keys::PICTURES))),
        ("PORTIA_PICTURES_URL".to_owned(), show(folder.pictures())),
        ("PORTIA_DRAIN_SECONDS".to_owned(), "0".to_owned()),
        ("PORTIA_RATE_LIMIT_SCALE".to_owned(), "1000".to_owned()),
        ("PORTIA_LOG".to_owned(), "error,security=off".to_owned()),
        ("PORTIA_CRAWL".to_owned(), "off".to_owned()),
    ];
    variables.extend(database.map(|url| ("PORTIA_DATABASE_URL".to_owned(), url.to_owned())));
    for (upstream, addresses) in upstreams {
        let name = format!("PORTIA_{}_URL", field_name(upstream).to_uppercase());
        variables.push((name, addresses.clone()));
    }
    variables
}
