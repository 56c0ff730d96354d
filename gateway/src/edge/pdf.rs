//! PDF files: uploads as a raw body, and downloads that a browser never renders on this origin. Pictures that are not public.

use axum::{
    body::Body,
    extract::{FromRequest, Request},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use futures::{Stream, TryStreamExt as _};
use http::{HeaderMap, HeaderName, StatusCode, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use tonic::Status;
use utoipa::ToSchema;

use crate::edge::{extract::has_content_encoding, problem::Problem};

/// The maximum body of an upload, in bytes.
pub const MAX_BODY: usize = primitives::input::PdfFile::MAX_SIZE;
/// The size of a message to a service, in bytes. A file can exceed the maximum size of a message.
const CHUNK: usize = 256 * 1024;
/// The name of an uploaded file, percent-encoded UTF-8. A header, because proxies log queries.
pub const FILE_NAME: HeaderName = HeaderName::from_static("x-file-name");
/// Not even a plug-in of the browser may do anything with a file.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";
/// The `attr-char` of RFC 8187, which stay unencoded in `filename*`.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// A PDF file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only for the OpenAPI document")]
pub struct PdfFile(Bytes);

/// An uploaded file with its name. The service checks both.
pub struct UploadedPdf {
    /// The name on the computer of the member.
    pub name: String,
    file: Bytes,
}

impl UploadedPdf {
    /// The file in parts that fit into messages; at least one.
    pub fn chunks(&self) -> impl Iterator<Item = Vec<u8>> + Send + 'static {
        let file = self.file.clone();
        let count = file.len().div_ceil(CHUNK).max(1);
        (0..count).map(move |n| file.slice(n * CHUNK..file.len().min((n + 1) * CHUNK)).to_vec())
    }
}

impl<S: Send + Sync> FromRequest<S> for UploadedPdf {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let unsupported = |code, sentence| Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, sentence));
        if has_content_encoding(request.headers()) {
            return unsupported("ENCODED", "The file must be sent without a content encoding.");
        }
        if !is_pdf(request.headers()) {
            return unsupported("NOT_A_PDF", "The file must be sent as application/pdf.");
        }
        let name = file_name(request.headers())
            .ok_or_else(|| Problem::field("X-File-Name", "This must be the name of the file, percent-encoded."))?;
        let unread = || Problem::new(StatusCode::BAD_REQUEST, "BROKEN_BODY", "The body could not be read to its end.");
        Bytes::from_request(request, state).await.map(|file| Self { name, file }).map_err(|_| unread())
    }
}

fn is_pdf(headers: &HeaderMap) -> bool {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    media.split(';').next().is_some_and(|media| media.trim().eq_ignore_ascii_case("application/pdf"))
}

fn file_name(headers: &HeaderMap) -> Option<String> {
    let raw = headers.get(FILE_NAME)?.to_str().ok()?;
    percent_decode_str(raw).decode_utf8().ok().map(|name| name.into_owned())
}

/// A picture that only some members may see, in `chunks` of `size` bytes together. Browsers do not keep it, as nothing below `/api`.
pub fn picture(size: i32, chunks: impl Stream<Item = Result<Vec<u8>, Status>> + Send + 'static) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg".to_owned()),
        (header::CONTENT_LENGTH, size.max(0).to_string()),
        (header::CONTENT_DISPOSITION, "inline".to_owned()),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
    ];
    (headers, Body::from_stream(chunks.map_ok(Bytes::from))).into_response()
}

/// The response with a file: a download under its own name, from `chunks` of `size` bytes together.
pub fn download(
    name: &str,
    size: i32,
    chunks: impl Stream<Item = Result<Vec<u8>, Status>> + Send + 'static,
) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CONTENT_LENGTH, size.max(0).to_string()),
        (header::CONTENT_DISPOSITION, disposition(name)),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
    ];
    (headers, Body::from_stream(chunks.map_ok(Bytes::from))).into_response()
}

/// `filename*` for the name; `filename` for clients that do not know it.
fn disposition(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || " .-_()".contains(c) { c } else { '_' };
    let ascii: String = name.chars().map(plain).collect();
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{}", utf8_percent_encode(name, ENCODED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_cannot_leave_its_header() {
        for (name, expected) in [
            ("cv.pdf", "attachment; filename=\"cv.pdf\"; filename*=UTF-8''cv.pdf"),
            ("Résumé 1.pdf", "attachment; filename=\"R_sum_ 1.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9%201.pdf"),
            (
                "a\"; x=\\\r\n'.pdf",
                "attachment; filename=\"a__ x_____.pdf\"; filename*=UTF-8''a%22%3B%20x%3D%5C%0D%0A%27.pdf",
            ),
        ] {
            assert_eq!(disposition(name), expected);
        }
    }

    #[test]
    fn a_file_is_sent_in_parts() {
        let lengths = |bytes: usize| {
            let file = UploadedPdf { name: String::new(), file: vec![7; bytes].into() };
            file.chunks().map(|chunk| chunk.len()).collect::<Vec<_>>()
        };
        assert_eq!(lengths(0), [0]);
        assert_eq!(lengths(CHUNK), [CHUNK]);
        assert_eq!(lengths(CHUNK + 1), [CHUNK, 1]);
    }
}
