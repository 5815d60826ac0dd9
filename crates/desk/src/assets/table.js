// A seat at a table: what it sees, and what its player does by click, drag and key.
import { ask, chance, dialog, download, fill, h, later, passes, pause, Refused, say } from './api.js';
import { cardOf as drawnCard, faces, looks } from './card.js';
import { after, exchange, over } from './ended.js';
import { committed, due, faultOf, gathering, roundsOf } from './shares.js';

const main = document.getElementById('table');
const [id, seat] = [main.dataset.table, main.dataset.seat];
const base = `/api/t/${id}/${seat}`;
const plays = seat !== 'onlooker';
const seen = `decklaw-seen-${id}`;

/** What the server last told. @type {any} */
let view = null;
/** The card that is picked up. @type {{zone: string, slot: number} | null} */
let held = null;
/** Whether cards are laid face down. */
let down = false;
/** What stands below the table. */
let message = '';
/** The state that is drawn: what is clicked is meant of it. */
let drawn = 0;
/** While something is pressed, since what is drawn anew would lose the click. */
let pressed = 0;
/** Whether something is to be drawn as soon as nothing is pressed. */
let waits = false;
/** Whether something that was done here is sent again until the server answers. */
let unanswered = false;
/** What was done last, until the server has answered. @type {Promise<unknown>} */
let last = Promise.resolve();

/** What the game's cards say, by their names: asked for when a card lies where this seat sees it. */
const asks = faces((name) => ask('GET', `${base}/card?name=${encodeURIComponent(name)}`));
/** The faces that were told. @type {Map<string, any>} */
const known = new Map();

/** Asks for the cards that are seen and not known, and draws them together. */
async function meet() {
  const seen = view.zones.flatMap((zone) => zone.cards ?? []).map((card) => card.name).filter(Boolean);
  const names = [...new Set(seen)].filter((name) => !known.has(name));
  if (!names.length) return;
  const answers = await Promise.allSettled(names.map(asks));
  answers.forEach(({ value }, at) => { if (value) known.set(names[at], value.face); });
  if (answers.some(({ value }) => value)) draw();
}

const quoted = (zone) => (/\s/.test(zone) ? `"${zone}"` : zone);
const cellOf = (column, row) => String.fromCharCode(97 + column) + (row + 1);
const zoneOf = (name) => view.zones.find((zone) => zone.zone === name);
const own = (zone) => zone.owner === seat;

/** Takes in what the server tells, if it is not older than what is shown. */
function take(told) {
  if (view && told.rev < view.rev) return;
  view = told;
  // What was told first is kept, so that the end can be held beside it.
  try {
    const kept = JSON.parse(localStorage.getItem(seen) ?? '{}');
    const told = committed(view);
    const { rounds } = view.shares ?? {};
    if (view.phase === 'shares' && told) localStorage.setItem(seen, JSON.stringify({ commitments: told, rounds }));
    if (view.phase === 'game') localStorage.setItem(seen, JSON.stringify({ ...kept, digest: kept.digest ?? view.digest, hash: view.hash }));
  } catch { /* a browser that keeps nothing compares nothing */ }
  draw();
  meet();
  // After whatever this was an answer to.
  setTimeout(bring, 0);
}

async function load() {
  try {
    take(await ask('GET', `${base}/view`));
  } catch (error) {
    message = error.message;
    if (error instanceof Refused && error.status === 403) location.reload();
    if (view) draw();
  }
}

/** Shows this browser's share once all have committed. */
async function bring() {
  const share = plays ? await due(view, id, seat) : null;
  if (share) act({ share: { show: share } });
}

/** Does something at the table, after what was done before it. @param {Record<string, unknown>} what
 * @param {boolean} [anyhow] whether it means the same when that or another seat changed the table */
function act(what, anyhow = false) {
  if (!plays) return Promise.resolve(false);
  if (unanswered) {
    message = 'This was not done: what you did before still waits for the server.';
    draw();
    return Promise.resolve(false);
  }
  const rev = drawn;
  // What is sent again, since its answer did not come, has the same form and is done once.
  const form = chance();
  const done = last.then(() => post({ form, rev: anyhow ? view.rev : rev, ...what }));
  last = done;
  return done;
}

