// The public page of an event: faces of each deck's cards, and a search.
import { $, button, copier, h } from './dom.js';
import { faces } from './faces.js';
import { matches } from './search.js';

const FEW = 6, { format } = document.body.dataset, drawers = new Map();
const decks = [...document.querySelectorAll('.played')].map((box) => ({
  box, texts: [...box.querySelectorAll('h2, p, li bdi')].map((part) => part.textContent), names: [...box.querySelectorAll('li bdi')].map((part) => part.textContent),
}));

const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    const own = target.dataset.format || format, place = $('.faces', target);
    if (!isIntersecting || !own || place.children.length) continue;
    if (!drawers.has(own)) drawers.set(own, faces(own));
    const { names } = decks.find((deck) => deck.box === target);
    for (const name of [...new Set(names)].slice(0, FEW)) {
      const card = h('span');
      place.append(card);
      drawers.get(own).draw(card, name, 'thumb');
    }
  }
}, { rootMargin: '300px' });

for (const { box } of decks) {
  near.observe(box);
  const text = () => [...box.querySelectorAll('.list > div')].map((part) => [$('h3 bdi', part).textContent, ...[...part.querySelectorAll('li')].map((line) => line.textContent)].join('\n')).join('\n\n');
  $('.acts', box).append(copier(text, 'Copy the list'));
}

const find = $('.find'), q = $('#q');
const search = () => {
  for (const { box, texts } of decks) box.hidden = !matches(q.value, texts);
  $('#n').textContent = `${decks.filter(({ box }) => !box.hidden).length} of ${decks.length}`;
};
find.hidden = !decks.length;
q.addEventListener('input', search);
search();
for (const line of document.querySelectorAll('.share li')) {
  const name = $('bdi', line);
  name.replaceWith(button(name.textContent, () => { q.value = name.textContent; search(); }, 'plain'));
}
