// A player with every deck, and the deck check at the table: part by part, one tick for each copy. Ticks
// are kept on this device, and offered to the other judge.
import { $, button, dialog, h, select } from './dom.js';
import { BASE, EVENT, FORMAT, ORIGIN, act, badge, linkOf, me, problem, send, stateOf, time } from './event.js';
import { faces } from './faces.js';
import { changes, findings } from './findings.js';
import { read, write } from './memory.js';
import { plural, sentence } from './words.js';

const SAID = { same: 'The same deck as the one that counts.', swapped: 'The deck that counts, after a legal swap.', 'illegal-swap': 'The deck that counts, after a swap that leaves no legal deck.', other: 'Not the deck that counts.', unreadable: 'This is not a readable deck.' };

/** Copies that were seen, by section and card, and how many there are. */
function ticksOf(version) {
  const key = `decklaw-check-${EVENT}-${version.entry}`, id = (section, name) => `${section}/${name}`;
  const parts = version.sections.filter(({ cards }) => cards.length).map(({ section, title, cards }) => {
    const all = new Map();
    for (const [copies, name] of cards) all.set(name, (all.get(name) ?? 0) + copies);
    return { section, title, cards: [...all].sort(([a], [b]) => a.localeCompare(b)) };
  });
  const it = {
    parts, seen: read(key, {}), need: parts.reduce((sum, { cards }) => sum + cards.reduce((own, [, copies]) => own + copies, 0), 0),
    of: (section, name) => it.seen[id(section, name)] ?? 0,
    set(section, name, copies) {
      if (copies > 0) it.seen[id(section, name)] = copies; else delete it.seen[id(section, name)];
      it.keep();
    },
    keep() {
      write(key, it.seen);
      clearTimeout(it.timer);
      it.timer = setTimeout(() => act('ticks', { entry: version.entry, ticks: it.seen }).catch(() => null), 800);
    },
    get have() { return parts.reduce((sum, { section, cards }) => sum + cards.reduce((own, [name, copies]) => own + Math.min(copies, it.of(section, name)), 0), 0); },
    get over() { return parts.flatMap(({ section, cards }) => cards.filter(([name, copies]) => it.of(section, name) > copies)).length; },
    /** What another judge has ticked, where this device has nothing. */
    get others() { return Object.keys(it.seen).length ? [] : Object.entries(version.ticks ?? {}).filter(([judge, own]) => judge !== (me() || 'organiser') && Object.keys(own).length); },
  };
  return it;
}

/** The cards to tick, and how many were seen. */
function sheet(version, tally) {
  const ticks = ticksOf(version), box = h('div', { class: 'parts' }), { draw: face } = faces(version.format || FORMAT);
  const arts = new Map();
  function row(section, name, copies) {
    const have = ticks.of(section, name), set = (own) => { ticks.set(section, name, Math.max(0, own)); draw(); };
    const kind = have === copies ? 'done' : have > copies ? 'over' : have ? 'some' : '', at = `${section}/${name}`;
    const place = arts.get(at) ?? h('span', { class: 'art', 'aria-hidden': 'true' });
    if (!arts.has(at)) { arts.set(at, place); if (version.format || FORMAT) face(place, name, 'slice'); }
    return h('div', { class: `tick ${kind}` }, place, h('label', {}, h('input', { type: 'checkbox', checked: have === copies, 'data-at': `${at} all`, onchange: ({ target }) => set(target.checked ? copies : 0) }), h('b', {}, copies), h('bdi', {}, name)),
      copies > 1 && h('span', { class: 'pm' }, button('−', () => set(have - 1), '', { 'data-at': `${at} -`, 'aria-label': `One ${name} less` }), h('em', { 'aria-live': 'polite' }, have), button('+', () => set(have + 1), '', { 'data-at': `${at} +`, 'aria-label': `One ${name} more` })));
  }
  function draw() {
    const at = document.activeElement?.dataset?.at, others = ticks.others;
    box.replaceChildren(...others.map(([judge, own]) => h('p', { class: 'note' }, h('bdi', {}, judge), ` has ticked ${plural(Object.values(own).reduce((a, b) => a + b, 0), 'card')}. `, button('Take over', () => { Object.assign(ticks.seen, own); ticks.keep(); draw(); }))),
      ...ticks.parts.map(({ section, title, cards }) => {
        const all = cards.reduce((sum, [, copies]) => sum + copies, 0), have = cards.reduce((sum, [name, copies]) => sum + Math.min(copies, ticks.of(section, name)), 0), isDone = have === all;
        return h('section', { class: 'part' }, h('h3', {}, h('bdi', {}, title), h('span', { class: isDone ? 'ok-text' : 'quiet' }, isDone ? `✓ ${all}` : `${have} of ${all}`),
          button(isDone ? 'Untick all' : 'Tick all', () => { for (const [name, copies] of cards) ticks.set(section, name, isDone ? 0 : copies); draw(); }, 'plain', { 'data-at': `${section} all` })),
        h('div', { class: 'ticks' }, cards.map(([name, copies]) => row(section, name, copies))));
      }));
    if (at) box.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });
    tally.textContent = ticks.need ? `${ticks.have} of ${ticks.need} cards seen. Kept on this device.` : '';
  }
  draw();
  return { box, ticks };
}

