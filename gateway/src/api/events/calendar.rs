//! An event as an iCalendar file (RFC 5545).

use chrono::{DateTime, Utc};
use portia_proto::social_graph as wire;

use crate::edge::timestamps::required_moment;

/// Octets of a line at most, without its end; what is longer goes on in the next one.
const LINE: usize = 75;
/// The longest name of a file, without its ending.
const STEM: usize = 60;

/// The event as calendars read it; `page` is its address, `at` the time of writing.
pub fn file(event: &wire::Event, page: &str, at: DateTime<Utc>) -> String {
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
    for (name, said) in [("DESCRIPTION", &event.description), ("LOCATION", &event.location)] {
        if let Some(said) = said {
            lines.write(name, &text(said));
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
        let mut taken = 0;
        for c in name.chars().chain(":".chars()).chain(value.chars()) {
            // Between characters, never within one; the space that begins the next line counts.
            if taken + c.len_utf8() > LINE {
                self.0.push_str("\r\n ");
                taken = 1;
            }
            self.0.push(c);
            taken += c.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%SZ").to_string()
}

/// TEXT (section 3.3.11). Whatever some reader takes for the end of a line becomes a written one, and nothing else that
/// controls anything is let through: a text cannot add a line.
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

/// A name every system takes, made of what is ASCII in a title.
pub fn file_stem(title: &str) -> String {
    let ascii: String =
        title.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
    let mut stem = ascii.split_whitespace().collect::<Vec<_>>().join("-");
    stem.truncate(STEM);
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

    fn written(event: &EventMessage) -> String {
        file(event, PAGE, DateTime::from_timestamp(1_795_176_000, 0).unwrap())
    }

    /// The one event in it, as another program reads it, and that the file is one a strict reader takes.
    fn read(event: &EventMessage) -> Event {
        let file = written(event);
        let lines: Vec<&str> = file.strip_suffix("\r\n").unwrap().split("\r\n").collect();
        for line in &lines {
            assert!(line.len() <= 75, "{} octets: {line}", line.len());
            assert!(!line.contains(|c: char| c.is_control() && c != '\t'), "{line:?}");
        }
        let unfolded = lines.iter().filter(|line| !line.starts_with(' '));
        let mut names: Vec<&str> = unfolded.map(|line| line.split([':', ';']).next().unwrap()).collect();
        names.sort_unstable();
        let mut ours = vec!["BEGIN", "BEGIN", "CALSCALE", "DTEND", "DTSTAMP", "DTSTART", "END", "END", "PRODID"];
        ours.extend(["SEQUENCE", "SUMMARY", "UID", "URL", "VERSION"]);
        ours.extend(event.description.as_ref().map(|_| "DESCRIPTION"));
        ours.extend(event.location.as_ref().map(|_| "LOCATION"));
        ours.sort_unstable();
        assert_eq!(names, ours, "{file}");
        let calendar: Calendar = file.parse().unwrap();
        assert_eq!(calendar.components.len(), 1);
        calendar.events().next().unwrap().clone()
    }

    #[test]
    fn a_calendar_file_contains_the_event() {
        let file = written(&sample());
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
        // Wherever the 75th octet falls, it falls into a character of four once.
        for shift in 0..8 {
            let emoji = format!("{}{}", "x".repeat(shift), "\u{1f468}\u{200d}\u{2696}\u{fe0f}".repeat(300));
            let words = format!("{}{}", "\u{e9}".repeat(shift), "a; b, C:\\new ".repeat(357));
            // Blanks that are no ASCII: one writer of these files loses count among them, and panics.
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
    fn a_file_has_a_name_every_system_takes() {
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
        assert!(long.len() <= STEM && !long.ends_with('-'), "{long}");
    }
}
