// What opens above the page: decks, import, share, versions, collection, house rules, rules, a sample hand, keys.
import { address, ask, caution, serves } from './carrier.js';
import * as decks from './decks.js';
import { h, pop, toast } from './dom.js';
import { pack, packedIn, plain, unpack } from './links.js';
import { plural, sentence } from './words.js';

/** A dialog that is over when it closes. @param {string} label @param {...any} inside @returns {HTMLDialogElement} */
export function dialog(label, ...inside) {
  const box = h('dialog', { 'aria-label': label, onclose: () => box.remove(), onclick: (event) => { if (event.target === box) box.close(); } },
    h('div', { class: 'dialog-head' }, h('h2', {}, label), h('button', { class: 'btn plain icon', 'aria-label': 'Close', onclick: () => box.close() }, '✕')), ...inside.flat().filter(Boolean));
  document.body.append(box);
  box.showModal();
  return box;
}
const total = (deck) => Object.values(deck.sections).flat().reduce((sum, line) => sum + line.count, 0);
const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** What the page's parts open. @param {any} app */
export function dialogs(app) {
  const { game, deck } = app;

  /** The decks of this game: one's own, samples, an empty one. */
  app.decks = async (button) => {
    const place = h('div', { class: 'about decks' }, h('p', { class: 'quiet' }, 'One moment…'));
    pop(button, (box) => box.append(place));
    const [own, { samples = [] }] = await Promise.all([decks.list().catch(() => []), ask({ ask: 'format' }).catch(() => ({}))]);
    const close = () => button.popup?.close(), formats = game.formats.map((one) => one.id);
    const mine = own.filter((one) => formats.includes(one.format) && one.id !== deck.place?.id).slice(0, 12);
    const item = (name, about, go) => h('li', {}, h('button', { class: 'btn plain', onclick: () => { close(); go(); } }, h('span', {}, name), h('small', {}, about)));
    const theirs = samples.filter((one) => formats.includes(one.format)), part = (name, items) => items.length > 0 && [h('h3', {}, name), h('ul', {}, items)];
    place.replaceChildren(h('div', { class: 'about' }, h('div', { class: 'row-of' }, h('button', { class: 'btn', onclick: () => { close(); location.assign(`${address(game.format)}new`); } }, 'New deck'), h('button', { class: 'btn', onclick: () => { close(); app.import(); } }, 'Import'), h('button', { class: 'btn', onclick: () => { close(); versions(); } }, 'Versions')),
      part('Your decks', mine.map((one) => item(one.name, when(one.at), () => location.assign(`${address(one.format)}d=${one.id}`)))),
      part('Sample decks', theirs.map((one) => item(one.name, one.verdict, async () => location.assign(`${address(one.format)}z=${await pack({ ...plain(one.deck), format: one.format })}`))))));
  };

  /** Reads a list or a file into this deck; lines that cannot be read are named. */
  app.import = (given = '', name = '') => {
    const text = h('textarea', { class: 'input', rows: 12, 'aria-label': 'Deck list', spellcheck: 'false', placeholder: '3 Name of a card\n2 Name of another\n\nA link or a file works too.' }, given), status = h('div', { role: 'status' });
    const choose = h('input', { type: 'file', class: 'away', id: 'file', onchange: async () => { const [one] = choose.files; if (one) { name = one.name; text.value = await one.text(); read(); } } });
    const box = dialog('Import a deck', text, status, h('div', { class: 'row-of' }, h('button', { class: 'btn main', onclick: () => read() }, 'Import'), h('label', { class: 'btn', for: 'file' }, 'Choose a file'), choose));
    const take = (next) => { box.close(); deck.replace({ ...next, format: game.format, ...(deck.now.settings && !next.settings ? { settings: deck.now.settings } : {}) }); app.skipped = true; app.redeck(); toast(`Imported ${plural(total(next), 'card')}.`, () => deck.undo()); };
    async function read(skip = []) {
      const lines = text.value.split('\n').filter((_, at) => !skip.includes(at + 1)).join('\n');
      try {
        const packed = packedIn(lines);
        if (packed) return take(await unpack(packed));
        const found = await ask({ ask: 'read', format: game.format, deck: lines, file: name || undefined });
        if (found.deck) return take(plain(found.deck));
        const { findings } = found.check, wrong = [...new Set(findings.map((one) => one.line).filter(Boolean))];
        status.replaceChildren(h('p', {}, h('b', {}, wrong.length > 1 ? `${wrong.length} lines cannot be read.` : 'This cannot be read.')),
          h('ul', { class: 'findings' }, findings.slice(0, 12).map((one) => h('li', { class: 'error' }, h('span', {}, one.line ? h('b', {}, `Line ${one.line}: `) : '', sentence(one.message), one.help && h('small', {}, one.help))))),
          wrong.length ? h('button', { class: 'btn', onclick: () => read([...skip, ...wrong]) }, wrong.length > 1 ? 'Leave out these lines' : 'Leave out this line') : '');
      } catch (error) { status.replaceChildren(h('p', { class: 'why' }, error.message)); }
    }
    if (given) read();
  };

  const KINDS = [['text', 'Text', 'txt'], ['list', 'Bare list', 'txt'], ['json', 'JSON', 'json'], ['yaml', 'YAML', 'yaml'], ['csv', 'CSV', 'csv'], ['cod', 'Cockatrice', 'cod'], ['sheet', 'Sheet to print', 'html'], ...(serves ? [['proxies', 'Proxies (PDF)', 'pdf']] : [])];
  async function written(kind) {
    const { bytes, notes } = await ask({ ask: 'write', format: game.format, deck: deck.now, to_format: kind });
    return { bytes: Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)), notes };
  }
  const fileName = () => (deck.now.name ?? 'deck').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'deck';
  async function download(kind, ending) {
    try {
      const { bytes, notes } = await written(kind), link = h('a', { href: URL.createObjectURL(new Blob([bytes])), download: `${fileName()}.${ending}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      toast(notes[0] ?? `Saved ${fileName()}.${ending}.`);
    } catch (error) { toast(error.message); }
  }
  /** A link that holds the deck, and files. */
  app.share = async () => {
    const link = h('input', { class: 'input', readonly: true, 'aria-label': 'Link to this deck', value: `${address(game.format)}z=${await pack(deck.now)}`, onfocus: () => link.select() }), text = h('textarea', { class: 'input', rows: 10, readonly: true, 'aria-label': 'The deck as text' });
    const copy = async (value, what) => { try { await navigator.clipboard.writeText(value); toast(`${what} copied.`); } catch { toast('Copying is not allowed here. Select the text and copy it.'); } };
    dialog('Share', h('p', { class: 'quiet' }, 'Who has the link has the deck as it is now. No server stores it.'), caution && h('p', { class: 'quiet' }, caution), h('div', { class: 'row-of' }, link, h('button', { class: 'btn main', onclick: () => copy(link.value, 'Link') }, 'Copy link')),
      h('h3', {}, 'Export'), text, h('div', { class: 'row-of' }, h('button', { class: 'btn', onclick: () => copy(text.value, 'List') }, 'Copy list'), KINDS.map(([kind, name, ending]) => h('button', { class: 'btn', 'data-kind': kind, onclick: () => download(kind, ending) }, name))));
    written('text').then(({ bytes }) => { text.value = new TextDecoder().decode(bytes); }, (error) => { text.value = error.message; });
  };

  async function versions() {
    if (!deck.place || deck.place.id === 'file') return toast(deck.place ? 'A file has the versions that you keep of it.' : 'This deck has no earlier version yet.');
    const all = await decks.versions(deck.place.id).catch(() => []), note = h('input', { class: 'input', 'aria-label': 'Name of this version', placeholder: 'Name this version' });
    const box = dialog('Versions', h('form', { class: 'row-of', onsubmit: (event) => { event.preventDefault(); box.close(); deck.save(note.value.trim()).then(() => toast('Version kept.')); } }, note, h('button', { class: 'btn' }, 'Keep')),
      h('ul', { class: 'versions' }, all.map((one) => h('li', {}, h('span', { class: 'grow' }, h('b', {}, one.note || when(one.at)), h('small', {}, ` ${plural(total(one.deck), 'card')}${one.note ? `, ${when(one.at)}` : ''}`)), h('button', { class: 'btn plain', onclick: () => compare(one) }, 'Compare'), h('button', { class: 'btn', onclick: () => { box.close(); deck.replace(one.deck); toast('Restored.', () => deck.undo()); } }, 'Restore')))));
  }
  async function compare(version) {
    try {
      const { changes } = await ask({ ask: 'compare', format: game.format, with: version.deck, deck: deck.now });
      dialog('Since that version', changes.length ? h('ul', { class: 'changes' }, changes.map(({ section, card, from, to }) => h('li', { class: to > from ? 'in' : 'out' }, h('b', {}, to > from ? `+${to - from}` : `−${from - to}`), card, h('span', { class: 'quiet' }, app.sectionName(section))))) : h('p', {}, 'The decks are the same.'));
    } catch (error) { toast(error.message); }
  }

  /** The cards that the player owns. */
  app.collection = () => {
    const text = h('textarea', { class: 'input', rows: 10, 'aria-label': 'Your cards', spellcheck: 'false', placeholder: 'count,name\n3,Name of a card' }), status = h('p', { class: 'why', role: 'status' });
    const choose = h('input', { type: 'file', class: 'away', id: 'owned', accept: '.csv,.txt', onchange: async () => { text.value = await choose.files[0]?.text() ?? ''; } });
    const box = dialog('Your collection', h('p', { class: 'quiet' }, 'A table with the columns count and name. It stays in this browser.'), text, status, h('div', { class: 'row-of' }, h('button', { class: 'btn main', onclick: async () => {
      try {
        const { owned, unknown } = await ask({ ask: 'cards', format: game.format, collection: text.value });
        await decks.own(game.game, owned);
        app.owned = owned;
        app.ownedOnly = true;
        box.close();
        toast(`${plural(Object.keys(owned).length, 'card')} in your collection.${unknown?.length ? ` Unknown: ${unknown.slice(0, 3).join(', ')}.` : ''}`);
        app.search();
      } catch (error) { status.textContent = error.message; }
    } }, 'Save'), h('label', { class: 'btn', for: 'owned' }, 'Choose a file'), choose));
  };

  /** What the rules leave open. */
  app.settings = () => {
    if (!game.settings.length) return;
    const fields = game.settings.map((one) => {
      const value = deck.now.settings?.[one.name] ?? '', attributes = { class: one.choices.length ? 'select' : 'input', name: one.name, id: `set-${one.name}` };
      return h('div', { class: 'setting' }, h('label', { for: `set-${one.name}` }, sentence(one.name)), one.choices.length ? h('select', attributes, ['', ...one.choices].map((choice) => h('option', { value: choice, selected: choice === value }, choice || (one.now ?? 'not set')))) : h('input', { ...attributes, type: 'number', min: one.min ?? 0, max: one.max ?? false, value, placeholder: one.now ?? 'not set' }), h('small', {}, sentence(one.about)));
    });
    const form = h('form', { class: 'about', onsubmit: (event) => {
      event.preventDefault();
      const settings = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
      box.close();
      deck.head({ settings: Object.keys(settings).length ? settings : undefined });
    } }, fields, h('button', { class: 'btn main' }, 'Save'));
    const box = dialog('House rules', h('p', { class: 'quiet' }, 'The rules text leaves these open. They are kept with this deck.'), form);
  };

  app.rules = () => dialog(`Rules of ${game.name}`, h('ul', { class: 'rules' }, game.rules.map((rule) => h('li', {}, rule.about, h('cite', {}, rule.source)))), game.gaps.length ? [h('h3', {}, 'What the rules text leaves open'), h('ul', { class: 'rules' }, game.gaps.map((gap) => h('li', {}, gap.about)))] : '');

  /** A hand, drawn as the game draws. */
  app.sampleHand = () => {
    let order = [], seen = 0;
    const cards = h('div', { class: 'hand' }), more = h('button', { class: 'btn', onclick: () => { seen += 1; draw(); } }, 'Draw a card');
    const draw = () => {
      for (const name of order.slice(cards.querySelectorAll('.dealt').length, seen)) { const card = h('div', { class: 'dealt', role: 'img', 'aria-label': name }); cards.append(card); app.faces.draw(card, name, 'full'); }
      more.disabled = seen >= order.length;
      if (!order.length) cards.replaceChildren(h('p', { class: 'quiet' }, 'The deck has no cards yet.'));
    };
    const deal = () => {
      order = deck.lines(game.drawn).flatMap(({ name, count }) => Array(count).fill(name));
      const random = crypto.getRandomValues(new Uint32Array(order.length));
      for (let i = order.length - 1; i > 0; i--) { const j = Math.floor((random[i] / 2 ** 32) * (i + 1)); [order[i], order[j]] = [order[j], order[i]]; }
      seen = app.hand;
      cards.replaceChildren();
      draw();
    };
    dialog('Sample hand', cards, h('div', { class: 'row-of' }, h('button', { class: 'btn main', onclick: deal }, 'New hand'), more));
    deal();
  };

  app.keys = (button) => pop(button, (box) => box.append(h('div', { class: 'keys' }, [['/', 'Search or add'], ['3 name ⏎', 'Add three of the first match'], ['← → ↑ ↓', 'Move between cards'], ['⏎ or click', 'Add one'], ['− or right-click', 'Remove one'], ['0–9', 'Set the number'], ['Shift click', 'Add up to the limit'], ['I', 'Card and odds'], ['V', 'Other view'], ['Ctrl Z', 'Undo'], ['Ctrl Shift Z', 'Redo'], ['Ctrl V', 'Paste a deck']].flatMap(([key, what]) => [h('kbd', {}, key), h('span', {}, what)]))));
}
