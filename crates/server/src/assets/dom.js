// Small helpers that every page uses.

/** An element: h('button', { class: 'btn', onclick }, 'Undo'). A `false`, `null` or `undefined` property is left out. */
export function h(tag, props = {}, ...kids) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === false || value == null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'html') element.innerHTML = value; // only for pictures from face.js, which escapes
    else if (key === 'style') for (const [name, v] of Object.entries(value)) element.style.setProperty(name, v);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...kids.flat(9).filter((kid) => kid != null && kid !== false));
  return element;
}

/** Words that only a screen reader says: for what shows a picture of text. */
export const spoken = (text) => h('span', { class: 'away' }, text);
export const $ = (selector, root = document) => root.querySelector(selector);

/** A button that submits no form. @param {string} kind more classes, such as `main` or `plain` @param {object} more other properties */
export const button = (words, onclick, kind = '', more = {}) => h('button', { type: 'button', class: `btn ${kind}`.trim(), onclick, ...more }, words);

/** A choice of one value. @param {[any, string][]} options value and words @param {(value: string) => void} [pick] */
export function select(label, options, value, pick, more = {}) {
  const box = h('select', { class: 'select', 'aria-label': label, onchange: () => pick?.(box.value), ...more },
    options.map(([key, words]) => h('option', { value: key, selected: key === value }, words)));
  return box;
}

