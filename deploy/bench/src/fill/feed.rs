//! feed: posts with their counters, reactions, comments, and impressions.

use chrono::TimeDelta;
use sqlx::PgConnection;

use super::Progress;
use crate::{
    copy::copy,
    world::{Stamps, World, rng::Rng, words},
};

const STREAM: u64 = 31;
const COMMENTS: u64 = 32;

/// Kinds of reactions, the frequent ones repeated.
const KINDS: [&str; 10] =
    ["like", "like", "like", "like", "like", "like", "celebrate", "support", "insightful", "thanks"];
const MICROS_A_DAY: f64 = 86_400_000_000.0;

pub(super) async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    progress(&format!("Writing {} posts ...", world.posts.len()));
    posts(db, world).await?;
    shown(db, world).await?;
    progress(&format!("Writing {} reactions ...", world.size.reactions()));
    let mut rng = Rng::of(STREAM + 100);
    let columns = "feed.reactions (post_id, member_id, kind, created_at)";
    copy(db, columns, world.reactions(), |row, it| {
        let (post, member) = (world.posts[it.post].id, world.members[it.member].id);
        row.put(post).put(member).put(*rng.choose(&KINDS)).put(it.at);
    })
    .await?;
    progress(&format!("Writing {} comments ...", world.size.comments()));
    let (mut rng, mut stamps) = (Rng::of(COMMENTS), Stamps::of(COMMENTS));
    let columns = "feed.comments (id, post_id, author_id, content, created_at)";
    copy(db, columns, world.comments(), |row, it| {
        let (post, author) = (world.posts[it.post].id, world.members[it.member].id);
        row.put(stamps.owned_by(post, it.at)).put(post).put(author).put(&*words::comment(&mut rng)).put(it.at);
    })
    .await?;
    Ok(())
}

async fn posts(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let mut rng = Rng::of(STREAM);
    let columns = "feed.posts (id, author_id, content, like_count, comment_count, created_at, freshness, community_id, \
        school_key)";
    copy(db, columns, (0..).zip(world.posts.iter()), |row, (number, post)| {
        // Days since 1970, the unit of the relevance ranking.
        let freshness = post.created_at.timestamp_micros() as f64 / MICROS_A_DAY;
        row.put(post.id).put(world.members[post.author].id).put(&*words::post(&mut rng, number));
        row.put(i64::from(post.reactions)).put(i64::from(post.comments)).put(post.created_at).put(freshness);
        row.put(post.community.map(|community| world.communities[community].id));
        // The author's school at the time of the post: generated members never change it.
        row.put(world.members[post.author].school_key().as_deref());
    })
    .await?;
    Ok(())
}

/// The impressions of today, and the counter of each author: twenty readers per reaction.
async fn shown(db: &mut PgConnection, world: &World) -> anyhow::Result<()> {
    let mut seen = vec![0_i64; world.members.len() as usize];
    for post in world.posts.iter() {
        if let Some(seen) = seen.get_mut(post.author as usize) {
            *seen += 20 * i64::from(post.reactions) + 5;
        }
    }
    let written = world.members.numbered().zip(seen).filter(|(_, seen)| *seen > 0);
    copy(db, "feed.author_stats (member_id, impressions)", written, |row, ((_, member), seen)| {
        row.put(member.id).put(seen);
    })
    .await?;
    let mut rng = Rng::of(STREAM + 200);
    let newest = world.posts.len().min(400);
    let views = world.members.numbered().flat_map(|(viewer, member)| {
        let count = rng.below(20);
        let places = rng.distinct(count, newest).map(|place| world.posts.len() - 1 - place);
        places.filter(|post| world.posts[*post].author != viewer).map(|post| (member, post)).collect::<Vec<_>>()
    });
    let yesterday = (world.now - TimeDelta::days(1)).date_naive();
    copy(db, "feed.impressions (day, viewer_id, post_id)", views, |row, (member, post)| {
        row.put(yesterday).put(member.id).put(world.posts[post].id);
    })
    .await?;
    Ok(())
}
