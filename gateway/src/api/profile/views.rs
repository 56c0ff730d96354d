//! Requests to update a profile, and endorsements of skills.

use portia_proto::profile as pb;
use prost_types::FieldMask;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::timestamps::present_text;
use crate::{api::profile::data_url, edge::problem::Problem};

pub use crate::api::contract::profile::Endorsement;

/// Changes of the card of a member. An absent field keeps its value; null or an empty text clears it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateUser {
    /// The full name, 2 to 100 characters without check marks. Cannot be cleared.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(nullable = false, format = "line", min_length = 2, max_length = 100)]
    full_name: Option<String>,
    /// The headline, in one line of at most 200 characters.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "line", max_length = 200)]
    headline: Option<String>,
    /// The location.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "line", max_length = 100)]
    location: Option<String>,
    /// The picture as a `data:image/png;base64,` or `data:image/jpeg;base64,` URL. The current URL keeps the picture.
    #[serde(default, deserialize_with = "present_text")]
    avatar_url: Option<String>,
    /// The URL of the website, http(s).
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "link", max_length = 2048)]
    website: Option<String>,
    /// The URL of the LinkedIn profile, http(s).
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "link", max_length = 2048)]
    linkedin: Option<String>,
    /// The law school.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "line", max_length = 200)]
    school: Option<String>,
    /// The year of graduation, from 1950 to ten years from now.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "year")]
    graduation_year: Option<String>,
    /// The jurisdictions: at most 10 known codes. An empty list clears them.
    jurisdictions: Option<Vec<String>>,
    /// The interests: at most 20 known codes. An empty list clears them.
    interests: Option<Vec<String>>,
}

impl TryFrom<UpdateUser> for pb::UpdateMemberRequest {
    type Error = Problem;

    fn try_from(body: UpdateUser) -> Result<Self, Problem> {
        let picture = body.avatar_url.map(picture).transpose()?;
        let mut paths = Vec::new();
        let mut take = |name: &str, value: Option<String>| {
            paths.extend(value.is_some().then(|| name.to_owned()));
            value.unwrap_or_default()
        };
        let (full_name, headline) = (take("full_name", body.full_name), take("headline", body.headline));
        let (location, website) = (take("location", body.location), take("website", body.website));
        let (linkedin, school) = (take("linkedin", body.linkedin), take("school", body.school));
        let graduation_year = take("graduation_year", body.graduation_year);
        paths.extend(body.jurisdictions.is_some().then(|| "jurisdictions".to_owned()));
        paths.extend(body.interests.is_some().then(|| "interests".to_owned()));
        Ok(Self {
            full_name,
            headline,
            location,
            website,
            linkedin,
            school,
            graduation_year,
            jurisdictions: body.jurisdictions.unwrap_or_default(),
            interests: body.interests.unwrap_or_default(),
            picture,
            update_mask: Some(FieldMask { paths }),
        })
    }
}

fn picture(avatar_url: String) -> Result<pb::update_member_request::Picture, Problem> {
    use pb::update_member_request::Picture;
    Ok(match data_url::picture(&avatar_url) {
        _ if avatar_url.is_empty() => Picture::ClearPicture(true),
        Some(Ok(bytes)) => Picture::NewPicture(bytes),
        Some(Err(problem)) => return Err(problem),
        None => Picture::SamePicture(avatar_url),
    })
}

/// The new bio, experience, education and skills.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceProfile {
    /// The signed-in member. May be left out; any other id is refused with 403.
    #[schema(format = Uuid)]
    pub user_id: Option<String>,
    /// A text about the member, at most 5,000 characters.
    #[schema(format = "text", max_length = 5000)]
    bio: Option<String>,
    /// The positions, at most 30.
    #[schema(max_items = 30)]
    experiences: Vec<ExperienceEntry>,
    /// The courses of study, at most 15.
    #[schema(max_items = 15)]
    education: Vec<EducationEntry>,
    /// The skills: at most 50, of at most 60 characters each. Blank and repeated ones are dropped.
    #[schema(inline, value_type = Vec<Skill>, max_items = 50)]
    skills: Vec<String>,
}

/// A skill of a profile.
#[derive(ToSchema)]
#[schema(format = "line", max_length = 60)]
#[expect(dead_code, reason = "only for the OpenAPI document")]
struct Skill(String);

impl From<ReplaceProfile> for pb::ReplaceProfileRequest {
    fn from(body: ReplaceProfile) -> Self {
        Self {
            bio: body.bio,
            experiences: body.experiences.into_iter().map(pb::Experience::from).collect(),
            education: body.education.into_iter().map(pb::Education::from).collect(),
            skills: body.skills,
        }
    }
}

/// A position. Months are `YYYY-MM`. An absent text counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExperienceEntry {
    /// The id from an earlier response, or one of the client, at most 64 characters. Generated when absent.
    #[schema(format = "line", max_length = 64)]
    id: Option<String>,
    /// The title of the position.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 200)]
    title: String,
    /// The employer.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 200)]
    company: String,
    /// The first month.
    #[serde(default)]
    #[schema(format = "month", required, min_length = 1)]
    start_date: String,
    /// The last month.
    #[schema(format = "month")]
    end_date: Option<String>,
    /// Whether the position is current.
    #[serde(default)]
    #[schema(required = false)]
    is_current_position: bool,
    /// The description.
    #[schema(format = "text", max_length = 5000)]
    description: Option<String>,
    /// The location.
    #[schema(format = "line", max_length = 100)]
    location: Option<String>,
}

impl From<ExperienceEntry> for pb::Experience {
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

/// A course of study. Months are `YYYY-MM`. An absent text counts as empty.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EducationEntry {
    /// The id from an earlier response, or one of the client, at most 64 characters. Generated when absent.
    #[schema(format = "line", max_length = 64)]
    id: Option<String>,
    /// The institution.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 200)]
    institution: String,
    /// The degree.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 200)]
    degree: String,
    /// The field of study.
    #[schema(format = "line", max_length = 200)]
    field_of_study: Option<String>,
    /// The first month.
    #[serde(default)]
    #[schema(format = "month", required, min_length = 1)]
    start_date: String,
    /// The last month.
    #[schema(format = "month")]
    end_date: Option<String>,
    /// The description.
    #[schema(format = "text", max_length = 5000)]
    description: Option<String>,
}

impl From<EducationEntry> for pb::Education {
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
