// The deck builder's page: loads a game and a deck, and gives its parts what they share.
import { address, ask, event as forEvent, file, home, serves, takes } from './carrier.js';
import { Deck, fixed } from './deck.js';
import * as decks from './decks.js';
import { $, button, copier, h, LOGO, select, takesFile, toast } from './dom.js';
import { deckPane } from './deckpane.js';
import { engine, written } from './engine.js';
import { faces } from './faces.js';
import { filters } from './filters.js';
import { pack, plain, unpack } from './links.js';
import { fly } from './motion.js';
import { pool } from './pool.js';
import { strip } from './strip.js';
import { first, sentence, titled } from './words.js';

/** The hand of a game that does not say, and the turn of odds. */
const HAND = 5, TURN = 3;

const root = document.getElementById('app'), format = root.dataset.format;

/** The deck of the address: a stored one, one in the link, the file, or a new one. */
async function load() {
  const asked = new URLSearchParams(location.hash.slice(1)), of = (deck) => ({ ...plain(deck), format: deck.format ?? format });
  if (file && new URLSearchParams(location.search).has('file')) {
    const found = await file.read();
    return Object.assign(new Deck(of(found.deck), { id: 'file', rev: found.rev }), { notes: found.notes });
  }
  const stored = asked.has('d') && await decks.open(asked.get('d')).catch(() => null);
  if (stored) return new Deck(of(stored.deck), { id: stored.id, rev: stored.rev });
  if (asked.has('z')) {
    const sent = of(await unpack(asked.get('z')));
    // The page counts cards by the names that the game gives them.
    const read = await ask({ ask: 'read', format: sent.format, deck: sent }).catch(() => null);
    return Object.assign(new Deck(read?.deck ? of({ ...read.deck, settings: sent.settings }) : sent), { lent: true, notes: read?.notes ?? [] });
  }
  return new Deck({ format, sections: {} });
}

/** A name as collections have it. */
const folded = (name) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase().replaceAll('ß', 'ss');
/** The copies of a card that rules about it alone let in; what bounds the whole deck lets one come before another goes. */
const alone = (room) => (room ? room.alone ?? room.more : null);

