// The organiser's page: players by state, what needs an answer next to them, one click to a deck
// check. Everything shown is one state of the server; everything done is one decision in words,
// which can be taken back and overwrites nobody.
import './due.js';
import './key.js';
import { openPlayer } from './check.js';
import { $, button, dialog, h, percent, pop, select, takesFile, toast } from './dom.js';
import { BASE, NAME, ORIGIN, WORDS, act, ago, badge, clock, day, linkOf, me, problem, send, stateOf, time } from './event.js';
import { take } from './importer.js';
import { write } from './memory.js';
import { fold, matches } from './search.js';
import { plural, sentence } from './words.js';

const TILES = [['all', 'Players'], ['legal', 'Legal'], ['faulty', 'Not legal'], ['asked', 'Question'], ['late', 'Late'], ['missing', 'Missing'], ['withdrawn', 'Withdrawn'], ['unlisted', 'Not on the list']];
const FAULTY = ['illegal', 'incomplete', 'unreadable'], FEW = 8;

let state = null, filter = 'all', sort = { key: 'name', up: true }, isLong = false;

const isIn = (row, tile) => tile === 'all' || (tile === 'faulty' ? FAULTY.includes(stateOf(row)) : tile === 'unlisted' ? row.unlisted : tile === 'late' ? stateOf(row) === 'late' || Boolean(row.beside) : stateOf(row) === tile);

/** Shows the state of the server, if it changed. */
async function refresh() {
  const next = await send(`/state?head=${encodeURIComponent(state?.head ?? '')}`);
  if (!next) return;
  for (const row of next.players) {
    const errors = (row.findings ?? []).filter((one) => one.severity === 'error');
    Object.assign(row, next.marks[row.id], { error: errors[0]?.message, notices: (row.findings?.length ?? 0) - errors.length,
      size: row.hash ? Object.values(row.cards).reduce((all, copies) => all + copies, 0) : null });
  }
  state = next;
  draw();
}

const failed = (error) => toast(error.message);

/** Does something that may meet what another organiser decided: then both are shown, and nothing is overwritten. */
async function deed(what, body, words, again = (newer) => deed(what, { ...body, ...newer }, words)) {
  try {
    const done = await act(what, body);
    await refresh();
    return done;
  } catch (error) {
    const { reply } = error;
    if (reply?.kind === 'conflict') return conflict(reply, words, again);
    if (reply?.kind === 'rests') return rests(reply, again);
    failed(error);
    return null;
  }
}

const conflict = (reply, words, again) => new Promise((over) => {
  refresh().catch(failed);
  const box = dialog('Decided meanwhile', h('p', { role: 'alert' }, h('b', {}, h('bdi', {}, reply.by)), ` decided this at ${clock(reply.local)}: `, h('bdi', {}, reply.text), '. Your “', h('bdi', {}, words), '” was not taken.'),
    h('div', { class: 'acts foot' }, button('Leave it', () => box.close(), 'main'), button('Change it to mine', async () => { const done = await again({ seen: reply.seen }); over(done); box.close(); }, 'bad')));
  box.addEventListener('close', () => over(null));
});

const rests = (reply, again) => new Promise((over) => {
  const box = dialog('More rests on this', h('p', {}, 'These decisions make no sense without it, and are taken back with it:'), h('ul', { class: 'lines' }, reply.rests.map((words) => h('li', {}, words))),
    h('div', { class: 'acts foot' }, button('Take all back', async () => { const done = await again({ all: true }); over(done); box.close(); }, 'bad'), button('Cancel', () => box.close())));
  box.addEventListener('close', () => over(null));
});

const undo = async (decision) => { if (await deed('undo', { decision }, 'Undo')) toast('Undone'); };

/** Decides in words, with the reason that the open dialog has, and offers to undo it. @param {string[]} words @param {number} [seen] what the page had seen
 * @param {string} [said] what the button says */
