//! A card as JSON.

use super::{CardId, Column, Pool};
use serde_json::{Map, Value, json};

impl Pool {
    /// A card's fields as JSON, those without a value left out.
    ///
    /// ```
    /// let pool = decklaw_cards::pool::Pool::of_names(["Moss Sprite"]);
    /// let card = pool.ids().next().map(|card| pool.card(card));
    /// assert_eq!(card, Some(serde_json::json!({"name": "Moss Sprite"})));
    /// ```
    ///
    /// # Panics
    /// If the card is of another pool.
    pub fn card(&self, card: CardId) -> Value {
        let mut fields = Map::new();
        fields.insert("name".to_owned(), json!(self.name(card)));
        for field in self.fields() {
            let value = match self.column(&field.name) {
                Some(column) if column.has_value(card) => match column {
                    Column::Number(_) => json!(self.number(card, &field.name)),
                    Column::List(_) => {
                        let words = self.words(card, &field.name).iter();
                        let words = words.map(|word| self.written(&field.name, word));
                        json!(words.collect::<Vec<&str>>())
                    }
                    Column::Text(_) => json!(self.shown(card, &field.name)),
                },
                _ => continue,
            };
            fields.insert(field.name.clone(), value);
        }
        Value::Object(fields)
    }
}
