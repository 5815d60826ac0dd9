// The organiser's page: players by state, what needs an answer next to them, one click to a deck
// check. Everything shown is one state of the server; everything done is one decision in words.
import './due.js';
import './key.js';
import { $, button, copier, dialog, h, percent, pop, select, takesFile, toast } from './dom.js';
import { faces } from './faces.js';
import { VERDICTS, changes, findings, verdict } from './findings.js';
import { request } from './http.js';
import { plural, sentence } from './words.js';

const BASE = `/e/${document.body.dataset.event}/desk`, FORMAT = document.body.dataset.format;
const WORDS = { ...VERDICTS, asked: 'Question', late: 'Late', missing: 'Missing', out: 'Excluded' };
const TILES = [['all', 'Players'], ['legal', 'Legal'], ['faulty', 'Not legal'], ['asked', 'Question'], ['late', 'Late'], ['missing', 'Missing']];
const FAULTY = ['illegal', 'incomplete', 'unreadable'];

let state = null, filter = 'all', sort = { key: 'name', up: true };

/** Asks the server, or tells it, once however often it is sent. */
const send = (path, body, kind = 'application/json') => request(BASE + path, undefined, body === undefined ? {}
  : { method: 'POST', body, headers: { 'content-type': kind, 'x-decklaw-form': crypto.getRandomValues(new Uint32Array(4)).join('-') } });
const act = (what, body) => send('/do', JSON.stringify({ do: what, ...body }));

