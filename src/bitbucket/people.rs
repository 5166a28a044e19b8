//! Who asks, and who else there is.
//!
//! Never tells of an address of theirs. Start reading at [`Bitbucket::greet`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::User;
use crate::cancel::Cancel;
use crate::domain::person::Person;
use crate::domain::repository::RepositoryId;
use serde::Deserialize;
use std::sync::{Arc, Mutex, PoisonError};

/// What does not change while bb runs, learnt once.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    me: Arc<Mutex<Option<String>>>,
    /// The numbers of repositories, the newest last.
    numbers: Arc<Mutex<Vec<(RepositoryId, u64)>>>,
}

/// More repositories than anybody opens forms of.
const MAX_NUMBERS: usize = 64;

/// What Bitbucket says of itself and of who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Such as `9.4.16`; empty where it does not say.
    pub version: String,
    /// The user whose credentials these are; `None` when Bitbucket takes the request as anonymous.
    pub user: Option<String>,
}

#[derive(Deserialize)]
struct Properties {
    version: String,
}

impl Bitbucket {
    /// Asks Bitbucket for its version, and whom it takes this for. Works anonymously too.
    ///
    /// # Errors
    /// No answer, or one that is not Bitbucket's.
    ///
    /// Source: `GET /rest/api/latest/application-properties`, header `X-AUSERNAME`
    pub fn greet(&self, cancel: &Cancel) -> Result<Greeting, ApiError> {
        let path = Path::api().segment("application-properties");
        let answer = self
            .http
            .get(Request::get("read Bitbucket's version", path), cancel)?;
        let greeting = Greeting {
            version: answer.json::<Properties>()?.version,
            user: answer.user(),
        };
        *self.known.me.lock().unwrap_or_else(PoisonError::into_inner) = greeting.user.clone();
        Ok(greeting)
    }

    /// Finds people whose name, display name or address holds `text`: who may read `readers_of`, if one is given.
    /// Whoever is no longer active is left out, and so is what is no person.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET /rest/api/latest/users?filter&permission.1=REPO_READ…`
    pub fn people(
        &self,
        text: &str,
        readers_of: Option<&RepositoryId>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Person>, ApiError> {
        let mut path = Path::api().segment("users").query("filter", text);
        if let Some(repository) = readers_of {
            path = path
                .query("permission.1", "REPO_READ")
                .query("permission.1.projectKey", &repository.project)
                .query("permission.1.repositorySlug", &repository.slug);
        }
        let request = Request::get("search the people", path);
        let listing: Listing<User> = listing::read_each(&self.http, &request, ask, cancel)?;
        let is_person =
            |user: &User| user.active != Some(false) && user.kind.as_deref() != Some("SERVICE");
        Ok(listing.keep(is_person).map(Into::into))
    }

    /// The number of a repository, by which Bitbucket's question for default reviewers names it; asked once.
    ///
    /// # Errors
    /// As [`Self::repository`].
    pub fn repository_number(&self, id: &RepositoryId, cancel: &Cancel) -> Result<u64, ApiError> {
        let known = || {
            let numbers = self.known.numbers.lock();
            let numbers = numbers.unwrap_or_else(PoisonError::into_inner);
            let one = numbers.iter().find(|(known, _)| known.is(id));
            one.map(|(_, number)| *number)
        };
        match known() {
            Some(number) => Ok(number),
            None => Ok(self.repository(id, cancel)?.number),
        }
    }

    /// Keeps the number of a repository that was read.
    pub(super) fn learn_number(&self, id: &RepositoryId, number: u64) {
        let numbers = self.known.numbers.lock();
        let mut numbers = numbers.unwrap_or_else(PoisonError::into_inner);
        numbers.retain(|(known, _)| !known.is(id));
        if numbers.len() >= MAX_NUMBERS {
            numbers.remove(0);
        }
        numbers.push((id.clone(), number));
    }

    /// The name of the user whose credentials these are, asked once; `None` for an anonymous caller.
    ///
    /// # Errors
    /// As [`Self::greet`].
    pub fn me(&self, cancel: &Cancel) -> Result<Option<String>, ApiError> {
        let known = self
            .known
            .me
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        match known {
            Some(name) => Ok(Some(name)),
            None => Ok(self.greet(cancel)?.user),
        }
    }
}
