//! Conversion between proto messages and domain types, and the validation of requests.

mod career;
mod catalogue;
mod endorsements;
mod members;
mod onboarding;
mod privacy;
mod verifications;

use chrono::{DateTime, Utc};
use picture_store::Name;
use portia_proto::{
    auth::{MemberRegistered, RegistrationForm},
    profile as pb,
};
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Line},
};
use prost_types::Timestamp;
use uuid::Uuid;

use crate::{
    endorsements::SkillEndorsements,
    members::{
        Education, Experience, Member, NewMember, Stats,
        bodies::Profile,
        list::Card,
        versions::{OwnParts, ViewedMember},
    },
    search::{NameQuery, results::FoundMember},
    version::Version,
};

pub use verifications::parse_decision_page;

/// The maximum of ids in BatchGetMembers.
const MAX_BATCH: usize = 200;
/// The maximum of ids in MatchConnectionNames.
const MAX_REQUESTERS: usize = 100;
/// The maximum of ids in MatchNames.
const MAX_NAMES: usize = 1_000;

impl NewMember {
    fn parse(id: &str, username: &str, raw: Option<RegistrationForm>) -> Result<Self, InvalidRequest> {
        let raw = raw.unwrap_or_default();
        // auth has validated the form. A form of an earlier version may have a name that is refused now.
        let mut form = Form::default();
        let id = form.take(ids::parse("memberId", id));
        let username =
            form.take(Line::parse_lenient("username", username, 3, "Username must be at least 3 characters"));
        let full_name = form.take(Line::parse_lenient("fullName", &raw.full_name, 2, "Full name is required"));
        let headline = form.take(Line::parse_optional_lenient("headline", raw.headline.as_deref()));
        let location = form.take(Line::parse_optional_lenient("location", raw.location.as_deref()));
        let school = form.take(Line::parse_optional_lenient("school", raw.school.as_deref()));
        let graduation_year = form.take(Line::parse_optional_lenient("graduationYear", raw.graduation_year.as_deref()));
        let taken = (|| {
            Some(Self {
                id: id?,
                username: username?,
                full_name: full_name?,
                headline: headline?,
                location: location?,
                school: school?,
                graduation_year: graduation_year?,
            })
        })();
        form.finish(taken)
    }
}

impl TryFrom<pb::EnsureMemberRequest> for NewMember {
    type Error = InvalidRequest;

    fn try_from(raw: pb::EnsureMemberRequest) -> Result<Self, InvalidRequest> {
        Self::parse(&raw.member_id, &raw.username, raw.form)
    }
}

impl TryFrom<MemberRegistered> for NewMember {
    type Error = InvalidRequest;

    fn try_from(raw: MemberRegistered) -> Result<Self, InvalidRequest> {
        Self::parse(&raw.member_id, &raw.username, raw.form)
    }
}

pub fn parse_member_id(raw: &str) -> Result<Uuid, InvalidRequest> {
    Ok(ids::parse("memberId", raw)?)
}

/// A picture and its viewer.
pub fn parse_picture(raw: &pb::CheckPictureRequest) -> Result<(Name, Option<Uuid>), InvalidRequest> {
    let name =
        Name::from_hash(&raw.hash).ok_or_else(|| Violation::new("hash", "This is not the name of a picture."))?;
    let viewer = raw.viewer_id.as_deref().map(|id| ids::parse("viewerId", id)).transpose()?;
    Ok((name, viewer))
}

pub fn parse_member_ids(raw: &[String]) -> Result<Vec<Uuid>, InvalidRequest> {
    if raw.len() > MAX_BATCH {
        return Err(Violation::new("memberIds", format!("Ask for at most {MAX_BATCH} members at once.")).into());
    }
    Ok(raw.iter().map(|id| ids::parse("memberIds", id)).collect::<Result<_, _>>()?)
}

pub fn parse_requester_ids(raw: &[String]) -> Result<Vec<Uuid>, InvalidRequest> {
    if raw.len() > MAX_REQUESTERS {
        return Err(Violation::new("memberIds", format!("Ask about at most {MAX_REQUESTERS} members at once.")).into());
    }
    parse_member_ids(raw)
}

impl TryFrom<pb::MatchNamesRequest> for NameQuery {
    type Error = InvalidRequest;

    fn try_from(raw: pb::MatchNamesRequest) -> Result<Self, InvalidRequest> {
        if raw.member_ids.len() > MAX_NAMES {
            return Err(Violation::new("memberIds", format!("Ask about at most {MAX_NAMES} members at once.")).into());
        }
        let mut form = Form::default();
        let member_ids = raw.member_ids.iter().map(|id| ids::parse("memberIds", id)).collect::<Result<_, _>>();
        let member_ids = form.take(member_ids);
        let text = form.take(Line::parse_lenient("query", &raw.query, 1, "This must not be empty."));
        form.finish(member_ids.zip(text).map(|(member_ids, text)| Self { member_ids, text }))
    }
}

