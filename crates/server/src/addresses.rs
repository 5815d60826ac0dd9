//! The addresses by which other machines reach this one.

use std::net::{IpAddr, SocketAddr};

/// The origins of a server that listens at an address, the likeliest for a phone in the same room
/// first; none where only this machine reaches it.
pub(crate) fn origins(address: SocketAddr) -> Vec<String> {
    let ip = address.ip();
    let mut found: Vec<(bool, IpAddr)> = if ip.is_unspecified() {
        let all = if_addrs::get_if_addrs().unwrap_or_default();
        let all = all.iter().map(|own| (is_virtual(&own.name), own.ip()));
        all.filter(|(_, own)| own.is_ipv4() || ip.is_ipv6()).collect()
    } else {
        vec![(false, ip)]
    };
    // An address of one cable alone needs the name of its interface.
    let is_near = |ip: &IpAddr| matches!(ip, IpAddr::V6(ip) if ip.is_unicast_link_local());
    found.retain(|(_, ip)| !ip.is_loopback() && !is_near(ip));
    found.sort_by_key(|(is_virtual, ip)| match ip {
        IpAddr::V4(own) => (*is_virtual, !own.is_private(), own.is_link_local(), *ip),
        IpAddr::V6(_) => (*is_virtual, true, true, *ip),
    });
    found.dedup();
    found.iter().map(|(_, ip)| origin(SocketAddr::new(*ip, address.port()))).collect()
}

/// Whether an interface is a bridge to containers and virtual machines, by its usual names.
fn is_virtual(name: &str) -> bool {
    ["docker", "br-", "veth", "virbr", "vmnet", "vboxnet"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// The origin of an address.
pub(crate) fn origin(address: SocketAddr) -> String {
    match address.port() {
        80 if address.is_ipv4() => format!("http://{}", address.ip()),
        _ => format!("http://{address}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_that_others_reach_is_shown() {
        let of = |text: &str| origins(text.parse().unwrap_or(SocketAddr::from(([0, 0, 0, 0], 0))));
        assert!(of("127.0.0.1:7333").is_empty() && of("[::1]:7333").is_empty());
        assert_eq!(of("192.168.1.5:80"), ["http://192.168.1.5"]);
        assert_eq!(of("[2001:db8::1]:7333"), ["http://[2001:db8::1]:7333"]);
        assert!(
            of("0.0.0.0:7333").iter().all(|one| !one.contains("127.") && !one.contains("0.0.0.0"))
        );
    }
}
