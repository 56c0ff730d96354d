//! The ZIP archive: one JSON file per section, the files of the member, and the page at the end.

use std::{
    cell::Cell,
    io::{self, Read as _, Seek as _, Write},
    rc::Rc,
};

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};
use serde_json::{Map, Value};
use tempfile::{SpooledTempFile, spooled_tempfile};
use tokio::sync::mpsc;
use zip::{ZipWriter, write::SimpleFileOptions, write::StreamWriter};

use crate::api::export::{
    about::About,
    page::Page,
    records::{FilePart, Record, Service},
};

/// The part of the page that is kept in memory. A ZIP is written file by file, so the page waits until the other files
/// are complete.
const MAX_IN_MEMORY: usize = 256 * 1024;
/// The buffer size for copying the page.
const BUFFER: usize = 32 * 1024;

/// An element of the archive, in order.
#[derive(Debug)]
pub enum Part {
    /// The start of the records of a service.
    Service(Service),
    /// A record.
    Record(Record),
    /// The end. Without it the archive is incomplete.
    End,
}

/// Writes the archive from the received parts.
///
/// # Errors
/// When the parts stop before `Part::End`, a record is invalid, or the output is closed. The written bytes are then not a
/// valid ZIP, because its directory is missing.
pub fn pack(mut parts: mpsc::Receiver<Part>, out: impl Write, about: &About) -> io::Result<()> {
    let abandoned = Rc::new(Cell::new(false));
    let mut archive = Archive::new(AbandonableWriter { out, abandoned: Rc::clone(&abandoned) }, about)?;
    let result = fill(&mut archive, || parts.blocking_recv());
    // The writer completes its archive when it is dropped. An incomplete archive must stay invalid.
    abandoned.set(result.is_err());
    result.and_then(|()| archive.finish())
}

fn fill<W: Write>(archive: &mut Archive<W>, mut next: impl FnMut() -> Option<Part>) -> io::Result<()> {
    loop {
        match next().ok_or(io::ErrorKind::UnexpectedEof)? {
            Part::Service(service) => archive.service(service)?,
            Part::Record(Record { part: Some(part), .. }) => archive.part(&part)?,
            Part::Record(record) => archive.record(&record)?,
            Part::End => return archive.page(),
        }
    }
}

/// Forwards writes until the archive is abandoned.
struct AbandonableWriter<W> {
    out: W,
    abandoned: Rc<Cell<bool>>,
}

impl<W: Write> Write for AbandonableWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.abandoned.get() { Ok(bytes.len()) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.abandoned.get() { Ok(()) } else { self.out.flush() }
    }
}

struct Archive<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
    options: SimpleFileOptions,
    page: Page<SpooledTempFile>,
    service: Service,
    section: Option<String>,
    file: Option<String>,
}

impl<W: Write> Archive<W> {
    fn new(out: W, about: &About) -> io::Result<Self> {
        Ok(Self {
            zip: ZipWriter::new_stream(out),
            options: SimpleFileOptions::default().last_modified_time(zip_time(about.at)),
            page: Page::begin(spooled_tempfile(MAX_IN_MEMORY), about)?,
            service: Service::FIRST,
            section: None,
            file: None,
        })
    }

    fn service(&mut self, service: Service) -> io::Result<()> {
        self.end_section()?;
        self.service = service;
        self.page.service(service.title())
    }

    fn record(&mut self, record: &Record) -> io::Result<()> {
        let fields: Map<String, Value> = serde_json::from_str(&record.json)?;
        if self.section.as_ref() == Some(&record.section) {
            self.zip.write_all(b",\n")?;
        } else {
            self.end_section()?;
            self.begin_section(&record.section)?;
        }
        self.page.record(&fields)?;
        // Line breaks in texts are escaped, so these are line breaks of the format.
        let pretty = serde_json::to_string_pretty(&fields)?.replace('\n', "\n  ");
        self.zip.write_all(b"  ")?;
        self.zip.write_all(pretty.as_bytes())
    }

