// What changes a deck at one stroke: finishing it, mending it, the best exchange. Loaded when it is
// asked for.
import { cardOf } from './card.js';
import { quoted, spoken } from './cards.js';
import { dialog, fill, h, question, say } from './api.js';
import { apart, percent } from './rules.js';

/**
 * Asks for a change to the deck on the screen: what is told, and how it is carried out. To another
 * deck than the one that was asked about it is not done.
 * @param {any} app @param {string} name @param {any} more @param {boolean} [own] with what the player owns
 * @param {(why: string) => void} [refuse] shows why there is none
 */
async function proposed(app, name, more, own = false, refuse = say) {
  const deck = app.deck.now;
  const still = () => deck === app.deck.now || (say('The deck was changed meanwhile. Ask again.'), false);
  try {
    const told = await question(name, { format: app.game.format, deck, ...more }, own);
    if (!still()) return null;
    return { told, take: (changes) => { if (still()) app.deck.apply(changes); } };
  } catch (error) {
    refuse(error.message);
    return null;
  }
}

/** What stands on a card, behind a button. */
function face(app, name) {
  const place = h('div', { hidden: true });
  const button = h('button', { class: 'step', type: 'button', 'aria-expanded': 'false', 'aria-label': `What ${name} says`, onclick: async () => {
    place.hidden = !place.hidden;
    button.setAttribute('aria-expanded', String(!place.hidden));
    if (place.childElementCount) return;
    try {
      const told = await app.faceOf(name);
      fill(place, told ? cardOf(told) : h('p', { class: 'quiet' }, 'This game has no such card.'));
    } catch (error) { say(error.message); }
  } }, '?');
  return { button, place };
}

/** A change of copies, as a line; with a box it can be taken or left, and the card looked at. */
function changeLine(app, change, words = (rule) => rule, box = null) {
  const by = change.to - change.from;
  const about = [
    app.game.sections.length > 1 && app.section(change.section),
    change.from > 0 && change.to > 0 && `${change.from} → ${change.to}`,
    ...(change.rules ?? []).map(words),
  ];
  const told = [h('b', {}, by > 0 ? `+${by}` : `−${-by}`), ' ', h('bdi', {}, change.card), ' ', h('span', { class: 'quiet' }, about.filter(Boolean).join(' · '))];
  const kind = by > 0 ? 'plus' : 'minus';
  if (!box) return h('li', { class: kind }, told);
  const { button, place } = face(app, change.card);
  return h('li', { class: `${kind} item` }, h('div', { class: 'line' }, h('label', { class: 'name' }, box, h('span', {}, told)), button), place);
}

/** The changes of copies, a line each. */
const changeList = (app, changes) => h('ul', { class: 'changes' }, changes.map((change) => changeLine(app, change)));

/** Why there is no such deck. */
const none = (told, words = (reason) => reason) => [h('p', {}, told.impossible ? 'There is no such deck, because these cannot hold together:' : 'No deck was found:'),
  h('ul', {}, told.reasons.map((reason) => h('li', {}, words(reason)))),
  told.impossible && told.irreducible && told.reasons.length > 1 && h('p', { class: 'quiet' }, 'Without any one of them the others can hold together.')];

/** A wish or a query in fewer signs: `main: 20..24 [mana<=1]` is 20–24 mana ≤ 1. */
function words(app, wish) {
  const home = `${app.game.drawn}: `;
  const text = wish.startsWith(home) ? wish.slice(home.length) : wish;
  return text.replaceAll('[]', 'cards').replace(/[[\]]/g, '').replaceAll('..', '–').replaceAll('<=', ' ≤ ').replaceAll('>=', ' ≥ ').replaceAll('!=', ' ≠ ').replace(/(\p{L}):(?=\S)/gu, '$1 ');
}

/** What a change is for, of a deck that is finished. */
const served = (app) => (rule) => {
  const [, kind, wish] = /^(wished|advised): (.*)$/s.exec(rule) ?? [];
  return !wish ? rule : kind === 'wished' ? `wished: ${words(app, wish)}` : words(app, wish);
};

