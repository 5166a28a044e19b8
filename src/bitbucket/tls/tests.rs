use super::certificate::describe;
use super::{Described, Handshake};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

fn certificate(name: &str) -> CertificateDer<'static> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/certs/").to_owned() + name;
    CertificateDer::from_pem_file(file).expect("a certificate")
}

#[test]
fn both_names_of_a_certificate_can_be_told() {
    for (file, subject) in [
        ("server.pem", "localhost"),
        ("ca.pem", "Rocket Works Test CA"),
        ("expired.pem", "localhost"),
    ] {
        let found = describe(&certificate(file));
        assert_eq!(
            found.to_string(),
            format!("`{subject}` by `Rocket Works Test CA`")
        );
    }
}

#[test]
fn a_damaged_certificate_has_no_names_and_stops_nothing() {
    let whole = certificate("client.pem");
    for end in 0..whole.len() {
        assert_eq!(
            describe(&whole[..end]),
            Described::default(),
            "cut at {end}"
        );
    }
    for at in 0..whole.len() {
        let mut damaged = whole.to_vec();
        for byte in [0, 0x7f, 0x80, 0x84, 0xff] {
            damaged[at] = byte;
            describe(&damaged);
        }
    }
}

#[test]
fn a_hostile_name_is_cleaned() {
    // SEQUENCE { SEQUENCE { serial, algorithm, issuer { { CN = "a<ESC>\u{202e}" } }, validity,
    // subject {} } }
    let text = "a\u{1b}\u{202e}".as_bytes();
    let value = [&[0x0c, text.len() as u8], text].concat();
    let pair = tagged(0x30, &[&[0x06, 3, 0x55, 4, 3][..], &value].concat());
    let issuer = tagged(0x30, &tagged(0x31, &pair));
    let empty = tagged(0x30, &[]);
    let tbs = [&[0x02, 1, 1][..], &empty, &issuer, &empty, &empty].concat();
    let found = describe(&tagged(0x30, &tagged(0x30, &tbs)));
    assert_eq!(
        (found.issuer.as_deref(), found.subject),
        (Some("a<U+001B><U+202E>"), None)
    );
}

fn tagged(tag: u8, value: &[u8]) -> Vec<u8> {
    [&[tag, value.len() as u8], value].concat()
}

#[test]
fn a_handshake_is_told_in_a_line() {
    let handshake = Handshake {
        with: "code.example.com:443".to_owned(),
        version: "TLS 1.3".to_owned(),
        chain: vec![describe(&certificate("server.pem")), Described::default()],
        client_wanted: true,
    };
    assert_eq!(
        handshake.to_string(),
        "TLS 1.3 with code.example.com:443; 2 certificates: `localhost` by `Rocket Works Test CA`, no name by no name; it \
         asked for a client certificate"
    );
}
