//! Members: the complete user and the profile.

use chrono::{DateTime, Utc};
use portia_proto::profile as pb;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

pub use crate::api::contract::{Author, NAMELESS};
use crate::{api::onboarding::views::Onboarding, edge::timestamps::required_moment};

pub use crate::api::contract::profile::{Education, Experience, SkillEndorsements};

/// A member with all fields.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The username, as entered at registration.
    pub username: String,
    /// The full name, 2 to 100 characters.
    pub full_name: String,
    /// The headline, in one line.
    #[schema(required)]
    pub headline: Option<String>,
    /// The location.
    #[schema(required)]
    pub location: Option<String>,
    /// A text about the member.
    #[schema(required)]
    pub bio: Option<String>,
    /// The URL of the picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// True for a member that Portia or the school has verified; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub verified: bool,
    /// The school that verified the member; absent when Portia did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verified_school: Option<String>,
    /// The URL of the website, http(s).
    #[schema(required)]
    pub website: Option<String>,
    /// The URL of the LinkedIn profile, http(s).
    #[schema(required)]
    pub linkedin: Option<String>,
    /// The law school.
    #[schema(required)]
    pub school: Option<String>,
    /// The year of graduation, as text.
    #[schema(required)]
    pub graduation_year: Option<String>,
    /// The time of registration.
    pub created_at: DateTime<Utc>,
    /// The positions.
    pub experiences: Vec<Experience>,
    /// The courses of study.
    pub education: Vec<Education>,
    /// The skills.
    pub skills: Vec<String>,
    /// The jurisdictions, as codes: `ph`, `us-federal`, `us-ny`.
    pub jurisdictions: Vec<String>,
    /// The interests, as codes: `human-rights`, `tax`.
    pub interests: Vec<String>,
}

impl User {
    /// A member without profile data: profile is unavailable, or has not consumed the registration yet.
    pub fn sketch(id: Uuid, username: &str, full_name: &str, created_at: DateTime<Utc>) -> Self {
        Self {
            id: id.to_string(),
            username: username.to_owned(),
            full_name: full_name.to_owned(),
            headline: None,
            location: None,
            bio: None,
            avatar_url: None,
            verified: false,
            verified_school: None,
            website: None,
            linkedin: None,
            school: None,
            graduation_year: None,
            created_at,
            experiences: Vec::new(),
            education: Vec::new(),
            skills: Vec::new(),
            jurisdictions: Vec::new(),
            interests: Vec::new(),
        }
    }
}

impl From<pb::Member> for User {
    fn from(member: pb::Member) -> Self {
        Self {
            id: member.id,
            username: member.username,
            full_name: member.full_name,
            headline: member.headline,
            location: member.location,
            bio: member.bio,
            avatar_url: member.avatar_url,
            verified: member.verification.is_some(),
            verified_school: member.verification.and_then(|verification| verification.school),
            website: member.website,
            linkedin: member.linkedin,
            school: member.school,
            graduation_year: member.graduation_year,
            created_at: required_moment(member.created_at),
            experiences: member.experiences.into_iter().map(Experience::from).collect(),
            education: member.education.into_iter().map(Education::from).collect(),
            skills: member.skills,
            jurisdictions: member.jurisdictions,
            interests: member.interests,
        }
    }
}

/// The part of a profile that is replaced as a whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileRecord {
    /// The member.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// A text about the member.
    #[schema(required)]
    pub bio: Option<String>,
    /// The positions.
    pub experiences: Vec<Experience>,
    /// The courses of study.
    pub education: Vec<Education>,
    /// The skills.
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

/// A profile.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    /// The member.
    pub user: User,
    /// The profile of the member.
    pub profile: ProfileRecord,
    /// The endorsements of each skill, in the order of the skills.
    pub endorsements: Vec<SkillEndorsements>,
    /// The caller is outside the audience of the profile: the member has a name only.
    pub restricted: bool,
    /// The steps of a new member. Only for the member themselves, and absent for members who registered before they existed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub onboarding: Option<Onboarding>,
    /// Counters. Only for the member themselves, and absent while a service is unavailable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub stats: Option<ProfileStats>,
}

impl From<pb::Member> for ProfileView {
    fn from(mut member: pb::Member) -> Self {
        let endorsements = std::mem::take(&mut member.endorsements);
        let restricted = member.restricted;
        let user = User::from(member);
        Self {
            profile: ProfileRecord::from(&user),
            user,
            endorsements: endorsements.into_iter().map(SkillEndorsements::from).collect(),
            restricted,
            onboarding: None,
            stats: None,
        }
    }
}

/// The counters of a profile.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileStats {
    /// The sum of the unique viewers of each day.
    pub profile_views: i64,
    /// The impressions of their posts, counted once per post, viewer and day.
    pub post_impressions: i64,
    /// The number of connections.
    pub connections: i64,
}

impl ProfileStats {
    /// The counters of profile and feed.
    pub fn of(stats: &pb::MemberStats, post_impressions: i64) -> Self {
        Self { profile_views: stats.profile_views, post_impressions, connections: stats.connections }
    }
}
