//! What columns of a form hold, and how people call them: in English, German, French, Spanish,
//! Italian, Portuguese, Dutch and Polish, as forms of Google and Microsoft export them too.

use crate::name::fold;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What a column of a form holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Player,
    Identity,
    Deck,
    Time,
    Format,
}

/// The roles, what whoever names columns calls them, and the plain names of their columns. The
/// names of a later list count only where the header has none of an earlier one.
pub(super) const ROLES: [(Role, &str, &[&[&str]]); 5] = [
    (
        // Who hands the deck in.
        Role::Player,
        "player",
        &[&[
            // English
            "player",
            "player name",
            "name",
            "your name",
            "full name",
            "first and last name",
            "name of the player",
            "who are you",
            // German
            "spieler",
            "spielerin",
            "spieler/in",
            "spieler/-in",
            "spielername",
            "name des spielers",
            "vor- und nachname",
            "vorname und nachname",
            "vorname nachname",
            "vollständiger name",
            "wie heißt du",
            "wie heißen sie",
            "wer bist du",
            // French
            "nom",
            "joueur",
            "joueuse",
            "nom du joueur",
            "nom complet",
            "nom et prénom",
            "prénom et nom",
            "nom prénom",
            "prénom nom",
            "comment t'appelles-tu",
            "comment vous appelez-vous",
            // Spanish
            "nombre",
            "jugador",
            "jugadora",
            "jugador/a",
            "nombre del jugador",
            "nombre completo",
            "nombre y apellidos",
            "nombre y apellido",
            "cómo te llamas",
            // Italian
            "nome",
            "giocatore",
            "nome del giocatore",
            "nome completo",
            "nome e cognome",
            "cognome e nome",
            "nominativo",
            "come ti chiami",
            // Portuguese
            "jogador",
            "nome do jogador",
            "nome e sobrenome",
            "nome e apelido",
            "como se chama",
            // Dutch
            "naam",
            "speler",
            "spelersnaam",
            "naam van de speler",
            "volledige naam",
            "voor- en achternaam",
            "voornaam en achternaam",
            "hoe heet je",
            // Polish
            "imię",
            "gracz",
            "imię i nazwisko",
            "nazwisko i imię",
            "imię gracza",
            "nazwa gracza",
            "jak się nazywasz",
        ]],
    ),
    (
        // What tells players of one name apart: an address, a number of membership.
        Role::Identity,
        "id",
        &[
            &[
                "player id",
                "player number",
                "member id",
                "member number",
                "membership id",
                "membership number",
                "dci",
                "dci number",
                "spieler-id",
                "spielernummer",
                "mitgliedsnummer",
                "numéro de membre",
                "numéro d'adhérent",
                "número de socio",
                "número de jugador",
                "numero di tessera",
                "tessera",
                "número de sócio",
                "lidnummer",
                "spelersnummer",
                "numer członkowski",
                "numer gracza",
            ],
            &[
                "email address",
                "email",
                "e-mail address",
                "e-mail",
                "mail address",
                "mail",
                "username",
                "e-mail-adresse",
                "emailadresse",
                "mailadresse",
                "nutzername",
                "benutzername",
                "adresse e-mail",
                "adresse email",
                "adresse mail",
                "adresse électronique",
                "adresse de messagerie",
                "courriel",
                "nom d'utilisateur",
                "dirección de correo electrónico",
                "correo electrónico",
                "correo",
                "nombre de usuario",
                "indirizzo email",
                "indirizzo e-mail",
                "posta elettronica",
                "indirizzo di posta elettronica",
                "nome utente",
                "endereço de e-mail",
                "endereço de email",
                "nome de usuário",
                "e-mailadres",
                "emailadres",
                "mailadres",
                "gebruikersnaam",
                "adres e-mail",
                "adres email",
                "nazwa użytkownika",
            ],
        ],
    ),
    (
        // The deck, or the file where it is.
        Role::Deck,
        "deck",
        &[&[
            "deck",
            "decklist",
            "deck list",
            "your deck",
            "your decklist",
            "list",
            "deck file",
            "card list",
            "list of cards",
            "deckliste",
            "deck-liste",
            "kartenliste",
            "liste",
            "liste de deck",
            "liste du deck",
            "liste de cartes",
            "liste des cartes",
            "mazo",
            "baraja",
            "lista del mazo",
            "lista de mazo",
            "lista de la baraja",
            "lista de cartas",
            "lista",
            "mazzo",
            "lista del mazzo",
            "lista mazzo",
            "lista delle carte",
            "baralho",
            "lista do baralho",
            "lista de baralho",
            "lista do deck",
            "decklijst",
            "kaartenlijst",
            "lijst",
            "talia",
            "lista talii",
            "lista kart",
            "decklista",
        ]],
    ),
    (
        // When it was handed in.
        Role::Time,
        "time",
        &[
            &[
                "timestamp",
                "time",
                "submitted",
                "submitted at",
                "completion time",
                "zeitstempel",
                "zeit",
                "uhrzeit",
                "eingegangen",
                "fertigstellungszeit",
                "abgabezeit",
                "horodateur",
                "heure de fin",
                "marca temporal",
                "marca de tiempo",
                "hora de finalización",
                "informazioni cronologiche",
                "ora di completamento",
                "carimbo de data/hora",
                "hora de conclusão",
                "tijdstempel",
                "tijd van voltooien",
                "tijd van voltooiing",
                "sygnatura czasowa",
                "godzina ukończenia",
                "czas ukończenia",
            ],
            &["date", "datum", "fecha", "data"],
        ],
    ),
    (
        // Which format it is for.
        Role::Format,
        "format",
        &[
            &["format", "formato", "formaat", "spielformat"],
            &[
                "game", "division", "spiel", "jeu", "juego", "gioco", "jogo", "spel", "gra",
            ],
        ],
    ),
];

