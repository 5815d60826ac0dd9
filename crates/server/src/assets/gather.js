// Opening a table and bringing a deck: the decks of this browser, a file, links to copy, and who is here.
import { ask } from './carrier.js';
import { $, button, copier, h, select, takesFile, toast } from './dom.js';
import { list as ownDecks, open } from './decks.js';
import { written } from './engine.js';
import { pack, packedIn, plain, unpack } from './links.js';
import { listen } from './live.js';
import { bring, forget, read, remember, tables, write } from './memory.js';

const box = $('#deck');
const NAME = 'decklaw-name';

/** Fills the box with a deck, as people write it. */
async function fill(deck) {
  const { settings, ...own } = deck;
  box.value = await written(own.format, own, 'text').then(({ text }) => text, () => JSON.stringify(own));
  $('.wrong, .message', box.form)?.remove();
}

/** The deck that the address names: a deck of this browser (`#d=`), or one in the link (`#z=`). */
async function named() {
  const [id] = /(?<=^#d=)\w+/.exec(location.hash) ?? [];
  const packed = packedIn(location.hash);
  history.replaceState(null, '', location.pathname + location.search);
  if (id) return (await open(id))?.deck;
  return packed && unpack(packed);
}

/** Ways to a deck besides pasting: one of this browser's, a sample, a file. */
async function choices() {
  const place = $('#choices');
  const file = h('input', { type: 'file', id: 'file', class: 'away' });
  place.append(h('label', { class: 'btn' }, 'Open a file', file));
  takesFile(box, async (one) => { box.value = await one.text(); }, file);
  const { format } = $('#bring').dataset;
  const fits = (stored) => stored.format === format;
  const chosen = await named().catch((error) => toast(error.message));
  const own = (await ownDecks().catch(() => [])).filter(fits);
  const { samples = [] } = await ask({ ask: 'format' }).catch(() => ({}));
  const legal = samples.filter((sample) => fits(sample) && sample.verdict === 'legal');
  const all = [...own, ...legal];
  if (all.length) {
    const choice = select('A deck', [['', 'Choose a deck…']], '', (at) => at && fill({ format, ...all[at].deck }), { id: 'own' });
    for (const [label, decks] of [['Decks of this browser', own], ['Sample decks', legal]]) {
      if (decks.length) choice.append(h('optgroup', { label }, decks.map((one) => h('option', { value: all.indexOf(one) }, one.name || 'Unnamed deck'))));
    }
    place.prepend(choice);
    if (!chosen && own.length && !box.value.trim()) {
      choice.value = '0';
      await fill({ format, ...own[0].deck });
    }
  }
  if (chosen) await fill({ format, ...chosen });
}

/** The random bytes that the form of this page brings to the deal; they are remembered with what was shown before. */
function deals() {
  const field = $('input[name=random]');
  if (!field) return;
  field.value = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const { secret, brought } = $('#deal').dataset;
  const keep = (own) => { if (own && location.pathname.startsWith('/t/')) bring(location.pathname, { secret, brought: own }); };
  keep(brought);
  field.form.addEventListener('submit', () => keep(field.value));
}

/** Next to each link a button that copies it. */
const copies = () => { for (const link of document.querySelectorAll('a.key')) link.parentElement.before(copier(() => link.href, 'Copy the link')); };

/** Who is here, drawn again as it changes; when the cards are dealt the page becomes the table. */
function waits() {
  const title = $('h1').textContent;
  const format = $('.bar .quiet')?.textContent ?? '';
  remember({ path: location.pathname, title, format, state: 'Waiting for players' });
  let shown = $('#there').cloneNode(true);
  const look = async () => {
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer) return;
    if (answer.status === 404) {
      forget(location.pathname);
      location.replace('/play');
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const there = $('#there', page);
    if (!there) {
      location.replace(location.pathname);
      return;
    }
    if (there.isEqualNode(shown)) return;
    shown = there.cloneNode(true);
    $('#there').replaceWith(there);
    copies();
  };
  listen(`/api${location.pathname}/changes`, look);
}

/** The tables of this browser, on the page where one is opened. */
function known(place) {
  const all = tables();
  place.hidden = !all.length;
  place.append(h('ul', { class: 'known' }, all.map((table) => h('li', { class: 'panel' },
    h('a', { href: table.path }, h('b', {}, table.title), h('span', { class: 'quiet' }, [table.format, table.state].filter(Boolean).join(' · '))),
    button('✕', (event) => { forget(table.path); event.target.closest('li').remove(); }, 'plain icon', { 'aria-label': `Forget ${table.title}` })))));
}

const name = $('#name');
if (name) {
  name.value ||= read(NAME, '');
  name.form.addEventListener('submit', () => write(NAME, name.value.trim()));
}
deals();
copies();
if (box) choices().catch((error) => toast(error.message));
// A deck that cannot be played opens in the builder, which keeps it.
const fix = $('#fix');
if (fix) fix.href += `#z=${await pack(plain(JSON.parse(fix.dataset.deck)))}`;
if ($('#gather')) waits();
if ($('#tables')) known($('#tables'));
