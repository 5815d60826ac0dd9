// The tools of the bar: versions, sharing, paper, files, comparing.
import { ask, dialog, download, h, later, question, say } from './api.js';
import { address, caution, print, serves, written } from './carrier.js';
import { packed, plain, unpacked } from './deck.js';
import { ownDialog } from './cards.js';

const WRITERS = [['text', 'Text', 'txt'], ['yaml', 'YAML', 'yaml'], ['json', 'JSON', 'json'], ['csv', 'CSV', 'csv'], ['list', 'Bare list', 'txt'], ['cod', 'Cockatrice', 'cod']];
const READERS = [['', 'find out'], ['text', 'decklaw’s text'], ['pasted', 'pasted from another program'], ['yaml', 'YAML'], ['json', 'JSON'], ['csv', 'CSV'], ['cod', 'Cockatrice'], ['dek', 'LackeyCCG'], ['ydk', 'card numbers']];

/** @param {any} app */
export function tools(app) {
  const button = (key, name, act) => h('button', { 'data-key': key, onclick: act }, name);
  return [
    serves && button('play', 'Play', () => play(app)),
    button('import', 'Import', () => importDialog(app)),
    button('export', 'Export', () => exportDialog(app)),
    button('share', 'Share', () => share(app)),
    button('print', 'Print', () => print('sheet', asked(app))),
    // What lays out a PDF is larger than all else of a page without a server.
    serves && button('proxies', 'Proxies', () => save(app, 'proxies', 'pdf')),
    button('versions', 'Versions', () => versions(app)),
    button('compare', 'Compare', () => compareDialog(app)),
    button('owned', 'Collection', () => ownDialog(app)),
  ];
}

/** Goes where the deck is played: to a table that waits for it, or to a new one. */
async function play({ deck, game }) {
  if (!deck.saved) await deck.save();
  for (let tries = 0; tries < 20 && !deck.saved; tries += 1) await later(150);
  if (!deck.saved) return say(deck.state);
  const own = deck.place === 'file' ? '' : deck.place;
  location.assign(own ? `/play?deck=${own}` : `/play?format=${encodeURIComponent(game.format)}`);
}

/** The question about the deck on the screen. */
const asked = ({ game, deck }) => ({ format: game.format, deck: deck.now });

const fileName = (app) => (app.deck.now.name ?? 'deck').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'deck';

