// Links that hold a deck: all of it is behind the `#`, so no server keeps it or receives it. The library
// reads and writes the same (`deck/link.rs`).

/** @typedef {{count: number, name: string}} Line */
/** @typedef {{format: string, sections: Record<string, Line[]>, [header: string]: any}} DeckJson */

/** The most bytes of an unpacked deck, as in the library. */
const LARGEST = 1 << 24;

const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** A deck of the library with each card as `{count, name}`. @param {any} deck @returns {DeckJson} */
export function plain(deck) {
  const sections = {};
  for (const [id, cards] of Object.entries(deck.sections ?? {})) {
    sections[id] = cards.map((card) => {
      if (typeof card !== 'string') return { count: card.count, name: card.name };
      const [, count, name] = /^(\d+)\s*[x×]?\s+(.*)$/s.exec(card) ?? [0, '1', card];
      return { count: Number(count), name };
    });
  }
  return { ...deck, sections };
}

/** The text behind `z=`: the deck's JSON in zlib's format and the letters of URL-safe base64. @param {DeckJson} deck */
export async function pack(deck) {
  const stream = new Blob([JSON.stringify(deck)]).stream().pipeThrough(new CompressionStream('deflate'));
  const letters = Array.from(await bytesOf(stream), (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The text behind `z=` in a link; `null`: the link holds no deck. @param {string} link */
export const packedIn = (link) => /(?:^|[#&])z=([\w-]+)/.exec(link.trim())?.[1] ?? null;

/** The deck in the part behind `z=`. @param {string} text @returns {Promise<DeckJson>} */
export async function unpack(text) {
  let size = 0;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    // A few letters can unpack to more than the memory holds.
    const bounded = new TransformStream({ transform(part, next) {
      size += part.length;
      if (size > LARGEST) next.error(new Error('too large')); else next.enqueue(part);
    } });
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).pipeThrough(bounded);
    return plain(JSON.parse(new TextDecoder().decode(await bytesOf(stream))));
  } catch {
    throw new Error('The deck in this link cannot be read: the link was cut off or changed. Copy the whole link again.');
  }
}
