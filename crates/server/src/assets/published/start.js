// The first page of a published game: its formats with their rules, one's own decks, and a deck from
// anywhere.
import { ask, chance, fill, h, question, say } from './api.js';
import { address, home } from './carrier.js';
import { plain } from './links.js';
import { demands } from './rules.js';

const root = document.getElementById('app');

/** Opens a list of any kind, or a link. */
function paste(formats) {
  const text = h('textarea', { id: 'deck', rows: 8, spellcheck: 'false', placeholder: '3 …' });
  const format = h('select', { id: 'format' }, h('option', { value: '' }, 'as the deck says'), formats.map(({ format: id, name }) => h('option', { value: id, selected: formats.length === 1 || undefined }, name)));
  const wrong = h('div', { 'aria-live': 'polite' });
  return h('form', { onsubmit: async (event) => {
    event.preventDefault();
    try {
      const linked = /[#&]z=([\w-]+)/.exec(text.value);
      const found = await question('read', { format: format.value || null, deck: text.value });
      if (found.deck && found.format) {
        if (linked) location.assign(`${address(found.format)}z=${linked[1]}`);
        else {
          const { id } = await ask('POST', '/api/drafts', { format: found.format, deck: { ...plain(found.deck), format: found.format } }, chance());
          location.assign(`${address(found.format)}d=${id}`);
        }
        return;
      }
      fill(wrong, h('p', { class: 'message' }, found.deck ? 'Which format is this deck for?' : 'Not every line could be read:'),
        h('ul', { class: 'findings' }, found.check.findings.map((finding) => h('li', { class: 'finding error' }, finding.line ? h('b', {}, `Line ${finding.line} `) : '', finding.message, finding.help && h('span', { class: 'quiet' }, ' ', finding.help)))));
    } catch (error) { say(error.message); }
  } }, h('label', { for: 'deck' }, 'Paste a list, or a link that holds a deck'), text,
  h('div', { class: 'row' }, h('label', { for: 'format' }, 'Format'), format, h('button', { class: 'primary' }, 'Open')), wrong);
}

/** The decks that this browser keeps. */
async function own(place) {
  let drafts = [];
  try { drafts = await ask('GET', '/api/drafts'); } catch (error) { return fill(place, h('p', { class: 'quiet' }, error.message)); }
  fill(place, drafts.length > 0 && [h('h2', {}, 'Your decks'), h('ul', { class: 'decks' }, drafts.map(({ id, format, name, at }) => h('li', { class: 'row' },
    h('a', { href: `${address(format)}d=${id}` }, h('bdi', {}, name), h('span', { class: 'quiet' }, `${format} · ${new Date(at).toLocaleString()}`)),
    h('button', { 'aria-label': `Forget ${name}`, onclick: async () => {
      if (!confirm(`Forget ${name}? It is kept nowhere else.`)) return;
      await ask('DELETE', `/api/drafts/${id}`);
      own(place);
    } }, 'Forget')))),
  h('p', { class: 'quiet' }, 'This browser alone keeps them. A link under Share, or a file, takes a deck elsewhere.')]);
}

addEventListener('hashchange', () => location.reload());

try {
  const { games: [game] } = await question('format', {});
  if (game.wrong) throw new Error(game.wrong);
  const mine = h('section', {});
  const pages = await Promise.all(game.formats.map(({ format }) => question('format', { format })));
  fill(root, h('header', { class: 'top' }, h('a', { class: 'mark', href: home }, game.name)),
    h('main', { class: 'start' }, h('h1', { class: 'away' }, game.name),
      h('section', {}, h('h2', {}, 'Begin a deck'), h('ul', { class: 'games' }, game.formats.map(({ format: id, name, about }, at) => h('li', {},
        h('a', { href: address(id).slice(0, -1) }, name), about && h('span', { class: 'quiet' }, ` ${about}`),
        h('details', {}, h('summary', {}, `What ${name} demands`), demands(pages[at])))))),
      h('div', {}, h('section', { class: 'box' }, h('h2', {}, 'A deck you have'), paste(game.formats)), mine,
        h('p', { class: 'quiet' }, 'This page needs no server: decks are judged in this browser, and what you build here leaves it only by a link or a file that you give. Made with decklaw.'))));
  own(mine);
  root.dataset.ready = 'yes';
} catch (error) {
  fill(root, h('main', { class: 'narrow' }, h('h1', {}, 'The game cannot be shown'), h('p', { class: 'message' }, error.message)));
}
