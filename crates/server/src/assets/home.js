// The first page: games and decks by their cards, and a deck from anywhere checked at once. Served and
// published pages run it; which games there are, the engine says.
import { address, ask, picture, serves } from './carrier.js';
import { create, forget, list, watch } from './decks.js';
import { $, h, pop, segment, toast } from './dom.js';
import { VERDICTS } from './findings.js';
import { pack, plain } from './links.js';

/** How many decks of a kind are shown at first. */
const SHOWN = 4;

const { games, samples } = await ask({ ask: 'format' });
const usable = games.filter((game) => !game.wrong);
const formats = new Map(usable.flatMap((game) => game.formats.map((format) => [format.format, { ...format, game }])));

const pill = (verdict, words = VERDICTS[verdict]) => h('span', { class: `verdict ${verdict === 'unreadable' ? 'illegal' : verdict}` }, words);
const isRuled = (format) => formats.get(format).game.rules;
/** The address of the builder with an empty deck. */
const begin = (format) => address(format).replace(/[#&]$/, '');

// Cards

/** The faces of cards, by size, format and name. @type {Map<string, any>} */
const faces = new Map();

const keyOf = ([format, name], size) => `${size}\n${format}\n${name}`;
const faceOf = (card, size) => faces.get(keyOf(card, size));

/** Asks for the faces of cards that are not known yet, all of a format at once. @param {[string, string][]} cards format and name */
async function know(cards, size) {
  const missing = new Map();
  for (const [format, name] of cards) if (!faceOf([format, name], size)) missing.set(format, [...missing.get(format) ?? [], name]);
  await Promise.all([...missing].map(async ([format, names]) => {
    const answer = await ask({ ask: 'faces', format, size, cards: names });
    answer.faces.forEach((face, at) => faces.set(keyOf([format, names[at]], size), face));
  }));
}

/** Draws cards into a place. @param {[string, string][]} cards format and name */
async function draw(place, cards, size = 'thumb') {
  try { await know(cards, size); } catch { return; /* the page says all that the pictures say */ }
  place.replaceChildren(...cards.map((card, at) => {
    const face = faceOf(card, size);
    const box = h('span', { class: 'face', style: { '--i': String(at) }, html: face.svg });
    // A picture that does not come leaves the drawing.
    if (face.picture) box.append(h('img', { src: picture(face), alt: '', loading: 'lazy', onerror: (event) => event.target.remove() }));
    return box;
  }));
  place.style.setProperty('--c', faceOf(cards[Math.floor(cards.length / 2)], size).colour);
}

/** Draws once the place is near the window. */
const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) if (isIntersecting) { near.unobserve(target); target.drawn(); }
}, { rootMargin: '300px' });
function fan(cards, about) {
  const place = h('div', { class: 'fan', 'aria-hidden': 'true', ...about });
  place.drawn = () => draw(place, cards);
  if (cards.length) near.observe(place);
  return place;
}

const linesOf = (deck) => Object.values(plain(deck).sections).filter((lines) => lines.length);
/** The largest section of a deck, and the cards that are alone in theirs, such as a leader. */
function parts(deck) {
  const sections = linesOf(deck).sort((one, other) => other.length - one.length);
  return { lead: sections.slice(1).filter((lines) => lines.length === 1).map(([line]) => line.name), main: sections[0] ?? [] };
}
/** The cards that a deck is known by: its leaders, and those it has most of. */
function known(deck, most = 4) {
  const { lead, main } = parts(deck);
  return [...lead, ...main.toSorted((one, other) => other.count - one.count).map((line) => line.name)].slice(0, most);
}
/** Some cards from all over a list. */
const spread = (names, most) => Array.from({ length: Math.min(most, names.length) }, (_, at) => names[Math.floor((at + 0.5) * names.length / Math.min(most, names.length))]);

