//! Mutual TLS: who is refused, and the replacement of certificates under traffic.

use std::{
    fs, io,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use primitives::clock::Clock;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair as CertificateKey};
use rpc::{
    Call, Transport,
    identity::{Credentials, KeyPair, Keyring, Signer, public_set},
    tls::Tls,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status, client::Grpc, codegen::http::uri::PathAndQuery, service::Routes};
use tonic_prost::ProstCodec;

const RPC: &str = "/portia.feed.v1.FeedService/ListPosts";

struct Authority(Issuer<'static, CertificateKey>, String);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = CertificateKey::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self(Issuer::new(params, key), pem)
    }

    /// Writes the files of a process.
    fn issue(&self, name: &str, folder: &Path) {
        fs::write(folder.join("ca.crt"), &self.1).unwrap();
        self.issue_certificate(name, folder);
    }

    /// Writes a new certificate and its key, and leaves the authorities.
    fn issue_certificate(&self, name: &str, folder: &Path) {
        let key = CertificateKey::generate().unwrap();
        let certificate = CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &self.0).unwrap();
        fs::write(folder.join("tls.key"), key.serialize_pem()).unwrap();
        fs::write(folder.join("tls.crt"), certificate.pem()).unwrap();
    }

    fn folder(&self, name: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        self.issue(name, folder.path());
        folder
    }

    fn tls(&self, name: &str) -> Option<Arc<Tls>> {
        Some(Arc::new(Tls::open(self.folder(name).path()).unwrap()))
    }
}

/// The keys of tokens, which are valid in each test.
struct Keys {
    keyring: Arc<Keyring>,
    signers: [Arc<Signer>; 2],
}

impl Keys {
    fn new() -> Self {
        let pairs = ["gateway", "jobs"].map(|name| KeyPair::generate(&format!("services/{name}/1")).unwrap());
        let keyring = Keyring::new(&public_set(&[&pairs[0], &pairs[1]]), Clock::system()).unwrap();
        Self { keyring: Arc::new(keyring), signers: pairs.map(|pair| Arc::new(Signer::new(&pair).unwrap())) }
    }

    /// A request with the token of the gateway.
    fn request(&self) -> Request<()> {
        let credentials = Credentials::of_process(Arc::clone(&self.signers[0]), Clock::system());
        Call::new(credentials, Duration::from_secs(60)).request(()).unwrap()
    }
}

/// Serves feed on a socket; each call that reaches it is answered with DATA_LOSS. Returns the address.
async fn serve(keys: &Keys, tls: Option<Arc<Tls>>, stop: &CancellationToken) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let reached = async || Status::data_loss("reached").into_http::<axum::body::Body>();
    let routes = Routes::from(axum::Router::new().fallback(reached));
    let routes = rpc::wrap("feed", routes, Arc::clone(&keys.keyring));
    tokio::spawn(rpc::serve(routes, listener, tls, stop.clone().cancelled_owned()));
    address
}

async fn call(transport: &Transport, request: Request<()>) -> Code {
    let mut client = Grpc::new(transport.clone());
    client.ready().await.unwrap();
    client.unary(request, PathAndQuery::from_static(RPC), ProstCodec::<(), ()>::default()).await.unwrap_err().code()
}

#[tokio::test]
async fn both_sides_verify_the_authority_and_the_name_of_the_other() {
    let (ours, theirs, keys, stop) = (Authority::new(), Authority::new(), Keys::new(), CancellationToken::new());
    let address = serve(&keys, ours.tls("feed"), &stop).await;
    let https = format!("https://{address}");
    let transport = |service, tls| Transport::remote(service, &https, tls).unwrap();
    for (what, transport, expected) in [
        ("the gateway", transport("feed", ours.tls("gateway")), Code::DataLoss),
        (
            "a certificate of another authority, and one that it does not know",
            transport("feed", theirs.tls("gateway")),
            Code::Unavailable,
        ),
        ("the server has another name", transport("jobs", ours.tls("gateway")), Code::Unavailable),
        (
            "the certificate of another process beside the token of the gateway",
            transport("feed", ours.tls("jobs")),
            Code::PermissionDenied,
        ),
        ("a certificate that names no process", transport("feed", ours.tls("visitor")), Code::PermissionDenied),
        ("plaintext", Transport::remote("feed", &format!("http://{address}"), None).unwrap(), Code::Unavailable),
    ] {
        assert_eq!(call(&transport, keys.request()).await, expected, "{what}");
    }
    // The client trusts the server, and the server does not know the authority of the client.
    let mixed = tempfile::tempdir().unwrap();
    theirs.issue("gateway", mixed.path());
    fs::write(mixed.path().join("ca.crt"), &ours.1).unwrap();
    let unknown = transport("feed", Some(Arc::new(Tls::open(mixed.path()).unwrap())));
    assert_eq!(call(&unknown, keys.request()).await, Code::Unavailable);
    // Encryption is not negotiable, and needs a certificate of the caller.
    assert!(Transport::remote("feed", &https, None).is_err());
    stop.cancel();
}

