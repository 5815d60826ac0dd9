// A seat at a table: what it sees, and what its player does by click, drag and key.
import { $, button, h, pop, spoken, toast } from './dom.js';
import { ended, over, question } from './ended.js';
import { request } from './http.js';
import { insist, listen } from './live.js';
import { logLines, showNewest, toggleLog, turnName } from './log.js';
import { dealt, remember } from './memory.js';
import { sentence as worded } from './words.js';
import { board, measure } from './zones.js';

const { body } = document;
const { table: id, key, seat = null, format } = body.dataset;
const base = `/api/t/${id}/${key}`;
const narrow = matchMedia('(max-width: 1000px)');

/** The seat as the table is drawn for it. */
const t = {
  seat, plays: seat !== null, lower: null, base, phone: narrow.matches,
  /** The last view of the server. @type {any} */ view: null,
  /** How the game's folder lays the table out. @type {any} */ mat: null,
  /** The card that is picked up. @type {{zone: string, slot: number, name?: string, attaching?: boolean} | null} */ held: null,
  /** Whether cards are played face down. */ down: false,
  /** Cards that answer what is asked, by zone and slot. @type {Map<string, number> | null} */ picks: null,
};
/** What each card says, and the zones that take it. @type {Map<string, any>} */
const cards = new Map();
let drawn = 0;
let pressed = 0;
let waits = false;
let unanswered = false;
let last = Promise.resolve();
let looked = '';
let offline = false;

t.player = (letter) => { const { name } = t.view.seats[letter]; return name && name !== letter ? name : `Seat ${letter}`; };
/** Words of the engine with players' names. */
t.words = (text) => text.replace(/\bseat ([A-D])\b/gi, (all, letter) => (t.view.seats[letter] ? t.player(letter) : all));
const zoneNamed = (zone) => t.view.zones.find((one) => one.zone === zone);
const lookOf = (zone) => t.mat?.zones.find((known) => known.id === zone.kind) ?? {};
t.lookOf = lookOf;
/** A card by its zone and slot. */
const cardAt = ({ zone, slot }) => zoneNamed(zone)?.cards?.find((one) => one.slot === slot);
/** Whose turn it is, in words. */
const whose = () => (t.view.active === seat ? 'Your turn' : `${t.player(t.view.active)}’s turn`);
/** A zone as a move names it. */
const short = (zone) => (zone.startsWith(`${seat}.`) ? zone.slice(2) : zone);
const isOpen = (zone) => zone.seen === 'by-all' || zone.seen === 'card-by-card';
const isMine = (zone) => zone.owner === seat || !zone.owner;

/** The picture of a card; without a name its back. */
t.face = (name, size = 'thumb') => h('img', { class: 'face', alt: '', decoding: 'sync', draggable: 'false', src: `${base}/face.svg?size=${size}${name ? `&name=${encodeURIComponent(name)}` : ''}` });

/** Shows a card in full at the side. */
t.look = (name) => {
  if (!name || name === looked) return;
  looked = name;
  $('.read')?.replaceChildren(t.face(name, 'full'));
};

/** What a card says. */
async function known(name) {
  if (!cards.has(name)) cards.set(name, await request(`${base}/card?name=${encodeURIComponent(name)}`));
  return cards.get(name);
}

/** Whether the picked card can go to a zone: `best` where the game says that it is played there, `may` where it says
 * nothing, and `can` where other cards are played. Zones of others are in the menu. */
t.takes = (zone) => {
  if (!t.held || !zone || zone.zone === t.held.zone || t.held.attaching || !isMine(zone)) return '';
  if (cards.get(t.held.name)?.takes.includes(zone.kind)) return 'best';
  return lookOf(zone).takes || !isOpen(zone) ? 'can' : 'may';
};

// What is done.

/** The place of a zone on the mat: menus and buttons have zones in this order. */
function placeOf({ kind }) {
  const rows = t.mat ? [...t.mat.wide.rows, ...(t.mat.wide.middle ?? [])].join(' ').split(/\s+/) : [];
  return rows.includes(kind) ? rows.indexOf(kind) : rows.length;
}

