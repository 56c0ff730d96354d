//! Texts and lines that are accepted, changed and refused.

use super::*;

#[test]
fn length_counts_characters_not_bytes() {
    assert!(Text::<3>::parse("t", "ñññ").is_ok());
    assert!(Text::<3>::parse("t", "ññññ").is_err());
    assert_eq!(Text::<1>::parse("t", "e\u{301}").map(Text::into_string), Ok("é".to_owned()));
}

#[test]
fn blank_is_empty() {
    for blank in ["", " ", "\n\t ", "\u{3000}"] {
        assert!(Text::<9>::parse("t", blank).is_err(), "{blank:?}");
        assert_eq!(Line::<9>::parse_optional("t", Some(blank)), Ok(None), "{blank:?}");
    }
}

#[test]
fn an_invisible_text_is_blank_and_invisible_characters_may_join_visible_ones() {
    for blank in ["\u{200b}\u{200b}", "\u{2060}\u{ad}", "\u{3164}\u{3164}", "\u{200d}\u{fe0f}", "\u{2800} \u{2800}"] {
        assert!(Text::<9>::parse("t", blank).is_err(), "{blank:?}");
        assert!(Line::<9>::parse("t", blank, 2, "").is_err(), "{blank:?}");
    }
    for seen in ["\u{1f469}\u{200d}\u{2696}\u{fe0f}", "a\u{200c}b", "\u{200f}\u{5e9}\u{5dc}"] {
        assert_eq!(Text::<9>::parse("t", seen).map(Text::into_string), Ok(seen.to_owned()));
    }
}

#[test]
fn a_line_has_no_invisible_characters() {
    for bad in [
        "An\u{200b}a",
        "\u{200e}Ana",
        "Ana\u{200f}",
        "An\u{200d}a",
        "Ana\u{fe0f}",
        "An\u{ad}a",
        "Ana\u{2060}",
        "\u{61c}Ana",
        "Ana\u{e0041}",
        "\u{200d}Ana",
        "Ана\u{200c}",
        "👩\u{200d}\u{200d}👩",
        "👩\u{200d}",
        "Ana \u{2800}",
    ] {
        assert!(Line::<99>::parse("t", bad, 1, "").is_err(), "{bad:?}");
    }
    for seen in [
        "\u{1f469}\u{200d}\u{2696}\u{fe0f} Ana",
        "\u{1f469}\u{1f3fd}\u{200d}\u{2696}\u{fe0f} Ana",
        "\u{1f469}\u{200d}\u{2764}\u{fe0f}\u{200d}\u{1f48b}\u{200d}\u{1f468}",
        "Ana \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
        "Ana \u{2696}\u{fe0f} Reyes",
        "Ana \u{2696}\u{fe0e} Reyes",
        "1\u{fe0f}\u{20e3} Ana",
        "#\u{fe0f}\u{20e3} Ana",
        "Ana \u{1f1f5}\u{1f1ed}",
        "Ana \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        "Ana Peña",
        "Nguyễn Thị Ánh",
        "Ọlábísí Ẹ̀kọ́",
        "मुंशी प्रेमचंद",
        "นางสาว น้ำฝน",
        "ကျော် ကြို့",
        "שָׁלוֹם",
        "مُحَمَّد",
        "தமிழ்",
        "ʻOkina O’Brien",
        "Jean‐Luc",
        "李小明",
        "김민준",
    ] {
        assert_eq!(Line::<99>::parse("t", seen, 1, "").map(Line::into_string), Ok(seen.nfc().collect()), "{seen}");
    }
}