/** Sends what was done until there is an answer. */
async function post(what) {
  for (let tries = 0; ; tries += 1) {
    try {
      const told = await ask('POST', `${base}/do`, what);
      unanswered = false;
      message = (told.remarks ?? []).join(' ');
      take(told);
      if (told.help) dialog('What can be typed', h('pre', {}, told.help));
      return true;
    } catch (error) {
      if (passes(error)) {
        unanswered = true;
        message = 'The server does not answer. What you did is sent again until it does, as long as this page stays open.';
        draw();
        await later(pause(tries));
        continue;
      }
      message = error.message;
      unanswered = false;
      if (error.told?.view) take(error.told.view);
      else draw();
      return false;
    }
  }
}

const move = (line, anyhow = false) => act({ move: line }, anyhow);

/** Lays the card that is held somewhere. @param {string} zone @param {string} [where] */
function lay(zone, where = '') {
  if (!held) return;
  const { zone: from, slot } = held;
  move(`move ${quoted(from)} ${slot} ${quoted(zone)} ${where} ${down ? 'down' : ''}`.trim());
}

/** Lets cards be dropped on an element. */
function target(element, zone, where) {
  if (!plays || view.phase !== 'game') return element;
  element.addEventListener('dragover', (event) => {
    event.preventDefault();
    element.classList.add('over');
  });
  element.addEventListener('dragleave', () => element.classList.remove('over'));
  element.addEventListener('drop', (event) => {
    event.preventDefault();
    event.stopPropagation();
    element.classList.remove('over');
    const [from, slot] = JSON.parse(event.dataTransfer.getData('text/plain') || 'null') ?? [];
    if (from === undefined) return;
    held = { zone: from, slot };
    lay(zone, where);
  });
  return element;
}

function cardOf(zone, card) {
  const picked = held && held.zone === zone.zone && held.slot === card.slot;
  const counters = Object.entries(card.counters ?? {}).map(([name, value]) => `${name} ${value}`);
  const about = [card.owner && card.owner !== zone.owner ? `of ${card.owner}` : '',
    card.on === undefined ? '' : `on ${card.on}`, card.sideways ? 'sideways' : '', ...counters].filter(Boolean);
  const name = card.down ? 'face down' : card.name;
  const face = card.down ? null : known.get(card.name);
  const button = h('button', {
    class: `card${card.down ? ' down' : ''}${card.sideways ? ' sideways' : ''}${card.owner ? ` of-${card.owner}` : ''}`,
    type: 'button', draggable: plays ? 'true' : undefined, 'aria-pressed': String(Boolean(picked)),
    'data-key': `${zone.zone}/${card.slot}`, 'data-zone': zone.zone, 'data-slot': card.slot,
    'data-look': card.name,
    onclick: () => {
      if (picked) held = null;
      else held = { zone: zone.zone, slot: card.slot };
      draw();
    },
    ondragstart: (event) => event.dataTransfer.setData('text/plain', JSON.stringify([zone.zone, card.slot])),
  }, face ? drawnCard(face, true) : h('bdi', {}, name), about.length ? h('small', {}, about.join(', ')) : null);
  return button;
}

/** A grid, one's own home nearest. */
function gridOf(zone) {
  const { rows, columns, home } = zone.grid;
  const flipped = seat === 'B' && rows > 1;
  const order = (count, back) => Array.from({ length: count }, (_, at) => (back ? count - 1 - at : at));
  const on = (cell) => zone.cards.filter((card) => card.at === cell);
  const homeOf = (row) => (home && row === 0 ? `${home} of A` : home && row === rows - 1 ? `${home} of B` : '');
  const table = h('div', { class: 'grid', role: 'group', 'aria-label': zone.label, 'data-columns': columns },
    order(rows, !flipped).map((row) => h('div', { class: `squares n${columns}` },
      order(columns, flipped).map((column) => {
        const cell = cellOf(column, row);
        const cards = on(cell);
        const square = h('div', { class: `square${homeOf(row) ? ' home' : ''}`, 'data-cell': cell },
          h('button', {
            class: 'cell', type: 'button', 'data-key': `${zone.zone}@${cell}`, disabled: !held,
            'aria-label': `${held ? 'Lay on' : 'Square'} ${cell}${homeOf(row) ? `, ${homeOf(row)}` : ''}`,
            onclick: () => lay(zone.zone, cell),
          }, cell),
          cards.map((card) => cardOf(zone, card)));
        return target(square, zone.zone, cell);
      }))));
  const loose = zone.cards.filter((card) => !card.at);
  return [table, loose.length ? h('div', { class: 'cards' }, loose.map((card) => cardOf(zone, card))) : null];
}

