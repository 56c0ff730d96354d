//! Sessions: resolution to a member token, expiry and logout.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::auth::{self as pb, SessionEnded};
use primitives::error::ErrorKind;
use prost::Message as _;
use rpc::identity::Actor;
use testkit::member;
use tonic::Code;
use uuid::Uuid;

use crate::{Auth, PASSWORD, details, registration};

async fn signed_in(auth: &Auth) -> String {
    auth.register(registration(1)).await.unwrap().session.unwrap().token
}

#[tokio::test]
async fn a_session_resolves_to_a_member_token_of_one_minute_for_each_service() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    let answer = auth.resolve(&token).await.unwrap();
    let session: Uuid = answer.session_id.parse().unwrap();
    let keyring = auth.harness.actors.keyring();
    let expected = Actor::Member { id: member(1), session, moderator: false };
    assert!(answer.member_tokens.iter().map(|token| token.audience.as_str()).eq(access::services()));
    for pb::MemberToken { audience, token } in &answer.member_tokens {
        for service in access::services() {
            let accepted = (service == audience).then_some(expected.clone());
            assert_eq!(keyring.verify(token, service), accepted, "the token for {audience} at {service}");
        }
    }
    let expires = auth.harness.clock.now() + TimeDelta::seconds(60);
    assert_eq!(answer.expires_at.unwrap().seconds, expires.timestamp());
    auth.harness.clock.advance(TimeDelta::seconds(66));
    for pb::MemberToken { audience, token } in &answer.member_tokens {
        assert_eq!(keyring.verify(token, audience), None);
    }
}

#[tokio::test]
async fn a_session_resolves_while_the_disk_of_the_database_is_full() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    let full = "
        create function auth.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$;
        create trigger full_disk before update on auth.sessions execute function auth.refuse()";
    auth.harness.database().run_as_owner(full).await;
    // Its last use is to be recorded.
    auth.harness.clock.advance(TimeDelta::minutes(2));
    assert_eq!(auth.resolve(&token).await.unwrap().member_id, member(1).to_string());
    auth.harness.database().run_as_owner("drop trigger full_disk on auth.sessions").await;
    auth.resolve(&token).await.unwrap();
    let last: DateTime<Utc> = auth.value("select last_seen_at from auth.sessions").await;
    assert_eq!(last, auth.harness.clock.now());
}

#[tokio::test]
async fn tokens_are_signed_anew_after_20_seconds_or_with_another_role_and_end_with_the_session() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    let clock = &auth.harness.clock;
    let first = auth.resolve(&token).await.unwrap();
    clock.advance(TimeDelta::seconds(19));
    assert_eq!(auth.resolve(&token).await.unwrap(), first);
    clock.advance(TimeDelta::seconds(1));
    let second = auth.resolve(&token).await.unwrap();
    assert_eq!(second.expires_at.unwrap().seconds - first.expires_at.unwrap().seconds, 20);
    assert!(first.member_tokens.iter().zip(&second.member_tokens).all(|(first, second)| first != second));
    auth.grant("member.1").await.unwrap();
    let third = auth.resolve(&token).await.unwrap();
    assert!(third.moderator && third.member_tokens.iter().zip(&second.member_tokens).all(|(a, b)| a != b));
    let request = pb::LogoutRequest { session_token: token.clone() };
    auth.client().logout(auth.request(request)).await.unwrap();
    assert_eq!(details(auth.resolve(&token).await).reason, "SESSION_ENDED");
}

#[tokio::test]
async fn using_a_session_updates_it_at_most_once_a_minute() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    let clock = &auth.harness.clock;
    let start = clock.now();
    for (seconds, seen) in [(59, 0), (1, 60), (30, 60), (30, 120)] {
        clock.advance(TimeDelta::seconds(seconds));
        auth.resolve(&token).await.unwrap();
        let last: DateTime<Utc> = auth.value("select last_seen_at from auth.sessions").await;
        assert_eq!(last, start + TimeDelta::seconds(seen));
    }
}

#[tokio::test]
async fn an_unused_session_expires_after_fourteen_days() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    auth.harness.clock.advance(TimeDelta::days(14) - TimeDelta::seconds(1));
    auth.resolve(&token).await.unwrap();
    auth.harness.clock.advance(TimeDelta::days(14));
    let error = details(auth.resolve(&token).await);
    assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Unauthenticated, "SESSION_EXPIRED"));
}