/** Takes in a view of the server, unless a newer one is known. */
function take(view) {
  const letters = Object.keys(view.seats);
  if (!t.plays && letters.length === 2) t.lower ??= letters[0];
  view.zones.sort((one, other) => placeOf(one) - placeOf(other));
  if (!t.view || view.rev >= t.view.rev) t.view = view;
  draw();
}

async function load() {
  try {
    take(await request(`${base}/view`));
  } catch (error) {
    if ([403, 404].includes(error.status)) location.reload();
  }
}

/** Does something at the table, after what was done before it. @param {any} what @param {boolean} [anyhow] whether it
 * means the same when the table has changed meanwhile */
function act(what, anyhow = false) {
  if (!t.plays) return Promise.resolve(false);
  if (unanswered) {
    toast('Not done: an earlier move still waits for the server.');
    return Promise.resolve(false);
  }
  const rev = drawn;
  const send = async () => {
    try {
      const reply = await insist(`${base}/do`, () => ({ rev: anyhow ? t.view.rev : rev, do: what }), (is) => { if (unanswered !== is) { unanswered = is; bar(); } });
      take(reply);
      if (reply.remarks?.length) toast(reply.remarks.join(' '));
      return true;
    } catch (error) {
      toast(error.message);
      if (error.reply?.view) take(error.reply.view); else draw();
      return false;
    }
  };
  last = last.then(send);
  return last;
}
t.act = act;

/** A move of this seat. What was done with a card is done, unless another was picked meanwhile. */
async function move(what, anyhow = false) {
  const picked = t.held;
  const done = await act({ move: { by: seat, ...what } }, anyhow);
  if (done && picked && t.held === picked) {
    t.held = null;
    t.down = false;
    draw();
  }
  return done;
}
t.move = move;
t.count = (letter, counter, change) => move({ do: 'count', seat: letter, counter, change }, true);
t.drawFrom = (zone, count = 1) => move({ do: 'draw', from: short(zone.zone), to: 'hand', count }, true);
const drawPile = () => t.view.zones.filter((zone) => isMine(zone) && zone.seen === 'by-nobody').sort((one, other) => (one.owner ? 0 : 1) - (other.owner ? 0 : 1))[0];

/** Plays the card that is picked up. @param {any} zone @param {string} [cell] @param {'top' | 'bottom'} [end] */
t.place = (zone, cell, end) => {
  if (!t.held) return null;
  const { zone: from, slot } = t.held;
  const isSame = from === zone.zone;
  let square = cell;
  if (zone.grid && !square) {
    const taken = new Set(zone.cards.map((card) => card.at));
    square = zone.grid.rows === 1 ? Array.from({ length: zone.grid.columns }, (_, at) => `${String.fromCharCode(97 + at)}1`).find((one) => !taken.has(one)) : undefined;
    if (!square && zone.grid.rows > 1) { toast('Choose a square.'); return null; }
  }
  const isTop = end ? end === 'top' : lookOf(zone).pile || zone.cards === null;
  const card = cardAt(t.held);
  const has = zoneNamed(from)?.cards?.some((one) => one.on === slot) ?? false;
  return move({
    do: 'move', from: short(from), slot, to: short(zone.zone), at: isTop ? 0 : zone.count - (isSame ? 1 : 0),
    up: isSame && !t.down ? !card?.down : !t.down, ...(square ? { cell: square } : {}), ...(has && !isSame ? { with: true } : {}),
  });
};

/** @param {number} [pick] the answer that the card is */
t.click = (zone, card, pick) => {
  if (pick !== undefined) return act({ answer: { option: pick } });
  t.look(card.name);
  const is = t.held?.zone === zone.zone && t.held.slot === card.slot;
  if (!t.plays || t.view.phase !== 'game') return t.phone && card.name ? peek(card.name) : null;
  if (t.held?.attaching && !is) {
    const { zone: from, slot } = t.held;
    return move({ do: 'attach', from: short(from), slot, to: short(zone.zone), on: card.slot, up: !t.down });
  }
  if (t.held && !is && zone.zone !== t.held.zone && t.takes(zone)) return t.place(zone, card.at);
  return hold(is ? null : { zone: zone.zone, slot: card.slot, name: card.name });
};

