//! Walks every text a user, a tool or a model could have put into an event.

/// Sees, and may change, every free text of an event: what redaction runs over.
///
/// Never shown: execution ids, session ids, hashes, tool names, kinds.
pub trait TextVisitor {
    /// A plain text (an error message, a path, a title).
    fn text(&mut self, text: &mut String);
    /// Bytes that are mostly text (stdout, a prompt).
    fn bytes(&mut self, bytes: &mut Vec<u8>);
    /// JSON text: keys and string values are to be seen, structure kept.
    fn json(&mut self, json: &mut String);
}
