//! Unusual texts, forged cursors, and malformed requests.

use super::raw_client::RawClient;

/// Harmless when treated as plain text. Each has at most 100 characters, in one line.
pub const STRANGE: [&str; 19] = [
    "'; drop table feed.posts; -- \" \\ %s $1 {0} `id` $(id)",
    "<script>alert(1)</script><img src=x onerror=alert(1)>&amp;&#0;",
    "javascript:alert(document.cookie)",
    "{\"content\":\"\\u0000\",\"a\":[]}",
    "\\u0000 \\x00 \\0 %00 &#0; \\ud800",
    "${jndi:ldap://127.0.0.1/x} {{7*7}} <%= 7*7 %> #{7*7}",
    "../../../../etc/passwd\\..\\..",
    "infinity -infinity NaN 1e400 -1 0x7fffffff null undefined true",
    "10000-01-01T00:00:00Z 4713-01-01 BC",
    "=cmd|'/c calc'!A1 +1+1 @SUM(1)",
    "👩‍⚖️👨‍👩‍👧‍👦🏳️‍🌈🇵🇭 6️⃣",
    "שלום עולם مرحبا بالعالم",
    "e\u{301} n\u{303} decomposed",
    "ﬁ ＦＵＬＬ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ı İ ß ǆ",
    "میخواهم क्ष",
    "ประเทศไทย 日本語 한국어",
    "\u{1d11e}music",
    "\u{fffd}\u{fffc} replaced",
    "Ñoño O'Brien-Dela Cruz III, Esq.",
];

/// Returns the text as Portia stores it: composed (NFC).
pub fn normalised(text: &str) -> String {
    text.replace("e\u{301}", "\u{e9}").replace("n\u{303}", "\u{f1}")
}

/// Forged cursors: valid in form, wrong in every value. Those of one kind have the shape of the same list, and the same sort of value.
pub fn cursors() -> Vec<(String, String)> {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let moments = [
        "-1",
        "0",
        "1e400",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "null",
        "9221120237041090560",
        "\"infinity\"",
        "\"-infinity\"",
        "\"10000-01-01T00:00:00Z\"",
        "\"+010000-01-01T00:00:00Z\"",
        "\"+262142-12-31T23:59:59.999999999Z\"",
        "\"-262143-01-01T00:00:00Z\"",
        "\"-4714-01-01T00:00:00Z\"",
        "\"0000-00-00T00:00:00Z\"",
        "\"2026-01-01T23:59:60Z\"",
    ];
    let id = "01990000-0000-7000-8000-000000000000";
    let broken = ["A".repeat(40_000), "====".to_owned(), "bnVsbA".to_owned(), "W10".to_owned(), "e30".to_owned()];
    let mut all: Vec<_> = broken.into_iter().map(|cursor| ("no cursor".to_owned(), cursor)).collect();
    for moment in moments {
        let sort = match moment.parse::<i64>() {
            Ok(_) => "number",
            Err(_) if moment.starts_with('"') => "text",
            Err(_) => "no moment",
        };
        let shapes = [
            format!("{{\"at\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"recent\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"authored\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"reacted\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"commented\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"own\":true,\"members\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"others\":false,\"at\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"likes\":{moment},\"at\":1795187505333717,\"id\":\"{id}\"}}"),
            format!("{{\"likes\":0,\"at\":{moment},\"id\":\"{id}\"}}"),
            format!("{{\"as_of\":{moment},\"leads\":true,\"rank\":0,\"id\":\"{id}\"}}"),
            format!("{{\"as_of\":1795187505333717,\"leads\":false,\"rank\":{moment},\"id\":\"{id}\"}}"),
        ];
        let kinds = (0..).map(|number| format!("{sort} in shape {number}"));
        all.extend(kinds.zip(shapes.map(|shape| URL_SAFE_NO_PAD.encode(shape))));
    }
    all
}

