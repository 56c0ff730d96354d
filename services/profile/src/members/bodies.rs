//! The bodies of profiles. A body is the part of a profile that is equal for all viewers within its audience, kept in
//! memory for one version (versions.rs). The viewer's parts complete it.
//!
//! Replicas need no messages: the statement says which version to show, and a body of another version is read again.

use std::sync::Arc;

use moka::sync::Cache;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Education, Experience, Member, Stats, read,
    versions::{self, ViewedMember},
};
use crate::{
    endorsements::SkillEndorsements,
    error::Error,
    version::{MAX_AGE, Version},
};

/// The most memory for bodies: some 8,000 profiles.
const MAX_BYTES: u64 = 16 << 20;

/// The label of the metrics.
const CACHE: &str = "profile_bodies";

/// A body.
struct Body {
    version: Version,
    /// The profile as a visitor of a public profile sees it.
    member: Member,
}

/// A profile for a viewer.
pub enum Profile {
    /// The complete profile, and its version if it is a body with the viewer's parts.
    Complete(Box<Member>, Option<Version>),
    /// The viewer's parts of a profile whose body, in this version, the caller has.
    Known(ViewedMember),
}

impl Profile {
    /// Whether the viewer is outside the audience.
    pub const fn is_restricted(&self) -> bool {
        match self {
            Self::Complete(member, _) => member.restricted,
            Self::Known(_) => false,
        }
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
        let weigher = |_: &Uuid, body: &Arc<Body>| u32::try_from(bytes(&body.member)).unwrap_or(u32::MAX);
        Self { bodies: Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).time_to_live(MAX_AGE).build() }
    }
}

impl ProfileBodies {
    /// Returns the profile for a viewer. `known` is the version, as bytes, of a body that the caller has. A profile
    /// that changes between two statements is read again as a whole.
    ///
    /// # Errors
    /// [`Error::MemberNotFound`], as in [`read::get`].
    pub async fn get(
        &self,
        db: &mut PgConnection,
        id: Uuid,
        viewer: Option<Uuid>,
        known: &[u8],
    ) -> Result<Profile, Error> {
        let viewed = versions::get(&mut *db, id, viewer).await?;
        if viewed.sees_all && known == viewed.version.to_bytes() {
            return Ok(Profile::Known(viewed));
        }
        match self.body(db, id, viewed.version).await? {
            Some(body) => {
                let version = Some(viewed.version).filter(|_| viewed.sees_all);
                Ok(Profile::Complete(Box::new(for_viewer(&body.member, viewed)), version))
            }
            None => Ok(Profile::Complete(Box::new(read::get(db, id, viewer).await?), None)),
        }
    }

    /// Returns the body in this version; `None` if the profile has changed since.
    async fn body(&self, db: &mut PgConnection, id: Uuid, version: Version) -> Result<Option<Arc<Body>>, Error> {
        let found = self.bodies.get(&id).filter(|body| body.version == version);
        telemetry::cache_requests(CACHE, usize::from(found.is_some()), usize::from(found.is_none()));
        if found.is_some() {
            return Ok(found);
        }
        let (read_version, member) = read::read_body(db, id).await?;
        let stats = Stats { profile_views: 0, connections: 0 };
        let member = Member { steward_of: None, onboarding: None, stats, ..member };
        let body = Arc::new(Body { version: read_version, member });
        self.bodies.insert(id, Arc::clone(&body));
        Ok(Some(body).filter(|body| body.version == version))
    }
}

/// Completes a body with the viewer's parts.
fn for_viewer(body: &Member, viewed: ViewedMember) -> Member {
    if !viewed.sees_all {
        return name_only(body);
    }
    let mut member = body.clone();
    for skill in &mut member.skills {
        skill.endorsed_by_actor = viewed.endorsed.contains(&skill.skill);
    }
    if let Some(own) = viewed.own {
        member.stats = own.stats;
        member.onboarding = own.onboarding;
        member.steward_of = own.steward_of;
    }
    member
}

/// Returns the part of a profile that a viewer outside the audience sees.
fn name_only(body: &Member) -> Member {
    Member {
        id: body.id,
        username: String::new(),
        full_name: body.full_name.clone(),
        headline: None,
        location: None,
        bio: None,
        avatar_url: None,
        website: None,
        linkedin: None,
        school: None,
        graduation_year: None,
        created_at: body.created_at,
        experiences: Vec::new(),
        education: Vec::new(),
        skills: Vec::new(),
        jurisdictions: Vec::new(),
        interests: Vec::new(),
        restricted: true,
        indexable: body.indexable,
        verification: None,
        steward_of: None,
        stats: body.stats,
        onboarding: None,
    }
}

/// Estimates the bytes of a body.
fn bytes(body: &Member) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let texts = |texts: &[String]| texts.iter().map(|text| size_of::<String>() + text.len()).sum::<usize>();
    let experiences = body.experiences.iter().map(|entry: &Experience| {
        size_of_val(entry)
            + entry.id.len()
            + entry.title.len()
            + entry.company.len()
            + 16
            + text(&entry.description)
            + text(&entry.location)
    });
    let education = body.education.iter().map(|entry: &Education| {
        size_of_val(entry)
            + entry.id.len()
            + entry.institution.len()
            + entry.degree.len()
            + 16
            + text(&entry.field_of_study)
            + text(&entry.description)
    });
    let skills = body.skills.iter().map(|skill: &SkillEndorsements| size_of_val(skill) + skill.skill.len());
    let card = [
        &body.headline,
        &body.location,
        &body.bio,
        &body.avatar_url,
        &body.website,
        &body.linkedin,
        &body.school,
        &body.graduation_year,
    ];
    size_of::<Body>()
        + body.username.len()
        + body.full_name.len()
        + card.into_iter().map(text).sum::<usize>()
        + body.verification.as_ref().map_or(0, |verification| text(&verification.school))
        + texts(&body.jurisdictions)
        + texts(&body.interests)
        + experiences.sum::<usize>()
        + education.sum::<usize>()
        + skills.sum::<usize>()
}
