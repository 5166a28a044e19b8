//! The two names in a certificate, for a phrase.
//!
//! Never used to decide anything: what cannot be read is `None`. rustls checks certificates; it
//! does not tell their issuers, and a phrase that does not name the missing issuer helps nobody.
//! Start reading at [`describe`].

use crate::clean;
use std::fmt;

/// The most characters shown of one name.
const MAX_NAME_CHARS: usize = 120;

/// What a certificate says of itself, cleaned for a phrase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// Whom it is for: the common name, else organisation or unit.
    pub subject: Option<String>,
    /// Who made it.
    pub issuer: Option<String>,
}

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |name: &Option<String>| match name {
            Some(name) => format!("`{name}`"),
            None => "no name".to_owned(),
        };
        write!(f, "{} by {}", shown(&self.subject), shown(&self.issuer))
    }
}

/// Reads the names of a certificate in DER.
pub(crate) fn describe(der: &[u8]) -> Described {
    read(der).unwrap_or_default()
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_ID: u8 = 0x06;
const EXPLICIT_VERSION: u8 = 0xa0;

/// Source: RFC 5280 4.1: `Certificate { tbs { [0] version?, serial, algorithm, issuer, validity,
/// subject, … } … }`.
fn read(der: &[u8]) -> Option<Described> {
    let mut tbs = Der(Der(Der(der).expect(SEQUENCE)?).expect(SEQUENCE)?);
    let (mut tag, _) = tbs.next()?;
    if tag == EXPLICIT_VERSION {
        (tag, _) = tbs.next()?;
    }
    // The serial number was read last; the algorithm follows.
    let _ = (tag, tbs.next()?);
    let issuer = tbs.expect(SEQUENCE)?;
    tbs.next()?;
    let subject = tbs.expect(SEQUENCE)?;
    Some(Described {
        subject: name(subject),
        issuer: name(issuer),
    })
}

/// The telling part of a distinguished name.
fn name(der: &[u8]) -> Option<String> {
    // Common name, organisation, organisational unit: 2.5.4.3, 2.5.4.10, 2.5.4.11, the most telling
    // first.
    const WANTED: [&[u8]; 3] = [&[0x55, 4, 3], &[0x55, 4, 10], &[0x55, 4, 11]];
    let mut found: [Option<String>; 3] = [None, None, None];
    let mut sets = Der(der);
    while let Some(set) = sets.expect(SET) {
        let mut pairs = Der(set);
        while let Some(pair) = pairs.expect(SEQUENCE) {
            let mut pair = Der(pair);
            let kind = pair.expect(OBJECT_ID)?;
            let (tag, value) = pair.next()?;
            if let Some(at) = WANTED.iter().position(|wanted| *wanted == kind) {
                found[at] = Some(text(tag, value));
            }
        }
    }
    let name = found.into_iter().flatten().find(|name| !name.is_empty())?;
    Some(clean::line(&name, MAX_NAME_CHARS))
}

fn text(tag: u8, bytes: &[u8]) -> String {
    const BMP_STRING: u8 = 0x1e;
    if tag == BMP_STRING {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect();
        return String::from_utf16_lossy(&units);
    }
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads one value after another; `None` at the end or where what follows is no DER.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    fn next(&mut self) -> Option<(u8, &'a [u8])> {
        let (&tag, rest) = self.0.split_first()?;
        let (&first, mut rest) = rest.split_first()?;
        let length = if first < 0x80 {
            usize::from(first)
        } else {
            let bytes = usize::from(first & 0x7f);
            if bytes == 0 || bytes > 4 {
                return None;
            }
            let length = rest
                .get(..bytes)?
                .iter()
                .fold(0usize, |n, b| (n << 8) | usize::from(*b));
            rest = &rest[bytes..];
            length
        };
        let value = rest.get(..length)?;
        self.0 = &rest[length..];
        Some((tag, value))
    }

    /// The next value if it has this tag.
    fn expect(&mut self, tag: u8) -> Option<&'a [u8]> {
        let before = self.0;
        match self.next()? {
            (found, value) if found == tag => Some(value),
            _ => {
                self.0 = before;
                None
            }
        }
    }
}
