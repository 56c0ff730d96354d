//! The variables of the gateway and of features of services.

use super::variable::{Secret, Variable, row};

pub(super) const SITE: &[Variable] = &[
    row(
        "PORTIA_PUBLIC_ORIGIN",
        "gateway, feed, messaging, portia",
        "origin",
        "none: loopback only",
        "`https://portia.example`, where browsers find the site; writes from another origin are refused. Passkeys belong to its host: \
         those of a former host are lost",
    ),
    row(
        "PORTIA_TRUSTED_HOPS",
        "gateway, portia",
        "addresses or networks, separated by commas",
        "none",
        "The proxies in front, whose `X-Forwarded-For` is trusted. Without them, rate limits count all members behind a proxy as one",
    ),
    row(
        "PORTIA_SECURITY_CONTACT",
        "gateway",
        "`mailto:` or https URL",
        "none",
        "Where vulnerabilities are reported: `/.well-known/security.txt`",
    ),
    row(
        "PORTIA_RATE_LIMIT_SCALE",
        "gateway, social-graph, messaging, feed, portia",
        "factor",
        "`1`; `portia` on loopback `1000`",
        "Multiplies every rate limit and the allowances of requests, follows and comments; the same for all four. A gateway with a \
         public origin or a trusted hop refuses `1000` and more",
    ),
    row(
        "PORTIA_IN_FLIGHT",
        "gateway",
        "requests",
        "`512`",
        "Concurrent requests of one gateway before it refuses more with 503, sheddable reads first",
    ),
    row(
        "PORTIA_CONNECTIONS_PER_CLIENT",
        "gateway, portia",
        "connections",
        "`256`; `portia` on loopback `8192`",
        "Open connections of one client: an IPv4 address, or an IPv6 network of 64 bits; of one of 48 bits four times as many. Trusted \
         hops are exempt. Raise it for a campus behind one address",
    ),
    row(
        "PORTIA_WEB_DIR",
        "gateway",
        "folder",
        "none; in the image the client",
        "The build of the web client; without it only `/api` is served. `portia` has `--web`",
    ),
    row(
        "PORTIA_RELEVANCE_POSTS",
        "feed",
        "posts",
        "`50000`",
        "The public posts with the highest ranks in memory for the relevant feed, 300 bytes each: those of more than three days",
    ),
    row(
        "PORTIA_REDIS_URL",
        "gateway",
        "`rediss://host:port`, of a cluster several, separated by commas",
        "none: in process",
        "Cache, rate limits and typing indicators that all gateways share. It may contain the password",
    )
    .with(Secret::Value),
    row("PORTIA_REDIS_PASSWORD_FILE", "gateway", "file", "none", "The password of Redis").with(Secret::Content),
    row(
        "PORTIA_REDIS_AUTHORITY",
        "gateway",
        "file",
        "those of the system",
        "The authority of the certificate of Redis (PEM)",
    ),
];

pub(super) const PICTURES: &[Variable] = &[
    row(
        "PORTIA_PICTURES_URL",
        "profile, feed, gateway, portia",
        "folder or `s3://bucket/prefix`",
        "required; `portia` its data folder",
        "Where pictures are stored; the same for all three",
    ),
    row(
        "PORTIA_PICTURE_KEYS",
        "gateway",
        "files, separated by commas",
        "required; `portia` makes one",
        "Secrets of at least 32 bytes, the same for all gateways: the first one signs the addresses of pictures of posts and, derived \
         from it, the proofs of work of registrations and attempts; all are accepted",
    )
    .with(Secret::Content),
];

pub(super) const ACCOUNTS: &[Variable] = &[
    row(
        "PORTIA_SIGNING_KEYS",
        "auth",
        "files, separated by commas",
        "required",
        "Private keys (PEM) for the tokens of members; the first key of the first file signs. Read again within seconds",
    )
    .with(Secret::Content),
    row(
        "PORTIA_CREDENTIAL_KEYS",
        "auth",
        "files, separated by commas",
        "required",
        "64 hexadecimal digits each, the same for all replicas: the first one encrypts the secrets of authenticator apps, all decrypt",
    )
    .with(Secret::Content),
    row(
        "PORTIA_PASSWORD_POLICY",
        "auth",
        "`standard` or `strict`",
        "`standard`",
        "A new password has at least 6 characters, or 12; both refuse guessable ones",
    ),
    row(
        "PORTIA_HASHING_THREADS",
        "auth",
        "threads",
        "one for each core",
        "Password hashes at the same time, each with 19 MiB and one core; 2 on Kubernetes",
    ),
];

pub(super) const CRAWLING: &[Variable] = &[
    row(
        "PORTIA_CRAWL",
        "jobs, news, feed",
        "`on` or `off`",
        "`on`",
        "`off`: no external source is read. There are demo postings and articles only, and links have no previews",
    ),
    row(
        "PORTIA_CRAWL_ADMIT",
        "jobs, news",
        "`host:port`, separated by commas",
        "none",
        "Mirrors in a closed network, which may be private and speak http",
    ),
    row(
        "PORTIA_JOBS_SOURCES",
        "jobs",
        "sources, separated by commas",
        "`demo`, four boards, with a key USAJOBS",
        "`greenhouse:aclu=ACLU, lever:..=.., ashby:..=.., usajobs, rss:https://..=.., demo`, or `none`",
    ),
    row("PORTIA_JOBS_EVERY_HOURS", "jobs", "hours, 1 to 255", "`6`", "Between two crawls of a board"),
    row("PORTIA_USAJOBS_KEY", "jobs", "text", "none", "The key of USAJOBS; without it USAJOBS is not read")
        .with(Secret::Value),
    row("PORTIA_USAJOBS_EMAIL", "jobs", "text", "none", "The e-mail address of that key"),
    row("PORTIA_GREENHOUSE_URL", "jobs", "URL", "`https://boards-api.greenhouse.io`", "Greenhouse, or a mirror"),
    row("PORTIA_LEVER_URL", "jobs", "URL", "`https://api.lever.co`", "Lever, or a mirror"),
    row("PORTIA_ASHBY_URL", "jobs", "URL", "`https://api.ashbyhq.com`", "Ashby, or a mirror"),
    row("PORTIA_USAJOBS_URL", "jobs", "URL", "`https://data.usajobs.gov`", "USAJOBS, or a mirror"),
    row(
        "PORTIA_NEWS_FEEDS",
        "news",
        "`id=https://..`, separated by commas",
        "`demo` and four feeds",
        "The feeds, at most 50, and `demo`; or `none`",
    ),
    row("PORTIA_NEWS_EVERY_HOURS", "news", "hours, 1 to 65535", "`12`", "Between two crawls of a feed"),
    row(
        "PORTIA_LINK_PREVIEW_ADMIT",
        "feed",
        "`host:port`, separated by commas",
        "none",
        "Where links of members may lead although it is private or plain http; members choose the paths",
    ),
];

pub(super) const PUSH: &[Variable] = &[
    row(
        "PORTIA_PUSH_SERVICES",
        "messaging",
        "hosts, separated by commas",
        "those of Chrome, Firefox, Edge and Safari",
        "Where pushes are sent, `*.` for subdomains; `none` turns web push off",
    ),
    row(
        "PORTIA_PUSH_CONTACT",
        "messaging",
        "`mailto:` or https URL",
        "`PORTIA_PUBLIC_ORIGIN`",
        "For the operators of push services; that of Safari requires one",
    ),
    row(
        "PORTIA_PUSH_ADMIT",
        "messaging",
        "`host:port`, separated by commas",
        "none",
        "A push service in a closed network, which may be private and speak http",
    ),
];