    fn part(&mut self, part: &FilePart) -> io::Result<()> {
        if self.file.as_ref() != Some(&part.file) {
            self.end_section()?;
            self.begin_file(&part.file)?;
        }
        self.zip.write_all(&part.chunk)
    }

    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        let plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
        if name.len() > 128 || name.starts_with('.') || name.is_empty() || !name.as_bytes().iter().all(plain) {
            return Err(io::Error::other("the name of a file is not kebab case"));
        }
        self.zip.start_file(format!("{}/files/{name}", self.service.folder()), self.options)?;
        self.file = Some(name.to_owned());
        Ok(())
    }

    fn begin_section(&mut self, section: &str) -> io::Result<()> {
        // The section becomes a path on the computer of the member.
        let plain = section.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if section.is_empty() || section.len() > 64 || !plain {
            return Err(io::Error::other("the name of a section is not kebab case"));
        }
        self.file = None;
        self.zip.start_file(format!("{}/{section}.json", self.service.folder()), self.options)?;
        self.zip.write_all(b"[\n")?;
        self.page.section(section)?;
        self.section = Some(section.to_owned());
        Ok(())
    }

    fn end_section(&mut self) -> io::Result<()> {
        if self.section.take().is_some() {
            self.zip.write_all(b"\n]\n")?;
        }
        Ok(())
    }

    fn page(&mut self) -> io::Result<()> {
        self.end_section()?;
        self.zip.start_file("index.html", self.options)?;
        let page = self.page.end()?;
        page.rewind()?;
        let mut buffer = vec![0; BUFFER];
        loop {
            let read = page.read(&mut buffer)?;
            match buffer.get(..read) {
                None | Some([]) => return Ok(()),
                Some(read) => self.zip.write_all(read)?,
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        self.zip.finish()?.into_inner().flush()
    }
}

/// The time in the format of ZIP, which supports the years 1980 to 2107.
fn zip_time(at: DateTime<Utc>) -> zip::DateTime {
    let year = u16::try_from(at.year()).unwrap_or_default();
    let [month, day, hour, minute, second] =
        [at.month(), at.day(), at.hour(), at.minute(), at.second()].map(|part| u8::try_from(part).unwrap_or_default());
    zip::DateTime::from_date_and_time(year, month, day, hour, minute, second).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use zip::ZipArchive;

    use super::*;

    fn about() -> About {
        About { username: "ana".to_owned(), at: DateTime::from_timestamp(1_795_176_000, 0).unwrap() }
    }

    fn record(section: &str, json: &str) -> Part {
        Part::Record(Record { section: section.to_owned(), json: json.to_owned(), part: None })
    }

    fn file_part(file: &str, chunk: &[u8]) -> Part {
        let part = FilePart { file: file.to_owned(), chunk: chunk.to_vec() };
        Part::Record(Record { section: String::new(), json: String::new(), part: Some(part) })
    }

    fn pack_parts(parts: Vec<Part>) -> (Vec<u8>, io::Result<()>) {
        let (sender, inbox) = mpsc::channel(64);
        for part in parts {
            sender.try_send(part).unwrap();
        }
        drop(sender);
        let mut bytes = Vec::new();
        let outcome = pack(inbox, &mut bytes, &about());
        (bytes, outcome)
    }

    fn file(bytes: &[u8], name: &str) -> String {
        let mut text = String::new();
        let mut zip = ZipArchive::new(io::Cursor::new(bytes)).unwrap();
        zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    fn whole_archive() -> Vec<Part> {
        vec![
            Part::Service(Service::Auth),
            record("account", r#"{"username":"ana","createdAt":"2026-01-01T00:00:00Z"}"#),
            record("sessions", r#"{"browser":"Firefox"}"#),
            record("sessions", r#"{"browser":"a\nb","tags":["x",{"y":null}]}"#),
            Part::Service(Service::Feed),
            Part::End,
        ]
    }

    #[test]
    fn each_section_is_a_list_in_its_own_file() {
        let (bytes, outcome) = pack_parts(whole_archive());
        outcome.unwrap();
        let zip = ZipArchive::new(io::Cursor::new(&bytes)).unwrap();
        assert_eq!(
            zip.file_names().map(Result::unwrap).collect::<Vec<_>>(),
            ["auth/account.json", "auth/sessions.json", "index.html"]
        );
        let sessions = file(&bytes, "auth/sessions.json");
        assert!(sessions.starts_with("[\n  {\n    \"browser\": \"Firefox\"\n  },\n  {\n"), "{sessions}");
        let list: Vec<Value> = serde_json::from_str(&sessions).unwrap();
        assert_eq!(list[1], serde_json::json!({ "browser": "a\nb", "tags": ["x", { "y": null }] }));
        assert!(file(&bytes, "index.html").contains("Firefox"));
    }

    #[test]
    fn the_parts_of_a_file_are_one_file() {
        let mut parts = whole_archive();
        parts.truncate(4);
        parts.extend([file_part("1-resume.pdf", b"%PDF-"), file_part("1-resume.pdf", b"1.7")]);
        parts.extend([file_part("2-resume.pdf", b"%PDF-2"), Part::Service(Service::Jobs), Part::End]);
        let (bytes, outcome) = pack_parts(parts);
        outcome.unwrap();
        assert_eq!(file(&bytes, "auth/files/1-resume.pdf"), "%PDF-1.7");
        assert_eq!(file(&bytes, "auth/files/2-resume.pdf"), "%PDF-2");
        assert!(serde_json::from_str::<Value>(&file(&bytes, "auth/sessions.json")).is_ok());
        for name in ["../x", "", ".hidden", "A.pdf", "a/b.pdf"] {
            let (_, outcome) = pack_parts(vec![Part::Service(Service::Auth), file_part(name, b"x"), Part::End]);
            assert!(outcome.is_err(), "{name}");
        }
    }

    #[test]
    fn an_interrupted_export_is_not_an_archive() {
        for count in 0..whole_archive().len() - 1 {
            let mut parts = whole_archive();
            parts.truncate(count);
            let (bytes, outcome) = pack_parts(parts);
            assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
            assert!(ZipArchive::new(io::Cursor::new(bytes)).is_err(), "{count} parts");
        }
    }

    #[test]
    fn an_invalid_record_breaks_the_archive() {
        let bad = [
            ("account", "7"),
            ("account", "{"),
            ("account", ""),
            ("../x", "{}"),
            ("", "{}"),
            ("A", "{}"),
            ("sessions", "{}"),
        ];
        for (section, json) in bad {
            // The last case repeats an earlier section, so its file would be written twice.
            let mut parts = vec![Part::Service(Service::Auth), record("sessions", "{}"), record("audit", "{}")];
            parts.extend([record(section, json), Part::End]);
            let (bytes, outcome) = pack_parts(parts);
            assert!(outcome.is_err(), "{section} {json}");
            assert!(ZipArchive::new(io::Cursor::new(bytes)).is_err(), "{section} {json}");
        }
    }

    #[test]
    fn a_page_that_exceeds_the_memory_limit_is_complete() {
        let text = "word ".repeat(2_000);
        let mut parts = vec![Part::Service(Service::Auth)];
        parts.extend((0..40).map(|n| record("posts", &format!(r#"{{"n":{n},"text":"{text}"}}"#))));
        parts.push(Part::End);
        let (bytes, outcome) = pack_parts(parts);
        outcome.unwrap();
        let page = file(&bytes, "index.html");
        assert!(page.len() > MAX_IN_MEMORY && page.ends_with("</html>\n"));
        assert_eq!(page.matches(&text).count(), 40);
    }

    #[test]
    fn a_file_name_contains_only_safe_characters() {
        let named = |username: &str| About { username: username.to_owned(), ..about() }.file_name();
        assert_eq!(named("ana.reyes+x@up"), "portia-ana.reyes+x@up.zip");
        assert_eq!(named("../\"a\r\nX: y\u{202e}"), "portia-..aXy.zip");
    }
}
