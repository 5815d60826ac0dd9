// Opening a table and bringing a deck: the decks of this browser, a file, links to copy, and who is here.
import { h, toast } from './dom.js';
import { list as ownDecks, open } from './decks.js';
import { bring } from './deal.js';
import { pack, packedIn, plain, unpack } from './links.js';
import { ask, listen } from './live.js';
import { forget, list as tables, read, remember, write } from './tables.js';

const box = document.getElementById('deck');
const NAME = 'decklaw-name';

/** Fills the box with a deck. */
function fill(deck) {
  const { settings, ...own } = deck;
  box.value = JSON.stringify(own);
  box.closest('form').querySelector('.wrong')?.remove();
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
  const place = document.getElementById('choices');
  const file = h('input', { type: 'file', id: 'file', class: 'away', onchange: async () => { if (file.files[0]) box.value = await file.files[0].text(); } });
  place.append(h('span', { class: 'file' }, file, h('label', { class: 'btn', for: 'file' }, 'Open a file')));
  box.addEventListener('dragover', (event) => event.preventDefault());
  box.addEventListener('drop', async (event) => {
    const dropped = event.dataTransfer.files[0];
    if (!dropped) return;
    event.preventDefault();
    box.value = await dropped.text();
  });
  const { format } = document.getElementById('bring').dataset;
  const fits = (stored) => stored.format === format;
  const chosen = await named().catch((error) => { toast(error.message); return null; });
  const own = (await ownDecks().catch(() => [])).filter(fits);
  const { samples = [] } = await ask('/api/ask', { ask: 'format' }).catch(() => ({}));
  const groups = [['Decks of this browser', own], ['Sample decks', samples.filter((sample) => fits(sample) && sample.verdict === 'legal')]].filter(([, decks]) => decks.length);
  const all = groups.flatMap(([, decks]) => decks);
  if (all.length) {
    const select = h('select', { class: 'select', id: 'own', 'aria-label': 'A deck', onchange: () => { if (select.value) fill(all[select.value].deck); } },
      h('option', { value: '' }, 'Choose a deck…'), groups.map(([label, decks]) => h('optgroup', { label }, decks.map((one) => h('option', { value: all.indexOf(one) }, one.name || 'Unnamed deck')))));
    place.prepend(select);
    if (!chosen && own.length && !box.value.trim()) { select.value = '0'; fill(own[0].deck); }
  }
  if (chosen) fill(chosen);
}

/** A deck that cannot be played opens in the builder, which keeps it. */
async function fixes() {
  const link = document.getElementById('fix');
  if (link) link.href = `${link.getAttribute('href')}#z=${await pack(plain(JSON.parse(link.dataset.deck)))}`;
}

/** Next to each link a button that copies it. */
function copies() {
  for (const link of document.querySelectorAll('a.key')) {
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(link.href);
        toast('Copied.');
      } catch { toast('This browser cannot copy here: hold the link, or select it.'); }
    };
    link.parentElement.before(h('button', { class: 'btn', type: 'button', onclick: copy }, 'Copy the link'));
  }
}

/** Who is here, drawn again as it changes; when the cards are dealt the page becomes the table. */
function waits() {
  const title = document.querySelector('h1').textContent;
  const format = document.querySelector('.bar .quiet')?.textContent ?? '';
  remember({ path: location.pathname, title, format, state: 'Waiting for players' });
  let shown = document.getElementById('there').cloneNode(true);
  const look = async () => {
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer) return;
    if (answer.status === 404) { forget(location.pathname); location.replace('/play'); return; }
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const there = page.getElementById('there');
    if (!there) { location.replace(location.pathname); return; }
    if (there.isEqualNode(shown)) return;
    shown = there.cloneNode(true);
    document.getElementById('there').replaceWith(there);
    copies();
  };
  listen(`/api${location.pathname}/changes`, look);
}

/** The tables of this browser, on the page where one is opened. */
function known(place) {
  const all = tables();
  if (!all.length) return;
  place.hidden = false;
  place.append(h('ul', { class: 'known' }, all.map((table) => h('li', { class: 'panel' },
    h('a', { href: table.path }, h('b', {}, table.title), h('span', { class: 'quiet' }, [table.format, table.state].filter(Boolean).join(' · '))),
    h('button', { class: 'btn plain icon', type: 'button', 'aria-label': `Forget ${table.title}`, onclick: (event) => { forget(table.path); event.target.closest('li').remove(); } }, '✕')))));
}

const name = document.getElementById('name');
if (name) {
  name.value ||= read(NAME, '');
  name.form.addEventListener('submit', () => write(NAME, name.value.trim()));
}
bring();
copies();
if (box) choices().catch((error) => toast(error.message));
fixes();
if (document.getElementById('gather')) waits();
const tablesPlace = document.getElementById('tables');
if (tablesPlace) known(tablesPlace);