function zoneBox(zone) {
  const over = zone.most !== null && zone.count > zone.most;
  const count = `${zone.count}${zone.most === null ? '' : ` of ${zone.most}`}`;
  const head = h('div', { class: 'row head' },
    h('button', {
      type: 'button', class: 'name', 'data-key': `zone ${zone.zone}`, disabled: !held || view.phase !== 'game',
      title: zone.told ?? undefined, onclick: () => lay(zone.zone, zone.cards === null ? 'top' : ''),
      'aria-label': held ? `Lay into ${zone.label}` : zone.label,
    }, zone.label),
    h('span', { class: over ? 'message' : 'quiet' }, count),
    plays && view.phase === 'game' && own(zone) && zone.cards === null && zone.count
      ? h('button', { type: 'button', 'data-key': `draw ${zone.zone}`, onclick: () => move(`draw 1 ${quoted(zone.zone)}`) }, 'Draw') : null,
    plays && view.phase === 'game' && !zone.owner && zone.cards === null && zone.count
      ? h('button', { type: 'button', 'data-key': `draw ${zone.zone}`, onclick: () => move(`draw 1 ${quoted(zone.zone)}`) }, 'Draw') : null);
  const cards = zone.cards ?? [];
  const inside = zone.grid && zone.cards ? gridOf(zone) : cards.length ? h('div', { class: 'cards' }, cards.map((card) => cardOf(zone, card))) : null;
  const box = h('section', { class: `zone${cards.length || zone.grid ? '' : ' closed'}`, 'data-zone': zone.zone }, head, inside);
  return target(box, zone.zone, zone.cards === null ? 'top' : '');
}

function seatBox(letter) {
  const about = view.seats[letter];
  const counters = Object.entries(about.counters).map(([name, value]) => h('span', { class: 'counter' },
    `${name.replaceAll('_', ' ')} `, h('b', {}, value),
    plays && view.phase === 'game' ? ['-1', '+1'].map((change) => h('button', {
      type: 'button', class: 'step', 'data-key': `${letter} ${name} ${change}`, 'aria-label': `${name.replaceAll('_', ' ')} of ${letter} ${change}`,
      onclick: () => move(`count ${letter} ${quoted(name)} ${change}`, true),
    }, change === '-1' ? '−' : '+')) : null));
  const zones = view.zones.filter((zone) => zone.owner === letter);
  // A hand stands below all else.
  zones.sort((a, b) => Number(a.zone.endsWith('.hand')) - Number(b.zone.endsWith('.hand')));
  return h('section', { class: `seat${letter === view.active ? ' active' : ''}`, 'data-seat': letter },
    h('h2', {}, `Seat ${letter}`, about.name === letter ? '' : h('bdi', {}, `: ${about.name}`), letter === seat ? ' (you)' : '',
      about.spec ? h('span', { class: 'quiet' }, ` ${about.spec}`) : null),
    counters.length ? h('div', { class: 'row' }, counters) : null,
    h('div', { class: 'zones' }, zones.map(zoneBox)));
}

/** What can be done with the card that is held. */
function tools() {
  if (!plays || view.phase !== 'game') return null;
  const zone = held && zoneOf(held.zone);
  const card = zone?.cards?.find((one) => one.slot === held.slot);
  const at = held && `${quoted(held.zone)} ${held.slot}`;
  const others = Object.keys(view.seats).filter((letter) => letter !== seat);
  const tool = (word, what) => h('button', { type: 'button', disabled: !held, 'data-key': `tool ${word}`, onclick: what }, word);
  return h('div', { class: 'row tools', role: 'toolbar', 'aria-label': 'With the card' },
    tool('Flip', () => move(`flip ${at}`)), tool('Turn', () => move(`turn ${at}`)),
    tool('Show', () => move(`reveal ${at}`)), tool('Look', () => move(`look ${at}`)),
    tool('Top', () => lay(held.zone, 'top')), tool('Bottom', () => lay(held.zone, 'bottom')),
    tool('Mark +1', () => move(`mark ${at} mark 1`)), tool('Mark −1', () => move(`mark ${at} mark -1`)),
    others.map((other) => tool(`Give ${other}`, () => move(`give ${at} ${other}.hand`))),
    h('button', { type: 'button', disabled: !card?.name, 'data-key': 'tool Text', onclick: () => text(card.name) }, 'Text'),
    h('label', { class: 'chip' }, h('input', {
      type: 'checkbox', checked: down, 'data-key': 'down', onchange: (event) => { down = event.target.checked; },
    }), 'face down'));
}

