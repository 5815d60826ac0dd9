// A card as its game prints it: drawn from its face, which says what stands where.
import { h } from './api.js';
import { pictureOf } from './carrier.js';

/**
 * A card. In small it lacks what takes long to read: its texts.
 * @param {any} face @param {boolean} [small]
 */
export function cardOf(face, small = false) {
  if (!face.picture) return drawn(face, small);
  // A picture that does not come is drawn.
  const place = h('span', { class: `face pictured${small ? ' small' : ''}` },
    h('img', { src: pictureOf(face), alt: '', loading: 'lazy', onerror: () => place.replaceWith(drawn(face, small)) }),
    h('span', { class: 'title' }, h('bdi', {}, face.name)));
  return place;
}

/** What the table shows in small, in words; in large the picture that the engine draws. */
function drawn(face, small) {
  const { name, kind, text, cost, edges, numbers } = face;
  const values = [...(cost ? [['', cost]] : []), ...(edges ?? []).map((edge) => ['', edge]), ...numbers];
  if (!small) {
    const told = [name, kind, ...text, ...values.map((value) => value.join(' ').trim())].filter(Boolean);
    const place = h('span', { class: 'face drawn', role: 'img', 'aria-label': told.join('. ') });
    place.innerHTML = face.svg;
    return place;
  }
  return h('span', { class: 'face small' },
    h('span', { class: 'title' }, h('bdi', {}, name)),
    kind && h('span', { class: 'kind' }, kind),
    values.length ? h('span', { class: 'numbers' }, values.map(([label, number]) => h('span', {}, label && h('small', {}, label), ' ', h('b', {}, number), ' '))) : null);
}

/**
 * Faces by the names of cards, each asked for once, and again if there was no answer.
 * @param {(name: string) => Promise<any>} find
 */
export function faces(find) {
  const known = new Map();
  return (name) => {
    if (!known.has(name)) {
      const found = find(name);
      known.set(name, found);
      found.catch(() => known.delete(name));
    }
    return known.get(name);
  };
}

/**
 * Shows a card in large beside the page while a pointer or the focus is on what names it in
 * `data-look`. It says nothing that a tap on the same does not say.
 * @param {HTMLElement} root @param {(name: string) => Promise<any>} faceOf
 */
export function looks(root, faceOf) {
  const box = h('div', { class: 'look', 'aria-hidden': 'true', hidden: true });
  document.body.append(box);
  let on = null;
  const show = async (event) => {
    const at = event.target.closest?.('[data-look]') ?? null;
    // A finger that taps has no pointer that goes away again.
    if (event.pointerType === 'touch' || at === on) return;
    on = at;
    box.hidden = true;
    if (!at) return;
    // Who passes over a card, or clicks at once, does not look at it.
    await new Promise((rested) => { setTimeout(rested, 180); });
    if (on !== at) return;
    try {
      const face = await faceOf(at.dataset.look);
      if (!face || on !== at || !at.isConnected) return;
      box.replaceChildren(cardOf(face));
      box.classList.toggle('left', at.getBoundingClientRect().left > innerWidth / 2);
      box.hidden = false;
    } catch { /* the card is asked for when somebody looks again */ }
  };
  const hide = () => { on = null; box.hidden = true; };
  root.addEventListener('pointerover', show);
  root.addEventListener('focusin', (event) => { if (event.target.matches(':focus-visible')) show(event); });
  root.addEventListener('pointerleave', hide);
  root.addEventListener('focusout', hide);
  addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
}
