//! Events: partial updates, timestamps, and the calendar file.

use icalendar::{Component as _, EventLike as _};
use portia_proto::social_graph;
use serde_json::{Value, json};

use crate::{
    actors::{ANA, BEN, EVENT, id},
    test_gateway::{Reply, TestGateway, TestRequest},
};

fn path(part: &str) -> String {
    format!("/api/events/{EVENT}{part}")
}

async fn change(gateway: &TestGateway, body: &Value) -> Reply {
    gateway.send(TestRequest::new("PATCH", &path("")).by_member(ANA).json(body)).await
}

fn complete() -> Value {
    json!({ "title": "Finals", "description": "a", "location": null, "startDate": "2026-12-01T09:00:00+08:00",
            "endDate": "2026-12-01T11:00:00Z", "timeZone": "Asia/Manila" })
}

#[tokio::test]
async fn an_absent_field_stays_and_an_empty_one_clears() {
    let gateway = TestGateway::start().await;
    let before = gateway.get(&path("")).await.json();
    let text = ["title", "description", "location", "startDate", "endDate", "timeZone"];
    for (sent, expected) in [
        (json!({}), json!({})),
        (json!({ "title": "Finals" }), json!({})),
        (json!({ "description": "" }), json!({ "description": null })),
        (json!({ "location": null }), json!({})),
        (json!({ "timeZone": "America/New_York" }), json!({})),
        (json!({ "startDate": "2026-11-21T20:30:00+08:00" }), json!({ "startDate": "2026-11-21T12:30:00Z" })),
        (json!({ "endDate": "2026-11-22T00:00:00.123456789Z" }), json!({})),
        (complete(), json!({ "startDate": "2026-12-01T01:00:00Z" })),
    ] {
        let after = change(&gateway, &sent).await.json();
        for field in text {
            let becomes = [&expected, &sent].into_iter().find_map(|body| body.get(field)).unwrap_or(&before[field]);
            assert_eq!(&after[field], becomes, "{field} after {sent}");
        }
    }
}

#[tokio::test]
async fn a_required_field_of_an_event_cannot_be_cleared() {
    let gateway = TestGateway::start().await;
    for field in ["title", "timeZone"] {
        assert_eq!(change(&gateway, &json!({ field: null })).await.status, 200);
        let message = gateway.fakes.seen().into_iter().find(|seen| seen.method == "update_event").unwrap().message;
        let name = if field == "title" { "title" } else { "time_zone" };
        assert!(message.contains(&format!("{name}: \"\"")), "the service receives the empty text: {message}");
    }
    for field in ["startDate", "endDate"] {
        assert!(change(&gateway, &json!({ field: null })).await.refused(400)["fields"][field].is_string());
    }
}

#[tokio::test]
async fn a_complete_update_makes_one_call() {
    let gateway = TestGateway::start().await;
    let calls = async |body: Value| {
        gateway.fakes.seen();
        assert_eq!(change(&gateway, &body).await.status, 200);
        let seen = gateway.fakes.seen().into_iter().map(|seen| seen.method);
        seen.filter(|method| !["resolve_session", "batch_get_members"].contains(method)).collect::<Vec<_>>()
    };
    assert_eq!(calls(complete()).await, ["update_event"]);
    assert_eq!(calls(json!({ "title": "a" })).await, ["get_event", "update_event"]);
}

#[tokio::test]
async fn a_missing_event_is_not_found() {
    let gateway = TestGateway::start().await;
    for (method, part, body) in [
        ("GET", "", json!({})),
        ("GET", "/attendees", json!({})),
        ("GET", "/calendar.ics", json!({})),
        ("PATCH", "", json!({ "title": "a" })),
        ("PATCH", "", complete()),
        ("DELETE", "", json!({})),
        ("PUT", "/attendance", json!({})),
        ("DELETE", "/attendance", json!({})),
    ] {
        let ask = TestRequest::new(method, &format!("/api/events/{}{part}", id(0xcc))).by_member(ANA).json(&body);
        assert_eq!(gateway.send(ask).await.refused(404)["error"], "Event not found", "{method} {part}");
    }
}

#[tokio::test]
async fn an_event_contains_the_attendance_of_the_caller_and_the_organiser() {
    let gateway = TestGateway::start().await;
    for (who, attending) in [(ANA, false), (BEN, true)] {
        let body = gateway.send(TestRequest::new("GET", &path("")).by_member(who)).await.json();
        assert_eq!((&body["attending"], &body["organiser"]["fullName"]), (&json!(attending), &json!("Ana Reyes")));
    }
    assert_eq!(gateway.get("/api/events").await.json()[0]["attending"], json!(false));
    assert_eq!(gateway.fakes.count("batch_get_members"), 1, "attendees and organiser in one cached call");
}

