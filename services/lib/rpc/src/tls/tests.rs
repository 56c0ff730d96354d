//! The files of a rotation, the expiry of a certificate, the interval of warnings, and the limits of handshakes.

use std::{future::Future, net::SocketAddr};

use chrono::TimeDelta;
use futures::{FutureExt as _, StreamExt as _};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use super::{
    server::{Limits, accept_within},
    *,
};

/// Lets the next connection look at the files.
fn pass_interval(tls: &Tls) {
    tls.state.lock().unwrap().checked -= CHECK_INTERVAL;
}

fn issue(folder: &Path, expires: DateTime<Utc>) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let (mut params, key) = (CertificateParams::new(vec!["feed".to_owned()]).unwrap(), KeyPair::generate().unwrap());
    params.not_after = time::OffsetDateTime::from_unix_timestamp(expires.timestamp()).unwrap();
    fs::write(folder.join(AUTHORITY), authority.pem()).unwrap();
    fs::write(folder.join(KEY), key.serialize_pem()).unwrap();
    fs::write(folder.join(CERTIFICATE), params.signed_by(&key, &authority).unwrap().pem()).unwrap();
}

fn soon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_900_000_000, 0).unwrap()
}

#[test]
fn a_half_way_rotation_keeps_the_previous_certificate() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    let tls = Tls::open(folder.path()).unwrap();
    let before = tls.configs();
    assert_eq!(before.server.send_tls13_tickets, 0);
    let is_before = |configs: &Configs| {
        Arc::ptr_eq(&configs.server, &before.server) && Arc::ptr_eq(&configs.client, &before.client)
    };
    let key = fs::read(folder.path().join(KEY)).unwrap();
    fs::write(folder.path().join(KEY), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    Tls::open(folder.path()).unwrap_err();
    pass_interval(&tls);
    assert!(is_before(&tls.configs()), "a key of another certificate");
    fs::remove_file(folder.path().join(KEY)).unwrap();
    pass_interval(&tls);
    assert!(is_before(&tls.configs()), "no key");
    fs::write(folder.path().join(KEY), key).unwrap();
    pass_interval(&tls);
    assert!(is_before(&tls.configs()), "the same files");

    issue(folder.path(), soon() + TimeDelta::days(1));
    pass_interval(&tls);
    let after = tls.configs();
    assert!(!Arc::ptr_eq(&after.server, &before.server) && !Arc::ptr_eq(&after.client, &before.client));
    assert_eq!(tls.state.lock().unwrap().expires, Some(soon() + TimeDelta::days(1)));
}

#[test]
fn the_expiry_is_that_of_the_first_certificate() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    assert_eq!(expiry(&fs::read(folder.path().join(CERTIFICATE)).unwrap()), Some(soon()));
    assert_eq!(expiry(b"nothing"), None);
}

#[test]
fn each_side_is_warned_about_once_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    let tls = Tls::open(folder.path()).unwrap();
    assert!(tls.may_warn("feed") && tls.may_warn("callers"));
    assert!(!tls.may_warn("feed") && !tls.may_warn("callers"));
    *tls.state.lock().unwrap().warned.get_mut("feed").unwrap() -= WARN_INTERVAL;
    assert!(tls.may_warn("feed") && !tls.may_warn("callers"));
}

/// The timeout of a wait, also on a busy machine.
const LONG: Duration = Duration::from_secs(120);

async fn soon_enough<T>(what: &str, event: impl Future<Output = T>) -> T {
    tokio::time::timeout(LONG, event).await.unwrap_or_else(|_| panic!("in vain: {what}"))
}

/// Accepts connections until the test ends, and sends a byte to each caller that it has verified.
async fn listen(tls: &Arc<Tls>, limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut accepted = accept_within(limits, Arc::clone(tls), listener).boxed();
    tokio::spawn(async move {
        while let Some(stream) = accepted.next().await {
            stream.unwrap().write_all(b"!").await.unwrap();
        }
    });
    address
}

async fn shake_hands(tls: &Tls, address: SocketAddr) {
    let stream = TcpStream::connect(address).await.unwrap();
    assert_eq!(tls.connect("feed", stream).await.unwrap().read_u8().await.unwrap(), b'!');
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_until_a_handshake_ends() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    let tls = Arc::new(Tls::open(folder.path()).unwrap());
    let limited = listen(&tls, Limits { handshakes: 2, timeout: LONG }).await;
    let other = listen(&tls, Limits { handshakes: 2, timeout: LONG }).await;
    soon_enough("a handshake", shake_hands(&tls, limited)).await;

    let stalled = [TcpStream::connect(limited).await.unwrap(), TcpStream::connect(limited).await.unwrap()];
    let mut waiting = std::pin::pin!(shake_hands(&tls, limited));
    for _ in 0..20 {
        // Each gives the handshake that waits the time of a whole one.
        soon_enough("a handshake of another listener", shake_hands(&tls, other)).await;
        assert!(waiting.as_mut().now_or_never().is_none(), "it is the third one");
    }
    let [one, _other] = stalled;
    drop(one);
    soon_enough("the handshake after the end of a stalled one", waiting).await;
}

#[tokio::test]
async fn a_caller_that_presents_no_certificate_in_time_is_disconnected() {
    let folder = tempfile::tempdir().unwrap();
    issue(folder.path(), soon());
    let tls = Arc::new(Tls::open(folder.path()).unwrap());
    let address = listen(&tls, Limits { handshakes: 1, timeout: Duration::from_millis(10) }).await;
    let mut stalled = TcpStream::connect(address).await.unwrap();
    assert_eq!(soon_enough("the end of the connection", stalled.read(&mut [0])).await.unwrap(), 0);
}
