//! Tests of dates in the forms of real feeds.

use proptest::prelude::*;

use super::*;

fn now() -> DateTime<Utc> {
    "2026-11-26T12:00:00Z".parse().unwrap()
}

fn read(raw: &str) -> Option<String> {
    parse(raw, now()).map(|published| published.at.format("%Y-%m-%dT%H:%M:%S").to_string())
}

/// Checks pairs of a text and the time in UTC that it means.
fn assert_read(pairs: &[(&str, &str)]) {
    for (raw, expected) in pairs {
        assert_eq!(read(raw).as_deref(), Some(*expected), "{raw}");
        assert!(!parse(raw, now()).unwrap().is_day, "{raw}");
    }
}

#[test]
fn a_time_is_parsed_in_every_usual_format() {
    for raw in [
        "2026-11-20T15:04:05Z",
        "2026-11-20t15:04:05z",
        "2026-11-20T15:04:05+00:00",
        "2026-11-20T15:04:05.678Z",
        "2026-11-20T15:04:05,678Z",
        "2026-11-20T10:04:05-0500",
        "2026-11-20T10:04:05-05:00",
        "2026-11-20T10:04:05 -05:00",
        "2026-11-20T10:04:05\u{2212}05:00",
        "2026-11-20T15:04:05",
        "2026-11-20 15:04:05",
        "2026-11-20 15:04:05 UTC",
        "2026-11-20 16:04:05 +0100",
        "2026-11-20T10:04:05-05:00[America/New_York]",
        "20261120T150405Z",
        "20261120T100405-0500",
        "20261120T150405.5Z",
        "20261120150405",
        "2026/11/20 15:04:05",
        "2026.11.20 15:04:05",
        "Fri, 20 Nov 2026 15:04:05 GMT",
        "Fri, 20 Nov 2026 15:04:05 +0000",
        "Fri, 20 Nov 2026 15:04:05 -0000",
        "Mon, 20 Nov 2026 15:04:05 GMT",
        "Friday, 20 November 2026 15:04:05 GMT",
        "Fri, 20 Nov 26 15:04:05 GMT",
        "Fri, 20 Nov 2026 15:04:05",
        "Fri 20 Nov 2026 15:04:05 UTC",
        "20 Nov 2026 15:04:05 Z",
        "Fri,  20   Nov 2026  15:04:05 GMT (Coordinated Universal Time)",
        "Fri, 20 Nov (the day) 2026 15:04:05 GMT (a (b) c",
        "Fri, 20 Nov 2026 10:04:05 EST",
        "Fri, 20 Nov 2026 10:04:05EST",
        "Fri, 20 Nov 2026 16:04:05 CET",
        "Fri, 20 Nov 2026 17:04:05 GMT+0200",
        "Fri, 20 Nov 2026 17:04:05 GMT +0200",
        "Fri, 20 Nov 2026 17:04:05 GMT+2",
        "Fri, 20 Nov 2026 17:04:05 UTC+02:00",
        "Fri, 20 Nov 2026 20:34:05 +530",
        "FRI, 20 NOV 2026 15:04:05 gmt",
        // RFC 850 and asctime, with and without a zone.
        "Friday, 20-Nov-26 15:04:05 GMT",
        "Friday, 20-Nov-2026 15:04:05 GMT",
        "Fri Nov 20 15:04:05 2026",
        "Fri Nov 20 15:04:05 UTC 2026",
        "Fri Nov 20 10:04:05 EST 2026",
        "Fri Nov 20 15:04:05 +0000 2026",
        "Fri Nov 20 2026 10:04:05 GMT-0500 (Eastern Standard Time)",
        "20/Nov/2026:15:04:05 +0000",
        // American.
        "November 20, 2026 15:04:05",
        "11/20/2026 3:04:05 PM",
        "11/20/2026 03:04:05PM",
        "11/20/26 15:04:05",
        "11-20-2026 15:04:05",
        "Nov 20, 2026, 3:04:05 p.m.",
        "November 20th, 2026 at 10:04:05 AM EST",
        "15:04:05, 20 November 2026",
        // European.
        "20.11.2026 15:04:05",
        "20. 11. 2026, 15:04:05",
        "20/11/2026 15:04:05",
        "20. November 2026 16:04:05 MEZ",
        // The day of a week, and of a year.
        "2026-W47-5T15:04:05Z",
        "2026W475T150405Z",
        "2026-324T15:04:05Z",
        "2026\u{5e74}11\u{6708}20\u{65e5} 15:04:05",
        "1795187045",
        "1795187045678",
        "1795187045678901",
        "1795187045.678",
        "  \n Fri, 20 Nov 2026 15:04:05 GMT \t",
    ] {
        assert_eq!(read(raw).as_deref(), Some("2026-11-20T15:04:05"), "{raw}");
        assert!(!parse(raw, now()).unwrap().is_day, "{raw}");
    }
    assert_eq!(parse("2026-11-20T15:04:05.6789999Z", now()).unwrap().at.timestamp_subsec_nanos(), 678_999_000);
    assert_eq!(parse("2026-11-20T15:04:05.5Z", now()).unwrap().at.timestamp_subsec_millis(), 500);
}

