// The first page: games and decks by their cards, and a deck from anywhere checked at once. Served and
// published pages run it; which games there are, the engine says.
import { address, ask, serves } from './carrier.js';
import { fixed } from './deck.js';
import { create, forget, list, watch } from './decks.js';
import { $, button, h, pop, segment, takesFile, toast } from './dom.js';
import { written } from './engine.js';
import { faces, watcher } from './faces.js';
import { VERDICTS, changes, findings, verdict } from './findings.js';
import { pack, plain } from './links.js';
import { plural, sentence } from './words.js';

/** How many decks of a kind are shown at first. */
const SHOWN = 4;

const { games, samples } = await ask({ ask: 'format' });
const usable = games.filter((game) => !game.wrong);
const formats = new Map(usable.flatMap((game) => game.formats.map((format) => [format.format, { ...format, game }])));

const isRuled = (format) => formats.get(format)?.game.rules;
/** The address of the builder with an empty deck. */
const begin = (format) => address(format).replace(/[#&]$/, '');

// Cards

/** What draws the cards of each format. */
const drawers = new Map();
function draws(format) {
  if (!drawers.has(format)) drawers.set(format, faces(format));
  return drawers.get(format);
}

/** Draws cards into a place. @param {[string, string][]} cards format and name */
async function draw(place, cards, size = 'thumb') {
  const boxes = cards.map((_, at) => h('span', { style: { '--i': String(at) } }));
  place.replaceChildren(...boxes);
  const drawn = await Promise.all(cards.map(([format, name], at) => draws(format).draw(boxes[at], name, size)));
  place.style.setProperty('--c', drawn[Math.floor(cards.length / 2)]?.colour ?? '');
}

const near = watcher(null);
/** Cards side by side, drawn once they are near the window. */
function fan(cards) {
  const place = h('div', { class: 'fan', 'aria-hidden': 'true' });
  place.near = (is) => { if (is && !place.firstChild) draw(place, cards); };
  near.observe(place);
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

/** Five cards, of as many games as there are. */
async function showcase() {
  const ruled = usable.filter((game) => game.rules).slice(0, 5);
  const each = await Promise.all(ruled.map((game) => showpieces(game.formats[0].format, 5)));
  // What leads a deck is in the middle; of each game it comes first.
  const order = ruled.length > 1 ? [2, 1, 3, 0, 4] : [0, 1, 2, 3, 4];
  const turns = order.flatMap((at) => each.map((cards) => cards[at])).filter(Boolean);
  await draw($('#showcase'), turns.slice(0, 5), 'full');
}

// Games

function tile({ name, about, format, others = [] }) {
  const art = h('span', { class: 'art', 'aria-hidden': 'true' });
  showpieces(format, 3).then((cards) => draw(art, cards, 'full'));
  const list = () => h('ul', { class: 'formats' }, others.map((one) => h('li', {}, h('a', { href: begin(one.format) }, h('bdi', {}, one.name)), h('span', { class: 'quiet' }, ` ${one.about}`))));
  const more = others.length > 0 && button(`All ${others.length} formats`, (event) => pop(event.currentTarget, (box) => box.append(list())), 'plain', { 'aria-expanded': 'false' });
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
function deckItem({ deck, format, name, about, shown, acts }) {
  return h('li', { class: 'deck' }, h('div', { class: 'row' }, h('h3', {}, h('bdi', {}, name), h('small', {}, about)), shown),
    fan(known(deck).map((card) => [format, card])), h('p', { class: 'acts' }, acts));
}

/** What can be done with a deck that an address names: `z=` holds it, `d=` is its id. */
const ways = (format, name, end, plays) => [h('a', { class: 'btn', href: `${address(format)}${end}`, 'aria-label': `Open ${name}` }, 'Open'),
  serves && plays && h('a', { class: 'btn', href: `/play?format=${format}#${end}`, 'aria-label': `Play ${name}` }, 'Play')];

/** Decks, or the first of them and a button for the others. */
function limit(place, count, whole, all) {
  place.nextElementSibling?.matches('.more') && place.nextElementSibling.remove();
  if (count < whole) place.after(h('p', { class: 'more' }, button(`All ${whole} decks`, all)));
}

async function showSamples(game, most = SHOWN) {
  const own = samples.filter((sample) => sample.game === game);
  const legal = own.filter((sample) => sample.verdict === 'legal');
  const others = own.filter((sample) => sample.verdict !== 'legal');
  const some = [...legal.slice(0, others.length ? most - 1 : most), ...others].slice(0, most);
  limit($('#samples .decks'), some.length, own.length, () => showSamples(game, own.length));
  $('#samples .decks').replaceChildren(...await Promise.all(some.map(async ({ deck, format, name, player, verdict: word, cards }) => {
    const packed = await pack({ format, ...plain(deck) });
    const about = `${player ? `by ${player}` : 'Sample'} · ${plural(cards, 'card')}`;
    return deckItem({ deck, format, name, about, shown: verdict(word), acts: ways(format, name, `z=${packed}`, word === 'legal') });
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
    const waiting = verdict('empty', '…');
    verdicts.push([waiting, format, deck]);
    const about = `${formats.get(format).name} · ${new Date(at).toLocaleDateString([], { dateStyle: 'medium' })}`;
    const remove = async () => {
      await forget(id);
      await showMine();
      toast(`${name} deleted.`, async () => {
        await create({ format, deck });
        showMine();
      });
    };
    return deckItem({ deck, format, name, about, shown: waiting, acts: [ways(format, name, `d=${id}`, true), button('Delete', remove, 'plain', { 'aria-label': `Delete ${name}` })] });
  }));
  for (const [waiting, format, deck] of verdicts) {
    try {
      const judged = await ask({ ask: 'check', format, deck: plain(deck), settings: deck.settings ?? {} });
      waiting.replaceWith(linesOf(deck).length ? verdict(judged.verdict) : verdict('empty', 'Empty'));
    } catch { /* the builder says why */ }
  }
}

// Check a deck

const text = $('#text');
let file = null;
/** Which check is the last one: an earlier answer is not shown. */
let turn = 0;

/** A button that opens a deck in the builder, as one of this browser. */
const opener = (format, deck, words, kind = '') => button(words, async () => {
  const whole = { ...plain(deck), format };
  const end = await create({ format, deck: whole }).then(({ id }) => `d=${id}`, async () => `z=${await pack(whole)}`);
  location.assign(`${address(format)}${end}`);
}, kind);

const problem = (error) => h('p', { class: 'message', role: 'alert' }, error.message);

async function fix(own, place, format, deck, settings) {
  own.disabled = true;
  try {
    const [answer, { sections }] = await Promise.all([ask({ ask: 'fix', format, deck: plain(deck), settings }), ask({ ask: 'format', format })]);
    if (answer.distance === null) {
      return place.replaceChildren(h('p', {}, answer.impossible ? 'No legal deck is near this one: the rules contradict what it keeps.' : 'No fix found within the search limit.'),
        h('ul', {}, (answer.reasons ?? []).map((reason) => h('li', {}, sentence(reason.message ?? reason, '.')))));
    }
    const named = (id) => (sections.length > 1 ? sections.find((section) => section.id === id)?.name ?? id : '');
    own.hidden = true;
    const words = answer.changes.length ? `${plural(answer.distance, 'change')}${answer.optimal ? ', proven minimal' : ''} ` : 'Names corrected ';
    place.replaceChildren(h('h3', {}, words, verdict(answer.after.verdict)),
      ...(answer.renamed ?? []).map(({ from, to }) => h('p', {}, h('s', {}, from), ' → ', to)),
      changes(answer.changes, named), opener(format, fixed(plain(deck), answer), 'Open the fixed deck', 'main'));
  } catch (error) {
    place.replaceChildren(problem(error));
    own.disabled = false;
  }
}

const formatChoice = (format) => h('label', { class: 'judged' }, h('span', { class: 'quiet' }, 'Format '), h('select', { class: 'select', onchange: (event) => check(event.target.value) },
  !format && h('option', { value: '' }, 'Choose one'),
  usable.map((game) => h('optgroup', { label: game.name }, game.formats.map((one) => h('option', { value: one.format, selected: one.format === format }, one.name))))));

/** The worst findings, and the rest behind a line. */
function found({ findings: all }) {
  const weight = { error: 0, warning: 1, notice: 2 };
  const sorted = all.toSorted((one, other) => weight[one.severity] - weight[other.severity]);
  return [findings(sorted.slice(0, 6)), sorted.length > 6 && h('details', {}, h('summary', {}, `${sorted.length - 6} more`), findings(sorted.slice(6)))];
}

/** Checks the deck in the box; without a format the one that the deck says, or whose cards it has. @param {string} [format] */
async function check(format) {
  const answer = $('.answer');
  const mine = ++turn;
  const show = (...inside) => answer.replaceChildren(...h('div', {}, ...inside).childNodes);
  if (!text.value.trim()) return show(verdict('empty', 'No deck yet'), h('p', { class: 'quiet' }, 'Write one card a line, its count first.'));
  try {
    const read = (chosen) => ask({ ask: 'read', deck: text.value, ...(file ? { file } : {}), ...(chosen ? { format: chosen } : {}) });
    let known = await read(format ?? (formats.size === 1 ? [...formats.keys()][0] : undefined));
    if (known.deck && !known.format && known.likely.length) known = await read(usable.find((game) => game.id === known.likely[0]).formats[0].format);
    if (mine !== turn) return;
    const { deck, check: report, format: of } = known;
    if (deck && !of) return show(h('p', { class: 'row' }, verdict('empty', 'Which format is it?'), formatChoice()), h('p', {}, 'No game here has these cards. Choose the format.'));
    const judged = isRuled(of) || report.verdict !== 'legal' ? VERDICTS[report.verdict].toLowerCase() : 'no rules to check';
    const faulty = ['illegal', 'incomplete'].includes(report.verdict);
    const fixes = h('div', { class: 'fix' });
    show(h('p', { class: 'row' }, verdict(report.verdict, of ? `${formats.get(of).name}: ${judged}` : VERDICTS.unreadable), deck && formatChoice(of)), found(report),
      deck && h('p', { class: 'acts' }, opener(of, deck, 'Open in the builder', faulty ? '' : 'main'),
        faulty && button('Fix', (event) => fix(event.currentTarget, fixes, of, deck, deck.settings ?? {}), 'main')), fixes);
  } catch (error) {
    if (mine === turn) show(problem(error));
  }
}

async function take(dropped) {
  $('#check').scrollIntoView({ block: 'center' });
  text.value = await dropped.text();
  file = dropped.name;
  check();
}

for (const to of document.querySelectorAll('a[href="#check"]')) to.addEventListener('click', () => setTimeout(() => text.focus({ preventScroll: true })));
$('#check form .btn.main').disabled = false;
$('#check form').addEventListener('submit', (event) => { event.preventDefault(); check(); });
text.addEventListener('input', () => { file = null; });
text.addEventListener('paste', () => setTimeout(check));
takesFile(globalThis, take, $('#file'), $('#check'));
const broken = samples.find((sample) => sample.verdict === 'illegal');
$('#example').hidden = !broken;
$('#example').addEventListener('click', async () => {
  text.value = (await written(broken.format, plain(broken.deck), 'text')).text;
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
// One that was followed before this listened is gone to now.
function leave() { if (location.hash === '#replay' || new URLSearchParams(location.hash.slice(1)).has('f')) location.reload(); }
if (!serves) { addEventListener('hashchange', leave); leave(); }
document.documentElement.dataset.ready = 'yes';
