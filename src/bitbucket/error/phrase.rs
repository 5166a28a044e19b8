//! Each reason in words: what stopped the request and what to do next.
//!
//! Never decides anything. Lower case, one line, no final stop but Bitbucket's own. Start reading at the
//! `Display` of [`Why`].

use super::{Limit, ProxyFault, SignedInWith, Stranger, TlsFault, Unreached, Why};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSignedIn {
                signed_in_with,
                said,
            } => {
                write!(
                    f,
                    "Bitbucket answered 401{said} ({})",
                    what_to_sign_in_with(*signed_in_with)
                )
            }
            Self::Captcha => f.write_str(
                "Bitbucket answered 401 and wants a CAPTCHA solved after too many failed passwords \
                 (sign in with a browser once, then try again)",
            ),
            Self::NotAllowed { status, user, said } => {
                write!(f, "Bitbucket answered {status}{said}")?;
                match user {
                    Some(user) => write!(f, " (signed in as `{user}`, who may not)"),
                    None => f.write_str(" (this account may not)"),
                }
            }
            Self::NotFound(said) => {
                write!(f, "Bitbucket answered 404{said}")?;
                if said.is_empty() {
                    f.write_str(" (there is no such thing, or this account may not see it)")?;
                }
                Ok(())
            }
            Self::Conflict(said) => write!(f, "Bitbucket answered 409{said}"),
            Self::RateLimited { retry_after } => {
                f.write_str("Bitbucket answered 429: too many requests in a short time (")?;
                match retry_after {
                    Some(wait) => write!(f, "try again in {})", Seconds(*wait)),
                    None => f.write_str("try again in a few seconds)"),
                }
            }
            Self::BadRequest { status, said } => write!(f, "Bitbucket answered {status}{said}"),
            Self::ServerFault { status, said } => {
                write!(f, "Bitbucket answered {status}{said}")?;
                match status {
                    502..=504 => f.write_str(
                        " (it may be starting, busy or under maintenance: try again later)",
                    ),
                    _ => Ok(()),
                }
            }
            Self::Unreachable { whom, how } => {
                write!(f, "cannot reach {whom}: {how}")?;
                f.write_str(match how {
                    Unreached::NameUnknown => {
                        " (is --host, BITBUCKET_URL spelled right, or is a proxy needed?)"
                    }
                    _ => " (is Bitbucket up, or is a proxy needed? --proxy, BB_PROXY)",
                })
            }
            Self::TimedOut(limit) => write!(f, "{limit}"),
            Self::Tls { whom, how, ca_file } => tls(f, whom, how, ca_file.as_ref()),
            Self::Proxy { proxy, how } => proxy_fault(f, proxy, how),
            Self::NotBitbucket(stranger) => write!(f, "{stranger}"),
            Self::TooLarge {
                cap_bytes,
                announced_bytes,
            } => {
                write!(
                    f,
                    "the answer is over {}, the most that bb reads of it",
                    Size(*cap_bytes)
                )?;
                if let Some(bytes) = announced_bytes {
                    write!(f, " (it is {})", Size(*bytes))?;
                }
                f.write_str(": ask for less of it, or look at its page in Bitbucket")
            }
            Self::CutShort {
                got_bytes: Some(got),
            } => {
                write!(
                    f,
                    "the answer was cut short: the connection ended after {got} bytes of it"
                )
            }
            Self::CutShort { got_bytes: None } => {
                f.write_str("the connection was closed before an answer came")
            }
            Self::NotUnderstood(part) => {
                write!(f, "Bitbucket's answer could not be understood: {part}")
            }
            Self::NotSent(flaw) => write!(f, "nothing was sent, for {flaw}"),
            Self::Cancelled => f.write_str("the call was cancelled"),
        }
    }
}