#[tokio::test]
async fn the_calendar_file_is_valid() {
    let gateway = TestGateway::start().await;
    let reply = gateway.get(&path("/calendar.ics")).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), "text/calendar; charset=utf-8");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"moot-court.ics\"");
    assert_eq!((reply.header("cache-control"), reply.header("x-content-type-options")), ("no-store", "nosniff"));
    let file: icalendar::Calendar = reply.text().parse().unwrap();
    let event = file.events().next().unwrap().clone();
    assert_eq!(event.get_uid(), Some(format!("{EVENT}@portia").as_str()));
    assert_eq!(event.get_url(), Some(format!("http://127.0.0.1:8080/events/{EVENT}").as_str()));
    assert_eq!((event.get_sequence(), event.get_location()), (Some(3), Some("Manila")));
}

#[tokio::test]
async fn the_calendar_file_contains_the_public_url() {
    let gateway = TestGateway::start_with(|source| source.with("public_origin", "https://portia.example")).await;
    let file =
        gateway.send(TestRequest::new("GET", &path("/calendar.ics")).header("x-forwarded-host", "evil.example")).await;
    assert!(file.text().contains(&format!("\r\nURL:https://portia.example/events/{EVENT}\r\n")), "{}", file.text());
}

#[tokio::test]
async fn texts_of_an_event_cannot_inject_headers_or_lines_into_its_file() {
    let gateway = TestGateway::start().await;
    let hostile = [
        ("x\"; filename=\"evil.exe", "x-filename-evil-exe"),
        ("a\r\nSet-Cookie: portia_session=x\r\n\r\n<script>", "a-set-cookie-portia-session-x-script"),
        ("\u{202e}\u{0}\u{7f}\u{2028}", "event"),
        ("END:VEVENT\nBEGIN:VEVENT\nUID:x", "end-vevent-begin-vevent-uid-x"),
    ];
    for (text, stem) in hostile {
        let event = social_graph::Event {
            title: text.to_owned(),
            location: Some(text.to_owned()),
            description: Some(text.repeat(200)),
            ..crate::actors::event(None)
        };
        *gateway.fakes.event.lock().unwrap() = Some(event);
        let reply = gateway.get(&path("/calendar.ics")).await;
        assert_eq!(reply.header("content-disposition"), format!("attachment; filename=\"{stem}.ics\""));
        assert_eq!(reply.header("set-cookie"), "");
        let file = reply.text();
        let lines: Vec<&str> = file.split("\r\n").filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(lines.iter().filter(|line| line.starts_with("BEGIN:VEVENT")).count(), 1, "{file}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("UID:")).count(), 1, "{file}");
        assert!(!file.replace("\r\n", "").contains(|c: char| c.is_control()), "{file:?}");
    }
}

async fn ask(gateway: &TestGateway, (method, path): &(&str, String), body: &Value) -> Reply {
    gateway.send(TestRequest::new(method, path).by_member(ANA).json(body)).await
}

#[tokio::test]
async fn a_timestamp_needs_date_time_and_offset() {
    let gateway = TestGateway::start().await;
    let routes = [("POST", "/api/events".to_owned()), ("PATCH", path(""))];
    let wrong = [
        json!(""),
        json!("2026-12-01"),
        json!("2026-12-01T09:00:00"),
        json!("2026-13-01T09:00:00Z"),
        json!("2026-02-30T09:00:00Z"),
        json!("2026-12-01T09:00:00+99:00"),
        json!("infinity"),
        json!("now\u{0}"),
        json!(format!("2026-12-01T09:00:00{}Z", "0".repeat(1000))),
        json!(1_796_083_200),
        json!(null),
    ];
    for (route, field) in routes.iter().flat_map(|route| [(route, "startDate"), (route, "endDate")]) {
        for wrong in &wrong {
            let mut body = complete();
            body[field] = wrong.clone();
            let problem = ask(&gateway, route, &body).await.refused(400);
            assert!(problem["fields"][field].is_string(), "{route:?} {field}={wrong}: {problem}");
        }
    }
    let mut without = complete();
    without.as_object_mut().unwrap().remove("endDate");
    let problem = ask(&gateway, &routes[0], &without).await.refused(400);
    assert_eq!(problem["fields"]["endDate"], "Required");
    // Extreme dates and leap seconds are valid here; the service validates them.
    for odd in ["+262142-12-31T23:59:59Z", "-262143-01-01T00:00:00Z", "2026-12-31T23:59:60Z", "0000-01-01T00:00:00Z"] {
        let mut body = complete();
        body["startDate"] = json!(odd);
        let status = ask(&gateway, &routes[0], &body).await.status;
        assert!(status == 201 || status == 400, "{odd}: {status}");
    }
}