pub fn parse_search(raw: &pb::SearchMembersRequest) -> Result<::search::WindowQuery, InvalidRequest> {
    ::search::WindowQuery::parse(&raw.query, raw.page_size, &raw.page_token, crate::search::WINDOW)
}

impl From<FoundMember> for pb::FoundMember {
    fn from(FoundMember { card: found, .. }: FoundMember) -> Self {
        let card = pb::MemberCard {
            id: found.id.to_string(),
            full_name: found.full_name.clone(),
            headline: found.headline.clone(),
            avatar_url: found.avatar_url.clone(),
            varies_by_actor: true,
            verification: found.verification.clone().map(Into::into),
        };
        Self {
            card: Some(card),
            username: found.username.clone(),
            location: found.location.clone(),
            school: found.school.clone(),
        }
    }
}

impl From<Member> for pb::Member {
    fn from(member: Member) -> Self {
        Self {
            id: member.id.to_string(),
            username: member.username,
            full_name: member.full_name,
            headline: member.headline,
            location: member.location,
            bio: member.bio,
            avatar_url: member.avatar_url,
            website: member.website,
            linkedin: member.linkedin,
            school: member.school,
            graduation_year: member.graduation_year,
            created_at: Some(timestamp(member.created_at)),
            experiences: member.experiences.into_iter().map(Into::into).collect(),
            education: member.education.into_iter().map(Into::into).collect(),
            skills: member.skills.iter().map(|skill| skill.skill.clone()).collect(),
            endorsements: member.skills.into_iter().map(Into::into).collect(),
            jurisdictions: member.jurisdictions,
            interests: member.interests,
            restricted: member.restricted,
            indexable: member.indexable,
            verification: member.verification.map(Into::into),
        }
    }
}

impl Profile {
    /// Builds the response for a viewer. `is_own` says whether the viewer is the member.
    pub fn into_response(self, is_own: bool) -> pb::GetMemberResponse {
        match self {
            Self::Complete(mut member, version) => pb::GetMemberResponse {
                stats: is_own.then(|| member.stats.into()),
                onboarding: member.onboarding.take().map(Into::into),
                steward_of: member.steward_of.take(),
                member: Some((*member).into()),
                version: version.map(Version::to_bytes).unwrap_or_default(),
                endorsed_skills: Vec::new(),
            },
            Self::Known(ViewedMember { version, endorsed, own, .. }) => {
                let (stats, onboarding, steward_of) = match own {
                    Some(OwnParts { stats, onboarding, steward_of }) => (Some(stats), onboarding, steward_of),
                    None => (None, None, None),
                };
                pb::GetMemberResponse {
                    member: None,
                    stats: stats.map(Into::into),
                    onboarding: onboarding.map(Into::into),
                    steward_of,
                    version: version.to_bytes(),
                    endorsed_skills: endorsed,
                }
            }
        }
    }
}

impl From<SkillEndorsements> for pb::SkillEndorsements {
    fn from(endorsements: SkillEndorsements) -> Self {
        let SkillEndorsements { skill, count, endorsed_by_actor } = endorsements;
        Self { skill, count, endorsed_by_actor }
    }
}

impl From<Stats> for pb::MemberStats {
    fn from(stats: Stats) -> Self {
        Self { profile_views: stats.profile_views, connections: stats.connections }
    }
}

impl From<Experience> for pb::Experience {
    fn from(experience: Experience) -> Self {
        Self {
            id: experience.id,
            title: experience.title,
            company: experience.company,
            start_date: experience.start_date,
            end_date: experience.end_date,
            is_current_position: experience.is_current_position,
            description: experience.description,
            location: experience.location,
        }
    }
}

impl From<Education> for pb::Education {
    fn from(education: Education) -> Self {
        Self {
            id: education.id,
            institution: education.institution,
            degree: education.degree,
            field_of_study: education.field_of_study,
            start_date: education.start_date,
            end_date: education.end_date,
            description: education.description,
        }
    }
}

impl From<Card> for pb::MemberCard {
    fn from(card: Card) -> Self {
        Self {
            id: card.id.to_string(),
            full_name: card.full_name,
            headline: card.headline,
            avatar_url: card.avatar_url,
            varies_by_actor: card.varies_by_actor,
            verification: card.verification.map(Into::into),
        }
    }
}

fn timestamp(at: DateTime<Utc>) -> Timestamp {
    Timestamp { seconds: at.timestamp(), nanos: i32::try_from(at.timestamp_subsec_nanos()).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_reports_every_invalid_field() {
        let error = NewMember::try_from(pb::EnsureMemberRequest::default()).unwrap_err();
        let fields: Vec<&str> = error.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["memberId", "username", "fullName"]);
    }

    #[test]
    fn a_batch_is_bounded_and_contains_only_ids() {
        let id = "01930000-0000-7000-8000-000000000401".to_owned();
        assert_eq!(parse_member_ids(&vec![id.clone(); MAX_BATCH]).unwrap().len(), MAX_BATCH);
        assert!(parse_member_ids(&vec![id.clone(); MAX_BATCH + 1]).is_err());
        assert!(parse_member_ids(&[id, "\0".to_owned()]).is_err());
    }
}
