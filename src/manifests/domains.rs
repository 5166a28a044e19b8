//! What an entry of a view's `csp` may be, judged as it is written.
//!
//! Never parses an address: a parser repairs what must be refused. Start reading at [`refusal`].

/// `https://`, a host of 253 characters, `:` and five digits.
const MAX_CHARS: usize = 267;

/// Why an entry is refused, the first rule that it breaks; `None` if it may stand. Hosts that no view may reach are
/// [`reaches`]'s to find.
pub fn refusal(entry: &str) -> Option<&'static str> {
    if entry.is_empty() {
        return Some("it is empty");
    }
    if entry.encode_utf16().count() > MAX_CHARS {
        return Some("it is over 267 characters");
    }
    let Some(rest) = entry.strip_prefix("https://") else {
        return Some("it does not begin with `https://` in lower case");
    };
    let is_stray = |c: char| "/?#@\\".contains(c) || c.is_whitespace() || c == '\u{feff}';
    if rest.contains(is_stray) {
        return Some("an origin has no path, query, fragment, user, backslash or white space");
    }
    let rest = rest.strip_prefix("*.").unwrap_or(rest);
    let (host, port) = match rest.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (rest, None),
    };
    if let Some(port) = port {
        let is_short = (1..=5).contains(&port.len());
        if !is_short || !port.bytes().all(|digit| digit.is_ascii_digit()) {
            return Some("after the host comes nothing, or `:` and a port of one to five digits");
        }
        if port.starts_with('0') || port.parse::<u16>().is_err() {
            return Some("a port is 1 to 65535, without a leading zero");
        }
    }
    host_refusal(host)
}

/// Why a host is no name of the public sort; `None` if it is.
pub fn host_refusal(host: &str) -> Option<&'static str> {
    if host.contains('*') {
        return Some("`*` may stand only once, as the whole first label");
    }
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if host
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return Some("an IP address is no host name");
    }
    let labels: Vec<&str> = host.split('.').collect();
    if !labels.iter().copied().all(is_label) {
        return Some(
            "a label of the host is 1 to 63 ASCII letters, digits and inner hyphens (write the xn-- form)",
        );
    }
    let (Some(last), true) = (labels.last(), labels.len() >= 2) else {
        return Some("a host has at least two labels, not counting a wildcard");
    };
    // A browser reads such a host as an IPv4 address.
    let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    let is_hexadecimal =
        hexadecimal.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    if is_digits(last) || is_hexadecimal {
        return Some("a host whose last label is a number is an IP address");
    }
    last.eq_ignore_ascii_case("localhost")
        .then_some("localhost is not reached by a view")
}

fn is_label(label: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=63).contains(&label.len())
        && label.bytes().all(is_inner)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Whether an entry that [`refusal`] lets stand reaches a reserved host: it is that host, a name under it, or a
/// wildcard that covers it.
pub fn reaches(entry: &str, reserved: &str) -> bool {
    let rest = entry.strip_prefix("https://").unwrap_or(entry);
    let (is_wild, rest) = match rest.strip_prefix("*.") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let host = rest.split(':').next().unwrap_or(rest);
    is_or_under(host, reserved) || (is_wild && is_under(reserved, host))
}

fn is_or_under(host: &str, above: &str) -> bool {
    host.eq_ignore_ascii_case(above) || is_under(host, above)
}

fn is_under(host: &str, above: &str) -> bool {
    // Both may hold anything that a person configured; bytes keep a cut from falling into a character.
    let (host, above) = (host.as_bytes(), above.as_bytes());
    match host.len().checked_sub(above.len() + 1) {
        Some(at) => host[at] == b'.' && host[at + 1..].eq_ignore_ascii_case(above),
        None => false,
    }
}
