// The engine in a worker of the browser: a question in, an answer out, both JSON.
'use strict';

const write = new TextEncoder();
const read = new TextDecoder();
let module;
let game;
/** The engine's exports; `null`: one is to be made before the next question. */
let engine = null;

/** The engine's answer to what is said to it, as its text. */
function call(said) {
  const bytes = write.encode(JSON.stringify(said));
  const at = engine.reserve(bytes.length) >>> 0;
  if (!at) throw new RangeError('what is asked is too long');
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const from = engine.answer() >>> 0;
  return read.decode(new Uint8Array(engine.memory.buffer, from, engine.answer_length()));
}

/** An engine is base64 of its packed bytes, or was compiled already. */
async function compiled(source) {
  if (typeof source !== 'string') return source;
  const letters = atob(source);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

const refused = (message) => ({ kind: 'defect', message, help: 'Please report it with what you did.' });

async function answer({ id, question, day }) {
  try {
    if (!engine) {
      engine = (await WebAssembly.instantiate(await module, {})).exports;
      const begun = JSON.parse(call({ day, begin: game }));
      if (!begun.version) { engine = null; return { id, reply: begun }; }
    }
    return { id, reply: JSON.parse(call({ day, ...question })) };
  } catch (error) {
    // What stopped in the middle of its work is not asked again; a defect may have left its words.
    const [from, length] = [engine?.answered?.() >>> 0, engine?.answer_length?.() ?? 0];
    const reply = length > 0 ? JSON.parse(read.decode(new Uint8Array(engine.memory.buffer, from, length))) : refused(`The engine of this page stopped: ${error}`);
    engine = null;
    return { id, reply };
  }
}

let before = Promise.resolve();
onmessage = ({ data }) => {
  if (data.game) {
    game = data.game;
    module = compiled(data.engine);
    module.then((made) => postMessage({ module: made }), () => postMessage({ module: null }));
    return;
  }
  before = before.then(async () => postMessage(await answer(data)));
};