/** Cards that show what a format is: of its samples, or else of its pool. @returns {Promise<[string, string][]>} */
async function showpieces(format, most) {
  const { game } = formats.get(format);
  const sample = samples.find((one) => one.format === format) ?? samples.find((one) => one.game === game.id);
  if (sample) {
    const { lead, main } = parts(sample.deck);
    const names = spread(main.map((line) => line.name), most);
    if (lead.length) names[Math.floor(names.length / 2)] = lead[0];
    return names.map((name) => [sample.format, name]);
  }
  try {
    const { cards } = await ask({ ask: 'cards', format, most: 60 });
    return spread(cards.map((card) => card.name), most).map((name) => [format, name]);
  } catch {
    return [];
  }
}

/** The hue of a colour such as `#c8402f`, in degrees; greys have none. */
function hue(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  if (most - least < 24) return null;
  const sixth = most === red ? (green - blue) / (most - least) : most === green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least);
  return (sixth * 60 + 360) % 360;
}

/** Five cards of as many games and colours as there are. */
async function showcase() {
  const ruled = usable.filter((game) => game.rules);
  const each = await Promise.all(ruled.slice(0, 5).map((game) => showpieces(game.formats[0].format, ruled.length > 1 ? 3 : 9)));
  try { await know(each.flat(), 'full'); } catch { return; /* the words next to it say what the page is */ }
  const shown = [];
  const apart = (card) => {
    const own = hue(faceOf(card, 'full').colour);
    const others = shown.map((one) => hue(faceOf(one, 'full').colour));
    const distance = (other) => (own === null || other === null ? (own === other ? 0 : 60) : Math.min(Math.abs(own - other), 360 - Math.abs(own - other)));
    return Math.min(360, ...others.map(distance));
  };
  for (let turn = 0; shown.length < 5 && each.some((cards) => cards.length); turn += 1) {
    const cards = each[turn % each.length];
    if (!cards.length) continue;
    const best = cards.reduce((one, other) => (apart(other) > apart(one) ? other : one));
    cards.splice(cards.indexOf(best), 1);
    shown.push(best);
  }
  if (shown.length) await draw($('#showcase'), shown, 'full');
}

// Games

function tile({ name, about, format, others = [] }) {
  const art = h('span', { class: 'art', 'aria-hidden': 'true' });
  showpieces(format, 3).then((cards) => cards.length && draw(art, cards, 'full'));
  const more = others.length > 0 && h('button', { class: 'btn plain', 'aria-expanded': 'false', onclick: (event) => pop(event.currentTarget, (box) => box.append(
    h('ul', { class: 'formats' }, others.map((one) => h('li', {}, h('a', { href: begin(one.format) }, h('bdi', {}, one.name)), h('span', { class: 'quiet' }, ` ${one.about}`)))))) }, `All ${others.length} formats`);
  return h('li', { class: 'game' }, art, h('div', { class: 'says' },
    h('h3', {}, h('a', { href: begin(format), 'aria-label': `Build a deck of ${name}` }, h('bdi', {}, name))), h('p', { class: 'quiet' }, about), more));
}

function showGames() {
  const [only] = usable;
  const open = games.length > 1 ? usable.filter((game) => !game.rules) : [];
  const tiles = games.length === 1 && only ? only.formats
    : usable.filter((game) => game.rules).map((game) => ({ ...game.formats[0], name: game.name, others: game.formats.length > 1 ? game.formats : [] }));
  const broken = games.filter((game) => game.wrong).map((game) => h('li', { class: 'game' }, h('div', { class: 'says' }, h('h3', {}, h('bdi', {}, game.name)), h('p', { class: 'message' }, game.wrong))));
  $('ul.games').replaceChildren(...tiles.map(tile), ...broken);
  if (tiles.length === 1) $('.hero .main').href = begin(tiles[0].format);
  $('#games').append(...open.map((game) => h('p', { class: 'quiet' }, h('a', { href: begin(game.formats[0].format) }, h('bdi', {}, game.name)), `: ${game.formats[0].about}`)));
}

// Decks