/** A button that copies a text. @param {() => string} text */
export const copier = (text, words = 'Copy') => button(words, async ({ currentTarget: own }) => {
  try {
    await navigator.clipboard.writeText(text());
  } catch {
    // In a club's network, without TLS, a page has no clipboard: what is selected can still be copied.
    const area = h('textarea', { class: 'away', readonly: true }, text());
    own.after(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    own.focus();
    if (!done) return toast('This browser cannot copy here. Select the text and copy it.');
  }
  toast('Copied.');
});

/** Saves a file. @param {string} name @param {BlobPart} content */
export function save(name, content) {
  const link = h('a', { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Takes a file that is dropped on a place, or that an input gives; with `many`, the list of all. @param {EventTarget} place @param {(file: any) => void} take
 * @param {?HTMLInputElement} [input] @param {?Element} [shown] what shows that a file can be dropped */
export function takesFile(place, take, input = null, shown = null, many = false) {
  for (const kind of ['dragover', 'dragleave', 'drop']) {
    place.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      shown?.classList.toggle('over', kind === 'dragover');
      if (kind === 'drop') take(many ? event.dataTransfer.files : event.dataTransfer.files[0]);
    });
  }
  input?.addEventListener('change', () => {
    const files = [...input.files];
    input.value = '';
    if (files.length) take(many ? files : files[0]);
  });
}

/** A dialog that is over when it closes. @param {string} label @param {...any} inside @returns {HTMLDialogElement} */
export function dialog(label, ...inside) {
  const box = h('dialog', { 'aria-label': label, closedby: 'any', onclose: () => box.remove() },
    h('header', {}, h('h2', {}, h('bdi', {}, label)), button('✕', () => box.close(), 'plain icon', { 'aria-label': 'Close' })), ...inside);
  document.body.append(box);
  box.showModal();
  return box;
}
export const percent = (p) => (p > 0.9995 && p < 1 ? '> 99.9 %' : p > 0 && p < 0.0005 ? '< 0.1 %' : `${(p * 100).toFixed(1)} %`);

/** A message that goes away by itself, with one thing to do about it. */
export function toast(text, action, label = 'Undo') {
  $('.toast')?.remove();
  const box = h('div', { class: 'toast', role: 'status' }, h('span', {}, text), action
    ? h('button', { class: 'btn', onclick: () => { box.remove(); action(); } }, label) : h('span'));
  document.body.append(box);
  setTimeout(() => box.remove(), 5000);
}

/** A panel under a button, on top of the page: it moves nothing. Esc or a click outside closes it. */
export function pop(button, fill, place = button.getBoundingClientRect(), kind = '') {
  if (button.popup) return button.popup.close();
  const box = h('div', { class: `pop ${kind}`.trim(), role: 'dialog', 'aria-label': button.getAttribute('aria-label') ?? button.textContent });
  const outside = (event) => { if (!box.contains(event.target) && !button.contains(event.target)) close(); };
  const escape = (event) => { if (event.key === 'Escape') { event.stopPropagation(); close(); button.focus(); } };
  const close = () => { box.remove(); button.popup = null; button.setAttribute('aria-expanded', 'false'); removeEventListener('pointerdown', outside); removeEventListener('keydown', escape); };
  box.close = close;
  fill(box);
  document.body.append(box);
  box.style.top = `${Math.max(8, Math.min(place.bottom + 6, innerHeight - box.offsetHeight - 8))}px`;
  box.style.left = `${Math.max(8, Math.min(place.left, innerWidth - box.offsetWidth - 8))}px`;
  button.popup = box;
  button.setAttribute('aria-expanded', 'true');
  addEventListener('pointerdown', outside);
  addEventListener('keydown', escape);
  return box;
}

/** One Tab stop for many elements: arrows, Home and End move among them. The result is called after they are drawn again.
 * @param {HTMLElement} root @param {string} selector @param {() => number} [columns] @param {(one: HTMLElement) => void} [then] what a move does besides */
export function rove(root, selector, columns = () => 1, then = () => {}) {
  const all = () => [...root.querySelectorAll(selector)].filter((one) => !one.disabled);
  const stop = (one) => { for (const other of all()) if (other.tabIndex === 0) other.tabIndex = -1; one.tabIndex = 0; };
  root.addEventListener('focusin', ({ target }) => { const one = target.closest(selector); if (one?.tabIndex === -1) stop(one); });
  root.addEventListener('keydown', (event) => {
    const own = event.target.closest(selector);
    if (!own || event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey) return;
    const list = all(), at = list.indexOf(own);
    const ways = { ArrowRight: () => at + 1, ArrowLeft: () => at - 1, ArrowDown: () => at + columns(), ArrowUp: () => at - columns(), Home: () => 0, End: () => list.length - 1 };
    const to = ways[event.key]?.();
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) return root.dispatchEvent(new CustomEvent('leave'));
    const one = list[to];
    if (one) { stop(one); one.focus(); then(one); }
  });
  // A button is a Tab stop by itself: all but one are taken out.
  return () => { const list = all(), one = list.find((own) => own.tabIndex === 0) ?? list[0]; if (one) stop(one); };
}
/** A finger that rests on an element. @param {(event: PointerEvent) => void} act */
export function longPress(element, act) {
  let timer = 0, done = false;
  const stop = () => clearTimeout(timer);
  element.addEventListener('pointerdown', (event) => { done = false; if (event.pointerType !== 'mouse') timer = setTimeout(() => { done = true; act(event); }, 450); });
  for (const kind of ['pointerup', 'pointercancel', 'pointermove']) element.addEventListener(kind, stop);
  element.addEventListener('click', (event) => { if (done) { event.preventDefault(); event.stopImmediatePropagation(); } }, true);
}

/** Whether the reader wants no motion. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A group of buttons; one is pressed. @param {[string, string][]} options value and words */
export function segment(label, options, value, pick) {
  const box = h('div', { class: 'seg', role: 'group', 'aria-label': label }, options.map(([key, words]) => h('button', {
    'data-key': key, 'aria-pressed': String(key === value),
    onclick: () => { for (const b of box.children) b.setAttribute('aria-pressed', String(b.dataset.key === key)); pick(key); },
  }, words)));
  return box;
}
export const LOGO = '<svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><rect x="3.2" y="5" width="11" height="15" rx="2.4" fill="currentColor" opacity=".28" transform="rotate(-12 8 12)"/><rect x="9" y="4" width="11" height="15.5" rx="2.4" fill="currentColor"/><path d="M12 12.2l2 2 3.4-4.2" stroke="var(--surface)" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>';