async function hold(card) {
  t.held = card;
  t.down = false;
  draw();
  if (card?.name && !cards.has(card.name)) {
    await known(card.name).catch(() => null);
    if (t.held === card) draw();
  }
}

t.drag = (zone, card) => (t.plays ? {
  ondragstart: (event) => {
    event.dataTransfer.setData('text/plain', card.name ?? '');
    t.held = { zone: zone.zone, slot: card.slot, name: card.name };
    for (const place of document.querySelectorAll('section.zone')) {
      const takes = t.takes(zoneNamed(place.dataset.zone));
      place.classList.toggle('takes', takes === 'best');
      place.classList.toggle('may', takes === 'may');
    }
  },
  ondragend: () => { t.held = null; draw(); },
} : {});
t.dropped = (zone, cell) => (t.plays ? {
  ondragover: (event) => { if (t.held) event.preventDefault(); },
  ondrop: (event) => { event.preventDefault(); event.stopPropagation(); t.place(zone, cell); },
} : {});

// What is chosen from a menu.

/** A menu under a button. @param {(add: (word: string, what: () => unknown, key?: string) => HTMLElement) => any[]} fill */
function menu(under, title, fill) {
  const box = pop(under, (place) => {
    const add = (word, what, key = word) => button(word, () => { place.close(); what(); }, '', { 'data-key': key });
    place.classList.add('menu');
    place.append(h('h3', {}, title), ...fill(add).flat(4).filter(Boolean));
  });
  box?.setAttribute('aria-label', title);
  // A field would open the keyboard of a phone.
  box?.querySelector('button')?.focus({ preventScroll: true });
}

const naming = (label, value = '', placeholder = label) => h('input', { class: 'input', maxlength: 40, 'aria-label': label, placeholder, value });
/** The whole number of a field, within its bounds. */
const number = (field) => Math.min(Number(field.max || 9999), Math.max(1, Math.trunc(Number(field.value) || 1)));
const others = () => Object.keys(t.view.seats).filter((letter) => letter !== seat);
const numberOf = (label, value, most) => h('input', { class: 'input number', type: 'number', inputmode: 'numeric', min: 1, max: most, value, 'aria-label': label });

/** Counts up or down by any number. */
t.counting = (under, title, count) => menu(under, title, (add) => {
  const by = numberOf('By how much', 1, 9999);
  return [h('p', { class: 'row' }, by, add('−', () => count(-number(by)), 'count down'), add('+', () => count(number(by)), 'count up')),
    h('p', { class: 'row' }, [-10, -5, 5, 10].map((many) => add(`${many < 0 ? '−' : '+'}${Math.abs(many)}`, () => count(many))))];
});

/** Every card of a zone, to pick one. */
const cardsOf = (add, zone) => h('div', { class: 'faces' }, (zone.cards ?? []).map((card) => h('button', { type: 'button', class: 'card', 'data-name': card.name, 'data-key': `see ${zone.zone}/${card.slot}`,
  onpointerenter: () => t.look(card.name), onfocus: () => t.look(card.name),
  onclick: (event) => { event.target.closest('.pop').close(); t.look(card.name); if (t.plays) hold({ zone: zone.zone, slot: card.slot, name: card.name }); else peek(card.name); } }, t.face(card.down ? '' : card.name), spoken(card.name ?? 'A card face down'))));