/** What the parts of the page share. @param {any} game @param {Deck} deck */
function begin(game, deck) {
  const app = {
    game, deck, open: game.drawn, visible: new Set(), picks: new Set(), faces: faces(game.format), hand: game.hand ?? HAND, turn: TURN, filters: filters(game), owned: null, skipped: deck.lent, step: null, copier,
    sectionName: (id) => titled((game.sections.find((section) => section.id === id)?.name ?? id).replace(/ (deck|section)$/, '')),
    sections: () => [...new Set([...game.sections.filter((section) => section.used || deck.total(section.id)).map((section) => section.id), ...(game.open ? [game.drawn, ...Object.keys(deck.now.sections)] : [])])],
    held: (name) => Object.keys(deck.now.sections).reduce((sum, section) => sum + deck.count(name, section), 0),
    /** Whether a rule about this card alone lets no more copies in; what bounds the whole deck lets one come before another goes. */
    isFull: (name, section) => alone(app.room(name, section)) === 0,
    /** Sets the number of a card, or says why not. @returns {number} by how many it changed */
    put(name, n, section = app.goes(name), anyway = false, from = null) {
      if (section === undefined) return known(name, () => app.put(name, n));
      if (section === null) { toast(`${name}: no section of the deck takes this card.`); return 0; }
      const has = deck.count(name, section), room = app.room(name, section), others = n > has ? replaced(name, section) : [];
      let next = Math.max(0, n);
      if (!anyway && next > has && !others.length && alone(room) !== null && alone(room) < next - has && app.isFresh()) {
        next = has + Math.max(0, alone(room));
        toast(room.message && room.alone == null ? sentence(room.message).map((part) => part.textContent ?? part).join('') : `${name}: no more copies fit.`, () => app.put(name, n, section, true), 'Add anyway');
      }
      if (next !== has) deck.apply([...others, { section, card: name, to: next }]);
      if (next > has && section === app.open) app.soon(() => fly(from, () => document.querySelector(`#deck [data-card="${CSS.escape(name)}"] .card`)));
      return next - has;
    },
    add: (name, by = 1, from = null) => {
      const section = app.goes(name);
      return section === undefined ? known(name, () => app.add(name, by)) : app.put(name, (section ? deck.count(name, section) : 0) + by, section, false, from);
    },
    /** As many copies as fit. */
    most(name) { const section = app.goes(name), more = section && app.room(name, section)?.more; if (more) app.add(name, more); else app.add(name); },
    rename: (from, to) => deck.replace(fixed(deck.now, { renamed: [{ from, to }], changes: [] })),
    folded,
    fileName: () => (deck.now.name ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'deck',
    /** How many copies the player owns; `null`: nobody has said. */
    owns: (name) => (app.owned ? app.owned[folded(name)] ?? 0 : null),
    async own(name, n) {
      const owned = { ...app.owned, [folded(name)]: Math.max(0, n) };
      if (n <= 0) delete owned[folded(name)];
      await app.keepOwned(owned);
    },
    async keepOwned(owned) {
      app.owned = owned && Object.keys(owned).length ? owned : null;
      await decks.own(game.game, app.owned ?? {}).catch((error) => toast(error.message));
      app.redeck();
      app.badges();
    },
    /** What the player lacks of the whole deck. */
    lacks: () => deck.names.map((name) => ({ name, needed: app.held(name), have: Math.min(app.owns(name) ?? 0, app.held(name)) })).map((one) => ({ ...one, missing: one.needed - one.have })).filter((one) => one.missing),
    /** Learns the fields of cards. @param {string[]} names */
    async learn(names) {
      if (!names.length) return;
      const { cards = [] } = await ask({ ask: 'view', format: game.format, deck: { format: game.format, sections: {} }, cards: names.slice(0, 200) });
      for (const card of cards) app.cards.set(card.name, card);
    },
    tab(name) { root.dataset.tab = name; for (const b of $('#tabs').children) b.setAttribute('aria-current', String(b.dataset.tab === name)); },
    drag(event, name, from = null) {
      app.unlook();
      event.dataTransfer.setData('text/decklaw', JSON.stringify({ name, from }));
      event.dataTransfer.setData('text/plain', name);
    },
    taken(event) { event.preventDefault(); event.stopPropagation(); try { return JSON.parse(event.dataTransfer.getData('text/decklaw')); } catch { return {}; } },
    /** A card was dropped on a section, or on the deck. */
    dropped(name, from, to) {
      if (from === null) return to === null ? app.add(name) : app.put(name, deck.count(name, to) + 1, to, true);
      if (to !== null && to !== from) deck.apply([{ section: from, card: name, to: deck.count(name, from) - 1 }, { section: to, card: name, to: deck.count(name, to) + 1 }]);
    },
  };
  /** Acts once the engine has said where a card goes. */
  function known(name, act) {
    app.picks.add(name);
    app.refresh().then(() => { if (app.goes(name) !== undefined) act(); });
    return 0;
  }
  /** A Hero or a Shell takes the place of the one before. */
  function replaced(name, section) {
    const step = game.start.find((one) => one.pick === section);
    if (!step) return [];
    const same = ({ name: other }) => other !== name && (!step.by || first(app.cards.get(other), step.by) === first(app.cards.get(name), step.by));
    return deck.lines(section).filter(same).map((line) => ({ section, card: line.name, to: 0 }));
  }
  return app;
}

/** Parts of the page that are loaded when one of them is first wanted. @param {() => Promise<void>} load sets them @param {string[]} names */
function later(app, load, names) {
  let loading = null;
  for (const name of names) app[name] = async (...given) => { await (loading ??= load()); return app[name](...given); };
}

/** The bar: game, name, history, decks, hand, share, play. @param {any} app */
function bar(app) {
  const { game, deck } = app;
  const name = h('input', { class: 'deck-name', 'aria-label': 'Name of the deck', placeholder: 'Untitled deck', maxlength: 200, value: deck.now.name ?? '', onchange: () => deck.head({ name: name.value.trim() || undefined }) });
  const undo = button('↶', () => deck.undo(), 'plain icon', { 'aria-label': 'Undo', title: 'Undo (Ctrl Z)' });
  const redo = button('↷', () => deck.redo(), 'plain icon', { 'aria-label': 'Redo', title: 'Redo (Ctrl Shift Z)' });
  const formats = h('span', { class: 'wide' });
  /** Another format of the game keeps the deck. */
  const change = async (format) => location.assign(`${address(format)}${!deck.isEmpty && game.formats.some((one) => one.id === format) ? `z=${await pack({ ...deck.now, format })}` : 'new'}`);
  const named = (list) => formats.replaceChildren(select('Game', list, game.format, change, { disabled: Boolean(forEvent) }));
  named(game.formats.map((one) => [one.id, one.name]));
  ask({ ask: 'format' }).then(({ games }) => named(games.filter((one) => !one.wrong).flatMap((one) => one.formats.map((of) => [of.format, of.name]))), () => {});
  const saved = h('span', { class: 'saved wide', role: 'status' });
  const conflict = h('span', { class: 'conflict', hidden: true, role: 'alert' }, 'Changed in another tab.', button('Keep mine', () => deck.settle(true)), button('Take the other', () => deck.settle(false)));
  const opens = { 'aria-haspopup': 'dialog', 'aria-expanded': 'false' };
  const play = async () => {
    await deck.save();
    location.assign(`/play?format=${encodeURIComponent(game.format)}${deck.place && deck.place.id !== 'file' ? `#d=${deck.place.id}` : ''}`);
  };
  /** The event's page takes the deck from here. */
  const handIn = async () => {
    await deck.save();
    sessionStorage.setItem(`hand-in ${forEvent}`, (await written(game.format, deck.now, 'text')).text);
    location.assign(`/e/${forEvent}`);
  };
  const copy = button('Edit a copy', () => app.edit(), 'main', { hidden: true });
  app.play = play;
  $('#bar').append(
    h('a', { class: 'logo', href: home, html: `${LOGO}<span class="wide">decklaw</span><span class="away">Start page</span>` }), formats, name, saved, conflict, h('span', { class: 'grow wide' }),
    undo, redo, button('Decks', (event) => app.decks(event.currentTarget), 'plain', opens), button('?', (event) => app.keys(event.currentTarget), 'plain icon wide', { ...opens, 'aria-label': 'Keyboard shortcuts' }),
    button('Sample hand', app.sampleHand, 'wide'), button('Share', app.share), copy, takes ? button('Hand in', handIn, 'main') : serves && !forEvent ? button('Play', play, 'main wide') : '');
  let shown = '';
  async function draw(what) {
    copy.hidden = !(deck.lent && app.isGallery?.());
    $('#bar').classList.toggle('lent', !copy.hidden);
    undo.disabled = !deck.canUndo; redo.disabled = !deck.canRedo;
    if (document.activeElement !== name) name.value = deck.now.name ?? '';
    document.title = `${deck.now.name || 'Untitled deck'} · ${game.name}`;
    conflict.hidden = !deck.conflict;
    const state = navigator.onLine || !serves ? deck.trouble ? `Not saved. ${deck.trouble}` : deck.isStored ? 'Saved' : deck.lent ? 'Shared deck' : '' : 'Offline. Saved on this device';
    if (state !== shown) saved.textContent = shown = state;
    $('#tabs [data-tab=deck]').textContent = `Deck ${deck.total(game.drawn)}`;
    if (what === 'state' && deck.isStored && deck.place.id !== 'file') history.replaceState(null, '', `${address(game.format)}d=${deck.place.id}&z=${await pack(deck.now)}`);
  }
  deck.watch((what) => (what === 'deck' ? app.soon(draw) : draw(what)));
  addEventListener('online', draw); addEventListener('offline', draw);
  draw();
}

/** Keys, paste and drop of the whole page. @param {any} app */
function whole(app) {
  const { deck } = app, typing = (event) => event.target.closest?.('input, textarea, select, dialog');
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || typing(event)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) deck.redo(); else deck.undo();
  });
  addEventListener('paste', (event) => { const text = event.clipboardData.getData('text/plain').trim(); if (!typing(event) && text) app.import(text); });
  takesFile(globalThis, async (one) => app.import(await one.text(), one.name));
  addEventListener('hashchange', () => location.reload());
  addEventListener('pagehide', () => { if (!deck.isStored && !deck.isEmpty && !deck.lent) deck.save(); });
  addEventListener('beforeunload', (event) => { if (deck.trouble || deck.conflict) event.preventDefault(); });
  decks.watch(async ({ id, rev }) => {
    if (!id || id !== deck.place?.id || !rev || rev <= deck.place.rev || !deck.isStored) return;
    const stored = await decks.open(id);
    if (stored && deck.isStored) deck.take(stored.deck, stored.rev);
  });
}