/// The lines that this thread logs, on which the server of a test runs.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_refused_call_of_a_process_is_an_event_of_the_security_log() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt().json().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (ours, keys, stop) = (Authority::new(), Keys::new(), CancellationToken::new());
    let address = serve(&keys, ours.tls("feed"), &stop).await;
    let transport = Transport::remote("feed", &format!("https://{address}"), ours.tls("jobs")).unwrap();
    assert_eq!(call(&transport, keys.request()).await, Code::PermissionDenied);
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    let events: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let security: Vec<_> = events.iter().filter(|event| event["target"] == "security").collect();
    let [event] = security[..] else { panic!("{text}") };
    let fields = &event["fields"];
    for (name, expected) in [
        ("service", "feed"),
        ("method", "ListPosts"),
        ("process", "gateway"),
        ("reason", "CERTIFICATE_OF_ANOTHER"),
        ("message", "call refused"),
    ] {
        assert_eq!(fields[name], expected, "{event}");
    }
    stop.cancel();
}

#[tokio::test]
async fn a_caller_without_a_certificate_is_refused() {
    use tokio::io::AsyncReadExt as _;
    let (ours, keys, stop) = (Authority::new(), Keys::new(), CancellationToken::new());
    let address = serve(&keys, ours.tls("feed"), &stop).await;
    let mut roots = rustls::RootCertStore::empty();
    let pem =
        <rustls::pki_types::CertificateDer<'_> as rustls::pki_types::pem::PemObject>::from_pem_slice(ours.1.as_bytes());
    roots.add(pem.unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let name = rustls::pki_types::ServerName::try_from("feed").unwrap();
    // The client of TLS 1.3 is ready before the server looks at its certificate: the refusal is the first that it reads.
    let mut stream = tokio_rustls::TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    let refused = stream.read(&mut [0; 64]).await.unwrap_err();
    assert!(refused.to_string().contains("CertificateRequired"), "{refused}");
    stop.cancel();
}

#[tokio::test(flavor = "multi_thread")]
async fn replaced_files_are_used_without_a_failed_call() {
    let (before, after, keys, stop) = (Authority::new(), Authority::new(), Keys::new(), CancellationToken::new());
    // In a rotation of the authority, processes trust both until each has its new certificate.
    let both = format!("{}{}", before.1, after.1);
    let (server, client) = (before.folder("feed"), before.folder("gateway"));
    for folder in [&server, &client] {
        fs::write(folder.path().join("ca.crt"), &both).unwrap();
    }
    let address = serve(&keys, Some(Arc::new(Tls::open(server.path()).unwrap())), &stop).await;
    let https = format!("https://{address}");
    let tls = Arc::new(Tls::open(client.path()).unwrap());
    let open = Transport::remote("feed", &https, Some(Arc::clone(&tls))).unwrap();
    let finished = CancellationToken::new();
    let traffic = tokio::spawn({
        let (open, finished, keys) = (
            open.clone(),
            finished.clone(),
            Keys { keyring: Arc::clone(&keys.keyring), signers: keys.signers.clone() },
        );
        async move {
            let mut calls = 0;
            while !finished.is_cancelled() {
                assert_eq!(call(&open, keys.request()).await, Code::DataLoss);
                // Each time a new connection.
                let new = Transport::remote("feed", &format!("https://{address}"), Some(Arc::clone(&tls))).unwrap();
                assert_eq!(call(&new, keys.request()).await, Code::DataLoss);
                calls += 1;
            }
            calls
        }
    });
    for (folder, name) in [(&server, "feed"), (&client, "gateway")] {
        after.issue_certificate(name, folder.path());
    }
    // A caller that trusts the new authority only is served as soon as the server has read its new files.
    let only_new = after.tls("gateway");
    let renewed = async {
        let new = || Transport::remote("feed", &https, only_new.clone()).unwrap();
        while call(&new(), keys.request()).await != Code::DataLoss {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), renewed).await.unwrap();
    finished.cancel();
    assert!(traffic.await.unwrap() > 0);
    stop.cancel();
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let authority = Authority::new();
    let folder = authority.folder("feed");
    Tls::open(folder.path()).unwrap();
    let key = fs::read(folder.path().join("tls.key")).unwrap();
    for (file, content) in [
        ("tls.key", CertificateKey::generate().unwrap().serialize_pem()),
        ("tls.crt", String::new()),
        ("ca.crt", "nothing".to_owned()),
    ] {
        authority.issue("feed", folder.path());
        fs::write(folder.path().join(file), content).unwrap();
        assert!(Tls::open(folder.path()).is_err(), "{file}");
    }
    fs::remove_file(folder.path().join("tls.key")).unwrap();
    let error = Tls::open(folder.path()).unwrap_err();
    assert!(
        error.to_string().contains("tls.key") && !format!("{error:?}").contains(&String::from_utf8_lossy(&key)[30..60])
    );
}