#[test]
fn a_line_has_no_character_that_is_not_seen_or_not_assigned() {
    for hidden in [
        // Zl, Zp.
        '\u{2028}',
        '\u{2029}',
        // Cf, also those that a script uses.
        '\u{ad}',
        '\u{600}',
        '\u{605}',
        '\u{61c}',
        '\u{6dd}',
        '\u{70f}',
        '\u{890}',
        '\u{8e2}',
        '\u{180e}',
        '\u{200b}',
        '\u{200c}',
        '\u{200d}',
        '\u{200e}',
        '\u{202a}',
        '\u{202e}',
        '\u{2060}',
        '\u{2064}',
        '\u{2066}',
        '\u{206f}',
        '\u{feff}',
        '\u{fff9}',
        '\u{fffb}',
        '\u{110bd}',
        '\u{110cd}',
        '\u{13430}',
        '\u{1bca0}',
        '\u{1d173}',
        '\u{e0001}',
        '\u{e0041}',
        '\u{e007f}',
        // Selectors, fillers and blanks.
        '\u{34f}',
        '\u{115f}',
        '\u{1160}',
        '\u{17b4}',
        '\u{180b}',
        '\u{2800}',
        '\u{3164}',
        '\u{fe00}',
        '\u{fe0e}',
        '\u{fe0f}',
        '\u{ffa0}',
        '\u{e0100}',
        // Co.
        '\u{e000}',
        '\u{f8ff}',
        '\u{f0000}',
        '\u{10fffd}',
        // Cn.
        '\u{378}',
        '\u{2fe0}',
        '\u{fdd0}',
        '\u{fffe}',
        '\u{1ffff}',
        '\u{50000}',
        '\u{e0fff}',
        // Cc.
        '\0',
        '\u{b}',
        '\u{1b}',
        '\u{7f}',
        '\u{85}',
        '\u{9f}',
    ] {
        for line in [
            format!("{hidden}Ana"),
            format!("An{hidden}a"),
            format!("Ana{hidden}"),
            format!("Ana {hidden} Reyes"),
            format!("مح{hidden}مد"),
            format!("क्{hidden}ष"),
        ] {
            assert_eq!(Line::<99>::parse("t", &line, 1, ""), Err(unusable("t")), "{line:?}");
        }
        assert!(Line::<99>::parse_optional("t", Some(&hidden.to_string())).is_err(), "{hidden:?} is not blank");
    }
}

#[test]
fn joiners_and_tags_outside_of_emoji_are_refused() {
    for bad in [
        "1\u{fe0f} Ana",
        "1\u{200d}2",
        "\u{1f469}\u{200d}1",
        "\u{1f469}\u{200d}a",
        "a\u{200d}\u{1f469}",
        "\u{1f469}\u{fe0f}\u{fe0f}",
        "\u{1f469}\u{200c}\u{1f469}",
        "\u{1f469}\u{200d} \u{1f469}",
        "\u{1f469}\u{fe01}",
        // A black flag and a name that no flag has.
        "\u{1f3f4}\u{e0075}\u{e0073}\u{e0063}\u{e0061}\u{e007f}",
        "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}",
        "\u{1f600}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    ] {
        assert_eq!(Line::<99>::parse("t", bad, 1, ""), Err(unusable("t")), "{bad:?}");
    }
}

#[test]
fn every_space_of_a_line_is_one_space() {
    for space in [
        "\u{a0}", "\u{1680}", "\u{2000}", "\u{2003}", "\u{2009}", "\u{200a}", "\u{202f}", "\u{205f}", "\u{3000}", "  ",
        " \u{a0} ",
    ] {
        for line in [format!("Ana{space}Reyes"), format!("{space}Ana{space}{space}Reyes{space}")] {
            assert_eq!(
                Line::<99>::parse("t", &line, 1, "").map(Line::into_string),
                Ok("Ana Reyes".to_owned()),
                "{line:?}"
            );
        }
        assert_eq!(Line::<99>::parse_optional("t", Some(space)), Ok(None), "{space:?}");
        assert!(Line::<99>::parse("t", space, 1, "").is_err(), "{space:?}");
    }
    let spaced = format!("A{}na", " ".repeat(20));
    assert_eq!(Line::<4>::parse("t", &spaced, 1, "").map(Line::into_string), Ok("A na".to_owned()), "counted after");
}

#[test]
fn a_key_has_visible_ascii_characters_only() {
    for key in ["a-1", "~", "123456789"] {
        assert_eq!(Line::<9>::parse_key("k", key).map(Line::into_string), Ok(key.to_owned()));
    }
    for bad in ["", " ", "a b", " a", "1234567890", "\u{fc}", "two\nlines", "a\tb", "a\u{a0}b", "e\u{301}", "a\0"] {
        assert!(Line::<9>::parse_key("k", bad).is_err(), "{bad:?}");
    }
}

