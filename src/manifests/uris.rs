//! The address of a view: `ui://<app.id>/<name>-<hash>`.
//!
//! Never repairs what a client asks for, and never takes the hash for a proof: eight digits can be made to match.
//! Start reading at [`of`].

use crate::digest::Digest;
use crate::manifests::names;

/// The longest address that is looked at.
const MAX_CHARS: usize = 256;

const HASH_DIGITS: usize = 8;

/// The address of a page.
pub fn of(app_id: &str, view: &str, html: &str) -> String {
    let digest = Digest::of(html.as_bytes()).to_string();
    format!("ui://{app_id}/{view}-{}", &digest[..HASH_DIGITS])
}

/// The app's id, the view's name and the hash in an address; `None` if it is none of a view.
pub fn parts(uri: &str) -> Option<(&str, &str, &str)> {
    if uri.chars().count() > MAX_CHARS {
        return None;
    }
    let (app_id, rest) = uri.strip_prefix("ui://")?.split_once('/')?;
    let (view, hash) = rest.rsplit_once('-')?;
    let is_digit = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let is_hash = hash.len() == HASH_DIGITS && hash.bytes().all(is_digit);
    let is_sound = names::is_app_id(app_id) && names::is_view_name(view) && is_hash;
    is_sound.then_some((app_id, view, hash))
}