#[tokio::test]
async fn a_session_that_a_person_ended_does_not_count_as_expired_later() {
    let auth = Auth::start().await;
    let (token, clock) = (signed_in(&auth).await, &auth.harness.clock);
    clock.advance(TimeDelta::days(14));
    assert_eq!(details(auth.resolve(&token).await).reason, "SESSION_EXPIRED");
    auth.logout(&token).await.unwrap();
    assert_eq!(details(auth.resolve(&token).await).reason, "SESSION_ENDED");
}

#[tokio::test]
async fn a_used_session_expires_after_ninety_days() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    for _ in 0..9 {
        auth.resolve(&token).await.unwrap();
        auth.harness.clock.advance(TimeDelta::days(10));
    }
    assert_eq!(details(auth.resolve(&token).await).reason, "SESSION_EXPIRED");
}

#[tokio::test]
async fn the_cleanup_deletes_sessions_a_day_after_their_expiry() {
    let auth = Auth::start().await;
    let (idle, clock) = (signed_in(&auth).await, &auth.harness.clock);
    auth.harness
        .database()
        .run(
            "insert into auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at)
            select gen_random_uuid(), sha256(n::text::bytea), member_id, created_at, last_seen_at, ends_at
            from auth.sessions, generate_series(1, 2500) n",
        )
        .await;
    clock.advance(TimeDelta::days(13));
    let used = auth.register(registration(2)).await.unwrap().session.unwrap().token;
    clock.advance(TimeDelta::days(1));
    clock.advance(TimeDelta::hours(24));
    assert_eq!(::auth::sessions::delete_expired(auth.pool(), clock.now()).await.unwrap(), 0);
    assert_eq!(details(auth.resolve(&idle).await).reason, "SESSION_EXPIRED");
    clock.advance(TimeDelta::hours(1));
    assert_eq!(::auth::sessions::delete_expired(auth.pool(), clock.now()).await.unwrap(), 2501, "more than one batch");
    assert!(auth.resolve(&used).await.is_ok());
    assert_eq!(details(auth.resolve(&idle).await).reason, "SESSION_ENDED");
    assert_eq!(::auth::sessions::delete_expired(auth.pool(), clock.now()).await.unwrap(), 0);
}

#[tokio::test]
async fn logout_ends_one_session_and_publishes_a_fact() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    auth.harness.clock.advance(TimeDelta::seconds(1));
    let other = auth.login("member.1", PASSWORD).await.unwrap().session.unwrap().token;
    let session = auth.resolve(&token).await.unwrap().session_id;

    auth.harness.clock.advance(TimeDelta::seconds(1));
    assert_eq!(auth.logout(&token).await.unwrap().session_id, Some(session.clone()));
    assert_eq!(details(auth.resolve(&token).await).reason, "SESSION_ENDED", "a replayed cookie");
    assert!(auth.resolve(&other).await.is_ok());
    assert_eq!(auth.logout(&token).await.unwrap().session_id, None, "again");

    let payload: Vec<u8> =
        auth.value("select payload from auth.outbox where kind = 'portia.auth.v1.SessionEnded'").await;
    let fact = SessionEnded::decode(payload.as_slice()).unwrap();
    assert_eq!((fact.member_id, fact.session_id), (member(1).to_string(), session));
    assert_eq!(auth.audit().await, ["registered", "signed in", "signed out"]);
}

#[tokio::test]
async fn only_the_gateway_may_call() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    let actors = &auth.harness.actors;
    for call in [actors.member(member(1)), actors.service("profile"), actors.invalid_token()] {
        let mut client = auth.client();
        let codes = [
            client.register(call.request(registration(2)).unwrap()).await.unwrap_err().code(),
            client.login(call.request(Default::default()).unwrap()).await.unwrap_err().code(),
            client
                .logout(call.request(portia_proto::auth::LogoutRequest { session_token: token.clone() }).unwrap())
                .await
                .unwrap_err()
                .code(),
            client.resolve_session(call.request(Default::default()).unwrap()).await.unwrap_err().code(),
        ];
        assert!(codes.iter().all(|code| matches!(code, Code::PermissionDenied | Code::Unauthenticated)), "{codes:?}");
    }
    assert!(auth.resolve(&token).await.is_ok(), "the session still exists");
}

#[tokio::test]
async fn an_unavailable_database_does_not_end_a_session() {
    let auth = Auth::start().await;
    let token = signed_in(&auth).await;
    // Stopping closes the service's pool, which has the effect of an unavailable database.
    auth.harness.context.tasks.stop(Duration::from_secs(10)).await;
    assert_eq!(details(auth.resolve(&token).await).kind, ErrorKind::Unavailable);
}