fn what_to_sign_in_with(with: SignedInWith) -> &'static str {
    match with {
        SignedInWith::Nothing => {
            "no credentials are set: BITBUCKET_TOKEN, --token-file, or BITBUCKET_USERNAME and BITBUCKET_PASSWORD"
        }
        SignedInWith::Token => {
            "is the token still valid? BITBUCKET_TOKEN, or --token-file, BITBUCKET_TOKEN_FILE"
        }
        SignedInWith::Password => {
            "are BITBUCKET_USERNAME and BITBUCKET_PASSWORD right? Bitbucket 10 may take tokens alone: BITBUCKET_TOKEN"
        }
    }
}

fn tls(
    f: &mut fmt::Formatter<'_>,
    whom: &str,
    how: &TlsFault,
    ca_file: Option<&PathBuf>,
) -> fmt::Result {
    match how {
        TlsFault::UnknownIssuer(issuer) => {
            write!(f, "the certificate of {whom} is not trusted: ")?;
            match issuer {
                Some(issuer) => write!(f, "its issuer `{issuer}` is not among the certificates that this machine trusts")?,
                None => f.write_str("its issuer is not among the certificates that this machine trusts")?,
            }
            match ca_file {
                Some(file) => write!(
                    f,
                    ", nor in the CA file `{}` (does it hold that issuer? --ca-file, BB_CA_FILE)",
                    file.display()
                ),
                None => f.write_str(" (give the issuer's certificate as PEM: --ca-file, BB_CA_FILE)"),
            }
        }
        TlsFault::WrongName(names) if names.is_empty() => write!(
            f,
            "the certificate of {whom} is for another name (is --host, BITBUCKET_URL spelled as in the certificate?)"
        ),
        TlsFault::WrongName(names) => write!(
            f,
            "the certificate of {whom} is for other names: {} (is --host, BITBUCKET_URL spelled as in the certificate?)",
            names.join(", ")
        ),
        TlsFault::Expired => write!(
            f,
            "the certificate of {whom} has expired (its administrators have to renew it; is this machine's clock right?)"
        ),
        TlsFault::NotYetValid => write!(
            f,
            "the certificate of {whom} is not valid yet (is this machine's clock right?)"
        ),
        TlsFault::Refused(how) => write!(f, "the certificate of {whom} is not acceptable: {how}"),
        TlsFault::ClientCertificateWanted => write!(
            f,
            "{whom} wants a client certificate (--client-cert and --client-key, BB_CLIENT_CERT and BB_CLIENT_KEY)"
        ),
        TlsFault::ClientCertificateRejected(how) => write!(
            f,
            "{whom} did not take the client certificate: {how} (is it the right one, and still valid? \
             --client-cert, BB_CLIENT_CERT)"
        ),
        TlsFault::NotTls => write!(
            f,
            "{whom} does not speak TLS (is the scheme or the port in --host, BITBUCKET_URL right?)"
        ),
        TlsFault::NoRoots => f.write_str(
            "this machine trusts no certificate at all (install its CA certificates, or give a PEM file: \
             --ca-file, BB_CA_FILE)",
        ),
        TlsFault::Other(how) => write!(f, "no TLS with {whom}: {how}"),
    }
}

