//! Encryption between machines: mutual TLS, and the refusal of plaintext unless the operator permits it.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use axum::http::Uri;
use rpc::tls::Tls;
use serde::Deserialize;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

use super::{Error, Source};

/// How a process encrypts its connections to other machines.
#[derive(Clone, Debug, Default)]
pub struct Encryption {
    tls: Option<Arc<Tls>>,
    allows_plaintext: bool,
}

#[derive(Deserialize)]
struct Settings {
    /// The folder with `tls.crt`, `tls.key` and `ca.crt` of this process.
    tls_dir: Option<PathBuf>,
    /// Permits connections without TLS to other machines.
    #[serde(default)]
    allow_plaintext: bool,
}

impl Encryption {
    /// Reads the settings and the certificate.
    ///
    /// # Errors
    /// When the files cannot be used.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let settings: Settings = source.extract()?;
        let open = |folder: PathBuf| {
            let opened = Tls::open(&folder).map(Arc::new);
            opened.map_err(|error| Error(format!("PORTIA_TLS_DIR: {}", primitives::error::ErrorChain(&error))))
        };
        Ok(Self { tls: settings.tls_dir.map(open).transpose()?, allows_plaintext: settings.allow_plaintext })
    }

    /// The certificate of this process, if it has one.
    #[must_use]
    pub fn tls(&self) -> Option<Arc<Tls>> {
        self.tls.clone()
    }

    /// Refuses to serve other machines without TLS.
    ///
    /// # Errors
    /// One sentence that says what to set.
    pub fn check_listen(&self, address: SocketAddr) -> Result<(), Error> {
        if self.tls.is_some() || self.allows_plaintext || address.ip().is_loopback() {
            return Ok(());
        }
        Err(Error(format!(
            "PORTIA_LISTEN: {address} would serve other machines without encryption. Set PORTIA_TLS_DIR, or \
             PORTIA_ALLOW_PLAINTEXT=true if the network encrypts or is trusted."
        )))
    }

    /// Refuses a Postgres on another machine whose certificate would not be verified. Its default encrypts only if the server offers it.
    ///
    /// # Errors
    /// One sentence that says what to add to the address.
    pub(super) fn check_database(source: &Source, options: &PgConnectOptions) -> Result<(), Error> {
        let settings: Settings = source.extract()?;
        let is_local =
            options.get_socket().is_some() || options.get_host().starts_with('/') || is_loopback(options.get_host());
        let is_verified = matches!(options.get_ssl_mode(), PgSslMode::VerifyFull);
        if is_local || is_verified || settings.allow_plaintext {
            return Ok(());
        }
        Err(Error(format!(
            "The connection to Postgres at {} would not be verified. Add ?sslmode=verify-full to its address, or set \
             PORTIA_ALLOW_PLAINTEXT=true if the network encrypts or is trusted.",
            options.get_host()
        )))
    }

    /// Refuses the address of another machine without TLS.
    ///
    /// # Errors
    /// One sentence that names the variable and the scheme to use.
    pub fn check_url(&self, variable: &str, url: &str, encrypted: &str) -> Result<(), Error> {
        // The address may contain a password, so it is not repeated.
        let understood = url.trim().parse::<Uri>().ok();
        let Some((uri, host)) = understood.as_ref().and_then(|uri| Some((uri, uri.host()?))) else {
            return Err(Error(format!(
                "{variable}: the address is not understood; it looks like {encrypted}://host:port"
            )));
        };
        self.check_host(variable, host, uri.scheme_str() == Some(encrypted), encrypted)
    }

    /// Like [`Self::check_url`], for an address that its client has parsed.
    ///
    /// # Errors
    /// As [`Self::check_url`].
    pub fn check_host(&self, variable: &str, host: &str, is_encrypted: bool, encrypted: &str) -> Result<(), Error> {
        if is_encrypted || self.allows_plaintext || is_loopback(host) {
            return Ok(());
        }
        Err(Error(format!(
            "{variable}: the connection to {host} would not be encrypted. Use {encrypted}://, or set \
             PORTIA_ALLOW_PLAINTEXT=true if the network encrypts or is trusted."
        )))
    }
}

/// Whether only this machine is behind the host of an address.
fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encryption(allow: bool) -> Encryption {
        Encryption::read(&Source::default().with("allow_plaintext", allow)).unwrap()
    }

    #[test]
    fn plaintext_is_refused_outside_of_the_machine_unless_permitted() {
        let address = |raw: &str| raw.parse::<SocketAddr>().unwrap();
        for (listen, is_local) in
            [("127.0.0.1:50051", true), ("[::1]:1", true), ("0.0.0.0:50051", false), ("10.1.2.3:1", false)]
        {
            let refused = encryption(false).check_listen(address(listen)).err();
            assert_eq!(refused.is_none(), is_local, "{listen}");
            assert!(refused.is_none_or(|error| error.0.contains("PORTIA_TLS_DIR")), "{listen}");
            assert!(encryption(true).check_listen(address(listen)).is_ok(), "{listen}");
        }
        for (url, is_accepted) in [
            ("http://127.0.0.1:50051", true),
            ("http://localhost:50051", true),
            ("http://[::1]:50051", true),
            ("https://feed:50051", true),
            ("http://feed:50051", false),
            ("http://localhost.example:50051", false),
            ("http://10.0.0.1:50051", false),
        ] {
            let checked = encryption(false).check_url("PORTIA_FEED_URL", url, "https");
            assert_eq!(checked.is_ok(), is_accepted, "{url}");
            assert!(checked.err().is_none_or(|error| error.0.starts_with("PORTIA_FEED_URL: ")), "{url}");
            assert!(encryption(true).check_url("PORTIA_FEED_URL", url, "https").is_ok(), "{url}");
        }
    }

    #[test]
    fn an_address_that_is_not_understood_is_refused() {
        for url in ["http://:pa^ss@feed.example:50051", "http://", "feed feed", "/only/a/path", ""] {
            for allow in [false, true] {
                let error = encryption(allow).check_url("PORTIA_FEED_URL", url, "https").unwrap_err();
                assert!(error.0.starts_with("PORTIA_FEED_URL: ") && !error.0.contains("pa^ss"), "{url}: {error}");
            }
        }
    }

    #[test]
    fn another_machine_s_postgres_must_be_verified() {
        for (url, is_accepted) in [
            ("postgres://localhost/portia", true),
            ("postgres://127.0.0.1:5432/portia", true),
            ("postgres://portia@%2Fvar%2Frun%2Fpostgresql/portia", true),
            ("postgres://db.example/portia?sslmode=verify-full", true),
            ("postgres://db.example/portia", false),
            ("postgres://db.example/portia?sslmode=disable", false),
            ("postgres://db.example/portia?sslmode=require", false),
            ("postgres://db.example/portia?sslmode=verify-ca", false),
        ] {
            let source = Source::default().with("database_url", url);
            let read = source.database("feed");
            assert_eq!(read.is_ok(), is_accepted, "{url}");
            assert!(read.err().is_none_or(|error| error.0.contains("sslmode=verify-full")), "{url}");
            assert!(source.with("allow_plaintext", true).database("feed").is_ok(), "{url}");
        }
    }

    #[test]
    fn a_folder_without_files_is_refused() {
        let error = Encryption::read(&Source::default().with("tls_dir", "/nowhere")).unwrap_err();
        assert!(error.0.contains("PORTIA_TLS_DIR") && error.0.contains("/nowhere/tls.crt"), "{error}");
    }
}
