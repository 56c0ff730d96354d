//! ReplaceProfile: bio, positions held, courses of study and skills, entry by entry.

use std::collections::HashSet;

use portia_proto::profile as proto;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Text},
};

use crate::{
    life::Life,
    members::{Education, Experience},
};

const EXPERIENCES: usize = 30;
const EDUCATION: usize = 15;
const SKILLS: usize = 50;

impl TryFrom<proto::ReplaceProfileRequest> for Life {
    type Error = InvalidRequest;

    fn try_from(request: proto::ReplaceProfileRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let bio = form.take(Text::parse_optional("bio", request.bio.as_deref()));
        let experiences = entries(&mut form, "experiences", EXPERIENCES, request.experiences, experience);
        let education = entries(&mut form, "education", EDUCATION, request.education, education);
        distinct(&mut form, "experiences", experiences.iter().map(|entry| entry.id.as_str()));
        distinct(&mut form, "education", education.iter().map(|entry| entry.id.as_str()));
        let skills = skills(&mut form, &request.skills);
        form.finish(bio.map(|bio| Self { bio, experiences, education, skills }))
    }
}

/// As many entries as there may be, each parsed; too many are refused unread.
fn entries<R, E>(
    form: &mut Form,
    list: &str,
    most: usize,
    raw: Vec<R>,
    parse: fn(&mut Form, &str, R) -> Option<E>,
) -> Vec<E> {
    if raw.len() > most {
        form.refuse(Violation::new(list, format!("List at most {most} entries here.")));
        return vec![];
    }
    raw.into_iter().enumerate().filter_map(|(place, entry)| parse(form, &format!("{list}[{place}]."), entry)).collect()
}

