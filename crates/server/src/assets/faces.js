// Cards as their game prints them: the engine draws them, a few dozen at a time, and the page keeps them.
import { ask, picture } from './carrier.js';

/** The most faces of one question: the first of many are soon there. */
const BATCH = 32;

let instances = 0;
/** Two copies of one picture must not share ids: what refers to one that is not shown is not painted. */
const apart = (svg) => { const own = `_${++instances}`; return svg.replace(/(\bid="|url\(#|href="#)([\w-]+)/g, `$1$2${own}`); };

export function faces(format) {
  const known = new Map(), waiting = new Map();
  let flushing = 0;

  async function flush() {
    for (const [size, wanted] of waiting) {
      waiting.delete(size);
      const all = [...wanted];
      for (let at = 0; at < all.length; at += BATCH) {
        const part = all.slice(at, at + BATCH);
        try {
          const { faces: made } = await ask({ ask: 'faces', format, cards: part.map(([name]) => name), size });
          part.forEach(([, { done }], i) => done(made[i]));
        } catch (error) {
          for (const [name, { failed }] of part) { known.delete(`${size}\n${name}`); failed(error); }
        }
      }
    }
    flushing = 0;
    if (waiting.size) flushing = setTimeout(flush);
  }

  /** A card's face: its words, and its picture as SVG. @param {string} name @param {string} size */
  function face(name, size = 'full') {
    const key = `${size}\n${name}`;
    if (!known.has(key)) {
      known.set(key, new Promise((done, failed) => {
        if (!waiting.has(size)) waiting.set(size, new Map());
        waiting.get(size).set(name, { done, failed });
      }));
      flushing ||= setTimeout(flush);
    }
    return known.get(key);
  }

  /** Draws a card into an element, before what is in it. @param {HTMLElement} place @param {string} name @param {string} size */
  async function draw(place, name, size = 'full') {
    if (place.dataset.face === `${size} ${name}`) return null;
    place.dataset.face = `${size} ${name}`;
    const known = await face(name, size).catch(() => null);
    if (!known || place.dataset.face !== `${size} ${name}`) { if (!known) delete place.dataset.face; return null; }
    place.querySelector(':scope > svg')?.remove();
    place.insertAdjacentHTML('afterbegin', apart(known.svg)); // the engine escapes what it writes
    const svg = place.firstElementChild;
    if (size !== 'slice') svg.classList.add('face');
    const art = known.picture && svg.querySelector('g[clip-path]'), room = art && svg.querySelector('clipPath rect');
    if (art) {
      const image = document.createElementNS(svg.namespaceURI, 'image');
      for (const [key, value] of Object.entries({ href: picture(known), width: room.getAttribute('width'), height: room.getAttribute('height'), preserveAspectRatio: 'xMidYMid slice' })) image.setAttribute(key, value);
      image.addEventListener('load', () => art.replaceChildren(image));
      image.addEventListener('error', () => image.remove());
      art.append(image);
    }
    return known;
  }
  return { face, draw };
}

/** Calls the `near` method of elements that come near to the window of a scroller. @param {?HTMLElement} root */
export function watcher(root) {
  return new IntersectionObserver((seen) => { for (const { isIntersecting, target } of seen) target.near(isIntersecting); }, { root, rootMargin: '400px' });
}
