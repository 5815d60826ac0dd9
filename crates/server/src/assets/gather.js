// Opening a table and bringing a deck: the decks of this browser, a file, links to copy, and who is here.
import { h, toast } from './dom.js';
import { list as ownDecks } from './decks.js';
import { bring } from './deal.js';
import { pack, plain } from './links.js';
import { listen } from './live.js';
import { forget, list as tables, read, remember, write } from './tables.js';

const box = document.getElementById('deck');
const NAME = 'decklaw-name';

/** Fills the box with a deck of this browser. */
function fill({ deck }) {
  const { settings, ...own } = deck;
  box.value = JSON.stringify(own);
  box.closest('form').querySelector('.wrong')?.remove();
}

/** Ways to a deck besides pasting: one of this browser's, a file. */
async function choices() {
  const place = document.getElementById('choices');
  const file = h('input', { type: 'file', id: 'file', class: 'away', onchange: async () => { if (file.files[0]) box.value = await file.files[0].text(); } });
  const button = h('label', { class: 'btn', for: 'file' }, 'Open a file');
  place.append(h('span', { class: 'file' }, file, button));
  box.addEventListener('dragover', (event) => event.preventDefault());
  box.addEventListener('drop', async (event) => {
    const dropped = event.dataTransfer.files[0];
    if (!dropped) return;
    event.preventDefault();
    box.value = await dropped.text();
  });
  const format = document.getElementById('bring').dataset.format;
  const decks = (await ownDecks().catch(() => [])).filter((stored) => stored.format === format);
  if (!decks.length) return;
  const select = h('select', { class: 'select', id: 'own', 'aria-label': 'Decks of this browser', onchange: () => { const stored = decks.find(({ id }) => id === select.value); if (stored) fill(stored); } },
    h('option', { value: '' }, 'A deck of this browser…'), decks.map((stored) => h('option', { value: stored.id }, stored.name)));
  place.prepend(select);
  if (!box.value.trim()) { select.value = decks[0].id; fill(decks[0]); }
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
if (box) choices();
fixes();
if (document.getElementById('gather')) waits();
const tablesPlace = document.getElementById('tables');
if (tablesPlace) known(tablesPlace);