/// `at` is what an entry's fields begin with: `experiences[0].`. A position one still holds has no end; a client that
/// only disables the field may send one along, and it is dropped.
fn experience(form: &mut Form, at: &str, raw: proto::Experience) -> Option<Experience> {
    let id = form.take(id(at, &raw.id));
    let title = form.take(required::<200>(at, "title", &raw.title, "Title is required"));
    let company = form.take(required::<200>(at, "company", &raw.company, "Company is required"));
    let raw_end = raw.end_date.filter(|_| !raw.is_current_position);
    let dates = dates(form, at, &raw.start_date, raw_end.as_deref());
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

fn education(form: &mut Form, at: &str, raw: proto::Education) -> Option<Education> {
    let id = form.take(id(at, &raw.id));
    let institution = form.take(required::<200>(at, "institution", &raw.institution, "Institution is required"));
    let degree = form.take(required::<200>(at, "degree", &raw.degree, "Degree is required"));
    let field = form.take(Line::<200>::parse_optional(&format!("{at}fieldOfStudy"), raw.field_of_study.as_deref()));
    let dates = dates(form, at, &raw.start_date, raw.end_date.as_deref());
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

/// Blank ones and repetitions are left out, as the client's input does.
fn skills(form: &mut Form, raw: &[String]) -> Vec<String> {
    let (mut seen, mut skills) = (HashSet::new(), Vec::new());
    for (place, raw) in raw.iter().enumerate() {
        let parsed = form.take(Line::<60>::parse_optional(&format!("skills[{place}]"), Some(raw)));
        let Some(Some(skill)) = parsed.map(|skill| skill.map(Line::into_string)) else { continue };
        if seen.insert(skill.clone()) {
            skills.push(skill);
        }
        // Read no further than needed to refuse: a thousand violations would help nobody.
        if skills.len() > SKILLS {
            form.refuse(Violation::new("skills", format!("List at most {SKILLS} skills.")));
            break;
        }
    }
    skills
}

/// The client's own string; blank for a new entry.
fn id(at: &str, raw: &str) -> Result<String, Violation> {
    let id = Line::<64>::parse_optional(&format!("{at}id"), Some(raw))?;
    Ok(id.map(Line::into_string).unwrap_or_default())
}

fn required<const MAX: usize>(at: &str, field: &str, raw: &str, missing: &str) -> Result<String, Violation> {
    Line::<MAX>::parse(&format!("{at}{field}"), raw, 1, missing).map(Line::into_string)
}

/// First and last month, in this order.
fn dates(form: &mut Form, at: &str, start: &str, end: Option<&str>) -> Option<(String, Option<String>)> {
    let (start_field, end_field) = (format!("{at}startDate"), format!("{at}endDate"));
    let start = match start.trim() {
        "" => Err(Violation::new(start_field, "Start date is required")),
        start => month(&start_field, start),
    };
    let end = end.map(str::trim).filter(|end| !end.is_empty()).map(|end| month(&end_field, end)).transpose();
    let (start, end) = form.take(start).zip(form.take(end))?;
    // Months of four digits and two compare as their letters do.
    if end.as_ref().is_some_and(|end| *end < start) {
        form.refuse(Violation::new(end_field, "End date must not be before the start date"));
        return None;
    }
    Some((start, end))
}

/// `2026-09`, in a year people live in.
fn month(field: &str, raw: &str) -> Result<String, Violation> {
    let parsed = raw.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2);
    let digits = parsed.filter(|(year, month)| year.bytes().chain(month.bytes()).all(|byte| byte.is_ascii_digit()));
    let good = digits.is_some_and(|(year, month)| ("1900"..="2199").contains(&year) && ("01"..="12").contains(&month));
    if good { Ok(raw.to_owned()) } else { Err(Violation::new(field, "This must be a month, like 2026-09.")) }
}

fn distinct<'a>(form: &mut Form, list: &str, ids: impl Iterator<Item = &'a str>) {
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

    fn position() -> proto::Experience {
        proto::Experience {
            title: "Clerk".into(),
            company: "Supreme Court".into(),
            start_date: "2024-01".into(),
            ..Default::default()
        }
    }

    fn refusals(request: proto::ReplaceProfileRequest) -> Vec<(String, String)> {
        let Err(InvalidRequest(refused)) = Life::try_from(request) else { return vec![] };
        refused.into_iter().map(|violation| (violation.field, violation.message)).collect()
    }

    #[test]
    fn every_rule_has_its_sentence_and_its_field() {
        let request = proto::ReplaceProfileRequest {
            experiences: vec![position(), proto::Experience::default()],
            education: vec![proto::Education::default()],
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
        let refused = refusals(request);
        let refused: Vec<(&str, &str)> = refused.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(refused, expected);
    }

    #[test]
    fn an_end_comes_after_its_start_and_a_present_position_has_none() {
        let ended = |start: &str, end: &str, now| proto::Experience {
            start_date: start.into(),
            end_date: Some(end.into()),
            is_current_position: now,
            ..position()
        };
        let of = |entry| proto::ReplaceProfileRequest { experiences: vec![entry], ..Default::default() };
        assert_eq!(refusals(of(ended("2024-05", "2024-04", false)))[0].0, "experiences[0].endDate");
        assert!(refusals(of(ended("2024-05", "2024-05", false))).is_empty());
        let life = Life::try_from(of(ended("2024-05", "garbage", true))).unwrap();
        assert_eq!(life.experiences[0].end_date, None);
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
            assert_eq!(refusals(of(ended(bad, "", false)))[0].0, "experiences[0].startDate", "{bad}");
        }
    }

    #[test]
    fn skills_are_trimmed_and_each_is_there_once() {
        let given = ["  Research ", "", "Moot court", "Research", "   "].map(str::to_owned).to_vec();
        let life = Life::try_from(proto::ReplaceProfileRequest { skills: given, ..Default::default() }).unwrap();
        assert_eq!(life.skills, ["Research", "Moot court"]);
    }

    #[test]
    fn lists_have_limits() {
        let skills = |n: usize| (0..n).map(|n| format!("Skill {n}")).collect();
        let request = |experiences, education, n| proto::ReplaceProfileRequest {
            experiences: vec![position(); experiences],
            education: vec![
                proto::Education {
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
        assert!(refusals(request(30, 15, 50)).is_empty());
        assert_eq!(refusals(request(31, 15, 50))[0].0, "experiences");
        assert_eq!(refusals(request(30, 16, 50))[0].0, "education");
        assert_eq!(refusals(request(30, 15, 51))[0].0, "skills");
    }

    #[test]
    fn an_id_is_used_once() {
        let named = |id: &str| proto::Experience { id: id.into(), ..position() };
        let request = |ids: &[&str]| proto::ReplaceProfileRequest {
            experiences: ids.iter().map(|id| named(id)).collect(),
            ..Default::default()
        };
        assert_eq!(refusals(request(&["a", "b", "a"]))[0].0, "experiences[2].id");
        assert!(refusals(request(&["", "", "a"])).is_empty());
        assert_eq!(refusals(request(&[&"x".repeat(65)]))[0].0, "experiences[0].id");
    }
}
