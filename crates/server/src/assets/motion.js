// Where a card went: it flies to its place in 180 ms, and nothing waits for it.
import { isCalm } from './dom.js';

/** @param {?Element} from the card that was clicked @param {() => ?Element} target its place, once it is there */
export function fly(from, target, tries = 12) {
  const svg = from?.querySelector?.(':scope > svg');
  if (!svg || isCalm() || !from.isConnected) return;
  const to = target();
  if (!to) { if (tries) requestAnimationFrame(() => fly(from, target, tries - 1)); return; }
  const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  if (!a.width || !b.width || b.top > innerHeight) return;
  const ghost = document.createElement('div');
  ghost.className = 'flying';
  ghost.ariaHidden = 'true';
  ghost.append(svg.cloneNode(true));
  Object.assign(ghost.style, { left: `${a.left}px`, top: `${a.top}px`, width: `${a.width}px` });
  document.body.append(ghost);
  ghost.animate([{ transform: 'none' }, { transform: `translate(${b.left - a.left}px, ${b.top - a.top}px) scale(${b.width / a.width})`, opacity: 0.35 }], { duration: 180, easing: 'cubic-bezier(.3, .7, .3, 1)' }).finished.finally(() => ghost.remove());
}
