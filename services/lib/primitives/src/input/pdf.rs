//! PDF files of members: checked by their content, stored and returned unchanged.

use std::fmt;

use super::Line;
use crate::error::Violation;

/// The start of every PDF file.
const HEADER: &[u8] = b"%PDF-";
/// The ending of its name.
const SUFFIX: &str = ".pdf";
/// The maximum length of a name in characters, without an added ending.
const MAX_NAME: usize = 255;

/// A PDF file with the name that it had on the computer of the member. Never parsed or rendered: it may contain scripts, and
/// is only offered as a download.
#[derive(Clone, PartialEq, Eq)]
pub struct PdfFile {
    /// One line without folders, with the ending `.pdf`.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl PdfFile {
    /// The maximum size of a file, in bytes.
    pub const MAX_SIZE: usize = 5 << 20;

    /// Checks a file by its first bytes; its name and media type prove nothing.
    ///
    /// # Errors
    /// A violation of `field`, or of `name`.
    pub fn parse(field: &str, name: &str, bytes: Vec<u8>) -> Result<Self, Violation> {
        let name = parse_name("name", name)?;
        if bytes.len() > Self::MAX_SIZE {
            return Err(Self::too_large(field));
        }
        if !bytes.starts_with(HEADER) {
            return Err(Violation::new(field, "This is not a PDF file. Please choose another one."));
        }
        Ok(Self { name, bytes })
    }

    /// The violation of a file larger than [`Self::MAX_SIZE`].
    #[must_use]
    pub fn too_large(field: &str) -> Violation {
        Violation::new(field, "This file is too large. Please choose one of at most 5 MB.")
    }

    /// The size in bytes, as columns and messages have it.
    #[must_use]
    pub fn size(&self) -> i32 {
        i32::try_from(self.bytes.len()).unwrap_or(i32::MAX)
    }
}

impl fmt::Debug for PdfFile {
    /// Names and contents of members do not belong in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PdfFile({} bytes)", self.bytes.len())
    }
}

/// The last component of a path, whatever separates folders. Characters that look like others are refused by [`Line`].
fn parse_name(field: &str, raw: &str) -> Result<String, Violation> {
    let name = raw.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = Line::<MAX_NAME>::parse(field, name, 1, "The file needs a name.")?.into_string();
    let has_suffix = name.len() > SUFFIX.len() && name.to_ascii_lowercase().ends_with(SUFFIX);
    Ok(if has_suffix { name } else { name + SUFFIX })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(raw: &str) -> Result<String, Violation> {
        PdfFile::parse("file", raw, b"%PDF-1.7".to_vec()).map(|file| file.name)
    }

    #[test]
    fn a_name_has_no_folder_and_the_ending_of_a_pdf_file() {
        for (raw, name) in [
            ("Résumé.pdf", "Résumé.pdf"),
            ("C:\\Users\\ana\\CV.PDF", "CV.PDF"),
            ("../../etc/passwd", "passwd.pdf"),
            (" letter ", "letter.pdf"),
            (".pdf", ".pdf.pdf"),
            ("cv.pdf.exe", "cv.pdf.exe.pdf"),
            ("e\u{301}.pdf", "é.pdf"),
        ] {
            assert_eq!(named(raw).as_deref(), Ok(name), "{raw}");
        }
        for raw in ["", "/", "a\r\nSet-Cookie: x", "a\0.pdf", "fdp.\u{202e}exe", &"a".repeat(256)] {
            assert_eq!(named(raw).unwrap_err().field, "name", "{raw:?}");
        }
    }

    #[test]
    fn the_first_bytes_and_the_size_decide() {
        let parse = |bytes: &[u8]| PdfFile::parse("file", "cv.pdf", bytes.to_vec()).map(|file| file.size());
        assert_eq!(parse(b"%PDF-1.4\nrest"), Ok(13));
        for bytes in [b"".as_slice(), b"%PDF", b"\n%PDF-1.7", b"PK\x03\x04", b"<html>%PDF-1.7", b"\x7fELF"] {
            assert_eq!(parse(bytes).unwrap_err().field, "file", "{bytes:?}");
        }
        let mut largest = b"%PDF-".to_vec();
        largest.resize(PdfFile::MAX_SIZE, 0);
        assert!(parse(&largest).is_ok());
        largest.push(0);
        assert_eq!(parse(&largest), Err(PdfFile::too_large("file")));
    }

    #[test]
    fn a_file_is_formatted_without_name_and_content() {
        let file = PdfFile::parse("file", "Ana Reyes.pdf", b"%PDF-1.7 secret".to_vec()).unwrap();
        assert_eq!(format!("{file:?}"), "PdfFile(15 bytes)");
    }
}
