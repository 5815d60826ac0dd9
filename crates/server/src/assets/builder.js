// The builder: one deck, three panes, and an answer of the server after every change.
import { home } from './carrier.js';
import { ask, dialog, fill, h, later, passes, pause, question, say, write } from './api.js';
import { Deck, plain, unpacked } from './deck.js';
import { faces, looks } from './card.js';
import { cardsPane } from './cards.js';
import { deckPane } from './list.js';
import { rulesPane, verdictOf } from './rules.js';
import { tools } from './tools.js';

const root = document.getElementById('app');

/** What the panes share. */
const app = {
  /** @type {any} what the page knows of the format */ game: null,
  /** @type {Deck} */ deck: null,
  /** @type {any} the last answer */ answer: null,
  /** @type {any} the deck that it is about */ judged: null,
  /** Whether the last answer is about the deck as it is. */
  fresh: () => app.answer !== null && app.judged === app.deck.now,
  /** Why there is no answer to the last question; empty: there is, or will be soon. */ silent: '',
  /** @type {Map<string, any>} fields of cards that were told */ cards: new Map(),
  /** @type {Map<string, any>} room by section and card */ room: new Map(),
  /** @type {any} the cards that were found, and by which question */ found: null,
  sought: null,
  /** @type {Set<string>} cards that a finding points at */ blamed: new Set(),
  /** What stands on a card. */ faceOf: faces(async (name) => (await question('faces', { format: app.game.format, cards: [name] })).faces[0]),
  find: { query: '', most: 60, sort: '', own: false },
  /** Where cards go, as the last answer has it and as it is to be. */ target: null,
  into: null,
  panes: [],
  ask: () => refresh(),
  section: (id) => app.game.sections.find((section) => section.id === id)?.name ?? id,
  roomOf: (section, card) => app.room.get(`${section}\n${card}`),
  /** Where a card goes: to the chosen section, or to the first that takes it. */
  goes: (card) => {
    const takes = app.sections().filter((id) => app.game.open || app.roomOf(id, card));
    return takes.includes(app.target) ? app.target : takes[0];
  },
  takes: (card) => app.game.open ? app.sections() : app.answer?.takes?.[card] ?? [],
  sections: () => {
    const own = Object.keys(app.deck.now.sections);
    const known = app.game.sections.map((section) => section.id);
    return [...known, ...own.filter((id) => !known.includes(id))];
  },
  add: (card, section = app.goes(card)) => {
    if (!section) return say(`${card}: no section takes it.`);
    const room = app.roomOf(section, card);
    if (room && room.more === 0) say(room.message ?? 'No more of this card fit.');
    app.deck.add(section, card, 1);
  },
  show: (pane) => {
    for (const one of document.querySelectorAll('.pane')) one.toggleAttribute('data-away', one.id !== pane);
    for (const tab of document.querySelectorAll('[role=tab]')) tab.setAttribute('aria-selected', String(tab.getAttribute('aria-controls') === pane));
  },
};

let asking = false;
/** Draws what was done if its answer is late; one that comes at once is drawn with it. */
let late = 0;
let dirty = false;
/** Questions in a row that got no answer. */
let tries = 0;
/** Which question is to be asked again. */
let turn = 0;

/** Asks for the answer to the deck as it is; while one is on its way, once more after it. What gets
 * no answer is asked again until it gets one. */
async function refresh() {
  if (asking) { dirty = true; return; }
  asking = true;
  dirty = false;
  const mine = ++turn;
  const { find, into, deck: { now: deck } } = app;
  const names = Object.values(deck.sections).flat().map((line) => line.name);
  try {
    const { own, ...search } = find;
    const answer = await question('view', {
      format: app.game.format, deck, into, stats: true,
      // What is found does not change with the deck; the room of it does.
      ...(app.sought === find ? { visible: app.found?.cards?.map((card) => card.name) ?? [] } : { search: { ...search, owned: own } }),
      cards: [...new Set(names.filter((name) => !app.cards.has(name)))].slice(0, 200),
    }, own && app.sought !== find);
    tries = 0;
    app.silent = '';
    if (deck === app.deck.now || !app.answer) {
      for (const card of [...(answer.cards ?? []), ...(answer.search?.cards ?? [])]) app.cards.set(card.name, card);
      app.room = new Map((answer.room ?? []).map((room) => [`${room.section}\n${room.card}`, room]));
      app.answer = answer;
      app.judged = deck;
      app.target = into;
      if (answer.search) { app.found = answer.search; app.sought = find; }
      bar();
      performance.mark('answered');
      // The verdict may be painted before the panes are drawn, which takes longer.
      await new Promise((over) => { setTimeout(over); });
      panes();
      performance.mark('drawn');
    }
  } catch (error) {
    app.silent = error.message;
    draw();
    if (passes(error)) {
      const again = later(pause(tries));
      tries += 1;
      again.then(() => { if (mine === turn) refresh(); });
    }
  }
  asking = false;
  if (dirty) refresh();
}