try {
  const [game, deck] = await Promise.all([ask({ ask: 'format', format }), load()]);
  const app = begin(game, deck), part = (tag, id, label) => h(tag, { class: id, id, 'aria-label': label });
  root.replaceChildren(h('a', { class: 'away skip', href: '#cards-of-deck', onclick: (event) => { event.preventDefault(); app.tab('deck'); $('#cards-of-deck').focus(); } }, 'Skip to your deck'), h('header', { class: 'bar', id: 'bar' }), part('section', 'strip', 'Your deck at a glance'),
    h('main', {}, h('h1', { class: 'away' }, `Deck builder: ${game.name}`), part('section', 'pool', 'Cards'), part('aside', 'inspect', 'The card that you point at'), part('section', 'deck', 'Your deck')), part('nav', 'tabs', 'Views'));
  root.classList.add('builder');
  app.owned = await decks.owned(game.game).catch(() => null) ?? null;
  if (app.owned && !Object.keys(app.owned).length) app.owned = null;
  engine(app);
  app.unlook = () => {};
  later(app, async () => (await import('./dialogs.js')).dialogs(app), ['decks', 'import', 'share', 'collection', 'settings', 'rules', 'sampleHand', 'keys']);
  later(app, async () => { const [{ inspector }, { menus }] = await Promise.all([import('./inspect.js'), import('./menu.js')]); inspector(app); menus(app); }, ['look', 'lookAt', 'sheet', 'menu']);
  later(app, async () => { const { suggest, fix } = await import('./offers.js'); app.suggest = () => suggest(app); app.fix = () => fix(app); }, ['suggest', 'fix']);
  later(app, async () => { const { odds } = await import('./odds.js'); app.odds = () => odds(app); }, ['odds']);
  strip($('#strip'), app);
  $('#inspect').append(h('p', { class: 'quiet' }, 'Point at a card to see it here, with its odds.'));
  $('#tabs').append(...[['cards', 'Cards'], ['deck', 'Deck'], ['hand', 'Hand'], ...(serves && !forEvent ? [['play', 'Play']] : [])].map(([id, words]) => h('button', { 'data-tab': id, onclick: () => (id === 'hand' ? app.sampleHand() : id === 'play' ? app.play() : app.tab(id)) }, words)));
  bar(app);
  deckPane($('#deck'), app);
  whole(app);
  app.tab(deck.isEmpty ? game.start.length ? 'deck' : 'cards' : 'deck');
  const shown = pool($('#pool'), app);
  app.watch(() => app.badges());
  deck.watch((what) => { if (what === 'deck') { app.refresh(); app.soon(() => { if (!app.isFresh()) app.badges(); }); } });
  await shown;
  await app.refresh();
  performance.mark('ready');
  root.dataset.ready = 'yes';
} catch (error) {
  root.replaceChildren(h('main', { class: 'failed' }, h('h1', {}, 'The builder cannot be shown'), h('p', {}, error.message), h('p', {}, h('a', { href: home }, 'Start page'))));
}
