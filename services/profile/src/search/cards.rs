//! Search results in memory: cards with the connections that are examined, and the connections of viewers, each for one version.
//!
//! The version is the version of a profile (members/versions.rs): a change of a connection writes the rows of both
//! members. One statement reads versions and the visible members. The relationships are found in memory, where a lookup
//! among thousands of connections costs nanoseconds.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use moka::sync::Cache;
use sqlx::PgConnection;
use uuid::Uuid;

use super::results::{self, FoundCard, FoundMember, Relationship};
use crate::{
    verifications::Verification,
    version::{MAX_AGE, Version},
};

/// The most memory for cards: some 12,000 with fifty connections each.
const MAX_CARD_BYTES: u64 = 16 << 20;
/// The most memory for the connections of viewers: some 4,000 with fifty each.
const MAX_VIEWER_BYTES: u64 = 8 << 20;

/// The labels of the metrics.
const CARDS: &str = "search_cards";
const VIEWERS: &str = "search_viewers";

/// A card, with the data that determine its relationship with a viewer.
struct Card {
    version: Version,
    card: Arc<FoundCard>,
    /// The school as it is compared.
    school_key: Option<String>,
    /// The connections that are examined.
    connections: Box<[Uuid]>,
}

/// The data of a viewer that determine the relationships.
#[derive(Default)]
struct Viewer {
    version: Option<Version>,
    /// The school as it is compared.
    school_key: Option<String>,
    friends: HashSet<Uuid>,
}

/// The members that the viewer may see, and the cards that were asked for.
struct List {
    versions: Vec<(Uuid, Version)>,
    cards: Vec<Card>,
    viewer_version: Option<Version>,
}

/// The caches. Clones share them.
#[derive(Clone)]
pub struct SearchCards {
    cards: Cache<Uuid, Arc<Card>>,
    viewers: Cache<Uuid, Arc<Viewer>>,
}

impl Default for SearchCards {
    fn default() -> Self {
        telemetry::cache_requests(CARDS, 0, 0);
        telemetry::cache_requests(VIEWERS, 0, 0);
        let weigh = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let card = move |_: &Uuid, card: &Arc<Card>| weigh(card.bytes());
        let viewer = move |_: &Uuid, viewer: &Arc<Viewer>| weigh(viewer.bytes());
        Self {
            cards: Cache::builder().max_capacity(MAX_CARD_BYTES).weigher(card).time_to_live(MAX_AGE).build(),
            viewers: Cache::builder().max_capacity(MAX_VIEWER_BYTES).weigher(viewer).time_to_live(MAX_AGE).build(),
        }
    }
}

impl SearchCards {
    /// Returns the members that the viewer may see, in no order. One statement reads the versions and the cards that
    /// are not in memory, and a second one reads the cards that have changed. When a card changes meanwhile, the
    /// complete statement reads them all.
    pub async fn visible(
        &self,
        db: &mut PgConnection,
        ids: &[Uuid],
        viewer: Option<Uuid>,
    ) -> Result<Vec<FoundMember>, sqlx::Error> {
        let mut cards: HashMap<Uuid, Arc<Card>> =
            ids.iter().filter_map(|id| Some((*id, self.cards.get(id)?))).collect();
        let mut wanted: Vec<Uuid> = ids.iter().copied().filter(|id| !cards.contains_key(id)).collect();
        for _ in 0..2 {
            let List { versions, cards: read, viewer_version } = list(db, ids, viewer, &wanted).await?;
            if versions.is_empty() {
                return Ok(Vec::new());
            }
            let misses = read.len();
            for card in read {
                let (id, card) = (card.card.id, Arc::new(card));
                self.cards.insert(id, Arc::clone(&card));
                cards.insert(id, card);
            }
            let is_stale = |(id, version): &&(Uuid, Version)| cards.get(id).is_none_or(|card| card.version != *version);
            wanted = versions.iter().filter(is_stale).map(|(id, _)| *id).collect();
            telemetry::cache_requests(CARDS, versions.len().saturating_sub(misses + wanted.len()), misses);
            if wanted.is_empty() {
                let viewed_by = match viewer.zip(viewer_version) {
                    Some((id, version)) => self.viewer(db, id, version).await?,
                    None => Arc::default(),
                };
                // A viewer that profile does not know yet may have connections.
                if viewed_by.version != viewer_version || (viewer.is_some() && viewer_version.is_none()) {
                    break;
                }
                let shown = versions.iter().filter_map(|(id, _)| cards.get(id));
                return Ok(shown.map(|card| viewed_by.found(card)).collect());
            }
        }
        results::read(db, ids, viewer).await
    }

    /// Returns the viewer in this version from memory, or reads the current one.
    async fn viewer(&self, db: &mut PgConnection, id: Uuid, version: Version) -> Result<Arc<Viewer>, sqlx::Error> {
        let found = self.viewers.get(&id).filter(|viewer| viewer.version == Some(version));
        telemetry::cache_requests(VIEWERS, usize::from(found.is_some()), usize::from(found.is_none()));
        if let Some(viewer) = found {
            return Ok(viewer);
        }
        let viewer = Arc::new(read_viewer(db, id).await?);
        self.viewers.insert(id, Arc::clone(&viewer));
        Ok(viewer)
    }
}

