//! SQL as words and signs, each with its line: comments and strings left out.

/// A word (lower case, unquoted) or a single sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) line: usize,
    pub(super) text: String,
}

impl Token {
    /// Whether it can name something.
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|first: char| first.is_alphabetic() || first == '_')
    }
}

pub(super) fn tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (length, text) = if rest.starts_with("--") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |end| end + 2), None)
        } else if first == '\'' {
            (quoted(rest, '\''), None)
        } else if first == '"' {
            let length = quoted(rest, '"');
            (length, rest.get(1..length - 1).map(str::to_owned))
        } else if let Some(tag) = dollar_tag(rest) {
            let body = rest.get(tag.len()..).unwrap_or_default();
            (body.find(tag).map_or(rest.len(), |end| end + 2 * tag.len()), None)
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            (end, rest.get(..end).map(str::to_lowercase))
        } else if first.is_whitespace() {
            (first.len_utf8(), None)
        } else {
            (first.len_utf8(), Some(first.to_string()))
        };
        let (done, left) = rest.split_at(length);
        tokens.extend(text.map(|text| Token { line, text }));
        line += done.matches('\n').count();
        rest = left;
    }
    tokens
}

/// The length of a quoted thing, in which a doubled mark stands for one.
fn quoted(text: &str, mark: char) -> usize {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == mark && letters.next_if(|(_, next)| *next == mark).is_none() {
            return at + 1;
        }
    }
    text.len()
}

/// `$$` or `$body$`; `$1` is a parameter.
fn dollar_tag(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('$')?;
    let end = inner.find('$')?;
    let name = inner.get(..end)?;
    let named = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_numeric());
    named.then(|| text.get(..end + 2)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_words_and_signs_only() {
        let sql = "select 'it''s from auth.x' as \"Note\" -- from jobs.y\n from /* z */ Feed.posts where id = $1;";
        let texts: Vec<String> = tokens(sql).into_iter().map(|token| token.text).collect();
        let expected = ["select", "as", "Note", "from", "feed", ".", "posts", "where", "id", "=", "$", "1", ";"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn leaves_out_dollar_quoted_bodies_and_counts_their_lines() {
        let tokens = tokens("do $$ select\nfrom auth.x $$;\nselect");
        assert_eq!(tokens.last(), Some(&Token { line: 3, text: "select".into() }));
        assert!(!tokens.iter().any(|token| token.text == "auth"));
    }
}
