//! Ends of a journal as numbers and hexadecimal digits, which are read in a tenth of the time of the bytes' numbers that
//! older builds wrote.

#[cfg(test)]
mod tests;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;

use crate::event::wire::{hex_text, unhex};

type End = (u64, [u8; 32]);

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Chain<'a> {
    Digits(&'a str),
    Bytes([u8; 32]),
}

pub fn serialize<S: Serializer>(ends: &[End], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(ends.iter().map(|(sequence, chain)| (sequence, hex_text(chain))))
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<End>, D::Error> {
    let chain = |chain| match chain {
        Chain::Digits(text) => unhex(text),
        Chain::Bytes(bytes) => Some(bytes),
    };
    let ends = Vec::<(u64, Chain<'_>)>::deserialize(from)?.into_iter();
    let ends = ends.map(|(sequence, it)| Some((sequence, chain(it)?))).collect::<Option<_>>();
    ends.ok_or_else(|| D::Error::custom("a chain has 64 hexadecimal digits"))
}
