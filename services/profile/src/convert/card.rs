//! UpdateMember: what the mask names, and the picture.

use portia_proto::profile::{UpdateMemberRequest, update_member_request::Picture};
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Link},
};

use crate::card::{Change, Changes, NewPicture};

/// The longest file taken, in bytes: what the largest body the gateway lets through can hold.
const FILE: usize = 600_000;

/// The whole request.
#[derive(Debug)]
pub struct Update {
    /// Of texts and links.
    pub changes: Changes,
    /// Of the picture.
    pub picture: NewPicture,
}

impl TryFrom<UpdateMemberRequest> for Update {
    type Error = InvalidRequest;

    fn try_from(request: UpdateMemberRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let mut changes = Changes::default();
        for path in request.update_mask.iter().flat_map(|mask| &mask.paths) {
            match path.as_str() {
                "full_name" => {
                    let short = "Full name must be at least 2 characters";
                    changes.full_name = form.take(Line::parse("fullName", &request.full_name, 2, short));
                }
                "headline" => changes.headline = line(&mut form, "headline", &request.headline),
                "location" => changes.location = line(&mut form, "location", &request.location),
                "website" => changes.website = form.take(Link::parse_optional("website", Some(&request.website))),
                "linkedin" => changes.linkedin = form.take(Link::parse_optional("linkedin", Some(&request.linkedin))),
                "school" => changes.school = line(&mut form, "school", &request.school),
                "graduation_year" => {
                    changes.graduation_year = line(&mut form, "graduationYear", &request.graduation_year);
                }
                // A mask longer than there are fields repeats itself, or is refused here; it is told once.
                _ => {
                    form.refuse(Violation::new("updateMask", "This names a field that cannot be changed."));
                    break;
                }
            }
        }
        let picture = form.take(picture(request.picture));
        form.finish(picture.map(|picture| Self { changes, picture }))
    }
}

fn line<const MAX: usize>(form: &mut Form, field: &str, raw: &str) -> Change<Line<MAX>> {
    form.take(Line::parse_optional(field, Some(raw)))
}

fn picture(raw: Option<Picture>) -> Result<NewPicture, Violation> {
    let refused = |why: &str| Err(Violation::new("avatarUrl", why));
    match raw {
        None => Ok(NewPicture::Kept),
        Some(Picture::NewPicture(file)) if file.len() > FILE => {
            refused("This image is too large. Please try another image.")
        }
        Some(Picture::NewPicture(file)) => Ok(NewPicture::File(file.into())),
        Some(Picture::ClearPicture(true)) => Ok(NewPicture::Cleared),
        Some(Picture::ClearPicture(false)) => refused("Leave the picture out to keep it."),
        Some(Picture::SamePicture(address)) => Ok(NewPicture::Same(address)),
    }
}
