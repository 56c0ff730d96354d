//! The files of applications: stored and returned unchanged, for their member only.

use chrono::TimeDelta;
use portia_proto::jobs::{
    ApplicationFileKind, DeleteApplicationFileRequest, DownloadApplicationFileRequest, ExportMemberRequest,
    JobApplication, UploadApplicationFileRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use serde_json::{Value, json};
use testkit::member;
use uuid::Uuid;

use crate::fixtures::{Fixture, posting};

/// The application of member 1, and a posting it is for.
async fn fixture() -> (Fixture, String) {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    fixture.insert_application(1, member(1), 1, "applied").await;
    let id = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_0001);
    (fixture, id.to_string())
}

const RESUME: ApplicationFileKind = ApplicationFileKind::Resume;
const LETTER: ApplicationFileKind = ApplicationFileKind::CoverLetter;

impl Fixture {
    pub async fn upload_file(
        &self,
        who: Uuid,
        application: &str,
        kind: ApplicationFileKind,
        name: &str,
        file: &[u8],
    ) -> Result<JobApplication, StatusDetails> {
        let first = UploadApplicationFileRequest {
            application_id: application.to_owned(),
            kind: kind.into(),
            name: name.to_owned(),
            chunk: Vec::new(),
        };
        let chunks = file.chunks(300_000);
        let chunks = chunks.map(|chunk| UploadApplicationFileRequest { chunk: chunk.to_vec(), ..Default::default() });
        let messages: Vec<_> = [first].into_iter().chain(chunks).collect();
        let request = self.harness.actors.member(who).request(futures::stream::iter(messages)).unwrap();
        let answer = self.jobs.clone().upload_application_file(request).await;
        answer.map(|answer| answer.into_inner().application.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    async fn delete_file(
        &self,
        who: Uuid,
        application: &str,
        kind: ApplicationFileKind,
    ) -> Result<JobApplication, StatusDetails> {
        let request = DeleteApplicationFileRequest { application_id: application.to_owned(), kind: kind.into() };
        let request = self.harness.actors.member(who).request(request).unwrap();
        let answer = self.jobs.clone().delete_application_file(request).await;
        answer.map(|answer| answer.into_inner().application.unwrap()).map_err(|status| StatusDetails::from(&status))
    }

    /// The name and the bytes.
    async fn download_file(
        &self,
        who: Uuid,
        application: &str,
        kind: ApplicationFileKind,
    ) -> Result<(String, Vec<u8>), StatusDetails> {
        let request = DownloadApplicationFileRequest { application_id: application.to_owned(), kind: kind.into() };
        let request = self.harness.actors.member(who).request(request).unwrap();
        let answer = self.jobs.clone().download_application_file(request).await;
        let mut messages = answer.map_err(|status| StatusDetails::from(&status))?.into_inner();
        let file = messages.message().await.unwrap().unwrap().file.unwrap();
        let mut bytes = Vec::new();
        while let Some(message) = messages.message().await.map_err(|status| StatusDetails::from(&status))? {
            bytes.extend(message.chunk);
        }
        assert_eq!(usize::try_from(file.size).unwrap(), bytes.len());
        Ok((file.name, bytes))
    }
}

/// A file of some bytes that repeat nowhere.
fn pdf(bytes: usize) -> Vec<u8> {
    let rest = (0..).flat_map(|n: u32| n.to_be_bytes());
    b"%PDF-1.7\n".iter().copied().chain(rest).take(bytes).collect()
}

#[tokio::test]
async fn a_file_is_returned_unchanged_to_its_member() {
    let (fixture, id) = fixture().await;
    for bytes in [9, 64 * 1024, 64 * 1024 + 1, 5 << 20] {
        let file = pdf(bytes);
        let shown = fixture.upload_file(member(1), &id, RESUME, "C:\\CVs\\Résumé", &file).await.unwrap();
        let resume = shown.resume.unwrap();
        assert_eq!((resume.name.as_str(), usize::try_from(resume.size).unwrap()), ("Résumé.pdf", bytes));
        assert!(resume.uploaded_at.is_some() && shown.cover_letter.is_none());
        let stored = fixture.download_file(member(1), &id, RESUME).await.unwrap();
        assert!(stored == ("Résumé.pdf".to_owned(), file), "{bytes}");
    }
    let both = fixture.upload_file(member(1), &id, LETTER, "letter.pdf", &pdf(20)).await.unwrap();
    assert!(both.resume.is_some() && both.cover_letter.is_some());
    let listed = fixture.list_applications(member(1), Default::default()).await.unwrap().applications.remove(0);
    assert_eq!((listed.resume, listed.cover_letter), (both.resume, both.cover_letter));
    assert_eq!(fixture.count("select count(*) from jobs.application_files").await, 2, "one file of each kind");
}

#[tokio::test]
async fn a_member_uploads_150_mib_of_files_a_day() {
    let (fixture, id) = fixture().await;
    let file = pdf(5 << 20);
    // Each replaces the one before.
    for _ in 0..30 {
        fixture.upload_file(member(1), &id, RESUME, "cv.pdf", &file).await.unwrap();
    }
    let refused = fixture.upload_file(member(1), &id, LETTER, "letter.pdf", &pdf(4 << 10)).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "FILES_OF_DAY"));
    assert!(refused.retry_after.is_some());
    fixture.harness.clock.advance(TimeDelta::minutes(48));
    fixture.upload_file(member(1), &id, LETTER, "letter.pdf", &file).await.unwrap();
}

