// SHA-256: the browser's own where it gives it. To pages that came by plain HTTP from another
// machine, as in a shop's network, it gives none; then what FIPS 180-4 says is worked out here.

const bytesOf = (text) => new TextEncoder().encode(text);
/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** @param {string} text */
export const fromHex = (text) => new Uint8Array((text.match(/../g) ?? []).map((two) => parseInt(two, 16)));

const primes = [];
for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime)) primes.push(number);
const fraction = (number) => Math.floor((number - Math.floor(number)) * 2 ** 32);
const ROUNDS = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** SHA-256 without the browser's help. @param {Uint8Array} message */
export function plain(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length * 8);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  const state = [...START];
  for (let block = 0; block < padded.length; block += 64) {
    const words = ROUNDS.map((_, at) => (at < 16 ? view.getUint32(block + at * 4) : 0));
    for (let at = 16; at < 64; at += 1) {
      const [two, fifteen] = [words[at - 2], words[at - 15]];
      const s0 = turn(fifteen, 7) ^ turn(fifteen, 18) ^ (fifteen >>> 3);
      const s1 = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10);
      words[at] = (words[at - 16] + s0 + words[at - 7] + s1) >>> 0;
    }
    let [a, b, c, d, e, f, g, last] = state;
    for (let at = 0; at < 64; at += 1) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (last + s1 + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) >>> 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, last].forEach((word, at) => { state[at] = (state[at] + word) >>> 0; });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setUint32(at * 4, word));
  return new Uint8Array(digest.buffer);
}

/** SHA-256 of some parts, one after the other. @param {...(string|Uint8Array)} parts */
export async function sha256(...parts) {
  const all = parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part));
  const whole = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  if (!globalThis.crypto?.subtle) return plain(whole);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

/** What binds somebody to a share before any is shown. @param {string} share 64 hex digits */
export const commitmentOf = async (share) => hexOf(await sha256('decklaw/share-commit/1\0', fromHex(share)));
