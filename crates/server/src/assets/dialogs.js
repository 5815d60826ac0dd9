// What opens above the page: decks, import, share, versions, collection, house rules, rules, a sample hand, keys.
import { address, ask, caution, serves } from './carrier.js';
import * as decks from './decks.js';
import { button, copier, dialog, h, pop, save, toast } from './dom.js';
import { written } from './engine.js';
import { changes, findings } from './findings.js';
import { pack, packedIn, plain, unpack } from './links.js';
import { plural, sentence } from './words.js';

const total = (deck) => Object.values(deck.sections).flat().reduce((sum, line) => sum + line.count, 0);
const when = (at) => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A button that gives a box the text of a file. @param {HTMLTextAreaElement} text @param {(file: File) => void} [then] */
const chooser = (text, then, more = {}) => h('label', { class: 'btn' }, 'Choose a file', h('input', { type: 'file', class: 'away', ...more, onchange: async ({ target: { files: [one] } }) => {
  if (!one) return;
  text.value = await one.text();
  then?.(one);
} }));

/** Kinds of files that a deck is saved as: id, name and ending. */
const KINDS = [['svg', 'Picture', 'svg'], ['text', 'Text', 'txt'], ['list', 'Bare list', 'txt'], ['json', 'JSON', 'json'], ['yaml', 'YAML', 'yaml'], ['csv', 'CSV', 'csv'], ['cod', 'Cockatrice', 'cod'], ['sheet', 'Sheet to print', 'html'], ...(serves ? [['proxies', 'Proxies (PDF)', 'pdf']] : [])];

const KEYS = [['/', 'Search or add'], ['3 name ⏎', 'Add three of the first match'], ['← → ↑ ↓', 'Move between cards'], ['⏎ or click', 'Add one'], ['−', 'Remove one'], ['Right-click or M', 'Card menu'], ['0–9', 'Set the number'], ['Shift click', 'Add up to the limit'], ['I', 'Card and odds'], ['V', 'Other view'], ['Ctrl Z', 'Undo'], ['Ctrl Shift Z', 'Redo'], ['Ctrl V', 'Paste a deck']];