#[test]
fn a_time_without_seconds_is_parsed() {
    assert_read(&[
        ("2026-11-25T10:00+08", "2026-11-25T02:00:00"),
        ("Tue, 15 Sept 2026 9:05 EDT", "2026-09-15T13:05:00"),
        ("September 15, 2026 3:05 PM", "2026-09-15T15:05:00"),
        ("Nov 25, 2026, 3:05 PM", "2026-11-25T15:05:00"),
        ("Nov. 25, 2026 12:05 AM", "2026-11-25T00:05:00"),
        ("Nov. 25, 2026 12:05 PM", "2026-11-25T12:05:00"),
        ("November 25th, 2026, 3 pm PST", "2026-11-25T23:00:00"),
        ("25.11.2026 10:00", "2026-11-25T10:00:00"),
        ("25.11.2026, 10.30 Uhr", "2026-11-25T10:30:00"),
        ("25.11.26 10 Uhr", "2026-11-25T10:00:00"),
        ("2026/11/25 10:00", "2026-11-25T10:00:00"),
        ("20261125T1000Z", "2026-11-25T10:00:00"),
        ("11/25/2026 3:05 PM", "2026-11-25T15:05:00"),
        ("25 Nov 2026 - 10:00", "2026-11-25T10:00:00"),
        ("2026-11-25T10", "2026-11-25T10:00:00"),
        ("2026-11-25T10Z", "2026-11-25T10:00:00"),
        ("2026-11-25T10+08:00", "2026-11-25T02:00:00"),
        ("2026-11-25T10-0500", "2026-11-25T15:00:00"),
        ("20261125T10Z", "2026-11-25T10:00:00"),
        ("2026-11-25T10:00:00+08:00:00", "2026-11-25T02:00:00"),
        ("2026-11-25 10:00:00 +080000", "2026-11-25T02:00:00"),
        ("2026-11-25 10:00 -05:30:00", "2026-11-25T15:30:00"),
    ]);
}

