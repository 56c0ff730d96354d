//! An event as an iCalendar file (RFC 5545).

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;

use crate::edge::timestamps::required_moment;

/// The maximum octets of a line without its end. A longer line is folded.
const MAX_LINE: usize = 75;
/// The maximum length of a file name without extension.
const MAX_STEM: usize = 60;

/// The iCalendar file of an event; `page` is the URL of the event, `at` the current time.
pub fn file(event: &pb::Event, page: &str, at: DateTime<Utc>) -> String {
    let mut lines = Lines(String::new());
    lines.write("BEGIN", "VCALENDAR");
    lines.write("VERSION", "2.0");
    lines.write("PRODID", "-//Portia//Events//EN");
    lines.write("CALSCALE", "GREGORIAN");
    lines.write("BEGIN", "VEVENT");
    lines.write("UID", &format!("{}@portia", event.id));
    lines.write("DTSTAMP", &moment(at));
    lines.write("DTSTART", &moment(required_moment(event.start_date)));
    lines.write("DTEND", &moment(required_moment(event.end_date)));
    lines.write("SEQUENCE", &event.revision.to_string());
    lines.write("SUMMARY", &text(&event.title));
    for (name, value) in [("DESCRIPTION", &event.description), ("LOCATION", &event.location)] {
        if let Some(value) = value {
            lines.write(name, &text(value));
        }
    }
    lines.write("URL", page);
    lines.write("END", "VEVENT");
    lines.write("END", "VCALENDAR");
    lines.0
}

/// Content lines (section 3.1).
struct Lines(String);

