// Search as people type: accents and case do not count, and a word that is typed begins a word.

const OTHER = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' };
/** A text without case, accents and apostrophes. @param {string} text */
export const fold = (text) => text.toLowerCase().normalize('NFD').replace(/[\u0300-\u036f'’‘ʼ]/g, '').replace(/[ßøłđıæœ]/g, (letter) => OTHER[letter]);

const split = (text) => fold(text).split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);

/** Whether each word that is typed begins a word of the texts. @param {string} typed @param {(string | null | undefined)[]} texts */
export function matches(typed, texts) {
  const words = texts.flatMap((text) => split(text ?? ''));
  return split(typed).every((part) => words.some((word) => word.startsWith(part)));
}
