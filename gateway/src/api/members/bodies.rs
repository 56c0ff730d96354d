//! The bodies of profiles, which every viewer within the audience sees. Memory keeps one version of each as JSON.
//!
//! profile says with each request whether the version is current, so no messages about changes are needed.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use portia_proto::profile as pb;
use uuid::Uuid;

use crate::{
    api::{
        members::views::{ProfileStats, ProfileView, SkillEndorsements},
        onboarding::views::Onboarding,
    },
    edge::problem::Problem,
};

/// The most memory for bodies: some 4,000 profiles.
const MAX_BYTES: u64 = 16 << 20;
/// The longest use of a body, in addition to that in profile: see there.
const MAX_AGE: Duration = Duration::from_secs(300);

/// The label of the metrics.
const CACHE: &str = "profile_bodies";

/// The endorsements in the JSON of a profile without skills. Their form occurs in no text, where quotation marks have a backslash.
const NO_ENDORSEMENTS: &str = "\"endorsements\":[]";

/// The JSON of a body, with places for the parts of a viewer.
pub struct Body {
    version: Vec<u8>,
    /// Up to the first skill.
    before: String,
    /// Each skill, and its JSON without the mark of the viewer.
    skills: Vec<(String, String)>,
    /// From the end of the skills, without the last bracket.
    after: String,
}

/// The parts of a viewer.
#[derive(Default)]
pub struct OwnParts<'a> {
    /// The skills that the viewer endorses.
    pub endorsed: &'a [String],
    /// Only for the member themselves.
    pub onboarding: Option<Onboarding>,
    /// Only for the member themselves.
    pub stats: Option<ProfileStats>,
}

impl Body {
    /// The body of a profile; `None`, never, for one without places.
    fn of(mut member: pb::Member, version: Vec<u8>) -> Option<Self> {
        let skills = std::mem::take(&mut member.endorsements).into_iter().map(|skill| {
            let skill = SkillEndorsements { endorsed_by_me: false, ..skill.into() };
            let json = serde_json::to_string(&skill).ok()?.strip_suffix("false}")?.to_owned();
            Some((skill.skill, json))
        });
        let skills = skills.collect::<Option<_>>()?;
        let json = serde_json::to_string(&ProfileView::from(member)).ok()?;
        let (before, after) = json.split_once(NO_ENDORSEMENTS)?;
        let before = format!("{before}\"endorsements\":[");
        let after = format!("]{}", after.strip_suffix('}')?);
        Some(Self { version, before, skills, after })
    }

    /// The JSON for a viewer.
    ///
    /// # Errors
    /// Never: all parts are serializable.
    fn write(&self, own: &OwnParts<'_>) -> serde_json::Result<Vec<u8>> {
        let mut json = Vec::with_capacity(self.bytes() + 512);
        json.extend_from_slice(self.before.as_bytes());
        for (n, (skill, text)) in self.skills.iter().enumerate() {
            if n > 0 {
                json.push(b',');
            }
            json.extend_from_slice(text.as_bytes());
            json.extend_from_slice(if own.endorsed.contains(skill) { b"true}" } else { b"false}" });
        }
        json.extend_from_slice(self.after.as_bytes());
        if let Some(onboarding) = &own.onboarding {
            json.extend_from_slice(b",\"onboarding\":");
            serde_json::to_writer(&mut json, onboarding)?;
        }
        if let Some(stats) = &own.stats {
            json.extend_from_slice(b",\"stats\":");
            serde_json::to_writer(&mut json, stats)?;
        }
        json.push(b'}');
        Ok(json)
    }

    /// About the memory.
    fn bytes(&self) -> usize {
        let skills: usize = self.skills.iter().map(|(skill, json)| skill.len() + json.len() + 64).sum();
        size_of::<Self>() + self.before.len() + self.after.len() + skills
    }
}

/// The cache. Clones share it.
#[derive(Clone)]
pub struct ProfileBodies {
    bodies: Cache<Uuid, Arc<Body>>,
}

impl Default for ProfileBodies {
    fn default() -> Self {
        telemetry::cache_requests(CACHE, 0, 0);
        let weigher = |_: &Uuid, body: &Arc<Body>| u32::try_from(body.bytes()).unwrap_or(u32::MAX);
        Self { bodies: Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).time_to_live(MAX_AGE).build() }
    }
}

/// A body that a request named to profile.
pub struct KnownBody(Option<Arc<Body>>);

impl KnownBody {
    /// Its version; empty for none.
    pub fn version(&self) -> Vec<u8> {
        self.0.as_ref().map(|body| body.version.clone()).unwrap_or_default()
    }
}

impl ProfileBodies {
    /// The body in memory, to be named in the request.
    pub fn known(&self, id: Uuid) -> KnownBody {
        KnownBody(self.bodies.get(&id))
    }

    /// The JSON of a response to a request with this known body.
    ///
    /// # Errors
    /// 500 for a response without a profile.
    pub fn json(
        &self,
        id: Uuid,
        known: KnownBody,
        member: Option<pb::Member>,
        version: Vec<u8>,
        own: OwnParts<'_>,
    ) -> Result<Vec<u8>, Problem> {
        telemetry::cache_requests(CACHE, usize::from(member.is_none()), usize::from(member.is_some()));
        let json = match member {
            None => known.0.filter(|body| body.version == version).ok_or(Problem::internal())?.write(&own),
            Some(member) if version.is_empty() => whole(member, own),
            Some(member) => match Body::of(member.clone(), version).map(Arc::new) {
                None => whole(member, own),
                Some(body) => {
                    self.bodies.insert(id, Arc::clone(&body));
                    let skills = member.endorsements.into_iter().filter(|skill| skill.endorsed_by_actor);
                    let endorsed: Vec<String> = skills.map(|skill| skill.skill).collect();
                    body.write(&OwnParts { endorsed: &endorsed, ..own })
                }
            },
        };
        json.map_err(|_| Problem::internal())
    }
}

/// The JSON of a profile that is not kept.
fn whole(member: pb::Member, own: OwnParts<'_>) -> serde_json::Result<Vec<u8>> {
    let OwnParts { onboarding, stats, .. } = own;
    serde_json::to_vec(&ProfileView { onboarding, stats, ..ProfileView::from(member) })
}
