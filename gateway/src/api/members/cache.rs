//! The one place where ids become people: a bounded cache of member cards, kept true by profile's facts.

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
    api::members::views::Author,
    edge::{link_previews::LinkPreviews, problem::Problem, upstreams::Clients},
};

/// Cards kept at most; one is some 300 bytes.
const CARDS: u64 = 50_000;
/// The net under the facts: no card is older than this, whatever happens.
const OLDEST: Duration = Duration::from_secs(300);
/// A card read just before its member changed may arrive after the fact did. Reads end within this time.
const SETTLING: Duration = Duration::from_secs(5);
/// Cards of one call at most.
const BATCH: usize = 200;

/// Where cards are looked up; clones share the cache.
#[derive(Clone)]
pub struct MemberCache {
    clients: Clients,
    cards: Cache<String, Arc<Author>>,
    changed: Cache<String, ()>,
    /// Told of each who changes.
    previews: LinkPreviews,
    /// Moves when everything is forgotten, so that what was read before is not kept after.
    epoch: Arc<AtomicU64>,
}

impl MemberCache {
    /// An empty cache that hears of changes from now on.
    ///
    /// # Errors
    /// When profile's address is not configured.
    pub fn open(context: &ServiceContext, clients: Clients, previews: LinkPreviews) -> Result<Self, config::Error> {
        let cache = Self {
            clients,
            cards: Cache::builder().max_capacity(CARDS).time_to_live(OLDEST).build(),
            changed: Cache::builder().max_capacity(CARDS).time_to_live(SETTLING).build(),
            previews,
            epoch: Arc::default(),
        };
        let told = cache.clone();
        outbox::watch(context, "profile", move |heard| told.hear(&heard))?;
        Ok(cache)
    }

    fn hear(&self, heard: &outbox::Delivery<'_>) {
        match heard {
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

    /// Drops a member's card.
    pub fn forget(&self, member: &str) {
        self.changed.insert(member.to_owned(), ());
        self.cards.invalidate(member);
        self.previews.forget(member);
    }

    /// The cards of `ids`: those it has, and one call for the others. Never fails: see [`MemberCards::degraded`].
    pub async fn cards<'a>(&self, call: &Call, ids: impl IntoIterator<Item = &'a str>) -> MemberCards {
        let mut people = MemberCards::default();
        let mut missing = Vec::new();
        for id in ids.into_iter().collect::<HashSet<_>>() {
            match self.cards.get(id) {
                Some(card) => drop(people.cards.insert(id.to_owned(), card)),
                None => missing.push(id.to_owned()),
            }
        }
        for batch in missing.chunks(BATCH) {
            self.fetch(call, batch, &mut people).await;
        }
        people
    }

    /// Asks profile whether there is such a member now, past the cache: nothing is to be begun with somebody who left.
    ///
    /// # Errors
    /// 404 when there is not, and whatever keeps profile from saying.
    pub async fn ensure_exists(&self, call: &Call, id: Uuid) -> Result<(), Problem> {
        let request = call.request(BatchGetMembersRequest { member_ids: vec![id.to_string()] })?;
        let known = self.clients.profile().batch_get_members(request).await?.into_inner().members;
        if known.is_empty() { Err(Problem::no_such_user()) } else { Ok(()) }
    }

    async fn fetch(&self, call: &Call, ids: &[String], people: &mut MemberCards) {
        let epoch = self.epoch.load(Ordering::SeqCst);
        let asked = async {
            let request = call.request(BatchGetMembersRequest { member_ids: ids.to_vec() })?;
            self.clients.profile().batch_get_members(request).await
        };
        let members = match asked.await {
            Ok(answer) => answer.into_inner().members,
            Err(status) => {
                tracing::warn!(code = ?status.code(), "member cards are missing from an answer");
                people.degraded = true;
                return;
            }
        };
        for card in members {
            let card = Arc::new(Author::from(card));
            if self.epoch.load(Ordering::SeqCst) == epoch && !self.changed.contains_key(&card.id) {
                self.cards.insert(card.id.clone(), Arc::clone(&card));
            }
            people.cards.insert(card.id.clone(), card);
        }
    }
}

/// The people of one answer.
#[derive(Default)]
pub struct MemberCards {
    cards: HashMap<String, Arc<Author>>,
    degraded: bool,
}

impl MemberCards {
    /// Somebody on the page; 'Portia member' when no card could be had.
    pub fn author(&self, id: &str) -> Author {
        self.cards.get(id).map_or_else(|| Author::nameless(id), |card| Author::clone(card))
    }

    /// Whose part is missing from the page, if profile could not be asked.
    pub fn degraded(&self) -> Option<&'static str> {
        self.degraded.then_some("profile")
    }
}
