//! The credentials that bb was given, found in what others say.
//!
//! Never leaves a part of one: whoever cuts a text hides first. Start reading at [`Hidden::hide`].

use super::agent::base64;
use crate::bitbucket::address::Path;
use crate::bitbucket::connection::{Connection, Credentials};
use crate::secret::Secret;

/// A password shorter than this stands in too many words to be told apart.
const MIN_HIDDEN_BYTES: usize = 4;

/// What no record and no phrase may hold, the longest first: one may be a part of another.
#[derive(Default)]
pub(super) struct Hidden(Vec<Secret>);

impl Hidden {
    /// The secrets of a connection in each spelling that a request carries them in, or that an echo of it would: in
    /// the clear, as an address, as JSON, as Basic.
    pub(super) fn of(connection: &Connection) -> Self {
        let (token, own) = match &connection.credentials {
            None => (None, None),
            Some(Credentials::Token(token)) => (Some(token), None),
            Some(Credentials::Basic { username, password }) => (None, Some((username, password))),
        };
        let proxy = connection.proxy.as_ref();
        let pairs = || {
            let proxys = proxy.and_then(|proxy| proxy.credentials.as_ref());
            own.into_iter()
                .chain(proxys.map(|(name, word)| (name, word)))
        };
        let mut all: Vec<String> = token
            .into_iter()
            .chain(pairs().map(|(_, password)| password))
            .map(Secret::open)
            .filter(|secret| secret.len() >= MIN_HIDDEN_BYTES)
            .flat_map(spellings)
            .chain(pairs().flat_map(|(name, word)| {
                let basic = base64(format!("{name}:{}", word.open()).as_bytes());
                [basic.trim_end_matches('=').to_owned(), basic]
            }))
            // A path that cannot be sent is empty, and that stands everywhere.
            .filter(|secret| secret.len() >= MIN_HIDDEN_BYTES)
            .collect();
        all.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        all.dedup();
        Self(all.into_iter().map(Secret::new).collect())
    }

    /// The text without the credentials, wherever in it they stand.
    pub(super) fn hide(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            if text.contains(secret.open()) {
                text = text.replace(secret.open(), "(hidden)");
            }
        }
        text
    }
}

fn spellings(secret: &str) -> [String; 3] {
    let in_address = Path::root().segment(secret);
    let in_json = serde_json::Value::from(secret).to_string();
    [
        secret.to_owned(),
        in_address
            .without_query()
            .trim_start_matches('/')
            .to_owned(),
        in_json[1..in_json.len() - 1].to_owned(),
    ]
}
