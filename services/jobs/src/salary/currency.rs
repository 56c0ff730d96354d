//! The currencies of a pay: the one that a text names with an amount, and the signs in which a pay is shown.

use std::sync::LazyLock;

use regex::Regex;

/// A currency whose pay is shown.
#[derive(Debug, PartialEq)]
pub struct Currency {
    /// ISO 4217.
    pub code: &'static str,
    /// The sign that the shown pay begins with.
    pub sign: &'static str,
    /// Other signs and abbreviations before an amount, in the spelling of texts.
    pub prefixes: &'static [&'static str],
    /// The currency in words, in lower case; regular expressions.
    words: &'static str,
    /// The size of a plausible pay, compared with dollars of the United States.
    pub unit: f64,
    /// A pay without an interval is usually one per month.
    pub is_monthly: bool,
}

/// `code, sign, other prefixes, words, unit, usually per month`.
macro_rules! currencies {
    ($($code:literal, $sign:literal, $prefixes:expr, $words:literal, $unit:literal, $is_monthly:literal;)*) => {
        &[$(Currency {
            code: $code,
            sign: $sign,
            prefixes: &$prefixes,
            words: $words,
            unit: $unit,
            is_monthly: $is_monthly,
        }),*]
    };
}

/// A plain `$` is the first of them only where nothing names another dollar.
pub static CURRENCIES: &[Currency] = currencies![
    "USD", "$", ["US$", "U.S.$", "U.S. $", "USD$"], r"(?:us|u\.s\.|united states|american) dollars?", 1.0, false;
    "CAD", "CA$", ["C$", "CAD$", "CDN$", "CAN$", "Can$"], "(?:canadian|can) dollars?|cdn", 1.0, false;
    "AUD", "A$", ["AU$", "AUD$", "AUS$"], "(?:australian|aussie|au) dollars?", 1.0, false;
    "NZD", "NZ$", ["NZD$"], "(?:new zealand|nz) dollars?", 1.0, false;
    "SGD", "S$", ["SG$", "SGD$"], "(?:singapore(?:an)?|sg) dollars?", 1.0, true;
    "HKD", "HK$", ["HKD$"], "(?:hong kong|hk) dollars?", 5.0, true;
    "TWD", "NT$", ["NTD$", "TW$"], "(?:new )?taiwan(?:ese)? dollars?", 15.0, true;
    "MXN", "MX$", ["MXN$", "Mex$", "MEX$"], "mexican pesos?", 5.0, true;
    "BRL", "R$", ["BR$", "BRL$"], "brazilian reais|reais", 2.0, true;
    "EUR", "\u{20ac}", [], "euros?", 1.0, false;
    "GBP", "\u{a3}", [], "pounds? sterling|british pounds?", 1.0, false;
    "PHP", "\u{20b1}", ["Php", "PhP", "php", "P"], "(?:philippine|filipino) pesos?", 10.0, true;
    "INR", "\u{20b9}", ["Rs", "Rs."], "indian rupees?", 10.0, false;
    "JPY", "JP\u{a5}", [], "japanese yen", 100.0, false;
    "CHF", "CHF ", ["SFr.", "Fr."], "swiss francs?", 1.0, false;
    "SEK", "SEK ", [], "swedish kron(?:or|a)", 8.0, true;
    "NOK", "NOK ", [], "norwegian kroner?", 8.0, false;
    "DKK", "DKK ", [], "danish kroner?", 6.0, true;
    "PLN", "PLN ", [], "polish zloty(?:ch)?", 2.0, true;
    "ZAR", "ZAR ", [], "south african rand", 8.0, false;
    "AED", "AED ", [], "(?:uae|emirati) dirhams?", 3.0, true;
    "MYR", "RM", ["RM "], "malaysian ringgit", 2.0, true;
    "THB", "THB ", [], "thai baht", 12.0, true;
];

