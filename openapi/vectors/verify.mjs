#!/usr/bin/env node
// A second verifier of transcripts, for Node without packages, written from docs/transcript.md and docs/how-it-works.md.
// It knows no game: it checks form, chains, commands, numbering, seed, entropy and the place in the tree.
//
//   node verify.mjs FILE        says {"ok":true,…} or {"ok":false,"version":…,"what":…}; exit code 0 or 1
//   node verify.mjs --vectors   checks chains.json and every file named in transcripts.json

import { createHash, createHmac } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";

const FORMAT = "mogelwerk/transcript/1";
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (text, bytes) => {
  if (typeof text !== "string" || !new RegExp(`^[0-9a-f]{${2 * bytes}}$`).test(text)) throw new Error(`no ${bytes} bytes in hex`);
  return Buffer.from(text, "hex");
};

class Fault extends Error {
  constructor(version, what) {
    super(what);
    this.version = version;
  }
}

export function commandOf(salt) {
  const id = sha256("mogelwerk/command/1", salt).subarray(0, 16);
  id[6] = (id[6] & 0x0f) | 0x80;
  id[8] = (id[8] & 0x3f) | 0x80;
  const text = id.toString("hex");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

// Draw k of a match's luck, or a bot's: as many numbers as are asked for, each used once.
export class Draw {
  constructor(seed, prefix) {
    this.seed = seed;
    this.prefix = prefix;
    this.block = 0n;
    this.numbers = [];
  }

  static house(seed, match, entropy, k) {
    return new Draw(seed, Buffer.concat([Buffer.from(`mogelwerk/draw/1${match}`), entropy, eight(k)]));
  }

  static bot(seed, match, seat, seq) {
    return new Draw(seed, Buffer.concat([Buffer.from(`mogelwerk/bot/1${match}`), eight(seat), eight(seq)]));
  }

  next() {
    if (this.numbers.length === 0) {
      const digest = createHmac("sha256", this.seed).update(this.prefix).update(eight(this.block)).digest();
      this.block += 1n;
      for (let at = 0; at < 32; at += 8) this.numbers.push(digest.readBigUInt64BE(at));
    }
    return this.numbers.shift();
  }

  below(n) {
    const many = BigInt(n), limit = 2n ** 64n - (2n ** 64n % many);
    let number = this.next();
    while (number >= limit) number = this.next();
    return Number(number % many);
  }

  shuffled(things) {
    const order = [...things];
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}

const eight = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};

class Complete {
  constructor(header) {
    this.header = header;
    this.version = 0;
    this.head = sha256("mogelwerk/log/1", header.match);
    this.viewers = Array.from({ length: header.seats + 1 }, (_, n) => {
      const name = n === header.seats ? "spectator" : `seat:${n}`;
      return [0, sha256("mogelwerk/view/1", header.match, name).toString("hex")];
    });
    this.attempts = Array.from({ length: header.seats }, (_, seat) => [
      0,
      sha256("mogelwerk/attempts/1", header.match, String(seat)),
    ]);
    this.command = null;
    this.commands = new Set();
    this.asked = null; // the command of an accepted attempt whose events must come
    this.revealed = new Map();
    this.entropy = sha256("");
    if (header.seed !== null && sha256(hex(header.seed, 32)).toString("hex") !== header.seed_commitment) {
      throw new Fault(1, "the seed is not the committed one");
    }
  }

  line(line) {
    if (line.line === "event") this.event(line);
    else if (line.line === "attempt") this.attempt(line);
    else if (line.line === "ending") return this.ending(line);
    else if (line.line === "so_far") return this.chainsEnd(line);
    else if (line.line === "fault") throw new Fault(line.version, `the server says: ${line.what}`);
    else throw new Fault(this.version + 1, `no ${line.line} belongs here`);
    return null;
  }

  event({ command, salt, head, told, envelope }) {
    const version = this.version + 1, grain = hex(salt, 16);
    this.head = sha256(this.head, grain, envelope);
    const said = JSON.parse(envelope);
    if (said.match !== this.header.match || said.version !== version) throw new Fault(version, "another event's envelope");
    if (this.head.toString("hex") !== head) throw new Fault(version, "the log's chain is broken");
    if (this.asked !== null && command !== this.asked) throw new Fault(version, "what was accepted did not happen");
    this.asked = null;
    if (command !== this.command) {
      if (this.commands.has(command) || command !== commandOf(grain)) throw new Fault(version, "no such command");
      this.commands.add(command);
      this.command = command;
    }
    if (told.length !== this.viewers.length) throw new Fault(version, "another number of viewers");
    told.forEach((frame, viewer) => {
      if (frame === null) return;
      hex(frame[1], 32);
      if (frame[0] !== this.viewers[viewer][0] + 1) throw new Fault(version, "a frame is missing");
      this.viewers[viewer] = frame;
    });
    this.meaning(version, said.event);
    this.version = version;
  }

  meaning(version, event) {
    if (version === 1) {
      for (const name of ["match", "game", "rules_version", "seats", "seed_commitment"]) {
        if (event[name] !== this.header[name]) throw new Fault(1, `${name} is not the header's`);
      }
    } else if (event.type === "match.entropy_revealed") {
      this.revealed.set(event.seat, Buffer.from(event.entropy, "hex"));
    } else if (event.type === "match.entropy_settled") {
      const seats = [...this.revealed.keys()].sort((one, other) => one - other);
      this.entropy = sha256(...seats.map((seat) => this.revealed.get(seat)), "");
      if (this.entropy.toString("hex") !== event.digest) throw new Fault(version, "other entropy than was revealed");
    } else if (event.type === "match.seed_revealed" && event.seed !== this.header.seed) {
      throw new Fault(version, "another seed than the header's");
    }
  }

  attempt({ seat, n, head, record }) {
    const chain = this.attempts[seat], said = JSON.parse(record);
    if (chain === undefined || n !== chain[0] + 1) throw new Fault(this.version, "an attempt is missing");
    if (said.match !== this.header.match || said.seat !== seat || said.n !== n) throw new Fault(this.version, "another's attempt");
    const now = sha256(chain[1], record);
    if (now.toString("hex") !== head) throw new Fault(this.version, "a chain of attempts is broken");
    if (said.version > this.version) throw new Fault(this.version + 1, "an event is missing");
    if (said.version < this.version) throw new Fault(this.version, "an attempt stands at another place");
    if (this.asked !== null) throw new Fault(this.version + 1, "what was accepted did not happen");
    if (said.outcome === "accepted") this.asked = said.command;
    this.attempts[seat] = [n, now];
  }

  // The checkpoint's signature is not looked at: that takes keys that one has kept.
  place(last, { checkpoint, leaf, place, path }) {
    const tries = this.attempts.map(([n, head]) => ({ n, head: head.toString("hex") }));
    const own = { format: "mogelwerk/leaf/1", match: this.header.match, version: last, head: this.head.toString("hex"), attempts: tries };
    if (leaf !== JSON.stringify(own)) throw new Fault(last, "the leaf is not that of this match");
    const [, size, root] = /^[^\n]+\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n(?:[^]*\n)?\n— [^]+\n$/.exec(checkpoint) ?? [];
    if (root === undefined) throw new Fault(last, "no checkpoint");
    const hashes = path.map((each) => hex(each, 32));
    if (!liesIn(leaf, place, Number(size), hashes, Buffer.from(root, "base64"))) throw new Fault(last, "it does not lie in the tree");
  }

  ending({ version, head, viewers, attempts, seed, entropy, tree }) {
    const found = this.chainsEnd({ version, head, viewers, attempts });
    if (seed !== this.header.seed) throw new Fault(version, "another seed than the header's");
    if (entropy !== this.entropy.toString("hex")) throw new Fault(version, "other entropy than was revealed");
    if (tree !== undefined) this.place(version, tree);
    return found;
  }

  // Of a match that is over, or as far as it has come.
  chainsEnd({ version, head, viewers, attempts }) {
    const last = this.version;
    if (this.asked !== null) throw new Fault(last + 1, "what was accepted did not happen");
    if (version !== last || head !== this.head.toString("hex")) throw new Fault(last + 1, "the log ends elsewhere");
    const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    if (!same(viewers, this.viewers)) throw new Fault(last, "a viewer's chain ends elsewhere");
    if (!same(attempts, this.attempts.map(([n, at]) => [n, at.toString("hex")]))) throw new Fault(last, "attempts end elsewhere");
    return { ok: true, version: last, head };
  }
}

// RFC 9162, 2.1.3.2: whether the path leads from this leaf to the root of a tree of `size` leaves.
export function liesIn(leaf, index, size, path, root) {
  if (!(index < size)) return false;
  let place = index, last = size - 1, made = sha256(Buffer.of(0), leaf);
  const halved = () => ([place, last] = [Math.floor(place / 2), Math.floor(last / 2)]);
  for (const other of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      made = sha256(Buffer.of(1), other, made);
      while (place % 2 === 0 && place !== 0) halved();
    } else made = sha256(Buffer.of(1), made, other);
    halved();
  }
  return last === 0 && made.equals(root);
}

