//! Texts with fields in braces that are filled in, such as `{name}`.

use super::Span;
use crate::name::nearest;

/// A text with fields in braces; `{{` and `}}` are braces.
///
/// ```
/// use decklaw_core::text::Template;
/// let template = Template::parse("{{{name}}} costs {cost}")?;
/// let value = |field: &str| if field == "cost" { "3".to_owned() } else { "Rain".to_owned() };
/// assert_eq!(template.fill(value), "{Rain} costs 3");
/// assert!(Template::parse("{name").is_err());
/// # Ok::<(), decklaw_core::text::TemplateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(String, Span),
}

/// What is wrong with a template, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TemplateError {
    /// What is wrong, and what would mend it.
    pub message: String,
    /// The bytes of the template to blame.
    pub span: Span,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// A brace without its other, or with nothing in between.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let wrong = |message: &str, length: usize| TemplateError {
                message: message.to_owned(),
                span: Span::new(at, at + length),
            };
            if rest.starts_with("{{") || rest.starts_with("}}") {
                plain.push_str(&rest[..1]);
                at += 2;
            } else if let Some(inside) = rest.strip_prefix('{') {
                let field = match inside.split_once('}') {
                    Some((field, _)) if !field.contains(['{', '\n']) => field,
                    _ => {
                        return Err(wrong(
                            "a field begins here with `{` and has no `}`; a brace itself is written `{{`",
                            1,
                        ));
                    }
                };
                if field.trim().is_empty() {
                    return Err(wrong(
                        "these braces name no field; braces themselves are written `{{` and `}}`",
                        field.len() + 2,
                    ));
                }
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                let span = Span::new(at, at + field.len() + 2);
                parts.push(Part::Field(field.trim().to_owned(), span));
                at += field.len() + 2;
            } else if rest.starts_with('}') {
                return Err(wrong(
                    "a `}` without its `{`; a brace itself is written `}}`",
                    1,
                ));
            } else {
                let end = rest.find(['{', '}']).unwrap_or(rest.len());
                plain.push_str(&rest[..end]);
                at += end;
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Template { parts })
    }

    /// The fields that it names, and where: braces included, in bytes.
    pub fn fields(&self) -> impl Iterator<Item = (&str, Span)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Field(name, span) => Some((name.as_str(), *span)),
        })
    }

    /// The first field that is none of those known, told with the nearest of them.
    ///
    /// # Errors
    /// That field.
    pub fn check<'k>(
        &self,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Result<(), TemplateError> {
        for (field, span) in self.fields() {
            if known.clone().any(|name| name == field) {
                continue;
            }
            let near = nearest(field, known.clone());
            let hint = match near.is_empty() {
                true => format!(
                    "there are {}",
                    super::listed(&known.collect::<Vec<_>>(), "and")
                ),
                false => format!("did you mean {}?", super::listed(&near, "or")),
            };
            return Err(TemplateError {
                message: format!("there is no field `{{{field}}}`; {hint}"),
                span,
            });
        }
        Ok(())
    }

    /// The text with each field's value in its place.
    pub fn fill(&self, value: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Field(name, _) => text.push_str(&value(name)),
            }
        }
        text
    }

    /// The same; `None` where it names fields and all of them are empty.
    pub fn fill_if_any(&self, value: impl Fn(&str) -> String) -> Option<String> {
        let mut fields = self.fields().peekable();
        let bare = fields.peek().is_none();
        (bare || fields.any(|(field, _)| !value(field).is_empty())).then(|| self.fill(value))
    }
}
