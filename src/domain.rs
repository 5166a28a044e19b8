//! Bitbucket's nouns as plain values: no serde, no input or output, no clock.
//!
//! Start reading at [`count`].

pub mod count;