function draw() {
  bar();
  panes();
}

function panes() {
  clearTimeout(late);
  late = 0;
  for (const pane of app.panes) pane.draw();
}

function bar() {
  const { deck, answer } = app;
  const check = answer?.check;
  const fresh = app.fresh();
  // What is said of another deck is not shown as if it were said of this one.
  document.querySelector('.app').toggleAttribute('data-stale', !fresh);
  const counts = Object.entries(check?.cards ?? {}).filter(([, count]) => count > 0);
  fill(document.querySelector('.state'),
    verdictOf(app),
    app.silent && h('span', { class: 'message' }, app.silent),
    h('span', { class: 'quiet' }, counts.map(([id, count]) => `${count} ${app.section(id)}`).join(' · ')),
    (check?.meters ?? []).map((meter) => h('span', { class: 'ledger' }, meter.text)));
  write(document.querySelector('.saved'), deck.saved ? 'Saved' : { saved: '', saving: 'Saving…', unsaved: '…' }[deck.state] ?? deck.state);
  document.querySelector('[data-key=undo]').disabled = !deck.past.length;
  document.querySelector('[data-key=redo]').disabled = !deck.future.length;
  const name = document.querySelector('.bar .name');
  if (document.activeElement !== name) name.value = deck.now.name ?? '';
  write(document.querySelector('title'), `${deck.now.name || 'Unnamed deck'} · ${app.game.name}`);
  document.querySelector('[data-key=keep]').hidden = deck.place !== null || !deck.lent;
  const conflict = document.querySelector('.conflict');
  conflict.hidden = !deck.conflict;
  if (deck.conflict && !conflict.childElementCount) {
    fill(conflict, h('span', { role: 'alert' }, 'This deck was changed somewhere else meanwhile; neither state is lost.'),
      h('button', { onclick: () => deck.settle(true) }, 'Keep mine'),
      h('button', { onclick: () => deck.settle(false) }, 'Take the other'));
  } else if (!deck.conflict) fill(conflict);
}

function frame() {
  const tab = (id, name) => h('button', { role: 'tab', 'aria-controls': id, id: `tab-${id}`, 'aria-selected': 'false', onclick: () => app.show(id) }, name);
  const set = tools(app);
  const tray = h('div', { class: 'tools', id: 'tools' }, set);
  app.panes = [cardsPane(app), deckPane(app), rulesPane(app)];
  fill(root, h('div', { class: 'app' },
    h('header', { class: 'bar' },
      h('a', { class: 'mark', href: home }, 'decklaw'), h('h1', { class: 'away' }, titled()),
      h('input', { class: 'name', 'aria-label': 'Name of the deck', placeholder: 'Unnamed deck', maxlength: 200,
        onchange: (event) => app.deck.edit((deck) => { deck.name = event.target.value.trim() || undefined; }) }),
      h('div', { class: 'state', role: 'status', 'aria-live': 'polite' }),
      h('span', { class: 'saved', role: 'status' }),
      h('button', { 'data-key': 'keep', title: 'The deck of this link becomes one of yours; a change to it does that, too', onclick: () => app.deck.save() }, 'Keep'),
      h('button', { 'data-key': 'undo', title: 'Undo (z)', 'aria-label': 'Undo', onclick: () => app.deck.undo() }, '↶', h('span', { class: 'quiet long' }, 'Undo')),
      h('button', { 'data-key': 'redo', title: 'Redo (y)', 'aria-label': 'Redo', onclick: () => app.deck.redo() }, '↷'),
      h('button', { class: 'menu', 'aria-controls': 'tools', 'aria-expanded': 'false', onclick: (event) => {
        event.target.setAttribute('aria-expanded', String(tray.classList.toggle('open')));
      } }, 'Menu'),
      tray),
    h('section', { class: 'conflict', hidden: true, 'aria-label': 'A change elsewhere' }),
    h('main', { class: 'work' },
      h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Parts of the page' }, tab('cards', 'Cards'), tab('deck', 'Deck'), tab('rules', 'Rules')),
      h('div', { class: 'columns' }, app.panes.map((pane) => pane.element)))));
  // On a phone one pane is shown: of a new deck the cards that may come into it.
  app.show(Object.values(app.deck.now.sections).some((lines) => lines.length) ? 'deck' : 'cards');
}

const titled = () => `A deck of ${app.game.name}`;