/** A deck with its verdict, its cards and what can be done with it. */
function deckItem({ deck, format, name, about, verdict, acts }) {
  return h('li', { class: 'deck' }, h('div', { class: 'row' }, h('h3', {}, h('bdi', {}, name), h('small', {}, about)), verdict),
    fan(known(deck).map((card) => [format, card])), h('p', { class: 'acts' }, acts));
}

const link = async (format, deck) => `${address(format)}z=${await pack({ format, ...plain(deck) })}`;
const play = (format, verdict, name, end) => serves && verdict === 'legal' && h('a', { class: 'btn', href: `/play?format=${format}#${end}`, 'aria-label': `Play ${name}` }, 'Play');

/** Decks, or the first of them and a button for the others. */
function limit(place, count, whole, all) {
  place.nextElementSibling?.matches('.more') && place.nextElementSibling.remove();
  if (count < whole) place.after(h('p', { class: 'more' }, h('button', { class: 'btn', onclick: all }, `All ${whole} decks`)));
}

async function showSamples(game, most = SHOWN) {
  const own = samples.filter((sample) => sample.game === game);
  const legal = own.filter((sample) => sample.verdict === 'legal');
  const others = own.filter((sample) => sample.verdict !== 'legal');
  const some = [...legal.slice(0, others.length ? most - 1 : most), ...others].slice(0, most);
  limit($('#samples .decks'), some.length, own.length, () => showSamples(game, own.length));
  $('#samples .decks').replaceChildren(...await Promise.all(some.map(async ({ deck, format, name, player, verdict, cards }) => {
    const packed = await pack({ format, ...plain(deck) });
    return deckItem({ deck, format, name, about: `${player ? `by ${player}` : 'Sample'} · ${cards} cards`, verdict: pill(verdict), acts: [
      h('a', { class: 'btn', href: `${address(format)}z=${packed}`, 'aria-label': `Open ${name}` }, 'Open'), play(format, verdict, name, `z=${packed}`)] });
  })));
}

let most = SHOWN;
async function showMine() {
  const place = $('#mine .decks');
  let decks;
  try { decks = (await list()).filter((stored) => formats.has(stored.format)); } catch { return; /* the builder says it where a deck is to be stored */ }
  for (const part of [$('#mine'), $('#to-mine')]) part.hidden = !decks.length;
  const shown = decks.slice(0, most);
  limit(place, shown.length, decks.length, () => { most = decks.length; showMine(); });
  const verdicts = [];
  place.replaceChildren(...shown.map(({ id, format, deck, name, at }) => {
    const verdict = h('span', { class: 'verdict empty' }, '…');
    verdicts.push([verdict, format, deck]);
    return deckItem({ deck, format, name, verdict, about: `${formats.get(format).name} · ${new Date(at).toLocaleDateString([], { dateStyle: 'medium' })}`, acts: [
      h('a', { class: 'btn', href: `${address(format)}d=${id}`, 'aria-label': `Open ${name}` }, 'Open'),
      serves && h('a', { class: 'btn', href: `/play?format=${format}#d=${id}`, 'aria-label': `Play ${name}` }, 'Play'),
      h('button', { class: 'btn plain', 'aria-label': `Delete ${name}`, onclick: async () => {
        await forget(id);
        await showMine();
        toast(`${name} deleted.`, async () => { await create({ format, deck }); showMine(); });
      } }, 'Delete')] });
  }));
  for (const [place, format, deck] of verdicts) {
    try {
      const { verdict } = await ask({ ask: 'check', format, deck: plain(deck), settings: deck.settings ?? {} });
      place.replaceWith(linesOf(deck).length ? pill(verdict) : pill('empty', 'Empty'));
    } catch { /* the builder says why */ }
  }
}

// Check a deck

/** A sentence of the engine: a capital, a full stop, and words in backticks in bold. @param {string} text */
const sentence = (text) => (text[0].toUpperCase() + text.slice(1)).replace(/(?<![.!?])$/, '.').split('`').map((part, at) => (at % 2 ? h('b', {}, h('bdi', {}, part)) : part));

