//! `data:` URLs of pictures.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::edge::problem::Problem;

/// The field of violations.
const FIELD: &str = "avatarUrl";
/// The accepted media types. The bytes decide what the picture is.
const MEDIA: [&str; 2] = ["image/png", "image/jpeg"];

/// The bytes of a `data:` URL, or a problem when it is not a picture. `None` for any other URL.
pub fn picture(address: &str) -> Option<Result<Vec<u8>, Problem>> {
    let (scheme, rest) = address.split_once(':')?;
    scheme.eq_ignore_ascii_case("data").then(|| read(rest))
}

fn read(rest: &str) -> Result<Vec<u8>, Problem> {
    let (head, data) = rest.split_once(',').ok_or_else(broken)?;
    let (media, coding) = head.split_once(';').unwrap_or((head, ""));
    if !MEDIA.iter().any(|known| media.eq_ignore_ascii_case(known)) {
        return Err(Problem::field(FIELD, "The picture must be a PNG or a JPEG."));
    }
    if !coding.eq_ignore_ascii_case("base64") {
        return Err(broken());
    }
    STANDARD.decode(data).map_err(|_| broken())
}

fn broken() -> Problem {
    Problem::field(FIELD, "The picture could not be read.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_its_bytes() {
        for address in ["data:image/png;base64,AQID", "DATA:image/JPEG;BASE64,AQID"] {
            assert_eq!(picture(address), Some(Ok(vec![1, 2, 3])), "{address}");
        }
    }

    #[test]
    fn other_addresses_are_not_read() {
        for address in ["", "/media/x.jpg", "https://portia.example/x.png", "javascript:alert(1)", "data", "blob:x"] {
            assert_eq!(picture(address), None, "{address}");
        }
    }

    #[test]
    fn an_invalid_picture_is_refused_with_a_message() {
        let svg = "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=";
        for address in [svg, "data:text/html;base64,AQID", "data:;base64,AQID", "data:,", "data:image/gif;base64,AQID"]
        {
            let problem = picture(address).unwrap().unwrap_err();
            assert_eq!(problem.fields[0].message, "The picture must be a PNG or a JPEG.", "{address}");
        }
        for address in [
            "data:image/png;base64",
            "data:image/png,AQID",
            "data:image/png;charset=utf-8;base64,AQID",
            "data:image/png;base64,AQI",
            "data:image/png;base64,AQ ID",
            "data:image/png;base64,-_8=",
            "data:image/png;base64,AQID\u{0}",
        ] {
            let problem = picture(address).unwrap().unwrap_err();
            assert_eq!(problem.fields[0].message, "The picture could not be read.", "{address}");
        }
    }
}
