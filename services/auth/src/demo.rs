//! Accounts for the demo's cast: two that somebody can sign in with, the others with a password nobody knows.

use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::ServiceContext;
use chrono::TimeDelta;
use sqlx::{ConnectOptions as _, Connection as _};
use uuid::Uuid;

use crate::{
    config::Settings,
    hashing::{Cost, Hashing},
    password::Password,
};

/// The cast in the order of their numbers, which profile's demo shares; the sign-ins are the first two.
const CAST: &str = include_str!("demo-cast.txt");

/// Makes the accounts, unless they are there. Tells no fact: profile's demo brings richer profiles than a registration
/// could.
///
/// # Errors
/// When the database is away, or a sign-in is none of the cast's first two.
pub async fn load(context: &ServiceContext, sign_ins: &[(&str, &str); 2]) -> anyhow::Result<()> {
    let mut connection =
        context.database.clone().ok_or_else(|| anyhow::anyhow!("auth has no database"))?.connect().await?;
    let (ids, names): (Vec<Uuid>, Vec<String>) = (1..).map(member).zip(CAST.lines().map(username)).unzip();
    let loaded = sqlx::query_scalar!("select count(*) as \"count!\" from auth.accounts where id = any($1)", &ids);
    if loaded.fetch_one(&mut connection).await? > 0 {
        return Ok(());
    }
    let settings: Settings = context.config.extract()?;
    let hashing = Hashing::new(Cost::STANDARD, settings.hashing_threads())?;
    let unknown = hashing.hash(nobodys()?).await?;
    let mut hashes = vec![unknown; names.len()];
    for ((name, password), (expected, hash)) in sign_ins.iter().zip(names.iter().zip(&mut hashes)) {
        anyhow::ensure!(name == expected, "the demo has no sign-in {name}");
        let password = Password::parse((*password).to_owned()).map_err(|refused| anyhow::anyhow!(refused.message))?;
        *hash = hashing.hash(password).await?;
    }
    sqlx::query!(
        "insert into auth.accounts (id, username, username_key, password_hash, created_at)
        select id, username, username, password_hash, $4
        from unnest($1::uuid[], $2::text[], $3::text[]) as cast_member (id, username, password_hash)
        on conflict do nothing",
        &ids,
        &names,
        &hashes,
        context.clock.now() - TimeDelta::days(60),
    )
    .execute(&mut connection)
    .await?;
    connection.close().await?;
    Ok(())
}

/// The id of a member of the cast: the same in every service's demo.
fn member(number: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | number << 10 | number)
}

/// `Miguel dela Cruz` signs in as `miguel.delacruz`.
fn username(name: &str) -> String {
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    format!("{first}.{}", last.replace(' ', "")).to_ascii_lowercase()
}

/// A password that is forgotten as soon as it is hashed.
fn nobodys() -> anyhow::Result<Password> {
    let mut lot = [0_u8; 32];
    rand::fill(&mut lot).map_err(|_| anyhow::anyhow!("there is no randomness"))?;
    Password::parse(URL_SAFE_NO_PAD.encode(lot)).map_err(|refused| anyhow::anyhow!(refused.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::Username;

    #[test]
    fn the_cast_is_sixty_members_whose_names_and_ids_pass() {
        let names: Vec<String> = CAST.lines().map(username).collect();
        assert_eq!(names.len(), 60);
        assert_eq!(names[..2], ["isabel.reyes", "daniel.whitlock"]);
        assert!(names.iter().all(|name| Username::parse(name).is_ok_and(|parsed| parsed.key() == *name)));
        for number in 1..=60 {
            let id = member(number);
            assert_eq!(primitives::ids::parse("id", &id.to_string()), Ok(id));
        }
    }
}
