//! The cache of member cards, kept up to date by the facts of profile.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chassis::{ServiceContext, config};
use moka::sync::Cache;
use portia_proto::profile::{BatchGetMembersRequest, MemberChanged};
use prost::{Message as _, Name as _};
use rpc::Call;
use uuid::Uuid;

use crate::{
    api::{
        contract::{Author, Cards},
        link_previews::LinkPreviews,
    },
    edge::{problem::Problem, upstreams::Clients},
};

/// The label of the metrics.
const CACHE: &str = "member_cards";
/// The maximum of cached cards, of some 300 bytes each.
const CARDS: u64 = 50_000;
/// The maximum age of a card, in case a fact is lost.
const MAX_AGE: Duration = Duration::from_secs(300);
/// The time in which a read that started before the change can still return the old card.
const STALE_READ_TIME: Duration = Duration::from_secs(5);
/// The maximum of cards per request.
const BATCH: usize = 200;

/// The cache. Clones share it.
#[derive(Clone)]
pub struct MemberCache {
    clients: Clients,
    cards: Cache<String, Arc<Author>>,
    changed: Cache<String, ()>,
    /// Drops the preview of a changed member.
    previews: LinkPreviews,
    /// Increases when the cache is emptied, so that earlier reads are not cached.
    epoch: Arc<AtomicU64>,
}

impl MemberCache {
    /// An empty cache that receives changes from now on.
    ///
    /// # Errors
    /// When the address of profile is not configured.
    pub fn open(context: &ServiceContext, clients: Clients, previews: LinkPreviews) -> Result<Self, config::Error> {
        telemetry::cache_requests(CACHE, 0, 0);
        let cache = Self {
            clients,
            cards: Cache::builder().max_capacity(CARDS).time_to_live(MAX_AGE).build(),
            changed: Cache::builder().max_capacity(CARDS).time_to_live(STALE_READ_TIME).build(),
            previews,
            epoch: Arc::default(),
        };
        let subscriber = cache.clone();
        outbox::watch(context, "profile", move |delivery| subscriber.apply(&delivery))?;
        Ok(cache)
    }

    fn apply(&self, delivery: &outbox::Delivery<'_>) {
        match delivery {
            outbox::Delivery::Gap => {
                self.epoch.fetch_add(1, Ordering::SeqCst);
                self.cards.invalidate_all();
                self.previews.forget_all();
            }
            outbox::Delivery::Fact(fact) if fact.kind == MemberChanged::full_name() => {
                if let Ok(changed) = MemberChanged::decode(fact.payload.as_slice()) {
                    self.forget(&changed.member_id);
                }
            }
            outbox::Delivery::Fact(_) => {}
        }
    }

    /// Drops the card of a member.
    pub fn forget(&self, member: &str) {
        self.changed.insert(member.to_owned(), ());
        self.cards.invalidate(member);
        self.previews.forget(member);
    }

    /// Returns the cards of `ids`; asks profile for uncached cards. Never fails; see [`MemberCards::degraded`].
    pub async fn cards<'a>(&self, call: &Call, ids: impl IntoIterator<Item = &'a str>) -> MemberCards {
        let mut people = MemberCards::default();
        let mut missing = Vec::new();
        for id in ids.into_iter().collect::<HashSet<_>>() {
            match self.cards.get(id) {
                Some(card) => drop(people.cards.insert(id.to_owned(), card)),
                None => missing.push(id.to_owned()),
            }
        }
        telemetry::cache_requests(CACHE, people.cards.len(), missing.len());
        for batch in missing.chunks(BATCH) {
            self.fetch(call, batch, &mut people).await;
        }
        people
    }

    /// Checks with profile, bypassing the cache, that the member exists. social-graph and messaging do not know all members:
    /// they learn of a registration later, from its fact.
    ///
    /// # Errors
    /// 404 when the member does not exist, or the error of profile.
    pub async fn ensure_exists(&self, call: &Call, id: Uuid) -> Result<(), Problem> {
        self.ensure_all_exist(call, &[id]).await
    }

    /// Like [`Self::ensure_exists`]; a block between the two hides the member, whose name the answer would contain.
    ///
    /// # Errors
    /// 404 when the member does not exist or is hidden, or the error of profile.
    pub async fn ensure_visible(&self, call: &Call, id: Uuid) -> Result<(), Problem> {
        self.ensure_all(call, &[id], true).await
    }

    /// Checks several members, as [`Self::ensure_exists`] does.
    ///
    /// # Errors
    /// 404 when one of them does not exist, or the error of profile.
    pub async fn ensure_all_exist(&self, call: &Call, ids: &[Uuid]) -> Result<(), Problem> {
        self.ensure_all(call, ids, false).await
    }

    async fn ensure_all(&self, call: &Call, ids: &[Uuid], visible_to_actor: bool) -> Result<(), Problem> {
        let ids: HashSet<String> = ids.iter().map(Uuid::to_string).collect();
        let member_ids = ids.iter().cloned().collect();
        let request = call.request(BatchGetMembersRequest { member_ids, visible_to_actor })?;
        let known = self.clients.profile().batch_get_members(request).await?.into_inner().members;
        let known: HashSet<String> = known.into_iter().map(|member| member.id).collect();
        if ids.is_subset(&known) { Ok(()) } else { Err(Problem::no_such_user()) }
    }

    async fn fetch(&self, call: &Call, ids: &[String], people: &mut MemberCards) {
        let epoch = self.epoch.load(Ordering::SeqCst);
        let result = async {
            let request = call.request(BatchGetMembersRequest { member_ids: ids.to_vec(), ..Default::default() })?;
            self.clients.profile().batch_get_members(request).await
        };
        let members = match result.await {
            Ok(answer) => answer.into_inner().members,
            Err(status) => {
                tracing::warn!(code = ?status.code(), "member cards are missing from a response");
                people.degraded = true;
                return;
            }
        };
        for card in members {
            // A card that depends on the caller is fetched for each of them.
            let is_shared = !card.varies_by_actor;
            let card = Arc::new(Author::from(card));
            if is_shared && self.epoch.load(Ordering::SeqCst) == epoch && !self.changed.contains_key(&card.id) {
                self.cards.insert(card.id.clone(), Arc::clone(&card));
            }
            people.cards.insert(card.id.clone(), card);
        }
    }
}

/// The member cards of a response.
#[derive(Default)]
pub struct MemberCards {
    cards: HashMap<String, Arc<Author>>,
    degraded: bool,
}

impl Cards for MemberCards {
    fn author(&self, id: &str) -> Author {
        self.cards.get(id).map_or_else(|| Author::nameless(id), |card| Author::clone(card))
    }
}

impl MemberCards {
    /// Writes the card of [`Self::author`] as JSON.
    ///
    /// # Errors
    /// Never: cards are serializable.
    pub fn write_author(&self, id: &str, json: &mut Vec<u8>) -> serde_json::Result<()> {
        match self.cards.get(id) {
            Some(card) => serde_json::to_writer(json, &**card),
            None => serde_json::to_writer(json, &Author::nameless(id)),
        }
    }

    /// Whether the card of an id is known.
    pub fn contains(&self, id: &str) -> bool {
        self.cards.contains_key(id)
    }

    /// The service whose cards are missing, if any.
    pub fn degraded(&self) -> Option<&'static str> {
        self.degraded.then_some("profile")
    }
}
