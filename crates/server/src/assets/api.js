// Asking: JSON there and back.

/**
 * Sends a question; a status of 0 is that nobody answered.
 * @param {string} method @param {string} path @param {unknown} [body] @param {string} [form]
 * @returns {Promise<{status: number, told: any}>}
 */
async function send(method, path, body, form) {
  const init = { method, headers: {} };
  if (form) init.headers['x-decklaw-form'] = form;
  if (body !== undefined) {
    init.headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(path, init);
    const { status } = response;
    const kind = response.headers.get('content-type') ?? '';
    const told = kind.startsWith('application/json') ? await response.json() : await response.blob();
    return { status, told: status < 400 || !(told instanceof Blob) ? told : {} };
  } catch {
    return { status: 0, told: { message: 'The server does not answer.' } };
  }
}



/** What was refused, with what to do about it. */
export class Refused extends Error {
  /** @param {number} status @param {any} told */
  constructor(status, told) {
    super(wrong(told?.message ? told : { message: 'The server cannot be reached.' }));
    this.status = status;
    this.told = told;
  }
}

/** What is wrong, and what to do about it. @param {{message: string, help?: string}} problem */
export const wrong = ({ message, help }) => (help ? `${message.replace(/(?<![.!?])$/, '.')} ${help}` : message);

/** Whether it is a problem and no answer. @param {any} told */
export const failed = (told) => told?.kind !== undefined && told.message !== undefined;

/**
 * Asks a question about decks, games and cards.
 * @param {string} name what `decklaw` calls it, such as `check` @param {object} asked
 * @param {boolean} [own] whether it is about the cards that the player owns
 */
export const question = (name, asked, own = false) => ask('POST', `/api/ask${own ? '?own=true' : ''}`, { ask: name, ...asked });

/**
 * @param {string} method @param {string} path @param {unknown} [body]
 * @param {string} [form] tells what is sent from all else: sent twice with one body, it is done once
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, form) {
  const { status, told } = await send(method, path, body, form);
  if (status < 200 || status >= 400) throw new Refused(status, told);
  return told;
}

/** What tells one form from every other one. */
export const chance = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether the same question may get an answer in a while. @param {unknown} error */
export const passes = (error) => error instanceof Refused && [0, 408, 429, 502, 503, 504].includes(error.status);

/**
 * After so many milliseconds, or sooner: as the network or the reader comes back.
 * @param {number} milliseconds
 */
export function later(milliseconds) {
  return new Promise((over) => {
    const ended = new AbortController();
    const end = () => { ended.abort(); over(undefined); };
    const timer = setTimeout(end, milliseconds);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    addEventListener('online', end, { signal: ended.signal });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) end(); }, { signal: ended.signal });
  });
}

/** How long to wait before another try, in milliseconds. @param {number} tries those before */
export const pause = (tries) => Math.min(500 * 2 ** tries, 10000);

/**
 * An element: attributes, listeners (`on…`), and what is in it.
 * @param {string} tag @param {Record<string, any>} [about] @param {...any} inside
 */
export function h(tag, about = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(about)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...inside.flat(3).filter((one) => one !== undefined && one !== null && one !== false));
  return element;
}

/**
 * Puts other content into an element; what stands there already is not touched, and what had the
 * focus keeps it.
 * @param {HTMLElement} place @param {...any} inside
 */
export function fill(place, ...inside) {
  const active = document.activeElement;
  const key = place.contains(active) ? active?.getAttribute('data-key') : null;
  const wanted = inside.flat(3).filter((one) => one !== undefined && one !== null && one !== false);
  const stay = new Set(wanted);
  for (const child of [...place.childNodes]) if (!stay.has(child)) child.remove();
  wanted.forEach((one, at) => {
    const there = place.childNodes[at] ?? null;
    if (there !== one) place.insertBefore(one instanceof Node ? one : new Text(one), there);
  });
  if (key && !place.contains(document.activeElement)) {
    const again = place.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const near = again && !again.disabled ? again : again?.parentElement?.querySelector('button:not(:disabled)');
    near?.focus({ preventScroll: true });
  }
}

/** Words that an element is made of alone, written where they are others. @param {HTMLElement} place */
export function write(place, words) {
  if (place.textContent !== words) place.textContent = words;
}

/**
 * Elements for a list of plain data, each made of its own alone, and kept as long as that is the
 * same: a page of many rows is drawn anew where something changed.
 * @param {(about: any) => HTMLElement | HTMLElement[]} make
 */
export function rows(make) {
  let before = new Map();
  return (list) => {
    const now = new Map();
    const elements = list.map((about) => {
      const key = JSON.stringify(about);
      const element = (!now.has(key) && before.get(key)) || make(about);
      now.set(key, element);
      return element;
    });
    before = now;
    return elements;
  };
}

let gone;
/** Says something in passing. @param {string} text */
export function say(text) {
  document.querySelector('.toast')?.remove();
  clearTimeout(gone);
  const toast = h('div', { class: 'toast', role: 'status' }, text);
  document.body.append(toast);
  gone = setTimeout(() => toast.remove(), 3500);
}

/**
 * A dialog with a heading; it ends with Escape or its button.
 * @param {string} title @param {...any} inside
 */
export function dialog(title, ...inside) {
  const box = h('dialog', { 'aria-label': title },
    h('header', {}, h('h2', {}, title), h('button', { onclick: () => box.close(), 'aria-label': 'Close' }, '✕')),
    inside);
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A sentence of the library: what stands in backticks is set apart. @param {string} text */
export function told(text) {
  return text.split('`').map((part, at) => (at % 2 ? h('b', {}, h('bdi', {}, part)) : part));
}
