//! The jurisdictions and interests that a member can name. The client has a text for each code.

use primitives::error::Violation;

const MAX_JURISDICTIONS: usize = 10;
const MAX_INTERESTS: usize = 20;

/// The Philippines, federal law of the United States, and its states and territories by postal code.
const JURISDICTIONS: [&str; 58] = [
    "ph",
    "us-federal",
    "us-al",
    "us-ak",
    "us-az",
    "us-ar",
    "us-ca",
    "us-co",
    "us-ct",
    "us-de",
    "us-dc",
    "us-fl",
    "us-ga",
    "us-hi",
    "us-id",
    "us-il",
    "us-in",
    "us-ia",
    "us-ks",
    "us-ky",
    "us-la",
    "us-me",
    "us-md",
    "us-ma",
    "us-mi",
    "us-mn",
    "us-ms",
    "us-mo",
    "us-mt",
    "us-ne",
    "us-nv",
    "us-nh",
    "us-nj",
    "us-nm",
    "us-ny",
    "us-nc",
    "us-nd",
    "us-oh",
    "us-ok",
    "us-or",
    "us-pa",
    "us-ri",
    "us-sc",
    "us-sd",
    "us-tn",
    "us-tx",
    "us-ut",
    "us-vt",
    "us-va",
    "us-wa",
    "us-wv",
    "us-wi",
    "us-wy",
    "us-as",
    "us-gu",
    "us-mp",
    "us-pr",
    "us-vi",
];

/// Fields of law and of work.
const INTERESTS: [&str; 24] = [
    "administrative",
    "antitrust",
    "arbitration",
    "banking",
    "civil-procedure",
    "constitutional",
    "corporate",
    "criminal",
    "data-privacy",
    "environmental",
    "evidence",
    "family",
    "health",
    "human-rights",
    "immigration",
    "intellectual-property",
    "international",
    "labor",
    "legal-research",
    "litigation",
    "maritime",
    "public-interest",
    "real-estate",
    "tax",
];

/// Parses jurisdictions: known ones, in the order of the catalogue, without repetitions.
pub fn parse_jurisdictions(raw: &[String]) -> Result<Vec<String>, Violation> {
    parse("jurisdictions", raw, &JURISDICTIONS, MAX_JURISDICTIONS)
}

/// Parses interests likewise.
pub fn parse_interests(raw: &[String]) -> Result<Vec<String>, Violation> {
    parse("interests", raw, &INTERESTS, MAX_INTERESTS)
}

fn parse(field: &str, raw: &[String], known: &[&str], max: usize) -> Result<Vec<String>, Violation> {
    if raw.iter().any(|code| !known.contains(&code.as_str())) {
        return Err(Violation::new(field, "This is not in the list."));
    }
    let chosen: Vec<String> =
        known.iter().filter(|code| raw.iter().any(|raw| raw == *code)).map(|code| (*code).to_owned()).collect();
    if chosen.len() > max {
        return Err(Violation::new(field, format!("Choose at most {max}.")));
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn codes(raw: &[&str]) -> Vec<String> {
        raw.iter().map(|code| (*code).to_owned()).collect()
    }

    #[test]
    fn known_codes_are_kept_once_in_the_order_of_the_catalogue() {
        assert_eq!(parse_jurisdictions(&codes(&["us-ny", "ph", "us-ny"])).unwrap(), ["ph", "us-ny"]);
        assert_eq!(parse_interests(&[]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn unknown_codes_and_too_many_are_refused() {
        for unknown in ["", "PH", "us", "us-zz", "\0", " ph"] {
            assert_eq!(parse_jurisdictions(&codes(&[unknown])).unwrap_err().field, "jurisdictions", "{unknown:?}");
        }
        assert!(parse_interests(&codes(&INTERESTS[..20])).is_ok());
        assert_eq!(parse_interests(&codes(&INTERESTS[..21])).unwrap_err().field, "interests");
        assert!(parse_jurisdictions(&vec!["ph".to_owned(); 10_000]).is_ok(), "repetitions do not count");
    }

    #[test]
    fn the_client_has_a_text_for_each_code() {
        let texts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/locales/en/focus.json");
        let texts: Value = serde_json::from_str(&std::fs::read_to_string(texts).unwrap()).unwrap();
        let keys = |of: &str| texts[of].as_object().unwrap().keys().map(String::as_str).collect::<BTreeSet<_>>();
        assert_eq!(keys("jurisdiction"), BTreeSet::from(JURISDICTIONS));
        assert_eq!(keys("interest"), BTreeSet::from(INTERESTS));
    }
}
