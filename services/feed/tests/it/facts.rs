//! Published facts: each change once and in order, and the snapshot.

use outbox::proto::{Fact, SnapshotRequest, TailRequest, outbox_client::OutboxClient};
use portia_proto::feed::{
    CommentReacted, CommentReactionRemoved, CreatePostRequest, DeleteCommentRequest, DeletePostRequest,
    PostCommentEdited, PostCommentRemoved, PostCommented, PostCreated, PostDeleted, PostEdited, PostReacted,
    PostReactionRemoved, PostRepostRemoved, PostReposted, ReactionKind, UpdateCommentRequest, UpdatePostRequest,
};
use prost::{Message, Name};
use tonic::{Code, Status};

use crate::fixtures::{Fixture, community, member};

fn decode<M: Message + Name + Default>(kind: &str, payload: &[u8]) -> M {
    assert_eq!(kind, M::full_name());
    M::decode(payload).unwrap()
}

/// Returns the first facts of the tail.
async fn first_facts(fixture: &Fixture, count: usize) -> Vec<Fact> {
    loop {
        match tail(fixture, count).await {
            Ok(facts) => return facts,
            // The sequencer has just noted the history of this database: consumers connect again.
            Err(status) => assert_eq!(status.code(), Code::Unavailable, "{status}"),
        }
    }
}

async fn tail(fixture: &Fixture, count: usize) -> Result<Vec<Fact>, Status> {
    let request = fixture.harness.actors.service_stream("gateway").request(TailRequest::default())?;
    let mut tail = OutboxClient::new(fixture.harness.transport()).tail(request).await?.into_inner();
    let mut facts = Vec::new();
    while facts.len() < count {
        facts.extend(tail.message().await?.expect("an open stream").fact);
    }
    Ok(facts)
}

#[tokio::test]
async fn reposts_and_deletions_are_published_once() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1)]).await;
    let post = fixture.create_post_of(member(1), "News").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Oh").await;
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    let repost = fixture.create_post(&fixture.as_member(member(2)), request.clone()).await.unwrap().post.unwrap();
    fixture.create_post(&fixture.as_member(member(2)), request).await.unwrap();
    let ours = fixture.create_post_in(member(1), society, "Ours").await;
    let gone = DeleteCommentRequest { comment_id: comment.id.clone(), reason: 0 };
    fixture.delete_comment(&fixture.as_member(member(1)), gone.clone()).await.unwrap();
    fixture.delete_comment(&fixture.as_member(member(1)), gone).await.unwrap_err();
    for (who, post) in [(2, &repost), (1, &ours), (1, &post)] {
        let gone = DeletePostRequest { post_id: post.id.clone(), reason: 0 };
        fixture.delete_post(&fixture.as_member(member(who)), gone.clone()).await.unwrap();
        fixture.delete_post(&fixture.as_member(member(who)), gone).await.unwrap_err();
    }

    let facts = first_facts(&fixture, 10).await;
    let (author_id, member_id, post_id) = (member(1).to_string(), member(2).to_string(), post.id.clone());
    let passed = PostReposted { post_id, author_id: author_id.clone(), repost_id: repost.id.clone(), member_id };
    assert_eq!(facts[2].key, repost.id);
    assert_eq!(
        (facts[3].key.as_str(), decode::<PostReposted>(&facts[3].kind, &facts[3].payload)),
        (&*post.id, passed.clone())
    );
    let unsaid = PostCommentRemoved {
        post_id: post.id.clone(),
        author_id: author_id.clone(),
        comment_id: comment.id,
        member_id: member(2).to_string(),
        ..Default::default()
    };
    assert_eq!(decode::<PostCommentRemoved>(&facts[5].kind, &facts[5].payload), unsaid);
    let PostReposted { post_id, author_id, repost_id, member_id } = passed;
    let taken_back = PostRepostRemoved { post_id, author_id: author_id.clone(), repost_id, member_id };
    assert_eq!(decode::<PostRepostRemoved>(&facts[6].kind, &facts[6].payload), taken_back);
    let deleted = |post: &str, author: u128, community_id| PostDeleted {
        post_id: post.to_owned(),
        author_id: member(author).to_string(),
        community_id,
    };
    for (fact, expected) in facts[7..].iter().zip([
        deleted(&repost.id, 2, None),
        deleted(&ours.id, 1, Some(society.to_string())),
        deleted(&post.id, 1, None),
    ]) {
        assert_eq!(decode::<PostDeleted>(&fact.kind, &fact.payload), expected);
    }
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 10);
}

