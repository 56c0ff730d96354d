//! The well-known addresses for reports of vulnerabilities and for password managers.

use crate::test_gateway::TestGateway;

#[tokio::test]
async fn security_txt_names_the_configured_contact() {
    let gateway = TestGateway::start_with(|source| {
        source
            .with("public_origin", "https://portia.example")
            .with("security_contact", "mailto:security@portia.example")
    })
    .await;
    let reply = gateway.get("/.well-known/security.txt").await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/plain; charset=utf-8"));
    let text = reply.text();
    assert!(text.starts_with("Contact: mailto:security@portia.example\n"), "{text}");
    assert!(text.contains("\nCanonical: https://portia.example/.well-known/security.txt\n"), "{text}");
    let expires = text.lines().find_map(|line| line.strip_prefix("Expires: ")).unwrap();
    let expires = chrono::DateTime::parse_from_rfc3339(expires).unwrap();
    assert!(expires > gateway.clock.now() && expires < gateway.clock.now() + chrono::TimeDelta::days(366));
}

#[tokio::test]
async fn without_a_contact_there_is_no_security_txt() {
    let gateway = TestGateway::start().await;
    gateway.get("/.well-known/security.txt").await.refused(404);
}

#[tokio::test]
async fn password_managers_are_led_to_the_settings() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get("/.well-known/change-password").await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/settings"));
}
