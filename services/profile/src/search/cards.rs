//! Search results in memory: cards with the connections that are examined, and the connections of viewers, each for one version.
//!
//! The version is that of a profile (members/versions.rs): a change of a connection writes the rows of both members. So a statement
//! reads versions and whom the viewer may see, and the relationships are found in memory, where a lookup among thousands of
//! connections costs nanoseconds.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use moka::sync::Cache;
use sqlx::PgConnection;
use uuid::Uuid;

use super::results::{self, FoundCard, FoundMember, MAX_EXAMINED, MAX_FRIENDS, Relationship};
use crate::{
    members::{bodies::MAX_AGE, versions::Version},
    verifications::Verification,
};

/// The most memory for cards: some 12,000 with fifty connections each.
const MAX_CARD_BYTES: u64 = 16 << 20;
/// The most memory for the connections of viewers: some 4,000 with fifty each.
const MAX_VIEWER_BYTES: u64 = 8 << 20;

/// The labels of the metrics.
const CARDS: &str = "search_cards";
const VIEWERS: &str = "search_viewers";

/// A card, and what decides about the relationship with a viewer.
struct Card {
    version: Version,
    card: Arc<FoundCard>,
    /// The school as it is compared.
    school_key: Option<String>,
    /// The connections that are examined.
    connections: Box<[Uuid]>,
}

/// What decides about the relationships of a viewer.
#[derive(Default)]
struct Viewer {
    version: Option<Version>,
    /// The school as it is compared.
    school_key: Option<String>,
    friends: HashSet<Uuid>,
}

/// A member whom the viewer may see.
struct Listed {
    id: Uuid,
    version: Version,
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
    /// Those of the members whom the viewer may see, in no order. When one changes between two statements, all are read in one.
    pub async fn visible(
        &self,
        db: &mut PgConnection,
        ids: &[Uuid],
        viewer: Option<Uuid>,
    ) -> Result<Vec<FoundMember>, sqlx::Error> {
        let (listed, viewer_version) = list(db, ids, viewer).await?;
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let viewed_by = match viewer.zip(viewer_version) {
            Some((id, version)) => self.viewer(db, id, version).await?,
            None => Arc::default(),
        };
        let cards = self.cards(db, &listed).await?;
        // A viewer of whom profile does not know yet may have connections.
        if viewed_by.version != viewer_version || (viewer.is_some() && viewer_version.is_none()) {
            return results::read(db, ids, viewer).await;
        }
        let found = listed.iter().map(|listed| {
            let card = cards.get(&listed.id).filter(|card| card.version == listed.version)?;
            Some(FoundMember { card: Arc::clone(&card.card), relationship: viewed_by.relationship(card) })
        });
        match found.collect::<Option<Vec<FoundMember>>>() {
            Some(found) => Ok(found),
            None => results::read(db, ids, viewer).await,
        }
    }

    /// The cards of the listed members, as they are now; those in memory are in the listed version.
    async fn cards(&self, db: &mut PgConnection, listed: &[Listed]) -> Result<HashMap<Uuid, Arc<Card>>, sqlx::Error> {
        let (mut cards, mut missing) = (HashMap::with_capacity(listed.len()), Vec::new());
        for Listed { id, version } in listed {
            match self.cards.get(id).filter(|card| card.version == *version) {
                Some(card) => drop(cards.insert(*id, card)),
                None => missing.push(*id),
            }
        }
        telemetry::cache_requests(CARDS, cards.len(), missing.len());
        if !missing.is_empty() {
            for card in read_cards(db, &missing).await? {
                let (id, card) = (card.card.id, Arc::new(card));
                self.cards.insert(id, Arc::clone(&card));
                cards.insert(id, card);
            }
        }
        Ok(cards)
    }

    /// The viewer, as it is now, or in memory in this version.
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
    fn relationship(&self, card: &Card) -> Relationship {
        let is_connected = self.friends.contains(&card.card.id);
        let has_mutual =
            !is_connected && !self.friends.is_empty() && card.connections.iter().any(|id| self.friends.contains(id));
        Relationship {
            is_stranger: !is_connected,
            has_no_mutual_connection: !has_mutual,
            is_of_another_school: self.school_key.is_none() || self.school_key != card.school_key,
            is_unverified: card.card.verification.is_none(),
        }
    }

    /// About the memory.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.friends.capacity() * (size_of::<Uuid>() + 1)
    }
}

impl Card {
    /// About the memory.
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

/// Those of the members whom the viewer may see, and the version of the viewer.
async fn list(
    db: &mut PgConnection,
    ids: &[Uuid],
    viewer: Option<Uuid>,
) -> Result<(Vec<Listed>, Option<Version>), sqlx::Error> {
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
            (select v.xmin::text::bigint from profile.members v where v.id = $2) as viewer_version
        from profile.members m
        where m.id = any((select $1::uuid[])::uuid[])
            and not hidden
            and case profile_audience
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
    );
    let rows = rows.fetch_all(db).await?;
    let viewer_version = rows.first().and_then(|row| row.viewer_version).map(Version);
    let listed = rows.into_iter().map(|row| Listed { id: row.id, version: Version(row.version) });
    Ok((listed.collect(), viewer_version))
}

/// Cards as they are now. Erased members have none.
async fn read_cards(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<Card>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, username, full_name, headline, location, school, avatar_url, verified_school,
            m.xmin::text::bigint as "version!",
            verified_at is not null as "is_verified!",
            profile.comparison_key(school) as school_key,
            array(
                select upper_id
                from profile.connections
                where lower_id = m.id
                limit $2
            ) as "later!",
            array(
                select lower_id
                from profile.connections
                where upper_id = m.id
                limit $2
            ) as "earlier!"
        from profile.members m
        where id = any((select $1::uuid[])::uuid[])"#,
        ids,
        MAX_EXAMINED,
    );
    let cards = rows.fetch_all(db).await?.into_iter().map(|row| Card {
        version: Version(row.version),
        school_key: row.school_key,
        connections: row.later.into_iter().chain(row.earlier).collect(),
        card: Arc::new(FoundCard {
            id: row.id,
            username: row.username,
            full_name: row.full_name,
            headline: row.headline,
            location: row.location,
            school: row.school,
            avatar_url: row.avatar_url,
            verification: Verification::of(row.is_verified, row.verified_school),
        }),
    });
    Ok(cards.collect())
}

/// A viewer as it is now. An erased one has no version.
async fn read_viewer(db: &mut PgConnection, id: Uuid) -> Result<Viewer, sqlx::Error> {
    let row = sqlx::query!(
        r#"select m.xmin::text::bigint as "version!", profile.comparison_key(school) as school_key,
            array(
                select upper_id
                from profile.connections
                where lower_id = m.id
                limit $2
            ) as "later!",
            array(
                select lower_id
                from profile.connections
                where upper_id = m.id
                limit $2
            ) as "earlier!"
        from profile.members m
        where id = $1"#,
        id,
        MAX_FRIENDS,
    );
    let Some(row) = row.fetch_optional(db).await? else { return Ok(Viewer::default()) };
    Ok(Viewer {
        version: Some(Version(row.version)),
        school_key: row.school_key,
        friends: row.later.into_iter().chain(row.earlier).collect(),
    })
}
