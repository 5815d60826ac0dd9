// What carries questions to where they are answered, and their answers back: here, the server. A
// published page has another one (`published/carrier.js`), with the same exports.

/** The first page. */
export const home = '/';
/** Whether decks are played and handed in here. */
export const serves = true;

/** What is to be known of the addresses of this page. */
export const caution = '';

/** The address of the builder of a format, as far as to where a deck is said. @param {string} format */
export const address = (format) => `${location.origin}/deck/${format}#`;

/** Where a picture of a card is. @param {{name: string, picture: {format: string, file: string}}} face */
export const pictureOf = ({ name, picture }) => `/api/picture/${picture.format}?name=${encodeURIComponent(name)}`;

/**
 * Sends a question; a status of 0 is that nobody answered.
 * @param {string} method @param {string} path @param {unknown} [body] @param {string} [form]
 * @returns {Promise<{status: number, told: any}>}
 */
export async function send(method, path, body, form) {
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

/**
 * A deck as a file, and what of it the file does not show.
 * @param {string} kind @param {{format: string, deck: any}} asked
 * @returns {Promise<{file: Blob, remarks: string[]}>}
 */
export async function written(kind, asked) {
  const response = await fetch(`/api/write/${kind}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) });
  if (!response.ok) {
    const told = await response.json();
    throw new Error([told.message, told.help].filter(Boolean).join(' '));
  }
  const remarks = Uint8Array.from(atob(response.headers.get('x-decklaw-remarks') ?? 'W10='), (letter) => letter.charCodeAt(0));
  return { file: await response.blob(), remarks: JSON.parse(new TextDecoder().decode(remarks)) };
}

/** Opens a sheet in a window of its own, from where a browser prints it. @param {string} kind @param {any} asked */
export function print(kind, asked) {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: `/api/write/${kind}`, target: '_blank' });
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: 'ask', value: JSON.stringify(asked) });
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
}
