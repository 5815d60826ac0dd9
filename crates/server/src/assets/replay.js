// A saved match, step by step: its table as anybody saw it, or with all cards open.
import { ask, home, serves } from './carrier.js';
import { $, LOGO, button, h, pop, segment, spoken, takesFile, toast } from './dom.js';
import { faces } from './faces.js';
import { logLines, showNewest, toggleLog, turnName } from './log.js';
import { board, measure } from './zones.js';

/** Milliseconds between two moves at the speed 1. */
const PACE = 1200;
const SIGNS = { first: 'M4 4h2v12H4zM16 4v12l-9-6z', back: 'M13 4v12l-9-6z', play: 'M6 3v14l11-7z', pause: 'M5 4h4v12H5zm6 0h4v12h-4z', on: 'M7 4v12l9-6z', last: 'M14 4h2v12h-2zM4 4v12l9-6z' };
const sign = (name) => h('span', { 'aria-hidden': 'true', html: `<svg viewBox="0 0 20 20" width="16" height="16" fill="currentColor"><path d="${SIGNS[name]}"/></svg>` });
const narrow = matchMedia('(max-width: 1000px)');

/** The table as it is drawn. */
const t = {
  seat: null, plays: false, lower: null, phone: narrow.matches, held: null, picks: null,
  /** The answer of the engine. @type {any} */ view: null,
  /** @type {any} */ mat: null,
};
/** The file, its SHA-256 once the engine knows it, and how many moves are shown. */
let text = '', known = '', at = 0, name = '', open = false, speed = 1, playing = 0, asking = false, looked = '', drawer = null;

t.player = (letter) => { const { name: own } = t.view.seats[letter]; return own && own !== letter ? own : `Seat ${letter}`; };
t.lookOf = (zone) => t.mat?.zones.find((one) => one.id === zone.kind) ?? {};
t.takes = () => '';
t.drag = t.dropped = () => ({});
t.face = (card, size = 'thumb') => {
  if (!card) return h('span', { class: 'drawn', html: t.view.back.replace('<svg', '<svg class="face"') });
  const place = h('span', { class: size === 'slice' ? 'face' : 'drawn' });
  // A strip is filled, whatever its proportions.
  drawer.draw(place, card, size).then(() => size === 'slice' && place.firstElementChild?.setAttribute('preserveAspectRatio', 'xMidYMid slice'));
  return place;
};
t.look = (card) => {
  if (!card || card === looked) return;
  looked = card;
  $('.read').replaceChildren(t.face(card, 'full'));
};
t.click = (zone, card) => {
  t.look(card.name);
  if (!t.phone || !card.name) return;
  $('.peek')?.remove();
  document.body.append(h('button', { type: 'button', class: 'peek', 'aria-label': `${card.name}: close`, onclick: (event) => event.currentTarget.remove() }, t.face(card.name, 'full')));
};
/** The cards of a zone. */
t.menu = (under, zone) => pop(under, (place) => {
  place.classList.add('menu');
  place.append(h('h3', {}, zone.owner ? `${zone.name} of ${t.player(zone.owner)}` : zone.name), zone.cards
    ? h('div', { class: 'faces' }, zone.cards.map((card) => h('button', { type: 'button', class: 'card', onclick: () => t.click(zone, card), onpointerenter: () => t.look(card.name) }, t.face(card.down ? '' : card.name), spoken(card.name ?? 'A card face down'))))
    : h('p', {}, `${zone.count} cards, hidden.`));
});
t.zones = (under, letter) => pop(under, (place) => {
  place.classList.add('menu');
  place.append(h('h3', {}, t.player(letter)), ...t.view.zones.filter((zone) => zone.owner === letter).map((zone) => button(`${zone.name} · ${zone.count}`, () => { place.close(); t.menu(under, zone); })));
});

