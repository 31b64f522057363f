//! The texts of phases.

use super::{TextVisitor, content, texts};
use crate::event::ModelQueried;

pub fn queried(v: &mut dyn TextVisitor, b: &mut ModelQueried) {
    content(v, &mut b.sections);
    content(v, &mut b.reply);
    texts(v, &mut b.error);
}