impl Lines {
    fn write(&mut self, name: &str, value: &str) {
        let mut length = 0;
        for c in name.chars().chain(":".chars()).chain(value.chars()) {
            // Folds between characters. The space at the start of the next line counts.
            if length + c.len_utf8() > MAX_LINE {
                self.0.push_str("\r\n ");
                length = 1;
            }
            self.0.push(c);
            length += c.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

/// TEXT (section 3.3.11). Every kind of line break is escaped, and other control characters are removed, so that a text
/// cannot add a line.
fn text(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in raw.replace("\r\n", "\n").chars() {
        match c {
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => text.push_str("\\n"),
            '\\' | ';' | ',' => text.extend(['\\', c]),
            '\t' => text.push(c),
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    text
}

/// A portable file name from the ASCII letters and digits of a title.
pub fn file_stem(title: &str) -> String {
    let ascii: String =
        title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
    let mut stem = ascii.split_whitespace().collect::<Vec<_>>().join("-");
    stem.truncate(MAX_STEM);
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() { "event".to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use icalendar::{Calendar, Component as _, Event, EventLike as _};
    use portia_proto::social_graph::Event as EventMessage;
    use prost_types::Timestamp;

    use super::*;

    const PAGE: &str = "https://portia.example/events/01930000-0000-7000-8000-0000000000c2";

    fn sample() -> EventMessage {
        EventMessage {
            id: "01930000-0000-7000-8000-0000000000c2".to_owned(),
            title: "Moot court".to_owned(),
            location: Some("Room 4, Malcolm Hall".to_owned()),
            start_date: Some(Timestamp { seconds: 1_795_262_400, nanos: 0 }),
            end_date: Some(Timestamp { seconds: 1_795_269_600, nanos: 500 }),
            time_zone: "Asia/Manila".to_owned(),
            description: Some("Bring:\n\\ a robe; a brief".to_owned()),
            revision: 3,
            ..EventMessage::default()
        }
    }

    fn render(event: &EventMessage) -> String {
        file(event, PAGE, DateTime::from_timestamp(1_795_176_000, 0).unwrap())
    }

    /// Checks the file strictly, and returns its event as an independent parser reads it.
    fn read(event: &EventMessage) -> Event {
        let file = render(event);
        let lines: Vec<&str> = file.strip_suffix("\r\n").unwrap().split("\r\n").collect();
        for line in &lines {
            assert!(line.len() <= 75, "{} octets: {line}", line.len());
            assert!(!line.contains(|c: char| c.is_control() && c != '\t'), "{line:?}");
        }
        let unfolded = lines.iter().filter(|line| !line.starts_with(' '));
        let mut names: Vec<&str> = unfolded.map(|line| line.split([':', ';']).next().unwrap()).collect();
        names.sort_unstable();
        let mut expected = vec!["BEGIN", "BEGIN", "CALSCALE", "DTEND", "DTSTAMP", "DTSTART", "END", "END", "PRODID"];
        expected.extend(["SEQUENCE", "SUMMARY", "UID", "URL", "VERSION"]);
        expected.extend(event.description.as_ref().map(|_| "DESCRIPTION"));
        expected.extend(event.location.as_ref().map(|_| "LOCATION"));
        expected.sort_unstable();
        assert_eq!(names, expected, "{file}");
        let calendar: Calendar = file.parse().unwrap();
        assert_eq!(calendar.components.len(), 1);
        calendar.events().next().unwrap().clone()
    }

    #[test]
    fn a_calendar_file_contains_the_event() {
        let file = render(&sample());
        for line in [
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Portia//Events//EN\r\n",
            "\r\nUID:01930000-0000-7000-8000-0000000000c2@portia\r\n",
            "\r\nDTSTAMP:20261120T120000Z\r\n",
            "\r\nDTSTART:20261121T120000Z\r\n",
            "\r\nDTEND:20261121T140000Z\r\n",
            "\r\nSEQUENCE:3\r\n",
            "\r\nSUMMARY:Moot court\r\n",
            "\r\nLOCATION:Room 4\\, Malcolm Hall\r\n",
            "\r\nDESCRIPTION:Bring:\\n\\\\ a robe\\; a brief\r\n",
        ] {
            assert!(file.contains(line), "{line:?} is not in {file:?}");
        }
        let read = read(&sample());
        assert_eq!(read.get_url(), Some(PAGE));
        assert_eq!(read.get_description(), sample().description.as_deref());
    }

    #[test]
    fn an_absent_field_is_left_out() {
        let read = read(&EventMessage { location: None, description: None, ..sample() });
        assert_eq!((read.get_location(), read.get_description()), (None, None));
    }

    #[test]
    fn a_text_cannot_add_a_line() {
        for ending in ["\r\n", "\n", "\r", "\n\r", "\r\n ", "\u{2028}", "\u{85}", "\u{b}", "\u{c}", "\0", "\u{1b}"] {
            let attack =
                ["Moot", "END:VEVENT", "BEGIN:VEVENT", "UID:forged", "ATTENDEE:mailto:x@evil.example"].join(ending);
            let event = read(&EventMessage {
                title: attack.clone(),
                location: Some(attack.clone()),
                description: Some(attack.clone()),
                ..sample()
            });
            assert_eq!(event.get_uid(), Some("01930000-0000-7000-8000-0000000000c2@portia"), "{ending:?}");
            for text in [event.get_summary(), event.get_location(), event.get_description()] {
                let text = text.unwrap();
                assert!(text.starts_with("Moot") && text.ends_with("evil.example"), "{text:?}");
            }
        }
    }

    #[test]
    fn long_texts_are_folded_between_characters() {
        // With one of these shifts, the 75th octet is inside a character of four octets.
        for shift in 0..8 {
            let emoji = format!("{}{}", "x".repeat(shift), "\u{1f468}\u{200d}\u{2696}\u{fe0f}".repeat(300));
            let words = format!("{}{}", "\u{e9}".repeat(shift), "a; b, C:\\new ".repeat(357));
            // Blanks outside ASCII: a library that was tried panics on them.
            let blanks = format!("{}{}|", "x".repeat(shift), "\u{a0}\u{3000}\u{a0}".repeat(66));
            let event = EventMessage {
                title: emoji.clone(),
                description: Some(words.clone()),
                location: Some(blanks.clone()),
                ..sample()
            };
            let read = read(&event);
            assert_eq!(read.get_summary(), Some(emoji.as_str()));
            assert_eq!(read.get_description(), Some(words.as_str()));
            assert_eq!(read.get_location(), Some(blanks.as_str()));
        }
    }

    #[test]
    fn a_file_name_is_portable() {
        for (title, stem) in [
            ("Moot court: finals (2026)", "moot-court-finals-2026"),
            ("\"; filename=evil.exe\r\nX: y", "filename-evil-exe-x-y"),
            ("../../etc/passwd", "etc-passwd"),
            ("Pagtitipon ng mga mag-aaral \u{2696}\u{fe0f}", "pagtitipon-ng-mga-mag-aaral"),
            ("\u{6a21}\u{62df}\u{6cd5}\u{5ead}", "event"),
            ("\u{202e}sci.exe", "sci-exe"),
            ("", "event"),
        ] {
            assert_eq!(file_stem(title), stem, "{title}");
        }
        let long = file_stem(&"moot court ".repeat(40));
        assert!(long.len() <= MAX_STEM && !long.ends_with('-'), "{long}");
    }
}