#[test]
fn months_are_named_in_eleven_languages() {
    assert_read(&[
        ("Mittwoch, 25. November 2026, 10:00 Uhr", "2026-11-25T10:00:00"),
        ("Mi, 04 M\u{e4}r 2026 10:00:00 +0100", "2026-03-04T09:00:00"),
        ("Mi, 04 Mrz 2026 10:00:00 +0100", "2026-03-04T09:00:00"),
        ("Di., 6. J\u{e4}nner 2026 10:00 MEZ", "2026-01-06T09:00:00"),
        ("Do, 15 Okt 2026 10:00:00 MESZ", "2026-10-15T08:00:00"),
        ("So, 13. Dez. 2025 10:00:00", "2025-12-13T10:00:00"),
        ("mercredi 25 novembre 2026 \u{e0} 10h30", "2026-11-25T10:30:00"),
        ("mar., 24 nov. 2026 10:00:00 +0100", "2026-11-24T09:00:00"),
        ("mar. 3 mars 2026 10:00:00 +0100", "2026-03-03T09:00:00"),
        ("mar, 03 mar 2026 10:00:00 +0100", "2026-03-03T09:00:00"),
        ("Mar 3, 2026 10:00", "2026-03-03T10:00:00"),
        ("ven, 14 ao\u{fb}t 2026 10:00:00 +0200", "2026-08-14T08:00:00"),
        ("1er f\u{e9}vrier 2026 10 h", "2026-02-01T10:00:00"),
        ("jeu. 24 d\u{e9}c. 2025 23:00:00 GMT", "2025-12-24T23:00:00"),
        ("lun, 13 juil 2026 10:00:00 +0200", "2026-07-13T08:00:00"),
        ("mi\u{e9}, 25 nov 2026 10:00:00 -0600", "2026-11-25T16:00:00"),
        ("mi\u{e9}rcoles, 25 de noviembre de 2026, 3:05 p. m.", "2026-11-25T15:05:00"),
        ("lun, 05 ene 2026 10:00:00 +0100", "2026-01-05T09:00:00"),
        ("jue 06 ago 2026 10:00:00 GMT", "2026-08-06T10:00:00"),
        ("15 abr 2026 10:00:00 GMT", "2026-04-15T10:00:00"),
        ("Miyerkules, ika-25 ng Nobyembre 2026, 3:05 PM PHT", "2026-11-25T07:05:00"),
        ("Huwebes, Enero 15, 2026 10:00 PHT", "2026-01-15T02:00:00"),
        ("Peb 3, 2026 10:00 PHT", "2026-02-03T02:00:00"),
        ("Hul 3, 2026 10:00 PHT", "2026-07-03T02:00:00"),
        ("Ago 3, 2026 10:00 PHT", "2026-08-03T02:00:00"),
        ("Disyembre 24, 2025 10:00 PHT", "2025-12-24T02:00:00"),
        ("quarta-feira, 25 de novembro de 2026 10:00 BRT", "2026-11-25T13:00:00"),
        ("ter, 24 mar 2026 10:00:00 -0300", "2026-03-24T13:00:00"),
        ("mercoled\u{ec} 25 novembre 2026, ore 10:00", "2026-11-25T10:00:00"),
        ("mar, 24 mar 2026 10:00:00 +0100", "2026-03-24T09:00:00"),
        ("marted\u{ec} 6 gennaio 2026 10:00", "2026-01-06T10:00:00"),
        ("gio, 25 giu 2026 10:00:00 +0200", "2026-06-25T08:00:00"),
        ("wo 4 mrt 2026 10:00:00 +0100", "2026-03-04T09:00:00"),
        ("Rabu, 25 November 2026 10:00 WIB", "2026-11-25T03:00:00"),
        (
            "\u{441}\u{440}, 25 \u{43d}\u{43e}\u{44f}\u{431}\u{440}\u{44f} 2026 \u{433}. 10:00 MSK",
            "2026-11-25T07:00:00",
        ),
    ]);
    let each: [&[&str]; 12] = [
        &["Jan", "Jan", "janv", "enero", "Ene", "janeiro", "gennaio", "gen", "januari", "января", "янв", "يناير"],
        &[
            "Feb",
            "Feb",
            "f\u{e9}vr",
            "feb",
            "Peb",
            "fevereiro",
            "fev",
            "febbraio",
            "februari",
            "февраля",
            "фев",
            "فبراير",
        ],
        &["Mar", "M\u{e4}rz", "mars", "marzo", "Marso", "março", "marzo", "maart", "maret", "марта", "март", "مارس"],
        &["Apr", "Apr", "avr", "abril", "Abr", "abril", "aprile", "april", "апреля", "апр", "أبريل"],
        &["May", "Mai", "mai", "mayo", "Mayo", "maio", "maggio", "mag", "mei", "мая", "май", "مايو"],
        &["Jun", "Juni", "juin", "junio", "Hunyo", "junho", "giugno", "giu", "juni", "июня", "июнь", "يونيو"],
        &["Jul", "Juli", "juillet", "julio", "Hulyo", "julho", "luglio", "lug", "juli", "июля", "июл", "يوليو"],
        &[
            "Aug",
            "Aug",
            "ao\u{fb}t",
            "agosto",
            "Agosto",
            "agosto",
            "agosto",
            "augustus",
            "agustus",
            "августа",
            "авг",
            "أغسطس",
        ],
        &[
            "Sep",
            "Sept",
            "sept",
            "septiembre",
            "Setyembre",
            "setembro",
            "set",
            "settembre",
            "september",
            "сентября",
            "сент",
            "سبتمبر",
        ],
        &[
            "Oct",
            "Okt",
            "oct",
            "octubre",
            "Oktubre",
            "outubro",
            "out",
            "ottobre",
            "ott",
            "oktober",
            "октября",
            "أكتوبر",
        ],
        &[
            "Nov",
            "Nov",
            "nov",
            "noviembre",
            "Nobyembre",
            "novembro",
            "novembre",
            "november",
            "ноября",
            "нояб",
            "نوفمبر",
        ],
        &["Dec", "Dez", "d\u{e9}c", "dic", "Dis", "dezembro", "dicembre", "december", "desember", "декабря", "ديسمبر"],
    ];
    for (month, names) in (1..).zip(each) {
        for name in names {
            let expected = format!("2025-{month:02}-09T00:00:00");
            assert_eq!(read(&format!("9 {name} 2025")).as_deref(), Some(expected.as_str()), "{name}");
        }
    }
}

