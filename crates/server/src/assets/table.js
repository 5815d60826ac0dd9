// A seat at a table: what it sees, and what its player does by click, drag and key.
import { ask, dialog, download, fill, h, later, passes, pause, Refused, say } from './api.js';
import { cardOf as drawnCard, faces, looks } from './card.js';
import { after, exchange, over } from './ended.js';
import { remembered } from './deal.js';
import { board, quoted } from './zones.js';

const main = document.getElementById('table');
const [id, seat] = [main.dataset.table, main.dataset.seat];
const base = `/api/t/${id}/${seat}`;
const plays = seat !== 'onlooker';

/** The seat as the table is drawn for it. */
const t = {
  seat, plays,
  /** What the server last told. @type {any} */ view: null,
  /** The card that is picked up. @type {{zone: string, slot: number, name?: string, attaching?: boolean} | null} */ held: null,
  /** Whether cards are laid face down. */ down: false,
  /** Zones of one's own that are unfolded. @type {Set<string>} */ open: new Set(),
  /** The faces that were told. @type {Map<string, any>} */ known: new Map(),
  move: async (line, anyhow = false) => {
    const picked = t.held;
    const done = await act({ move: line }, anyhow);
    // What was done with a card is done, unless another was picked up meanwhile.
    if (done && !anyhow && picked && t.held === picked) {
      t.held = null;
      draw();
    }
    return done;
  },
  text: (name) => text(name),
  draw: () => draw(),
};
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
/** Asks for the cards that are seen and not known, and draws them together. */
async function meet() {
  const seen = t.view.zones.flatMap((zone) => zone.cards ?? []).map((card) => card.name).filter(Boolean);
  const names = [...new Set(seen)].filter((name) => !t.known.has(name));
  if (!names.length) return;
  const answers = await Promise.allSettled(names.map(asks));
  answers.forEach(({ value }, at) => { if (value) t.known.set(names[at], value.face); });
  if (answers.some(({ value }) => value)) draw();
}

/** Takes in what the server tells, unless something newer is known. @param {any} told */
function take(told) {
  if (!t.view || told.rev >= t.view.rev) t.view = told;
  draw();
  meet();
}

async function load() {
  try {
    take(await ask('GET', `${base}/view`));
  } catch (error) {
    message = error.message;
    if (error instanceof Refused && error.status === 403) location.reload();
    if (t.view) draw();
  }
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
  const done = last.then(() => post({ rev: anyhow ? t.view.rev : rev, ...what }));
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
  const asked = t.view.question;
  if (!asked) {
    if (t.view.phase !== 'setup') return null;
    const whom = t.view.awaited.length ? `Seat ${t.view.awaited.join(', ')} decides.` : 'The table decides.';
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
  if (!t.view.asked) return null;
  const { by, told, needs, mine, own: ownAsk } = t.view.asked;
  return h('div', { class: 'note row', role: 'alert' }, h('span', {}, `Seat ${by} asks: ${told}`),
    mine ? h('button', { type: 'button', class: 'primary', 'data-key': 'agree', onclick: () => act({ agree: true }) }, 'Agree') : null,
    mine || ownAsk ? h('button', { type: 'button', 'data-key': 'refuse', onclick: () => act({ agree: false }) }, mine ? 'Refuse' : 'Take it back') : null,
    mine ? null : h('span', { class: 'quiet' }, `waits for seat ${needs.join(', ')}`));
}

/** The whole game, once it is over. */
async function keepFile() {
  try {
    const match = await ask('GET', `${base}/file`);
    download('match.json', new Blob([JSON.stringify(match, null, 2)], { type: 'application/json' }));
  } catch (error) { say(error.message); }
}

/** What this browser was told and brought before the deal. */
function before() {
  const deal = remembered(id);
  return deal && h('p', { id: 'before' }, 'Before decks were brought, the server’s secret had the SHA-256 ', h('code', { class: 'hash' }, deal.secret),
    '. This browser brought ', h('code', { class: 'hash' }, deal.brought), '. The file lists the secret and what it brought.');
}

function end() {
  if (t.view.phase !== 'ended') return null;
  return h('section', { class: 'receipt' }, h('h2', {}, 'The game is over'), h('p', {}, t.view.ended),
    after(t.view, base, seat),
    before(),
    h('p', {}, h('button', { type: 'button', id: 'keep', onclick: keepFile }, 'Keep the whole game as a file'), ' ',
      h('span', { class: 'quiet' }, h('code', {}, 'decklaw match verify'), ' deals it again.')));
}

/** Lines that were typed at this table, the last one last. @type {string[]} */
const typed = [];
let recalled = 0;

/** Sends what a line says, and keeps the line until it is done. @param {HTMLInputElement} input */
async function typedLine(input) {
  const line = input.value.trim();
  if (!line) return;
  if (typed.at(-1) !== line) typed.push(line);
  recalled = typed.length;
  const done = await t.move(line);
  const there = /** @type {HTMLInputElement | null} */ (document.getElementById('line'));
  if (there) there.value = done ? '' : line;
}

function recall(event) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  recalled = Math.max(0, Math.min(typed.length, recalled + by));
  event.target.value = typed[recalled] ?? '';
}