/** What the page's parts open. @param {any} app */
export function dialogs(app) {
  const { game, deck } = app;

  /** The decks of this game: one's own, samples, an empty one. */
  app.decks = async (opener) => {
    const place = h('div', { class: 'about decks' }, h('p', { class: 'quiet' }, 'One moment…'));
    pop(opener, (box) => box.append(place));
    const [own, { samples = [] }] = await Promise.all([decks.list().catch(() => []), ask({ ask: 'format' }).catch(() => ({}))]);
    const formats = game.formats.map((one) => one.id);
    const fits = ({ format }) => formats.includes(format);
    const mine = own.filter((one) => fits(one) && one.id !== deck.place?.id).slice(0, 12);
    const go = (words, to, kind = '') => button(words, () => { opener.popup?.close(); to(); }, kind);
    const open = (format, end) => location.assign(`${address(format)}${end}`);
    const part = (name, all) => all.length > 0 && [h('h3', {}, name), h('ul', {}, all.map(([words, about, to]) => h('li', {}, go([h('span', {}, words), h('small', {}, about)], to, 'plain'))))];
    place.replaceChildren(h('div', { class: 'about' }, h('div', { class: 'acts' }, go('New deck', () => open(game.format, 'new')), go('Import', () => app.import()), go('Versions', versions)),
      part('Your decks', mine.map((one) => [one.name, when(one.at), () => open(one.format, `d=${one.id}`)])),
      part('Sample decks', samples.filter(fits).map((one) => [one.name, one.verdict, async () => open(one.format, `z=${await pack({ ...plain(one.deck), format: one.format })}`)]))));
  };

  /** Reads a list or a file into this deck; lines that cannot be read are named. */
  app.import = (given = '', name = '') => {
    const text = h('textarea', { class: 'input', rows: 12, 'aria-label': 'Deck list', spellcheck: 'false', placeholder: '3 Name of a card\n2 Name of another\n\nA link or a file works too.' }, given);
    const status = h('div', { role: 'status' });
    const choose = chooser(text, (one) => { name = one.name; read(); });
    const box = dialog('Import a deck', text, status, h('div', { class: 'acts' }, button('Import', () => read(), 'main'), choose));
    const take = (next, notes = []) => {
      box.close();
      deck.replace({ ...next, format: game.format, ...(deck.now.settings && !next.settings ? { settings: deck.now.settings } : {}) });
      deck.notes = notes;
      app.skipped = true;
      app.redeck();
      toast(`Imported ${plural(total(next), 'card')}.${notes.length ? ` ${sentence(notes[0].message).map((part) => part.textContent ?? part).join('')}${notes.length > 1 ? ` And ${plural(notes.length - 1, 'more note')}.` : ''}` : ''}`, () => { deck.notes = []; deck.undo(); });
    };
    async function read(skip = []) {
      const lines = text.value.split('\n').filter((_, at) => !skip.includes(at + 1)).join('\n');
      try {
        const packed = packedIn(lines);
        if (packed) return take(await unpack(packed));
        const found = await ask({ ask: 'read', format: game.format, deck: lines, file: name || undefined });
        if (found.deck) return take(plain(found.deck), found.notes);
        const all = found.check.findings;
        const wrong = [...new Set(all.map((one) => one.line).filter(Boolean))];
        const leave = wrong.length > 0 && button(wrong.length > 1 ? 'Leave out these lines' : 'Leave out this line', () => read([...skip, ...wrong]));
        status.replaceChildren(h('p', {}, h('b', {}, wrong.length > 1 ? `${wrong.length} lines cannot be read.` : 'This cannot be read.')), findings(all.slice(0, 12)), leave || '');
      } catch (error) {
        status.replaceChildren(h('p', { class: 'why' }, error.message));
      }
    }
    if (given) read();
  };

  /** A link that holds the deck, and files. */
  app.share = async () => {
    const link = h('input', { class: 'input', readonly: true, 'aria-label': 'Link to this deck', value: `${address(game.format)}z=${await pack(deck.now)}`, onfocus: () => link.select() });
    const text = h('textarea', { class: 'input', rows: 10, readonly: true, 'aria-label': 'The deck as text' });
    const file = app.fileName();
    const download = async (kind, ending) => {
      try {
        const { bytes, notes } = await written(game.format, deck.now, kind);
        save(`${file}.${ending}`, bytes);
        toast(notes.find((one) => one.code === 'deck.left-out')?.message ?? `Saved ${file}.${ending}.`);
      } catch (error) {
        toast(error.message);
      }
    };
    dialog('Share', h('p', { class: 'quiet' }, 'Anyone with the link sees this deck as it is now. The server does not store it.'), caution && h('p', { class: 'quiet' }, caution), h('div', { class: 'acts' }, link, copier(() => link.value, 'Copy link')),
      h('h3', {}, 'Export'), text, h('div', { class: 'acts' }, copier(() => text.value, 'Copy list'), KINDS.map(([kind, name, ending]) => button(name, () => download(kind, ending), '', { 'data-kind': kind }))));
    text.value = await written(game.format, deck.now, 'text').then((one) => one.text, (error) => error.message);
  };

  async function versions() {
    if (!deck.place || deck.place.id === 'file') return toast(deck.place ? 'Versions of a file are not stored here.' : 'This deck has no earlier version yet.');
    const all = await decks.versions(deck.place.id).catch(() => []);
    const note = h('input', { class: 'input', 'aria-label': 'Name of this version', placeholder: 'Name this version' });
    const keep = async (event) => {
      event.preventDefault();
      box.close();
      await deck.save(note.value.trim());
      toast('Version kept.');
    };
    const restore = (one) => {
      box.close();
      deck.replace(one.deck);
      toast('Restored.', () => deck.undo());
    };
    const box = dialog('Versions', h('form', { class: 'acts', onsubmit: keep }, note, h('button', { class: 'btn' }, 'Keep')),
      h('ul', { class: 'versions' }, all.map((one) => h('li', {}, h('span', { class: 'grow' }, h('b', {}, one.note || when(one.at)), h('small', {}, ` ${plural(total(one.deck), 'card')}${one.note ? `, ${when(one.at)}` : ''}`)),
        button('Compare', () => compare(one), 'plain'), button('Restore', () => restore(one))))));
  }
  async function compare(version) {
    try {
      const since = await ask({ ask: 'compare', format: game.format, with: version.deck, deck: deck.now });
      dialog('Since that version', since.changes.length ? changes(since.changes, app.sectionName) : h('p', {}, 'The decks are the same.'));
    } catch (error) {
      toast(error.message);
    }
  }

  /** The cards that the player owns: a list as decks are written, or a table with the columns count and name. */
  app.collection = () => {
    const text = h('textarea', { class: 'input', rows: 12, 'aria-label': 'Your cards', spellcheck: 'false', placeholder: '4 Name of a card\n2 Name of another' }, Object.entries(app.owned ?? {}).map(([name, n]) => `${n} ${name}`).join('\n'));
    const status = h('div', { role: 'status' });
    async function keep() {
      try {
        const is = /^[^\n]*\b(count|quantity|qty|amount|number)\b[^\n]*[,;\t]|[,;\t][^\n]*\b(count|quantity|qty|amount|number)\b/i.test(text.value.trim().split('\n')[0]);
        const { owned, unknown } = is ? await ask({ ask: 'cards', format: game.format, collection: text.value }) : await listed();
        if (!owned) return;
        await app.keepOwned(owned);
        box.close();
        const known = Object.keys(owned).length, words = (all) => `${all.slice(0, 3).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
        toast(`${plural(known, 'card')} in your collection.${unknown?.length ? ` Unknown: ${words(unknown)}.` : ''}`);
        app.search();
      } catch (error) { status.replaceChildren(h('p', { class: 'why' }, error.message)); }
    }
    async function listed() {
      if (!text.value.trim()) return { owned: {} };
      const found = await ask({ ask: 'read', format: game.format, deck: text.value }), all = found.check.findings;
      if (!found.deck) { status.replaceChildren(h('p', {}, h('b', {}, 'This cannot be read.')), findings(all.filter((one) => one.line).slice(0, 8))); return {}; }
      const unknown = [...new Set(all.filter((one) => one.code.endsWith('.not-in-pool')).flatMap((one) => one.cards))], owned = {};
      for (const { name, count } of Object.values(plain(found.deck).sections).flat()) if (!unknown.includes(name)) owned[app.folded(name)] = (owned[app.folded(name)] ?? 0) + count;
      return { owned, unknown };
    }
    const box = dialog('Your collection', h('p', { class: 'quiet' }, 'Paste lists, or a table with the columns count and name. It stays in this browser.'), text, status,
      h('div', { class: 'acts' }, button('Save', keep, 'main'), chooser(text, null, { accept: '.csv,.txt' }), app.owned && button('Forget all', () => { text.value = ''; keep(); }, 'plain')));
  };

  /** What the rules leave open. */
  app.settings = () => {
    if (!game.settings.length) return;
    const fields = game.settings.map((one) => {
      const value = deck.now.settings?.[one.name] ?? '';
      const now = one.now ?? 'not set';
      const attributes = { class: one.choices.length ? 'select' : 'input', name: one.name, id: `set-${one.name}` };
      const field = one.choices.length ? h('select', attributes, ['', ...one.choices].map((choice) => h('option', { value: choice, selected: choice === value }, choice || now)))
        : h('input', { ...attributes, type: 'number', min: one.min ?? 0, max: one.max ?? false, value, placeholder: now });
      return h('div', { class: 'setting' }, h('label', { for: attributes.id }, sentence(one.name)), field, h('small', {}, sentence(one.about)));
    });
    const form = h('form', { class: 'about', onsubmit: (event) => {
      event.preventDefault();
      const settings = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
      box.close();
      deck.head({ settings: Object.keys(settings).length ? settings : undefined });
    } }, fields, h('button', { class: 'btn main' }, 'Save'));
    const box = dialog('House rules', h('p', { class: 'quiet' }, 'The rules leave these open. This deck keeps what you set.'), form);
  };

  const rules = (all) => h('ul', { class: 'rules' }, all.map((rule) => h('li', {}, rule.about, rule.source && h('cite', {}, rule.source))));
  app.rules = () => dialog(`Rules of ${game.name}`, rules(game.rules), game.gaps.length > 0 && [h('h3', {}, 'What the rules do not say'), rules(game.gaps.map(({ about }) => ({ about })))]);

  /** A hand, drawn as the game draws, with its mulligans. */
  app.sampleHand = () => {
    const rule = game.mulligan, size = app.hand, cards = h('div', { class: 'hand' }), says = h('p', { role: 'status' }), acts = h('div', { class: 'acts' });
    let pile = [], hand = [], taken = 0, kept = false, turn = 1, down = new Set();
    const under = () => rule?.bottom[taken] ?? 0;
    function shuffled(list) {
      const random = crypto.getRandomValues(new Uint32Array(list.length));
      for (let i = list.length - 1; i > 0; i--) { const j = Math.floor((random[i] / 2 ** 32) * (i + 1)); [list[i], list[j]] = [list[j], list[i]]; }
      return list;
    }
    const draws = (n) => hand.push(...pile.splice(0, n));
    function deal() {
      pile = shuffled(deck.lines(game.drawn).flatMap(({ name, count }) => Array(count).fill(name)));
      hand = []; taken = 0; kept = false; turn = 1; down = new Set();
      draws(size);
      show();
    }
    function mulligan() {
      const old = hand;
      taken += 1; hand = []; down = new Set();
      if (rule.kind === 'shuffle') pile = shuffled([...pile, ...old]);
      draws(size);
      // A hand that was set aside goes back once the new one is drawn.
      if (rule.kind === 'aside') pile = shuffled([...pile, ...old]);
      show();
    }
    function keep() { pile.push(...hand.filter((_, at) => down.has(at))); hand = hand.filter((_, at) => !down.has(at)); kept = true; show(); }
    function show() {
      const all = hand.length + pile.length, left = under() - down.size;
      says.textContent = !all ? 'The deck has no cards yet.' : kept ? `Turn ${turn}. ${plural(hand.length, 'card')} in hand, ${pile.length} in the deck${taken ? `, after ${plural(taken, 'mulligan')}` : ''}.` : under() ? `Choose ${plural(under(), 'card')} to go under the deck: ${down.size} of ${under()}.` : taken ? `After ${plural(taken, 'mulligan')}.` : rule ? `A hand of ${hand.length}. Keep it, or take a mulligan.` : game.hand ? `A hand of ${hand.length}.` : `A hand of ${hand.length}: the rules give no number.`;
      const drawn = hand.map((name, at) => { const one = !kept && under() ? h('button', { class: 'card', 'aria-pressed': String(down.has(at)), 'aria-label': name, onclick: () => { if (!down.delete(at) && left > 0) down.add(at); show(); cards.children[at]?.focus(); } }) : h('div', { class: 'dealt', role: 'img', 'aria-label': name }); app.faces.draw(one, name, 'full'); return one; });
      cards.replaceChildren(...drawn);
      acts.replaceChildren(...(!all ? [] : kept || !rule ? [button(kept ? `Turn ${turn + 1}: draw` : 'Draw a card', () => { turn += Number(kept); draws(1); show(); }, 'main', { disabled: !pile.length })] : [button(under() ? `Keep, ${under()} under the deck` : 'Keep', keep, 'main', { disabled: left > 0 }), button('Mulligan', mulligan, '', { disabled: taken >= rule.most })]), button('New hand', deal));
    }
    dialog('Sample hand', says, cards, acts).classList.add('wide-box');
    deal();
  };

  app.keys = (opener) => pop(opener, (box) => box.append(h('div', { class: 'keys' }, KEYS.map(([key, what]) => [h('kbd', {}, key), h('span', {}, what)]))));
}
