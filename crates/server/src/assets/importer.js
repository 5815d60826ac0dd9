// A form, workbook, list of players or decks: how it would be read, and then it is imported.
import { button, dialog, h, select, toast } from './dom.js';
import { me, problem, send } from './event.js';
import { verdict } from './findings.js';
import { plural, sentence } from './words.js';

const TABLE = /\.(csv|tsv|xlsx|ods|zip)$/i, FEW = 12;

/** Takes files one after another; several decks at once are one import. @param {File[]} files */
export async function take(files, page) {
  const decks = files.filter((file) => !TABLE.test(file.name));
  const groups = [...files.filter((file) => TABLE.test(file.name)).map((file) => [file]), ...(decks.length ? [decks] : [])];
  for (const group of groups) await show(group, page);
}

async function show(files, page) {
  const bytes = await new Blob(files).arrayBuffer(), title = files.length > 1 ? plural(files.length, 'file') : files[0].name;
  const upload = { name: title, kind: files.length > 1 ? 'decks' : '', columns: [], dates: '', files: files.length > 1 ? files.map((file) => [file.name, file.size]) : [] };
  const body = h('div', { class: 'about', 'aria-live': 'polite' }), box = dialog(`Import ${title}`, body);
  const over = new Promise((done) => { box.addEventListener('close', done); });
  const give = (confirm) => send(`/import?${new URLSearchParams({ upload: JSON.stringify(upload), confirm, by: me() })}`, bytes, 'application/octet-stream');
  async function draw() {
    const seen = await give(false).catch((error) => ({ error: error.message, header: [], kind: upload.kind || 'form' })), { kind } = seen;
    const choice = (label, value, options, pick) => h('label', { class: 'field' }, h('span', {}, label), select(label, options, value, (next) => { pick(next); draw(); }));
    const role = ([name, label]) => {
      const own = upload.columns.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
      return choice(label, own, [['', 'As it looks'], ...seen.header.filter(Boolean).map((column) => [column, column])], (value) => { upload.columns = upload.columns.filter((one) => !one.startsWith(`${name}=`)); if (value) upload.columns.push(`${name}=${value}`); });
    };
    const roles = { form: [['player', 'Player'], ['id', 'Address'], ['deck', 'Deck'], ['time', 'Time'], ['format', 'Format']], players: [['player', 'Player'], ['id', 'Address'], ['table', 'Table']], decks: [] }[kind];
    const ok = !seen.error && (kind === 'players' ? seen.names.length : seen.new) > 0, isBad = seen.unread * 2 > seen.decks, isStrange = kind !== 'players' && page.seen().has_list && seen.players * 2 > seen.new;
    const list = (items) => items.length > 0 && h('ul', { class: 'lines' }, items.slice(0, FEW).map((words) => h('li', {}, words)), items.length > FEW && h('li', {}, `and ${items.length - FEW} more`));
    const column = (role) => { const own = upload.columns.find((one) => one.startsWith(`${role}=`)); return own ? `“${own.slice(role.length + 1)}”` : 'this'; };
    const asRead = (row) => h('li', {}, h('b', {}, h('bdi', {}, row.player ?? 'No player')), h('span', { class: 'quiet' }, [row.known ?? 'new', row.address, row.table && `table ${row.table}`, row.time].filter(Boolean).join(' · ')),
      kind !== 'players' && (row.verdict ? h('span', {}, verdict(row.verdict), ` ${plural(row.cards, 'card')}`) : h('span', { class: 'bad-text' }, row.text ? ['“', h('bdi', {}, row.text), '” is no deck'] : 'No deck')));
    body.replaceChildren(...[
      choice('This file is', kind, [['form', 'a form export with decks'], ['players', 'a list of players'], ['decks', files.length > 1 ? 'decks, one per file' : 'a deck, or a ZIP of decks']], (value) => { upload.kind = value; }),
      roles.length > 0 && seen.header.length > 0 && h('div', { class: 'roles' }, roles.map(role), kind === 'form' && choice('Dates', upload.dates, [['', 'As they look'], ['year-first', '2026-03-01'], ['day-first', '1.3.2026'], ['month-first', '3/1/2026']], (value) => { upload.dates = value; })),
      seen.error && problem({ message: `${seen.error[0].toUpperCase()}${seen.error.slice(1)}.` }),
      seen.read_as && h('p', { class: 'quiet' }, seen.read_as), seen.notes && list(seen.notes.map((words) => sentence(words))), seen.unused?.length > 0 && h('p', { class: 'note' }, `Not read, though it looks like a part of the deck: ${seen.unused.join(', ')}`),
      seen.rows?.length > 0 && [h('h3', {}, seen.rows.length === 1 ? 'The first row, as it would be read' : `The first ${seen.rows.length} rows, as they would be read`), h('ul', { class: 'asread' }, seen.rows.map(asRead))],
      seen.names && h('p', {}, h('b', {}, plural(seen.names.length, 'player'))),
      seen.summary && h('p', {}, h('b', {}, seen.summary), seen.players ? `. ${plural(seen.players, 'new player')}.` : '.'), seen.remarks && list(seen.remarks),
      isBad && h('p', { class: 'message', role: 'alert' }, `${seen.unread} of ${plural(seen.decks, 'deck')} cannot be read.${kind === 'form' ? ` Is ${column('deck')} the column of the decks?` : ''}`),
      isStrange && h('p', { class: 'message', role: 'alert' }, `${seen.players} of ${plural(seen.new, 'deck')} are of nobody on your list.${kind === 'form' ? ` Is ${column('player')} the column of the players?` : ''}`),
      h('div', { class: 'acts foot' }, button(isBad ? `Import ${plural(seen.unread, 'unreadable deck')} all the same` : isStrange ? `Import ${plural(seen.players, 'new player')} all the same` : 'Import', confirm, isBad || isStrange ? 'bad' : 'main', { disabled: !ok }), button('Cancel', () => box.close(), 'plain')),
    ].flat().filter(Boolean));
  }
  async function confirm() {
    const done = await give(true).catch((error) => { page.failed(error); return null; });
    if (!done) return;
    box.close();
    await page.refresh();
    toast(done.done, done.undo && (() => page.undo(done.undo)));
  }
  await draw();
  await over;
}
