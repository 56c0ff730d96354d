//! The cookies of a request.

use http::{HeaderMap, header};

/// The value of the cookie `name`; `None` if several cookies of this name have different values.
///
/// Nothing is decoded. Browsers let a sibling domain set no cookie with a name that begins with `__Host-`, but one that is a spelling of
/// such a name in percent-encoding. And of two cookies, one is from somewhere else.
pub fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let cookies = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.split_once('='));
    let mut values = cookies.filter(|(found, _)| found.trim() == name).map(|(_, value)| value.trim());
    let value = values.next()?;
    values.all(|other| other == value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_has_one_value_and_its_name_letter_for_letter() {
        let cases: [(&[&[u8]], Option<&str>); 16] = [
            (&[], None),
            (&[b""], None),
            (&[b"__Host-a=1"], Some("1")),
            (&[b"other=2; __Host-a=1"], Some("1")),
            (&[b" __Host-a = 1 2 "], Some("1 2")),
            (&[b"__Host-a=1=2"], Some("1=2")),
            (&[b"__Host-a=%61"], Some("%61")),
            (&[b"__Host-a="], Some("")),
            (&[b"__Host-a"], None),
            (&[b"%5F_Host-a=2"], None),
            (&[b"__Host%2Da=2; __Host-a=1"], Some("1")),
            (&[b"__Host-a=1; %5f%5fHost-a=2"], Some("1")),
            (&[b"__host-a=2; a=3; x__Host-a=4"], None),
            (&[b"__Host-a=1; __Host-a=1"], Some("1")),
            (&[b"__Host-a=1", b"other=2; __Host-a=2"], None),
            (&[b"__Host-a=\xff; other=2", b"__Host-a=1"], Some("1")),
        ];
        for (lines, expected) in cases {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, (*line).try_into().unwrap());
            }
            assert_eq!(find(&headers, "__Host-a"), expected, "{lines:?}");
        }
    }
}
