//! Name resolution: the resolved addresses are checked, and the connection uses the checked addresses.

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use crawler::fetch::{AdmittedHosts, Failure, Fetcher, Lookup, Policy};
use futures::future::{BoxFuture, pending, ready};

use crate::server::{Answer, PATIENT, Server, another_loopback, document, ok, request, within};

/// Returns one answer after the other, and then always the last one.
#[derive(Clone)]
struct ChangingLookup {
    answers: Arc<Mutex<Vec<Vec<IpAddr>>>>,
    asked: Arc<AtomicUsize>,
}

impl ChangingLookup {
    fn new(answers: &[&[IpAddr]]) -> Self {
        let answers = answers.iter().rev().map(|answer| answer.to_vec()).collect();
        Self { answers: Arc::new(Mutex::new(answers)), asked: Arc::default() }
    }
}

impl Lookup for ChangingLookup {
    fn addresses(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop() } else { answers.last().cloned() };
        Box::pin(ready(Ok(answer.unwrap_or_default())))
    }
}

/// Two servers with the same port, at an admitted and at a private address.
struct ServerPair {
    open: Server,
    private: Server,
}

impl ServerPair {
    async fn start() -> Self {
        let other = another_loopback().await;
        loop {
            let open = Server::at((other, 0).into(), |_| Answer::Bytes(ok("open"))).await.unwrap();
            let private = ([127, 0, 0, 1], open.address.port()).into();
            // Another process may use the port at that address.
            if let Ok(private) = Server::at(private, |_| Answer::Bytes(ok("private"))).await {
                return Self { open, private };
            }
        }
    }

    fn fetcher(&self, lookup: ChangingLookup) -> Fetcher {
        let admitted: AdmittedHosts = self.open.address.to_string().parse().unwrap();
        let admitted = admitted.and_plain("feeds.example", self.open.address.port());
        Fetcher::with_lookup(admitted, [], lookup).unwrap()
    }

    fn url(&self) -> String {
        format!("http://feeds.example:{}/feed", self.open.address.port())
    }
}

#[tokio::test]
async fn a_name_that_resolves_to_another_address_later_is_refused() {
    let two = ServerPair::start().await;
    let lookup = ChangingLookup::new(&[&[two.open.address.ip()], &[two.private.address.ip()]]);
    let fetcher = two.fetcher(lookup.clone());
    document(within(fetcher.fetch(&request(&two.url()), &PATIENT)).await);
    // One lookup per connection: there is none between the check and the connection.
    assert_eq!(lookup.asked.load(Ordering::SeqCst), 1);
    assert_eq!(within(fetcher.fetch(&request(&two.url()), &PATIENT)).await.unwrap_err(), Failure::Private);
    assert_eq!((two.open.accepts(), two.private.accepts()), (1, 0));
}

#[tokio::test]
async fn a_private_address_among_others_is_skipped() {
    let two = ServerPair::start().await;
    let lookup = ChangingLookup::new(&[&[two.private.address.ip(), two.open.address.ip()]]);
    let mut document = document(within(two.fetcher(lookup).fetch(&request(&two.url()), &PATIENT)).await);
    assert_eq!(io::read_to_string(&mut document.body).unwrap(), "open");
    assert_eq!(two.private.accepts(), 0);
}

#[tokio::test]
async fn a_name_for_a_private_address_is_refused() {
    let two = ServerPair::start().await;
    for inside in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1", "64:ff9b::7f00:1"]
    {
        // The admitted address is allowed.
        let inside: IpAddr = inside.parse().unwrap();
        if inside == two.open.address.ip() {
            continue;
        }
        let lookup = ChangingLookup::new(&[&[inside]]);
        let failure = within(two.fetcher(lookup).fetch(&request(&two.url()), &PATIENT)).await.unwrap_err();
        assert_eq!(failure, Failure::Private, "{inside}");
    }
    let fetcher = Fetcher::with_lookup(
        AdmittedHosts::default(),
        ["host.example".to_owned()],
        ChangingLookup::new(&[&[[127, 0, 0, 1].into()]]),
    );
    let failure = within(fetcher.unwrap().fetch(&request("https://www.host.example/"), &PATIENT)).await.unwrap_err();
    assert_eq!(failure, Failure::Private);
    assert_eq!((two.open.accepts(), two.private.accepts()), (0, 0));
}

#[tokio::test]
async fn an_unknown_name_is_a_failure() {
    let two = ServerPair::start().await;
    let failure =
        within(two.fetcher(ChangingLookup::new(&[&[]])).fetch(&request(&two.url()), &PATIENT)).await.unwrap_err();
    assert_eq!(failure, Failure::Unknown);
}

/// A lookup that never returns.
struct SilentLookup;

impl Lookup for SilentLookup {
    fn addresses(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(pending())
    }
}

#[tokio::test(start_paused = true)]
async fn the_timeout_includes_the_name_resolution() {
    let fetcher = Fetcher::with_lookup(AdmittedHosts::default(), ["host.example".to_owned()], SilentLookup).unwrap();
    let start = tokio::time::Instant::now();
    let failure = fetcher.fetch(&request("https://host.example/"), &Policy::FEED).await.unwrap_err();
    assert_eq!((failure, start.elapsed().as_secs()), (Failure::TimedOut, Policy::FEED.timeout.as_secs()));
}