const text = $('#text');
let file = null;
/** Which check is the last one: an earlier answer is not shown. */
let turn = 0;

/** What a deck becomes by a fix. */
function fixed(deck, { renamed = [], changes }) {
  const next = structuredClone(plain(deck));
  const names = new Map(renamed.map(({ from, to }) => [from, to]));
  for (const lines of Object.values(next.sections)) for (const line of lines) line.name = names.get(line.name) ?? line.name;
  for (const { section, card, to } of changes) {
    const lines = (next.sections[section] ?? []).filter((line) => line.name !== card);
    const at = (next.sections[section] ?? []).findIndex((line) => line.name === card);
    if (to > 0) lines.splice(at < 0 ? lines.length : at, 0, { count: to, name: card });
    next.sections[section] = lines;
  }
  return next;
}

const opener = (format, deck, words, look = 'btn') => h('button', { class: look, onclick: async () => {
  const whole = { ...plain(deck), format };
  let to;
  try { to = `${address(format)}d=${(await create({ format, deck: whole })).id}`; } catch { to = await link(format, whole); }
  location.assign(to);
} }, words);

const problem = (error) => h('p', { class: 'message', role: 'alert' }, error.message);

async function fix(button, place, format, deck, settings) {
  button.disabled = true;
  try {
    const [answer, { sections }] = await Promise.all([ask({ ask: 'fix', format, deck: plain(deck), settings }), ask({ ask: 'format', format })]);
    if (answer.distance === null) return place.replaceChildren(h('p', {}, answer.impossible ? 'No legal deck is near this one: the rules contradict what it keeps.' : 'No fix found within the search limit.'), answer.reasons?.length > 0 && h('ul', {}, answer.reasons.map((reason) => h('li', {}, sentence(reason.message ?? reason)))) || '');
    const where = (id) => (sections.length > 1 ? h('span', { class: 'quiet' }, ` ${sections.find((section) => section.id === id)?.name ?? id}`) : null);
    button.hidden = true;
    const count = answer.changes.length ? `${answer.distance} ${answer.distance === 1 ? 'change' : 'changes'}${answer.optimal ? ', proven minimal' : ''}` : 'Names corrected';
    place.replaceChildren(h('h3', {}, `${count} `, pill(answer.after.verdict)),
      h('ul', { class: 'changes' }, (answer.renamed ?? []).map(({ from, to }) => h('li', {}, h('s', {}, from), ' → ', to)),
        answer.changes.map(({ section, card, from, to }) => h('li', { class: to > from ? 'in' : 'out' }, h('b', {}, to > from ? `+${to - from}` : `−${from - to}`), ` ${card}`, where(section)))),
      opener(format, fixed(deck, answer), 'Open the fixed deck', 'btn main'));
  } catch (error) {
    place.replaceChildren(problem(error));
    button.disabled = false;
  }
}

const formatChoice = (format) => h('label', { class: 'judged' }, h('span', { class: 'quiet' }, 'Format '), h('select', { class: 'select', onchange: (event) => check(event.target.value) },
  !format && h('option', { value: '' }, 'Choose one'),
  usable.map((game) => h('optgroup', { label: game.name }, game.formats.map((one) => h('option', { value: one.format, selected: one.format === format }, one.name))))));

function findings(report) {
  const weight = { error: 0, warning: 1, notice: 2 };
  const found = report.findings.toSorted((one, other) => weight[one.severity] - weight[other.severity]);
  const item = ({ severity, line, message, help }) => h('li', { class: severity }, line && h('span', { class: 'quiet' }, `Line ${line}: `), sentence(message), help && h('p', { class: 'quiet' }, sentence(help)));
  const rest = found.slice(6);
  return [h('ul', { class: 'findings' }, found.slice(0, 6).map(item)), rest.length > 0 && h('details', {}, h('summary', {}, `${rest.length} more`), h('ul', { class: 'findings' }, rest.map(item)))];
}

