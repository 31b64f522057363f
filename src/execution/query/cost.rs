//! What the tokens on record cost, by the user's own prices.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Totals;
use crate::config::Prices;
use crate::event::Ordered;

const TOKENS: f64 = 1_000_000.0;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// As the user writes it; may be empty.
    pub currency: String,
    /// Of the models that have a price.
    pub sum: f64,
    /// The dearest first, those without a price last.
    pub models: Vec<ModelCost>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelCost {
    pub model: String,
    pub messages: u64,
    pub cost: Option<f64>,
    /// The name that its price stands under; `None` where it has no price.
    pub price: Option<String>,
}

impl Cost {
    /// Of these models' totals; `None` where the user gives no price at all.
    pub fn of(models: &BTreeMap<String, Totals>, prices: &Prices) -> Option<Self> {
        if prices.models.is_empty() {
            return None;
        }
        // Calls alone have no tokens.
        let spoke = models.iter().filter(|(_, totals)| totals.messages > 0);
        let mut models: Vec<_> = spoke
            .map(|(model, totals)| {
                let found = prices.of(model);
                let cost = found.map(|(_, price)| {
                    let read = price.cache_read.unwrap_or(price.input);
                    let written = price.cache_write.unwrap_or(price.input);
                    let parts = [
                        (totals.input_tokens, price.input),
                        (totals.output_tokens, price.output),
                        (totals.cache_read_tokens, read),
                        (totals.cache_write_tokens, written),
                    ];
                    parts.iter().map(|&(tokens, price)| tokens as f64 * price).sum::<f64>() / TOKENS
                });
                let price = found.map(|it| it.0.to_owned());
                ModelCost { model: model.clone(), messages: totals.messages, cost, price }
            })
            .collect();
        models.order_by(|a, b| b.cost.partial_cmp(&a.cost).unwrap_or(std::cmp::Ordering::Equal));
        let sum = models.iter().filter_map(|it| it.cost).sum();
        Some(Self { currency: prices.currency.clone(), sum, models })
    }
}
