//! Mutual TLS between processes: each presents a certificate of one authority and verifies the name of the other.
//!
//! A certificate names the process (`feed`), wherever it listens: many replicas may share an address. Files are read
//! again when they change, for the connections that open from then on.

mod server;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use metrics::{describe_gauge, gauge};
use rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    client::verify_server_name,
    crypto::aws_lc_rs,
    pki_types::{
        CertificateDer, PrivateKeyDer, ServerName,
        pem::{self, PemObject as _},
    },
    server::{ParsedCertificate, VerifierBuilderError, WebPkiClientVerifier},
    version::TLS13,
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

pub(crate) use server::{Peer, accept};

/// The files of the folder. A Secret of type `kubernetes.io/tls` and cert-manager use the same names.
const CERTIFICATE: &str = "tls.crt";
const KEY: &str = "tls.key";
const AUTHORITY: &str = "ca.crt";
/// The shortest time between two looks at the files.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The shortest time between two warnings about the certificates of the same side.
const WARN_INTERVAL: Duration = Duration::from_secs(60);
/// When the certificate of this process expires, in Unix time.
const EXPIRY: &str = "tls_certificate_expiry_timestamp_seconds";

/// Why the files of a process cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file does not exist or is not readable.
    #[error("{path} cannot be read")]
    File {
        /// The path of the file.
        path: String,
        /// The I/O error.
        #[source]
        source: io::Error,
    },
    /// A file is not PEM with a certificate or a key.
    #[error("{0} has no certificate or key in PEM")]
    Pem(&'static str, #[source] pem::Error),
    /// The certificate and the key do not belong together, or are invalid.
    #[error("the certificate cannot be used")]
    Certificate(#[from] rustls::Error),
    /// The authority cannot verify callers.
    #[error("ca.crt has no certificate of an authority")]
    Authority(#[from] VerifierBuilderError),
}

/// The content of the files; without Debug, because of the key.
#[derive(PartialEq, Eq)]
struct Files {
    certificate: Vec<u8>,
    key: Vec<u8>,
    authority: Vec<u8>,
}

#[derive(Clone)]
struct Configs {
    server: Arc<ServerConfig>,
    client: Arc<ClientConfig>,
}

struct State {
    files: Files,
    configs: Configs,
    expires: Option<DateTime<Utc>>,
    checked: Instant,
    /// The time of the last warning about each service, and about callers.
    warned: HashMap<&'static str, Instant>,
}

/// The certificate of this process and the authority of all processes, which follow the files of a folder.
pub struct Tls {
    folder: PathBuf,
    state: Mutex<State>,
}

impl Tls {
    /// Reads `tls.crt`, `tls.key` and `ca.crt`.
    ///
    /// # Errors
    /// When a file is missing or cannot be used.
    pub fn open(folder: &Path) -> Result<Self, TlsError> {
        let files = Files::read(folder)?;
        let (configs, expires) = (files.configs()?, expiry(&files.certificate));
        let state = State { files, configs, expires, checked: Instant::now(), warned: HashMap::new() };
        describe_gauge!(EXPIRY, "Unix time at which the certificate of the process expires");
        state.report_expiry();
        Ok(Self { folder: folder.to_owned(), state: Mutex::new(state) })
    }

    /// Connects to the process `service`.
    pub(crate) async fn connect(&self, service: &'static str, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let name = ServerName::try_from(service).map_err(io::Error::other)?;
        let connected = TlsConnector::from(self.configs().client).connect(name, stream).await;
        connected.inspect_err(|error| self.failed(service, error))
    }

    /// Logs a failed handshake: a certificate that is refused is a warning once a minute for each `side`. A side that
    /// just closes the connection, as checks of a port do, causes none.
    fn failed(&self, side: &'static str, error: &io::Error) {
        if error.kind() == io::ErrorKind::InvalidData && self.may_warn(side) {
            tracing::warn!(side, %error, "a connection failed over its certificates");
        } else {
            tracing::debug!(side, %error, "a TLS handshake failed");
        }
    }

    fn may_warn(&self, side: &'static str) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = state.warned.get(side).is_none_or(|at| at.elapsed() >= WARN_INTERVAL);
        if is_due {
            state.warned.insert(side, Instant::now());
        }
        is_due
    }

    /// The configurations of a new connection, from the present files. Files that cannot be used, because a rotation is
    /// half-way, leave the previous ones in use.
    fn configs(&self) -> Configs {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.checked.elapsed() < CHECK_INTERVAL {
            return state.configs.clone();
        }
        state.checked = Instant::now();
        let changed = Files::read(&self.folder).and_then(|files| {
            let configs = (files != state.files).then(|| files.configs()).transpose()?;
            Ok(configs.map(|configs| (files, configs)))
        });
        match changed {
            Ok(None) => {}
            Ok(Some((files, configs))) => {
                tracing::info!(folder = %self.folder.display(), "the certificate was replaced");
                state.expires = expiry(&files.certificate);
                (state.files, state.configs) = (files, configs);
            }
            Err(error) => {
                tracing::warn!(error = %primitives::error::ErrorChain(&error), "the new certificate cannot be used");
            }
        }
        // Each time: the metrics may be set up later than the certificate.
        state.report_expiry();
        state.configs.clone()
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl State {
    fn report_expiry(&self) {
        if let Some(at) = self.expires {
            #[expect(clippy::cast_precision_loss, reason = "a gauge is a double, exact for seconds")]
            gauge!(EXPIRY).set(at.timestamp() as f64);
        }
    }
}

impl Files {
    fn read(folder: &Path) -> Result<Self, TlsError> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|source| TlsError::File { path: path.display().to_string(), source })
        };
        Ok(Self { certificate: read(CERTIFICATE)?, key: read(KEY)?, authority: read(AUTHORITY)? })
    }

    fn configs(&self) -> Result<Configs, TlsError> {
        let chain = certificates(&self.certificate, CERTIFICATE)?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|error| TlsError::Pem(KEY, error))?;
        let mut roots = RootCertStore::empty();
        for authority in certificates(&self.authority, AUTHORITY)? {
            roots.add(authority)?;
        }
        let roots = Arc::new(roots);
        let provider = Arc::new(aws_lc_rs::default_provider());
        let callers = WebPkiClientVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider)).build()?;
        let mut server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13])?
            .with_client_cert_verifier(callers)
            .with_single_cert(chain.clone(), key.clone_key())?;
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .with_root_certificates(roots)
            .with_client_auth_cert(chain, key)?;
        // A resumed session would not look at the certificate of the caller again.
        server.send_tls13_tickets = 0;
        server.alpn_protocols = vec![b"h2".to_vec()];
        client.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Configs { server: Arc::new(server), client: Arc::new(client) })
    }
}

fn certificates(pem: &[u8], file: &'static str) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|error| TlsError::Pem(file, error))
}

/// When the first certificate of a PEM file expires; `None` when there is none.
#[must_use]
pub fn expiry(pem: &[u8]) -> Option<DateTime<Utc>> {
    let certificate = CertificateDer::from_pem_slice(pem).ok()?;
    let (_, parsed) = x509_parser::parse_x509_certificate(&certificate).ok()?;
    DateTime::from_timestamp(parsed.validity().not_after.timestamp(), 0)
}

/// The processes that a verified certificate names.
fn processes_of(certificate: &CertificateDer<'_>) -> Arc<[&'static str]> {
    let Ok(certificate) = ParsedCertificate::try_from(certificate) else { return Arc::default() };
    let is_named = |process: &&'static str| {
        ServerName::try_from(*process).is_ok_and(|name| verify_server_name(&certificate, &name).is_ok())
    };
    access::processes().filter(is_named).collect()
}