/** What can be done with a zone. */
t.menu = (under, zone) => menu(under, zone.owner && zone.owner !== seat ? `${zone.name} of ${t.player(zone.owner)}` : zone.name, (add) => {
  const [name, own, pile] = [short(zone.zone), isMine(zone), zone.cards === null];
  const look = (count) => move({ do: 'look', zone: name, slot: 0, count, to: [seat] });
  const position = zone.told && h('p', { class: 'quiet' }, worded(zone.told, '.'));
  if (!t.plays || t.view.phase !== 'game') return [position, cardsOf(add, zone)];
  const many = numberOf('How many cards', Math.min(3, zone.count), zone.count);
  const hand = zone.kind === 'hand';
  return [position,
    t.held && t.takes(zone) && add(`Move it here`, () => t.place(zone)),
    t.held && pile && own && add('Move it to the bottom', () => t.place(zone, undefined, 'bottom')),
    pile && own && zone.count > 0 && h('p', { class: 'row' }, many, zone.seen === 'by-nobody' && add('Draw', () => t.drawFrom(zone, number(many))), add('Look at the top', () => look(number(many)))),
    pile && own && zone.count > 0 && add('Show the top card to all', () => move({ do: 'look', zone: name, slot: 0, count: 1, to: [] })),
    pile && own && zone.count > 0 && add('Look at all cards', () => look(zone.count)),
    own && zone.count > 1 && !isOpen(zone) && add('Shuffle', () => move({ do: 'shuffle', zone: name })),
    hand && own && zone.count > 0 && add('Show the hand to all', () => move({ do: 'look', zone: name, slot: 0, count: zone.count, to: [] })),
    hand && own && zone.count > 0 && h('p', { class: 'row' }, 'One at random to', t.view.zones.filter((to) => to.owner === seat && isOpen(to) && !to.grid && lookOf(to).pile !== false).slice(0, 6).map((to) => add(to.name, () => move({ do: 'random', from: name, to: short(to.zone) }))),
      others().map((other) => add(`${t.player(other)}’s hand`, () => move({ do: 'random', from: name, to: `${other}.hand` })))),
    hand && own && zone.count > 0 && others().length > 1 && h('p', { class: 'row' }, 'Show the hand to', others().map((other) => add(t.player(other), () => move({ do: 'look', zone: name, slot: 0, count: zone.count, to: [other] })))),
    isOpen(zone) && tokenForm((token, close) => { close(); move({ do: 'token', name: token, to: name }); }),
    cardsOf(add, zone)];
});

const tokenForm = (make) => {
  const name = naming('Name of a token');
  return h('form', { class: 'row', onsubmit: (event) => { event.preventDefault(); if (name.value.trim()) make(name.value.trim(), event.target.closest('.pop').close); } }, name, h('button', { class: 'btn' }, 'Make'));
};

/** The zones of a player that have no room on a phone. */
t.zones = (under, letter) => menu(under, t.player(letter), (add) => t.view.zones.filter((zone) => zone.owner === letter).map((zone) => add(`${zone.name} · ${zone.count}`, () => t.menu(under, zone))));

/** What can be done with the card that is picked up, besides playing it. */
function more(under) {
  const { zone: from, slot, name } = t.held;
  const zone = zoneNamed(from);
  const card = cardAt(t.held);
  const at = { zone: short(from), slot };
  menu(under, name ?? 'A card face down', (add) => {
    const counter = naming('Name of a counter', Object.keys(card?.counters ?? {})[0] ?? 'Mark', 'Counter');
    const mark = (change) => move({ do: 'mark', ...at, counter: counter.value.trim() || 'Mark', change }, true);
    const open = isOpen(zone);
    return [
      h('p', { class: 'row' }, 'Move to', t.view.zones.filter((to) => to !== zone && (isOpen(to) || isMine(to)) && !(to.grid?.rows > 1)).sort((one, other) => isMine(other) - isMine(one)).map((to) => add(to.owner && to.owner !== seat ? `${t.player(to.owner)}: ${to.name}` : to.name, () => t.place(to), `to ${to.zone}`))),
      t.view.zones.filter((to) => isMine(to) && to.seen === 'by-nobody').map((to) => add(`To the bottom of ${to.name}`, () => t.place(to, undefined, 'bottom'))),
      others().map((other) => add(`Give to ${t.player(other)}`, () => move({ do: 'give', from: short(from), slot, to: `${other}.hand` }))),
      h('p', { class: 'row' }, zone.seen === 'card-by-card' && add('Turn over', () => move({ do: 'flip', ...at })), open && add(card?.sideways ? 'Turn upright' : 'Turn sideways', () => move({ do: 'turn', ...at })),
        add('Attach to…', () => { t.held = { ...t.held, attaching: true }; draw(); toast('Choose the card to attach it to.'); }),
        !open && add('Show to all', () => move({ do: 'look', ...at, count: 1, to: [] })), card?.down && add('Look at it', () => move({ do: 'look', ...at, count: 1, to: [seat] }))),
      open && h('p', { class: 'row' }, counter, add('−', () => mark(-1), 'mark down'), add('+', () => mark(1), 'mark up')),
      open && Object.keys(t.view.seats).filter((letter) => letter !== (card?.owner ?? zone.owner) && others().length).map((letter) => add(letter === seat ? 'Take control' : `Control to ${t.player(letter)}`, () => move({ do: 'own', ...at, seat: letter }))),
      open && add('Remove this token', () => move({ do: 'remove', ...at }))];
  });
}