fn proxy_fault(f: &mut fmt::Formatter<'_>, proxy: &str, how: &ProxyFault) -> fmt::Result {
    match how {
        ProxyFault::Credentials { given: true } => write!(
            f,
            "the proxy {proxy} did not take its credentials (bb speaks Basic alone; --proxy, BB_PROXY)"
        ),
        ProxyFault::Credentials { given: false } => write!(
            f,
            "the proxy {proxy} wants credentials (bb speaks Basic alone; put them into --proxy, BB_PROXY)"
        ),
        ProxyFault::Refused(answer) => write!(
            f,
            "the proxy {proxy} refused: {answer} (may it reach Bitbucket? else --no-proxy, BB_NO_PROXY)"
        ),
        ProxyFault::Unreached(how) => {
            write!(
                f,
                "cannot reach the proxy {proxy}: {how} (is --proxy, BB_PROXY right?)"
            )
        }
        ProxyFault::Hung(after) => write!(
            f,
            "the proxy {proxy} made no connection within {} (is it up, and is it a proxy of this kind? --proxy, BB_PROXY)",
            Seconds(*after)
        ),
        ProxyFault::Silent => write!(
            f,
            "the proxy {proxy} closed the connection without an answer (is it a proxy of this kind? --proxy, BB_PROXY)"
        ),
    }
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameUnknown => f.write_str("the name is not known"),
            Self::Refused => f.write_str("the connection was refused"),
            Self::NoRoute => f.write_str("there is no way to it from this machine"),
            Self::Other(how) => f.write_str(how),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resolving(limit) => write!(
                f,
                "timed out: the name was not found within {}",
                Seconds(*limit)
            ),
            Self::Connecting(limit) => write!(
                f,
                "timed out: no connection within {} (is Bitbucket up, or is a proxy needed? --proxy, BB_PROXY)",
                Seconds(*limit)
            ),
            Self::Request(limit) => write!(
                f,
                "timed out: no whole answer within {} (--request-timeout, BB_REQUEST_TIMEOUT)",
                Seconds(*limit)
            ),
        }
    }
}

impl fmt::Display for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Html { status, title } => {
                match title {
                    Some(title) => {
                        write!(f, "the answer ({status}) is an HTML page titled `{title}`")?
                    }
                    None => write!(f, "the answer ({status}) is an HTML page")?,
                }
                f.write_str(match status {
                    200..=399 => ", not Bitbucket's REST (is a sign-in page in the way?)",
                    404 => ", not Bitbucket's REST (is --host, BITBUCKET_URL whole, its context path included?)",
                    _ => ", not Bitbucket's REST (is a proxy or a sign-in page in the way?)",
                })
            }
            Self::Document {
                status,
                content_type,
                begins,
            } => {
                match content_type {
                    Some(kind) => write!(f, "the answer ({status}) is `{kind}`, not JSON")?,
                    None => write!(
                        f,
                        "the answer ({status}) is no JSON and has no content type"
                    )?,
                }
                if !begins.is_empty() {
                    write!(f, ", and begins `{begins}`")?;
                }
                f.write_str(" (is this Bitbucket? --host, BITBUCKET_URL)")
            }
            Self::Redirect {
                status,
                to: Some(to),
            } => write!(
                f,
                "the answer ({status}) sends bb on to {to}, where it does not follow (is a sign-in page in the way, \
                 or is that the address for --host, BITBUCKET_URL?)"
            ),
            Self::Redirect { status, to: None } => write!(
                f,
                "the answer ({status}) sends bb on, and on again, where it does not follow (--host, BITBUCKET_URL)"
            ),
            Self::NotHttp => f.write_str(
                "what answered does not speak HTTP (is the port in --host, BITBUCKET_URL right?)",
            ),
        }
    }
}

/// Seconds as a person writes them: `20 s`, `1.5 s`, `200 ms`.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_millis();
        match (ms / 1000, ms % 1000) {
            (0, ms) => write!(f, "{ms} ms"),
            (s, 0) => write!(f, "{s} s"),
            (s, ms) => write!(f, "{s}.{} s", format!("{ms:03}").trim_end_matches('0')),
        }
    }
}

/// Bytes as a person writes them.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const KIB: u64 = 1024;
        const MIB: u64 = 1024 * 1024;
        match self.0 {
            n if n >= MIB && n % MIB == 0 => write!(f, "{} MiB", n / MIB),
            n if n >= MIB => write!(f, "{}.{} MiB", n / MIB, n % MIB * 10 / MIB),
            n if n >= KIB && n % KIB == 0 => write!(f, "{} KiB", n / KIB),
            n => write!(f, "{n} bytes"),
        }
    }
}
