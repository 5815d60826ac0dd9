//! A card pool as a custom set of Cockatrice: its card database in XML, version 4.

use crate::pool::Pool;
use decklaw_text::text::markup;

/// The field that says what kind of card it is, where a pool has one.
const KIND: &str = "type";

/// The card database: one set, and every card of the pool with its kind and, as its text,
/// all that the pool says of it. `id` is the set's short name, `title` its long one.
pub fn card_database(pool: &Pool, id: &str, title: &str) -> String {
    let code = markup(&id.to_uppercase());
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cockatrice_carddatabase version=\"4\">\n\
         <sets>\n<set>\n<name>{code}</name>\n<longname>{}</longname>\n\
         <settype>Custom</settype>\n</set>\n</sets>\n<cards>\n",
        markup(title)
    );
    for card in pool.ids() {
        let mut text = Vec::new();
        for field in pool.fields().iter().filter(|field| field.name != KIND) {
            let value = pool.shown(card, &field.name);
            if !value.is_empty() {
                text.push(format!("{}: {value}", field.name));
            }
        }
        let kind = markup(&pool.shown(card, KIND));
        xml.push_str(&format!(
            "<card>\n<name>{}</name>\n<text>{}</text>\n\
             <prop>\n<layout>normal</layout>\n<side>front</side>\n<type>{kind}</type>\n\
             <maintype>{kind}</maintype>\n</prop>\n<set>{code}</set>\n<tablerow>1</tablerow>\n</card>\n",
            markup(pool.name(card)),
            markup(&text.join("\n")),
        ));
    }
    xml.push_str("</cards>\n</cockatrice_carddatabase>\n");
    xml
}
