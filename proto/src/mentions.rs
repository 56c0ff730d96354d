//! Mentions in texts of feed: a text contains `@[<member id>]` where readers see `@` and the name of the member.

/// The length of a [`Token`] in bytes and characters.
pub const TOKEN_LENGTH: usize = 39;

/// A mention in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The byte offset of the `@`.
    pub start: usize,
    /// The byte offset after the `]`.
    pub end: usize,
    /// A UUID in lower case with hyphens.
    pub member_id: &'a str,
}

/// The mentions of a text, in its order. Anything else in brackets is text.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    text.match_indices("@[").filter_map(|(start, _)| {
        let end = start + TOKEN_LENGTH;
        let member_id = text.get(start..end)?.strip_prefix("@[")?.strip_suffix(']')?;
        is_id(member_id).then_some(Token { start, end, member_id })
    })
}

/// A text without a mention that was cut at its end.
#[must_use]
pub fn without_cut_token(text: &str) -> &str {
    match text.rfind("@[") {
        Some(start) if text.len() - start < TOKEN_LENGTH && !text.get(start..).is_some_and(|end| end.contains(']')) => {
            text.get(..start).unwrap_or(text)
        }
        _ => text,
    }
}

fn is_id(raw: &str) -> bool {
    raw.len() == 36
        && raw.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01930000-0000-7000-8000-000000000001";

    #[test]
    fn a_token_is_an_id_in_brackets_after_an_at_sign() {
        let text = format!("Salamat @[{ID}]! ñ @[{ID}]");
        let found: Vec<_> = tokens(&text).collect();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].start, found[0].end, found[0].member_id), (8, 47, ID));
        assert_eq!(&text[found[1].start..found[1].end], format!("@[{ID}]"));
    }

    #[test]
    fn other_brackets_are_text() {
        let upper = ID.to_uppercase().replace('1', "A");
        for text in [
            "@[ana]",
            "@[]",
            "@[",
            "[01930000-0000-7000-8000-000000000001]",
            &format!("@[{upper}]"),
            &format!("@[{ID}"),
        ] {
            assert_eq!(tokens(text).count(), 0, "{text}");
        }
        assert_eq!(tokens(&format!("@[{}ñ]", &ID[..34])).count(), 0);
        assert_eq!(tokens(&format!("@[@[{ID}]]")).count(), 1);
    }

    #[test]
    fn a_cut_token_is_removed() {
        for (text, expected) in
            [("Hi @[0193", "Hi "), ("Hi @[", "Hi "), ("Hi @", "Hi @"), ("Hi @[ana] you", "Hi @[ana] you")]
        {
            assert_eq!(without_cut_token(text), expected);
        }
        let whole = format!("Hi @[{ID}]");
        assert_eq!(without_cut_token(&whole), whole);
        assert_eq!(without_cut_token(&whole[..whole.len() - 1]), "Hi ");
    }
}
