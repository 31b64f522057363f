//! The protobuf's wire format, read without a word of what it means.

pub fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7F).checked_shl(7 * at as u32).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[at + 1..]));
        }
    }
    None
}

/// The fields of a message; `None` where it is none from there on.
pub struct Fields<'a>(pub &'a [u8]);

pub struct Field<'a> {
    pub number: u64,
    pub value: Wire<'a>,
}

pub enum Wire<'a> {
    Varint(u64),
    Fixed(u64),
    Bytes(&'a [u8]),
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<Field<'a>> {
        let (tag, rest) = varint(self.0)?;
        let (value, rest) = match tag & 7 {
            0 => varint(rest).map(|(value, rest)| (Wire::Varint(value), rest))?,
            1 => {
                let (bytes, rest) = rest.split_at_checked(8)?;
                (Wire::Fixed(u64::from_le_bytes(bytes.try_into().ok()?)), rest) // eight they are
            }
            2 => {
                let (len, rest) = varint(rest)?;
                let len = usize::try_from(len).ok()?; // no memory is so large
                let (bytes, rest) = rest.split_at_checked(len)?;
                (Wire::Bytes(bytes), rest)
            }
            5 => (Wire::Fixed(0), rest.split_at_checked(4)?.1),
            _ => return None,
        };
        self.0 = rest;
        Some(Field { number: tag >> 3, value })
    }
}

impl<'a> Field<'a> {
    /// The bytes of the field of this number.
    pub fn message(&self, number: u64) -> Option<&'a [u8]> {
        match self.value {
            Wire::Bytes(bytes) if self.number == number => Some(bytes),
            _ => None,
        }
    }
}