/// Whole requests, and the statuses that refuse them; 0 is a connection closed without a response.
pub fn requests(client: &RawClient) -> Vec<(&'static str, Vec<u8>, &'static [u16])> {
    const FORM: &[u8] = b"{\"content\":\"must never be stored\"}";
    let post = client.head("POST", "/api/posts");
    let with = |headers: &str, body: &[u8]| [post.as_bytes(), headers.as_bytes(), b"\r\n", body].concat();
    let form = |headers: &str, body: &[u8]| {
        with(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n{headers}", body.len()), body)
    };
    let chunked = |body: &[u8]| with("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", body);
    let swap = |from: &str, to: &str| {
        let text = String::from_utf8(form("", FORM)).unwrap();
        assert!(text.contains(from), "{from}");
        text.replace(from, to).into_bytes()
    };
    let get = |target: &str| format!("{}\r\n", client.head("GET", target)).into_bytes();
    let host = format!("Host: {}", client.address());
    let cookie = format!("Cookie: {}", client.cookie.as_deref().unwrap_or_default());
    let length = format!("Content-Length: {}\r\n", FORM.len());
    vec![
        ("no JSON", form("", b"{"), &[400]),
        ("two values", form("", b"{}{}"), &[400]),
        ("byte order mark", form("", b"\xef\xbb\xbf{\"content\":\"x\"}"), &[400]),
        ("UTF-16", form("", b"\xff\xfe{\0}\0"), &[400]),
        ("gzip", form("Content-Encoding: gzip\r\n", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xabV*\xce\x07\0"), &[400, 415]),
        ("declared as gzip", form("Content-Encoding: gzip\r\n", FORM), &[415]),
        ("text", swap("application/json", "text/plain"), &[415]),
        ("a form of HTML", swap("application/json", "application/x-www-form-urlencoded"), &[415]),
        ("no type", swap("Content-Type: application/json\r\n", ""), &[415]),
        ("2 MB", form("", &vec![b' '; 2 << 20]), &[413]),
        (
            "2 MB in chunks",
            chunked(&[b"10000\r\n".to_vec(), vec![b' '; 65536], b"\r\n".to_vec()].concat().repeat(32)),
            &[413],
        ),
        ("no chunk", chunked(b"zz\r\n"), &[400]),
        ("a chunk beyond 64 bits", chunked(b"ffffffffffffffffff\r\n"), &[400]),
        ("an unknown transfer coding", with("Transfer-Encoding: gzip, chunked\r\n", FORM), &[400]),
        ("two lengths", form("Content-Length: 2\r\n", FORM), &[400]),
        ("a negative length", swap(&length, "Content-Length: -1\r\n"), &[400]),
        ("a length beyond 64 bits", swap(&length, "Content-Length: 99999999999999999999\r\n"), &[400]),
        ("a space in a header's name", form("Transfer-Encoding : chunked\r\n", FORM), &[400]),
        ("NUL in a header", form("X-A: \0\r\n", FORM), &[400]),
        ("200 headers", form(&"X-A: a\r\n".repeat(200), FORM), &[431]),
        ("a header of 1 MB", form(&format!("X-A: {}\r\n", "a".repeat(1 << 20)), FORM), &[431]),
        ("no host", swap(&format!("{host}\r\n"), ""), &[403]),
        ("a foreign host", swap(&host, "Host: evil.example"), &[403]),
        ("two hosts", form("Host: evil.example\r\n", FORM), &[403]),
        ("a foreign target", swap(" /api/posts ", " http://evil.example/api/posts "), &[403]),
        ("another site", swap("Site: same-origin", "Site: cross-site"), &[403]),
        ("another site of ours", swap("Site: same-origin", "Site: same-site"), &[403]),
        ("a foreign origin", swap("Sec-Fetch-Site: same-origin", "Origin: http://evil.example"), &[403]),
        ("an opaque origin", swap("Sec-Fetch-Site: same-origin", "Origin: null"), &[403]),
        ("no cookie", swap(&cookie, "X-Cookie: none"), &[401]),
        ("a cookie of garbage", swap(&cookie, "Cookie: portia_session=../../%00"), &[401]),
        ("a cookie of the right length", swap(&cookie, &format!("Cookie: portia_session={}", "A".repeat(43))), &[401]),
        ("a cookie of 60 kB", swap(&cookie, &format!("Cookie: portia_session={}", "A".repeat(60_000))), &[401]),
        ("a second cookie", form("Cookie: portia_session=other\r\n", FORM), &[401]),
        (
            "another member's id",
            form("", b"{\"userId\":\"01990000-0000-7000-8000-000000000000\",\"content\":\"x\"}"),
            &[403],
        ),
        ("another verb", swap("POST ", "DELETE "), &[405]),
        ("a verb of one's own", swap("POST ", "BREW "), &[405]),
        ("a lower-case verb", swap("POST ", "post "), &[405]),
        ("HTTP/9.9", swap("HTTP/1.1", "HTTP/9.9"), &[400]),
        ("a preflight", swap("POST ", "OPTIONS "), &[405]),
        ("TLS", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03".repeat(20), &[0, 400]),
        ("garbage", b"\0\x01\x02\x03\r\n\r\n".to_vec(), &[0, 400]),
        ("a relative target", get("x"), &[400, 403]),
        ("an address of 70 kB", get(&format!("/api/{}", "a".repeat(70_000))), &[414]),
        ("up from assets", get("/assets/../../etc/passwd"), &[404]),
        ("up from assets, encoded", get("/assets/..%2f..%2fetc/passwd"), &[404]),
        ("up from assets, backwards", get("/assets/..\\..\\etc\\passwd"), &[404]),
        ("nothing twice", get("//"), &[404]),
        ("another authority", get("//evil.example/"), &[404]),
        ("NUL", get("/%00"), &[404]),
        ("no UTF-8", get("/%ff"), &[404]),
        ("the API in capitals", get("/API/posts"), &[404]),
        ("the API encoded", get("/api%2fposts"), &[404]),
        ("two slashes", get("/api//posts"), &[404]),
        ("metrics", get("/metrics"), &[404]),
    ]
}