/** The view after some moves. The file is sent once, and again where the engine has forgotten it. */
async function viewed(moves) {
  const question = { ask: 'replay', at: moves, seat: open ? 'open' : 'public' };
  try {
    return await ask({ ...question, match: known || text });
  } catch (error) {
    if (!known) throw error;
    known = '';
    return ask({ ...question, match: text });
  }
}

/** Shows the match after this many moves; of several calls the last one counts. */
async function go(moves) {
  at = Math.max(0, t.view ? Math.min(t.view.moves, moves) : moves);
  if (asking) return;
  asking = true;
  try {
    for (let shown = -1, was = null; shown !== at || was !== open;) {
      [shown, was] = [at, open];
      const view = await viewed(shown);
      known = view.match;
      if (t.view?.format !== view.format) drawer = faces(view.format);
      t.mat = view.mat;
      t.view = Object.assign(view, { phase: view.active ? 'game' : 'setup' });
      at = Math.min(at, view.moves);
      t.lower ??= Object.keys(view.seats)[0];
      draw();
    }
  } catch (error) {
    stop();
    if (t.view) toast(error.message); else refuse(error);
  } finally { asking = false; }
}

function stop() { clearTimeout(playing); playing = 0; }
function play() {
  if (playing) { stop(); return transport(); }
  if (at >= t.view.moves) at = 0;
  const step = async () => {
    await go(at + 1);
    if (playing && at < t.view.moves) playing = setTimeout(step, PACE / speed); else { stop(); transport(); }
  };
  playing = setTimeout(step, PACE / speed / 2);
  return transport();
}

/** What is shown is done by hand: it plays no more. */
const to = (moves) => { stop(); go(moves); };

/** Why a file is not shown. */
function refuse(error) {
  text = '';
  $('#opens .answer').replaceChildren(h('p', { class: 'wrong', role: 'alert' }, h('b', {}, error.message), error.help ? h('span', {}, error.help) : null));
}

async function take(file) {
  stop();
  [text, name, known, at, t.view, t.lower, looked] = [await file.text(), file.name.replace(/\.json$/, ''), '', 0, null, null, ''];
  await go(0);
}

const chooser = (words, kind = '') => {
  const input = h('input', { class: 'away', type: 'file', accept: '.json,application/json' });
  input.addEventListener('change', () => { const [file] = input.files; input.value = ''; if (file) take(file); });
  return h('label', { class: `btn ${kind}`.trim() }, words, input);
};

function badge() {
  return button('✓ Verified', (event) => pop(event.currentTarget, (place) => {
    place.classList.add('menu');
    place.append(h('h3', {}, 'The file verifies'), h('ul', { class: 'proves' }, t.view.proves.map((sentence) => h('li', {}, sentence))));
  }), 'verified', { 'aria-haspopup': 'dialog', 'data-key': 'verified' });
}

function transport() {
  const { moves } = t.view;
  const goes = (key, label, moves) => button([sign(key)], () => to(moves), 'icon', { 'aria-label': label, title: label, 'data-key': key });
  const focused = document.activeElement?.getAttribute('data-key');
  const slider = h('input', { type: 'range', min: 0, max: moves, value: at, 'aria-label': 'Move', 'aria-valuetext': `${at} of ${moves}`, 'data-key': 'slider', oninput: (event) => to(Number(event.target.value)) });
  $('#transport').replaceChildren(
    h('p', { class: 'row' }, goes('first', 'To the beginning', 0), goes('back', 'One move back', at - 1),
      button([sign(playing ? 'pause' : 'play')], play, 'main icon', { 'aria-label': playing ? 'Pause' : 'Play', 'data-key': 'play' }), goes('on', 'One move on', at + 1), goes('last', 'To the end', moves)),
    slider, h('span', { class: 'quiet', role: 'status' }, `${at} of ${moves}`),
    h('p', { class: 'row more' }, segment('Speed', [[1, '1×'], [2, '2×'], [4, '4×']], speed, (value) => { speed = Number(value); transport(); }),
      button('Open cards', () => { open = !open; go(at); }, '', { 'aria-pressed': String(open), 'data-key': 'open' }), badge(), chooser('Open a match')));
  if (focused && focused !== document.activeElement?.getAttribute('data-key')) document.querySelector(`#transport [data-key="${focused}"]`)?.focus({ preventScroll: true });
}

