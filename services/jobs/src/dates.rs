//! Dates and times of postings. A value without a time of day is a date: members in every zone see that date.

mod written;

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use serde::Serialize;

/// The zones in which a day begins first, and in which it ends last.
const EARLIEST_ZONE: TimeDelta = TimeDelta::hours(14);
const LATEST_ZONE: TimeDelta = TimeDelta::hours(-12);

/// A date, or a time with its zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DateOrTime {
    /// A date without a time of day.
    Date(NaiveDate),
    /// A time.
    Time(DateTime<Utc>),
}

impl DateOrTime {
    /// Parses a time with a zone, a local time, which counts as its date, or a date. `None` also for an implausible year, and
    /// where two dates may be meant.
    pub fn parse(raw: &str) -> Option<Self> {
        let raw = raw.trim();
        let with_zone = raw.strip_suffix(" UTC").map_or_else(|| raw.to_owned(), |time| format!("{time}Z"));
        let time = DateTime::parse_from_rfc3339(&with_zone).ok().or_else(|| {
            let forms = [
                "%Y-%m-%dT%H:%M:%S%.f%#z",
                "%Y-%m-%dT%H:%M%#z",
                "%Y-%m-%d %H:%M:%S%.f %#z",
                "%Y-%m-%d %H:%M %#z",
                "%Y%m%dT%H%M%S%#z",
            ];
            forms.iter().find_map(|form| DateTime::parse_from_str(&with_zone, form).ok())
        });
        if let Some(time) = time {
            return Self::plausible(Self::Time(time.to_utc()));
        }
        let forms =
            ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M", "%Y%m%dT%H%M%S"];
        let local = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(raw, form).ok());
        let date = local.map(|local| local.date()).or_else(|| written::date(raw))?;
        Self::plausible(Self::Date(date))
    }

    /// The value, if it is in a plausible year that Postgres supports.
    pub fn plausible(self) -> Option<Self> {
        use chrono::Datelike as _;
        (1990..=2200).contains(&self.start().year()).then_some(self)
    }

    /// Combines two columns: a time, and the date for which it stands.
    pub fn of(time: DateTime<Utc>, date: Option<NaiveDate>) -> Self {
        date.map_or(Self::Time(time), Self::Date)
    }

    /// The date; `None` for a time.
    pub const fn date(self) -> Option<NaiveDate> {
        match self {
            Self::Date(date) => Some(date),
            Self::Time(_) => None,
        }
    }

    /// Returns the time by which values are ordered; for a date, its midnight in UTC.
    pub fn start(self) -> DateTime<Utc> {
        match self {
            Self::Date(date) => date.and_time(NaiveTime::MIN).and_utc(),
            Self::Time(time) => time,
        }
    }

    /// Returns the time when it is over; for a date, when it has ended everywhere.
    pub fn end(self) -> DateTime<Utc> {
        match self {
            Self::Date(date) => {
                let next = date.checked_add_days(Days::new(1)).unwrap_or(date);
                next.and_time(NaiveTime::MIN).and_utc() - LATEST_ZONE
            }
            Self::Time(time) => time,
        }
    }

    /// Whether it is not in the future; a date begins where it begins first.
    pub fn has_begun(self, now: DateTime<Utc>) -> bool {
        match self {
            Self::Date(_) => self.start() - EARLIEST_ZONE <= now,
            Self::Time(time) => time <= now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(raw: &str) -> DateTime<Utc> {
        raw.parse().unwrap()
    }

    fn date(raw: &str) -> Option<DateOrTime> {
        Some(DateOrTime::Date(raw.parse().unwrap()))
    }

    #[test]
    fn a_time_has_a_zone_and_everything_else_is_a_date() {
        let at = |raw: &str| Some(DateOrTime::Time(time(raw)));
        for (raw, expected) in [
            ("2026-03-02T09:00:00Z", at("2026-03-02T09:00:00Z")),
            ("2026-03-02T04:00:00-05:00", at("2026-03-02T09:00:00Z")),
            ("2026-03-02T04:00:00.5-0500", at("2026-03-02T09:00:00.5Z")),
            ("2026-03-02T17:00+08:00", at("2026-03-02T09:00:00Z")),
            ("2026-03-02 09:00:00 UTC", at("2026-03-02T09:00:00Z")),
            ("2026-03-02 17:00:00 +0800", at("2026-03-02T09:00:00Z")),
            ("2026-03-02T00:00:00Z", at("2026-03-02T00:00:00Z")),
            ("2026-03-02", date("2026-03-02")),
            (" 2026-03-02 ", date("2026-03-02")),
            ("2026-12-01T23:59:59", date("2026-12-01")),
            ("2026-12-01T23:59:59.9970", date("2026-12-01")),
            ("2026-12-01T00:00:00.0000000", date("2026-12-01")),
            ("2026-12-01 23:59", date("2026-12-01")),
            ("2026-12-01Z", date("2026-12-01")),
            ("2026-12-01+08:00", date("2026-12-01")),
            ("2026-12-01 -0500", date("2026-12-01")),
            ("2026/12/01", date("2026-12-01")),
            ("20261201", date("2026-12-01")),
            ("20261201Z", date("2026-12-01")),
            ("20261201T235959", date("2026-12-01")),
            ("20261201T090000Z", at("2026-12-01T09:00:00Z")),
            ("December 1, 2026", date("2026-12-01")),
            ("Dec. 1, 2026", date("2026-12-01")),
            ("DECEMBER 1ST, 2026", date("2026-12-01")),
            ("Tuesday, December 1, 2026", date("2026-12-01")),
            ("1 December 2026", date("2026-12-01")),
            ("1st of December, 2026", date("2026-12-01")),
            ("01-Dec-2026", date("2026-12-01")),
            ("2026 Dec 1", date("2026-12-01")),
            ("Sept 1, 2026", date("2026-09-01")),
            ("May 31, 2027", date("2027-05-31")),
            ("December 1, 2026 11:59 PM", date("2026-12-01")),
            ("December 1, 2026 at 5 p.m.", date("2026-12-01")),
            ("1 December 2026, 17:00", date("2026-12-01")),
            ("12/25/2026", date("2026-12-25")),
            ("25/12/2026", date("2026-12-25")),
            ("25-12-2026", date("2026-12-25")),
            ("12/12/2026", date("2026-12-12")),
            ("12/25/2026 17:00", date("2026-12-25")),
            ("25.12.2026", date("2026-12-25")),
            // The first or the twelfth month.
            ("12/01/2026", None),
            ("01-12-2026", None),
            ("01.12.2026", None),
            ("12/25/26", None),
            ("December 2026", None),
            ("December 1", None),
            ("December 1 or 2, 2026", None),
            ("until December 1, 2026", None),
            ("December 1, 2026 to January 5, 2027", None),
            ("December 1, 2026 11:59 PM somewhere", None),
            ("32 December 2026", None),
            ("Friday 2026", None),
            ("1764547200", None),
            ("0001-01-01T00:00:00", None),
            ("0001-01-01", None),
            ("9999-12-31T23:59:59Z", None),
            ("2026-02-30", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(DateOrTime::parse(raw), expected, "{raw}");
        }
    }

    #[test]
    fn a_date_begins_in_the_first_zone_and_ends_in_the_last() {
        let date = date("2026-12-01").unwrap();
        assert_eq!(date.end(), time("2026-12-02T00:00:00-12:00"));
        assert!(date.has_begun(time("2026-12-01T00:00:00+14:00")));
        assert!(!date.has_begun(time("2026-11-30T23:59:59+14:00")));
        assert_eq!(date.start(), time("2026-12-01T00:00:00Z"));
        let instant = DateOrTime::Time(time("2026-12-01T23:59:59Z"));
        assert_eq!((instant.start(), instant.end()), (time("2026-12-01T23:59:59Z"), time("2026-12-01T23:59:59Z")));
        assert!(!instant.has_begun(time("2026-12-01T23:59:58Z")));
    }

    #[test]
    fn a_date_is_written_as_one() {
        assert_eq!(serde_json::to_string(&date("2026-12-01")).unwrap(), "\"2026-12-01\"");
        let instant = DateOrTime::Time(time("2026-12-01T23:59:59Z"));
        assert_eq!(serde_json::to_string(&instant).unwrap(), "\"2026-12-01T23:59:59Z\"");
    }
}
