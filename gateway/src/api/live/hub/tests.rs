//! Tests of the hub.

use std::time::Duration;

use super::*;

fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

fn subscribe(hub: &Hub, member: u128, session: u128) -> LiveStream {
    hub.subscribe(id(session), id(member), id(session), CancellationToken::new())
}

/// The number of buffered events, and whether the stream is open.
fn drain(stream: &mut LiveStream) -> (usize, bool) {
    let mut buffered = 0;
    loop {
        match stream.events.try_recv() {
            Ok(_) => buffered += 1,
            Err(mpsc::error::TryRecvError::Empty) => return (buffered, true),
            Err(mpsc::error::TryRecvError::Disconnected) => return (buffered, false),
        }
    }
}

#[test]
fn an_event_reaches_every_stream_of_its_member_only() {
    let hub = Hub::new();
    let (mut one, mut two, mut other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 12), subscribe(&hub, 2, 21));
    hub.send_to(id(1), &events::notification());
    hub.send_to(id(3), &events::notification());
    assert_eq!([drain(&mut one), drain(&mut two), drain(&mut other)], [(2, true), (2, true), (1, true)]);
    hub.send_hello_to_all();
    assert_eq!([drain(&mut one), drain(&mut two), drain(&mut other)], [(1, true); 3]);
}

#[test]
fn a_dropped_stream_is_removed_from_the_hub() {
    let hub = Hub::new();
    let (one, two) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 11));
    drop(one);
    assert!(hub.streams().members.contains_key(&id(11)), "the session has another stream");
    drop(two);
    let streams = hub.streams();
    assert!(streams.by_member.is_empty() && streams.members.is_empty());
}

#[test]
fn an_ended_session_ends_its_streams_only() {
    let hub = Hub::new();
    let (one, two, mut other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 11), subscribe(&hub, 1, 12));
    hub.end(id(11));
    hub.end(id(13));
    assert!(one.ended.is_cancelled() && two.ended.is_cancelled());
    assert_eq!((other.ended.is_cancelled(), drain(&mut other)), (false, (1, true)));
    drop((one, two));
    hub.send_to(id(1), &events::notification());
    assert_eq!(drain(&mut other), (1, true), "dropping ended streams leaves the others open");
}

#[test]
fn a_stalled_reader_is_disconnected() {
    let hub = Hub::new();
    let closer = CancellationToken::new();
    let stalled = hub.subscribe(id(11), id(1), id(11), closer.clone());
    let mut reading = subscribe(&hub, 1, 12);
    for n in 1..BUFFER {
        hub.send_to(id(1), &events::notification());
        assert!(drain(&mut reading).1 && !closer.is_cancelled(), "{n}");
    }
    hub.send_to(id(1), &events::notification());
    assert!(closer.is_cancelled() && stalled.ended.is_cancelled());
    assert_eq!(drain(&mut reading), (1, true));
    assert!(!hub.streams().members.contains_key(&id(11)));
}

#[test]
fn the_ninth_stream_of_a_member_replaces_the_first() {
    let hub = Hub::new();
    let mut opened: Vec<LiveStream> = (0..MAX_STREAMS as u128 + 1).map(|n| subscribe(&hub, 1, n)).collect();
    let ends: Vec<_> = opened.iter_mut().map(drain).collect();
    assert_eq!(ends[0], (2, false), "hello and bye");
    assert_eq!(ends[1..], [(1, true); MAX_STREAMS]);
    assert!(!opened[0].ended.is_cancelled(), "bye is still buffered");
}

#[test]
fn closing_sends_bye_to_open_and_later_streams() {
    let hub = Hub::new();
    let mut before = subscribe(&hub, 1, 11);
    hub.close();
    let mut after = subscribe(&hub, 1, 11);
    assert_eq!([drain(&mut before), drain(&mut after)], [(2, false); 2]);
    assert!(hub.streams().by_member.is_empty() && hub.streams().members.is_empty());
}

fn watch(hub: &Hub, stream: &LiveStream, topics: &[Topic]) {
    let origin = Origin { member: Some(id(9)), community: Some(id(8)) };
    let interests = topics.iter().map(|topic| (*topic, origin)).collect();
    assert!(hub.watch(stream.member, stream.id, interests, &HashSet::new()));
}

#[test]
fn interests_are_of_one_stream_and_end_with_it() {
    let hub = Hub::new();
    let (one, two) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 12));
    let topic = Topic::Post(id(5));
    watch(&hub, &one, &[topic]);
    assert_eq!(hub.interests(id(1), id(11)).unwrap().len(), 1);
    assert!(hub.interests(id(1), id(12)).unwrap().is_empty() && hub.interests(id(2), id(11)).is_none());
    assert!(!hub.watch(id(2), id(11), Interests::new(), &HashSet::new()), "the stream of another member");
    hub.publish(Change::Reactions(id(5)), DateTime::default());
    assert_eq!((one.changes.pending(), two.changes.pending()), (1, 0));
    watch(&hub, &one, &[Topic::Event(id(6))]);
    assert_eq!(one.changes.pending(), 0, "an unsent change of a former interest");
    drop((one, two));
    assert!(hub.streams().watchers.is_empty());
}

