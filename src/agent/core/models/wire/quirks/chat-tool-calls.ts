import { isRecord } from "../../errors/vendor-error";
import { data, type Quirk } from "../events";

/** A call that the stream has begun. Its place in the list is the index under which it is passed on. */
interface OpenCall {
  id: string;
  /** The id that the host gave, which may have been another call's already. */
  givenId: string | undefined;
  name: string;
  arguments: string;
  place: number;
}

interface Fragment {
  id: string | undefined;
  index: number | undefined;
  name: string | undefined;
  arguments: string;
  /** Fields that no standard names, of the call and of its `function` (C101). */
  extra: Record<string, unknown>;
  functionExtra: Record<string, unknown>;
}

/**
 * Gives every fragment of a tool call an index of its own and every call an id, whatever the host sent: no index (C088), an
 * index used twice (C089), no id, one id for two calls, the name in each fragment, a whole call sent again, arguments as an
 * object. A fragment belongs to the call whose id it names; a new id with a name is a new call; a fragment with neither goes by
 * its index, and without a known one to the call at the same position of the list that was begun last, else to the newest.
 */
export function chatToolCalls(makeId: () => string = defaultId): Quirk {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  /** The calls that the latest chunk with a beginning began, for fragments that only have a position. */
  let lastBegun: OpenCall[] = [];

  const owner = (fragment: Fragment, position: number, listSize: number, begun: OpenCall[]) => {
    const { id, index, name } = fragment;
    const known = id === undefined ? undefined : calls.findLast((call) => call.givenId === id);
    if (known) {
      const isSame =
        name === undefined || repeats(known, fragment) || continues(known, name, fragment.arguments);
      return isSame ? known : undefined;
    }
    const indexed = index === undefined ? undefined : byIndex.get(index);
    if (id !== undefined) return name === undefined ? indexed : undefined;
    if (name !== undefined) {
      const candidate = indexed ?? (index === undefined ? calls.at(-1) : undefined);
      const isOther = candidate === undefined || begun.includes(candidate);
      return !isOther && continues(candidate, name, fragment.arguments) ? candidate : undefined;
    }
    return indexed ?? (listSize > 1 ? lastBegun[position] : undefined) ?? calls.at(-1);
  };

  return (event) => {
    if (event.kind !== "data") return [event];
    const choice = (event.json.choices as unknown[] | undefined)?.[0];
    const delta = isRecord(choice) ? choice.delta : undefined;
    if (!isRecord(choice) || !isRecord(delta) || !("tool_calls" in delta)) return [event];
    const fragments = readFragments(delta.tool_calls);
    const begun: OpenCall[] = [];
    const passed = fragments.map((fragment, position) => {
      let call = owner(fragment, position, fragments.length, begun);
      const isNew = !call;
      if (!call) {
        const { id: givenId } = fragment;
        const isFree = givenId !== undefined && !calls.some(({ id }) => id === givenId);
        call = { id: isFree ? givenId : makeId(), givenId, name: "", arguments: "", place: calls.length };
        calls.push(call);
        begun.push(call);
      }
      if (fragment.index !== undefined) byIndex.set(fragment.index, call);
      const isNaming = call.name === "" && fragment.name !== undefined;
      if (isNaming && fragment.name) call.name = fragment.name;
      const more = !isNew && repeats(call, fragment) ? "" : fragment.arguments;
      call.arguments += more;
      return {
        ...fragment.extra,
        index: call.place,
        ...(isNew ? { id: call.id, type: "function" } : {}),
        function: {
          ...fragment.functionExtra,
          ...(isNaming ? { name: call.name } : {}),
          arguments: more,
        },
      };
    });
    if (begun.length > 0) lastBegun = begun;
    const { tool_calls: _replaced, ...rest } = delta;
    const clean = passed.length > 0 ? { ...rest, tool_calls: passed } : rest;
    return [data({ ...event.json, choices: [{ ...choice, delta: clean }] })];
  };
}

/** A fragment that repeats the name goes on with the call, unless that call is another's or already whole. */
function continues(call: OpenCall, name: string, more: string): boolean {
  if (call.name === "") return true;
  return call.name === name && (more.trim() === "" || !isWhole(call.arguments));
}

/** True for a call that is sent whole a second time, as some hosts do beside the finish reason. */
function repeats(call: OpenCall, { id, arguments: args }: Fragment): boolean {
  return id !== undefined && id === call.givenId && args === call.arguments && isWhole(args);
}

function isWhole(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    // Not whole yet: that is the answer, not a fault.
    return false;
  }
}

function readFragments(list: unknown): Fragment[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).map((entry) => {
    const { index, id, type: _type, function: called, ...extra } = entry;
    const { name, arguments: args, ...functionExtra } = isRecord(called) ? called : {};
    return {
      index: typeof index === "number" ? index : undefined,
      id: typeof id === "string" && id.trim() ? id : typeof id === "number" ? String(id) : undefined,
      name: typeof name === "string" && name.trim() ? name : undefined,
      arguments: typeof args === "string" ? args : isRecord(args) ? JSON.stringify(args) : "",
      extra,
      functionExtra,
    };
  });
}

function defaultId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
