//! Character references: `&amp;`, `&#8217;`, `&#x2019;`.

/// The longest name is `CounterClockwiseContourIntegral`.
const MAX_LENGTH: usize = 32;

/// Names that are valid without a semicolon, as far as pages use them so.
const WITHOUT_SEMICOLON: [&str; 8] = ["amp", "copy", "gt", "lt", "mdash", "nbsp", "quot", "reg"];

/// The characters of windows-1252 at the control characters of ISO 8859-1: numeric references mean the former (HTML
/// 13.2.5.80).
const WINDOWS: [char; 32] = [
    '\u{20ac}', '\u{fffd}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{fffd}', '\u{17d}', '\u{fffd}', '\u{fffd}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{fffd}', '\u{17e}', '\u{178}',
];

/// Decodes character references once: `&amp;lt;` becomes `&lt;`. Any other text is unchanged.
///
/// For HTML that is escaped as a whole, use `plain(&unescape(escaped), ..)`.
#[must_use]
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find('&').and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        match reference(from) {
            Some(length) => {
                let (raw, behind) = from.split_at_checked(length).unwrap_or((from, ""));
                decode(raw, &mut out);
                rest = behind;
            }
            None => {
                out.push('&');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// The length of the reference at the beginning of `from`, its semicolon included, if it could be one.
fn reference(from: &str) -> Option<usize> {
    let body = from.get(1..)?;
    let number = body.starts_with('#');
    let length = body
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_alphanumeric() || (*at == 0 && *c == '#')))
        .map_or(body.len(), |(at, _)| at);
    let ends = body.get(length..).is_some_and(|behind| behind.starts_with(';'));
    let name = body.get(..length)?;
    let named = length <= MAX_LENGTH && (ends || WITHOUT_SEMICOLON.contains(&name));
    let counted = number && length > 1;
    (length > 0 && (named || counted)).then_some(1 + length + usize::from(ends))
}

/// Writes the decoded reference, or the reference itself when it is unknown.
fn decode(raw: &str, out: &mut String) {
    let name = raw.trim_start_matches('&').trim_end_matches(';');
    if let Some(digits) = name.strip_prefix('#') {
        return match number(digits) {
            Some(c) => out.push(c),
            None => out.push_str(raw),
        };
    }
    // Decodes one reference at a time: after a lone `&`, the library misses the next one.
    out.push_str(&html_escape::decode_html_entities(&format!("&{name};")));
}

/// The character of a number, `8217` or `x2019`. An invalid code point becomes the replacement character.
fn number(digits: &str) -> Option<char> {
    let (digits, radix) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    // A number of more than 32 bits is invalid too.
    let code = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
    let windows = code.checked_sub(0x80).and_then(|at| WINDOWS.get(at as usize)).copied();
    Some(windows.or_else(|| char::from_u32(code).filter(|c| *c != '\0')).unwrap_or('\u{fffd}'))
}