/** The buttons of one's own bar: what the picked card can do, or else the table's own. */
function acts() {
  if (!t.plays || t.view.phase !== 'game') return null;
  const opens = (word, key, what) => button(word, (event) => what(event.currentTarget), '', { 'data-key': key, 'aria-haspopup': 'dialog' });
  if (!t.held) return [!t.phone && button('Roll', () => move({ do: 'roll', sides: 6 }, true), '', { 'data-key': 'roll' }), opens(t.phone ? ['⋯', spoken('More')] : 'More', 'more', ofTable)];
  if (t.held.attaching) return [h('span', { class: 'quiet' }, 'Choose the card to attach it to.'), button('Cancel', () => hold(null), 'plain', { 'data-key': 'cancel' })];
  const from = zoneNamed(t.held.zone);
  const own = t.view.zones.filter((zone) => zone.owner === seat && zone.zone !== t.held.zone && isOpen(zone));
  const best = own.filter((zone) => t.takes(zone) === 'best');
  const piles = own.filter((zone) => lookOf(zone).pile);
  const rest = best.length ? [] : own.filter((zone) => !lookOf(zone).pile && !lookOf(zone).takes);
  const to = [...best, ...rest].slice(0, t.phone ? 2 : 3);
  const mixed = own.some((zone) => zone.seen === 'card-by-card') || t.view.zones.some((zone) => !zone.owner && zone.seen === 'card-by-card');
  return [
    to.map((zone, at) => button(`${t.phone ? '' : 'Play to '}${zone.name}`, () => t.place(zone), at === 0 ? 'main' : '', { 'data-key': `play ${zone.zone}` })),
    piles.slice(0, Math.max(1, (t.phone ? 3 : 4) - to.length)).map((zone) => button(zone.name, () => t.place(zone), '', { 'data-key': `play ${zone.zone}` })),
    mixed && from?.kind === 'hand' && button('Face down', () => { t.down = !t.down; draw(); }, '', { 'aria-pressed': String(t.down), 'data-key': 'down' }),
    opens('More…', 'card more', more), button('✕', () => hold(null), 'plain icon', { 'data-key': 'cancel', 'aria-label': 'Cancel' })];
}

/** What can be done that is of no card. */
const ofTable = (under) => menu(under, 'Table', (add) => {
  const sides = numberOf('Sides of the die', 6, 1000);
  const counter = naming('Name of a new counter', '', 'New counter');
  const hand = zoneNamed(`${seat}.hand`);
  return [h('p', { class: 'row' }, sides, add('Roll a die', () => move({ do: 'roll', sides: Math.max(2, number(sides)) }, true))),
    h('p', { class: 'row' }, counter, add('Count it', () => { if (counter.value.trim()) t.count(seat, counter.value.trim(), 1); })),
    hand && add('Your hand…', () => t.menu(under, hand)),
    !t.view.alone && add('Game over…', () => over(t), 'over')];
});

// The bar, the log and the whole page.

const isEnd = (step) => /^end turn$/i.test(step);
/** The steps before the turn ends, and which of them its player is in: the first, until another is chosen. */
const steps = () => t.mat?.steps ?? [];
const stepOf = () => Math.max(0, steps().indexOf(t.view.step));

function next() {
  const [all, at] = [steps(), stepOf()];
  const coming = all[at + 1];
  return move(!coming || isEnd(coming) ? { do: 'pass' } : { do: 'step', name: coming });
}