#[test]
fn zones_have_their_offsets_and_unknown_ones_are_utc() {
    for (zone, expected) in [
        ("JST", "01:00"),
        ("KST", "01:00"),
        ("IST", "04:30"),
        ("PHT", "02:00"),
        ("SGT", "02:00"),
        ("HKT", "02:00"),
        ("AWST", "02:00"),
        ("AEST", "00:00"),
        ("MSK", "07:00"),
        ("BRT", "13:00"),
        ("ART", "13:00"),
        ("EST", "15:00"),
        ("AKST", "19:00"),
        ("HST", "20:00"),
        ("NST", "13:30"),
        ("WIB", "03:00"),
        ("SAST", "08:00"),
        ("MESZ", "08:00"),
        ("America/New_York", "15:00"),
        ("america/new_york", "15:00"),
        ("PST8PDT", "18:00"),
        ("EST5EDT", "15:00"),
        ("Asia/Manila", "02:00"),
        ("Asia/Kathmandu", "04:15"),
        ("Etc/GMT+5", "15:00"),
        ("America/Argentina/Buenos_Aires", "13:00"),
        // RFC 5322, section 4.3: military zones were misunderstood, and others are unknown.
        ("A", "10:00"),
        ("Y", "10:00"),
        ("XYZT", "10:00"),
        ("Nowhere/Town", "10:00"),
        ("local time", "10:00"),
        ("+0800", "02:00"),
        ("+08", "02:00"),
        ("+8", "02:00"),
        ("-03:30", "13:30"),
        ("GMT+8", "02:00"),
        ("UTC+8:00", "02:00"),
        ("+0100 JST", "09:00"),
    ] {
        for raw in [format!("Wed, 25 Nov 2026 10:00:00 {zone}"), format!("2026-11-25 10:00 {zone}")] {
            assert_eq!(read(&raw), Some(format!("2026-11-25T{expected}:00")), "{raw}");
        }
    }
    assert_read(&[
        ("Wed, 25 Nov 2026 10:00:00 AEDT", "2026-11-24T23:00:00"),
        ("Wed, 25 Nov 2026 10:00:00 NZDT", "2026-11-24T21:00:00"),
        ("Wed, 25 Nov 2026 10:00:00 NZST", "2026-11-24T22:00:00"),
        // Daylight saving time, by the date.
        ("2026-07-15 10:00 America/New_York", "2026-07-15T14:00:00"),
        ("2026-07-15 10:00 PST8PDT", "2026-07-15T17:00:00"),
        // An hour that does not exist, and one that exists twice.
        ("2026-03-08 02:30 America/New_York", "2026-03-08T07:30:00"),
        ("2026-11-01 01:30 America/New_York", "2026-11-01T05:30:00"),
    ]);
}