/** What ends a turn, a move and the game. */
function ends() {
  if (!plays || t.view.phase !== 'game') return null;
  return h('div', { class: 'row ends' },
    h('button', { type: 'button', class: 'primary', 'data-key': 'pass', disabled: t.view.active !== seat, onclick: () => t.move('pass') }, t.view.alone ? 'Next turn' : 'End turn'),
    h('button', { type: 'button', 'data-key': 'undo', onclick: () => t.move('undo') }, 'Undo'),
    h('button', { type: 'button', 'data-key': 'roll', onclick: () => t.move('roll') }, 'Roll'),
    t.view.alone ? null : h('button', { type: 'button', 'data-key': 'over', onclick: () => over(t.view, act) }, 'Game over…'));
}

/** A move that is typed. */
function line() {
  const input = h('input', {
    id: 'line', 'data-key': 'line', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'A move, such as: move hand 0 graveyard',
    placeholder: 'a move, or help (press / to come here)', onkeydown: recall,
  });
  return h('form', { class: 'row line', onsubmit: (event) => { event.preventDefault(); typedLine(input); } }, input, h('button', { 'data-key': 'do' }, 'Do'));
}

function log() {
  const { log: happened } = t.view;
  return [
    happened ? [h('h2', {}, 'What happened'),
      h('ol', { start: happened.first + 1, tabindex: '0', 'aria-label': 'What happened' }, happened.lines.map((line) => h('li', {}, line)))] : null,
    plays && t.view.phase === 'game' ? line() : null];
}

/** Whether the card that is picked up lies where it lay. */
function stays() {
  const cards = t.view.zones.find((zone) => zone.zone === t.held.zone)?.cards;
  const card = cards?.find((one) => one.slot === t.held.slot);
  return Boolean(card) && t.held.name === card.name;
}

/** What lies on the table, what lies before this seat, what is told beside it, and all of it. */
const lies = h('div', { class: 'board' });
const dock = h('div', { class: 'dock' });
const beside = h('aside', { class: 'log', 'aria-label': 'What happened' });
const first = h('div', { class: 'first' });
const place = h('div', { class: 'play' }, first, beside);
/** Whether the game was drawn. */
let began = false;

function draw() {
  waits = pressed !== 0;
  if (waits) return;
  if (t.held && drawn !== t.view.rev && !stays()) t.held = null;
  const [fresh, came] = [drawn !== t.view.rev, !began && t.view.phase === 'game'];
  began ||= came;
  drawn = t.view.rev;
  main.dataset.rev = t.view.rev;
  const written = /** @type {HTMLInputElement | null} */ (document.getElementById('line'))?.value;
  const strips = new Map([...main.querySelectorAll('[data-strip]')].map((strip) => [strip.dataset.strip, strip.scrollLeft]));
  const yours = t.view.phase === 'game' && t.view.active === seat;
  document.title = `${t.view.asked?.mine || t.view.question ? '? ' : yours ? '● Your turn · ' : ''}${t.view.title}`;
  const facts = [t.view.format, t.view.turn ? `turn ${t.view.turn}` : t.view.phase === 'setup' ? 'setup' : 'opening hand',
    t.view.chance === 'combined' ? 'dealt from chance of every browser' : '',
    t.view.chance === 'text' ? 'dealt from a text: whoever knows it can deal this again' : '',
    t.view.active && t.view.phase === 'game' ? `seat ${t.view.active} to act` : t.view.first ? `seat ${t.view.first} begins` : '', ...(t.view.sums ?? [])].filter(Boolean);
  const { table, dock: own } = board(t);
  fill(first, h('div', { class: 'row' }, h('h1', {}, h('bdi', {}, t.view.title)), h('p', { class: 'quiet', id: 'facts' }, facts.join(' · '))),
    question(), lies, dock);
  fill(lies, table);
  fill(dock, asked(), h('p', { class: 'message', role: 'status', id: 'message' }, message),
    h('ol', { class: 'recent', 'aria-hidden': 'true' }, (t.view.log?.lines ?? []).slice(-2).map((line) => h('li', {}, line))), own(ends()));
  fill(beside, log());
  fill(main, end(), place);
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById('line'));
  if (input && written !== undefined) input.value = written;
  for (const strip of main.querySelectorAll('[data-strip]')) strip.scrollLeft = strips.get(strip.dataset.strip) ?? 0;
  if (fresh) for (const list of main.querySelectorAll('.log ol')) list.scrollTop = list.scrollHeight;
  // One's own side of the table comes first into view.
  if (came) main.querySelector(`.seat[data-seat="${seat}"]`)?.scrollIntoView({ block: 'end' });
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
  } else if (event.key === 'Escape' && t.held) {
    t.held = null;
    draw();
  } else if (t.held && ['f', 't', 'v', 'l'].includes(event.key)) {
    t.move(`${event.key} ${quoted(t.held.zone)} ${t.held.slot}`);
  }
});

looks(main, async (name) => (await asks(name)).face);
await load();
// Whatever was missed is in the number that comes first.
function listen() {
  const changes = new EventSource(`${base}/changes`);
  changes.addEventListener('changed', (event) => {
    if (!t.view || Number(event.data) > t.view.rev) load();
  });
  // A browser connects again by itself, but not after every kind of end.
  changes.addEventListener('error', () => {
    if (changes.readyState === EventSource.CLOSED) later(2000).then(listen);
  });
}
listen();
