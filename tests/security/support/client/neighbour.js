// A script that came first into a world that it has to share, and attacks every script after it: it patches all that they
// may call, keeps what passes (arguments, subjects, results and callers), and then tries to act in their name with it.
// Runs after loot.js. Sloppy on purpose: only sloppy functions have callers to look at.
const { loot, live, note: keep } = window.__makeLoot();
const { apply, construct } = Reflect;
const { stringify, parse } = JSON;
const text = String;
// Not while it is busy itself: what is kept of one hook is limited.
let armed = false;
const note = (...what) => {
  if (armed) apply(keep, null, what);
};
const { ownKeys, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const sourceOf = Function.prototype.toString;
const { includes } = String.prototype;
const setAttribute = Element.prototype.setAttribute.bind(document.documentElement);
const listen = EventTarget.prototype.addEventListener.bind(document);
const wait = setTimeout.bind(globalThis);
const boot = globalThis["moggy:boot"];
const spies = new WeakSet();
const isSpy = WeakSet.prototype.has.bind(spies);

function spied(label, original) {
  function spy(...values) {
    note(label, new.target ? "new" : this, values, spy);
    const result = new.target
      ? construct(original, values, new.target === spy ? original : new.target)
      : apply(original, this, values);
    note(`${label} gave`, null, [result], null);
    return result;
  }
  Reflect.setPrototypeOf(spy, original);
  if (original.prototype) spy.prototype = original.prototype;
  WeakSet.prototype.add.call(spies, spy);
  return spy;
}

function spyOn(owner, key, label) {
  const property = getOwnPropertyDescriptor(owner, key);
  if (!property?.configurable) return;
  for (const part of ["value", "get", "set"])
    if (typeof property[part] === "function") property[part] = spied(`${label} ${part}`, property[part]);
  defineProperty(owner, key, property);
}

function spyOnAll(owner, label) {
  for (const key of ownKeys(owner))
    if (key !== "constructor" && key !== "prototype" && key !== "__proto__")
      spyOn(owner, key, `${label}.${text(key)}`);
}

function trap(root, key) {
  if (getOwnPropertyDescriptor(root, key)) return;
  defineProperty(root, key, {
    __proto__: null,
    configurable: true,
    get() {
      note(`get ${text(key)}`, this, [], null);
      return undefined;
    },
    set(value) {
      note(`set ${text(key)}`, this, [value], null);
      defineProperty(this, key, {
        __proto__: null,
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
  });
}

const iterators = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ""[Symbol.iterator]()];
async function* asyncItems() {
  yield 1;
}
function* items() {
  yield 1;
}
const iteratorRoots = [...iterators, items(), asyncItems()].map(getPrototypeOf);
const kinds =
  "Object Array Function String Number RegExp Map Set WeakMap WeakSet WeakRef Promise Error Date Symbol Proxy";
const more =
  "EventTarget Event MessagePort Node Element Document AbortController AbortSignal MutationObserver MessageChannel";
for (const name of `${kinds} ${more}`.split(" ")) {
  const owner = globalThis[name];
  if (!owner) continue;
  if (owner.prototype && name !== "Object") spyOnAll(owner.prototype, `${name}.prototype`);
  spyOnAll(owner, name);
}
for (const name of ["JSON", "Reflect", "Math", "console", "crypto"]) spyOnAll(globalThis[name], name);
for (const root of iteratorRoots) spyOnAll(root, "iterator");
for (const name of "setTimeout queueMicrotask structuredClone Promise Map Set WeakMap Error AbortController MutationObserver".split(
  " ",
))
  spyOn(globalThis, name, name);
// What a runtime may look up or leave out on its own objects.
const words =
  "rpc call stream of channel send close postMessage onMessage onClose legacy modern session token hello bye f c t a m v e w n " +
  "id reopen ok item end fail method signal repeatable resume last credit cancel connect openPort mux uuid info snapshot source " +
  "revision name value done next return then catch reason grants names payload factory code message stack data key text write " +
  "stored failed spec run caption accessKey title autoClose writes event tabId 0 1 2 3 4";
for (const word of words.split(" ")) {
  trap(Object.prototype, word);
  if (/^\d$/.test(word)) trap(Array.prototype, word);
}

// Everything that was caught, tried as what it could be.
const attempts = { rpc: 0, transports: 0, functions: 0, channels: 0 };
function use(value) {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || isSpy(value)) return;
  const attack = (kind, act) => {
    attempts[kind] += 1;
    try {
      Promise.resolve(act()).catch(() => "refused, as it should be");
    } catch {
      // An attempt that fails is what should happen.
    }
  };
  const writes = [["stolen", '"by the neighbour"']];
  for (const rpc of [value, getOwnPropertyDescriptor(value, "rpc")?.value]) {
    if (rpc && typeof rpc.call === "function" && typeof rpc.of === "function")
      attack("rpc", () => rpc.call("gm.values.write", { writes }));
  }
  if (typeof value.send === "function") {
    attack("transports", () => value.send({ t: "call", id: 9001, m: "gm.values.write", a: { writes } }));
  }
  if (typeof value.channel === "function") attack("channels", () => value.channel("guess"));
  if (typeof value.postMessage === "function" && typeof value.disconnect === "function") {
    for (let c = 1; c < 20; c += 1) {
      const f = { t: "call", id: 9001, m: "gm.values.write", a: { writes } };
      attack("channels", () => value.postMessage({ c, f }));
    }
  }
  if (typeof value === "function" && !apply(includes, apply(sourceOf, value, []), ["[native code]"]))
    attack("functions", () => value("stolen", "by the neighbour"));
}

// Asked by the test at the end: what of `needles` was seen, after everything that was caught was put to use.
listen("neighbour:report", (event) => {
  armed = false;
  const { needles } = parse(event.detail);
  const hits = [];
  for (const { hook, ...seen } of loot) {
    const entry = stringify(seen);
    for (const needle of needles)
      if (apply(includes, entry, [needle])) hits.push({ needle, hook, entry: entry.slice(0, 600) });
  }
  for (const value of live) use(value);
  wait(() => {
    const report = { seen: loot.length, caught: live.length, hits: hits.slice(0, 20), attempts };
    setAttribute("data-neighbour", stringify(report));
  }, 0);
});

// The runtime itself: it cannot be replaced, redefined or removed, and its functions tell nothing.
const standIn = { run: note, expect: note, wake: note };
const outcomes = {
  assigned: Reflect.set(globalThis, "moggy:boot", standIn),
  redefined: Reflect.defineProperty(globalThis, "moggy:boot", { __proto__: null, value: standIn }),
  madeAccessor: Reflect.defineProperty(globalThis, "moggy:boot", { __proto__: null, get: () => standIn }),
  deleted: Reflect.deleteProperty(globalThis, "moggy:boot"),
  methodReplaced: Reflect.set(boot, "run", note),
  methodAdded: Reflect.set(boot, "then", note),
  prototypeSet: Reflect.setPrototypeOf(boot, standIn),
  prototype: getPrototypeOf(boot),
};
for (const key of ["arguments", "caller"]) {
  try {
    outcomes[key] = text(boot.run[key]);
  } catch (error) {
    outcomes[key] = error.name;
  }
}
outcomes.same = globalThis["moggy:boot"] === boot;
setAttribute("data-boot", stringify(outcomes));
armed = true;
