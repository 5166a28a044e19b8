//! Shapes that several answers of Bitbucket share, as it writes them.
//!
//! Every field may be missing or null: versions differ, and a token may not see everything. Never lets a
//! number in that is beyond counting. Start reading at [`Whole`] and [`Each`].

use crate::domain::person::Person;
use crate::domain::pull_request::Branch;
use crate::domain::repository::RepositoryId;
use crate::domain::time::Time;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;

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
    #[serde(rename = "id")]
    pub(super) number: Whole,
    pub(super) slug: Option<String>,
    #[serde(rename = "hierarchyId")]
    pub(super) hierarchy: Option<String>,
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

/// The largest number that is believed, 2^44: no count, line, size or version comes near it, and the sum of as many
/// as the longest answer holds is still one of 64 bits.
const MAX_NUMBER: u64 = 1 << 44;
/// The farthest moment that is believed, either way: the last that JavaScript knows.
const MAX_MOMENT_MS: u64 = 8_640_000_000_000_000;

/// A moment: whole milliseconds, or ISO 8601 in text. Anything else is no moment, and no fault.
#[derive(Clone, Copy, Default)]
pub(super) struct Moment(pub(super) Option<Time>);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Self(match &value {
            Value::Number(number) => number
                .as_i64()
                .filter(|ms| ms.unsigned_abs() <= MAX_MOMENT_MS)
                .map(Time),
            Value::String(text) => Time::from_iso(text),
            _ => None,
        }))
    }
}

/// A whole number that is not negative, up to 2^44. Anything else is none, and no fault: Bitbucket says -1 for "does
/// not apply". Every number of an answer comes in as one, so that none is beyond counting.
#[derive(Clone, Copy, Default)]
pub(super) struct Whole(pub(super) Option<u64>);

impl Whole {
    fn new(number: u64) -> Self {
        Self(Some(number).filter(|number| *number <= MAX_NUMBER))
    }

    /// A version of something, which Bitbucket wants back as it told it.
    pub(super) fn version(self) -> Option<i64> {
        self.0.and_then(|number| i64::try_from(number).ok())
    }

    /// The number of a line: 0 stands for one that does not exist on that side.
    pub(super) fn line(self) -> Option<u64> {
        self.0.filter(|line| *line > 0)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyWhole)
    }
}

struct AnyWhole;

impl<'de> Visitor<'de> for AnyWhole {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Whole, E> {
        Ok(Whole::new(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Whole, E> {
        Ok(u64::try_from(number).map_or(Whole(None), Whole::new))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Whole, E> {
        Ok(Whole(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Whole, E> {
        Ok(Whole(None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Whole, E> {
        Ok(text.parse().map_or(Whole(None), Whole::new))
    }

    fn visit_unit<E>(self) -> Result<Whole, E> {
        Ok(Whole(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Whole, A::Error> {
        IgnoredAny.visit_seq(list).map(|_| Whole(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Whole, A::Error> {
        IgnoredAny.visit_map(map).map(|_| Whole(None))
    }
}

/// The path of a file: an object in most answers, a text in some.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum FilePath {
    Text(String),
    Parts(PathParts),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PathParts {
    to_string: Option<String>,
    components: Option<Vec<String>>,
}

impl FilePath {
    /// The path, its parts joined by slashes; absent if there is none.
    pub(super) fn text(self) -> Option<String> {
        let path = match self {
            Self::Text(path) => path,
            Self::Parts(PathParts {
                to_string: Some(path),
                ..
            }) => path,
            Self::Parts(parts) => parts.components?.join("/"),
            Self::Other(_) => return None,
        };
        Some(path).filter(|path| !path.is_empty())
    }
}

/// One entry of a list, which costs no other entry if it is not what `T` wants.
pub(super) enum Each<T> {
    Understood(T),
    /// What it holds; empty if it is no object.
    Strange(Map<String, Value>),
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Never below another `Each` that is read by the same type: each one starts the bound on nesting anew.
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        // From bytes, as whole answers are read: the code for `T` is there once.
        let json = raw.get().as_bytes();
        Ok(match serde_json::from_slice(json) {
            Ok(value) => Self::Understood(value),
            Err(_) => Self::Strange(serde_json::from_slice(json).unwrap_or_default()),
        })
    }
}

impl<T: DeserializeOwned> Each<T> {
    /// What is understood of it, for a type that has a default for each member: a member that is odd costs itself
    /// alone. `None` of what is no object, or has nothing that is known.
    pub(super) fn salvaged(self) -> Option<T> {
        let members = match self {
            Self::Understood(value) => return Some(value),
            Self::Strange(members) => members,
        };
        let read = |members: Map<String, Value>| {
            serde_json::from_slice::<T>(Value::Object(members).to_string().as_bytes()).ok()
        };
        let sound: Map<String, Value> = members
            .into_iter()
            .filter(|(name, value)| read(Map::from_iter([(name.clone(), value.clone())])).is_some())
            .collect();
        (!sound.is_empty()).then(|| read(sound)).flatten()
    }
}

/// One member of what is not understood as a whole, if that is what `T` wants.
pub(super) fn picked<T: DeserializeOwned>(members: &Map<String, Value>, name: &str) -> Option<T> {
    T::deserialize(members.get(name)?).ok()
}