/// Their statement appends fields to the encoded message.
#[tokio::test]
async fn a_reaction_in_a_community_is_published_with_it() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1), member(2)]).await;
    let post = fixture.create_post_in(member(1), society, "Ours").await;
    fixture.like(member(2), &post.id).await;
    fixture.unlike(member(2), &post.id).await;
    let facts = first_facts(&fixture, 3).await;
    let (post_id, author_id, member_id) = (post.id.clone(), member(1).to_string(), member(2).to_string());
    let reacted = PostReacted {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        member_id: member_id.clone(),
        kind: ReactionKind::Like.into(),
        community_id: Some(society.to_string()),
    };
    assert_eq!(decode::<PostReacted>(&facts[1].kind, &facts[1].payload), reacted);
    let removed = PostReactionRemoved { post_id, author_id, member_id };
    assert_eq!(decode::<PostReactionRemoved>(&facts[2].kind, &facts[2].payload), removed);
    let times = "select count(*) from feed.outbox where traceparent = ''";
    assert_eq!(fixture.count(times).await, 0);
}

#[tokio::test]
async fn each_change_is_published_once() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "News").await;
    fixture.like(member(2), &post.id).await;
    fixture.like(member(2), &post.id).await;
    fixture.set_reaction_of(member(2), &post.id, ReactionKind::Thanks).await;
    fixture.unlike(member(2), &post.id).await;
    fixture.unlike(member(2), &post.id).await;
    let comment = fixture.create_comment_of(member(3), &post.id, "Told").await;

    let facts = first_facts(&fixture, 5).await;
    assert!(facts.iter().all(|fact| fact.key == post.id));
    let (post_id, author_id) = (post.id.clone(), member(1).to_string());
    let reacted = |kind: ReactionKind| PostReacted {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        member_id: member(2).to_string(),
        kind: kind.into(),
        community_id: None,
    };
    let created = PostCreated { post_id: post_id.clone(), author_id: author_id.clone(), ..Default::default() };
    assert_eq!(decode::<PostCreated>(&facts[0].kind, &facts[0].payload), created);
    assert_eq!(decode::<PostReacted>(&facts[1].kind, &facts[1].payload), reacted(ReactionKind::Like));
    assert_eq!(decode::<PostReacted>(&facts[2].kind, &facts[2].payload), reacted(ReactionKind::Thanks));
    let removed = PostReactionRemoved {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        member_id: member(2).to_string(),
    };
    assert_eq!(decode::<PostReactionRemoved>(&facts[3].kind, &facts[3].payload), removed);
    let (comment_id, member_id) = (comment.id, member(3).to_string());
    let commented = PostCommented { post_id, author_id, comment_id, member_id, ..Default::default() };
    assert_eq!(decode::<PostCommented>(&facts[4].kind, &facts[4].payload), commented);
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 5);
}

