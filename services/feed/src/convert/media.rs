//! Parses the attachments of a new post (pictures, a PDF file or a video) and their uploads.

use idempotency::RequestKey;
use picture_store::Name;
use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    input::{Form, Link, PdfFile, Text},
};
use tonic::{Status, Streaming};

use super::{IdempotentRequest, parse_optional_id};
use crate::{
    error::Error,
    media::{MAX_PICTURES, NewPicture},
    pictures::PictureViewer,
    posts::Attachment,
};

/// The maximum length of the description of a single picture, in characters.
pub const MAX_ALT: usize = 1_000;
/// The maximum length of the description of one of several pictures.
const MAX_ALT_OF_SEVERAL: usize = 300;
/// The maximum size of an uploaded picture, in bytes.
const MAX_UPLOAD: usize = 8 << 20;

/// Parses pictures, a PDF file or a video. Articles and reposts have none of them.
pub fn attachment(form: &mut Form, request: &pb::CreatePostRequest) -> Option<Option<Attachment>> {
    let (is_article, is_repost) = (request.title.is_some(), request.repost_of.is_some());
    let (picture, video, pdf) = (&request.picture_id, &request.video_url, &request.pdf_id);
    let several = !request.pictures.is_empty();
    let has_picture = picture.is_some() || several;
    for (field, refused, sentence) in [
        ("title", is_article && is_repost, "A repost has no title."),
        ("pictureId", picture.is_some() && is_repost, "A repost has no picture of its own."),
        ("pictureId", picture.is_some() && is_article, "An article has no picture."),
        ("pictureAlt", request.picture_alt.is_some() && picture.is_none(), "This post has no picture."),
        ("pictures", several && is_repost, "A repost has no picture of its own."),
        ("pictures", several && is_article, "An article has no picture."),
        ("pictures", several && picture.is_some(), "Send one picture or a list of them."),
        ("videoUrl", video.is_some() && is_repost, "A repost has no video of its own."),
        ("videoUrl", video.is_some() && has_picture, "A post has a picture or a video."),
        ("pdfId", pdf.is_some() && is_repost, "A repost has no file of its own."),
        ("pdfId", pdf.is_some() && is_article, "An article has no file."),
        ("pdfId", pdf.is_some() && (has_picture || video.is_some()), "A post has a file, pictures or a video."),
    ] {
        if refused {
            form.refuse(Violation::new(field, sentence));
        }
    }
    let id = form.take(parse_optional_id("pictureId", picture.as_deref()));
    let alt = form.take(Text::<MAX_ALT>::parse_optional("pictureAlt", request.picture_alt.as_deref()));
    let list = pictures(form, &request.pictures);
    let link = form.take(video.as_deref().map(|raw| Link::parse("videoUrl", raw)).transpose());
    let pdf = form.take(parse_optional_id("pdfId", pdf.as_deref()));
    let ((((id, alt), list), link), pdf) = id.zip(alt).zip(list).zip(link).zip(pdf)?;
    let alt = alt.map(Text::into_string).unwrap_or_default();
    let single = id.map(|id| Attachment::Pictures { field: "pictureId", pictures: vec![NewPicture { id, alt }] });
    let list = several.then_some(Attachment::Pictures { field: "pictures", pictures: list });
    let video = link.map(|link| Attachment::Video(link.into_string()));
    Some(single.or(list).or(video).or(pdf.map(Attachment::Pdf)))
}

fn pictures(form: &mut Form, pictures: &[pb::NewPicture]) -> Option<Vec<NewPicture>> {
    if pictures.len() > MAX_PICTURES {
        form.refuse(Violation::new("pictures", format!("At most {MAX_PICTURES} pictures can be added.")));
        return None;
    }
    let mut parsed: Vec<NewPicture> = Vec::with_capacity(pictures.len());
    for (at, picture) in pictures.iter().enumerate() {
        let id = form.take(primitives::ids::parse(&format!("pictures[{at}].id"), &picture.picture_id));
        let alt = Text::<MAX_ALT_OF_SEVERAL>::parse_optional(&format!("pictures[{at}].alt"), Some(&picture.alt));
        let (id, alt) = id.zip(form.take(alt))?;
        if parsed.iter().any(|other| other.id == id) {
            form.refuse(Violation::new("pictures", "A picture can be added once."));
            return None;
        }
        parsed.push(NewPicture { id, alt: alt.map(Text::into_string).unwrap_or_default() });
    }
    Some(parsed)
}

/// Parses the descriptions of all pictures of a post, in order.
pub fn alts_of(form: &mut Form, alts: &[String]) -> Option<Vec<String>> {
    if alts.len() > MAX_PICTURES {
        form.refuse(Violation::new("pictureAlts", format!("A post has at most {MAX_PICTURES} pictures.")));
        return None;
    }
    let parse = |(at, alt): (usize, &String)| {
        let field = format!("pictureAlts[{at}]");
        // A single picture may have a longer description.
        let parsed = if alts.len() == 1 {
            form.take(Text::<MAX_ALT>::parse_optional(&field, Some(alt)))?.map(Text::into_string)
        } else {
            form.take(Text::<MAX_ALT_OF_SEVERAL>::parse_optional(&field, Some(alt)))?.map(Text::into_string)
        };
        Some(parsed.unwrap_or_default())
    };
    alts.iter().enumerate().map(parse).collect()
}

/// Parses a picture and its viewer.
pub fn parse_picture(raw: &pb::CheckPictureRequest) -> Result<(Name, PictureViewer), Violation> {
    let name =
        Name::from_hash(&raw.hash).ok_or_else(|| Violation::new("hash", "This is not the name of a picture."))?;
    let member = parse_optional_id("memberId", raw.member_id.as_deref())?;
    Ok((name, if raw.moderator { PictureViewer::Moderator } else { PictureViewer::Viewer(member) }))
}

/// Reads the chunks of a picture, and the idempotency key from the first one that has it.
pub async fn parse_upload(
    mut chunks: Streaming<pb::UploadPictureRequest>,
) -> Result<IdempotentRequest<Vec<u8>>, Status> {
    let (mut file, mut raw_key) = (Vec::new(), None);
    while let Some(message) = chunks.message().await? {
        if file.len() + message.chunk.len() > MAX_UPLOAD {
            let sentence = "This image is too large. Please try one of at most 8 MB.";
            return Err(Error::from(Violation::new("picture", sentence)).into());
        }
        raw_key = raw_key.or(message.idempotency_key);
        file.extend_from_slice(&message.chunk);
    }
    let key = RequestKey::of_upload(raw_key.as_deref(), &[&file]).map_err(Error::from)?;
    Ok(IdempotentRequest { body: file, key })
}

/// Reads the chunks of a PDF file. The first message has its name and the idempotency key.
pub async fn parse_pdf_upload(
    mut messages: Streaming<pb::UploadPdfRequest>,
) -> Result<IdempotentRequest<PdfFile>, Status> {
    let first = messages.message().await?.unwrap_or_default();
    let mut bytes = first.chunk;
    while let Some(message) = messages.message().await? {
        // Checked again by `PdfFile`; here it bounds the memory.
        if bytes.len() + message.chunk.len() > PdfFile::MAX_SIZE {
            return Err(Error::from(PdfFile::too_large("file")).into());
        }
        bytes.extend_from_slice(&message.chunk);
    }
    let file = PdfFile::parse("file", &first.name, bytes).map_err(Error::from)?;
    let key = first.idempotency_key.as_deref();
    let key = RequestKey::of_upload(key, &[file.name.as_bytes(), &file.bytes]).map_err(Error::from)?;
    Ok(IdempotentRequest { body: file, key })
}