/** A player with every deck, and a list to tick at the table. @param {any} page what the organiser's page offers */
export async function openPlayer(id, drawn, page) {
  const player = await send(`/player?id=${id}`).catch(page.failed);
  if (!player) return;
  const row = page.state.players.find((one) => (one.id ?? one.entry) === id) ?? {}, { versions, seen } = player, isPlayer = id.startsWith('p');
  const version = versions.find((one) => one.counts) ?? versions[0];
  const again = async (...words) => { if (await page.decide(words, seen)) { box.close(); page.reopen(id); } };
  const tally = h('span', { class: 'quiet', 'aria-live': 'polite' }), checked = version && sheet(version, tally);
  const foot = h('div', { class: 'acts foot' });
  const answer = async (word) => { if (await page.decide([id, 'check', word], seen)) box.close(); };
  const matches = () => {
    const { have, need, over } = checked.ticks;
    if (have === need && !over) return answer('matches');
    const words = over ? `${plural(over, 'card')} with too many copies.` : `${plural(need - have, 'copy', 'copies')} not ticked.`;
    const go = button('Go on checking', () => buttons(), 'plain');
    foot.replaceChildren(h('b', { role: 'alert' }, words), button('It matches all the same', () => answer('matches')), go);
    go.focus();
  };
  const buttons = () => foot.replaceChildren(button('Matches', matches, 'main'), button('Differs', () => answer('differs')), tally);
  buttons();
  const box = dialog(player.name ?? 'Whose deck is this?',
    h('div', { class: 'top' }, h('p', { class: 'quiet' }, [id, player.table && `table ${player.table}`, ...(player.addresses ?? []), version && [version.name, time(version.local) || version.time, version.place].filter(Boolean).join(', ')].filter(Boolean).join(' · ')), badge(row.id ? stateOf(row) : version ? version.verdict : 'missing')),
    drawn && h('p', { class: 'note' }, 'Drawn for a deck check. Tick each card that you find.'),
    row.remark && h('p', {}, row.remark),
    version?.findings.length > 0 && findings(version.findings), checked?.box,
    h('label', { class: 'field' }, h('span', {}, 'Note'), h('input', { class: 'input', name: 'why', maxlength: 200, placeholder: 'Kept with what you decide here' })),
    player.notes?.length > 0 && h('ul', { class: 'notes' }, player.notes.map((note) => h('li', {}, note))),
    isPlayer && version?.counts && foot,
    versions.length > 0 && h('details', { open: !isPlayer }, h('summary', {}, versions.length === 1 ? 'The deck as it came' : plural(versions.length, 'deck')), versions.map((one) => versionOf(one, again))),
    isPlayer && h('details', {}, h('summary', {}, 'Player'), about(player, id, again, page)),
    isPlayer && h('details', {}, h('summary', {}, 'Compare or enter a deck'), typed(id, version, page, () => { box.close(); page.reopen(id); })));
  box.classList.add('check');
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

function about(player, id, again, page) {
  const field = (label, word, value, most) => {
    const input = h('input', { class: 'input', value: value ?? '', maxlength: most, 'aria-label': label });
    return h('form', { class: 'field', onsubmit: (event) => { event.preventDefault(); again(id, word, input.value); } }, h('span', {}, label), input, h('button', { class: 'btn' }, 'Save'));
  };
  const others = page.state.players.filter((row) => row.id && row.id !== id);
  const same = select('The same player as', [['', 'The same player as…'], ...others.map((row) => [row.id, `${row.player} (${row.id})`])], '',
    async (other) => { if (other && await page.decide([id, 'same', other], player.seen)) same.closest('dialog').close(); });
  const link = button('New private link', async (event) => {
    const done = await page.deed('key', { player: id, seen: player.seen }, 'New private link');
    if (done?.link) event.target.replaceWith(linkOf(ORIGIN + done.link));
  });
  const forget = button('Remove personal data…', (event) => {
    event.target.replaceWith(h('span', {}, 'Name, addresses, decks and notes are removed for ever. ', button('Remove', async (own) => { if (await page.decide([id, 'forget'], player.seen)) own.target.closest('dialog')?.close(); }, 'bad')));
  });
  return h('div', { class: 'about' }, field('Name', 'name', player.name, 100), field('Table', 'table', player.table, 20),
    h('p', { class: 'acts' }, player.locked ? button('Unlock the deck', () => again(id, 'unlock')) : button('Lock the deck', () => again(id, 'lock')),
      player.listed ? button('Take off the list', () => again(id, 'unexpected')) : button('Put on the list', () => again(id, 'expected')),
      h('a', { class: 'btn', href: `${BASE}/sheets?only=${id}`, target: '_blank' }, 'Print a sheet'), link, same, forget));
}

/** A deck that the organiser types: what was found at the table, what a player gives on paper, or a correction. */
function typed(id, version, page, done) {
  const deck = h('textarea', { class: 'input', rows: 8, spellcheck: 'false', 'aria-label': 'A deck', placeholder: '3 Card Name' }), status = h('div', { 'aria-live': 'polite' });
  const say = (error) => status.replaceChildren(problem(error));
  const tell = (what, more, then) => act(what, { player: id, deck: deck.value, ...more }).then(async (answer) => { await page.refresh(); then(answer); }).catch(say);
  const correct = () => {
    const why = $('dialog[open] [name=why]')?.value.trim();
    if (!why) return say(new Error('A correction needs a note: why does it count?'));
    return tell('enter', { replaces: version.entry, why }, done);
  };
  return h('div', {}, deck, status, h('p', { class: 'acts' },
    version?.counts && button('Compare with the deck that counts', () => tell('check', {}, (answer) => status.replaceChildren(h('b', {}, SAID[answer.answer]), changes(answer.differences, String), ...answer.errors.map((words) => h('p', {}, words)), ...answer.notes.map((note) => h('p', { class: 'quiet' }, sentence(note.message)))))),
    button('Enter it for this player', () => tell('enter', {}, done)), version && button('Replace the deck that counts', correct)));
}