class Own {
  constructor(header) {
    this.version = 0;
    this.head = sha256("mogelwerk/view/1", header.match, header.viewer);
    this.log = sha256("mogelwerk/log/1", header.match).toString("hex");
  }

  line(line) {
    if (line.line === "frame") {
      const { seq, head, log_head, told } = line, at = this.version + 1;
      this.head = sha256(this.head, told);
      if (seq !== at || JSON.parse(told).seq !== at) throw new Fault(at, "a frame is missing");
      if (this.head.toString("hex") !== head) throw new Fault(at, "the viewer's chain is broken");
      this.version = at;
      this.log = log_head;
      return null;
    }
    if (line.line !== "until") throw new Fault(this.version + 1, `no ${line.line} belongs here`);
    const end = [line.seq, line.head, line.log_head].join(), here = [this.version, this.head.toString("hex"), this.log].join();
    if (end !== here) throw new Fault(this.version + 1, "it ends elsewhere");
    return { ok: true, version: this.version, head: line.head };
  }
}

export function* raw(text) {
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    if (end < 0) return void (yield [text.slice(at), false]);
    yield [text.slice(at, end), true];
    at = end + 1;
  }
}

export class Verifier {
  #reading = null;
  #found = null;

  // One line without its newline; `whole`: whether there was one.
  feed(text, whole = true) {
    const next = (this.#reading?.version ?? 0) + 1;
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      throw new Fault(next, "no JSON");
    }
    // A header may hold numbers like 1.0, which JavaScript writes otherwise; nothing else does.
    if (!whole || this.#found !== null || (this.#reading !== null && JSON.stringify(line) !== text)) {
      throw new Fault(next, "not written as a transcript is");
    }
    if (this.#reading === null) {
      if (line.line !== "header" || line.format !== FORMAT) throw new Fault(1, "no transcript");
      this.#reading = line.viewer === null ? new Complete(line) : new Own(line);
      return;
    }
    try {
      this.#found = this.#reading.line(line);
    } catch (fault) {
      throw fault instanceof Fault ? fault : new Fault(next, fault.message);
    }
  }