#[tokio::test]
async fn a_file_that_is_not_a_pdf_or_too_large_is_refused() {
    let (fixture, id) = fixture().await;
    let zip = b"PK\x03\x04".to_vec();
    for (field, name, file) in [
        ("file", "cv.pdf", Vec::new()),
        ("file", "cv.pdf", zip),
        ("file", "cv.pdf", pdf((5 << 20) + 1)),
        ("name", "", pdf(20)),
        ("name", "a\u{202e}fdp.exe", pdf(20)),
        ("name", "a\0.pdf", pdf(20)),
    ] {
        let refused = fixture.upload_file(member(1), &id, RESUME, name, &file).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field), "{name}");
    }
    for (application, kind) in [("x", RESUME), (id.as_str(), ApplicationFileKind::Unspecified)] {
        let refused = fixture.upload_file(member(1), application, kind, "cv.pdf", &pdf(20)).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Invalid);
        assert_eq!(fixture.download_file(member(1), application, kind).await.unwrap_err().kind, ErrorKind::Invalid);
    }
    assert_eq!(fixture.count("select count(*) from jobs.application_files").await, 0);
}

#[tokio::test]
async fn the_files_of_another_member_do_not_exist() {
    let (fixture, id) = fixture().await;
    fixture.upload_file(member(1), &id, RESUME, "cv.pdf", &pdf(20)).await.unwrap();
    let unknown = Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0002_ffff).to_string();
    for (who, application) in [(member(2), &id), (member(1), &unknown)] {
        let refused = fixture.upload_file(who, application, RESUME, "cv.pdf", &pdf(30)).await.unwrap_err();
        assert_eq!(refused.reason, "APPLICATION_NOT_FOUND");
        let refused = fixture.delete_file(who, application, RESUME).await.unwrap_err();
        assert_eq!(refused.reason, "APPLICATION_NOT_FOUND");
        let refused = fixture.download_file(who, application, RESUME).await.unwrap_err();
        assert_eq!(refused.reason, "FILE_NOT_FOUND");
    }
    assert_eq!(fixture.download_file(member(1), &id, RESUME).await.unwrap().1, pdf(20));
}

#[tokio::test]
async fn a_deleted_file_is_gone_and_deleting_it_again_is_no_error() {
    let (fixture, id) = fixture().await;
    fixture.upload_file(member(1), &id, RESUME, "cv.pdf", &pdf(20)).await.unwrap();
    fixture.upload_file(member(1), &id, LETTER, "letter.pdf", &pdf(20)).await.unwrap();
    let facts = "select count(*) from jobs.outbox where kind = 'portia.jobs.v1.ApplicationChanged'";
    for _ in 0..2 {
        let rest = fixture.delete_file(member(1), &id, RESUME).await.unwrap();
        assert!(rest.resume.is_none() && rest.cover_letter.is_some());
    }
    assert_eq!(fixture.count(facts).await, 3, "two uploads and one deletion");
    assert_eq!(fixture.download_file(member(1), &id, RESUME).await.unwrap_err().kind, ErrorKind::NotFound);
}

#[tokio::test]
async fn an_export_contains_the_files_of_the_member_only() {
    let (fixture, id) = fixture().await;
    let file = pdf(200_000);
    fixture.upload_file(member(1), &id, RESUME, "cv.pdf", &file).await.unwrap();
    fixture.upload_file(member(1), &id, LETTER, "letter.pdf", &pdf(20)).await.unwrap();
    fixture.insert_application(2, member(2), 1, "applied").await;
    for (who, expected) in [(member(1), 2), (member(2), 0)] {
        let request = fixture.harness.actors.member(who).request(ExportMemberRequest {}).unwrap();
        let mut stream = fixture.jobs.clone().export_member(request).await.unwrap().into_inner();
        let (mut records, mut files) = (Vec::<Value>::new(), Vec::<(String, Vec<u8>)>::new());
        while let Some(message) = stream.message().await.unwrap() {
            match message.part {
                Some(part) => match files.last_mut() {
                    Some((name, bytes)) if *name == part.file => bytes.extend(part.chunk),
                    _ => files.push((part.file, part.chunk)),
                },
                None if message.section == "application-files" => {
                    records.push(serde_json::from_str(&message.json).unwrap());
                }
                None => assert!(files.is_empty(), "files follow the records"),
            }
        }
        assert_eq!((records.len(), files.len()), (expected, expected));
        if expected > 0 {
            assert_eq!(records[1]["file"], json!(format!("{id}-resume.pdf")));
            assert_eq!((records[1]["name"].as_str(), records[1]["size"].as_i64()), (Some("cv.pdf"), Some(200_000)));
            assert!(files[1] == (format!("{id}-resume.pdf"), file.clone()));
        }
    }
}
