//! auth: accounts with one known password, sessions without a cookie, and the audit entries of both.

use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, Version};
use chrono::TimeDelta;
use sqlx::PgConnection;

use super::Progress;
use crate::{
    copy::copy,
    world::{Stamps, World, members::Member, rng::Rng},
};

/// The password of every member: this data is for measurements on a private machine.
pub const PASSWORD: &str = "portia-bench";

const STREAM: u64 = 11;
const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// A session of a recently active member.
struct Session<'a> {
    member: &'a Member,
    token_hash: [u8; 32],
}

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Creating accounts ...");
    let hash = password_hash()?;
    let columns = "auth.accounts (id, username, username_key, password_hash, created_at)";
    copy(db, columns, world.members.iter(), |row, member| {
        row.put(member.id).put(&*member.username).put(&*member.username).put(&*hash).put(member.joined_at);
    })
    .await?;
    let mut stamps = Stamps::of(STREAM);
    copy(db, "auth.audit (id, member_id, event, at)", world.members.iter(), |row, member| {
        let id = stamps.owned_by(member.id, member.joined_at);
        row.put(id).put(member.id).put("registered").put(member.joined_at);
    })
    .await?;
    let columns = "auth.sessions (id, token_hash, member_id, created_at, last_seen_at, ends_at, user_agent, address)";
    copy(db, columns, sessions(world), |row, session| {
        let Session { member, token_hash } = session;
        let opened = member.active_at - TimeDelta::hours(5);
        let id = stamps.owned_by(member.id, opened);
        row.put(id).put(&token_hash[..]).put(member.id).put(opened).put(member.active_at);
        row.put(opened + TimeDelta::days(90)).put(AGENT).put("127.0.0.1");
    })
    .await?;
    Ok(())
}

/// Links the rows of the audit, as auth would after its start.
pub(super) async fn seal_audit(db: &mut PgConnection, progress: Progress<'_>) -> anyhow::Result<()> {
    progress("Linking the audit ...");
    sqlx::raw_sql("select auth.seal_audit(2147483647)").execute(db).await?;
    Ok(())
}

/// The sessions: one of three members who were active within the lifetime of a session.
fn sessions(world: &World) -> impl Iterator<Item = Session<'_>> {
    let mut rng = Rng::of(STREAM);
    let lately = world.now - TimeDelta::days(10);
    world.members.iter().filter(move |member| member.active_at > lately).filter_map(move |member| {
        let token_hash: [u8; 32] = std::array::from_fn(|_| u8::try_from(rng.below(256)).unwrap_or_default());
        rng.chance(0.34).then_some(Session { member, token_hash })
    })
}

/// The parameters of auth, so that a sign-in does not rehash. The constant salt keeps the content reproducible.
fn password_hash() -> anyhow::Result<String> {
    let refused = |error: argon2::Error| anyhow::anyhow!("the password cannot be hashed: {error}");
    let params = Params::new(19_456, 2, 1, Some(Params::DEFAULT_OUTPUT_LEN)).map_err(refused)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash = argon2.hash_password_with_salt(PASSWORD.as_bytes(), b"portia-bench-one");
    Ok(hash.map_err(|error| anyhow::anyhow!("the password cannot be hashed: {error}"))?.to_string())
}
