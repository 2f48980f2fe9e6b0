// What a hostile page keeps of all it manages to see. Uses only natives that it took before it spoilt them, so that its
// own hooks do not run into each other. Sloppy on purpose: only sloppy functions have a caller to look at.
window.__makeLoot = () => {
  const { apply, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const functionText = Function.prototype.toString;
  const NativeError = Error;
  const text = String;
  const { isView } = ArrayBuffer;
  const { slice, valueOf: unboxed } = String.prototype;
  const MAX_ENTRIES = 8_000;
  const MAX_PER_HOOK = 100;
  const MAX_TEXT = 3_000;
  const MAX_KEYS = 40;
  // A long array or a boxed string has as many keys; to list them would take seconds.
  const MAX_LENGTH = 1_000;
  // Objects looked into for one entry: window and document have no end.
  const MAX_OBJECTS = 60;
  const MAX_CALLERS = 12;
  const loot = [];
  const live = [];
  const perHook = { __proto__: null };
  let busy = false;
  let objects = 0;

  const put = (list, value) =>
    defineProperty(list, list.length, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  const cut = (string) => (string.length <= MAX_TEXT ? string : apply(slice, string, [0, MAX_TEXT]));

  function show(value, depth) {
    if (typeof value === "string") return cut(value);
    if (typeof value === "function") return cut(apply(functionText, value, []));
    if (typeof value !== "object" || value === null) return text(value);
    objects += 1;
    if (depth === 0 || objects > MAX_OBJECTS) return "{…}";
    const length = isView(value) ? value.byteLength : getOwnPropertyDescriptor(value, "length")?.value;
    if (length > MAX_LENGTH) return `{… ${text(length)} long}`;
    let shown = "{";
    const keys = ownKeys(value);
    for (let at = 0; at < keys.length && at < MAX_KEYS; at += 1) {
      const property = getOwnPropertyDescriptor(value, keys[at]);
      if (property && "value" in property) shown += `${text(keys[at])}: ${show(property.value, depth - 1)}; `;
    }
    return cut(`${shown}}`);
  }

  const keep = (value) => {
    if (typeof value === "function" || (typeof value === "object" && value !== null)) put(live, value);
  };

  // The functions up the stack, as far as sloppy ones let themselves be seen, with their arguments.
  function callersOf(hook) {
    let shown = "";
    let at = hook;
    for (let step = 0; step < MAX_CALLERS; step += 1) {
      try {
        at = at.caller;
        if (!at) return shown;
        shown += `\n${show(at, 1)} with ${show(at.arguments, 3)}`;
      } catch (error) {
        return `${shown}\n(refused: ${error.message})`;
      }
    }
    return shown;
  }

  // Notes one call: what was called, on what, with what, and from where.
  function note(hook, self, values, wrapper) {
    if (busy || loot.length >= MAX_ENTRIES) return;
    // A sloppy hook on a primitive is handed a boxed one.
    const subject = self instanceof text ? apply(unboxed, self, []) : self;
    const seen = (perHook[hook] ?? 0) + 1;
    perHook[hook] = seen;
    if (seen > MAX_PER_HOOK) return;
    busy = true;
    objects = 0;
    try {
      put(loot, {
        hook,
        self: show(subject, 2),
        values: show(values, 4),
        stack: cut(text(new NativeError().stack)),
        callers: wrapper ? callersOf(wrapper) : "",
      });
      keep(subject);
      for (let at = 0; at < values.length; at += 1) keep(values[at]);
    } catch (error) {
      put(loot, { hook: "a look that failed", self: hook, values: text(error), stack: "", callers: "" });
    } finally {
      busy = false;
    }
  }
  return { loot, live, note };
};
