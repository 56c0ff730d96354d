//! The demo's accounts: two with a known password, the others with a random one.

use aws_lc_rs::rand;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chassis::ServiceContext;
use chrono::TimeDelta;
use sqlx::{ConnectOptions as _, Connection as _};
use uuid::Uuid;

use crate::{
    config::Settings,
    credentials::{
        hashing::{Cost, PasswordHashing},
        password::Password,
    },
};

/// The members in the order of their numbers, which profile's demo shares. The first two can sign in.
const MEMBERS: &str = include_str!("demo-members.txt");

/// Creates the accounts unless they exist. Publishes no fact, because profile's demo creates the profiles.
///
/// # Errors
/// When the database is unavailable, or `sign_ins` does not match the first two members.
pub async fn load(context: &ServiceContext, sign_ins: &[(&str, &str); 2]) -> anyhow::Result<()> {
    let mut connection =
        context.database.clone().ok_or_else(|| anyhow::anyhow!("auth has no database"))?.connect().await?;
    let (ids, names): (Vec<Uuid>, Vec<String>) = (1..).map(member).zip(MEMBERS.lines().map(username)).unzip();
    let loaded = sqlx::query_scalar!("select count(*) as \"count!\" from auth.accounts where id = any($1)", &ids);
    if loaded.fetch_one(&mut connection).await? > 0 {
        return Ok(());
    }
    let settings: Settings = context.config.extract()?;
    let hashing = PasswordHashing::new(Cost::STANDARD, settings.hashing_threads())?;
    let random = hashing.hash(random_password()?).await?;
    let mut hashes = vec![random; names.len()];
    for ((name, password), (expected, hash)) in sign_ins.iter().zip(names.iter().zip(&mut hashes)) {
        anyhow::ensure!(name == expected, "the demo has no sign-in {name}");
        let password =
            Password::parse((*password).to_owned()).map_err(|violation| anyhow::anyhow!(violation.message))?;
        *hash = hashing.hash(password).await?;
    }
    sqlx::query!(
        "insert into auth.accounts (id, username, username_key, password_hash, created_at)
        select id, username, username, password_hash, $4
        from unnest($1::uuid[], $2::text[], $3::text[]) as new_account (id, username, password_hash)
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

/// The id of a demo member, the same in every service.
fn member(number: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | number << 10 | number)
}

/// `Miguel dela Cruz` signs in as `miguel.delacruz`.
fn username(name: &str) -> String {
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    format!("{first}.{}", last.replace(' ', "")).to_ascii_lowercase()
}

fn random_password() -> anyhow::Result<Password> {
    let mut bytes = [0_u8; 32];
    rand::fill(&mut bytes).map_err(|_| anyhow::anyhow!("random bytes are unavailable"))?;
    Password::parse(URL_SAFE_NO_PAD.encode(bytes)).map_err(|violation| anyhow::anyhow!(violation.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::parse_username;

    #[test]
    fn the_demo_has_sixty_members_with_valid_names_and_ids() {
        let names: Vec<String> = MEMBERS.lines().map(username).collect();
        assert_eq!(names.len(), 60);
        assert_eq!(names[..2], ["isabel.reyes", "daniel.whitlock"]);
        assert!(names.iter().all(|name| parse_username(name).is_ok_and(|parsed| parsed.key() == *name)));
        for number in 1..=60 {
            let id = member(number);
            assert_eq!(primitives::ids::parse("id", &id.to_string()), Ok(id));
        }
    }
}
