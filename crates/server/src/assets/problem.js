// Why there is no answer, in the shape that the library gives it.

/** Kinds of problems that may pass: nobody answered, or there was more to do than could be done. */
const PASSING = ['offline', 'busy'];

/** A problem of a question. */
export class Problem extends Error {
  /** @param {{kind: string, message: string, help?: string, place?: any}} problem */
  constructor({ kind, message, help, place }) {
    super(help ? `${message.replace(/(?<![.!?])$/, '.')} ${help}` : message);
    Object.assign(this, { kind, help, place });
  }

  /** Whether the same question may get an answer later. */
  get passes() { return PASSING.includes(this.kind); }
}
