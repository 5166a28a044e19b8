//! Pictures of people, from Bitbucket's own host alone.
//!
//! Never asks another host: an address elsewhere, such as one made of the hash of somebody's e-mail address, is no
//! address here. Start reading at [`Bitbucket::avatar_path`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::{BaseUrl, Path, decode};
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::cancel::Cancel;
use crate::domain::person::Person;

/// How large a picture is asked for: twice of what is drawn.
pub const AVATAR_PX: u32 = 64;

/// The most that is read of one picture (contract 4.3).
pub const MAX_AVATAR_BYTES: usize = 16 * 1024;

impl Bitbucket {
    /// Where Bitbucket has a person's picture: at the address that it gave, if that is its own; of a person without
    /// one, below their page. `None` where the picture is elsewhere, and of a deleted account.
    pub fn avatar_path(&self, person: &Person) -> Option<Path> {
        match (person.avatar_url.as_deref(), person.slug.as_deref()) {
            (Some(address), _) if !address.is_empty() => below(self.base(), address),
            (_, Some(slug)) if !slug.is_empty() => Some(
                Path::root()
                    .segment("users")
                    .segment(slug)
                    .segment("avatar.png")
                    .query("s", AVATAR_PX),
            ),
            _ => None,
        }
        .filter(|path| path.flaw().is_none())
    }

    /// Reads a picture, whatever its bytes are. More than [`MAX_AVATAR_BYTES`] are none.
    ///
    /// # Errors
    /// Whatever keeps the picture from being read.
    ///
    /// Source: `GET /users/{slug}/avatar.png?s=64`, which is a page's and not REST's.
    pub fn avatar(&self, path: &Path, cancel: &Cancel) -> Result<Vec<u8>, ApiError> {
        let request = Request::get("read a picture of a person", path.clone())
            .any_type()
            .up_to(MAX_AVATAR_BYTES as u64);
        Ok(self.http.get(request, cancel)?.bytes().to_vec())
    }
}

/// The part of an address below the base; `None` if it lies elsewhere. A relative one may carry the context path.
fn below(base: &BaseUrl, address: &str) -> Option<Path> {
    let relative = match address.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_at(rest.find('/')?);
            let host = BaseUrl::parse(&format!("{scheme}://{authority}")).ok()?;
            (host.origin() == base.origin()).then_some(path)?
        }
        // Two slashes at the start name a host, with the scheme of whatever page they stand in.
        None => Some(address).filter(|path| path.starts_with('/') && !path.starts_with("//"))?,
    };
    let (path, query) = relative.split_once('?').unwrap_or((relative, ""));
    let path = match path.strip_prefix(base.context()) {
        Some(rest) if rest.starts_with('/') => rest,
        _ => path,
    };
    let mut below = Path::root().file(&decode(path));
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        below = below.query(&decode(name), decode(value));
    }
    Some(below)
}

#[cfg(test)]
mod tests {
    use super::below;
    use crate::bitbucket::address::BaseUrl;

    #[track_caller]
    fn check(base: &str, address: &str, path: Option<&str>) {
        let base = BaseUrl::parse(base).expect("the base is an address");
        let found = below(&base, address).map(|path| path.to_string());
        assert_eq!(found.as_deref(), path, "{address} at {base}");
    }

    #[test]
    fn a_picture_is_asked_for_below_the_base_alone() {
        let (plain, below) = (
            "https://code.example.com",
            "https://code.example.com/bitbucket",
        );
        let avatar = Some("/users/wren/avatar.png?s=64");
        check(plain, "/users/wren/avatar.png?s=64", avatar);
        check(below, "/users/wren/avatar.png?s=64", avatar);
        check(below, "/bitbucket/users/wren/avatar.png?s=64", avatar);
        check(
            plain,
            "https://CODE.example.com:443/users/wren/avatar.png?s=64",
            avatar,
        );
        check(
            plain,
            "/users/w%C3%A9n/avatar.png?s=64&v=1%202",
            Some("/users/w%C3%A9n/avatar.png?s=64&v=1%202"),
        );
        for elsewhere in [
            "https://secure.gravatar.com/avatar/0.jpg?s=64&d=mm",
            "http://code.example.com/users/wren/avatar.png",
            "https://code.example.com.evil.example/users/wren/avatar.png",
            "https://code.example.com@evil.example/users/wren/avatar.png",
            "//evil.example/users/wren/avatar.png",
            "users/wren/avatar.png",
            "data:image/png;base64,AAAA",
            "",
        ] {
            check(plain, elsewhere, None);
        }
    }

    #[test]
    fn a_picture_is_never_asked_for_above_the_base() {
        let base = BaseUrl::parse("https://code.example.com/bitbucket").expect("an address");
        for climbing in ["/../admin", "/users/%2e%2e/admin"] {
            let path = below(&base, climbing).expect("it lies on the host");
            assert!(path.flaw().is_some(), "{climbing}");
        }
    }
}
