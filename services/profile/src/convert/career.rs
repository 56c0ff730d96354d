//! ReplaceProfile: validation of bio, experience, education and skills.

use std::collections::HashSet;

use portia_proto::profile as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Text},
};

use crate::{
    career::Career,
    members::{Education, Experience},
};

const MAX_EXPERIENCES: usize = 30;
const MAX_EDUCATION: usize = 15;
const MAX_SKILLS: usize = 50;

impl TryFrom<pb::ReplaceProfileRequest> for Career {
    type Error = InvalidRequest;

    fn try_from(request: pb::ReplaceProfileRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let bio = form.take(Text::parse_optional("bio", request.bio.as_deref()));
        let experiences =
            parse_entries(&mut form, "experiences", MAX_EXPERIENCES, request.experiences, parse_experience);
        let education = parse_entries(&mut form, "education", MAX_EDUCATION, request.education, parse_education);
        refuse_duplicate_ids(&mut form, "experiences", experiences.iter().map(|entry| entry.id.as_str()));
        refuse_duplicate_ids(&mut form, "education", education.iter().map(|entry| entry.id.as_str()));
        let skills = parse_skills(&mut form, &request.skills);
        form.finish(bio.map(|bio| Self { bio, experiences, education, skills }))
    }
}

/// Parses the entries of a list. Refuses a too long list without reading it.
fn parse_entries<R, E>(
    form: &mut Form,
    list: &str,
    max: usize,
    raw: Vec<R>,
    parse: fn(&mut Form, &str, R) -> Option<E>,
) -> Vec<E> {
    if raw.len() > max {
        form.refuse(Violation::new(list, format!("List at most {max} entries here.")));
        return vec![];
    }
    raw.into_iter().enumerate().filter_map(|(index, entry)| parse(form, &format!("{list}[{index}]."), entry)).collect()
}

/// `at` is the prefix of the entry's fields: `experiences[0].`. A current position has no end: an end date from a
/// client is dropped.
fn parse_experience(form: &mut Form, at: &str, raw: pb::Experience) -> Option<Experience> {
    let id = form.take(parse_id(at, &raw.id));
    let title = form.take(required::<200>(at, "title", &raw.title, "Title is required"));
    let company = form.take(required::<200>(at, "company", &raw.company, "Company is required"));
    let raw_end = raw.end_date.filter(|_| !raw.is_current_position);
    let dates = parse_dates(form, at, &raw.start_date, raw_end.as_deref());
    let description = form.take(Text::<5000>::parse_optional(&format!("{at}description"), raw.description.as_deref()));
    let location = form.take(Line::<100>::parse_optional(&format!("{at}location"), raw.location.as_deref()));
    let (start_date, end_date) = dates?;
    Some(Experience {
        id: id?,
        title: title?,
        company: company?,
        start_date,
        end_date,
        is_current_position: raw.is_current_position,
        description: description?.map(Text::into_string),
        location: location?.map(Line::into_string),
    })
}

fn parse_education(form: &mut Form, at: &str, raw: pb::Education) -> Option<Education> {
    let id = form.take(parse_id(at, &raw.id));
    let institution = form.take(required::<200>(at, "institution", &raw.institution, "Institution is required"));
    let degree = form.take(required::<200>(at, "degree", &raw.degree, "Degree is required"));
    let field = form.take(Line::<200>::parse_optional(&format!("{at}fieldOfStudy"), raw.field_of_study.as_deref()));
    let dates = parse_dates(form, at, &raw.start_date, raw.end_date.as_deref());
    let description = form.take(Text::<5000>::parse_optional(&format!("{at}description"), raw.description.as_deref()));
    let (start_date, end_date) = dates?;
    Some(Education {
        id: id?,
        institution: institution?,
        degree: degree?,
        field_of_study: field?.map(Line::into_string),
        start_date,
        end_date,
        description: description?.map(Text::into_string),
    })
}

/// Leaves out blank ones and duplicates.
fn parse_skills(form: &mut Form, raw: &[String]) -> Vec<String> {
    let (mut seen, mut skills) = (HashSet::new(), Vec::new());
    for (place, raw) in raw.iter().enumerate() {
        let parsed = form.take(Line::<60>::parse_optional(&format!("skills[{place}]"), Some(raw)));
        let Some(Some(skill)) = parsed.map(|skill| skill.map(Line::into_string)) else { continue };
        if seen.insert(skill.clone()) {
            skills.push(skill);
        }
        // One violation is enough for a too long list.
        if skills.len() > MAX_SKILLS {
            form.refuse(Violation::new("skills", format!("List at most {MAX_SKILLS} skills.")));
            break;
        }
    }
    skills
}

/// The client's own string; empty for a new entry.
fn parse_id(at: &str, raw: &str) -> Result<String, Violation> {
    let id = Line::<64>::parse_optional(&format!("{at}id"), Some(raw))?;
    Ok(id.map(Line::into_string).unwrap_or_default())
}

fn required<const MAX: usize>(at: &str, field: &str, raw: &str, missing: &str) -> Result<String, Violation> {
    Line::<MAX>::parse(&format!("{at}{field}"), raw, 1, missing).map(Line::into_string)
}

