//! An erased account leaves nothing of the member here; what they said stays for the other side.

use testkit::member;

use crate::inbox::{INBOX, Inbox, REQUESTS, reason, settled};

#[tokio::test]
async fn the_other_side_keeps_the_thread_with_nobody_and_the_last_one_takes_it_along() {
    let inbox = Inbox::open().await;
    // Two is the upper id of the first pair and the lower of the other.
    let (first, other) = (inbox.connect(1, 2).await, inbox.connect(2, 3).await);
    inbox.send(1, &first, "From one", Some("k")).await.unwrap();
    inbox.send(2, &first, "From two", Some("k")).await.unwrap();
    inbox.say(2, &other, "To three").await.unwrap();
    let database = inbox.harness.database();
    let named = database.tables_naming(member(2)).await;
    for table in ["conversations", "messages", "participants", "unread_counts"] {
        assert!(named.iter().any(|name| name == table), "{table} in {named:?}");
    }

    inbox.erase(2).await;
    assert_eq!(database.tables_naming(member(2)).await, Vec::<String>::new());
    let kept = inbox.list(1, INBOX).await;
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].other_member_id.as_deref(), kept[0].last_message.as_deref()), (None, Some("From two")));
    assert_eq!((kept[0].unread_count, inbox.unread(1).await, inbox.count("messages").await), (1, (1, 0), 3));
    let read = [("From one".to_owned(), true), ("From two".to_owned(), false)];
    assert_eq!(inbox.words(1, &first).await, read, "the ticks stay as they were");
    inbox.assert_true().await;

    inbox.erase(1).await;
    assert_eq!(database.tables_naming(member(1)).await, Vec::<String>::new());
    assert_eq!((inbox.count("conversations").await, inbox.count("messages").await), (1, 1), "three has theirs");
    inbox.assert_true().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn what_an_erasure_waits_for_holds_up_nobody_and_it_is_not_given_up() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.say(1, &id, "From one").await.unwrap();
    // Longer than any statement may take: here because somebody holds the message, in a large account by itself.
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    sqlx::raw_sql("select from messaging.messages for update").execute(&mut *holder).await.unwrap();
    inbox.erased(1).await;
    inbox.closed(3).await;
    assert_eq!(inbox.count("dead_facts").await, 0);
    assert_eq!(inbox.count("erasures").await, 1);
    assert_eq!(reason(inbox.say(2, &id, "Are you there?").await), "FORMER_MEMBER", "from the first moment on");
    assert_eq!(inbox.words(2, &id).await, [("From one".to_owned(), false)]);
    holder.rollback().await.unwrap();
    settled(&inbox.harness).await;
    assert_eq!(inbox.harness.database().tables_naming(member(1)).await, Vec::<String>::new());
    assert_eq!(inbox.words(2, &id).await, [("From one".to_owned(), false)]);
    inbox.assert_true().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn requests_on_either_side() {
    let inbox = Inbox::open().await;
    let (from, to) = (inbox.ask(1, 2).await, inbox.ask(3, 1).await);
    inbox.ask(1, 4).await;
    let silent = inbox.ask(5, 1).await;
    inbox.say(1, &from, "Hello").await.unwrap();
    inbox.say(3, &to, "Hello").await.unwrap();
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_naming(member(1)).await, Vec::<String>::new());
    assert_eq!(inbox.count("conversations").await, 3, "the one nobody else knew of is gone");

    // Whoever was asked can still take it, or not.
    assert_eq!((inbox.list(2, REQUESTS).await.len(), inbox.unread(2).await), (1, (0, 1)));
    assert_eq!(inbox.accept(2, &from).await.unwrap().folder(), INBOX);
    assert_eq!(inbox.unread(2).await, (1, 0));
    // Whoever asked waits for nobody.
    for (who, id) in [(3, &to), (5, &silent)] {
        assert!(!inbox.find(who, id).await.unwrap().waiting);
        assert_eq!(reason(inbox.say(who, id, "Hello?").await), "FORMER_MEMBER");
    }
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_thread_with_somebody_blocked_does_not_come_back_from_nobody() {
    let inbox = Inbox::open().await;
    let (one, two) = (inbox.connect(1, 2).await, inbox.connect(1, 3).await);
    for (who, id) in [(2, &one), (1, &one), (3, &two)] {
        inbox.say(who, id, "Words").await.unwrap();
    }
    inbox.block(1, 2).await;
    inbox.block(3, 1).await;
    inbox.erase(2).await;
    inbox.erase(3).await;
    assert_eq!((inbox.list(1, INBOX).await, inbox.unread(1).await), (vec![], (0, 0)));
    for id in [&one, &two] {
        assert_eq!(inbox.words(1, id).await, []);
    }
    inbox.assert_true().await;
}