/** A time as clocks at the event show it; it comes without a zone. */
const time = (local) => (local ? new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(new Date(`${local}Z`)) : '');
const ago = (at) => {
  if (!at) return '';
  const minutes = Math.max(0, Math.round((Date.now() - new Date(at)) / 60000));
  return minutes < 60 ? `${minutes} min ago` : minutes < 1440 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} d ago`;
};

/** What a row is counted as: its status, or the verdict of the deck that counts. */
const stateOf = (row) => (row.status === 'counts' ? row.verdict : row.status);
const isIn = (row, tile) => tile === 'all' || (tile === 'faulty' ? FAULTY.includes(stateOf(row)) : tile === 'late' ? stateOf(row) === 'late' || Boolean(row.beside) : stateOf(row) === tile);
const badge = (word) => verdict({ asked: 'question', out: 'missing' }[word] ?? word, WORDS[word]);

/** Shows the state of the server, if it changed. */
async function refresh() {
  const next = await send(`/state?head=${encodeURIComponent(state?.head ?? '')}`);
  if (!next) return;
  state = next;
  draw();
}

/** Decides in words, with the reason that the open dialog has, and offers to undo it. */
async function decide(...words) {
  try {
    const why = $('dialog[open] [name=why]')?.value.trim();
    const done = await act('decide', { words, ...(why ? { why } : {}) });
    await refresh();
    const undo = done.undo && (() => act('undo', { decision: done.undo }).then(refresh).catch(failed));
    if (!done.drawn?.length) toast(done.text, undo);
    return done;
  } catch (error) {
    failed(error);
    return null;
  }
}
const failed = (error) => toast(error.message);
/** An error, for its place on the page. */
const problem = (error) => h('p', { class: 'message' }, error.message);

function draw() {
  const rows = shown(), ids = rows.map((row) => row.id).filter(Boolean), some = ids.length > 0 && rows.length < state.players.length;
  $('#tiles').replaceChildren(...TILES.map(([id, words]) => h('button', { class: `tile ${id}`, type: 'button', 'aria-pressed': String(filter === id), onclick: () => { filter = id; draw(); } },
    h('b', {}, state.players.filter((row) => isIn(row, id) && (id !== 'all' || row.id)).length), words)));
  const columns = [['name', 'Player'], ['deck', 'Deck', 'hide'], ['state', 'Verdict'], ['at', `Handed in (${document.body.dataset.zone})`, 'hide'], ['table', 'Table', 'hide at-table'], ['check', 'Deck check', 'hide checked']];
  $('#head').replaceChildren(h('tr', {}, columns.map(([key, words, hide]) => h('th', { class: hide, scope: 'col', 'aria-sort': sort.key !== key ? 'none' : sort.up ? 'ascending' : 'descending' },
    h('button', { type: 'button', onclick: () => { sort = { key, up: sort.key === key ? !sort.up : true }; draw(); } }, words, sort.key === key ? (sort.up ? ' ↑' : ' ↓') : '')))));
  $('#rows').replaceChildren(...rows.map(line));
  if (!rows.length) {
    const words = state.players.length ? ['No player matches. ', button('Show all', () => { $('#q').value = ''; filter = 'all'; draw(); })] : 'No players yet. Drop a list of players or a form export here, or share the player link.';
    $('#rows').append(h('tr', {}, h('td', { class: 'none', colspan: 6 }, words)));
  }
  $('#n').textContent = `${rows.length} shown`;
  $('#warnings').replaceChildren(...state.warnings.map((words) => h('p', { class: 'note' }, words)));
  $('#acts').replaceChildren(
    h('a', { class: 'btn', href: `${BASE}/sheets${some ? `?only=${ids.join()}` : ''}`, target: '_blank' }, some ? `Print ${plural(ids.length, 'sheet')}` : 'Print sheets'),
    state.closed ? button('Open hand-in', () => decide('all', 'unlock')) : button('Close hand-in', () => decide('all', 'lock')),
    button('Settings', settings), button('Draw a deck check', drawCheck, 'main'));
  drawQuestions();
  $('#activity').replaceChildren(h('h2', {}, 'Activity'), h('ul', {}, state.activity.slice(0, 12).map((one) => h('li', {}, h('time', { datetime: one.at }, time(one.local).slice(-5)), one.text))));
}

function shown() {
  const words = $('#q').value.toLowerCase().split(/\s+/), key = sort.key;
  const text = (row) => [row.name, row.address, row.deck, row.table, row.id, row.entry, row.error].filter(Boolean).join(' ').toLowerCase();
  const value = (row) => ({ name: row.name, deck: row.deck ?? '', state: Object.keys(WORDS).indexOf(stateOf(row)), at: row.at ?? '', table: row.table ?? '', check: row.checked ?? (row.drawn ? 'drawn' : '') })[key];
  const rows = state.players.filter((row) => isIn(row, filter) && words.every((word) => text(row).includes(word)));
  return rows.sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    return (typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true })) * (sort.up ? 1 : -1);
  });
}

function line(row) {
  const open = () => openPlayer(row.id ?? row.entry);
  const notes = [row.address, row.locked && 'locked', row.unlisted && 'not on the list'].filter(Boolean).join(' · ');
  const check = row.checked ? `${['matches', 'same', 'swapped'].includes(row.checked) ? '✓' : '✕'} ${row.checked}` : row.drawn ? 'drawn' : '';
  return h('tr', { onclick: (event) => { if (!event.target.closest('button')) open(); } },
    h('td', {}, h('button', { class: 'link', type: 'button', onclick: open }, h('bdi', {}, row.name || 'No name')), h('small', {}, notes)),
    h('td', { class: 'cut hide' }, h('bdi', {}, row.deck ?? (row.cards == null ? '–' : 'No title')), row.cards != null && h('small', {}, plural(row.cards, 'card'))),
    h('td', { class: 'cut' }, badge(stateOf(row)), row.beside && h('small', {}, 'a late deck too'), row.status === 'late' ? h('small', {}, WORDS[row.verdict]) : row.error && row.status === 'counts' ? h('small', { title: row.error.replaceAll('`', '') }, sentence(row.error)) : row.notices > 0 && h('small', {}, plural(row.notices, 'notice'))),
    h('td', { class: 'hide' }, time(row.local) || row.time || '–', row.at && h('small', {}, ago(row.at))),
    h('td', { class: 'hide at-table' }, row.table ?? ''), h('td', { class: 'hide checked' }, check));
}

