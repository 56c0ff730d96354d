//! Names: what they lead to is looked at, and what was looked at is what is connected to.

use std::{
    io,
    net::IpAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use crawler::fetch::{Admitted, Failure, Fetcher, Lookup, Policy};
use futures::future::{BoxFuture, pending, ready};

use crate::server::{Answer, PATIENT, Server, another_loopback, ask, document, ok, within};

/// Says one answer after the other, the last one for ever.
#[derive(Clone)]
struct Fickle {
    answers: Arc<Mutex<Vec<Vec<IpAddr>>>>,
    asked: Arc<AtomicUsize>,
}

impl Fickle {
    fn new(answers: &[&[IpAddr]]) -> Self {
        let answers = answers.iter().rev().map(|answer| answer.to_vec()).collect();
        Self { answers: Arc::new(Mutex::new(answers)), asked: Arc::default() }
    }
}

impl Lookup for Fickle {
    fn addresses(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop() } else { answers.last().cloned() };
        Box::pin(ready(Ok(answer.unwrap_or_default())))
    }
}

/// Two servers of one port: at an address that is admitted, and at one that is not.
struct Two {
    open: Server,
    private: Server,
}

impl Two {
    async fn start() -> Self {
        let other = another_loopback().await;
        loop {
            let open = Server::at((other, 0).into(), |_| Answer::Bytes(ok("open"))).await.unwrap();
            let private = ([127, 0, 0, 1], open.address.port()).into();
            // Another process may use that port there.
            if let Ok(private) = Server::at(private, |_| Answer::Bytes(ok("private"))).await {
                return Self { open, private };
            }
        }
    }

    fn fetcher(&self, lookup: Fickle) -> Fetcher {
        let admitted: Admitted = self.open.address.to_string().parse().unwrap();
        let admitted = admitted.and_plain("feeds.example", self.open.address.port());
        Fetcher::with_lookup(admitted, [], lookup).unwrap()
    }

    fn url(&self) -> String {
        format!("http://feeds.example:{}/feed", self.open.address.port())
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_found_out() {
    let two = Two::start().await;
    let lookup = Fickle::new(&[&[two.open.address.ip()], &[two.private.address.ip()]]);
    let fetcher = two.fetcher(lookup.clone());
    document(within(fetcher.fetch(&ask(&two.url()), &PATIENT)).await);
    // One lookup a connection: there is none between the check and the connection.
    assert_eq!(lookup.asked.load(Ordering::SeqCst), 1);
    assert_eq!(within(fetcher.fetch(&ask(&two.url()), &PATIENT)).await.unwrap_err(), Failure::Private);
    assert_eq!((two.open.accepts(), two.private.accepts()), (1, 0));
}

#[tokio::test]
async fn a_private_address_among_others_is_passed_over() {
    let two = Two::start().await;
    let lookup = Fickle::new(&[&[two.private.address.ip(), two.open.address.ip()]]);
    let mut document = document(within(two.fetcher(lookup).fetch(&ask(&two.url()), &PATIENT)).await);
    assert_eq!(io::read_to_string(&mut document.body).unwrap(), "open");
    assert_eq!(two.private.accepts(), 0);
}

#[tokio::test]
async fn a_name_for_a_private_address_is_refused() {
    let two = Two::start().await;
    for inside in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fd00::1", "64:ff9b::7f00:1"]
    {
        // Another family of the open address would be let through by it.
        let inside: IpAddr = inside.parse().unwrap();
        if inside == two.open.address.ip() {
            continue;
        }
        let lookup = Fickle::new(&[&[inside]]);
        let failure = within(two.fetcher(lookup).fetch(&ask(&two.url()), &PATIENT)).await.unwrap_err();
        assert_eq!(failure, Failure::Private, "{inside}");
    }
    let fetcher = Fetcher::with_lookup(
        Admitted::default(),
        ["host.example".to_owned()],
        Fickle::new(&[&[[127, 0, 0, 1].into()]]),
    );
    let failure = within(fetcher.unwrap().fetch(&ask("https://www.host.example/"), &PATIENT)).await.unwrap_err();
    assert_eq!(failure, Failure::Private);
    assert_eq!((two.open.accepts(), two.private.accepts()), (0, 0));
}

#[tokio::test]
async fn a_name_that_nobody_knows_is_told_as_such() {
    let two = Two::start().await;
    let failure = within(two.fetcher(Fickle::new(&[&[]])).fetch(&ask(&two.url()), &PATIENT)).await.unwrap_err();
    assert_eq!(failure, Failure::Unknown);
}

/// A name server that never answers.
struct Mute;

impl Lookup for Mute {
    fn addresses(&self, _: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(pending())
    }
}

#[tokio::test(start_paused = true)]
async fn looking_up_is_part_of_the_time() {
    let fetcher = Fetcher::with_lookup(Admitted::default(), ["host.example".to_owned()], Mute).unwrap();
    let begun = tokio::time::Instant::now();
    let failure = fetcher.fetch(&ask("https://host.example/"), &Policy::FEED).await.unwrap_err();
    assert_eq!((failure, begun.elapsed().as_secs()), (Failure::TimedOut, Policy::FEED.timeout.as_secs()));
}
