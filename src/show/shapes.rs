//! The JSON that several kinds share: people, counts, repositories, names of bounded length.
//!
//! Never holds what one kind alone draws. Start reading at [`People`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::{ApiError, Why};
use crate::domain::count::Count;
use crate::domain::person::Person;
use crate::domain::repository::RepositoryId;
use crate::show::drawing::Face;
use crate::show::fit::short;
use serde::Serialize;

/// The most characters of a name or a key.
pub const MAX_NAME_CHARS: usize = 255;
/// The most characters of an address; a longer one is left out.
const MAX_ADDRESS_CHARS: usize = 1_000;

/// A repository's place.
#[derive(Serialize)]
pub struct Repository {
    /// The project's key.
    pub project: String,
    /// The slug.
    pub repo: String,
}

/// A person.
#[derive(Serialize)]
pub struct Somebody {
    /// The account's name.
    pub name: String,
    /// What a page calls them.
    pub display_name: String,
    /// The key of their picture in the dressing, whether it came or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// Whether the account is gone.
    #[serde(skip_serializing_if = "is_false")]
    pub deleted: bool,
}

/// A count, and whether it is the whole.
#[derive(Serialize)]
pub struct Counted {
    /// The number.
    pub n: u64,
    /// Whether there are no more.
    pub exact: bool,
}

/// A part, or why it could not be read.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Part<T> {
    /// What came.
    Read(T),
    /// Nothing did.
    Unread {
        /// Why, as a sentence for the person.
        unread: String,
    },
}

impl<T> Part<T> {
    /// What `turn` makes of what was read, or why nothing was.
    pub fn of<U>(read: &Result<U, ApiError>, turn: impl FnOnce(&U) -> T) -> Self {
        match read {
            Ok(read) => Self::Read(turn(read)),
            Err(error) => Self::Unread {
                unread: sentence(error),
            },
        }
    }
}

/// Turns people into what is drawn of them, and gathers whose pictures are wanted, in the order of asking.
pub struct People<'a> {
    bitbucket: &'a Bitbucket,
    faces: Vec<Face>,
}

impl<'a> People<'a> {
    /// Nobody yet.
    pub fn new(bitbucket: &'a Bitbucket) -> Self {
        Self {
            bitbucket,
            faces: Vec::new(),
        }
    }

    /// One person.
    pub fn somebody(&mut self, person: &Person) -> Somebody {
        self.somebody_in(person, MAX_NAME_CHARS)
    }

    /// One person, whose display name has at most so many characters.
    pub fn somebody_in(&mut self, person: &Person, most: usize) -> Somebody {
        let key = name(&person.name);
        let has_picture = !key.is_empty() && self.bitbucket.avatar_path(person).is_some();
        if has_picture && self.faces.iter().all(|face| face.key != key) {
            self.faces.push(Face {
                key: key.clone(),
                person: person.clone(),
            });
        }
        Somebody {
            display_name: short(&person.display_name, most),
            avatar: has_picture.then(|| key.clone()),
            name: key,
            deleted: person.slug.is_none(),
        }
    }

    /// Whose pictures are wanted.
    pub fn into_faces(self) -> Vec<Face> {
        self.faces
    }
}

/// A repository's place.
pub fn repository(id: &RepositoryId) -> Repository {
    Repository {
        project: name(&id.project),
        repo: name(&id.slug),
    }
}

/// A count as Bitbucket gave it.
pub fn counted(count: Count) -> Counted {
    Counted {
        n: count.number(),
        exact: count.is_exact(),
    }
}

/// Why something could not be read, as a sentence for the person: the same as long as the reason is. How long to wait
/// is told to the page apart, and how much had come to nobody.
pub fn sentence(error: &ApiError) -> String {
    let told = error.to_string();
    let changing = match error.why() {
        Why::RateLimited { .. } => " (try again in ",
        Why::CutShort { .. } => " after ",
        _ => "\n",
    };
    let steady = told
        .rsplit_once(changing)
        .map_or(told.as_str(), |(steady, _)| steady);
    let phrase = crate::clean::line(steady, 1_000);
    let mut signs = phrase.chars();
    let first = signs.next().map(|first| first.to_uppercase().to_string());
    let rest = signs.as_str().trim_end_matches('.');
    format!("{}{rest}.", first.unwrap_or_default())
}

/// A name, at most [`MAX_NAME_CHARS`] of it.
pub fn name(text: &str) -> String {
    short(text, MAX_NAME_CHARS)
}

/// Whether an address is short enough to travel.
pub fn fits(address: &str) -> bool {
    address.chars().count() <= MAX_ADDRESS_CHARS
}

/// For fields that are left out while they do not hold.
pub fn is_false(is: &bool) -> bool {
    !is
}
