// A page that attacks every script beside it: it wraps what a realm offers, hears what it can, looks up the stack, and
// keeps what it sees in window.__loot (text) and window.__live (the functions and objects themselves).
// Needs loot.js. Everything still works as before for the page, or a real page could not afford the attack.
window.__installHostile = (options) => {
  const { loot, live, note } = window.__makeLoot();
  window.__loot = loot;
  window.__live = live;
  const {
    apply,
    construct,
    defineProperty,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    ownKeys,
    setPrototypeOf,
  } = Reflect;
  const text = String;
  const hidden = (value) => ({
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });

  function wrapped(label, original) {
    function wrapper(...values) {
      note(label, new.target ? "new" : this, values, wrapper);
      if (!new.target) return apply(original, this, values);
      return construct(original, values, new.target === wrapper ? original : new.target);
    }
    setPrototypeOf(wrapper, original);
    if (original.prototype) wrapper.prototype = original.prototype;
    return wrapper;
  }

  function wrap(owner, key, label) {
    const property = getOwnPropertyDescriptor(owner, key);
    if (!property?.configurable) return;
    setPrototypeOf(property, null);
    if (typeof property.value === "function") property.value = wrapped(label, property.value);
    if (typeof property.get === "function") property.get = wrapped(`get ${label}`, property.get);
    if (typeof property.set === "function") property.set = wrapped(`set ${label}`, property.set);
    defineProperty(owner, key, property);
  }

  function wrapAll(owner, label) {
    const keys = ownKeys(owner);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at];
      if (key !== "constructor" && key !== "prototype" && key !== "__proto__")
        wrap(owner, key, `${label}.${text(key)}`);
    }
  }

  // Assignments that meet no own property are heard, and done as they should have been. `then` and `toJSON` are looked
  // up on every object that a promise or JSON takes in.
  function trap(root, key) {
    defineProperty(root, key, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get() {
        note(`get Object.prototype.${key}`, this, [], null);
        return undefined;
      },
      set(value) {
        note(`set Object.prototype.${key}`, this, [value], null);
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

  function install(realm, name) {
    const listen = realm.EventTarget.prototype.addEventListener;
    const iterators = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ""[Symbol.iterator]()];
    const heard = { __proto__: null };
    const hear = (type) => {
      if (heard[type]) return;
      heard[type] = true;
      const listener = (event) =>
        note(`${name} event ${type}`, event, [event.detail, event.data, event.ports], null);
      apply(listen, realm, [type, listener, true]);
    };
    const observer = new realm.MutationObserver((records) => {
      for (let at = 0; at < records.length; at += 1) {
        const { target, addedNodes, attributeName } = records[at];
        const value = attributeName ? target.getAttribute(attributeName) : "";
        for (let node = 0; node < addedNodes.length; node += 1) {
          note(`${name} node`, null, [addedNodes[node].outerHTML ?? addedNodes[node].data], null);
        }
        if (attributeName) note(`${name} attribute ${attributeName}`, null, [value], null);
      }
    });
    observer.observe(realm.document, {
      childList: true,
      subtree: true,
      attributes: true,
      characterData: true,
    });
    hear("message");
    hear("messageerror");

    // The stack as objects: sloppy functions on it can be had, with what they were called on.
    realm.Error.prepareStackTrace = (error, sites) => {
      let lines = text(error);
      for (let at = 0; at < sites.length; at += 1) {
        const site = sites[at];
        lines += `\n    at ${text(site)}`;
        const fn = site.getFunction();
        if (fn && fn !== note) lines += ` => ${text(fn)}`;
      }
      return lines;
    };
    realm.Error.stackTraceLimit = 50;

    const dispatch = realm.EventTarget.prototype.dispatchEvent;
    realm.EventTarget.prototype.dispatchEvent = function dispatchEvent(event) {
      hear(event.type);
      return apply(dispatch, this, [event]);
    };
    realm.EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
      hear(text(type));
      return apply(listen, this, [type, ...rest]);
    };

    for (const owner of [
      "Object",
      "Array",
      "Function",
      "String",
      "RegExp",
      "Map",
      "Set",
      "WeakMap",
      "WeakSet",
      "Promise",
    ]) {
      if (owner !== "Object") wrapAll(realm[owner].prototype, `${name} ${owner}.prototype`);
      wrapAll(realm[owner], `${name} ${owner}`);
    }
    for (const owner of ["JSON", "Reflect", "console"]) wrapAll(realm[owner], `${name} ${owner}`);
    for (const owner of [
      "Event CustomEvent MessageEvent EventTarget MessagePort BroadcastChannel Node Element HTMLElement Document Storage",
      "History Crypto SubtleCrypto XMLHttpRequest Blob Headers Request Response TextEncoder TextDecoder URL",
      "AbortController AbortSignal DOMParser FileReader FormData",
    ].flatMap((names) => names.split(" "))) {
      if (realm[owner]) wrapAll(realm[owner].prototype, `${name} ${owner}.prototype`);
    }
    for (const iterator of iterators) wrapAll(getPrototypeOf(iterator), `${name} iterator`);
    // Tasks cannot start without these.
    for (const key of [
      "fetch",
      "setTimeout",
      "setInterval",
      "queueMicrotask",
      "structuredClone",
      "postMessage",
      "open",
    ]) {
      wrap(realm, key, `${name} ${key}`);
    }
    const constructors =
      "Promise Map Set WeakMap WeakSet Proxy Error TypeError Event CustomEvent MessageEvent MessageChannel " +
      "BroadcastChannel Blob File FileReader URL URLSearchParams Headers Request Response XMLHttpRequest WebSocket " +
      "Worker TextEncoder TextDecoder MutationObserver AbortController DOMParser FormData Function RegExp Date Uint8Array " +
      "ArrayBuffer";
    for (const key of constructors.split(" ")) {
      if (!realm[key]) continue;
      wrap(realm, key, `${name} ${key}`);
      const { prototype } = realm[key];
      if (prototype) defineProperty(prototype, "constructor", hidden(realm[key]));
    }
    const traps =
      "token secret key id type kind data detail port ports channel name method args params result error handler callback " +
      "resolve reject message code source url origin sender capability nonce world uuid grants options state signal cause " +
      "then toJSON next done return onmessage postMessage 0 1";
    for (const key of traps.split(" ")) trap(realm.Object.prototype, key);
    // A descriptor without own `get` now seems to have one: every defineProperty with a value throws. Asked for only,
    // since little of the page itself survives it.
    if (options.descriptors) for (const key of ["get", "set"]) trap(realm.Object.prototype, key);
  }

  // A child realm can be spoilt before its document loads: its first empty window is the one that stays.
  if (options.child) {
    const frame = document.createElement("iframe");
    frame.src = options.child;
    (document.body ?? document.documentElement).append(frame);
    install(frame.contentWindow, "child");
    window.__child = frame.contentWindow;
  }
  install(window, "page");
  // Sends again what was seen: a channel without a fresh secret would take it for a call.
  window.__replay = () => {
    const { length } = live;
    let sent = 0;
    for (let at = 0; at < length; at += 1) {
      const value = live[at];
      if (!(value instanceof Event)) continue;
      window.dispatchEvent(new CustomEvent(value.type, { detail: value.detail }));
      if (value.type === "message") window.postMessage(value.data, "*");
      sent += 1;
    }
    return sent;
  };
};
