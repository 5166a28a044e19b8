//! Shapes that several answers of Bitbucket share, as it writes them.
//!
//! Every field may be missing or null: versions differ, and a token may not see everything.

use crate::domain::person::Person;
use crate::domain::pull_request::Branch;
use crate::domain::repository::RepositoryId;
use crate::domain::time::Time;
use serde::{Deserialize, Deserializer};

/// A user; a service and a deleted account are users too.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct User {
    pub(super) name: Option<String>,
    pub(super) display_name: Option<String>,
    pub(super) slug: Option<String>,
    pub(super) avatar_url: Option<String>,
    pub(super) active: Option<bool>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

impl From<User> for Person {
    fn from(user: User) -> Self {
        Self {
            name: user.name.unwrap_or_default(),
            display_name: user.display_name.unwrap_or_default(),
            slug: user.slug,
            avatar_url: user.avatar_url,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Project {
    pub(super) key: Option<String>,
    pub(super) name: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Repository {
    pub(super) slug: Option<String>,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) project: Option<Project>,
    pub(super) archived: Option<bool>,
    pub(super) public: Option<bool>,
    pub(super) origin: Option<Box<Repository>>,
    pub(super) links: Option<Links>,
}

impl Repository {
    /// Its place; absent where Bitbucket does not tell it whole.
    pub(super) fn id(&self) -> Option<RepositoryId> {
        Some(RepositoryId {
            project: self.project.as_ref()?.key.clone()?,
            slug: self.slug.clone()?,
        })
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Ref {
    pub(super) id: Option<String>,
    pub(super) display_id: Option<String>,
    pub(super) latest_commit: Option<String>,
    pub(super) repository: Option<Repository>,
}

impl From<Ref> for Branch {
    fn from(wire: Ref) -> Self {
        let id = wire.id.unwrap_or_default();
        let display_id = wire
            .display_id
            .unwrap_or_else(|| id.strip_prefix("refs/heads/").unwrap_or(&id).to_owned());
        Self {
            repository: wire.repository.as_ref().and_then(Repository::id),
            latest_commit: wire.latest_commit.unwrap_or_default(),
            display_id,
            id,
        }
    }
}

/// The links of a thing. `self` has held null where Bitbucket had none.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Links {
    #[serde(rename = "self")]
    pub(super) own: Option<Vec<Option<Link>>>,
    pub(super) clone: Option<Vec<Option<Link>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Link {
    pub(super) href: Option<String>,
    pub(super) name: Option<String>,
}

impl Links {
    /// Where git finds it: each protocol's name and the address.
    pub(super) fn clone_links(&self) -> Vec<(String, String)> {
        let links = self.clone.iter().flatten().flatten();
        links
            .filter_map(|link| Some((link.name.clone()?, link.href.clone()?)))
            .collect()
    }

    /// The thing's own page.
    pub(super) fn page(self) -> Option<String> {
        self.own?.into_iter().flatten().find_map(|link| link.href)
    }
}

/// A moment: whole milliseconds, or ISO 8601 in text. Anything else is no moment, and no fault.
#[derive(Clone, Copy, Default)]
pub(super) struct Moment(pub(super) Option<Time>);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Self(match &value {
            serde_json::Value::Number(number) => number.as_i64().map(Time),
            serde_json::Value::String(text) => Time::from_iso(text),
            _ => None,
        }))
    }
}

/// A file's path, which Bitbucket writes as an object in one place and as text in another.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct FilePath(pub(super) String);

impl<'de> Deserialize<'de> for FilePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let of_pieces = || {
            let pieces = value.get("components")?.as_array()?;
            let pieces: Option<Vec<&str>> = pieces.iter().map(|piece| piece.as_str()).collect();
            Some(pieces?.join("/"))
        };
        let path = text(&value)
            .or_else(|| value.get("toString").and_then(text))
            .or_else(of_pieces);
        Ok(Self(path.unwrap_or_default()))
    }
}
