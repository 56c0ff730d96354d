//! One cookie of a request, without a jar: the edge looks for the session in every request.

use std::borrow::Cow;

use http::{HeaderMap, header};
use percent_encoding::percent_decode_str;

/// The value of the cookie `name`, read like [`axum_extra::extract::CookieJar`] does: percent-decoded, and the last one if there are
/// several.
pub fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<Cow<'a, str>> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(|line| line.split(';')).filter_map(parse);
    cookies.rfind(|(found, _)| found == name).map(|(_, value)| value)
}

fn parse(cookie: &str) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    let (name, value) = cookie.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() { None } else { Some((decoded(name)?, decoded(value)?)) }
}

fn decoded(text: &str) -> Option<Cow<'_, str>> {
    percent_decode_str(text).decode_utf8().ok()
}

#[cfg(test)]
mod tests {
    use axum_extra::extract::CookieJar;

    use super::*;

    #[test]
    fn a_cookie_is_the_one_of_the_jar() {
        let lines: [&[&[u8]]; 18] = [
            &[],
            &[b""],
            &[b"session=a"],
            &[b"other=b; session=a"],
            &[b"session=a; session=b"],
            &[b"session=a", b"session=b"],
            &[b"session=a", b"other=b"],
            &[b" session = a b "],
            &[b"session"],
            &[b"session=", b"=a"],
            &[b"session=a=b"],
            &[b"session=\"a\""],
            &[b"session=%61%3B"],
            &[b"sess%69on=a"],
            &[b"session=a; session=%ff"],
            &[b"session=a; session=%"],
            &[b"session=\xff; other=b", b"session=a"],
            &[b"Session=a; sessions=b; xsession=c"],
        ];
        for lines in lines {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, (*line).try_into().unwrap());
            }
            let jar = CookieJar::from_headers(&headers);
            let expected = jar.get("session").map(|cookie| cookie.value().to_owned());
            assert_eq!(find(&headers, "session").map(Cow::into_owned), expected, "{lines:?}");
        }
    }
}