/// Codes of ISO 4217 whose pay is not shown. Those that are common words in capitals are left out.
pub const OTHER_CODES: &str = "AFN|AMD|ANG|AOA|AZN|BAM|BDT|BGN|BHD|BIF|BOB|BTN|BWP|BYN|CDF|CNY|CRC|CVE|CZK|DJF|DZD|EGP|ERN|ETB\
    |FKP|GEL|GHS|GIP|GMD|GNF|GTQ|HNL|HTG|HUF|IDR|ILS|IQD|IRR|ISK|JOD|KES|KGS|KHR|KMF|KPW|KRW|KWD|KZT|LAK|LBP|LKR|LSL|LYD|MAD\
    |MDL|MGA|MKD|MMK|MNT|MOP|MRU|MUR|MVR|MWK|MZN|NGN|NIO|NPR|OMR|PEN|PGK|PKR|PYG|QAR|RMB|RON|RSD|RUB|RWF|SAR|SCR|SDG|SHP|SLE\
    |SSP|STN|SVC|SYP|SZL|TJS|TMT|TND|TRY|TZS|UAH|UGX|UZS|VES|VND|VUV|WST|XAF|XOF|XPF|YER|ZMW|ZWG";
/// The same of currencies that are written with a plain `$`.
pub const OTHER_DOLLARS: &str =
    "ARS|AWG|BBD|BMD|BND|BSD|BZD|CLP|COP|CUP|DOP|FJD|GYD|JMD|KYD|LRD|NAD|SBD|SRD|TTD|TVD|UYU|XCD|ZWL";
/// Nationalities of dollars, in lower case. Alone beside an amount they leave out the word: `$85,000 Canadian`.
pub const NATIONALITIES: &str = "canadian|australian|aussie|singaporean|taiwanese|jamaican|bahamian|barbadian|bermudian|belizean\
    |fijian|guyanese|liberian|namibian|trinidadian|surinamese|zimbabwean|(?:east(?:ern)?|dutch) caribbean";
/// Countries, which are also places: they name a currency only before `dollars`.
pub const COUNTRIES: &str = "new zealand|singapore|hong kong|taiwan|jamaica|barbados|bermuda|belize|fiji|guyana|liberia|namibia|brunei\
    |trinidad(?: and tobago)?|cayman(?: islands?)?|solomon islands?|nz|hk|au|sg|can|tt|ec|bz";

/// Places whose own currency is written with a plain `$`: there it is in doubt.
const PLACES_OF_OTHER_DOLLARS: &str = r"(?x)\b(?:
    canada | toronto | montr[eé]al | qu[eé]bec | calgary | edmonton | ottawa | winnipeg | alberta | manitoba | saskatchewan
    | british\ columbia | vancouver,?\ bc | nova\ scotia | newfoundland | ontario,?\ canada
    | australia | sydney | brisbane | canberra | adelaide | new\ south\ wales | nsw | queensland | melbourne,?\ vic\w*
    | new\ zealand | auckland | christchurch | singapore | hong\ kong | taiwan | taipei | mexico\ city | ciudad\ de\ m[eé]xico
    | guadalajara | argentina | buenos\ aires | chile | colombia | bogot[aá] | uruguay | jamaica | trinidad | barbados | bahamas
    | belize | fiji | guyana | namibia | mississauga | brampton | wellington,?\ nz | kowloon | cayman | port\ of\ spain | cdmx | monterrey,?\ (?:nl|nuevo) | kingston,?\ ja | saskatoon | hobart )\b
    | ,\s*(?:on|bc|ab|qc|mb|sk|ns|nb|nl|pe|ontario)\s*(?:$|[,;()])
    | ^\s*(?:melbourne|wellington|perth|hamilton|halifax|victoria|kingston|george\ town)\s*$ | ^\s*mexico\b | ,\s*mexico\b";

/// Pensions of countries with another dollar.
const PENSIONS_OF_OTHER_DOLLARS: &str = r"(?:\bplus|\+) ?super\b|\b(?:superannuation|plus cpf|local currency|rrsp|rrsps|kiwisaver|cpf contributions?|mpf)\b";

/// A pattern in the source code; a test uses each of them.
#[expect(clippy::expect_used, reason = "the patterns are constants, and tests use them")]
pub fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern in the source code")
}

