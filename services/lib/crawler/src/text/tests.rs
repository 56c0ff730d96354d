//! Tests of plain text, with real and hostile pages.

use std::fs;

use proptest::prelude::*;
use unicode_normalization::is_nfc;

use super::{line, plain, unescape};

/// Longer than every text of a test.
const WIDE: usize = 10_000;

#[test]
fn blocks_become_lines_and_paragraphs() {
    let html = "<div class=\"content\"><h2>About us</h2>\n<p>We are a <b>boutique</b> firm&nbsp;of&nbsp;12.</p>\
        <p>You will:</p><ul>\n<li>draft motions,</li>\n<li><p>argue &amp; <i>win</i>.</p></li></ul>\
        <p>Apply<br>today!<br/><br />Really.</p></div>";
    assert_eq!(
        plain(html, WIDE),
        "About us\n\nWe are a boutique firm of 12.\n\nYou will:\n\n- draft motions,\n- argue & win.\n\nApply\ntoday!\n\nReally."
    );
}

#[test]
fn invisible_content_is_removed() {
    for (html, text) in [
        ("a<script>if (a < b) { document.write(\"</p>\") }</script>b", "ab"),
        ("a<STYLE>p > b { color: red }</style >b", "ab"),
        ("a<script>never ends", "a"),
        ("a<script></scripture></script>b", "ab"),
        ("a<!-- <p>no</p> -->b", "ab"),
        ("a<!-->b", "ab"),
        ("a<!--->b", "ab"),
        ("a<!-- never ends", "a"),
        ("a<!DOCTYPE html>b<?php x ?>c</>d</ x>e", "abcde"),
        ("a<img src=x onerror=alert(1) alt='>'>b", "ab"),
        ("a<a title=\"a > b\" href='x'>link</a>b", "alinkb"),
        ("a<a title=it's>link</a>b", "alinkb"),
        ("a<a title", "a"),
        ("a<textarea><b>not shown</textarea>b", "ab"),
        ("<svg/onload=alert(1)>b", "b"),
    ] {
        assert_eq!(plain(html, WIDE), text, "{html}");
    }
}

#[test]
fn text_that_resembles_markup_is_unchanged() {
    for text in ["1 < 2 and 3 > 2", "a <3 b", "AT&T, R&D; &c.", "&unknown; &;", "100% & more", "<", "a<"] {
        assert_eq!(plain(text, WIDE), text);
    }
}