/** The deck that the address means: a draft, a code, a packed one, the file, or a new one. */
async function load() {
  const format = root.dataset.format;
  const place = new URLSearchParams(location.hash.slice(1));
  const made = (deck, where = null, rev = null) => {
    const known = new Deck({ ...deck, format: deck.format ?? format }, (what) => {
      if (what === 'state') return bar();
      late ||= setTimeout(draw, 40);
      refresh();
    });
    known.place = where;
    known.rev = rev;
    known.kept = where === null ? null : known.now;
    return known;
  };
  if (new URLSearchParams(location.search).has('file')) {
    const file = await ask('GET', '/api/file');
    document.title = file.file;
    return made(plain(file.deck), 'file', file.rev);
  }
  if (place.has('d')) {
    try {
      const draft = await ask('GET', `/api/drafts/${encodeURIComponent(place.get('d'))}`);
      return made(plain(draft.deck), place.get('d'), draft.rev);
    } catch (error) {
      if (error.status !== 404 || !place.has('z')) say(error.message);
    }
  }
  // A deck of others is shown, and becomes one's own when it is changed or kept.
  const lent = (deck) => Object.assign(made(deck), { lent: true });
  if (place.has('z')) return lent(await unpacked(place.get('z')));
  return made({ format, sections: {} });
}

function keys(event) {
  const typing = event.target.closest('input, textarea, select, dialog');
  if (event.key === 'Escape' && typing && !event.target.closest('dialog')) return event.target.blur();
  if (typing || event.ctrlKey && event.key !== 'z' && event.key !== 'y' || event.metaKey || event.altKey) return;
  const move = (by) => {
    const pane = event.target.closest('.pane') ?? document.getElementById('cards');
    const rows = [...pane.querySelectorAll('.line .name')];
    const at = rows.indexOf(event.target.closest('.line')?.querySelector('.name'));
    rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
  };
  const press = (name) => event.target.closest('.line')?.querySelector(`[data-step="${name}"]`)?.click();
  const acts = {
    '/': () => { app.show('cards'); document.getElementById('query').focus(); },
    j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
    '+': () => press('+'), '=': () => press('+'), '-': () => press('-'),
    s: () => elsewhere(event.target.closest('#deck .line')),
    z: () => app.deck.undo(), y: () => app.deck.redo(), Z: () => app.deck.redo(),
    1: () => go('cards'), 2: () => go('deck'), 3: () => go('rules'),
    m: () => document.querySelector('[data-key=repair]')?.click(),
    f: () => document.querySelector('[data-key=finish]')?.click(),
    '?': help,
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** Moves a line of the deck to the next section that takes its card. */
function elsewhere(line) {
  const { card, section } = line?.dataset ?? {};
  if (!card) return;
  const takes = app.takes(card);
  const next = takes[(takes.indexOf(section) + 1) % takes.length];
  if (!next || next === section) return say(`${card}: no other section takes it.`);
  app.deck.move(section, next, card, app.deck.count(section, card));
  say(`${card} is now in ${app.section(next)}.`);
}

function go(pane) {
  app.show(pane);
  document.getElementById(pane).querySelector('button:not(:disabled), input')?.focus();
}

function help() {
  const rows = [['/', 'search cards'], ['j k', 'next card, card before'], ['+ −', 'one copy more, one fewer'], ['Enter', 'the card’s text'], ['s', 'to the next section'],
    ['z y', 'undo, redo'], ['1 2 3', 'cards, deck, rules'], ['m', 'the smallest repair'], ['f', 'finish this deck'], ['Esc', 'out of a field'], ['?', 'this']];
  dialog('Keys', h('table', {}, rows.map(([key, what]) => h('tr', {}, h('th', { scope: 'row' }, key.split(' ').map((one) => [h('kbd', {}, one), ' '])), h('td', {}, what)))));
}

// Another link, also where this one could not be read.
window.addEventListener('hashchange', () => location.reload());

try {
  const [game, deck] = await Promise.all([question('format', { format: root.dataset.format }), load()]);
  app.game = game;
  app.deck = deck;
  app.target = app.into = game.first;
  frame();
  looks(root, app.faceOf);
  bar();
  document.addEventListener('keydown', keys);
  window.addEventListener('beforeunload', (event) => { if (app.deck.state !== 'saved') event.preventDefault(); });
  await refresh();
  performance.mark('ready');
  root.dataset.ready = 'yes';
} catch (error) {
  fill(root, h('main', { class: 'narrow' }, h('h1', {}, 'The builder cannot be shown'), h('p', { class: 'message' }, error.message), h('p', {}, h('a', { href: home }, 'To the first page'))));
}