/** Every question with its answers, the likeliest first. */
function drawQuestions() {
  const { questions } = state, late = state.players.filter((row) => row.status === 'late' || row.beside), count = questions.length + late.length;
  const one = (text, acts) => h('div', { class: 'ask' }, h('p', {}, text), h('p', { class: 'acts' }, acts));
  const asked = questions.map((question) => {
    const { entry, likely } = question, name = h('b', {}, h('bdi', {}, question.name ?? 'No name'));
    if (question.about_time) return one([h('b', {}, h('bdi', {}, question.player.name)), `, ${question.place}: ${question.reason}${question.time ? ` (“${question.time}”)` : ''}. Did it come in time?`],
      [button('In time', () => decide(entry, 'in-time'), 'main'), button('Late', () => decide(entry, 'late'))]);
    const named = ({ id, name: words }, kind) => button(`${words} (${id})`, () => decide(entry, 'is', id), kind);
    return one([name, question.address ? h('small', {}, ` ${question.address}`) : '', `, ${question.place}: ${question.reason}. Whose deck is it?`],
      [likely ? named(likely, 'main') : button('A new player', () => decide(entry, 'is', 'new'), 'main'), ...question.others.slice(0, 3).map((other) => named(other)),
        likely && button('A new player', () => decide(entry, 'is', 'new')), button('Another…', (event) => choose(event.currentTarget, entry)), button('See it', () => openPlayer(entry)), button('Exclude', () => decide(entry, 'out'))]);
  });
  const accept = late.map((row) => one([h('b', {}, h('bdi', {}, row.name)), row.beside ? ' handed in again after the deadline. Which deck counts?' : ' handed in after the deadline. Accept it?'],
    row.beside ? [button('The one in time', () => decide(row.entry, 'counts'), 'main'), button('The late one', () => decide(row.beside, 'counts'))]
      : [button('Accept', () => decide(row.entry, 'counts'), 'main'), button('Reject', () => decide(row.entry, 'out'))]));
  const whose = questions.filter((question) => !question.about_time).length;
  $('#questions').replaceChildren(h('h2', {}, count ? plural(count, 'question') : 'No open questions'),
    h('p', { class: 'quiet' }, count ? 'These decks do not count until you answer.' : 'Every deck that came in has its player.'),
    ...(whose > 1 ? [h('p', { class: 'acts' }, button(`Take the likeliest answer for ${whose} decks`, () => decide('all', 'yes')))] : []), ...asked, ...accept);
}

/** Another player, by name. */
function choose(anchor, entry) {
  pop(anchor, (box) => {
    const input = h('input', { class: 'input', id: 'whose', list: 'names', placeholder: 'Name or id' });
    const save = async () => { if (input.value && await decide(entry, 'is', input.value)) box.close(); };
    input.addEventListener('keydown', (event) => { if (event.key === 'Enter') save(); });
    box.append(h('label', { for: 'whose' }, 'Whose deck is it?'), input, h('datalist', { id: 'names' }, state.players.filter((row) => row.id).map((row) => h('option', { value: `${row.name} (${row.id})` }))), h('p', { class: 'acts' }, button('Save', save, 'main')));
    setTimeout(() => input.focus());
  });
}

async function drawCheck() {
  const done = await decide('draw');
  if (done?.drawn?.length) return openPlayer(done.drawn[0], true);
  if (done) toast(done.text);
}

/** A player with every deck, and a list to tick at the table. */
async function openPlayer(id, drawn = false) {
  const player = await send(`/player?id=${id}`).catch(failed);
  if (!player) return;
  const row = state.players.find((one) => (one.id ?? one.entry) === id) ?? {}, { versions } = player, isPlayer = id.startsWith('p');
  const version = versions.find((one) => one.counts) ?? versions[0];
  const again = async (...words) => { if (await decide(...words)) { box.close(); openPlayer(id); } };
  const rows = version ? version.sections.flatMap(({ section, cards }) => cards.map(([copies, name]) => ({ section, copies, name }))).sort((a, b) => a.name.localeCompare(b.name)) : [];
  const left = h('span', { class: 'quiet', 'aria-live': 'polite' });
  const ticks = h('div', { class: 'ticks' }, rows.map(({ section, copies, name }) => h('label', { class: 'tick', 'data-card': name }, h('span', { class: 'art', 'aria-hidden': 'true' }), h('input', { type: 'checkbox' }), h('b', {}, copies), h('bdi', {}, name), version.sections.length > 1 && h('small', {}, section))));
  const tally = () => { left.textContent = rows.length ? `${ticks.querySelectorAll(':checked').length} of ${rows.length} ticked` : ''; };
  ticks.addEventListener('change', tally);
  tally();
  const box = dialog(player.name ?? 'Whose deck is this?',
    h('div', { class: 'top' }, h('p', { class: 'quiet' }, [id, player.table && `table ${player.table}`, ...(player.addresses ?? []), version && [version.name, time(version.local) || version.time, version.place].filter(Boolean).join(', ')].filter(Boolean).join(' · ')), badge(row.id ? stateOf(row) : version ? version.verdict : 'missing')),
    drawn && h('p', { class: 'note' }, 'Drawn for a deck check. Tick each card that you find.'),
    row.remark && h('p', {}, row.remark),
    version?.findings.length > 0 && findings(version.findings), ticks,
    isPlayer && version?.counts && h('div', { class: 'acts foot' }, button('Matches', async () => { if (await decide(id, 'check', 'matches')) box.close(); }, 'main'), button('Differs', async () => { if (await decide(id, 'check', 'differs')) box.close(); }), left),
    h('label', { class: 'field' }, h('span', {}, 'Reason'), h('input', { class: 'input', name: 'why', maxlength: 200, placeholder: 'Recorded with what you decide here' })),
    versions.length > 0 && h('details', { open: !isPlayer }, h('summary', {}, versions.length === 1 ? 'The deck as it came' : plural(versions.length, 'deck')), versions.map((one) => versionOf(one, again))),
    isPlayer && h('details', {}, h('summary', {}, 'Player'), about(player, id, again)),
    isPlayer && h('details', {}, h('summary', {}, 'Compare or enter a deck'), typed(id, version, () => { box.close(); openPlayer(id); })));
  const { draw: face } = faces(version?.format || FORMAT);
  if (version?.format || FORMAT) for (const tick of ticks.children) face(tick.firstChild, tick.dataset.card, 'slice');
}