#[test]
fn midnight_at_the_end_is_the_beginning_of_the_next_day() {
    assert_read(&[
        ("Tue, 15 Sep 2026 24:00:00 GMT", "2026-09-16T00:00:00"),
        ("2026-09-30T24:00:00Z", "2026-10-01T00:00:00"),
        ("2026-09-30T24:00", "2026-10-01T00:00:00"),
        ("2025-12-31 24:00 +0800", "2025-12-31T16:00:00"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59"),
    ]);
}

#[test]
fn a_day_is_read_as_a_day() {
    for raw in [
        "2026-11-25",
        "2026/11/25",
        "2026.11.25",
        "20261125",
        "2026-11-25Z",
        "2026-11-25+05:00",
        "2026-11-25-05:00",
        "25 Nov 2026",
        "25 Nov 2026 +0800",
        "25 Nov 2026 -0500",
        "Wed, 25 Nov 2026 -0500",
        "25 Nov 2026 -05:00",
        "25 Nov 2026 GMT-5",
        "25 Nov 2026 EST",
        "November 25, 2026 -0800",
        "25-Nov-2026 -0300",
        "25 Nov 26 -0500",
        "2026-11-25 -0500",
        "2026-11-25-0500",
        "20261125-0500",
        "20261125Z",
        "11/25/2026 -0500",
        "25.11.2026 -05",
        "2026-11-25+08:00:00",
        "2026 11 25",
        "2026. 11. 25.",
        "25-Nov-2026",
        "25-Nov-26",
        "2026-Nov-25",
        "2026 November 25",
        "Wed, 25 Nov 2026",
        "Nov 25, 2026",
        "Nov 25 '26",
        "November 25th, 2026",
        "the 25th of November, 2026",
        "11/25/2026",
        "11/25/26",
        "25/11/2026",
        "25.11.2026",
        "25.11.26",
        "25. November 2026",
        "25 de noviembre de 2026",
        "ika-25 ng Nobyembre 2026",
        "le 25 novembre 2026",
        "2026-W48-3",
        "2026W483",
        "2026-329",
        "2026\u{5e74}11\u{6708}25\u{65e5}",
    ] {
        let expected = Published { at: "2026-11-25T00:00:00Z".parse().unwrap(), is_day: true };
        assert_eq!(parse(raw, now()), Some(expected), "{raw}");
    }
}

#[test]
fn the_month_comes_first_unless_it_is_impossible() {
    for (raw, expected) in [
        ("04/05/2026", "2026-04-05"),
        ("4-5-2026", "2026-04-05"),
        ("13/05/2026", "2026-05-13"),
        ("05/13/2026", "2026-05-13"),
        ("04/05/26", "2026-04-05"),
        // With full stops the day comes first.
        ("04.05.2026", "2026-05-04"),
        ("05.13.2026", "2026-05-13"),
        // Not published yet, with the month first.
        ("12/11/2026", "2026-11-12"),
    ] {
        assert_eq!(read(raw), Some(format!("{expected}T00:00:00")), "{raw}");
    }
}

#[test]
fn an_unreadable_or_implausible_date_is_none() {
    for raw in [
        "",
        "yesterday",
        "the day after the verdict",
        "3 days ago",
        "2026",
        "November 2026",
        "25 November",
        "10:00",
        "Volume 25, Issue 11, 2026",
        "Fri, 32 Nov 2026 15:04:05 GMT",
        "Tue, 31 Nov 2026 15:04:05 GMT",
        "Fri, 20 Nov 2026 25:04:05 GMT",
        "Fri, 20 Nov 2026 15:64:05 GMT",
        "29 Feb 2026",
        "13/13/2026",
        "2026-13-01",
        "2026-W54-1",
        "2026-W48-8",
        "2026-366",
        "0000-00-00T00:00:00Z",
        "0000-01-01",
        "0001-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z",
        "1989-12-31T23:59:59Z",
        "2026-11-27T12:00:01Z",
        "2099-01-01",
        "9999-12-31T23:59:59Z",
        "10000-01-01T00:00:00Z",
        "Fri, 20 Nov 20260 15:04:05 GMT",
        "infinity",
        "0",
        "1",
        "99999999999999999999",
        "4102444800",
        "Fri, 20 Nov 2026 15:04:05 +9999",
        "\u{0665} Nov 2026",
        "\u{0}",
    ] {
        assert_eq!(read(raw), None, "{raw}");
    }
    assert_eq!(read(&"1".repeat(1 << 20)), None);
    assert_eq!(read("1990-01-01T00:00:00Z").as_deref(), Some("1990-01-01T00:00:00"));
    assert_eq!(read("2026-11-27T12:00:00Z").as_deref(), Some("2026-11-27T12:00:00"), "a clock may run ahead a day");
}

proptest! {
    #[test]
    fn every_parsed_date_is_plausible(raw in prop_oneof![
        any::<String>(),
        "[A-Za-z]{3},? [0-9]{1,2} [A-Za-z]{3,9} [0-9]{2,5} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})? ?([A-Z]{1,4}|[+-][0-9:]{2,6})?",
        "[0-9]{1,5}[-/.][0-9]{1,2}[-/.][0-9]{1,4}[T ]?[0-9:.]{0,12}[Z+-]?[0-9:]{0,5}",
        "[0-9]{1,17}",
    ]) {
        if let Some(Published { at, is_day }) = parse(&raw, now()) {
            prop_assert!(at >= FIRST && at <= now() + TimeDelta::days(1), "{} of {}", at, raw);
            prop_assert!(!is_day || at.time() == NaiveTime::MIN);
            prop_assert_eq!(at.timestamp_subsec_nanos() % 1_000, 0);
        }
    }

    #[test]
    fn standard_dates_are_read_exactly(seconds in 631_152_000_i64..1_795_000_000, minutes in -720_i32..=840) {
        let zone = chrono::FixedOffset::east_opt(minutes * 60).unwrap();
        let at = DateTime::from_timestamp(seconds, 0).unwrap().with_timezone(&zone);
        for raw in [at.to_rfc3339(), at.to_rfc2822(), at.format("%a %b %e %T %z %Y").to_string(), seconds.to_string()] {
            prop_assert_eq!(parse(&raw, now()), Some(Published { at: at.to_utc(), is_day: false }), "{}", raw);
        }
    }
}
