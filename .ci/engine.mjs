// Holds the engine of a page to a transcript: a line for each message, and one for the answer that the
// same engine gave on this machine, as a text in JSON.
//   node .ci/engine.mjs MODULE TRANSCRIPT
import { readFileSync } from "node:fs";

const [file, transcript] = process.argv.slice(2);
const wrong = (what) => {
  console.error(`${file}: ${what}`);
  process.exit(1);
};
const module = new WebAssembly.Module(readFileSync(file));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) wrong(`it imports ${imports.map((wanted) => wanted.name).join(", ")}`);
const engine = new WebAssembly.Instance(module).exports;

const told = (message) => {
  const place = engine.reserve(message.length);
  if (place === 0) return wrong("it has no place for a message");
  new Uint8Array(engine.memory.buffer).set(message, place);
  const answer = engine.answer();
  return Buffer.from(engine.memory.buffer, answer, engine.answer_length());
};

const lines = readFileSync(transcript).toString("utf8").split("\n");
const times = new Map();
for (let at = 0; at + 1 < lines.length; at += 2) {
  const [message, answer] = [lines[at], JSON.parse(lines[at + 1])];
  const start = performance.now();
  let found;
  try {
    found = told(Buffer.from(message)).toString("utf8");
  } catch (trap) {
    const says = Buffer.from(engine.memory.buffer, engine.answered(), engine.answer_length());
    found = `${trap} ${says}`;
  }
  const kind = JSON.parse(message).ask ?? 'begin';
  times.set(kind, [...(times.get(kind) ?? []), performance.now() - start]);
  if (found !== answer) wrong(`asked\n${message}\nit says\n${found}\nand not\n${answer}`);
}
console.log(`${file}: ${(lines.length - 1) / 2} answers are those of this machine; in milliseconds:`);
for (const [kind, all] of times) {
  all.sort((one, other) => one - other);
  const at = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(1);
  console.log(`  ${kind}: ${all.length} times, half below ${at(0.5)}, 95 % below ${at(0.95)}, all below ${at(1)}`);
}