/** A deck as it came, with what is decided about it. */
function versionOf(one, again) {
  const read = h('textarea', { class: 'input', rows: 8, spellcheck: 'false', 'aria-label': 'The deck as you read it' });
  read.value = one.read_as ?? one.deck;
  return h('section', { class: 'version' }, h('div', { class: 'top' }, h('h3', {}, `${one.entry} · ${[time(one.local) || one.time, one.place, `by ${one.author}`].filter(Boolean).join(' · ')}`), h('span', {}, badge(one.verdict), one.late && badge('late'))),
    one.changes?.length > 0 && [h('p', { class: 'quiet' }, 'Changed from the deck before:'), changes(one.changes, String)],
    h('pre', { tabindex: '0' }, one.read_as ?? one.deck),
    h('p', { class: 'acts' }, one.counts ? [h('b', {}, 'Counts'), button('Exclude', () => again(one.entry, 'out'))] : button('Let it count', () => again(one.entry, 'counts')), one.late ? button('It came in time', () => again(one.entry, 'in-time')) : ''),
    !one.hash && [read, h('p', { class: 'acts' }, button('Read it as this', () => again(one.entry, 'read-as', read.value)))]);
}

function about(player, id, again) {
  const field = (label, word, value) => {
    const input = h('input', { class: 'input', value: value ?? '', 'aria-label': label });
    return h('form', { class: 'field', onsubmit: (event) => { event.preventDefault(); again(id, word, input.value); } }, h('span', {}, label), input, h('button', { class: 'btn' }, 'Save'));
  };
  const others = state.players.filter((row) => row.id && row.id !== id);
  const same = select('The same player as', [['', 'The same player as…'], ...others.map((row) => [row.id, `${row.name} (${row.id})`])], '',
    async (other) => { if (other && await decide(id, 'same', other)) same.closest('dialog').close(); });
  const link = button('New private link', async (event) => {
    const { link: path } = await act('key', { player: id }).catch((error) => { failed(error); return {}; });
    if (path) event.target.replaceWith(linkOf(new URL(path, location.href).href));
  });
  const forget = button('Remove personal data…', (event) => {
    event.target.replaceWith(h('span', {}, 'Name, addresses, decks and notes are removed for ever. ', button('Remove', async (own) => { if (await decide(id, 'forget')) own.target.closest('dialog')?.close(); }, 'bad')));
  });
  return h('div', { class: 'about' }, field('Name', 'name', player.name), field('Table', 'table', player.table), player.notes?.length > 0 && h('ul', {}, player.notes.map((note) => h('li', {}, note))),
    h('p', { class: 'acts' }, player.locked ? button('Unlock the deck', () => again(id, 'unlock')) : button('Lock the deck', () => again(id, 'lock')),
      player.listed ? button('Take off the list', () => again(id, 'unexpected')) : button('Put on the list', () => again(id, 'expected')),
      h('a', { class: 'btn', href: `${BASE}/sheets?only=${id}`, target: '_blank' }, 'Print a sheet'), link, same, forget));
}

