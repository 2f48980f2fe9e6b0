// Collects every text that a script can reach: up the stack, in functions, behind getters, in errors, in what it is given.
// "a mark in its own source" shows in the report that sources were read. Sloppy: only sloppy functions have callers to look at.
const texts = new Set();
const visited = new Set();
const sourceOf = Function.prototype.toString;

function look(value, depth) {
  if (typeof value === "string") return void texts.add(value.slice(0, 200_000));
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
  if (depth === 0 || visited.has(value) || visited.size > 20_000) return;
  visited.add(value);
  if (typeof value === "function") {
    texts.add(Reflect.apply(sourceOf, value, []));
    for (const key of ["caller", "arguments"]) {
      try {
        look(value[key], depth - 1);
      } catch (error) {
        look(error.message, 1);
      }
    }
  }
  let keys = [];
  try {
    keys = Reflect.ownKeys(value);
    look(Reflect.getPrototypeOf(value), depth - 1);
  } catch (error) {
    // A window of another origin.
    look(error.message, 1);
  }
  for (const key of keys) {
    try {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      look(property?.value, depth - 1);
      look(property?.get, depth - 1);
      look(property?.set, depth - 1);
      if (property?.get) look(Reflect.apply(property.get, value, []), depth - 1);
    } catch (error) {
      look(error.message, 1);
    }
  }
}

/** The stack as objects, and what can be had of them. */
function lookUpTheStack() {
  const { prepareStackTrace } = Error;
  Error.stackTraceLimit = 100;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error().stack;
  Error.prepareStackTrace = prepareStackTrace;
  for (const site of sites) {
    for (const ask of Object.getOwnPropertyNames(Object.getPrototypeOf(site))) {
      try {
        look(site[ask](), 3);
      } catch (error) {
        look(error.message, 1);
      }
    }
  }
  let at = lookUpTheStack;
  for (let step = 0; at && step < 50; step += 1) {
    look(at, 3);
    try {
      look(Array.from(at.arguments ?? []), 4);
      at = at.caller;
    } catch (error) {
      look(error.message, 1);
      break;
    }
  }
}

function lookAtErrors() {
  const causes = [
    () => globalThis["moggy:boot"].run(),
    () => globalThis["moggy:boot"].run("x", null, null),
    () => globalThis["moggy:boot"].expect(Symbol("x")),
    () => GM_getValue(Symbol("key")),
    () => GM_getValue({ toString: lookUpTheStack }),
    () => Reflect.construct(globalThis["moggy:boot"].run, []),
  ];
  for (const cause of causes) {
    try {
      look(cause(), 3);
    } catch (error) {
      look(error, 3);
      look(error.stack, 1);
    }
  }
}

function search(...given) {
  lookUpTheStack();
  lookAtErrors();
  look(GM_info, 6);
  look(GM, 6);
  look(CAT, 6);
  look(GM_getValue, 6);
  look(globalThis["moggy:boot"], 6);
  look(given, 4);
  for (const key of Reflect.ownKeys(globalThis)) {
    // The page's own objects have no end, and are not ours.
    const property = Reflect.getOwnPropertyDescriptor(globalThis, key);
    look(property?.value, 2);
  }
}

search();
// Also from inside of calls that the runtime makes for the script.
Object.defineProperty(Object.prototype, "signal", {
  configurable: true,
  get() {
    lookUpTheStack();
    return undefined;
  },
});
const then = Promise.prototype.then;
// biome-ignore lint/suspicious/noThenProperty: it is the hook.
Promise.prototype.then = function hooked(...args) {
  lookUpTheStack();
  look(this, 3);
  look(args, 4);
  return Reflect.apply(then, this, args);
};
const push = Array.prototype.push;
Array.prototype.push = function hooked(...args) {
  lookUpTheStack();
  return Reflect.apply(push, this, args);
};
Promise.all([
  GM.setValue("key", { toJSON: lookUpTheStack }).catch((error) => look(error, 3)),
  CAT.agent.model.list(),
])
  .then(() => GM.setValue("key", 1))
  .then(() =>
    report(
      "found",
      [...texts].filter((text) => text.length >= 20),
    ),
  );
