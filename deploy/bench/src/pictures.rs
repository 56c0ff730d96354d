//! The delay from the deletion of a post to the end of its picture: five seconds are promised.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::client::{Member, Request};

/// The timeout of a change.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The pause between two requests of a picture.
const PAUSE: Duration = Duration::from_millis(5);
/// A grey pixel.
const PNG: &[u8] = b"\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\
    \x9bU\x00\x00\x00\x0aIDATx\x9cch\x00\x00\x00\x82\x00\x81w\xcdr\xb6\x00\x00\x00\x00IEND\xaeB`\x82";

/// Publishes posts with a picture, deletes each, and returns the delays after which its address was not found.
///
/// # Errors
/// When a request fails, or a change is not seen.
pub async fn measure(member: &Member, times: u32) -> anyhow::Result<Vec<Duration>> {
    let mut took = Vec::new();
    for _ in 0..times {
        let (post, address) = publish(member).await?;
        wait_for(member, &address, 200).await?;
        let began = Instant::now();
        let delete = Request { method: Method::DELETE, path: format!("/api/posts/{post}"), body: None };
        let answer = member.send(&delete).await?;
        anyhow::ensure!(answer.good, "the deletion of a post answered {}", answer.status);
        wait_for(member, &address, 404).await?;
        took.push(began.elapsed());
    }
    Ok(took)
}

/// Publishes a post with a picture. Returns its id and the address of the picture.
async fn publish(member: &Member) -> anyhow::Result<(String, String)> {
    let text = |value: &Value, name: &str| -> anyhow::Result<String> {
        Ok(value.get(name).and_then(Value::as_str).with_context(|| format!("no {name}"))?.to_owned())
    };
    let picture = text(&member.upload("/api/pictures", "image/png", PNG).await?.json()?, "id")?;
    let body = Some(json!({"content": "A picture", "pictureId": picture}));
    let post = member.send(&Request { method: Method::POST, path: "/api/posts".to_owned(), body }).await?.json()?;
    Ok((text(&post, "id")?, text(&post, "imageUrl")?))
}

/// Asks for a picture until it has the status.
async fn wait_for(member: &Member, address: &str, status: u16) -> anyhow::Result<()> {
    let began = Instant::now();
    while member.send(&Request::get(address)).await?.status != status {
        anyhow::ensure!(began.elapsed() < TIMEOUT, "{address} is not {status}");
        sleep(PAUSE).await;
    }
    Ok(())
}