/** A deck that the organiser types: what was found at the table, or what a player hands over. */
function typed(id, version, done) {
  const deck = h('textarea', { class: 'input', rows: 8, spellcheck: 'false', 'aria-label': 'A deck', placeholder: '3 Card Name' }), status = h('div', { 'aria-live': 'polite' });
  const tell = (what, then) => act(what, { player: id, deck: deck.value }).then(async (answer) => { await refresh(); then(answer); }).catch((error) => status.replaceChildren(problem(error)));
  const SAID = { same: 'The same deck as the one that counts.', swapped: 'The deck that counts, after a legal swap.', 'illegal-swap': 'The deck that counts, after a swap that leaves no legal deck.', other: 'Not the deck that counts.', unreadable: 'This is not a readable deck.' };
  return h('div', {}, deck, status, h('p', { class: 'acts' },
    version?.counts && button('Compare with the deck that counts', () => tell('check', (answer) => status.replaceChildren(h('b', {}, SAID[answer.answer]), changes(answer.differences, String), ...answer.errors.map((words) => h('p', {}, words)), ...answer.notes.map((note) => h('p', { class: 'quiet' }, sentence(note.message)))))),
    button('Enter it for this player', () => tell('enter', done))));
}

const linkOf = (address) => h('span', { class: 'acts linkbox' }, h('code', {}, address), copier(() => address));

/** A form, workbook or list of players: what it is read as, and then it is imported. */
async function take(file) {
  const bytes = await file.arrayBuffer(), upload = { name: file.name, kind: '', columns: [], dates: '' };
  const body = h('div', { class: 'about', 'aria-live': 'polite' }), box = dialog(`Import ${file.name}`, body);
  const give = (confirm) => send(`/import?${new URLSearchParams({ upload: JSON.stringify(upload), confirm })}`, bytes, 'application/octet-stream');
  const show = async () => {
    const seen = await give(false).catch((error) => ({ error: error.message, header: [], kind: upload.kind || 'form' }));
    const choice = (label, value, options, pick) => h('label', { class: 'field' }, h('span', {}, label), select(label, options, value, (next) => { pick(next); show(); }));
    const role = (name, label) => {
      const own = upload.columns.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
      return choice(label, own, [['', 'As it looks'], ...seen.header.filter(Boolean).map((column) => [column, column])], (value) => { upload.columns = upload.columns.filter((one) => !one.startsWith(`${name}=`)); if (value) upload.columns.push(`${name}=${value}`); });
    };
    const ok = !seen.error && (seen.kind === 'players' ? seen.names.length : seen.new) > 0;
    const list = (items) => items.length > 0 && h('ul', { class: 'lines' }, items.slice(0, 12).map((words) => h('li', {}, words)), items.length > 12 && h('li', {}, `and ${items.length - 12} more`));
    body.replaceChildren(
      choice('This file is', seen.kind, [['form', 'a form export with decks'], ['players', 'a list of players']], (value) => { upload.kind = value; }),
      seen.error ? problem({ message: seen.error }) : '',
      ...(seen.kind === 'players' ? [seen.names && h('p', {}, h('b', {}, plural(seen.names.length, 'player'))), seen.names && list(seen.names)] : [
        h('div', { class: 'roles' }, role('player', 'Player'), role('id', 'Address'), role('deck', 'Deck'), role('time', 'Time'), role('format', 'Format'),
          choice('Dates', upload.dates, [['', 'As they look'], ['year-first', '2026-03-01'], ['day-first', '1.3.2026'], ['month-first', '3/1/2026']], (value) => { upload.dates = value; })),
        seen.read_as && h('p', { class: 'quiet' }, seen.read_as), seen.notes && list(seen.notes.map((words) => sentence(words))), seen.unused?.length > 0 && h('p', { class: 'note' }, `Not read, though it looks like a deck: ${seen.unused.join(', ')}`),
        seen.summary && h('p', {}, h('b', {}, seen.summary)),
        seen.remarks && list(seen.remarks)]).filter(Boolean),
      h('div', { class: 'acts foot' }, button('Import', async () => {
        const done = await give(true).catch((error) => { failed(error); return null; });
        if (!done) return;
        box.close();
        await refresh();
        toast(done.done);
      }, 'main', { disabled: !ok })));
  };
  await show();
}

