//! A one-time link for a member who has neither a trusted browser nor a recovery code.

use anyhow::Context as _;
use chassis::config::Source;
use clap::Args;
use primitives::{clock::Clock, ids::Ids, input::Link};
use sqlx::Connection as _;

use super::{Target, connect};

/// The account, and the public address of Portia.
#[derive(Args)]
pub struct ResetLink {
    /// The account's username, in either case
    pub username: String,
    /// The public address of this Portia [default: PORTIA_PUBLIC_ORIGIN, else http://127.0.0.1:8080]
    #[arg(long)]
    pub origin: Option<String>,
    /// The Portia
    #[command(flatten)]
    pub target: Target,
}

/// The link with its expiry.
///
/// # Errors
/// When there is no account of that name, the origin is not valid, or Portia is not running.
pub async fn reset_link(arguments: ResetLink, config: &Source) -> anyhow::Result<String> {
    let origin = origin(arguments.origin, config)?;
    let mut auth = connect(&arguments.target, "auth", config).await?;
    let clock = Clock::system();
    let made =
        auth::admin::create_reset_link(&mut auth, &arguments.username, &Ids::random(clock.clone()), &clock).await;
    auth.close().await?;
    let link = match made {
        Err(auth::error::Error::AccountNotFound) => {
            anyhow::bail!("There is no account named '{}'.", arguments.username.escape_debug())
        }
        other => other.context("The link could not be made")?,
    };
    let fields = form_urlencoded::Serializer::new(String::new())
        .append_pair("token", &link.token.encoded())
        .append_pair("username", &link.username)
        .finish();
    let ends = link.ends_at.format("%Y-%m-%d %H:%M UTC");
    // A fragment is not sent, so no server or proxy logs it.
    Ok(format!("{origin}/forgot-password#{fields}\n\nFor {} only. It works once, until {ends}.", link.username))
}

fn origin(given: Option<String>, config: &Source) -> anyhow::Result<String> {
    let origin = given.or_else(|| config.text("public_origin")).unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let refused = || {
        anyhow::anyhow!(
            "'{}' is not where members reach Portia: it must be like https://portia.example.",
            origin.escape_debug()
        )
    };
    let parsed = Link::parse("origin", &origin).map_err(|_| refused())?.into_string();
    let parsed = parsed.trim_end_matches('/').to_owned();
    if parsed.contains(['#', '?']) { Err(refused()) } else { Ok(parsed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_given_configured_or_this_machine() {
        let config = Source::default().with("public_origin", "https://portia.example/");
        assert_eq!(origin(None, &config).unwrap(), "https://portia.example");
        assert_eq!(origin(Some("http://10.0.0.1:9000".into()), &config).unwrap(), "http://10.0.0.1:9000");
        assert_eq!(origin(None, &Source::default()).unwrap(), "http://127.0.0.1:8080");
        for bad in ["", "portia.example", "javascript:alert(1)", "https://a@b", "https://a.b/#x", "https://a.b/?x"] {
            assert!(origin(Some(bad.into()), &config).is_err(), "{bad}");
        }
    }
}
