use super::{authorization, base64};
use crate::bitbucket::connection::Credentials;
use crate::secret::Secret;

#[test]
fn base64_of_every_remainder() {
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("wren:ö?>", "d3JlbjrDtj8+"),
    ] {
        assert_eq!(base64(bytes.as_bytes()), text);
    }
}

#[test]
fn credentials_that_no_header_carries_are_refused_without_showing_them() {
    let token = |text: &str| Credentials::Token(Secret::new(text));
    for credentials in [token("abc\ndef"), token("abc\u{e9}"), token("a\u{7f}bc")] {
        let phrase = authorization(Some(&credentials)).expect_err("refused");
        assert!(
            phrase.contains("BITBUCKET_TOKEN") && !phrase.contains("abc"),
            "{phrase}"
        );
    }
    let header = authorization(Some(&token("abc")))
        .expect("fine")
        .expect("one");
    assert!(!format!("{header:?}").contains("abc"));
}
