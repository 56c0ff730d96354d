//! Decides which addresses are public and may be requested.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is public: not in a private network, not this host, not a metadata service of a cloud, and no form of
/// IPv6 that carries an IPv4 address and is delivered to it.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// All but the special-purpose blocks of RFC 6890 and its registry.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        // This network; private; loopback.
        [0 | 10 | 127, ..] => true,
        // Carrier-grade NAT (RFC 6598), which clouds also use for their own services.
        [100, second, ..] => (64..128).contains(&second),
        // Link-local: metadata of clouds.
        [169, 254, ..] => true,
        // The platform service of Azure, although the block is public.
        [168, 63, 129, 16] => true,
        [172, second, ..] => (16..32).contains(&second),
        // Protocol assignments, documentation, and the relays of 6to4, which deliver to any IPv4 address.
        [192, 0, 0 | 2, _] | [192, 88, 99, _] => true,
        [192, 168, ..] => true,
        // Benchmarks, documentation.
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Multicast, reserved, broadcast.
        [224..=255, ..] => true,
        _ => false,
    };
    !special
}

/// Global unicast, 2000::/3, without the special blocks within it. Everything else is refused: unspecified, loopback,
/// IPv4-mapped and -compatible, NAT64, unique and site-local, link-local, multicast, segment routing, and future blocks.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let special = match address.segments() {
        // Protocol assignments: Teredo, benchmarks, ORCHID and more.
        [0x2001, second, ..] if second < 0x0200 => true,
        // Documentation, two blocks.
        [0x2001, 0x0db8, ..] => true,
        [0x3fff, second, ..] if second < 0x1000 => true,
        // 6to4.
        [0x2002, ..] => true,
        [first, ..] => !(0x2000..0x4000).contains(&first),
    };
    !special
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap())
    }

    #[test]
    fn special_blocks_have_exact_bounds() {
        // The last address before a block, its first, its last, and the first after it.
        for (before, first, last, after) in [
            ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
            ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
            ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
            ("168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"),
            ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
            ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
            ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
            ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
            ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
            ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
            ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
            ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
            ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
            (
                "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                "2001::",
                "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
                "2001:200::",
            ),
            ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff::1", "2001:db9::"),
            ("2001:ffff::1", "2002::", "2002:ffff:ffff::1", "2003::"),
            ("3ffe:ffff::1", "3fff::", "3fff:fff:ffff::1", "3fff:1000::"),
        ] {
            assert!(!public(first) && !public(last), "{first} to {last}");
            assert!(public(after), "{after}");
            // 1fff:: is not global unicast itself.
            assert_eq!(public(before), !before.starts_with("1fff"), "{before}");
        }
        for edge in ["0.0.0.0", "0.255.255.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"] {
            assert!(!public(edge), "{edge}");
        }
        assert!(public("1.0.0.0") && public("223.255.255.255"));
    }

    #[test]
    fn no_form_of_ipv6_reaches_a_private_address() {
        for inside in [
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:93.184.216.34",
            "::127.0.0.1",
            "::ffff:0:10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2002:7f00:1::",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(inside), "{inside}");
        }
        for outside in ["2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2400:cb00::1", "2001:4860:4860::8888"] {
            assert!(public(outside), "{outside}");
        }
    }

    proptest! {
        #[test]
        fn an_ipv6_address_that_carries_an_ipv4_address_is_never_public(octets in any::<[u8; 4]>()) {
            let address = Ipv4Addr::from(octets);
            let [a, b, c, d] = octets.map(u16::from);
            let (high, low) = (a << 8 | b, c << 8 | d);
            for carrier in [
                address.to_ipv6_mapped(),
                address.to_ipv6_compatible(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 0),
                Ipv6Addr::new(0x2001, 0, high, low, 0, 0, !high, !low),
            ] {
                prop_assert!(!is_public(carrier.into()), "{}", carrier);
            }
        }

        #[test]
        fn an_address_that_the_standard_library_knows_as_special_is_not_public(octets in any::<[u8; 4]>()) {
            let address = Ipv4Addr::from(octets);
            let special = address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_broadcast()
                || address.is_documentation()
                || address.is_multicast()
                || address.is_unspecified();
            prop_assert!(!(special && is_public(address.into())), "{}", address);
        }
    }
}