  finish() {
    if (this.#found === null) throw new Fault((this.#reading?.version ?? 0) + 1, "it ends here, in the middle");
    return this.#found;
  }
}

function verdict(run) {
  try {
    return run();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { ok: false, version: fault.version, what: fault.message };
  }
}

export function verify(text) {
  return verdict(() => {
    const verifier = new Verifier();
    for (const [line, whole] of raw(text)) verifier.feed(line, whole);
    return verifier.finish();
  });
}

async function verifyFile(path) {
  const file = createReadStream(path, { encoding: "utf8" });
  const verifier = new Verifier();
  let failed = null, last = "";
  for await (const chunk of file) {
    last += chunk;
    const lines = last.split("\n");
    last = lines.pop();
    failed = verdict(() => (lines.forEach((line) => verifier.feed(line)), null));
    if (failed !== null) break;
  }
  return failed ?? verdict(() => (last === "" || verifier.feed(last, false), verifier.finish()));
}

function vectors() {
  const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
  const chains = JSON.parse(here("chains.json")), wrong = [];
  const expect = (what, found, should) => JSON.stringify(found) === JSON.stringify(should) || wrong.push({ what, found, should });
  for (const { name, kind, of, head_0, links } of chains.chains) {
    let head = sha256(`mogelwerk/${kind}/1`, ...of);
    expect(`${name} 0`, head.toString("hex"), head_0);
    links.forEach(({ salt, text, head: should }, n) => {
      head = salt === undefined ? sha256(head, text) : sha256(head, hex(salt, 16), text);
      expect(`${name} ${n + 1}`, head.toString("hex"), should);
    });
  }
  for (const { salt, command } of chains.commands) expect(`command of ${salt}`, commandOf(hex(salt, 16)), command);
  for (const it of chains.draws) {
    const seed = hex(it.seed, 32);
    const fresh = () =>
      it.bot === undefined ? Draw.house(seed, it.match, hex(it.entropy, 32), it.k) : Draw.bot(seed, it.match, it.bot.seat, it.bot.seq);
    const numbers = fresh(), below = fresh(), shuffle = fresh();
    expect("numbers", it.numbers.map(() => numbers.next().toString(16).padStart(16, "0")), it.numbers);
    expect("below", it.below.map(([n]) => [n, below.below(n)]), it.below);
    expect("shuffled", shuffle.shuffled(it.things), it.shuffled);
  }
  for (const { seats, entropy } of chains.entropy) expect("entropy", sha256(...seats.map((one) => Buffer.from(one, "hex")), "").toString("hex"), entropy);
  const files = JSON.parse(here("transcripts.json"));
  for (const { file, chains: fault } of files) {
    const found = verify(here(file));
    expect(file, found.ok ? null : found.version, fault);
  }
  return { ok: wrong.length === 0, files: files.length, wrong };
}

const [asked] = process.argv.slice(2);
if (asked !== undefined && process.argv[1]?.endsWith("verify.mjs")) {
  const found = asked === "--vectors" ? vectors() : await verifyFile(asked);
  console.log(JSON.stringify(found));
  process.exitCode = found.ok ? 0 : 1;
}