async function text(name) {
  try {
    const told = await asks(name);
    dialog(told.name, told.face && drawnCard(told.face), h('dl', { class: 'fields' }, told.fields.map(([key, value]) => [h('dt', {}, key), h('dd', {}, value)])));
  } catch (error) {
    say(error.message);
  }
}

/** What is asked of this seat in the setup. */
function question() {
  const asked = view.question;
  if (!asked) {
    if (view.phase !== 'setup') return null;
    const whom = view.awaited.length ? `Seat ${view.awaited.join(', ')} decides.` : 'The table decides.';
    return h('p', { class: 'note', role: 'status' }, whom);
  }
  return h('form', { class: 'asked', onsubmit: (event) => event.preventDefault() }, h('h2', {}, `${asked.text}?`),
    asked.answers.map((answer, at) => {
      const lines = exchange(answer, at, act);
      if (lines) return h('div', { class: 'answer' }, lines);
      const lists = answer.cards.filter((list) => list.count !== 0 && list.of.length);
      const chosen = answer.cards.map(() => []);
      const boxes = lists.map((list) => h('fieldset', {}, h('legend', {}, list.told, list.count === null ? '' : ` (${list.count})`),
        list.of.map((name, number) => h('label', { class: 'chip', 'data-look': name }, h('input', {
          type: 'checkbox', 'data-key': `answer ${at} ${list.told} ${number}`,
          onchange: (event) => {
            const own = chosen[answer.cards.indexOf(list)];
            if (event.target.checked) own.push(number);
            else own.splice(own.indexOf(number), 1);
          },
        }), name))));
      return h('div', { class: 'answer' },
        h('button', { type: 'button', 'data-key': `answer ${at}`, onclick: () => act({ answer: at, cards: chosen }) }, answer.told), boxes);
    }));
}

/** What another seat asks. */
function asked() {
  if (!view.asked) return null;
  const { by, told, needs, mine, own: ownAsk } = view.asked;
  return h('div', { class: 'note row', role: 'alert' }, h('span', {}, `Seat ${by} asks: ${told}`),
    mine ? h('button', { type: 'button', class: 'primary', 'data-key': 'agree', onclick: () => act({ agree: true }) }, 'Agree') : null,
    mine || ownAsk ? h('button', { type: 'button', 'data-key': 'refuse', onclick: () => act({ agree: false }) }, mine ? 'Refuse' : 'Take it back') : null,
    mine ? null : h('span', { class: 'quiet' }, `waits for seat ${needs.join(', ')}`));
}

/** Deals the match again here, and says whether it agrees. */
async function again() {
  const place = document.getElementById('proof');
  fill(place, h('p', {}, 'The match is dealt again in this browser…'));
  try {
    const [{ redeal }, { play, setup, rounds }] = await Promise.all([import('./redeal.js'), ask('GET', `${base}/proof`)]);
    const kept = JSON.parse(localStorage.getItem(seen) ?? '{}');
    const why = await redeal(play, setup, kept) ?? await faultOf(rounds ?? [], kept.rounds);
    const { seed } = play.match.inputs.randomness;
    fill(place,
      h('p', {}, 'The secret was ', h('code', { class: 'hash' }, seed)),
      why === null
        ? h('p', { class: 'verdict legal', id: 'agrees' }, `It agrees: this browser dealt every card again from the secret and SHA-256, and followed ${play.moves.length} moves.`)
        : h('p', { class: 'message', id: 'agrees', role: 'alert' }, `It does not agree: ${why}.`),
      roundsOf(rounds ?? []),
      h('button', { type: 'button', onclick: () => download('match.play.json', new Blob([JSON.stringify(play, null, 2)], { type: 'application/json' })) }, 'Keep the whole game as a file'));
  } catch (error) {
    fill(place, h('p', { class: 'message', role: 'alert' }, error.message));
  }
}

function end() {
  if (view.phase === 'ended') {
    return h('section', { class: 'receipt' }, h('h2', {}, 'The game is over'), h('p', {}, view.ended),
      after(view, base, seat),
      h('button', { type: 'button', id: 'again', onclick: again }, 'Deal it again in this browser'), h('div', { id: 'proof', 'aria-live': 'polite' }));
  }
  return null;
}

