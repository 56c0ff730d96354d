//! From the wire to what profile works with, and back: the only place that checks shape.

mod card;
mod endorsements;
mod life;

use chrono::{DateTime, Utc};
use portia_proto::{
    auth::{MemberRegistered, RegistrationForm},
    profile as proto,
};
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Line},
};
use prost_types::Timestamp;
use uuid::Uuid;

use crate::{
    members::{Card, Education, Experience, Member, Standing, Stats},
    search::FoundMember,
};

pub use card::Update;
pub use endorsements::{Asked, Hiding};

/// Cards one call may ask for.
const BATCH: usize = 200;
/// Members among whom one call may look for a name.
const CROWD: usize = 1_000;

/// A member as registered, acceptable in every part.
#[derive(Clone, Debug)]
pub struct NewMember {
    /// The account's id.
    pub id: Uuid,
    /// A copy of auth's.
    pub username: Line<64>,
    /// As shown.
    pub full_name: Line<100>,
    /// What they are.
    pub headline: Option<Line<200>>,
    /// Where they are.
    pub location: Option<Line<100>>,
    /// Where they study or studied.
    pub school: Option<Line<200>>,
    /// When they finish, in their own words: `2027`, `May 2027`.
    pub graduation_year: Option<Line<10>>,
}

impl NewMember {
    fn parse(id: &str, username: &str, raw: Option<RegistrationForm>) -> Result<Self, InvalidRequest> {
        let raw = raw.unwrap_or_default();
        let mut form = Form::default();
        let id = form.take(ids::parse("memberId", id));
        let username = form.take(Line::parse("username", username, 3, "Username must be at least 3 characters"));
        let full_name = form.take(Line::parse("fullName", &raw.full_name, 2, "Full name is required"));
        let headline = form.take(Line::parse_optional("headline", raw.headline.as_deref()));
        let location = form.take(Line::parse_optional("location", raw.location.as_deref()));
        let school = form.take(Line::parse_optional("school", raw.school.as_deref()));
        let graduation_year = form.take(Line::parse_optional("graduationYear", raw.graduation_year.as_deref()));
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

impl TryFrom<proto::EnsureMemberRequest> for NewMember {
    type Error = InvalidRequest;

    fn try_from(raw: proto::EnsureMemberRequest) -> Result<Self, InvalidRequest> {
        Self::parse(&raw.member_id, &raw.username, raw.form)
    }
}

impl TryFrom<MemberRegistered> for NewMember {
    type Error = InvalidRequest;

    fn try_from(raw: MemberRegistered) -> Result<Self, InvalidRequest> {
        Self::parse(&raw.member_id, &raw.username, raw.form)
    }
}

/// Whose profile.
///
/// # Errors
/// A violation of `memberId`.
pub fn member_id(raw: &str) -> Result<Uuid, InvalidRequest> {
    Ok(ids::parse("memberId", raw)?)
}

/// Whose cards.
///
/// # Errors
/// A violation of `memberIds`.
pub fn member_ids(raw: &[String]) -> Result<Vec<Uuid>, InvalidRequest> {
    if raw.len() > BATCH {
        return Err(Violation::new("memberIds", format!("Ask for at most {BATCH} members at once.")).into());
    }
    Ok(raw.iter().map(|id| ids::parse("memberIds", id)).collect::<Result<_, _>>()?)
}

/// A name looked for among some members.
#[derive(Debug)]
pub struct Called {
    /// Among whom.
    pub among: Vec<Uuid>,
    /// What they are called.
    pub query: Line<100>,
}

impl TryFrom<proto::MatchNamesRequest> for Called {
    type Error = InvalidRequest;

    fn try_from(raw: proto::MatchNamesRequest) -> Result<Self, InvalidRequest> {
        if raw.member_ids.len() > CROWD {
            return Err(Violation::new("memberIds", format!("Ask about at most {CROWD} members at once.")).into());
        }
        let mut form = Form::default();
        let among = raw.member_ids.iter().map(|id| ids::parse("memberIds", id)).collect::<Result<_, _>>();
        let among = form.take(among);
        let query = form.take(Line::parse("query", &raw.query, 1, "This must not be empty."));
        form.finish(among.zip(query).map(|(among, query)| Self { among, query }))
    }
}

/// Who is looked for.
///
/// # Errors
/// Violations of `query`, `pageSize` and `pageToken`.
pub fn looked_for(raw: &proto::SearchMembersRequest) -> Result<::search::Asked, InvalidRequest> {
    ::search::Asked::parse(&raw.query, raw.page_size, &raw.page_token)
}

impl From<FoundMember> for proto::FoundMember {
    fn from(member: FoundMember) -> Self {
        let FoundMember { id, username, full_name, headline, location, school, avatar_url } = member;
        let card = Card { id, full_name, headline, avatar_url };
        Self { card: Some(card.into()), username, location, school }
    }
}

impl From<Member> for proto::Member {
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
            skills: member.skills.iter().map(|standing| standing.skill.clone()).collect(),
            endorsements: member.skills.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Standing> for proto::SkillEndorsements {
    fn from(standing: Standing) -> Self {
        let Standing { skill, count, endorsed_by_actor } = standing;
        Self { skill, count, endorsed_by_actor }
    }
}

impl From<Stats> for proto::MemberStats {
    fn from(stats: Stats) -> Self {
        Self { profile_views: stats.profile_views, connections: stats.connections }
    }
}

impl From<Experience> for proto::Experience {
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

impl From<Education> for proto::Education {
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

impl From<Card> for proto::MemberCard {
    fn from(card: Card) -> Self {
        Self {
            id: card.id.to_string(),
            full_name: card.full_name,
            headline: card.headline,
            avatar_url: card.avatar_url,
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
    fn a_registration_names_every_field_at_fault() {
        let refused = NewMember::try_from(proto::EnsureMemberRequest::default()).unwrap_err();
        let fields: Vec<&str> = refused.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["memberId", "username", "fullName"]);
    }

    #[test]
    fn a_batch_is_bounded_and_holds_ids_only() {
        let id = "01930000-0000-7000-8000-000000000401".to_owned();
        assert_eq!(member_ids(&vec![id.clone(); BATCH]).unwrap().len(), BATCH);
        assert!(member_ids(&vec![id.clone(); BATCH + 1]).is_err());
        assert!(member_ids(&[id, "\0".to_owned()]).is_err());
    }
}