impl Viewer {
    fn found(&self, card: &Card) -> FoundMember {
        let is_connected = self.friends.contains(&card.card.id);
        let has_mutual =
            !is_connected && !self.friends.is_empty() && card.connections.iter().any(|id| self.friends.contains(id));
        let relationship = Relationship {
            is_stranger: !is_connected,
            has_no_mutual_connection: !has_mutual,
            is_of_another_school: self.school_key.is_none() || self.school_key != card.school_key,
            is_unverified: card.card.verification.is_none(),
        };
        FoundMember { card: Arc::clone(&card.card), relationship }
    }

    /// Estimates the bytes in memory.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.friends.capacity() * (size_of::<Uuid>() + 1)
    }
}

impl Card {
    /// Estimates the bytes in memory.
    fn bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let FoundCard { username, full_name, headline, location, school, avatar_url, .. } = &*self.card;
        size_of::<Self>()
            + size_of::<FoundCard>()
            + size_of_val(&*self.connections)
            + username.len()
            + full_name.len()
            + [headline, location, school, avatar_url, &self.school_key].into_iter().map(text).sum::<usize>()
    }
}

/// Reads the members that the viewer may see, with the cards of `wanted`, and the version of the viewer. The limit is
/// [`results::MAX_EXAMINED`] as a literal: for a bound limit the planner assumes a tenth of the table.
async fn list(db: &mut PgConnection, ids: &[Uuid], viewer: Option<Uuid>, wanted: &[Uuid]) -> Result<List, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with blocked as materialized (
            select upper_id as id
            from profile.blocks
            where lower_id = $2
            union all
            select lower_id
            from profile.blocks
            where upper_id = $2
        )
        select m.id, m.xmin::text::bigint as "version!",
            (select v.xmin::text::bigint from profile.members v where v.id = $2) as viewer_version,
            case when w.is_wanted then username end as username,
            case when w.is_wanted then full_name end as full_name,
            case when w.is_wanted then headline end as headline,
            case when w.is_wanted then location end as location,
            case when w.is_wanted then school end as school,
            case when w.is_wanted then avatar_url end as avatar_url,
            case when w.is_wanted then verified_school end as verified_school,
            verified_at is not null as "is_verified!",
            case when w.is_wanted then profile.comparison_key(school) end as school_key,
            case
                when w.is_wanted
                then array(
                    select upper_id
                    from profile.connections
                    where lower_id = m.id
                    limit 200
                )
            end as later,
            case
                when w.is_wanted
                then array(
                    select lower_id
                    from profile.connections
                    where upper_id = m.id
                    limit 200
                )
            end as earlier
        from profile.members m
        cross join lateral (
            select m.id = any((select $3::uuid[])::uuid[]) as is_wanted
            offset 0
        ) as w
        where m.id = any((select $1::uuid[])::uuid[])
            and not m.hidden
            and case m.profile_audience
                when 'public' then true
                when 'members' then $2::uuid is not null
                else coalesce(m.id = $2, false) or exists (
                    select from profile.connections
                    where lower_id = least(m.id, $2)
                        and upper_id = greatest(m.id, $2)
                )
            end
            and m.id not in (select id from blocked)"#,
        ids,
        viewer,
        wanted,
    );
    let (mut versions, mut cards, mut viewer_version) = (Vec::new(), Vec::new(), None);
    for row in rows.fetch_all(db).await? {
        let version = Version(row.version);
        versions.push((row.id, version));
        viewer_version = row.viewer_version.map(Version);
        let Some((username, full_name)) = row.username.zip(row.full_name) else { continue };
        let connections = row.later.into_iter().flatten().chain(row.earlier.into_iter().flatten());
        cards.push(Card {
            version,
            school_key: row.school_key,
            connections: connections.collect(),
            card: Arc::new(FoundCard {
                id: row.id,
                username,
                full_name,
                headline: row.headline,
                location: row.location,
                school: row.school,
                avatar_url: row.avatar_url,
                verification: Verification::of(row.is_verified, row.verified_school),
            }),
        });
    }
    Ok(List { versions, cards, viewer_version })
}

/// Reads a viewer. An erased viewer has no version. The limit is [`results::MAX_FRIENDS`].
async fn read_viewer(db: &mut PgConnection, id: Uuid) -> Result<Viewer, sqlx::Error> {
    let row = sqlx::query!(
        r#"select m.xmin::text::bigint as "version!", profile.comparison_key(school) as school_key,
            array(
                select upper_id
                from profile.connections
                where lower_id = m.id
                limit 2000
            ) as "later!",
            array(
                select lower_id
                from profile.connections
                where upper_id = m.id
                limit 2000
            ) as "earlier!"
        from profile.members m
        where id = $1"#,
        id,
    );
    let Some(row) = row.fetch_optional(db).await? else { return Ok(Viewer::default()) };
    Ok(Viewer {
        version: Some(Version(row.version)),
        school_key: row.school_key,
        friends: row.later.into_iter().chain(row.earlier).collect(),
    })
}