/** Aims that ask how many cards there are of each value of one number, together; all others alone. */
function grouped(game) {
  const groups = new Map();
  for (const aim of game.aims) {
    const [, field] = /^[^[]*\[(\p{L}[\w-]*)(?:[:=]|[<>]=?)\d+\]$/u.exec(aim.wish) ?? [];
    const number = game.fields.some((one) => one.name === field && one.kind === 'number');
    const key = number ? `a curve of ${field}` : aim.wish;
    groups.set(key, [...groups.get(key) ?? [], aim]);
  }
  return [...groups].map(([name, aims]) => ({ name: aims.length > 1 ? name : null, aims }));
}

/** The values that wishes are most likely for: of fields with few of them, no more than fit a line or two. */
function offered(game) {
  const few = game.fields.filter((field) => ['word', 'list'].includes(field.kind) && field.values.length > 1 && field.values.length <= 6);
  return few.flatMap((field) => field.values.map(([value]) => [field.name, value])).slice(0, 12);
}

/** A value as people say it: by itself where no other field has it. */
function called(game, field, value) {
  const named = game.fields.filter((one) => one.kind !== 'number' && one.values.some(([own]) => own === value));
  const said = spoken(field, value);
  return said !== value || (named.length === 1 && named[0].name === field) ? said : `${field} ${value}`;
}

/** A wish for cards of one value, as a person steps through it. */
function counted(game, field, value) {
  return { count: 4, must: true, group: `[${field}:${quoted(value)}]`, name: called(game, field, value) };
}

/** Its text; no card is the least that can be wished for. */
const wished = (wish) => wish.text ?? `${wish.count ? `${wish.count}+` : 'no'} ${wish.group}`;

/**
 * Finishes the deck on the screen: by wishes, by what the game's maker advises, for a hand; what comes
 * of it is taken whole or in part.
 * @param {any} app @param {?number} hand cards of the opening hand, where the reader said so
 */
export function finish(app, hand) {
  const { game } = app;
  const { sections } = app.deck.now;
  const held = [...new Set(Object.values(sections).flat().map((line) => line.name))];
  const released = new Set();
  const left = new Set();
  let list = [];
  let goal = null;
  let own = false;
  let seed = 0;
  /** Which question the shown answer is to. */ let asked = 0;
  let missed = new Map();
  const answer = h('div', { class: 'answer', 'aria-live': 'polite' });
  const stay = h('div', {});
  const chips = h('div', {});
  const aims = h('div', {});

  /** What was answered before is about other wishes. */
  const changed = () => {
    asked += 1;
    missed = new Map();
    fill(answer);
    draw();
  };
  const toggle = (set, keys) => () => {
    const away = keys.every((one) => set.has(one));
    for (const one of keys) away ? set.delete(one) : set.add(one);
    changed();
  };
  const chip = (key, set, keys, ...name) => h('button', { class: 'chip', type: 'button', 'data-key': key, 'aria-pressed': String(!keys.some((one) => set.has(one))), onclick: toggle(set, keys) }, name);

  const wish = (name, value) => {
    const made = counted(game, name, value);
    list = [...list.filter((one) => one.group !== made.group), made];
    changed();
  };

  const row = (wish, at) => {
    const step = (by, sign, what) => h('button', { class: 'step', type: 'button', 'data-key': `w${sign}${at}`, 'aria-label': `${what}: ${wish.name}`, disabled: by < 0 && wish.count === 0, onclick: () => { wish.count += by; changed(); } }, sign);
    const must = h('select', { 'aria-label': `How much: ${wish.name}`, 'data-key': `wm${at}`, onchange: () => { wish.must = must.value === 'must'; changed(); } }, h('option', { value: 'must' }, 'must be'), h('option', { value: 'can' }, 'if it can be'));
    must.value = wish.must ? 'must' : 'can';
    return h('li', { class: 'line' }, !wish.text && step(-1, '−', 'One fewer'), h('b', { class: 'held' }, wish.text ? '' : wish.count ? `${wish.count}+` : 'no'), !wish.text && step(1, '+', 'One more'),
      h('span', { class: 'name' }, wish.text ? h('code', {}, wish.text) : wish.name), must,
      h('button', { class: 'step', type: 'button', 'data-key': `wx${at}`, 'aria-label': `Leave out ${wish.name}`, onclick: () => { list = list.filter((one) => one !== wish); changed(); } }, '✕'));
  };

  const draw = () => {
    const gone = held.filter((name) => released.has(name)).length;
    fill(stay, held.length > 0 && h('details', { open: stay.querySelector('details')?.open }, h('summary', { 'data-key': 'stay' }, gone ? `${held.length - gone} of the ${held.length} cards stay, the others may go` : held.length === 1 ? 'The card that is in stays' : `All ${held.length} cards that are in stay`),
      h('div', { class: 'filters' }, held.map((name) => chip(`k${name}`, released, [name], h('bdi', {}, name))), held.length > 1 && h('button', { type: 'button', 'data-key': 'k-all', onclick: toggle(released, held) }, gone === held.length ? 'All stay' : 'All may go'))));
    fill(chips, list.length > 0 && h('ul', { class: 'list' }, list.map(row)));
    fill(aims, game.aims.length > 0 && [h('h3', {}, 'What its maker advises'), h('ul', { class: 'changes' }, grouped(game).map(({ name, aims: own }) => {
      const far = own.reduce((sum, aim) => sum + (missed.get(aim.wish) ?? 0), 0);
      const about = name ? own.map((aim) => words(app, aim.wish)).join(', ') : own[0].because;
      const all = own.map((aim) => aim.wish);
      return h('li', {}, h('label', {}, h('input', { type: 'checkbox', 'data-key': `a${all[0]}`, checked: !left.has(all[0]), onchange: toggle(left, all) }),
        h('span', {}, name ?? words(app, all[0]), ' ', far > 0 && h('span', { class: 'message' }, `it is ${far} away `), h('span', { class: 'quiet' }, about))));
    }))]);
  };

  const free = h('input', { 'aria-label': 'A wish in the query language', placeholder: 'A wish in the query language: 3+ [type:…]', 'data-key': 'wish', spellcheck: 'false' });
  const field = h('select', { 'aria-label': 'A wish for cards of', 'data-key': 'field', onchange: () => { wish(...JSON.parse(field.value)); field.value = ''; } },
    h('option', { value: '' }, 'Others…'),
    game.fields.filter((one) => one.values.length > 1).map((one) => h('optgroup', { label: one.name }, one.values.map(([value]) => h('option', { value: JSON.stringify([one.name, value]) }, value)))));
  const query = h('input', { 'aria-label': 'The hand', placeholder: 'What a hand should hold: 1+ [type:…]', 'data-key': 'hand-query', spellcheck: 'false', hidden: true, oninput: () => { goal = query.value.trim() ? { query: query.value.trim() } : null; changed(); } });
  const likely = h('select', { 'aria-label': 'The likeliest hand', 'data-key': 'likely', onchange: () => {
    query.hidden = likely.value !== 'own';
    goal = likely.value === 'own' ? query.value.trim() ? { query: query.value.trim() } : null : game.hands[likely.value] ?? null;
    changed();
  } }, h('option', { value: '' }, 'none in particular'), game.hands.map((one, at) => h('option', { value: at }, one.name)), h('option', { value: 'own' }, 'another…'));
  const size = h('input', { type: 'number', min: 1, max: 60, 'data-key': 'hand-size', value: hand ?? '', onchange: () => { hand = Number(size.value) || null; changed(); } });

  /** The odds of the deck as it is. */
  const oddsBefore = async () => {
    const asking = [{ hand, effort: 0.04 }, ...(goal ? [{ queries: [goal.query], turns: goal.turn ?? null, hand, effort: 0.04 }] : [])];
    const told = await question('view', { format: game.format, deck: app.deck.now, odds: asking });
    return told.odds.flatMap((one) => one.answers ?? []);
  };

  const add = () => {
    const text = free.value.trim();
    list = [...list.filter((one) => one.text !== text), { text, name: text, must: true }];
    free.value = '';
    changed();
  };

  const go = async () => {
    // What was typed is wished, whether or not it was added.
    if (free.value.trim()) add();
    const mine = ++asked;
    fill(answer, h('p', { class: 'quiet' }, 'Looking…'));
    const texts = (must) => list.filter((wish) => wish.must === must).map(wished);
    let why = null;
    const change = await proposed(app, 'build', {
      wish: texts(true), prefer: texts(false), without: [...left], effort: 0.16,
      keep: released.size ? held.filter((name) => !released.has(name)) : null,
      for: goal?.query ?? null, turn: goal?.turn ?? null, hand, seed: seed ? String(seed) : null,
    }, own, (text) => { why = text; });
    if (change?.told.odds) change.before = await oddsBefore();
    if (mine !== asked || !box.open) return;
    if (change) show(change);
    else fill(answer, why && h('p', { class: 'message' }, why));
  };
  const box = dialog('Finish this deck',
    h('form', { onsubmit: (event) => { event.preventDefault(); go(); } },
      stay, h('h3', {}, 'Wishes'), chips,
      h('div', { class: 'filters' }, offered(game).map(([name, value]) => h('button', { class: 'chip', type: 'button', 'data-key': `o${name}=${value}`, onclick: () => wish(name, value) }, '+ ', called(game, name, value))), field),
      h('div', { class: 'row' }, free, h('button', { type: 'button', 'data-key': 'add-wish', onclick: () => (free.value.trim() ? add() : free.focus()) }, 'Add')),
      aims,
      h('div', { class: 'row' }, h('label', {}, 'The likeliest hand: ', likely), query, game.hand === null && h('label', {}, 'of so many cards: ', size)),
      localStorage.getItem(`owned-${game.game}`) && h('label', {}, h('input', { type: 'checkbox', 'data-key': 'own', onchange: (event) => { own = event.target.checked; changed(); } }), 'Only what I own'),
      h('p', { class: 'row' }, h('button', { class: 'primary', 'data-key': 'go' }, 'Show what comes in'))),
    answer);
  free.addEventListener('keydown', (event) => { if (event.key === 'Enter' && free.value.trim()) { event.preventDefault(); add(); } });
  draw();
  box.querySelector('[data-key=go]').focus({ preventScroll: true });
  box.scrollTop = 0;

  /** The answer: each change is taken or left. */
  const show = (change) => {
    const { told } = change;
    if (told.deck === null) return fill(answer, none(told, served(app)));
    const { changes } = told;
    missed = new Map(told.aims.map((aim) => [aim.wish, aim.missed]));
    draw();
    const far = told.preferred.slice(1).filter((one) => one.missed > 0);
    const notes = told.notes.map((note) => h('p', { class: 'quiet' }, note));
    if (!changes.length) return fill(answer, h('p', {}, 'Nothing is missing: the deck is as it was asked for.', goal && released.size < held.length ? ' Cards that may go make room for a likelier hand.' : ''), notes);
    const boxes = changes.map((one) => h('input', { type: 'checkbox', checked: true, 'aria-label': `${one.to > one.from ? `${one.to - one.from} more` : `${one.from - one.to} fewer`} of ${one.card}` }));
    const all = h('input', { type: 'checkbox', checked: true, onchange: () => { for (const one of boxes) one.checked = all.checked; counts(); } });
    const take = h('button', { class: 'primary', type: 'button', 'data-key': 'take', onclick: () => {
      const chosen = changes.filter((_, at) => boxes[at].checked);
      box.close();
      change.take(chosen);
    } });
    const counts = () => {
      const some = boxes.filter((one) => one.checked).length;
      all.checked = some === boxes.length;
      all.indeterminate = some > 0 && some < boxes.length;
      take.textContent = some === boxes.length ? 'Take these' : `Take ${some} of ${boxes.length}`;
      take.disabled = some === 0;
      part.hidden = some === boxes.length;
    };
    const part = h('p', { class: 'quiet', hidden: true }, 'Of a part the verdict says what is still missing; the odds below are those of the whole.');
    const gone = told.preferred[0].missed;
    const why = served(app);
    // What all of them are for is said once.
    const shared = changes.length > 1 ? changes[0].rules.filter((rule) => changes.every((one) => one.rules.includes(rule))) : [];
    const line = (one, at) => {
      const rules = one.rules.length || !goal ? one.rules.filter((rule) => !shared.includes(rule)) : ['for the hand'];
      return changeLine(app, { ...one, rules }, why, boxes[at]);
    };
    for (const one of boxes) one.addEventListener('change', counts);
    counts();
    fill(answer, h('h3', {}, 'What changes'),
      gone > 0 && h('p', { class: 'message' }, `${gone} ${gone === 1 ? 'copy' : 'copies'} of what was to stay cannot: the lines with − say which, and by which rule.`),
      far.map((one) => h('p', { class: 'message' }, `${words(app, one.wish)}: it is ${one.missed} away`)),
      h('label', {}, all, 'All of it', shared.length > 0 && h('span', { class: 'quiet' }, ` for ${shared.map(why).join(', ')}`)), h('ul', { class: 'changes' }, changes.map(line)), part,
      odds(change.before ?? [], told.odds ?? []), notes,
      h('p', { class: 'quiet' }, `With all of it the deck is ${told.after.verdict}. `,
        goal ? '' : !told.optimal ? 'The work limit of this page was reached: a deck that is nearer to what is wished may exist.' : 'No deck comes nearer to what is wished with fewer changes: that is proven.'),
      h('p', { class: 'row' }, take, h('button', { type: 'button', 'data-key': 'another', onclick: () => { seed += 1; go(); } }, 'Others as good'), h('button', { type: 'button', onclick: () => box.close() }, 'Leave it')));
    answer.scrollIntoView?.({ block: 'start' });
  };
}

/** What a change does to the odds. @param {any[]} before @param {any[]} after */
function odds(before, after) {
  const same = (one) => before.find((other) => other.query === one.query && other.name === one.name && other.hand === one.hand && other.turn === one.turn && other.method === 'exact');
  const lines = after.filter((one) => one.method === 'exact' && one.probability !== undefined).map((one) => {
    const old = same(one);
    const [from, to] = old ? apart(old.probability, one.probability) : ['–', percent(one.probability)];
    const about = one.hand ? `, hand of ${one.hand}` : '';
    return h('tr', {}, h('td', {}, one.name ?? h('code', {}, one.query), about), h('td', {}, from === to ? to : [from, ' → ', h('b', {}, to)]));
  });
  return lines.length > 0 && [h('h3', {}, 'Odds'), h('table', { class: 'odds' }, h('tbody', {}, lines))];
}

/** The changes of a repair in which another card comes in for one that the banlist takes out. */
function substituted(app, changes, gone, card) {
  let left = gone.copies;
  const others = changes.map((change) => {
    const less = change.section === gone.section ? Math.min(left, Math.max(0, change.to - change.from)) : 0;
    left -= less;
    return { ...change, to: change.to - less };
  });
  const known = others.find((one) => one.section === gone.section && one.card === card);
  const before = known ? known.to : app.deck.count(gone.section, card);
  return [...others, { section: gone.section, card, to: before + gone.copies }];
}

/** The changes that give misspelt cards their names. @param {{from: string, to: string}[]} renamed */
function renames(app, renamed) {
  const counts = new Map();
  for (const { from, to } of renamed) {
    for (const section of Object.keys(app.deck.now.sections)) {
      const copies = app.deck.count(section, from);
      if (!copies) continue;
      const there = counts.get(`${section}\n${to}`)?.to ?? app.deck.count(section, to);
      counts.set(`${section}\n${from}`, { section, card: from, to: 0 });
      counts.set(`${section}\n${to}`, { section, card: to, to: there + copies });
    }
  }
  return [...counts.values()];
}

/** Shows the exchange of one card that makes a hand likeliest, before it is carried out. */
export async function exchange(app, query, hand) {
  const change = await proposed(app, 'tune', { queries: [query], changes: 1, hand, effort: 0.08 });
  if (!change) return;
  const { told: tuned } = change;
  const [step] = tuned.steps;
  const what = h('p', {}, 'For ', h('code', {}, query), ':');
  if (!step?.changes.length) return dialog('Best exchange', what, h('p', {}, step?.optimal ? `No exchange of one card makes it likelier than ${percent(tuned.before.probability)}: that is proven.` : 'None was found within the work limit of this page; whether there is one is not known.'));
  const [before, after] = apart(tuned.before.probability, step.probability);
  const box = dialog('Best exchange', what, changeList(app, step.changes),
    h('p', {}, h('span', { title: tuned.before.fraction }, before), ' → ', h('b', { title: step.fraction }, after), `, and the deck is ${step.after.verdict}. `,
      step.optimal ? 'No other exchange of one card makes it likelier: that is proven.' : `Whether another is better is not proven; none reaches more than ${percent(step.bound.probability)}.`),
    h('p', { class: 'row' }, h('button', { class: 'primary', autofocus: true, onclick: () => { box.close(); change.take(step.changes); } }, 'Exchange'), h('button', { onclick: () => box.close() }, 'Leave it')));
}

/** Shows the smallest edit that makes the deck legal, or the part that serves one rule, before it is applied. */
export async function repair(app, finding = null, own = false) {
  const change = await proposed(app, 'fix', { effort: 0.08 }, own);
  if (!change) return;
  const { told: fix } = change;
  if (fix.distance === null) return dialog('No repair', none(fix));
  const renamed = fix.renamed ?? [];
  const take = (changes) => change.take([...renames(app, renamed), ...changes]);
  const concerns = (one) => !finding || one.rules.includes(finding.rule) || finding.cards.includes(one.card);
  const part = fix.changes.filter(concerns);
  const changes = part.length ? part : fix.changes;
  const whole = changes.length === fix.changes.length;
  const stands = (fix.substitutes ?? []).filter((one) => one.instead.length && (whole || finding.cards.includes(one.card)));
  const box = dialog(whole ? 'The smallest repair' : `What mends ${finding.rule}`,
    h('p', {}, whole ? `${fix.distance} copies change, and the deck is ${fix.after.verdict}.${fix.optimal ? ' No smaller edit does.' : ` At least ${fix.bound} must change; whether fewer than these do is not proven.`}` : `A part of the smallest repair, which changes ${fix.distance} copies in all.`),
    renamed.length > 0 && h('p', {}, 'Names corrected: ', renamed.map(({ from, to }, at) => [at ? ', ' : '', h('bdi', {}, from), ' → ', h('bdi', {}, to)])),
    changeList(app, changes),
    stands.map((one) => h('p', { class: 'instead' }, `Instead of ${one.copies === 1 ? '' : `${one.copies} copies of `}`, h('bdi', {}, one.card), ', one of these may come in: ',
      one.instead.map(({ card, differs }, at) => [at ? ' ' : '', h('button', { onclick: () => { box.close(); take(substituted(app, changes, one, card)); } }, h('bdi', {}, card), differs.length ? h('span', { class: 'quiet' }, ` ${differs.join(', ')}`) : '')]))),
    fix.mostly_new && h('p', { class: 'note' }, 'More than half of the deck would be new. What comes in may as well be what you wish for: ', h('button', { 'data-key': 'to-finish', onclick: () => { box.close(); finish(app, null); } }, 'Finish this deck…')),
    h('p', { class: 'row' }, h('button', { class: 'primary', autofocus: true, onclick: () => { box.close(); take(changes); } }, 'Apply'), h('button', { onclick: () => box.close() }, 'Leave it')));
}