function draw() {
  const { view } = t;
  t.phone = narrow.matches;
  document.body.dataset.at = view.at;
  $('#opens').hidden = true;
  for (const id of ['#play', '#rail', '#transport']) $(id).hidden = false;
  transport();
  t.below = $('#transport').offsetHeight;
  measure(t, document.body);
  const { others, middle, ours } = board(t);
  const fill = (place, ...inside) => place.replaceChildren(...inside.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  const all = t.mat?.steps ?? [];
  const step = Math.max(0, all.indexOf(view.step));
  fill($('#bar'), h('a', { class: 'logo', href: serves ? home : '#', html: `${LOGO}<span class="away">Start page</span>` }), h('b', { class: 'wide' }, h('bdi', {}, name)), h('span', { class: 'quiet wide' }, view.active ? turnName(view.turn) : 'Setup'),
    h('ol', { class: 'steps', 'aria-label': 'Steps of the turn' }, view.active && [h('li', { class: 'whose', 'aria-current': all.length ? null : 'step' }, `${t.player(view.active)}’s turn`), all.map((one, number) => h('li', { 'aria-current': number === step ? 'step' : null, class: number < step ? 'past' : null }, one))]),
    button('Log', toggleLog, 'narrow', { 'data-key': 'log' }),
    Object.keys(view.seats).length === 2 && button('Swap sides', () => { t.lower = Object.keys(view.seats).find((letter) => letter !== t.lower); draw(); }, '', { 'data-key': 'swap sides' }));
  fill($('#theirs'), others);
  fill($('#middle'), middle);
  $('#middle').classList.toggle('beside', Array.isArray(middle));
  fill($('#ours'), ours ? ours([]) : []);
  $('.log ol').replaceChildren(...logLines(t));
  showNewest();
  if (!looked) t.look(view.zones.find((zone) => zone.cards?.[0]?.name)?.cards[0].name);
}

/** The page before a match is opened. */
function begin() {
  $('#rail').append(h('div', { class: 'read', 'aria-hidden': 'true' }), h('div', { class: 'log', tabindex: '0', role: 'log', 'aria-label': 'What happened' }, h('ol')));
  $('#opens').append(h('h1', {}, 'Replay a match'), h('p', { class: 'quiet' }, 'Open the file of a match: what a table saves at its end, or what “decklaw match” writes. It is dealt again before it is shown.'), h('p', { class: 'acts' }, chooser('Choose a file', 'main big')), h('div', { class: 'answer', 'aria-live': 'polite' }));
  $('#bar').append(h('a', { class: 'logo', href: serves ? home : '#', html: `${LOGO}decklaw` }));
  takesFile(document.body, take, null, $('#opens'));
  narrow.addEventListener('change', () => t.view && draw());
  if (!serves) addEventListener('hashchange', () => location.reload());
  addEventListener('resize', () => t.view && draw());
  addEventListener('keydown', (event) => {
    if (!t.view || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('.pop')) return;
    const isSlider = event.target.matches('input[type=range]');
    if (event.key === 'Escape') $('.peek')?.remove();
    if (event.key === ' ' && !event.target.matches('button, label, input')) { event.preventDefault(); play(); }
    if (!isSlider && event.key === 'ArrowLeft') to(at - 1);
    if (!isSlider && event.key === 'ArrowRight') to(at + 1);
  });
  // A table that ended hands its file over.
  const file = sessionStorage.getItem('replay');
  sessionStorage.removeItem('replay');
  if (file) take(new File([file], 'match.json'));
}
begin();