/** Checks the deck in the box; without a format the one that the deck says, or whose cards it has. @param {string} [format] */
async function check(format) {
  const answer = $('.answer');
  const mine = ++turn;
  if (!text.value.trim()) return answer.replaceChildren(pill('empty', 'No deck yet'), h('p', { class: 'quiet' }, 'Write one card a line, its count first.'));
  try {
    const read = (chosen) => ask({ ask: 'read', deck: text.value, ...(file ? { file } : {}), ...(chosen ? { format: chosen } : {}) });
    let found = await read(format ?? (formats.size === 1 ? [...formats.keys()][0] : undefined));
    if (found.deck && !found.format && found.likely.length) found = await read(usable.find((game) => game.id === found.likely[0]).formats[0].format);
    if (mine !== turn) return;
    const { deck, check: report } = found;
    const name = formats.get(found.format)?.name;
    const fixes = h('div', { class: 'fix' });
    const faulty = deck && found.format && ['illegal', 'incomplete'].includes(report.verdict);
    answer.replaceChildren(h('p', { class: 'row' }, pill(found.format || !deck ? report.verdict : 'empty', found.format ? `${name}: ${isRuled(found.format) || report.verdict !== 'legal' ? VERDICTS[report.verdict].toLowerCase() : 'no rules to check'}` : deck ? 'Which format is it?' : VERDICTS.unreadable), deck && formatChoice(found.format)),
      ...(deck && !found.format ? [h('p', {}, 'No game here has these cards. Choose the format.')] : findings(report).filter(Boolean)),
      deck && found.format ? h('p', { class: 'acts' }, opener(found.format, deck, 'Open in the builder', faulty ? 'btn' : 'btn main'),
        faulty && h('button', { class: 'btn main', onclick: (event) => fix(event.currentTarget, fixes, found.format, deck, deck.settings ?? {}) }, 'Fix')) : '', fixes);
  } catch (error) {
    if (mine === turn) answer.replaceChildren(problem(error));
  }
}

async function take(dropped) {
  if (!dropped) return;
  text.value = await dropped.text();
  file = dropped.name;
  check();
}

for (const to of document.querySelectorAll('a[href="#check"]')) to.addEventListener('click', () => setTimeout(() => text.focus({ preventScroll: true })));
$('#check form .btn.main').disabled = false;
$('#check form').addEventListener('submit', (event) => { event.preventDefault(); check(); });
text.addEventListener('input', () => { file = null; });
text.addEventListener('paste', () => setTimeout(check));
$('#file').addEventListener('change', (event) => take(event.target.files[0]));
for (const kind of ['dragover', 'dragleave', 'drop']) {
  addEventListener(kind, (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    $('#check').classList.toggle('over', kind === 'dragover');
    if (kind === 'drop') { $('#check').scrollIntoView({ block: 'center' }); take(event.dataTransfer.files[0]); }
  });
}
const broken = samples.find((sample) => sample.verdict === 'illegal');
$('#example').hidden = !broken;
$('#example').addEventListener('click', async () => {
  const { bytes } = await ask({ ask: 'write', to_format: 'text', format: broken.format, deck: plain(broken.deck) });
  text.value = new TextDecoder().decode(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
  file = null;
  check();
});

showGames();
showcase();
const shown = usable.filter((game) => samples.some((sample) => sample.game === game.id));
if (shown.length) {
  $('#samples').hidden = false;
  if (shown.length > 1) $('#samples .pick').append(segment('Game of the sample decks', shown.map((game) => [game.id, game.name]), shown[0].id, (game) => showSamples(game)));
  showSamples(shown[0].id);
}
showMine();
watch(({ id }) => id && showMine());
// On a published page the builder is another fragment of this address.
if (!serves) addEventListener('hashchange', () => { if (new URLSearchParams(location.hash.slice(1)).has('f')) location.reload(); });
document.documentElement.dataset.ready = 'yes';