#[test]
fn references_are_decoded_once() {
    for (raw, text) in [
        ("R & D &amp; more &lt;b&gt;", "R & D & more <b>"),
        ("&amp;lt;p&amp;gt;", "&lt;p&gt;"),
        ("it&#8217;s &#x2019;&#X2019;", "it\u{2019}s \u{2019}\u{2019}"),
        ("&#146;&#150;&#128;", "\u{2019}\u{2013}\u{20ac}"),
        ("&hellip;&mdash;&eacute;&sect;", "\u{2026}\u{2014}\u{e9}\u{a7}"),
        ("&copy 2026 &nbsp;x &amp", "\u{a9} 2026 \u{a0}x &"),
        ("&#0;&#xd800;&#x110000;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ("&#;&#x;&#xzz;&", "&#;&#x;&#xzz;&"),
        ("&CounterClockwiseContourIntegral;", "\u{2233}"),
    ] {
        assert_eq!(unescape(raw), text, "{raw}");
    }
    // Job boards send escaped HTML.
    assert_eq!(plain(&unescape("&lt;p&gt;Law &amp;amp; order&lt;/p&gt;"), WIDE), "Law & order");
}

#[test]
fn control_and_direction_characters_are_removed() {
    let raw = "a\0b\u{202e}c\u{2066}d\u{7f}e\u{feff}f\u{200b}g\u{ffff}h&#8238;i&#x2067;j\u{e0041}k";
    assert_eq!(plain(raw, WIDE), "abcdefghijk");
    assert_eq!(line(raw, WIDE), "abcdefghijk");
    // Joiners of scripts and emoji stay.
    let joined = "\u{1f469}\u{200d}\u{2696}\u{fe0f} \u{6cc}\u{200c}\u{6cc}";
    assert_eq!(line(joined, WIDE), joined);
}

#[test]
fn white_space_is_folded_and_text_is_composed() {
    assert_eq!(plain(" \t a \u{a0}\u{3000}\n\n b \u{2028} e\u{301} ", WIDE), "a b \u{e9}");
    assert_eq!(plain("<p></p><p> </p>a<p><p><p>b", WIDE), "a\n\nb");
    assert_eq!(plain("<ul><li></li><li> </li><li>a</li></ul>", WIDE), "- a");
    assert_eq!(plain("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", WIDE), "a b\nc");
}

#[test]
fn a_line_has_no_line_breaks() {
    assert_eq!(line("  <b>Bold</b>er\n claims<br>rise &amp; fall ", WIDE), "Bolder claims rise & fall");
    assert_eq!(line("a<p>b</p>c", WIDE), "a b c");
}

#[test]
fn a_long_text_is_cut_at_a_word() {
    assert_eq!(plain("the quick brown fox", 19), "the quick brown fox");
    assert_eq!(plain("the quick brown fox", 18), "the quick brown\u{2026}");
    assert_eq!(plain("the quick brown fox", 16), "the quick brown\u{2026}");
    assert_eq!(plain("the quick brown fox", 15), "the quick\u{2026}");
    assert_eq!(line("abcdefghij", 5), "abcd\u{2026}");
    assert_eq!(line("ab", 1), "\u{2026}");
    assert_eq!(line("ab", 0), "");
    assert_eq!(line("", 0), "");
}

/// The CPU time of this thread in nanoseconds, from Linux, which does not depend on other load.
fn cpu_time() -> u64 {
    let schedstat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    schedstat.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or_default()
}

#[test]
fn the_time_is_linear_in_the_length() {
    let size = 1 << 18;
    for seed in [
        "<",
        "<a",
        "<a ",
        "<a b=",
        "<a b=\"",
        "</",
        "<!--",
        "<!",
        "&",
        "&#",
        "&#x1",
        "&a",
        "<script>",
        "<script></",
        "<p>",
        "<li>",
        "a \u{301}",
        "e\u{301}",
        "a<br>",
        "<a q",
        "'\"",
        "<b a=b ",
    ] {
        let raw = seed.repeat(size / seed.len());
        let start = cpu_time();
        let _ = (plain(&raw, usize::MAX), line(&raw, 100), unescape(&raw));
        // A quadratic pass takes minutes; a linear one some tens of milliseconds.
        assert!(cpu_time() - start < 20_000_000_000, "{seed:?} took {} ns", cpu_time() - start);
    }
    // One tag with a hundred thousand attributes.
    let raw = format!("<a {}>b", (0..100_000).map(|at| format!("a{at} ")).collect::<String>());
    assert_eq!(plain(&raw, WIDE), "b");
}

/// Text that resembles markup.
fn markup() -> impl Strategy<Value = String> {
    let bits = prop::sample::select(vec![
        "<",
        ">",
        "/",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "a",
        "p",
        "br",
        "li",
        "script",
        "style",
        "!--",
        "--",
        "!",
        "&",
        "#",
        "x",
        ";",
        "amp",
        "lt",
        "8238",
        "202e",
        "0",
        "\0",
        "\u{202e}",
        "\u{e9}",
        "e\u{301}",
        "\u{2028}",
        "word ",
        "</",
        "<p>",
        "<li>",
        "</script>",
    ]);
    prop::collection::vec(bits, 0..60).prop_map(|bits| bits.concat())
}

fn check(text: &str, most: usize) -> Result<(), TestCaseError> {
    prop_assert!(text.chars().count() <= most, "{} characters of {}", text.chars().count(), most);
    let is_direction = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let harmful = text.chars().find(|c| (c.is_control() && *c != '\n') || is_direction(*c));
    prop_assert_eq!(harmful, None);
    prop_assert!(is_nfc(text));
    prop_assert_eq!(text.trim(), text);
    prop_assert!(!text.contains("\n\n\n") && !text.contains("  ") && !text.contains(" \n"));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_input_becomes_plain_text(raw in prop_oneof![markup(), any::<String>()], most in 0..80_usize) {
        check(&plain(&raw, most), most)?;
        let one = line(&raw, most);
        check(&one, most)?;
        prop_assert!(!one.contains('\n'));
    }

    #[test]
    fn unescaping_does_not_lengthen_a_text(raw in prop_oneof![markup(), any::<String>()]) {
        prop_assert!(unescape(&raw).len() <= raw.len() + 2 * raw.matches('&').count());
    }

    #[test]
    fn a_text_without_markup_keeps_its_words(words in prop::collection::vec("[a-zA-Z0-9,.]{1,9}", 0..20)) {
        prop_assert_eq!(line(&words.join("  "), WIDE), words.join(" "));
        prop_assert_eq!(plain(&words.join("<br>"), WIDE), words.join("\n"));
    }
}
