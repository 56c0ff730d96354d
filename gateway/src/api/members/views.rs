//! Members: the whole user, the profile screen's answer, and the few facts lists carry.

use chrono::{DateTime, Utc};
use portia_proto::profile as wire;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edge::timestamps::required_moment;

/// The name of somebody whose card could not be had, or who left.
pub const NAMELESS: &str = "Portia member";

/// A member, whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// As typed at registration.
    pub username: String,
    /// 2 to 100 characters.
    pub full_name: String,
    /// What they say they are, in a line.
    #[schema(required)]
    pub headline: Option<String>,
    /// Where they are.
    #[schema(required)]
    pub location: Option<String>,
    /// A text about themselves.
    #[schema(required)]
    pub bio: Option<String>,
    /// The picture's address.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// http(s).
    #[schema(required)]
    pub website: Option<String>,
    /// http(s).
    #[schema(required)]
    pub linkedin: Option<String>,
    /// Where they study or studied.
    #[schema(required)]
    pub school: Option<String>,
    /// A text, as registration sends it.
    #[schema(required)]
    pub graduation_year: Option<String>,
    /// When they joined.
    pub created_at: DateTime<Utc>,
    /// Positions held.
    pub experiences: Vec<Experience>,
    /// Courses of study.
    pub education: Vec<Education>,
    /// What they are good at.
    pub skills: Vec<String>,
}

impl User {
    /// A member of whom no more is known: profile is away, or has not heard of them yet.
    pub fn sketch(id: Uuid, username: &str, full_name: &str, created_at: DateTime<Utc>) -> Self {
        Self {
            id: id.to_string(),
            username: username.to_owned(),
            full_name: full_name.to_owned(),
            headline: None,
            location: None,
            bio: None,
            avatar_url: None,
            website: None,
            linkedin: None,
            school: None,
            graduation_year: None,
            created_at,
            experiences: Vec::new(),
            education: Vec::new(),
            skills: Vec::new(),
        }
    }
}

impl From<wire::Member> for User {
    fn from(member: wire::Member) -> Self {
        Self {
            id: member.id,
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
            created_at: required_moment(member.created_at),
            experiences: member.experiences.into_iter().map(Experience::from).collect(),
            education: member.education.into_iter().map(Education::from).collect(),
            skills: member.skills,
        }
    }
}

/// The part of a profile its owner edits in one go.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileRecord {
    /// Whose it is.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// A text about themselves.
    #[schema(required)]
    pub bio: Option<String>,
    /// Positions held.
    pub experiences: Vec<Experience>,
    /// Courses of study.
    pub education: Vec<Education>,
    /// What they are good at.
    pub skills: Vec<String>,
}

impl From<&User> for ProfileRecord {
    fn from(user: &User) -> Self {
        Self {
            user_id: user.id.clone(),
            bio: user.bio.clone(),
            experiences: user.experiences.clone(),
            education: user.education.clone(),
            skills: user.skills.clone(),
        }
    }
}

/// What the profile screen shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    /// The member.
    pub user: User,
    /// The same member's profile.
    pub profile: ProfileRecord,
    /// How each skill stands with others, in the order of the skills.
    pub endorsements: Vec<SkillEndorsements>,
    /// Only for the member themselves. Left out when they could not be counted; the screen then shows its defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stats: Option<ProfileStats>,
}

impl From<wire::Member> for ProfileView {
    fn from(mut member: wire::Member) -> Self {
        let endorsements = std::mem::take(&mut member.endorsements);
        let user = User::from(member);
        Self {
            profile: ProfileRecord::from(&user),
            user,
            endorsements: endorsements.into_iter().map(SkillEndorsements::from).collect(),
            stats: None,
        }
    }
}

/// The summary card's counters.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileStats {
    /// Unique viewers a day, summed.
    pub profile_views: i64,
    /// How often their posts were shown to another member: once a post, member and day.
    pub post_impressions: i64,
    /// Accepted connections.
    pub connections: i64,
}

impl ProfileStats {
    /// What profile and feed count of the same member.
    pub fn of(stats: &wire::MemberStats, post_impressions: i64) -> Self {
        Self { profile_views: stats.profile_views, post_impressions, connections: stats.connections }
    }
}

/// A position held. Months are `YYYY-MM`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Experience {
    /// Of the entry.
    pub id: String,
    /// Of the position.
    pub title: String,
    /// With whom.
    pub company: String,
    /// First month.
    pub start_date: String,
    /// Last month.
    #[schema(required)]
    pub end_date: Option<String>,
    /// Still held.
    pub is_current_position: bool,
    /// What it was about.
    #[schema(required)]
    pub description: Option<String>,
    /// Where.
    #[schema(required)]
    pub location: Option<String>,
}

impl From<wire::Experience> for Experience {
    fn from(entry: wire::Experience) -> Self {
        Self {
            id: entry.id,
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

/// A course of study. Months are `YYYY-MM`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Education {
    /// Of the entry.
    pub id: String,
    /// The school.
    pub institution: String,
    /// What it led to.
    pub degree: String,
    /// Of what.
    #[schema(required)]
    pub field_of_study: Option<String>,
    /// First month.
    pub start_date: String,
    /// Last month.
    #[schema(required)]
    pub end_date: Option<String>,
    /// What it was about.
    #[schema(required)]
    pub description: Option<String>,
}

impl From<wire::Education> for Education {
    fn from(entry: wire::Education) -> Self {
        Self {
            id: entry.id,
            institution: entry.institution,
            degree: entry.degree,
            field_of_study: entry.field_of_study,
            start_date: entry.start_date,
            end_date: entry.end_date,
            description: entry.description,
        }
    }
}

/// The few facts about a member that lists carry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// 'Portia member' when nothing else is known.
    pub full_name: String,
    /// What they say they are, in a line.
    #[schema(required)]
    pub headline: Option<String>,
    /// The picture's address.
    #[schema(required)]
    pub avatar_url: Option<String>,
}

impl Author {
    /// Somebody whose card could not be had.
    pub fn nameless(id: &str) -> Self {
        Self { id: id.to_owned(), full_name: NAMELESS.to_owned(), headline: None, avatar_url: None }
    }
}

impl From<wire::MemberCard> for Author {
    fn from(card: wire::MemberCard) -> Self {
        Self { id: card.id, full_name: card.full_name, headline: card.headline, avatar_url: card.avatar_url }
    }
}

/// How a skill stands with others.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillEndorsements {
    /// The skill.
    pub skill: String,
    /// Hidden ones are not counted.
    pub count: i64,
    /// The asker's is one of them; false for visitors.
    pub endorsed_by_me: bool,
}

impl From<wire::SkillEndorsements> for SkillEndorsements {
    fn from(standing: wire::SkillEndorsements) -> Self {
        Self { skill: standing.skill, count: standing.count, endorsed_by_me: standing.endorsed_by_actor }
    }
}