/** Reads a list; lines that cannot be read are named, and may be left out. */
function importDialog(app) {
  const text = h('textarea', { rows: 14, 'aria-label': 'The deck', spellcheck: 'false', placeholder: '3 Rain Caller\n2 Moss Sprite' });
  const kind = h('select', { 'aria-label': 'Written as' }, READERS.map(([word, name]) => h('option', { value: word }, name)));
  let name = '';
  const file = h('input', { type: 'file', 'aria-label': 'A file', onchange: async () => { name = file.files[0]?.name ?? ''; text.value = await file.files[0]?.text() ?? ''; } });
  const told = h('div', { 'aria-live': 'polite' });
  const box = dialog('Import', h('p', { class: 'row' }, file, h('label', {}, 'Written as ', kind)), text, told,
    h('p', { class: 'row' }, h('button', { class: 'primary', onclick: () => read(text.value, []) }, 'Replace this deck')));
  const read = async (list, left, changed = false) => {
    let found;
    try {
      found = await question('read', { format: app.game.format, deck: list, from: kind.value || null, file: name });
    } catch (error) { return told.replaceChildren(h('p', { class: 'message' }, error.message)); }
    if (found.deck) {
      const deck = plain(found.deck);
      // The settings by which a link shows its deck lie beside what is read of it.
      const code = /^\S*?\bz=([\w-]+)$/.exec(list.trim());
      const linked = code && await unpacked(code[1]).catch(() => null);
      app.deck.edit((now) => {
        const { settings } = linked ?? now;
        for (const key of Object.keys(now)) delete now[key];
        Object.assign(now, deck, { format: app.game.format }, settings && { settings });
      });
      const near = likely(found.check.findings);
      if (!left.length && !near.length) { box.close(); return say('Imported. Undo brings the deck before it back.'); }
      return told.replaceChildren(...[
        left.length ? [h('p', {}, 'Imported, without these lines:'), h('pre', {}, left.join('\n'))] : h('p', {}, 'Imported.'),
        near.length ? names(app, near, () => box.close()) : []].flat());
    }
    const lines = list.split('\n');
    // The total in a heading follows what is taken of the lines below it.
    const totals = new Map(found.check.findings.flatMap(({ line, message }) => {
      const listed = / should have `\d+` cards?, but (\d+) (?:is|are) /.exec(message);
      return line && listed ? [[line, listed[1]]] : [];
    }));
    const wrong = [...new Set(found.check.findings.map((finding) => finding.line).filter((line) => line && !totals.has(line)))];
    const counted = lines.map((line, at) => (totals.has(at + 1) ? line.replace(/\d+(?=\D*$)/, totals.get(at + 1)) : line)).join('\n');
    if (changed && !wrong.length && counted !== list) return read(counted, left, true);
    // Lines that lack their count alone: the mend is the line with one.
    const bare = wrong.filter((at) => found.check.findings.some((finding) => finding.line === at && finding.help?.includes(`\`1 ${lines[at - 1].trim()}\``)));
    told.replaceChildren(h('p', { class: 'message' }, 'Not every line could be read:'),
      h('ul', { class: 'findings' }, found.check.findings.map((finding) => h('li', { class: 'finding error' }, finding.line ? h('b', {}, `Line ${finding.line} `) : '', finding.message, finding.help ? h('span', { class: 'quiet' }, ' ', finding.help) : ''))),
      bare.length > 0 ? h('p', {}, h('button', { 'data-key': 'count-once', onclick: () => read(lines.map((line, at) => (bare.includes(at + 1) ? `1 ${line.trim()}` : line)).join('\n'), left, true) }, bare.length === 1 ? `Read line ${bare[0]} as one copy` : `Read lines ${bare.join(', ')} as one copy each`)) : '',
      wrong.length > 0 ? h('button', { onclick: () => read(lines.filter((_, at) => !wrong.includes(at + 1)).join('\n'), [...left, ...wrong.map((at) => lines[at - 1])], true) }, `Leave out ${wrong.length === 1 ? 'this line' : `these ${wrong.length} lines`}`) : '',
      !wrong.length && totals.size ? h('button', { 'data-key': 'as-listed', onclick: () => read(counted, left, true) }, 'Take what is listed, and correct the totals') : '');
  };
}

/** Names that no card has, with the cards that each may mean, the likeliest first. */
const likely = (findings) => findings.flatMap(({ help, cards }) => {
  const near = help?.startsWith('did you mean ') ? help.split('`').filter((_, at) => at % 2) : [];
  return near.length && cards.length === 1 ? [[cards[0], near]] : [];
}).filter(([name], at, all) => all.findIndex(([other]) => other === name) === at);

/** Offers names to be put right: each is confirmed, or stays. */
function names(app, near, done) {
  const meant = new Map(near.map(([name, [first]]) => [name, first]));
  return h('form', { onsubmit: (event) => {
    event.preventDefault();
    done();
    app.deck.edit((deck) => {
      for (const lines of Object.values(deck.sections)) {
        for (const [name, card] of meant) {
          const at = lines.findIndex((line) => line.name === name);
          const same = lines.find((line) => line.name === card);
          if (at < 0 || !card) continue;
          if (same) { same.count += lines[at].count; lines.splice(at, 1); } else lines[at].name = card;
        }
      }
    });
  } }, h('p', {}, 'Some names are nearly those of cards:'),
  near.map(([name, cards]) => h('p', {}, h('label', {}, h('bdi', {}, name), ' is ', h('select', { onchange: (event) => meant.set(name, event.target.value) },
    cards.map((card) => h('option', { value: card }, card)), h('option', { value: '' }, 'as it is written'))))),
  h('button', { class: 'primary', 'data-key': 'take-names' }, 'Put these right'));
}

/** Saves the deck as a file; what of it the file does not show is said. */
async function save(app, kind, ending) {
  try {
    const { file, remarks } = await written(kind, asked(app));
    download(`${fileName(app)}.${ending}`, file);
    if (remarks.length) dialog('What the file does not show', h('ul', {}, remarks.map((remark) => h('li', {}, remark))));
  } catch (error) { say(error.message); }
}

