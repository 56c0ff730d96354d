//! Invalid input in every text field: a violation of that field, and no row is written.

use portia_proto::{auth::RegistrationForm, profile::EnsureMemberRequest};
use primitives::error::ErrorKind;

use crate::{Profile, details, registration};

/// Texts that every field refuses.
fn corpus() -> Vec<String> {
    let few = [
        "\0isabel",
        "isa\0bel",
        "isabel\0",
        "isabel\u{202e}seyer",
        "\u{2066}isabel",
        "isa\u{1b}[31mbel",
        "isabel\u{ffff}",
    ];
    few.map(str::to_owned).into_iter().chain(["x".repeat(1 << 20), "ñ".repeat(500)]).collect()
}

type Field = (&'static str, fn(&mut EnsureMemberRequest, String));

/// Every text field of a registration.
const FIELDS: [Field; 7] = [
    ("memberId", |request, text| request.member_id = text),
    ("username", |request, text| request.username = text),
    ("fullName", |request, text| form(request).full_name = text),
    ("headline", |request, text| form(request).headline = Some(text)),
    ("location", |request, text| form(request).location = Some(text)),
    ("school", |request, text| form(request).school = Some(text)),
    ("graduationYear", |request, text| form(request).graduation_year = Some(text)),
];

fn form(request: &mut EnsureMemberRequest) -> &mut RegistrationForm {
    request.form.get_or_insert_default()
}

#[tokio::test]
async fn an_invalid_registration_reports_its_fields() {
    let profile = Profile::start().await;
    for (field, set) in FIELDS {
        for text in corpus() {
            let mut request = registration(1);
            set(&mut request, text.clone());
            let error = details(profile.ensure(request).await);
            let shown: String = text.chars().take(20).collect();
            assert_eq!(error.kind, ErrorKind::Invalid, "{field}: {shown:?}");
            assert_eq!(error.violations[0].field, field, "{shown:?}");
        }
    }
    for (field, set) in &FIELDS[..3] {
        for blank in ["", "   ", "\u{3000}\u{3000}"] {
            let mut request = registration(1);
            set(&mut request, blank.to_owned());
            assert_eq!(details(profile.ensure(request).await).violations[0].field, *field, "{blank:?}");
        }
    }
    assert_eq!(profile.count("select count(*) from profile.members").await, 0);
    assert_eq!(profile.all_facts().await, 0);
}

#[tokio::test]
async fn texts_of_the_maximum_length_are_stored() {
    let profile = Profile::start().await;
    let longest = RegistrationForm {
        full_name: "ñ".repeat(100),
        headline: Some("ñ".repeat(200)),
        location: Some("ñ".repeat(100)),
        school: Some("ñ".repeat(200)),
        graduation_year: Some("ñ".repeat(10)),
    };
    let made = profile.ensure(EnsureMemberRequest { form: Some(longest.clone()), ..registration(1) }).await.unwrap();
    assert_eq!(made.full_name, longest.full_name);
    assert_eq!((made.headline, made.location, made.school), (longest.headline, longest.location, longest.school));
}

#[tokio::test]
async fn an_invalid_id_is_refused() {
    let profile = Profile::start().await;
    for garbage in
        corpus().into_iter().chain([String::new(), "1".into(), "00000000-0000-0000-0000-000000000000".into()])
    {
        let error = details(profile.get(&garbage).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "memberId"));
        let error = details(profile.cards(&[garbage]).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "memberIds"));
    }
}