/** How often each card is played. */
async function cards(only = '') {
  const stats = await send(`/cards?verdict=${only}`).catch(failed);
  if (!stats) return;
  const which = select('Which decks', [['', 'All decks'], ['legal', 'Legal decks'], ['illegal', 'Decks that are not legal']], only, (next) => { box.close(); cards(next); });
  const box = dialog(`Cards in ${plural(stats.decks, 'deck')}`, which, h('div', { class: 'wrap', tabindex: '0', role: 'region', 'aria-label': 'Cards' }, h('table', {}, h('thead', {}, h('tr', {}, ['Card', 'Decks', 'Share', 'Copies', 'Legal decks'].map((words) => h('th', { scope: 'col' }, words)))),
    h('tbody', {}, stats.cards.slice(0, 200).map((one) => h('tr', {}, h('td', {}, h('bdi', {}, one.card), h('small', {}, one.section)), h('td', {}, one.decks), h('td', {}, percent(one.share)), h('td', {}, one.copies), h('td', {}, one.legal)))))),
  h('div', { class: 'acts foot' }, h('a', { class: 'btn', href: `${BASE}/cards.csv` }, 'CSV')));
}

/** What the event is, to change. Its rules, list and day are in the lock and stay. */
function settings() {
  const { about } = state, names = { name: 'Name', deadline: 'Hand-in closes', zone: 'Time zone', late: 'Late decks' };
  const field = (key, input) => h('label', { class: 'field' }, h('span', {}, names[key]), input);
  const input = (name, value, more = {}) => h('input', { class: 'input', name, value: value ?? '', ...more });
  const late = select('Late decks', [['beside', 'I decide about each'], ['last', 'The last deck counts'], ['refuse', 'Refuse']], about.late, null, { name: 'late' });
  const status = h('div', { 'aria-live': 'polite' });
  const form = h('form', { class: 'about settings', onsubmit: async (event) => {
    event.preventDefault();
    const { name, deadline, zone } = Object.fromEntries(new FormData(form));
    try { await act('about', { name, deadline: deadline || null, zone, late: late.value }); location.reload(); } catch (error) { status.replaceChildren(problem(error)); }
  } }, field('name', input('name', about.name, { required: true, maxlength: 200 })), field('deadline', input('deadline', about.deadline?.slice(0, 16), { type: about.deadline?.length === 10 ? 'date' : 'datetime-local' })), field('zone', input('zone', about.zone, { required: true })), field('late', late), status,
    h('p', { class: 'quiet' }, 'Rules, banlist and day stay as they were when the event was created.'), h('div', { class: 'acts foot' }, h('button', { class: 'btn main' }, 'Save')));
  dialog('Settings', form);
}

function share() {
  const address = new URL(BASE.replace(/\/desk$/, ''), location.href).href;
  const own = button('Replace your own link…', async (event) => {
    const { link } = await act('key', {}).catch((error) => { failed(error); return {}; });
    if (link) event.target.replaceWith(h('span', {}, 'Your new link. The old one opens nothing any more. ', linkOf(new URL(link, location.href).href)));
  });
  dialog('Player link', h('p', {}, 'Players open this address to hand in their decks.'), linkOf(address), h('img', { class: 'qr', src: `${BASE}/code.svg`, alt: 'QR code of the player link' }), h('div', { class: 'acts foot' }, h('a', { class: 'btn', href: address }, 'Open it'), own));
}

$('#q').addEventListener('input', draw);
takesFile($('#drop'), take, $('#file'), $('#drop'));
$('#share').addEventListener('click', share);
$('#cards').addEventListener('click', () => cards());
$('#files').addEventListener('click', (event) => pop(event.currentTarget, (box) => {
  box.append(h('p', { class: 'files' }, [['decks.xlsx', 'Workbook (.xlsx)'], ['decks.csv', 'Decks (.csv)'], ['cards.csv', 'Cards (.csv)'], ['decks.json', 'Everything (.json)']].map(([file, words]) => h('a', { class: 'btn', href: `${BASE}/${file}` }, words))));
}));
addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.matches('input, textarea, select')) { event.preventDefault(); $('#q').focus(); }
});

// Hand-ins, other organisers and commands change the event meanwhile.
const look = async () => {
  if (!document.hidden) await refresh().then(() => document.body.classList.remove('offline')).catch(() => { document.body.classList.add('offline'); $('#n').textContent = 'The server does not answer.'; });
  setTimeout(look, 3000);
};
look();