async function decide(words, seen = state.seen, said = words.slice(1).join(' ')) {
  const why = $('dialog[open] [name=why]')?.value.trim();
  const done = await deed('decide', { words, seen, ...(why ? { why } : {}) }, said);
  // A sentence begins with a capital, and an id does not.
  if (done && !done.drawn?.length) toast(/^[ep]\d/.test(done.text) ? done.text : sentence(done.text), done.undo && (() => undo(done.undo)));
  return done;
}

const open = (id, drawn = false) => openPlayer(id, drawn, { state, decide, deed, refresh, failed, reopen: open });

function draw() {
  const rows = shown(), ids = rows.map((row) => row.id).filter(Boolean), some = ids.length > 0 && rows.length < state.players.length;
  const count = (id) => state.players.filter((row) => isIn(row, id) && (id !== 'all' || row.id)).length;
  const tiles = TILES.filter(([id]) => !['withdrawn', 'unlisted'].includes(id) || count(id) || filter === id);
  $('#tiles').style.setProperty('--tiles', tiles.length);
  $('#tiles').replaceChildren(...tiles.map(([id, words]) => h('button', { class: `tile ${id}`, type: 'button', 'aria-pressed': String(filter === id), onclick: () => { filter = id; draw(); } }, h('b', {}, count(id)), words)));
  const columns = [['name', 'Player'], ['deck', 'Deck', 'hide'], ['state', 'Verdict'], ['at', `Handed in (${document.body.dataset.zone})`, 'hide'], ['table', 'Table', 'hide at-table'], ['check', 'Deck check', 'hide checked']];
  $('#head').replaceChildren(h('tr', {}, columns.map(([key, words, hide]) => h('th', { class: hide, scope: 'col', 'aria-sort': sort.key !== key ? 'none' : sort.up ? 'ascending' : 'descending' },
    h('button', { type: 'button', onclick: () => { sort = { key, up: sort.key === key ? !sort.up : true }; draw(); } }, words, sort.key === key ? (sort.up ? ' ↑' : ' ↓') : '')))));
  $('#rows').replaceChildren(...rows.map(line));
  if (!rows.length) {
    const words = state.players.length ? ['No player matches. ', button('Show all', () => { $('#q').value = ''; filter = 'all'; draw(); })] : 'No players yet. Drop a list of players or a form export here, or share the player link.';
    $('#rows').append(h('tr', {}, h('td', { class: 'none', colspan: 6 }, words)));
  }
  $('#n').textContent = `${rows.length} of ${state.players.length}`;
  const others = filter === 'unlisted' ? rows.filter((row) => row.status === 'counts' || row.status === 'late') : [];
  $('#exclude').replaceChildren(...(others.length ? [button(`Exclude all shown (${others.length})`, () => exclude(others))] : []));
  $('#warnings').replaceChildren(...state.warnings.map((words) => h('p', { class: 'note' }, words)));
  const asked = state.questions.length > 0;
  $('#acts').replaceChildren(
    h('a', { class: 'btn', href: `${BASE}/sheets${some ? `?only=${ids.join()}` : ''}`, target: '_blank' }, some ? `Print ${plural(ids.length, 'sheet')}` : 'Print sheets'),
    button(state.published ? 'Decks are public' : 'Publish decks', (event) => publish(event.currentTarget)),
    state.closed ? button('Open hand-in', () => decide(['all', 'unlock'])) : button('Close hand-in', () => decide(['all', 'lock'])),
    button('Settings', settings), button('Draw a deck check', drawCheck, asked ? '' : 'main'));
  drawQuestions();
  drawActivity();
}

/** Whether a row is searched for: `table 12` is a table and nothing else, an id counts when it is whole. */
function found(row, typed) {
  const table = fold(typed).trim().match(/^(?:table|tisch|t)\s*(\d+)$/);
  if (table) return fold(row.table ?? '') === table[1];
  const id = typed.trim().toLowerCase();
  return id === row.id || id === row.entry || matches(typed, [row.player, row.address, row.name]);
}

function shown() {
  const typed = $('#q').value, { key } = sort;
  const value = (row) => ({ name: row.player ?? '', deck: row.name ?? '', state: Object.keys(WORDS).indexOf(stateOf(row)), at: row.at ?? '', table: row.table ?? '', check: row.checked ?? (row.drawn ? 'drawn' : '') })[key];
  const rows = state.players.filter((row) => isIn(row, filter) && found(row, typed));
  return rows.sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    return (typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true })) * (sort.up ? 1 : -1);
  });
}

