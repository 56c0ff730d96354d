//! The network policies of Kubernetes admit the addresses that the crawler requests, and no others.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use serde::Deserialize as _;
use serde_json::Value;

const POLICIES: &str = include_str!("../../../kubernetes/base/network.yaml");

#[test]
fn links_of_members_lead_to_the_addresses_of_the_crawler_only() {
    let mut policies = serde_norway::Deserializer::from_str(POLICIES).map(|one| Value::deserialize(one).unwrap());
    let internet = policies.find(|policy| policy["metadata"]["name"] == "internet").unwrap();
    let network = |text: &Value| text.as_str().unwrap().parse::<IpNet>().unwrap();
    let blocks: Vec<(IpNet, Vec<IpNet>)> = internet["spec"]["egress"][0]["to"]
        .as_array()
        .unwrap()
        .iter()
        .map(|to| {
            let except = to["ipBlock"]["except"].as_array().unwrap().iter().map(network).collect();
            (network(&to["ipBlock"]["cidr"]), except)
        })
        .collect();
    // Kubernetes refuses an exception outside of its block.
    assert!(blocks.iter().all(|(block, except)| except.iter().all(|inner| block.contains(inner))));
    for address in addresses() {
        let is_admitted = blocks
            .iter()
            .any(|(block, except)| block.contains(&address) && !except.iter().any(|inner| inner.contains(&address)));
        assert_eq!(is_admitted, crawler::address::is_public(address), "{address}");
    }
}

/// An address of every IPv4 network of 16 bits, of every one of 24 bits that has special ones beside it, and of IPv6 alike.
fn addresses() -> impl Iterator<Item = IpAddr> {
    let wide = (0..=u16::MAX).map(|start| Ipv4Addr::from_bits((u32::from(start) << 16) | 0x8110));
    let narrow = [(192, 0), (192, 88), (198, 51), (203, 0), (168, 63)]
        .into_iter()
        .flat_map(|(first, second)| (0..=255).map(move |third| Ipv4Addr::new(first, second, third, 16)));
    let v6 = |first: u16, second: u16| Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 1);
    let firsts = (0..=u16::MAX).map(move |first| v6(first, 0x1234));
    let seconds = [0, 0x0064, 0x2001, 0x2002, 0x3fff]
        .into_iter()
        .flat_map(move |first| (0..=u16::MAX).map(move |second| v6(first, second)));
    wide.chain(narrow).map(IpAddr::from).chain(firsts.chain(seconds).map(IpAddr::from))
}