function bar() {
  const { view } = t;
  const playing = t.plays && view.phase === 'game';
  const mine = playing && view.active === seat;
  const [all, at] = [steps(), stepOf()];
  const coming = all[at + 1];
  const logo = $('#bar .logo');
  logo.querySelector('.wide').textContent = view.title;
  const state = offline || unanswered ? 'Reconnecting…' : view.phase === 'game' ? turnName(view.turn) : view.phase === 'setup' ? 'Setup' : 'Game over';
  fill($('#bar'), logo, h('span', { class: `quiet${offline || unanswered ? ' lost' : ' wide'}`, role: 'status' }, state),
    h('ol', { class: 'steps', 'aria-label': 'Steps of the turn' }, view.phase === 'game' && [h('li', { class: 'whose', 'aria-current': all.length ? null : 'step' }, whose()), all.filter((step) => !isEnd(step)).map((step, number) => h('li', { 'aria-current': number === at ? 'step' : null, class: number < at ? 'past' : null }, step))]),
    !t.plays && t.lower && button('Swap sides', () => { t.lower = Object.keys(view.seats).find((letter) => letter !== t.lower); draw(); }, '', { 'data-key': 'swap sides' }),
    button('Log', toggleLog, 'narrow', { 'data-key': 'log' }),
    playing && button('↶', () => move({ do: 'undo' }), 'plain icon', { 'data-key': 'undo', 'aria-label': 'Undo your last move', title: 'Undo your last move' }),
    playing && button(!mine ? 'Waiting' : !coming || isEnd(coming) ? (view.alone ? 'Next turn' : 'End turn') : `Next: ${coming}`, next, 'main', { 'data-key': 'next', disabled: !mine }));
}

/** What is asked of this seat, what others say of the end, and the end. */
function panel() {
  const { view } = t;
  const said = Object.entries(view.said ?? {});
  if (said.length && view.phase === 'game') {
    const [letter, { won }] = said[0];
    const own = view.said[seat];
    const waits = Object.keys(view.seats).filter((other) => view.said[other]?.won !== won);
    return h('div', { class: 'ask panel', role: 'alert' }, said.map(([who, { told }]) => h('p', {}, h('b', {}, t.player(who)), ` says that the game is over. ${told}`)),
      h('p', { class: 'row' }, t.plays && own?.won !== won && button('Yes, it is over', () => act({ end: { won } }), 'main', { 'data-key': 'agree' }),
        t.plays && own && button('Take it back', () => act({ end: null }), '', { 'data-key': 'refuse' }),
        h('span', { class: 'quiet' }, `The game ends when ${waits.map(t.player).join(' and ')} ${waits.length > 1 ? 'say' : 'says'} the same; ${letter === seat ? 'you' : 'everybody'} may play on.`)));
  }
  if (view.phase === 'setup') return question(t);
  return view.phase === 'ended' ? ended(t, dealt(location.pathname)) : null;
}

/** Replaces what is in an element; `false` and `null` are nothing. */
const fill = (place, ...inside) => place.replaceChildren(...inside.flat(3).filter((one) => one !== null && one !== undefined && one !== false));