#[test]
fn a_block_ends_interests_in_content_of_the_other() {
    let hub = Hub::new();
    let (blocked, other) = (subscribe(&hub, 1, 11), subscribe(&hub, 2, 21));
    for stream in [&blocked, &other] {
        watch(&hub, stream, &[Topic::Post(id(5))]);
    }
    hub.apply(Effect::Separate(id(9), id(1)));
    hub.publish(Change::Post(id(5)), DateTime::default());
    assert_eq!((blocked.changes.pending(), other.changes.pending()), (0, 1));
}

#[test]
fn a_registration_during_a_block_does_not_bring_the_interest_back() {
    let hub = Hub::new();
    let blocked = subscribe(&hub, 1, 11);
    let topic = Topic::Member(id(9));
    watch(&hub, &blocked, &[topic]);
    // Read before the block, and set after it with another interest that was confirmed meanwhile.
    let carried = hub.interests(id(1), id(11)).unwrap();
    hub.apply(Effect::Separate(id(9), id(1)));
    let confirmed = (Topic::Post(id(5)), Origin::default());
    let interests = carried.clone().into_iter().chain([confirmed]).collect();
    assert!(hub.watch(id(1), id(11), interests, &carried.into_keys().collect()));
    assert_eq!(hub.interests(id(1), id(11)).unwrap().into_keys().collect::<Vec<_>>(), [Topic::Post(id(5))]);
    hub.publish(Change::NewPostsBy(id(9)), DateTime::default());
    assert_eq!(blocked.changes.pending(), 0);
}

#[test]
fn a_departure_ends_interests_in_content_of_the_community_and_their_unsent_changes() {
    let hub = Hub::new();
    let (left, tab, other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 12), subscribe(&hub, 2, 21));
    let topics = [Topic::Post(id(5)), Topic::Community(id(8)), Topic::NewPosts(Some(id(8)))];
    for stream in [&left, &tab, &other] {
        watch(&hub, stream, &topics);
    }
    hub.publish(Change::Comments(id(5)), DateTime::default());
    hub.apply(Effect::Leave(id(1), id(7)));
    assert_eq!([&left, &tab, &other].map(|stream| stream.changes.pending()), [1; 3], "another community");
    hub.apply(Effect::Leave(id(1), id(8)));
    for change in [Change::Post(id(5)), Change::Community(id(8)), Change::NewPosts(Some(id(8)))] {
        hub.publish(change, DateTime::default());
    }
    assert_eq!([&left, &tab, &other].map(|stream| stream.changes.pending()), [0, 0, 4]);
}

#[test]
fn a_community_that_becomes_private_is_watched_by_its_members_only() {
    let hub = Hub::new();
    let (member, tab, stranger) = (subscribe(&hub, 1, 11), subscribe(&hub, 2, 21), subscribe(&hub, 2, 22));
    watch(&hub, &member, &[Topic::Community(id(8)), Topic::NewPosts(Some(id(8)))]);
    watch(&hub, &tab, &[Topic::Event(id(6))]);
    watch(&hub, &stranger, &[Topic::Community(id(8)), Topic::Post(id(5))]);
    hub.publish(Change::Community(id(8)), DateTime::default());
    hub.apply(Effect::Hide(id(8)));
    for change in [Change::Community(id(8)), Change::Post(id(5)), Change::Event(id(6))] {
        hub.publish(change, DateTime::default());
    }
    assert_eq!([&member, &tab, &stranger].map(|stream| stream.changes.pending()), [1, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_begins_to_watch_receives_the_changes_of_the_last_seconds() {
    let hub = Hub::new();
    let (feed, event, post) = (Topic::NewPosts(None), Topic::Event(id(6)), Topic::Post(id(5)));
    let at = DateTime::from_timestamp_secs(100).unwrap();
    for change in [Change::NewPosts(None), Change::Event(id(6)), Change::Post(id(5)), Change::Event(id(7))] {
        hub.publish(change, at);
    }
    let pending = |topics: &[Topic]| {
        let stream = subscribe(&hub, 1, 11);
        watch(&hub, &stream, topics);
        watch(&hub, &stream, topics);
        stream.changes.pending()
    };
    assert_eq!(pending(&[feed, event, post]), 3);
    let stream = subscribe(&hub, 2, 21);
    watch(&hub, &stream, &[feed]);
    let (change, since) = stream.changes.next().await;
    assert_eq!((change, since.timestamp()), (Change::NewPosts(None), 95), "and of the others since");
    // A watched topic is not new.
    watch(&hub, &stream, &[feed, event]);
    assert_eq!(stream.changes.pending(), 1);

    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(pending(&[feed, event, post]), 2, "the client compares the state of the post");
    tokio::time::advance(Duration::from_secs(4)).await;
    assert_eq!(pending(&[feed, event, post]), 0);
}