function line(row) {
  const see = () => open(row.id ?? row.entry);
  const notes = [row.address, row.locked && 'locked', row.unlisted && 'not on the list'].filter(Boolean).join(' · ');
  const check = row.checked ? `${['matches', 'same', 'swapped'].includes(row.checked) ? '✓' : '✕'} ${row.checked}` : row.drawn ? 'drawn' : '';
  return h('tr', { onclick: (event) => { if (!event.target.closest('button')) see(); } },
    h('td', {}, h('button', { class: 'link', type: 'button', onclick: see }, h('bdi', {}, row.player || 'No name')), h('small', {}, notes)),
    h('td', { class: 'cut hide' }, h('bdi', {}, row.name ?? (row.size == null ? '–' : 'No title')), row.size != null && h('small', {}, plural(row.size, 'card'))),
    h('td', { class: 'cut' }, badge(stateOf(row)), row.beside && h('small', {}, 'a late deck too'), row.status === 'late' ? h('small', {}, WORDS[row.verdict]) : row.error && row.status === 'counts' ? h('small', { title: row.error.replaceAll('`', '') }, sentence(row.error)) : row.notices > 0 && h('small', {}, plural(row.notices, 'notice'))),
    h('td', { class: 'hide' }, time(row.local) || row.time || '–', row.at && h('small', {}, ago(row.at))),
    h('td', { class: 'hide at-table' }, row.table ?? ''), h('td', { class: 'hide checked' }, check));
}

/** Excludes the decks of players whom nobody expected; one button takes all of it back. */
async function exclude(rows) {
  const done = [];
  for (const row of rows) {
    const one = await act('decide', { words: [row.entry, 'out'], why: 'not on the list', seen: Math.max(state.seen, ...done) }).catch(failed);
    if (!one) break;
    done.push(one.undo);
  }
  await refresh();
  toast(`${plural(done.length, 'deck')} excluded`, async () => { for (const one of done.reverse()) await act('undo', { decision: one }).catch(failed); await refresh(); });
}

/** Every question with its answers, the likeliest first. */
function drawQuestions() {
  const { questions, seen } = state, late = state.players.filter((row) => row.status === 'late' || row.beside), count = questions.length + late.length;
  const answer = (words, kind, ...own) => button(words, () => decide(own, seen, words), kind);
  const one = (text, acts) => h('div', { class: 'ask' }, h('p', {}, text), h('p', { class: 'acts' }, acts));
  const asked = questions.map((question) => {
    const { entry, likely } = question, name = h('b', {}, h('bdi', {}, question.name ?? 'No name'));
    if (question.reason === 'time') return one([h('b', {}, h('bdi', {}, question.player.name)), `, ${question.place}: ${question.why}${question.time ? ` (“${question.time}”)` : ''}. Did it come in time?`],
      [answer('In time', 'main', entry, 'in-time'), answer('Late', '', entry, 'late')]);
    const named = ({ id, name: words }, kind) => answer(`${words} (${id})`, kind, entry, 'is', id);
    return one([name, question.address ? h('small', {}, ` ${question.address}`) : '', `, ${question.place}: ${question.why}. Whose deck is it?`],
      [likely ? named(likely, 'main') : answer('A new player', 'main', entry, 'is', 'new'), ...question.others.slice(0, 3).map((other) => named(other)),
        likely && answer('A new player', '', entry, 'is', 'new'), button('Another…', (event) => choose(event.currentTarget, entry, seen)), button('See it', () => open(entry)), answer('Exclude', '', entry, 'out')]);
  });
  const accept = late.map((row) => one([h('b', {}, h('bdi', {}, row.player)), row.beside ? ' handed in again after the deadline. Which deck counts?' : ' handed in after the deadline. Accept it?'],
    row.beside ? [answer('The one in time', 'main', row.entry, 'counts'), answer('The late one', '', row.beside, 'counts')]
      : [answer('Accept', 'main', row.entry, 'counts'), answer('Reject', '', row.entry, 'out')]));
  const whose = questions.filter((question) => question.reason !== 'time').length;
  $('#questions').replaceChildren(h('h2', {}, count ? plural(count, 'question') : 'No open questions'),
    h('p', { class: 'quiet' }, count ? 'These decks do not count until you answer.' : 'Every deck that came in has its player.'),
    ...(whose > 1 ? [h('p', { class: 'acts' }, button(`Take the likeliest answer for ${whose} decks`, () => decide(['all', 'yes'])))] : []), ...asked, ...accept);
  // One primary button: the first question's.
  for (const other of [...$('#questions').querySelectorAll('.main')].slice(1)) other.classList.remove('main');
}