function command() {
  if (!plays || view.phase !== 'game') return null;
  const input = h('input', {
    id: 'line', 'data-key': 'line', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'A move, such as: move hand 0 graveyard',
    placeholder: 'a move, such as: m hand 0 graveyard   (press / to come here)',
  });
  return h('form', {
    class: 'row line', onsubmit: async (event) => {
      event.preventDefault();
      const line = input.value.trim();
      if (line && await move(line)) document.getElementById('line').value = '';
      else if (document.getElementById('line')) document.getElementById('line').value = line;
    },
  }, input, h('button', { 'data-key': 'do' }, 'Do'),
  h('button', { type: 'button', 'data-key': 'roll', onclick: () => move('roll') }, 'Roll'),
  h('button', { type: 'button', 'data-key': 'undo', onclick: () => move('undo') }, 'Undo'),
  h('button', { type: 'button', class: 'primary', 'data-key': 'pass', disabled: view.active !== seat, onclick: () => move('pass') }, 'End turn'),
  h('button', {
    type: 'button', 'data-key': 'over', onclick: () => over(view, act),
  }, 'Game over…'));
}

function log() {
  if (!view.log) return null;
  const { first, lines } = view.log;
  return h('section', { class: 'log' }, h('h2', {}, 'What happened'),
    (view.shares?.lines ?? []).map((line) => h('p', { class: 'note' }, line)),
    h('ol', { start: first + 1, tabindex: '0', 'aria-label': 'What happened' }, lines.map((line) => h('li', {}, line))));
}

function draw() {
  waits = pressed !== 0;
  if (waits) return;
  if (drawn !== view.rev) held = null;
  drawn = view.rev;
  main.dataset.rev = view.rev;
  const line = /** @type {HTMLInputElement | null} */ (document.getElementById('line'))?.value ?? '';
  const letters = Object.keys(view.seats);
  const others = letters.filter((letter) => letter !== seat);
  const middle = view.zones.filter((zone) => !zone.owner);
  const facts = [view.format, view.turn ? `turn ${view.turn}` : 'setup',
    view.chance === 'combined' ? 'dealt from shares of all seats' : '',
    view.chance === 'text' ? 'dealt from a text: whoever knows it can deal this again' : '',
    view.active && view.phase === 'game' ? `seat ${view.active} to act` : view.first ? `seat ${view.first} begins` : '', ...(view.sums ?? [])].filter(Boolean);
  fill(main,
    h('h1', {}, h('bdi', {}, view.title)),
    h('p', { class: 'quiet', id: 'facts' }, facts.join(' · ')),
    end(), gathering(view, id, seat, act), question(), asked(),
    h('p', { class: 'message', role: 'status', id: 'message' }, message),
    view.phase === 'shares' ? null : h('div', { class: 'play' },
      h('div', { class: 'board' }, others.map(seatBox),
        middle.length ? h('section', { class: 'middle' }, h('h2', {}, 'In the middle'), h('div', { class: 'zones' }, middle.map(zoneBox))) : null,
        plays ? seatBox(seat) : null, tools(), command()),
      log()));
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById('line'));
  if (input) input.value = line;
  const list = main.querySelector('.log ol');
  if (list) list.scrollTop = list.scrollHeight;
}

const release = () => {
  clearTimeout(pressed);
  pressed = 0;
  if (waits) draw();
};
main.addEventListener('pointerdown', () => {
  clearTimeout(pressed);
  pressed = setTimeout(release, 5000);
});
// After the click that it makes, if it makes one.
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(release, 0));

addEventListener('keydown', (event) => {
  const typing = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox';
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (event.key === '/') {
    event.preventDefault();
    document.getElementById('line')?.focus();
  } else if (event.key === 'Escape' && held) {
    held = null;
    draw();
  } else if (held && ['f', 't', 'v', 'l'].includes(event.key)) {
    move(`${event.key} ${quoted(held.zone)} ${held.slot}`);
  }
});

looks(main, async (name) => (await asks(name)).face);
await load();
// Whatever was missed is in the number that comes first.
function listen() {
  const changes = new EventSource(`${base}/changes`);
  changes.addEventListener('changed', (event) => {
    if (!view || Number(event.data) > view.rev) load();
  });
  // A browser connects again by itself, but not after every kind of end.
  changes.addEventListener('error', () => {
    if (changes.readyState === EventSource.CLOSED) later(2000).then(listen);
  });
}
listen();