/// Columns that hold a given name and those that hold a family name: the two of them are the
/// player. `name` and the like stand among the first only where the other is there, too.
pub(super) const GIVEN: &[&str] = &[
    "first name",
    "given name",
    "forename",
    "vorname",
    "prénom",
    "nombre",
    "nome",
    "voornaam",
    "imię",
    "name",
];
/// See [`GIVEN`].
pub(super) const FAMILY: &[&str] = &[
    "last name",
    "surname",
    "family name",
    "nachname",
    "familienname",
    "zuname",
    "nom de famille",
    "nom",
    "apellido",
    "apellidos",
    "cognome",
    "sobrenome",
    "apelido",
    "achternaam",
    "nazwisko",
];

/// Words that alone say in a longer question what its answer is, and words of questions that ask
/// for something else: `Paste the decklist of your main deck`, but `Name of your deck`.
const KEYWORDS: [(Role, &[&str], &[&str]); 3] = [
    (
        Role::Player,
        &[
            "name",
            "namen",
            "player",
            "spieler",
            "spielername",
            "nom",
            "joueur",
            "nombre",
            "jugador",
            "nome",
            "giocatore",
            "jogador",
            "naam",
            "speler",
            "imię",
            "nazwisko",
            "gracz",
        ],
        &[
            "deck", "decks", "deckname", "mazo", "baraja", "mazzo", "baralho", "talii", "team",
            "teams", "club", "verein", "store", "shop", "event", "file", "user", "discord",
            "arena", "online", "paypal", "guardian", "parent", "eltern",
        ],
    ),
    (
        Role::Identity,
        &[
            "email",
            "e-mail",
            "mail",
            "e-mail-adresse",
            "courriel",
            "correo",
            "e-mailadres",
        ],
        &[],
    ),
    (
        Role::Deck,
        &[
            "deck",
            "decklist",
            "decklists",
            "deckliste",
            "kartenliste",
            "mazo",
            "baraja",
            "mazzo",
            "baralho",
            "decklijst",
            "talia",
            "talię",
            "talii",
            "decklista",
        ],
        &[
            "name",
            "namen",
            "title",
            "titel",
            "nom",
            "nombre",
            "nome",
            "naam",
            "nazwa",
            "archetype",
            "archetyp",
            "colour",
            "color",
            "colours",
            "colors",
            "farbe",
            "notes",
            "comment",
            "comments",
            "check",
            "checked",
            "fee",
            "legal",
        ],
    ),
];

/// Words around what a form's question asks for: `What is your name?`, `Paste your deck here`,
/// `Bitte füge hier deine Deckliste ein`. What would be left of nothing but such words stays.
const AROUND: &[&str] = &[
    // English
    "a",
    "add",
    "an",
    "and",
    "are",
    "below",
    "box",
    "choose",
    "copy",
    "do",
    "enter",
    "fill",
    "for",
    "full",
    "give",
    "here",
    "in",
    "into",
    "is",
    "it",
    "me",
    "of",
    "our",
    "paste",
    "please",
    "playing",
    "post",
    "put",
    "select",
    "submit",
    "tell",
    "the",
    "this",
    "to",
    "type",
    "upload",
    "us",
    "what",
    "what's",
    "which",
    "will",
    "write",
    "you",
    "your",
    // German
    "bitte",
    "dein",
    "deine",
    "deinen",
    "ein",
    "einfügen",
    "einen",
    "eintragen",
    "eingeben",
    "füge",
    "gib",
    "hier",
    "ihr",
    "ihre",
    "ihren",
    "ist",
    "lautet",
    "trage",
    "wie",
    "was",
    "der",
    "die",
    "das",
    "den",
    "kopiere",
    "hochladen",
    // French
    "ton",
    "ta",
    "tes",
    "votre",
    "vos",
    "quel",
    "quelle",
    "est",
    "ici",
    "collez",
    "colle",
    "indiquez",
    "entrez",
    "saisissez",
    "le",
    "la",
    "les",
    "de",
    "du",
    "des",
    "s'il",
    "vous",
    "plaît",
    "l'adresse",
    // Spanish
    "tu",
    "su",
    "cuál",
    "es",
    "aquí",
    "pega",
    "pegue",
    "escribe",
    "escriba",
    "por",
    "favor",
    "del",
    "el",
    "los",
    "las",
    "completo",
    // Italian
    "tuo",
    "tua",
    "qual",
    "è",
    "qui",
    "incolla",
    "inserisci",
    "scrivi",
    "il",
    "lo",
    "di",
    "della",
    "delle",
    "per",
    "favore",
    // Portuguese
    "seu",
    "sua",
    "teu",
    "qual",
    "é",
    "o",
    "aqui",
    "cole",
    "insira",
    "escreva",
    "da",
    // Dutch
    "je",
    "jouw",
    "uw",
    "wat",
    "hier",
    "plak",
    "vul",
    "het",
    "een",
    "van",
    "alsjeblieft",
    // Polish
    "twoje",
    "twoja",
    "twój",
    "swoje",
    "swoją",
    "tutaj",
    "wklej",
    "wpisz",
    "podaj",
    "proszę",
    "tu",
];