#[tokio::test]
async fn replies_and_reactions_to_comments_name_their_comment() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "News").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Oh").await;
    let reply = fixture.create_reply_of(member(3), &comment, "Indeed").await;
    for _ in 0..2 {
        fixture.like_comment(member(1), &reply.id).await;
    }
    for _ in 0..2 {
        fixture.unlike_comment(member(1), &reply.id).await;
    }
    let gone = DeleteCommentRequest { comment_id: comment.id.clone(), reason: 0 };
    fixture.delete_comment(&fixture.as_member(member(2)), gone).await.unwrap();

    let facts = first_facts(&fixture, 7).await;
    let (post_id, author_id) = (post.id.clone(), member(1).to_string());
    let commented = PostCommented {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        comment_id: reply.id.clone(),
        member_id: member(3).to_string(),
        reply_to: Some(comment.id.clone()),
        reply_to_author_id: Some(member(2).to_string()),
        ..Default::default()
    };
    assert_eq!(decode::<PostCommented>(&facts[2].kind, &facts[2].payload), commented);
    let reacted = CommentReacted {
        post_id: post_id.clone(),
        comment_id: reply.id.clone(),
        author_id: member(3).to_string(),
        member_id: member(1).to_string(),
        kind: ReactionKind::Like.into(),
        community_id: None,
    };
    assert_eq!((&facts[3].key, decode::<CommentReacted>(&facts[3].kind, &facts[3].payload)), (&reply.id, reacted));
    let removed = CommentReactionRemoved {
        post_id: post_id.clone(),
        comment_id: reply.id.clone(),
        author_id: member(3).to_string(),
        member_id: member(1).to_string(),
    };
    assert_eq!(decode::<CommentReactionRemoved>(&facts[4].kind, &facts[4].payload), removed);
    let PostCommented { comment_id, member_id, reply_to, reply_to_author_id, .. } = commented;
    let removals: Vec<_> =
        facts[5..].iter().map(|fact| decode::<PostCommentRemoved>(&fact.kind, &fact.payload)).collect();
    let of_reply = PostCommentRemoved {
        post_id: post_id.clone(),
        author_id: author_id.clone(),
        comment_id,
        member_id,
        reply_to,
        reply_to_author_id,
    };
    let (comment_id, member_id) = (comment.id, member(2).to_string());
    let of_comment = PostCommentRemoved { post_id, author_id, comment_id, member_id, ..Default::default() };
    assert!(removals.contains(&of_reply) && removals.contains(&of_comment), "{removals:?}");
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 7);
}

#[tokio::test]
async fn an_edit_is_published_unless_it_changes_nothing() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Moot cuort").await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Court").await;
    for _ in 0..2 {
        let edit =
            UpdatePostRequest { post_id: post.id.clone(), content: "Moot court".to_owned(), ..Default::default() };
        fixture.update_post(&fixture.as_member(member(1)), edit).await.unwrap();
        let edit = UpdateCommentRequest { comment_id: comment.id.clone(), content: "Court?".to_owned() };
        fixture.update_comment(&fixture.as_member(member(2)), edit).await.unwrap();
    }
    let facts = first_facts(&fixture, 4).await;
    let (post_id, author_id) = (post.id, member(1).to_string());
    let edited = PostEdited { post_id: post_id.clone(), author_id: author_id.clone(), ..Default::default() };
    assert_eq!(decode::<PostEdited>(&facts[2].kind, &facts[2].payload), edited);
    let (comment_id, member_id) = (comment.id, member(2).to_string());
    let edited = PostCommentEdited { post_id, author_id, comment_id, member_id, ..Default::default() };
    assert_eq!(decode::<PostCommentEdited>(&facts[3].kind, &facts[3].payload), edited);
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 4);
}

#[tokio::test]
async fn a_snapshot_contains_the_current_state() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Kept").await;
    fixture.like(member(2), &post.id).await;
    fixture.like(member(3), &post.id).await;
    fixture.unlike(member(3), &post.id).await;
    let comment = fixture.create_comment_of(member(2), &post.id, "Kept too").await;
    fixture.like_comment(member(1), &comment.id).await;
    let request = CreatePostRequest { repost_of: Some(post.id.clone()), ..Default::default() };
    fixture.create_post(&fixture.as_member(member(4)), request).await.unwrap();

    let tail_kinds = async |kinds: Vec<String>| {
        let request = fixture
            .harness
            .actors
            .service_stream("messaging")
            .request(SnapshotRequest { kinds, ..SnapshotRequest::default() })
            .unwrap();
        let mut snapshot = OutboxClient::new(fixture.harness.transport()).snapshot(request).await.unwrap().into_inner();
        let mut kinds_seen = Vec::new();
        while let Some(row) = snapshot.message().await.unwrap() {
            kinds_seen.extend(row.fact.map(|fact| fact.kind));
        }
        kinds_seen
    };
    let created = PostCreated::full_name;
    let all = [
        created(),
        created(),
        PostReacted::full_name(),
        PostCommented::full_name(),
        CommentReacted::full_name(),
        PostReposted::full_name(),
    ];
    assert_eq!(tail_kinds(vec![]).await, all);
    assert_eq!(tail_kinds(vec![PostReacted::full_name()]).await, [PostReacted::full_name()]);
}
