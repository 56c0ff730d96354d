//! UpdateMember: the fields of the mask, and the picture.

use chrono::{DateTime, Datelike as _, Utc};
use portia_proto::profile::{UpdateMemberRequest, update_member_request::Picture};
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Link},
};

use super::catalogue;
use crate::members::card::{CardChanges, Change, MemberUpdate, PictureChange};

/// In bytes: the largest picture that fits into the gateway's body limit.
const MAX_FILE: usize = 600_000;
/// The earliest year of graduation.
const MIN_YEAR: i32 = 1950;
/// How many years ahead a graduation may be.
const MAX_YEARS_AHEAD: i32 = 10;

impl MemberUpdate {
    pub fn parse(request: UpdateMemberRequest, now: DateTime<Utc>) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let mut changes = CardChanges::default();
        for path in request.update_mask.iter().flat_map(|mask| &mask.paths) {
            match path.as_str() {
                "full_name" => {
                    let short = "Full name must be at least 2 characters";
                    // It would look like the mark of a verified member.
                    let name = Line::parse_without_check_marks("fullName", &request.full_name, 2, short);
                    changes.full_name = form.take(name);
                }
                "headline" => changes.headline = parse_line(&mut form, "headline", &request.headline),
                "location" => changes.location = parse_line(&mut form, "location", &request.location),
                "website" => changes.website = form.take(Link::parse_optional("website", Some(&request.website))),
                "linkedin" => changes.linkedin = form.take(Link::parse_optional("linkedin", Some(&request.linkedin))),
                "school" => changes.school = parse_line(&mut form, "school", &request.school),
                "graduation_year" => {
                    changes.graduation_year = form.take(parse_year(&request.graduation_year, now));
                }
                "jurisdictions" => {
                    changes.jurisdictions = form.take(catalogue::parse_jurisdictions(&request.jurisdictions));
                }
                "interests" => changes.interests = form.take(catalogue::parse_interests(&request.interests)),
                // One violation is enough for a mask with many unknown fields.
                _ => {
                    form.refuse(Violation::new("updateMask", "This names a field that cannot be changed."));
                    break;
                }
            }
        }
        let picture = form.take(parse_picture(request.picture));
        form.finish(picture.map(|picture| Self { changes, picture }))
    }
}

fn parse_line<const MAX: usize>(form: &mut Form, field: &str, raw: &str) -> Change<Line<MAX>> {
    form.take(Line::parse_optional(field, Some(raw)))
}

/// Four digits, from 1950 to ten years from now; blank is none. Registrations accept other texts.
fn parse_year(raw: &str, now: DateTime<Utc>) -> Result<Option<Line<10>>, Violation> {
    let year = Line::parse_optional("graduationYear", Some(raw))?;
    let last = now.year() + MAX_YEARS_AHEAD;
    let is_valid = |year: &Line<10>| {
        let digits = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
        digits && year.parse().is_ok_and(|year| (MIN_YEAR..=last).contains(&year))
    };
    match year {
        Some(year) if !is_valid(&year) => {
            Err(Violation::new("graduationYear", format!("Enter a year from {MIN_YEAR} to {last}.")))
        }
        year => Ok(year),
    }
}

fn parse_picture(raw: Option<Picture>) -> Result<PictureChange, Violation> {
    let violation = |message: &str| Err(Violation::new("avatarUrl", message));
    match raw {
        None => Ok(PictureChange::Unchanged),
        Some(Picture::NewPicture(file)) if file.len() > MAX_FILE => {
            violation("This image is too large. Please try another image.")
        }
        Some(Picture::NewPicture(file)) => Ok(PictureChange::File(file.into())),
        Some(Picture::ClearPicture(true)) => Ok(PictureChange::Cleared),
        Some(Picture::ClearPicture(false)) => violation("Leave the picture out to keep it."),
        Some(Picture::SamePicture(address)) => Ok(PictureChange::Same(address)),
    }
}
