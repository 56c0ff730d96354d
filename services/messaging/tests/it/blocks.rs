//! Two of whom one blocks the other have no conversation, and nothing of it counts; lifted, it is back.

use crate::inbox::{INBOX, Inbox, REQUESTS, reason};

async fn refusals(inbox: &Inbox, who: u128, other: u128, id: &str, message: &str) -> Vec<String> {
    vec![
        reason(inbox.find(who, id).await),
        reason(inbox.thread(who, id).await),
        reason(inbox.say(who, id, "Psst").await),
        reason(inbox.send(who, id, "Hi", Some("k")).await),
        reason(inbox.read(who, id, message).await),
        reason(inbox.accept(who, id).await),
        reason(inbox.clear(who, id).await),
        reason(inbox.type_in(who, id).await),
        reason(inbox.start(who, other).await),
    ]
}

#[tokio::test]
async fn a_block_takes_it_from_both_and_lifting_gives_it_back_read() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let message = inbox.send(1, &id, "Hi", Some("k")).await.unwrap().id;
    inbox.say(2, &id, "Ho").await.unwrap();
    inbox.say(1, &id, "Hum").await.unwrap();
    let third = inbox.connect(1, 3).await;
    inbox.say(3, &third, "Not concerned").await.unwrap();
    let before = inbox.facts().await.len();
    inbox.block(2, 1).await;
    assert_eq!(inbox.news(before).await, ["1 looks", "2 looks"]);
    for (who, other) in [(1, 2), (2, 1)] {
        let mut expected = vec!["CONVERSATION_NOT_FOUND"; 8];
        expected.push("MEMBER_NOT_FOUND");
        assert_eq!(refusals(&inbox, who, other, &id, &message).await, expected);
    }
    let listed: Vec<_> = inbox.list(1, INBOX).await.into_iter().map(|conversation| conversation.id).collect();
    assert_eq!((listed, inbox.list(2, INBOX).await), (vec![third], vec![]));
    assert_eq!((inbox.unread(1).await, inbox.unread(2).await), ((1, 0), (0, 0)));
    inbox.assert_true().await;

    // The other's own block stands when one is lifted; told twice it is one.
    inbox.block(1, 2).await;
    inbox.block(1, 2).await;
    inbox.unblock(2, 1).await;
    assert_eq!(reason(inbox.find(2, &id).await), "CONVERSATION_NOT_FOUND");
    let before = inbox.facts().await.len();
    inbox.unblock(1, 2).await;
    inbox.unblock(1, 2).await;
    assert_eq!(inbox.news(before).await, ["1 looks", "2 looks"]);
    assert_eq!((inbox.list(1, INBOX).await.len(), inbox.list(2, INBOX).await.len()), (2, 1));
    assert_eq!(inbox.words(2, &id).await.len(), 3);
    assert_eq!((inbox.unread(1).await, inbox.unread(2).await), ((1, 0), (0, 0)));
    inbox.say(1, &id, "Peace").await.unwrap();
    assert_eq!(inbox.unread(2).await, (1, 0));
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_blocked_request_waits_no_more_and_is_one_again_when_the_block_goes() {
    let inbox = Inbox::open().await;
    let (id, silent) = (inbox.ask(1, 2).await, inbox.ask(3, 2).await);
    inbox.say(1, &id, "Hello").await.unwrap();
    inbox.block(2, 1).await;
    inbox.block(2, 3).await;
    assert_eq!((inbox.unread(2).await, inbox.list(2, REQUESTS).await), ((0, 0), vec![]));
    assert_eq!((inbox.list(1, INBOX).await, inbox.list(3, INBOX).await), (vec![], vec![]));
    inbox.unblock(2, 1).await;
    inbox.unblock(2, 3).await;
    assert_eq!(inbox.list(2, REQUESTS).await.len(), 1);
    assert!(inbox.find(1, &id).await.unwrap().waiting && inbox.find(3, &silent).await.unwrap().waiting);
    inbox.assert_true().await;
}

#[tokio::test]
async fn blocks_of_others_concern_nobody_else() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.block(1, 3).await;
    inbox.block(3, 2).await;
    inbox.say(1, &id, "Still here").await.unwrap();
    assert_eq!((inbox.list(1, INBOX).await.len(), inbox.unread(2).await), (1, (1, 0)));
}