/** Another player, by name. */
function choose(anchor, entry, seen) {
  pop(anchor, (box) => {
    const input = h('input', { class: 'input', id: 'whose', list: 'names', placeholder: 'Name or id' });
    const save = async () => { if (input.value && await decide([entry, 'is', input.value], seen)) box.close(); };
    input.addEventListener('keydown', (event) => { if (event.key === 'Enter') save(); });
    box.append(h('label', { for: 'whose' }, 'Whose deck is it?'), input, h('datalist', { id: 'names' }, state.players.filter((row) => row.id).map((row) => h('option', { value: `${row.player} (${row.id})` }))), h('p', { class: 'acts' }, button('Save', save, 'main')));
    setTimeout(() => input.focus());
  });
}

/** What happened, by whom and when, the newest first; each decision and import with its Undo. */
function drawActivity() {
  const all = state.activity, lines = isLong ? all : all.slice(0, FEW), name = $('#me') ?? h('input', { class: 'input', id: 'me', maxlength: 100, value: me(), placeholder: 'organiser', onchange: () => write(NAME, name.value.trim()) });
  let last = '';
  const shown = lines.flatMap((one) => {
    const head = day(one.local) === last ? null : (last = day(one.local));
    const by = ['player', 'import'].includes(one.by) ? '' : h('b', {}, h('bdi', {}, one.by), ': ');
    return [head && h('li', { class: 'day' }, head), h('li', { class: one.undone ? 'undone' : '' }, h('time', { datetime: one.at }, clock(one.local)), h('span', {}, by, h('bdi', {}, one.text)),
      one.undo != null && button('Undo', () => undo(one.undo), '', { 'aria-label': `Undo: ${one.text}` }))];
  });
  $('#activity').replaceChildren(h('h2', {}, 'Activity'), h('label', { class: 'field' }, h('span', {}, 'Your name'), name), h('ul', { class: 'acted' }, shown),
    ...(all.length > FEW ? [button(isLong ? 'Show less' : `Show all ${all.length}`, () => { isLong = !isLong; drawActivity(); }, 'plain')] : []));
}

async function drawCheck() {
  const done = await decide(['draw']);
  if (done?.drawn?.length) return open(done.drawn[0], true);
  if (done) toast(done.text);
}

/** The decks for everyone, until they are taken back. */
function publish(anchor) {
  const ready = state.players.filter((row) => row.status === 'counts' && row.hash).length, address = `${ORIGIN}${BASE.replace(/desk$/, 'decks')}`;
  pop(anchor, (box) => box.append(h('div', { class: 'about' }, h('h3', {}, state.published ? 'The decks are public' : 'Publish decks'),
    h('p', {}, state.published ? 'Everyone with this address reads them, with the names of the players.' : `${plural(ready, 'deck')} will be public, with the names of the players. Decks that do not count or cannot be read are not.`),
    state.published && linkOf(address),
    h('p', { class: 'acts' }, state.published ? [h('a', { class: 'btn main', href: BASE.replace(/desk$/, 'decks') }, 'Open the page'), button('Take back', async () => { box.close(); await decide(['all', 'unpublish']); })]
      : button(`Publish ${plural(ready, 'deck')}`, async () => { box.close(); await decide(['all', 'publish']); }, 'main')))));
}

