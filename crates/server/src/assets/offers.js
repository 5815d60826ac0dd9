// Decks that the engine suggests, at most three side by side; the best exchange for a hand; the smallest fix.
import { button, dialog, h, percent, spoken, toast } from './dom.js';
import { fixed } from './deck.js';
import { slow } from './engine.js';
import { changes as listed } from './findings.js';
import { bucketsOf, colourOfValue, first, place as placeOf, plural, sentence } from './words.js';

const copies = (lines) => lines.reduce((sum, line) => sum + line.count, 0);
/** How many faces show a deck. */
const FACES = 6;

/** The cards that show a deck: each colour has its share of them, its dearest cards first that no deck before has shown. */
function shown(app, lines, before) {
  const { curve, filters } = app.game.builder, by = app.game.face?.colour?.by ?? filters[0], dear = (card) => placeOf(app.game, curve, first(card, curve)) % 1e6;
  const groups = [...Map.groupBy(lines, ({ name }) => first(app.cards.get(name), by)).values()].map((own) => ({ copies: copies(own), taken: 0, cards: own.map(({ name }) => app.cards.get(name) ?? { name }).sort((a, b) => before.has(a.name) - before.has(b.name) || dear(b) - dear(a)) }));
  return Array.from({ length: FACES }, () => {
    const next = groups.filter((one) => one.taken < one.cards.length).sort((a, b) => b.copies / (b.taken + 1) - a.copies / (a.taken + 1))[0], card = next?.cards[next.taken++];
    if (card) before.add(card.name);
    return card;
  }).filter(Boolean);
}
/** A name for a deck, of the words of its cards: `Emerald Roots`. */
function named(cards, used) {
  const words = (name) => name.split(/[\s,–-]+/).map((word) => word.replace(/[^\p{L}'’]/gu, '')).filter((word) => word.length > 3 && /^\p{Lu}/u.test(word));
  const firsts = cards.map(({ name }) => words(name)[0]), lasts = cards.toReversed().map(({ name }) => words(name).at(-1));
  for (const one of firsts) for (const other of lasts) if (one && other && one !== other && !used.has(`${one} ${other}`) && ![...used].some((name) => name.includes(one) || name.includes(other))) { used.add(`${one} ${other}`); return `${one} ${other}`; }
  return null;
}
/** The curve of a deck as small bars. @param {{name: string, count: number}[]} lines */
export function miniCurve(app, lines) {
  const field = app.game.builder.curve, of = ({ name }) => app.cards.get(name)?.[field], columns = bucketsOf(app.game, field).map((one) => [one.label, copies(lines.filter((line) => one.has(of(line))))]), high = Math.max(1, ...columns.map(([, n]) => n));
  return h('span', { class: 'mini-curve', 'aria-hidden': 'true' }, columns.map(([label, n]) => h('span', {}, h('b', {}, n || ''), h('i', { style: { '--n': n / high } }), label)));
}

/** Draws decks side by side, as each is ready: what it is called, six faces, colours, curve and odds; and another in its place. @param {HTMLElement} place @param {any} app
 * @param {{title: string, about: string, wish: string[]}[]} choices @param {() => void} taken */
export function offers(place, app, choices, taken) {
  const { game, deck } = app, before = deck.now, seen = new Set(), used = new Set();
  // Of one wish several decks differ by their seeds.
  const all = choices.length > 1 ? choices : [0, 1, 2].map(() => choices[0]);
  place.className = 'offers';
  place.replaceChildren(...all.map((choice, at) => {
    const inside = h('button', { class: 'offer', disabled: true }), other = button('Another', () => { turn += 1; make(); }, 'another', { disabled: true }), cell = h('div', { class: 'offered' }, inside, other);
    let turn = 0, latest = 0;
    async function make() {
      const mine = ++latest, status = h('small', { class: 'status', role: 'status' }, 'One moment…');
      inside.disabled = other.disabled = true;
      inside.replaceChildren(h('span', { class: 'title' }, h('b', {}, choice.title), h('small', {}, choice.about)), h('span', { class: 'six' }, Array.from({ length: FACES }, () => h('span', { class: 'shown' }))), status);
      try {
        const answer = await slow(app, 'build', { wish: choice.wish, seed: turn || choices.length < 2 ? `${at + 3 * turn}` : undefined, ...(game.hand ? {} : { hand: app.hand }), ...(deck.isEmpty ? { deck: '' } : {}) });
        if (!cell.isConnected || mine !== latest) return;
        other.disabled = false;
        if (!answer.deck) { status.replaceChildren('No such deck: ', ...sentence(answer.reasons[0] ?? '')); return; }
        const lines = answer.deck.sections[game.drawn] ?? [];
        await app.learn(lines.map((line) => line.name).filter((name) => !app.cards.has(name)));
        const cards = shown(app, lines, seen), lead = app.leads.flatMap((id) => answer.deck.sections[id] ?? []).map(({ name }) => ({ name })), name = named([...cards, ...(choices.length > 1 ? [] : lead)], used) ?? choice.title;
        const changes = answer.changes ?? [], odds = answer.odds?.find((one) => one.probability != null), field = game.face?.colour?.by ?? game.builder.filters[0];
        const out = changes.reduce((sum, one) => sum + Math.max(0, one.from - one.to), 0), come = changes.reduce((sum, one) => sum + Math.max(0, one.to - one.from), 0), colours = [...Map.groupBy(lines, (line) => first(app.cards.get(line.name), field))];
        const faces = cards.map((card) => { const face = h('span', { class: 'shown' }, spoken(card.name)); app.faces.draw(face, card.name, 'small'); return face; });
        inside.replaceChildren(h('span', { class: 'title' }, h('b', {}, name), h('small', {}, choice.title)), h('span', { class: 'six' }, faces),
          h('span', { class: 'mix', 'aria-hidden': 'true' }, colours.map(([value, own]) => h('i', { style: { '--n': copies(own), '--c': colourOfValue(game, field, value) ?? 'var(--accent)' } }))),
          h('span', { class: 'figures' }, game.builder.curve && miniCurve(app, lines), h('span', { class: 'odd' }, odds && [h('b', {}, percent(odds.probability)), h('small', {}, odds.name ?? odds.query)], h('small', {}, `${plural(copies(lines), 'card')}, ${lines.length} different`), out > 0 && h('small', {}, `${come} in, ${out} out`), answer.after.verdict !== 'legal' && h('small', {}, answer.after.verdict))));
        inside.disabled = false;
        inside.onclick = () => {
          if (deck.now !== before) return toast(STALE);
          taken();
          deck.replace({ ...deck.now, name: deck.now.name ?? name, sections: answer.deck.sections });
          toast(`${name}: ${plural(copies(lines), 'card')}.`, () => deck.undo());
        };
      } catch (error) { status.textContent = error.message; other.disabled = false; }
    }
    make();
    return cell;
  }));
}

/** The first decks of a game whose folder names none. */
const ONE = [{ title: 'A whole deck', about: '', wish: [] }];
export const choicesOf = (app) => app.game.start.find((step) => step.choose.length)?.choose ?? ONE;

/** The decks that finish this one, in a dialog. @param {any} app */
export function suggest(app) {
  const place = h('div');
  const box = dialog('Suggested decks', h('p', { class: 'quiet' }, app.deck.isEmpty ? 'Each is legal. Change any card afterwards.' : 'Each is legal and keeps as many of your cards as it can.'), place);
  box.classList.add('wide-box');
  offers(place, app, choicesOf(app), () => box.close());
}

const STALE = 'The deck changed in between. Ask again.';
const changeList = (app, all) => listed(all, (section) => section !== app.game.drawn && app.sectionName(section));

/** The changes of a fix with another card in the place of one that goes: as many others come in less. */
function exchanged(app, changes, gone, card) {
  let left = gone.copies;
  const others = changes.map((change) => {
    const less = change.section === gone.section ? Math.min(left, Math.max(0, change.to - change.from)) : 0;
    left -= less;
    return { ...change, to: change.to - less };
  });
  const known = others.find((one) => one.section === gone.section && one.card === card);
  return [...others, { section: gone.section, card, to: (known ? known.to : app.deck.count(card, gone.section)) + gone.copies }];
}

/** The smallest fix of the whole deck, shown before it is carried out. Of a card that a list takes out, those that are alike are offered. @param {any} app */
export async function fix(app) {
  const before = app.deck.now;
  toast('Searching for the smallest fix…');
  try {
    const answer = await slow(app, 'fix', {});
    if (before !== app.deck.now) return toast(STALE);
    if (answer.distance === null) return dialog('No fix', h('p', {}, answer.impossible ? 'No deck satisfies all of these rules:' : 'No fix was found:'), h('ul', {}, answer.reasons.map((one) => h('li', {}, sentence(one)))));
    const take = (changes) => {
      if (before !== app.deck.now) return toast(STALE);
      app.deck.replace(fixed(before, { ...answer, changes }));
      const names = (answer.renamed ?? []).length;
      const said = [names && `${plural(names, 'name')} corrected`, answer.distance && `${plural(answer.distance, 'copy', 'copies')} changed${answer.optimal ? ', the fewest possible' : ''}`];
      toast(`${said.filter(Boolean).join(', ')}.`, () => app.deck.replace(before));
    };
    const replaceable = (answer.substitutes ?? []).filter((one) => one.instead.length);
    const closing = (changes) => () => { box.close(); take(changes); };
    const box = dialog(`The smallest fix${answer.optimal ? ', proven' : ''}`, (answer.renamed ?? []).map(({ from, to }) => h('p', {}, h('s', {}, from), ' → ', to)), changeList(app, answer.changes), replaceable.map((one) => h('div', {}, h('h3', {}, `Or instead of ${one.copies} × ${one.card}`), h('div', { class: 'picks' }, one.instead.slice(0, 4).map(({ card, differs }) => {
      const face = h('button', { class: 'card', 'data-instead': card, title: differs.length ? `Other ${differs.join(', ')}` : 'Alike', onclick: closing(exchanged(app, answer.changes, one, card)) }, spoken(card));
      app.faces.draw(face, card, 'full');
      return face;
    })))), h('div', { class: 'acts' }, button('Fix', closing(answer.changes), 'main')));
  } catch (error) {
    toast(error.message);
  }
}

/** The best exchanges for a hand: what they take out and put in, and the odds after them. @param {any} app @param {{query: string, name: string, turn?: ?number, keep?: string[]}} hand */
export async function bestSwap(app, { query, name, turn = app.turn, keep = [] }) {
  const before = app.deck.now;
  const place = h('div', { class: 'guide' }, h('p', { class: 'quiet' }, 'Searching…'));
  const box = dialog(`Better odds: ${name}`, place);
  const take = (changes) => {
    if (before !== app.deck.now) return toast(STALE);
    box.close();
    app.deck.apply(changes);
    toast('Exchanged.', () => app.deck.undo());
  };
  try {
    const answer = await slow(app, 'tune', { queries: [query], changes: 3, turn, hand: app.hand, keep });
    const steps = (answer.steps ?? []).filter((step) => step.changes.length);
    const offers = steps.map((step) => h('div', { class: 'exchange' }, changeList(app, step.changes), h('span', { class: 'grow' }), h('b', {}, percent(step.probability)), button('Exchange', () => take(step.changes), 'main')));
    place.replaceChildren(h('p', {}, turn ? `By turn ${turn}: ` : 'In the first hand: ', h('b', {}, percent(answer.before.probability)), answer.repaired ? ' after the smallest fix.' : ' now.'),
      ...(offers.length ? offers : [h('p', {}, 'No legal exchange of up to 3 cards makes it likelier.')]));
  } catch (error) {
    place.replaceChildren(h('p', {}, error.message));
  }
}