/// What a column's name asks for, folded: a question without the words around, and without what
/// stands in brackets. `Your side deck (one card a line)?` asks for `side deck`.
pub(super) fn asked_for(name: &str) -> String {
    let plain = plain(name);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let left = words.iter().filter(|word| !AROUND.contains(word));
    let left: Vec<&str> = left.copied().collect();
    left.join(" ")
}

/// A column's name folded, without what stands in brackets and without marks of a sentence.
fn plain(name: &str) -> String {
    let folded = fold(name);
    let mut plain = String::new();
    let mut inside = 0_usize;
    for letter in folded.chars() {
        match letter {
            '(' | '[' => inside += 1,
            ')' | ']' => inside = inside.saturating_sub(1),
            '?' | '\u{bf}' | ':' | '*' | '!' | '\u{a1}' | '.' | ',' | ';' | '"' => plain.push(' '),
            '\u{2019}' if inside == 0 => plain.push('\''),
            other if inside == 0 => plain.push(other),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A column's name, in the ways in which it is looked for.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// As it is, but for case and white space.
    pub(super) folded: String,
    /// Without brackets and marks of a sentence.
    plain: String,
    /// What it asks for as a question.
    pub(super) asked: String,
}

/// The plain names of [`ROLES`], [`GIVEN`] and [`FAMILY`], each as what it asks for.
static ASKED: LazyLock<BTreeSet<(&'static str, String)>> = LazyLock::new(|| {
    let names = ROLES.iter().flat_map(|(.., lists)| lists.iter());
    let names = names.copied().chain([GIVEN, FAMILY]).flatten();
    names.map(|name| (*name, asked_for(name))).collect()
});

impl Heading {
    pub(super) fn of(name: &str) -> Heading {
        Heading {
            folded: fold(name).into_owned(),
            plain: plain(name),
            asked: asked_for(name),
        }
    }

    /// Whether it is one of these names, or a question that asks for it.
    pub(super) fn is_of(&self, names: &[&str]) -> bool {
        let own = |name: &&str| {
            let same = *name == self.folded || *name == self.plain;
            let asks = || ASKED.contains(&(*name, self.asked.clone()));
            same || (!self.asked.is_empty() && asks())
        };
        names.iter().any(own)
    }

    /// Whether a word of it alone says that it asks for a role.
    pub(super) fn speaks_of(&self, role: Role) -> bool {
        let Some((_, words, others)) = KEYWORDS.iter().find(|(of, ..)| *of == role) else {
            return false;
        };
        let says = |words: &[&str]| self.plain.split([' ', '/']).any(|own| words.contains(&own));
        says(words) && !says(others)
    }
}

#[cfg(test)]
mod tests {
    use super::{Heading, Role, asked_for};

    #[test]
    fn questions_ask_for_what_is_left_without_the_words_around() {
        for (question, thing) in [
            ("What is your name?", "name"),
            ("Your side deck (one card a line):", "side deck"),
            ("Paste your DECKLIST here *", "decklist"),
            ("Which format will you play", "format play"),
            ("Name of your deck", "name deck"),
            ("Deck", "deck"),
            ("Who are you?", "who"),
            ("(optional)", ""),
            ("Bitte füge hier deine Deckliste ein", "deckliste"),
            ("¿Cuál es tu nombre?", "nombre"),
            ("Quel est votre nom ?", "nom"),
            ("Wklej tutaj swoją listę", "listę"),
        ] {
            assert_eq!(asked_for(question), thing, "{question}");
        }
    }

    #[test]
    fn a_word_alone_may_say_what_a_longer_question_asks_for() {
        let speaks = |name: &str, role| Heading::of(name).speaks_of(role);
        assert!(speaks("Paste the decklist that you registered", Role::Deck));
        assert!(!speaks("Name of your deck", Role::Deck));
        assert!(!speaks("Name of your deck", Role::Player));
        assert!(speaks("Name as on your passport", Role::Player));
        assert!(!speaks("Discord name", Role::Player));
    }
}
