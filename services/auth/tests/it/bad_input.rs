//! Invalid input in every text field: a violation of that field, and no row is written.

use portia_proto::auth::{LoginRequest, RegisterRequest, RegistrationForm, ResetPasswordRequest};
use primitives::error::ErrorKind;

use crate::{Auth, PASSWORD, details, registration, with_browser};

/// Texts that every field refuses.
fn corpus() -> Vec<String> {
    let mut bad: Vec<String> =
        ["\0isabel", "isa\0bel", "isabel\0", "isabel\u{202e}seyer", "\u{2066}isabel", "isa\u{1b}[31mbel"]
            .map(str::to_owned)
            .into();
    bad.extend(["isabel\u{7f}".to_owned(), "isabel\u{ffff}".to_owned(), "x".repeat(1 << 20), "ñ".repeat(500)]);
    bad
}

type Field = (&'static str, fn(&mut RegisterRequest, String));

/// Every text field of a registration.
const FIELDS: [Field; 8] = [
    ("memberId", |request, text| request.member_id = text),
    ("username", |request, text| request.username = text),
    ("password", |request, text| request.password = text),
    ("fullName", |request, text| form(request).full_name = text),
    ("headline", |request, text| form(request).headline = Some(text)),
    ("location", |request, text| form(request).location = Some(text)),
    ("school", |request, text| form(request).school = Some(text)),
    ("graduationYear", |request, text| form(request).graduation_year = Some(text)),
];

fn form(request: &mut RegisterRequest) -> &mut RegistrationForm {
    request.form.get_or_insert_default()
}

#[tokio::test]
async fn an_invalid_registration_reports_its_fields() {
    let auth = Auth::start().await;
    for (field, set) in FIELDS {
        for text in corpus() {
            let mut request = registration(1);
            set(&mut request, text.clone());
            let error = details(auth.register(request).await);
            let shown: String = text.chars().take(20).collect();
            assert_eq!(error.kind, ErrorKind::Invalid, "{field}: {shown:?}");
            assert!(error.violations.iter().all(|violation| violation.field == field), "{field}: {error:?}");
        }
    }
    for (field, set) in &FIELDS[..4] {
        for blank in ["", "   ", "\u{3000}\u{3000}"] {
            let mut request = registration(1);
            set(&mut request, blank.to_owned());
            assert_eq!(details(auth.register(request).await).violations[0].field, *field, "{blank:?}");
        }
    }
    for table in
        ["select count(*) from auth.accounts", "select count(*) from auth.audit", "select count(*) from auth.outbox"]
    {
        assert_eq!(auth.value::<i64>(table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn the_limits_equal_those_of_profile() {
    let auth = Auth::start().await;
    let longest = RegistrationForm {
        full_name: "ñ".repeat(100),
        headline: Some("ñ".repeat(200)),
        location: Some("ñ".repeat(100)),
        school: Some("ñ".repeat(200)),
        graduation_year: Some("ñ".repeat(10)),
    };
    let request = RegisterRequest { form: Some(longest.clone()), ..registration(1) };
    assert!(auth.register(request).await.is_ok());
    for (field, set) in &FIELDS[3..] {
        let mut request = RegisterRequest { form: Some(longest.clone()), ..registration(2) };
        let text = match *field {
            "fullName" | "location" => "ñ".repeat(101),
            "graduationYear" => "ñ".repeat(11),
            _ => "ñ".repeat(201),
        };
        set(&mut request, text);
        assert_eq!(details(auth.register(request).await).violations[0].field, *field);
    }
}

#[tokio::test]
async fn an_invalid_sign_in_reports_its_fields() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    for text in corpus() {
        let error = details(auth.login(&text, PASSWORD).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "username"));
        let error = details(auth.login("member.1", &text).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "password"));
    }
    let nothing = auth.client().login(auth.request(LoginRequest::default())).await;
    assert_eq!(details(nothing).violations.len(), 2);
}

#[tokio::test]
async fn an_invalid_reset_reports_its_fields() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let before = auth.state().await;
    for text in corpus().into_iter().chain([String::new(), "ab".to_owned()]) {
        let error = details(auth.methods(&text, &home.browser).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "username"));
        let request = ResetPasswordRequest { username: text.clone(), ..with_browser(1, &home.browser) };
        let error = details(auth.reset(request).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "username"));
        let request = ResetPasswordRequest { password: text, ..with_browser(1, &home.browser) };
        let error = details(auth.reset(request).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "password"));
    }
    assert_eq!(auth.state().await, before);
}

#[tokio::test]
async fn an_invalid_browser_cookie_counts_as_absent() {
    let auth = Auth::start().await;
    for (n, garbage) in (1..).zip(corpus()) {
        let request = RegisterRequest { trusted_browser_token: garbage.clone(), ..registration(n) };
        let cookie = auth.register(request).await.unwrap().trusted_browser.unwrap().token;
        let name = format!("member.{n}");
        let again = auth.login_at(&name, PASSWORD, &garbage).await.unwrap().trusted_browser.unwrap().token;
        assert!(auth.is_trusted(&name, &cookie).await && auth.is_trusted(&name, &again).await);
        assert!(!auth.is_trusted(&name, &garbage).await);
    }
}

#[tokio::test]
async fn an_invalid_session_cookie_has_no_effect() {
    let auth = Auth::start().await;
    auth.register(registration(1)).await.unwrap();
    for garbage in corpus().into_iter().chain([String::new(), "A".repeat(43), "' or 1=1 --".to_owned()]) {
        assert_eq!(details(auth.resolve(&garbage).await).reason, "SESSION_ENDED");
        assert_eq!(auth.logout(&garbage).await.unwrap().session_id, None);
    }
    assert_eq!(auth.value::<i64>("select count(*) from auth.sessions").await, 1);
}

#[tokio::test]
async fn invalid_browser_headers_do_not_prevent_a_sign_in() {
    let auth = Auth::start().await;
    let browser = portia_proto::auth::Browser { user_agent: "\0\u{1b}".repeat(5_000), address: "\0nowhere".into() };
    auth.register(RegisterRequest { browser: Some(browser), ..registration(1) }).await.unwrap();
    assert_eq!(auth.value::<Option<String>>("select address from auth.sessions").await, None);
    auth.register(RegisterRequest { browser: None, ..registration(2) }).await.unwrap();
}
