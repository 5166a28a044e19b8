//! Reading the fields of an object: which may stand there, and what each must be.
//!
//! Never leaves a field unread in silence. Start reading at [`Fields::of`].

use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::json::Json;
use crate::manifests::names;
use crate::near;

/// An object that is being read.
pub struct Fields<'a> {
    members: &'a [(String, Json)],
    place: &'a Place<'a>,
}

impl<'a> Fields<'a> {
    /// Takes an object with no fields but `known`; anything else is a problem.
    pub fn of(
        value: &'a Json,
        place: &'a Place<'a>,
        known: &[&str],
        findings: &mut Findings,
    ) -> Option<Self> {
        let Some(members) = value.members() else {
            findings.add(
                place,
                Code::WrongType,
                format!("expected an object, found {}", value.sort()),
            );
            return None;
        };
        for (name, _) in members
            .iter()
            .filter(|(name, _)| !known.contains(&name.as_str()))
        {
            let hint = near::hint(name, known.iter().copied());
            let why = format!(
                "{} is not known here{hint}; what may stand here: {}",
                quoted(name),
                known.join(", ")
            );
            findings.add(&place.member(name), Code::UnknownField, why);
        }
        Some(Self { members, place })
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&'a Json> {
        let found = self.members.iter().find(|(each, _)| each == name);
        found.map(|(_, value)| value)
    }

    /// A field that must be there.
    pub fn required(&self, name: &str, findings: &mut Findings) -> Option<&'a Json> {
        let value = self.get(name);
        if value.is_none() {
            findings.add(
                &self.place.member(name),
                Code::Missing,
                format!("`{name}` is required"),
            );
        }
        value
    }

    /// A text, if it is there and is one.
    pub fn text(&self, name: &str, findings: &mut Findings) -> Option<&'a str> {
        let value = self.get(name)?;
        if value.text().is_none() {
            let why = format!("expected a text, found {}", value.sort());
            findings.add(&self.place.member(name), Code::WrongType, why);
        }
        value.text()
    }

    /// A text that must be there.
    pub fn required_text(&self, name: &str, findings: &mut Findings) -> Option<&'a str> {
        self.required(name, findings)?;
        self.text(name, findings)
    }

    /// A text for people: not blank, and of at most so many UTF-16 units.
    pub fn words(&self, name: &str, most: usize, findings: &mut Findings) -> Option<&'a str> {
        let text = self.text(name, findings)?;
        let place = self.place.member(name);
        if names::is_blank(text) {
            findings.add(&place, Code::Blank, format!("`{name}` is blank"));
            return None;
        }
        let units = names::units(text);
        if units > most {
            findings.add(
                &place,
                Code::TooLong,
                format!("it has {units} characters, over {most}"),
            );
            return None;
        }
        Some(text)
    }

    /// The same, which must be there.
    pub fn required_words(
        &self,
        name: &str,
        most: usize,
        findings: &mut Findings,
    ) -> Option<&'a str> {
        self.required(name, findings)?;
        self.words(name, most, findings)
    }

    /// True or false, if it is there.
    pub fn flag(&self, name: &str, findings: &mut Findings) -> Option<bool> {
        let value = self.get(name)?;
        if value.flag().is_none() {
            let why = format!("expected true or false, found {}", value.sort());
            findings.add(&self.place.member(name), Code::WrongType, why);
        }
        value.flag()
    }

    /// A list of at most so many, if it is there; those past the bound are left out.
    pub fn list(&self, name: &str, most: usize, findings: &mut Findings) -> Option<&'a [Json]> {
        let value = self.get(name)?;
        let place = self.place.member(name);
        let Some(list) = value.list() else {
            findings.add(
                &place,
                Code::WrongType,
                format!("expected a list, found {}", value.sort()),
            );
            return None;
        };
        if list.len() > most {
            findings.add(
                &place,
                Code::TooMany,
                format!("it has {}, over {most}", list.len()),
            );
        }
        Some(&list[..list.len().min(most)])
    }
}