function exportDialog(app) {
  const shown = h('textarea', { rows: 14, readonly: true, 'aria-label': 'The deck as text' });
  dialog('Export', h('p', { class: 'row' }, WRITERS.map(([kind, name, ending]) => h('button', { onclick: () => save(app, kind, ending) }, name))), shown);
  written('text', asked(app)).then(({ file }) => file.text()).then((text) => { shown.value = text; shown.select(); }, (error) => say(error.message));
}

async function share(app) {
  const deck = app.deck.now;
  const whole = `${address(app.game.format)}z=${await packed(deck)}`;
  const line = (name, link) => {
    const field = h('input', { readonly: true, value: link, 'aria-label': name, onfocus: () => field.select() });
    return h('div', {}, h('label', {}, name), h('div', { class: 'row' }, field, h('button', { onclick: async () => { await navigator.clipboard?.writeText(link); say('Copied'); } }, 'Copy')));
  };
  dialog('Share', h('p', {}, 'Whoever has the link has the deck as it is now.'), caution && h('p', { class: 'quiet' }, caution), line('A link that holds the deck itself', whole));
}

async function versions(app) {
  const { deck } = app;
  if (deck.place === 'file') return say('A file has the versions that you keep of it; undo goes back to when the page was loaded.');
  if (deck.place === null) return say('Nothing is saved yet.');
  const states = await ask('GET', `${deck.path()}/versions`);
  const note = h('input', { 'aria-label': 'Name of this version', placeholder: 'Name this version' });
  const count = (state) => Object.values(plain(state.deck).sections).flat().reduce((sum, line) => sum + line.count, 0);
  const box = dialog('Versions', h('form', { class: 'row', onsubmit: async (event) => {
    event.preventDefault();
    await deck.save(note.value.trim());
    box.close();
    say(deck.saved ? 'Kept' : deck.state);
  } }, note, h('button', {}, 'Keep')),
  h('ul', { class: 'list' }, states.map((state) => h('li', { class: 'item' }, h('div', { class: 'line' },
    h('span', { class: 'name' }, h('b', {}, state.note), ' ', new Date(state.at).toLocaleString(), ' ', h('span', { class: 'quiet' }, `${count(state)} cards`)),
    h('button', { onclick: () => compare(app, plain(state.deck), 'that version') }, 'Compare'),
    h('button', { onclick: () => { box.close(); deck.edit((now) => { for (const key of Object.keys(now)) delete now[key]; Object.assign(now, plain(state.deck)); }); } }, 'Restore'))))));
}

async function compareDialog(app) {
  const text = h('textarea', { rows: 10, 'aria-label': 'The other deck', spellcheck: 'false' });
  const drafts = (await ask('GET', '/api/drafts')).filter((draft) => draft.format === app.game.format && draft.id !== app.deck.place);
  const other = h('select', { 'aria-label': 'One of your decks' }, h('option', { value: '' }, 'the list below'), drafts.map((draft) => h('option', { value: draft.id }, draft.name)));
  dialog('Compare', h('p', {}, 'With one of your decks, or with a list:'), other, text, h('p', {}, h('button', { class: 'primary', onclick: async () => {
    try {
      if (other.value) return compare(app, plain((await ask('GET', `/api/drafts/${other.value}`)).deck), other.selectedOptions[0].textContent);
      const found = await question('read', { format: app.game.format, deck: text.value });
      if (!found.deck) return say(found.check.findings[0]?.message ?? 'That is no deck.');
      compare(app, plain(found.deck), 'the list');
    } catch (error) { say(error.message); }
  } }, 'Compare')));
}

async function compare(app, other, name) {
  const told = await question('compare', { format: app.game.format, with: other, deck: app.deck.now });
  const words = { same: 'The same deck.', swapped: 'The same deck after a legal swap.', 'illegal-swap': 'The same cards, swapped so that the deck is not legal.', other: '' };
  dialog(`This deck beside ${name}`, words[told.answer] && h('p', {}, words[told.answer]),
    h('table', {}, h('thead', {}, h('tr', {}, ['Section', 'Card', name, 'This deck'].map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, told.changes.map((one) => h('tr', {}, h('td', {}, app.section(one.section)), h('th', { scope: 'row' }, h('bdi', {}, one.card)), h('td', { class: 'number' }, one.from), h('td', { class: 'number' }, one.to))))));
}
