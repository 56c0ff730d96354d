//! What an owner sends to change a profile, and endorsements of skills.

use chrono::{DateTime, Utc};
use portia_proto::profile as wire;
use prost_types::FieldMask;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::members::views::Author,
    edge::timestamps::{named, required_moment},
};
use crate::{
    api::{members::cache::MemberCards, profile::data_url},
    edge::problem::Problem,
};

/// What changes of one's own card. A field that is left out stays; null or an empty text clears it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateUser {
    /// 2 to 100 characters; cannot be cleared.
    #[serde(default, deserialize_with = "named")]
    full_name: Option<String>,
    /// What they say they are, in a line.
    #[serde(default, deserialize_with = "named")]
    headline: Option<String>,
    /// Where they are.
    #[serde(default, deserialize_with = "named")]
    location: Option<String>,
    /// A picture as `data:image/png;base64,` or `data:image/jpeg;base64,`; the present address changes nothing.
    #[serde(default, deserialize_with = "named")]
    avatar_url: Option<String>,
    /// http(s).
    #[serde(default, deserialize_with = "named")]
    website: Option<String>,
    /// http(s).
    #[serde(default, deserialize_with = "named")]
    linkedin: Option<String>,
}

impl TryFrom<UpdateUser> for wire::UpdateMemberRequest {
    type Error = Problem;

    fn try_from(body: UpdateUser) -> Result<Self, Problem> {
        let picture = body.avatar_url.map(picture).transpose()?;
        let mut paths = Vec::new();
        let mut take = |name: &str, value: Option<String>| {
            paths.extend(value.is_some().then(|| name.to_owned()));
            value.unwrap_or_default()
        };
        Ok(Self {
            full_name: take("full_name", body.full_name),
            headline: take("headline", body.headline),
            location: take("location", body.location),
            website: take("website", body.website),
            linkedin: take("linkedin", body.linkedin),
            school: String::new(),
            graduation_year: String::new(),
            picture,
            update_mask: Some(FieldMask { paths }),
        })
    }
}

fn picture(avatar_url: String) -> Result<wire::update_member_request::Picture, Problem> {
    use wire::update_member_request::Picture;
    Ok(match data_url::picture(&avatar_url) {
        _ if avatar_url.is_empty() => Picture::ClearPicture(true),
        Some(Ok(bytes)) => Picture::NewPicture(bytes),
        Some(Err(problem)) => return Err(problem),
        None => Picture::SamePicture(avatar_url),
    })
}

/// The profile as it shall be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceProfile {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub user_id: Option<String>,
    /// A text about themselves, at most 5,000 characters.
    bio: Option<String>,
    /// At most 30.
    experiences: Vec<ExperienceEntry>,
    /// At most 15.
    education: Vec<EducationEntry>,
    /// At most 50 of 60 characters each; blank ones and repetitions are left out.
    skills: Vec<String>,
}

impl From<ReplaceProfile> for wire::ReplaceProfileRequest {
    fn from(body: ReplaceProfile) -> Self {
        Self {
            bio: body.bio,
            experiences: body.experiences.into_iter().map(wire::Experience::from).collect(),
            education: body.education.into_iter().map(wire::Education::from).collect(),
            skills: body.skills,
        }
    }
}

/// A position held, as sent. Months are `YYYY-MM`. A text left out counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExperienceEntry {
    /// As answered, or the sender's own of at most 64 characters; without one the entry gets one.
    id: Option<String>,
    /// Of the position.
    #[serde(default)]
    #[schema(required)]
    title: String,
    /// With whom.
    #[serde(default)]
    #[schema(required)]
    company: String,
    /// First month.
    #[serde(default)]
    #[schema(required)]
    start_date: String,
    /// Last month.
    end_date: Option<String>,
    /// Still held.
    #[serde(default)]
    #[schema(required = false)]
    is_current_position: bool,
    /// What it was about.
    description: Option<String>,
    /// Where.
    location: Option<String>,
}

impl From<ExperienceEntry> for wire::Experience {
    fn from(entry: ExperienceEntry) -> Self {
        Self {
            id: entry.id.unwrap_or_default(),
            title: entry.title,
            company: entry.company,
            start_date: entry.start_date,
            end_date: entry.end_date,
            is_current_position: entry.is_current_position,
            description: entry.description,
            location: entry.location,
        }
    }
}

/// A course of study, as sent. Months are `YYYY-MM`. A text left out counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EducationEntry {
    /// As answered, or the sender's own of at most 64 characters; without one the entry gets one.
    id: Option<String>,
    /// The school.
    #[serde(default)]
    #[schema(required)]
    institution: String,
    /// What it led to.
    #[serde(default)]
    #[schema(required)]
    degree: String,
    /// Of what.
    field_of_study: Option<String>,
    /// First month.
    #[serde(default)]
    #[schema(required)]
    start_date: String,
    /// Last month.
    end_date: Option<String>,
    /// What it was about.
    description: Option<String>,
}

impl From<EducationEntry> for wire::Education {
    fn from(entry: EducationEntry) -> Self {
        Self {
            id: entry.id.unwrap_or_default(),
            institution: entry.institution,
            degree: entry.degree,
            field_of_study: entry.field_of_study,
            start_date: entry.start_date,
            end_date: entry.end_date,
            description: entry.description,
        }
    }
}

/// One member's word for a skill.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Endorsement {
    /// Whose word.
    pub user: Author,
    /// When it was given.
    pub created_at: DateTime<Utc>,
    /// Only its owner is shown hidden ones.
    pub hidden: bool,
}

impl Endorsement {
    /// With the endorser.
    pub fn of(endorsement: wire::Endorsement, people: &MemberCards) -> Self {
        Self {
            user: people.author(&endorsement.endorser_id),
            created_at: required_moment(endorsement.created_at),
            hidden: endorsement.hidden,
        }
    }
}

/// Which skill is endorsed. Left out counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndorseSkill {
    /// As the profile spells it.
    #[serde(default)]
    #[schema(required)]
    pub skill: String,
}

/// Hides one endorsement of one's own skill, or shows it again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HideEndorsement {
    /// As the profile spells it.
    #[serde(default)]
    #[schema(required)]
    pub skill: String,
    /// Whose.
    #[serde(default)]
    #[schema(required, format = Uuid)]
    pub endorser_id: String,
    /// False shows it again.
    pub hidden: bool,
}