/// Start and end month.
fn parse_dates(form: &mut Form, at: &str, start: &str, end: Option<&str>) -> Option<(String, Option<String>)> {
    let (start_field, end_field) = (format!("{at}startDate"), format!("{at}endDate"));
    let start = match start.trim() {
        "" => Err(Violation::new(start_field, "Start date is required")),
        start => parse_month(&start_field, start),
    };
    let end = end.map(str::trim).filter(|end| !end.is_empty()).map(|end| parse_month(&end_field, end)).transpose();
    let (start, end) = form.take(start).zip(form.take(end))?;
    // YYYY-MM sorts like its text.
    if end.as_ref().is_some_and(|end| *end < start) {
        form.refuse(Violation::new(end_field, "End date must not be before the start date"));
        return None;
    }
    Some((start, end))
}

/// `2026-09`, from 1900 to 2199.
fn parse_month(field: &str, raw: &str) -> Result<String, Violation> {
    let parsed = raw.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2);
    let digits = parsed.filter(|(year, month)| year.bytes().chain(month.bytes()).all(|byte| byte.is_ascii_digit()));
    let valid = digits.is_some_and(|(year, month)| ("1900"..="2199").contains(&year) && ("01"..="12").contains(&month));
    if valid { Ok(raw.to_owned()) } else { Err(Violation::new(field, "This must be a month, like 2026-09.")) }
}

fn refuse_duplicate_ids<'a>(form: &mut Form, list: &str, ids: impl Iterator<Item = &'a str>) {
    let mut seen = HashSet::new();
    for (place, id) in ids.enumerate() {
        if !id.is_empty() && !seen.insert(id) {
            form.refuse(Violation::new(format!("{list}[{place}].id"), "Another entry has this id."));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position() -> pb::Experience {
        pb::Experience {
            title: "Clerk".into(),
            company: "Supreme Court".into(),
            start_date: "2024-01".into(),
            ..Default::default()
        }
    }

    fn violations(request: pb::ReplaceProfileRequest) -> Vec<(String, String)> {
        let Err(InvalidRequest(violations)) = Career::try_from(request) else { return vec![] };
        violations.into_iter().map(|violation| (violation.field, violation.message)).collect()
    }

    #[test]
    fn every_rule_has_its_message_and_field() {
        let request = pb::ReplaceProfileRequest {
            experiences: vec![position(), pb::Experience::default()],
            education: vec![pb::Education::default()],
            ..Default::default()
        };
        let expected = [
            ("experiences[1].title", "Title is required"),
            ("experiences[1].company", "Company is required"),
            ("experiences[1].startDate", "Start date is required"),
            ("education[0].institution", "Institution is required"),
            ("education[0].degree", "Degree is required"),
            ("education[0].startDate", "Start date is required"),
        ];
        let violations = violations(request);
        let violations: Vec<(&str, &str)> = violations.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(violations, expected);
    }

    #[test]
    fn an_end_must_follow_its_start_and_a_current_position_has_none() {
        let ended = |start: &str, end: &str, now| pb::Experience {
            start_date: start.into(),
            end_date: Some(end.into()),
            is_current_position: now,
            ..position()
        };
        let request = |entry| pb::ReplaceProfileRequest { experiences: vec![entry], ..Default::default() };
        assert_eq!(violations(request(ended("2024-05", "2024-04", false)))[0].0, "experiences[0].endDate");
        assert!(violations(request(ended("2024-05", "2024-05", false))).is_empty());
        let career = Career::try_from(request(ended("2024-05", "garbage", true))).unwrap();
        assert_eq!(career.experiences[0].end_date, None);
        for bad in [
            "2024",
            "2024-13",
            "2024-00",
            "10000-01",
            "0000-01",
            "infinity",
            "2024-1",
            "２０２４-01",
            "2024-01-01",
            "-024-01",
        ] {
            assert_eq!(violations(request(ended(bad, "", false)))[0].0, "experiences[0].startDate", "{bad}");
        }
    }

    #[test]
    fn skills_are_trimmed_and_deduplicated() {
        let given = ["  Research ", "", "Moot court", "Research", "   "].map(str::to_owned).to_vec();
        let career = Career::try_from(pb::ReplaceProfileRequest { skills: given, ..Default::default() }).unwrap();
        assert_eq!(career.skills, ["Research", "Moot court"]);
    }

    #[test]
    fn lists_have_a_maximum_length() {
        let skills = |n: usize| (0..n).map(|n| format!("Skill {n}")).collect();
        let request = |experiences, education, n| pb::ReplaceProfileRequest {
            experiences: vec![position(); experiences],
            education: vec![
                pb::Education {
                    institution: "Ateneo".into(),
                    degree: "J.D.".into(),
                    start_date: "2023-08".into(),
                    ..Default::default()
                };
                education
            ],
            skills: skills(n),
            ..Default::default()
        };
        assert!(violations(request(30, 15, 50)).is_empty());
        assert_eq!(violations(request(31, 15, 50))[0].0, "experiences");
        assert_eq!(violations(request(30, 16, 50))[0].0, "education");
        assert_eq!(violations(request(30, 15, 51))[0].0, "skills");
    }

    #[test]
    fn ids_of_entries_are_unique() {
        let named = |id: &str| pb::Experience { id: id.into(), ..position() };
        let request = |ids: &[&str]| pb::ReplaceProfileRequest {
            experiences: ids.iter().map(|id| named(id)).collect(),
            ..Default::default()
        };
        assert_eq!(violations(request(&["a", "b", "a"]))[0].0, "experiences[2].id");
        assert!(violations(request(&["", "", "a"])).is_empty());
        assert_eq!(violations(request(&[&"x".repeat(65)]))[0].0, "experiences[0].id");
    }
}