function draw() {
  waits = pressed !== 0;
  if (waits || !t.view) return;
  const { view } = t;
  t.phone = narrow.matches;
  if (t.held && drawn !== view.rev) {
    const card = cardAt(t.held);
    if (!card || card.name !== t.held.name) t.held = null;
  }
  const isNew = drawn !== view.rev;
  drawn = view.rev;
  body.dataset.rev = view.rev;
  body.dataset.phase = view.phase;
  t.picks = picksOf();
  const focused = document.activeElement?.getAttribute('data-key');
  const scrolled = new Map([...document.querySelectorAll('[data-scroll]')].map((one) => [one.dataset.scroll, one.scrollTop]));
  measure(t, body);
  const { others, middle, ours, hand } = board(t);
  const ask = panel();
  bar();
  fill($('#ask'), ask);
  fill($('#theirs'), others);
  fill($('#middle'), middle);
  $('#middle').classList.toggle('beside', Array.isArray(middle));
  fill($('#ours'), ours ? ours(acts()) : []);
  $('#ours').classList.toggle('acting', Boolean(t.held));
  fill($('#hand'), hand);
  $('#hand').hidden = !hand;
  if (isNew) {
    $('.log ol').replaceChildren(...logLines(t));
    showNewest();
  }
  for (const one of document.querySelectorAll('[data-scroll]')) one.scrollTop = scrolled.get(one.dataset.scroll) ?? 0;
  if (t.held?.name && t.phone) peek(t.held.name); else $('.peek')?.remove();
  if (focused && !document.activeElement?.getAttribute('data-key')) document.querySelector(`[data-key="${CSS.escape(focused)}"]:not(:disabled)`)?.focus({ preventScroll: true });
  const yours = view.phase === 'game' && view.active === seat;
  document.title = `${view.asked?.mine || view.question ? '? ' : yours ? '● Your turn · ' : ''}${view.title}`;
  if (isNew) {
    const state = view.phase === 'ended' ? 'Game over' : view.phase === 'setup' ? (view.question ? 'You decide' : 'Setup') : whose();
    remember({ path: location.pathname, title: view.title, format, state });
  }
  if (!looked) t.look(view.zones.find((zone) => (zone.owner === seat || !t.plays) && isOpen(zone) && zone.cards?.[0]?.name)?.cards[0].name ?? zoneNamed(`${seat}.hand`)?.cards?.[0]?.name);
}

/** The cards that answer a pick, by where they lie. */
function picksOf() {
  const answers = t.view.question?.answers ?? [];
  const picks = answers.flatMap((answer, at) => (answer.slot === undefined ? [] : [[`${answer.zone}/${answer.slot}`, at]]));
  return picks.length ? new Map(picks) : null;
}

/** A card in full over the other side: a phone has no rail. */
function peek(name) {
  $('.peek')?.remove();
  const box = h('button', { type: 'button', class: 'peek', 'aria-label': `${name}: close`, onclick: () => box.remove() }, t.face(name, 'full'));
  // Never over one's own side.
  const room = ($('#theirs').getBoundingClientRect().bottom - 60) * (5 / 7);
  box.style.width = `${Math.max(112, Math.min(168, room))}px`;
  body.append(box);
}

const release = () => {
  clearTimeout(pressed);
  pressed = 0;
  if (waits) draw();
};
// What is drawn again loses the click that was begun on it.
$('#play').addEventListener('pointerdown', () => {
  clearTimeout(pressed);
  pressed = setTimeout(release, 5000);
});
for (const end of ['pointerup', 'pointercancel', 'dragend']) addEventListener(end, () => setTimeout(release, 0));

addEventListener('keydown', (event) => {
  if (event.target.matches('input, select, textarea') || event.altKey || document.querySelector('dialog[open], .pop')) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'z' && t.plays && t.view.phase === 'game') { event.preventDefault(); move({ do: 'undo' }); }
    return;
  }
  if (event.key === 'Escape' && t.held) hold(null);
  if (!t.plays || t.view?.phase !== 'game') return;
  const pile = drawPile();
  const hand = zoneNamed(`${seat}.hand`);
  if (event.key === 'n' && t.view.active === seat) next();
  if (event.key === 'd' && pile) t.drawFrom(pile);
  if (/^[1-8]$/.test(event.key) && hand?.cards?.[event.key - 1]) t.click(hand, hand.cards[event.key - 1]);
});

$('#rail').append(h('div', { class: 'read', 'aria-hidden': 'true' }), h('div', { class: 'log', tabindex: '0', role: 'log', 'aria-label': 'What happened' }, h('ol')));
narrow.addEventListener('change', () => { draw(); showNewest(); });
addEventListener('resize', () => {
  if (t.view) { measure(t, body); showNewest(); }
  const box = $('.pop');
  if (box) box.style.left = `${Math.max(8, Math.min(box.offsetLeft, innerWidth - box.offsetWidth - 8))}px`;
});
t.mat = await request(`${base}/mat`).catch(() => null);
await load();
listen(`${base}/changes`, (rev) => { if (!t.view || rev > t.view.rev) load(); }, (is) => { if (offline !== is) { offline = is; if (t.view) bar(); } });