#[test]
fn a_letter_has_at_most_three_marks() {
    for mark in ["\u{301}", "\u{336}", "\u{489}", "\u{20dd}", "\u{e49}", "\u{5b4}", "\u{1ab0}", "\u{fe20}", "\u{94d}"] {
        // Some letters and marks are one character.
        let line = |count: usize| format!("x{}na", mark.repeat(count));
        assert!(Line::<99>::parse("t", &line(3), 1, "").is_ok(), "{mark:?}");
        for count in [4, 5, 60] {
            assert_eq!(Line::<99>::parse("t", &line(count), 1, ""), Err(unusable("t")), "{count} {mark:?}");
        }
    }
    let mixed = "Z\u{336}\u{315}\u{489}\u{362}algo";
    assert!(Line::<99>::parse("t", mixed, 1, "").is_err());
    assert!(Line::<99>::parse("t", "Ana \u{301}\u{301}\u{301}\u{301}", 1, "").is_err(), "on a space");
    assert!(Line::<99>::parse("t", "က\u{103b}\u{103d}\u{1031}\u{102c}\u{1038}", 1, "").is_ok(), "Burmese");
    for spacing in ["\u{93e}", "\u{903}", "\u{1d165}"] {
        let line = |count: usize| format!("x{}na", spacing.repeat(count));
        assert!(Line::<99>::parse("t", &line(6), 1, "").is_ok(), "{spacing:?}");
        assert_eq!(Line::<99>::parse("t", &line(7), 1, ""), Err(unusable("t")), "{spacing:?}");
    }
}

#[test]
fn a_lenient_line_keeps_what_texts_have() {
    for seen in ["می\u{200c}خواهم", "क्\u{200d}ष", "co\u{ad}op", "x\u{301}\u{301}\u{301}\u{301}"] {
        let parsed = Line::<99>::parse_lenient("t", &format!("  {seen}\t\n"), 1, "");
        assert_eq!(parsed.map(Line::into_string), Ok(seen.to_owned()));
    }
    for bad in ["\0a", "a\u{202e}b", "\u{200b}", "\u{ffff}"] {
        assert!(Line::<99>::parse_lenient("t", bad, 1, "").is_err(), "{bad:?}");
    }
    assert_eq!(Line::<99>::parse_optional_lenient("t", Some("\u{3000}\n")), Ok(None));
}

#[test]
fn a_line_without_check_marks_has_none() {
    let parse = |raw: &str| Line::<99>::parse_without_check_marks("n", raw, 2, "");
    for bad in ["Ana Reyes ✓", "✔\u{fe0f} Ana", "Ana ✅", "Ana ☑", "√ Ana", "Ana \u{10102}", "Ana \u{1f5f8}"] {
        assert_eq!(parse(bad), Err(unusable("n")), "{bad:?}");
    }
    assert!(parse("A").is_err());
    assert!(parse("Ana Reyes ⚖").is_ok());
}

#[test]
fn forbidden_characters_are_refused_at_every_position() {
    for bad in ["\0a", "a\0b", "a\0", "a\u{1b}[31m", "\u{202e}gpj.exe", "a\u{2066}b", "\u{ffff}", "\u{7f}"] {
        assert!(Text::<99>::parse("t", bad).is_err(), "{bad:?}");
        assert!(Line::<99>::parse("t", bad, 1, "").is_err(), "{bad:?}");
    }
}

#[test]
fn a_text_keeps_its_line_breaks_and_a_line_has_none() {
    assert_eq!(Text::<99>::parse("t", "a\r\nb\rc").map(Text::into_string), Ok("a\nb\nc".to_owned()));
    for bad in ["a\nb", "a\r\nb", "a\tb"] {
        assert!(Line::<99>::parse("t", bad, 1, "").is_err(), "{bad:?}");
    }
    assert_eq!(Line::<99>::parse("t", " \n a\t ", 1, "").map(Line::into_string), Ok("a".to_owned()));
}

#[test]
fn a_megabyte_is_refused() {
    assert!(Text::<5000>::parse("t", &"a".repeat(1 << 20)).is_err());
}

#[test]
fn debug_does_not_contain_the_text() {
    let text = Text::<99>::parse("t", "between you and me").unwrap();
    assert_eq!(format!("{text:?}"), "Text(18 bytes)");
}