/// Codes and words of currencies. `CAD` counts only in capitals.
static NAMED: LazyLock<Vec<(&'static Currency, Regex)>> = LazyLock::new(|| {
    let of = |currency: &Currency| pattern(&format!(r"\b{}\b|(?i:\b(?:{})\b)", currency.code, currency.words));
    CURRENCIES.iter().map(|currency| (currency, of(currency))).collect()
});
/// Dollars of other countries, as signs of amounts.
static OTHER_SIGNS: LazyLock<Regex> = LazyLock::new(|| {
    let others = CURRENCIES.iter().filter(|currency| currency.code != "USD");
    let signs = others.flat_map(|currency| currency.prefixes.iter().chain([&currency.sign]));
    let signs: Vec<String> = signs.filter(|sign| sign.ends_with('$')).map(|sign| regex::escape(sign)).collect();
    pattern(&format!(r"\b(?:{}) ?\d", signs.join("|")))
});
/// A label of numbers that names their currency: `Salary (EUR): 45,000`.
static LABEL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\([^)]{2,24}\)|\bin [a-z]{3}\b"));
static NATIONALITY: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?i)\b({NATIONALITIES})\b(?: (?:dollars?|funds|currency)\b)?")));
/// A currency whose pay is not shown.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"\b(?:{OTHER_CODES}|{OTHER_DOLLARS})\b|(?i:\b(?:{NATIONALITIES}|{COUNTRIES}) dollars?\b)"))
});
static OTHER_DOLLAR: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"\b(?:{OTHER_DOLLARS})\b")));
static PESOS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bpesos?\b"));
static PHILIPPINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:philippines?|filipino|manila|makati|quezon city|taguig|cebu|davao|ph)\b"));
static OTHER_PLACES: LazyLock<Regex> = LazyLock::new(|| pattern(PLACES_OF_OTHER_DOLLARS));
static OTHER_PENSIONS: LazyLock<Regex> = LazyLock::new(|| pattern(PENSIONS_OF_OTHER_DOLLARS));

/// The currency with this ISO code.
pub fn of_code(code: &str) -> Option<&'static Currency> {
    CURRENCIES.iter().find(|currency| currency.code == code)
}

/// Whether a word in lower case is the code of a currency whose pay is shown.
pub fn is_code(word: &str) -> bool {
    CURRENCIES.iter().any(|currency| currency.code.eq_ignore_ascii_case(word))
}

/// The currencies that a text names by code, in words, or by a sign that no other currency has.
fn named(text: &str) -> Vec<&'static Currency> {
    let has_sign = |sign: &str| !sign.is_ascii() && text.contains(sign);
    NAMED.iter().filter(|(one, named)| has_sign(one.sign) || named.is_match(text)).map(|(one, _)| *one).collect()
}

/// The currency of an amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sign {
    /// Written with the amount.
    Stated(&'static Currency),
    /// A plain `$`.
    Dollar,
    /// A number alone.
    None,
    /// Letters or a sign of which Portia knows no currency.
    Unknown,
}

/// The sign before an amount; `text` ends where its number begins. Also returns the text before the sign.
pub fn before(text: &str) -> (Sign, &str) {
    let trimmed = text.trim_end_matches(' ');
    let is_apart = trimmed.len() < text.len();
    if let Some(rest) = trimmed.strip_suffix('$') {
        return before_dollar(rest);
    }
    for currency in CURRENCIES {
        let signs = currency.prefixes.iter().chain([&currency.sign, &currency.code]).map(|sign| sign.trim_end());
        for sign in signs.filter(|sign| !sign.ends_with('$')) {
            let Some(rest) = trimmed.strip_suffix(sign) else { continue };
            let is_word = sign.starts_with(|c: char| c.is_ascii_alphabetic());
            if is_word && rest.ends_with(|c: char| c.is_alphanumeric()) {
                continue;
            }
            // `P 40,000` could be anything.
            if sign == "P" && is_apart {
                continue;
            }
            return (Sign::Stated(currency), rest);
        }
    }
    match trimmed.chars().next_back() {
        Some(sign @ ('\u{a5}' | '\u{20a9}' | '\u{20aa}' | '\u{20ba}' | '\u{20ab}' | '\u{e3f}' | '\u{20a6}')) => {
            (Sign::Unknown, trimmed.strip_suffix(sign).unwrap_or(trimmed))
        }
        _ => (Sign::None, text),
    }
}

/// The letters before a `$`, or a code and a space.
fn before_dollar(text: &str) -> (Sign, &str) {
    let at = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.').len();
    let (rest, letters) = text.split_at_checked(at).unwrap_or((text, ""));
    let letters = letters.trim_start_matches('.');
    if letters.is_empty() {
        return apart_from_dollar(text);
    }
    for currency in CURRENCIES {
        let signs = currency.prefixes.iter().chain([&currency.sign]);
        if signs.filter_map(|sign| sign.strip_suffix('$')).any(|sign| sign == letters) {
            return (Sign::Stated(currency), rest);
        }
    }
    // Words that lost the space: `is$85,000`, `Salary:$85,000`.
    let is_word = letters.len() > 4 || letters.len() > 1 && letters.bytes().all(|b| b.is_ascii_lowercase());
    if is_word { (Sign::Dollar, text) } else { (Sign::Unknown, rest) }
}

