// The deck to be shown: its Hero or Shells as a banner, under it every card as a face in columns by cost; and its
// picture, which the engine draws and the browser turns into pixels.
import { acts } from './cards.js';
import { button, h, save, spoken, toast } from './dom.js';
import { written } from './engine.js';
import { miniCurve } from './offers.js';
import { pillOf, verdictOf } from './strip.js';
import { bucketsOf, first, isNumber, place, titled } from './words.js';

/** The size of the picture. */
const WIDE = 1600, HIGH = 900;
/** The space between faces and between columns, the height of a column's head, and the smallest and largest face. */
const GAP = 8, APART = 18, HEAD = 26, LEAST = 110, MOST = 190;

/** The largest face at which all columns fit into a room: its width, and how many faces side by side each column has. */
function fit(columns, width, height) {
  const subs = (rows) => columns.map((one) => Math.ceil(one.list.length / rows)), fits = (w, all) => all.reduce((sum, n) => sum + n * (w + GAP) - GAP, 0) + APART * (columns.length - 1) <= width;
  for (let w = MOST; w >= LEAST; w--) {
    const all = subs(Math.max(1, Math.floor((height - HEAD + GAP) / (w * 1.4 + GAP))));
    if (fits(w, all)) return { w, all };
  }
  // Too many for one screen: it scrolls.
  for (let rows = 1; ; rows++) { const all = subs(rows); if (fits(LEAST, all) || rows > 60) return { w: LEAST, all }; }
}
/** The cards of the part that is shown, by the column of the curve. */
function columnsOf(app) {
  const { game, deck } = app, { curve } = game.builder, cards = deck.lines(app.open).map(({ name, count }) => ({ card: app.cards.get(name) ?? { name }, n: count })), by = game.face?.colour?.by;
  const all = bucketsOf(game, curve).map((one) => ({ label: `${isNumber(game, curve) ? `${titled(curve)} ` : ''}${one.label}`, list: cards.filter(({ card }) => one.has(card[curve])) }));
  const listed = new Set(all.flatMap((one) => one.list));
  return [...all, { label: 'Other', list: cards.filter((one) => !listed.has(one)) }].filter((one) => one.list.length).map((one) => ({ ...one, list: one.list.sort((a, b) => place(game, by, first(a.card, by)) - place(game, by, first(b.card, by)) || a.card.name.localeCompare(b.card.name)), n: one.list.reduce((sum, { n }) => sum + n, 0) }));
}
/** What a deck is known by: what its first steps picked, or else its dearest cards. */
function leadersOf(app) {
  const { game, deck } = app, lead = app.leads.flatMap((id) => deck.lines(id).map(({ name }) => name)), { curve } = game.builder;
  const dear = deck.lines(game.drawn).map(({ name }) => app.cards.get(name) ?? { name }).sort((a, b) => place(game, curve, first(b, curve)) % 1e6 - place(game, curve, first(a, curve)) % 1e6);
  return (lead.length ? lead : dear.map(({ name }) => name)).slice(0, 3);
}

/** Draws the deck into a place. @param {HTMLElement} body @param {any} app @param {Map<string, any>} wrong the findings by card */
export function gallery(body, app, wrong) {
  const { game, deck } = app, leaders = leadersOf(app), columns = columnsOf(app), phone = innerWidth <= 760, top = body.scrollTop;
  const { w, all } = phone ? { w: Math.floor((innerWidth - 40) / 3), all: columns.map(() => 3) } : fit(columns, innerWidth - 80, innerHeight - 52 - 72 - 57 - 160 - 60);
  const [look, word] = app.view ? pillOf(verdictOf(app)) : ['empty', '…'], parts = app.sections().filter((id) => deck.total(id) && !app.leads.includes(id)).map((id) => (id === game.drawn ? `${deck.total(id)} cards` : `${deck.total(id)} ${app.sectionName(id).toLowerCase()}`));
  const back = h('div', { class: 'back', 'aria-hidden': 'true' }, leaders.map((name) => { const slice = h('span'); app.faces.draw(slice, name, 'slice'); return slice; }));
  const change = (name) => (by) => app.put(name, deck.count(name, app.open) + by, app.open);
  const face = ({ card: { name }, n }) => {
    const finding = wrong.get(name), own = h('button', { ...acts(app, name, { from: app.open, change: change(name), set: (to) => app.put(name, to, app.open) }), class: 'card' }, spoken(`${name}, ${n} in deck. ${finding?.message ?? ''}`));
    app.faces.draw(own, name, w < 140 ? 'small' : 'full');
    return h('li', { class: finding?.severity === 'error' ? 'wrong' : '', title: finding?.message }, own, h('b', { class: 'times', 'aria-hidden': 'true' }, `×${n}`));
  };
  body.replaceChildren(h('div', { class: 'gallery' }, h('header', { class: 'banner' }, back, h('div', { class: 'name' }, h('h2', {}, h('bdi', {}, deck.now.name ?? 'Untitled deck')), h('p', {}, h('span', { class: `verdict ${look}` }, word), h('span', {}, [game.name, ...parts].join(' · '))), h('p', { class: 'led' }, h('bdi', {}, leaders.join(' · ')))),
    game.builder.curve && miniCurve(app, deck.lines(game.drawn)), button('Copy picture', (event) => copyPicture(app, event.currentTarget), 'copy')),
  columns.length ? h('div', { class: 'columns', style: { '--w': `${w}px` } }, columns.map((one, at) => h('section', { style: { '--subs': all[at] } }, h('h3', {}, one.label, h('span', { class: 'quiet' }, one.n)), h('ul', {}, one.list.map(face))))) : h('p', { class: 'none' }, 'No cards yet.')));
  body.scrollTop = top;
  const [stop] = body.querySelectorAll('[data-name]');
  if (stop) stop.tabIndex = 0;
}

/** The deck's picture as pixels. @param {any} app */
async function picture(app) {
  const { bytes } = await written(app.game.format, app.deck.now, 'svg'), url = URL.createObjectURL(new Blob([bytes], { type: 'image/svg+xml' })), image = new Image();
  try {
    await new Promise((done, failed) => { image.onload = done; image.onerror = () => failed(new Error('This browser cannot draw the picture.')); image.src = url; });
    const canvas = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH });
    canvas.getContext('2d').drawImage(image, 0, 0, WIDE, HIGH);
    return await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  } finally { URL.revokeObjectURL(url); }
}
/** Puts the picture into the clipboard, or where a browser does not let a page do so into a file. */
async function copyPicture(app, own) {
  const words = own.textContent, name = `${app.fileName()}.png`;
  own.disabled = true;
  own.textContent = 'Drawing…';
  try {
    const made = await picture(app);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': made })]);
      toast(`Picture copied: ${WIDE} × ${HIGH}.`, () => save(name, made), 'Save as file');
    } catch { save(name, made); toast(`Saved ${name}.`); }
  } catch (error) { toast(error.message); }
  own.disabled = false;
  own.textContent = words;
}
