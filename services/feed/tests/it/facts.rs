//! What feed tells: each change once, in its order, and the present state to whoever comes late.

use chassis::outbox::proto::{SnapshotRequest, TailRequest, outbox_client::OutboxClient};
use portia_proto::feed::{PostCommented, PostCreated, PostReacted, PostReactionRemoved, ReactionKind};
use prost::{Message, Name};

use crate::stand::{Stand, member};

fn read<M: Message + Name + Default>(kind: &str, payload: &[u8]) -> M {
    assert_eq!(kind, M::full_name());
    M::decode(payload).unwrap()
}

#[tokio::test]
async fn each_change_is_told_once() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "News").await;
    stand.like(member(2), &post.id).await;
    stand.like(member(2), &post.id).await;
    stand.react(member(2), &post.id, ReactionKind::Thanks).await;
    stand.unlike(member(2), &post.id).await;
    stand.unlike(member(2), &post.id).await;
    let comment = stand.comment(member(3), &post.id, "Told").await;

    let request = stand.harness.actors.service_stream("gateway").request(TailRequest::default()).unwrap();
    let mut tail = OutboxClient::new(stand.harness.transport()).tail(request).await.unwrap().into_inner();
    let mut facts = Vec::new();
    while facts.len() < 5 {
        facts.extend(tail.message().await.unwrap().unwrap().fact);
    }
    assert!(facts.iter().all(|fact| fact.key == post.id));
    let (post_id, author_id) = (post.id.clone(), member(1).to_string());
    let reacted = |kind: ReactionKind| PostReacted {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        member_id: member(2).to_string(),
        kind: kind.into(),
    };
    let created = PostCreated { post_id: post_id.clone(), author_id: author_id.clone(), community_id: None };
    assert_eq!(read::<PostCreated>(&facts[0].kind, &facts[0].payload), created);
    assert_eq!(read::<PostReacted>(&facts[1].kind, &facts[1].payload), reacted(ReactionKind::Like));
    assert_eq!(read::<PostReacted>(&facts[2].kind, &facts[2].payload), reacted(ReactionKind::Thanks));
    let removed = PostReactionRemoved {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        member_id: member(2).to_string(),
    };
    assert_eq!(read::<PostReactionRemoved>(&facts[3].kind, &facts[3].payload), removed);
    let commented = PostCommented { post_id, author_id, comment_id: comment.id, member_id: member(3).to_string() };
    assert_eq!(read::<PostCommented>(&facts[4].kind, &facts[4].payload), commented);
    assert_eq!(stand.count("select count(*) from feed.outbox").await, 5);
}

#[tokio::test]
async fn a_snapshot_tells_what_is() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Kept").await;
    stand.like(member(2), &post.id).await;
    stand.like(member(3), &post.id).await;
    stand.unlike(member(3), &post.id).await;
    stand.comment(member(2), &post.id, "Kept too").await;

    let tell = async |kinds: Vec<String>| {
        let request = stand.harness.actors.service_stream("messaging").request(SnapshotRequest { kinds }).unwrap();
        let mut snapshot = OutboxClient::new(stand.harness.transport()).snapshot(request).await.unwrap().into_inner();
        let mut told = Vec::new();
        while let Some(row) = snapshot.message().await.unwrap() {
            told.extend(row.fact.map(|fact| fact.kind));
        }
        told
    };
    let all = [PostCreated::full_name(), PostReacted::full_name(), PostCommented::full_name()];
    assert_eq!(tell(vec![]).await, all);
    assert_eq!(tell(vec![PostReacted::full_name()]).await, [PostReacted::full_name()]);
}