fn apart_from_dollar(text: &str) -> (Sign, &str) {
    let trimmed = text.trim_end_matches(' ');
    let at = trimmed.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.').len();
    let (rest, letters) = trimmed.split_at_checked(at).unwrap_or((trimmed, ""));
    let is_of = |currency: &&Currency| {
        let signs = currency.prefixes.iter().chain([&currency.sign]);
        currency.code == letters
            || signs.filter_map(|sign| sign.strip_suffix('$')).any(|sign| sign.trim_end() == letters)
    };
    match (letters, CURRENCIES.iter().find(is_of)) {
        ("", _) => (Sign::Dollar, text),
        _ if trimmed.len() == text.len() => (Sign::Dollar, text),
        // An article, and California after a city.
        ("A", _) if rest.trim().is_empty() => (Sign::Dollar, text),
        ("CA", _) if rest.trim_end().ends_with(',') => (Sign::Dollar, text),
        ("A" | "C" | "CA" | "S" | "R" | "P", _) => (Sign::Unknown, rest),
        (name, None) if OTHERS.is_match(name) || NATIONALITY.is_match(name) => (Sign::Unknown, rest),
        (_, Some(currency)) => (Sign::Stated(currency), rest),
        (_, None) => (Sign::Dollar, text),
    }
}

/// The codes and words beside an amount, with the dollars that a nationality leaves out, and with codes in capitals.
pub fn with_dollars(beside: &str) -> String {
    let beside = NATIONALITY.replace_all(beside, "$1 dollars");
    let word = |word: &str| if is_code(word) { word.to_uppercase() } else { word.to_owned() };
    beside.split(' ').map(|part| word(part.trim_matches(['(', ')']))).collect::<Vec<_>>().join(" ")
}

/// Returns the currency of an amount with this sign. `adjacent` is the text around it that can only name its currency;
/// `sentence` is its sentence.
pub fn resolve(
    sign: Sign,
    adjacent: &str,
    sentence: &str,
    text: &str,
    place: Option<&str>,
) -> Option<&'static Currency> {
    let philippine = |text: &str| PHILIPPINE.is_match(text) || place.is_some_and(|place| PHILIPPINE.is_match(place));
    let named = |part: &str| {
        let mut found = named(part);
        if found.is_empty() && PESOS.is_match(part) && philippine(text) {
            found.extend(of_code("PHP"));
        }
        found
    };
    let beside = named(adjacent);
    let has_pesos = !matches!(sign, Sign::Stated(_)) && PESOS.is_match(adjacent);
    if beside.is_empty() && (has_pesos || OTHERS.is_match(adjacent)) {
        return None;
    }
    let one = |found: &[&'static Currency]| match found {
        [one] => Some(*one),
        _ => None,
    };
    match sign {
        Sign::Unknown => None,
        Sign::Stated(currency) => beside.iter().all(|named| *named == currency).then_some(currency),
        Sign::None if beside.is_empty() => {
            let labels: Vec<&str> = LABEL.find_iter(sentence).map(|label| label.as_str()).collect();
            one(&named(&labels.join(" ").to_uppercase()))
        }
        Sign::None => one(&beside),
        Sign::Dollar => {
            let dollars = |found: Vec<&'static Currency>| -> Vec<&'static Currency> {
                found.into_iter().filter(|currency| currency.prefixes.iter().any(|sign| sign.ends_with('$'))).collect()
            };
            if !beside.is_empty() {
                return one(&dollars(beside));
            }
            let (here, anywhere) = (dollars(named(sentence)), dollars(named(text)));
            let doubtful = || {
                let place = place.unwrap_or_default().to_lowercase();
                OTHER_PLACES.is_match(&place) || OTHER_PENSIONS.is_match(&text.to_lowercase())
            };
            match (here.as_slice(), anywhere.as_slice()) {
                _ if OTHER_SIGNS.is_match(text) || OTHER_DOLLAR.is_match(sentence) => None,
                ([one], _) | ([], [one]) => Some(*one),
                ([], []) if !doubtful() => of_code("USD"),
                _ => None,
            }
        }
    }
}