/** How often each card is played. */
async function cards(only = '') {
  const stats = await send(`/cards?verdict=${only}`).catch(failed);
  if (!stats) return;
  const which = select('Which decks', [['', 'All decks'], ['legal', 'Legal decks'], ['illegal', 'Decks that are not legal']], only, (next) => { box.close(); cards(next); });
  const box = dialog(`Cards in ${plural(stats.decks - stats.unread, 'deck')}`, which, stats.unread > 0 && h('p', { class: 'quiet' }, `${plural(stats.unread, 'deck')} cannot be read and ${stats.unread > 1 ? 'are' : 'is'} not counted.`), h('div', { class: 'wrap', tabindex: '0', role: 'region', 'aria-label': 'Cards' }, h('table', {}, h('thead', {}, h('tr', {}, ['Card', 'Decks', 'Share', 'Copies', 'Legal decks'].map((words) => h('th', { scope: 'col' }, words)))),
    h('tbody', {}, stats.cards.slice(0, 200).map((one) => h('tr', {}, h('td', {}, h('bdi', {}, one.card), h('small', {}, one.section)), h('td', {}, one.decks), h('td', {}, percent(one.share)), h('td', {}, one.copies), h('td', {}, one.legal)))))),
  h('div', { class: 'acts foot' }, h('a', { class: 'btn', href: `${BASE}/cards.csv` }, 'CSV')));
}

/** What the event is, to change. Its rules, list and day are in the lock and stay. */
function settings() {
  const was = state.event, names = { name: 'Name', deadline: 'Hand-in closes', zone: 'Time zone', late: 'Late decks' };
  const field = (key, input) => h('label', { class: 'field' }, h('span', {}, names[key]), input);
  const input = (name, value, more = {}) => h('input', { class: 'input', name, value: value ?? '', ...more });
  const late = select('Late decks', [['beside', 'I decide about each'], ['last', 'The last deck counts'], ['refuse', 'Refuse']], was.late, null, { name: 'late' });
  const zones = Intl.supportedValuesOf?.('timeZone') ?? [], status = h('div', { 'aria-live': 'polite' });
  const form = h('form', { class: 'about settings', onsubmit: async (event) => {
    event.preventDefault();
    const { name, deadline, zone } = Object.fromEntries(new FormData(form));
    try { await act('about', { name, deadline: deadline || null, zone, late: late.value, was }); location.reload(); } catch (error) { status.replaceChildren(problem(error)); }
  } }, field('name', input('name', was.name, { required: true, maxlength: 200 })), field('deadline', input('deadline', was.deadline?.slice(0, 16), { type: was.deadline?.length === 10 ? 'date' : 'datetime-local' })),
    field('zone', input('zone', was.zone, { required: true, list: 'zones' })), h('datalist', { id: 'zones' }, zones.map((zone) => h('option', { value: zone }))), field('late', late), status,
    h('p', { class: 'quiet' }, 'Rules, banlist and day stay as they were when the event was created.'), h('div', { class: 'acts foot' }, h('button', { class: 'btn main' }, 'Save')));
  dialog('Settings', form);
}

function share() {
  const address = `${ORIGIN}${BASE.replace(/\/desk$/, '')}`, isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(ORIGIN);
  const own = button('Replace your own link…', async (event) => {
    const { link } = await act('key', {}).catch((error) => { failed(error); return {}; });
    if (link) event.target.replaceWith(h('span', {}, 'Your new link. The old one opens nothing any more. ', linkOf(ORIGIN + link)));
  });
  dialog('Player link', h('p', {}, 'Players open this address to hand in their decks.'), isLocal && h('p', { class: 'note' }, 'Only this machine can open it. Start decklaw with --listen 0.0.0.0 to let others in.'), linkOf(address), h('img', { class: 'qr', src: `${BASE}/code.svg`, alt: 'QR code of the player link' }), h('div', { class: 'acts foot' }, h('a', { class: 'btn', href: BASE.replace(/\/desk$/, '') }, 'Open it'), own));
}

const takes = (files) => take([...files], { refresh, failed, undo, seen: () => state });
$('#q').addEventListener('input', draw);
takesFile($('#drop'), takes, $('#file'), $('#drop'), true);
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
