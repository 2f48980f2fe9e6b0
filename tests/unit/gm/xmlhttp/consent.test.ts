import "fake-indexeddb/auto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConsentAsker, ConsentOutcome, ConsentRequest } from "@/consent/types";
import { HttpBench, record } from "../support/http-bench";
import { settle, World } from "../support/world";

const bench = new HttpBench();
beforeAll(() => bench.start());
afterAll(() => bench.stop());
beforeEach(() => bench.reset());

/** A person who is asked, and answers when the test does. */
class Person implements ConsentAsker {
  readonly asked: ConsentRequest[] = [];
  readonly withdrawn: string[] = [];
  readonly allowed = new AbortController();
  remembered: ConsentOutcome | null = null;
  #newest: (outcome: ConsentOutcome) => void = () => undefined;

  async known() {
    return this.remembered ? { outcome: this.remembered, signal: this.allowed.signal } : null;
  }

  ask(request: ConsentRequest, { signal }: { signal: AbortSignal }) {
    this.asked.push(request);
    return new Promise<{ outcome: ConsentOutcome; signal: AbortSignal }>((resolve, reject) => {
      this.#newest = (outcome) => resolve({ outcome, signal: this.allowed.signal });
      signal.addEventListener("abort", () => {
        this.withdrawn.push(request.host);
        reject(signal.reason);
      });
    });
  }

  /** To whoever asked last: those before it are in workers that died, or were answered. */
  answer(outcome: ConsentOutcome): void {
    this.#newest(outcome);
  }
}

async function open(person: Person) {
  const world = new World({ consent: person });
  return bench.open({ world, origin: "https://page.test" });
}

const askedOf = (person: Person, times = 1) => expect.poll(() => person.asked).toHaveLength(times);

describe("a request that no line covers", () => {
  it("asks first, sends nothing before the answer, and goes through after a yes", async () => {
    const person = new Person();
    const { modern, world } = await open(person);
    const sent = modern({ url: `${bench.base}/text?q=1`, method: "post", data: "x" });
    await askedOf(person);
    await settle();
    expect(bench.seen).toEqual([]);
    // Waiting for a person keeps no worker alive.
    expect(world.held).toBe(0);
    expect(person.asked[0]).toMatchObject({
      subject: "script:s1",
      effect: "connect-private",
      host: "127.0.0.1",
      detail: `POST ${bench.base}/text?q=1`,
      runId: expect.stringMatching(/^doc-/),
    });
    person.answer("allowed");
    expect((await sent).responseText).toBe("plain text ✓");
    expect(bench.seen).toHaveLength(1);
    await expect.poll(() => world.held).toBe(0);
  });

  it.each([
    ["denied", "PermissionDeniedError", "connect_denied"],
    ["waiting", "ConsentWaitingError", "consent_waiting"],
  ] as const)("an answer %s is a %s, and nothing was sent", async (outcome, name, code) => {
    const person = new Person();
    const { modern } = await open(person);
    const sent = modern({ url: `${bench.base}/text` });
    await askedOf(person);
    person.answer(outcome);
    await expect(sent).rejects.toMatchObject({
      name,
      code,
      message: expect.stringContaining("@connect 127.0.0.1"),
    });
    expect(bench.seen).toEqual([]);
  });

  it("does not ask for what is decided", async () => {
    const person = new Person();
    person.remembered = "allowed";
    const { modern } = await open(person);
    expect((await modern({ url: `${bench.base}/text` })).status).toBe(200);
    person.remembered = "denied";
    await expect(modern({ url: `${bench.base}/text` })).rejects.toMatchObject({
      name: "PermissionDeniedError",
    });
    expect(person.asked).toEqual([]);
  });

  it("asks for each hop on its own, and keeps the worker alive for what it holds then", async () => {
    const person = new Person();
    const { modern, world } = await open(person);
    const other = `http://localhost:${new URL(bench.base).port}/text`;
    const sent = modern({ url: `${bench.base}/to?at=${encodeURIComponent(other)}` });
    await askedOf(person);
    person.answer("allowed");
    await askedOf(person, 2);
    expect(person.asked[1]).toMatchObject({ host: "localhost", detail: `GET ${other}` });
    expect(world.held).toBe(1);
    expect(bench.seen).toHaveLength(1);
    person.answer("denied");
    await expect(sent).rejects.toMatchObject({ name: "PermissionDeniedError" });
    expect(bench.seen).toHaveLength(1);
    expect(world.held).toBe(0);
  });
});

it("what the question fails with is told under its own name, whichever bundle it comes from", async () => {
  const person = new Person();
  const error = Object.assign(new Error("too much"), {
    name: "TooManyQuestionsError",
    code: undefined,
    data: undefined,
  });
  person.ask = () => Promise.reject(error);
  const { modern } = await open(person);
  await expect(modern({ url: `${bench.base}/text` })).rejects.toMatchObject({
    name: "TooManyQuestionsError",
    message: "too much",
  });
});

describe("while a person is asked", () => {
  it("the time-out does not run; it begins once the request is sent", async () => {
    const person = new Person();
    const { modern } = await open(person);
    const sent = modern({ url: `${bench.base}/slow`, timeout: 150 });
    await askedOf(person);
    await new Promise((resolve) => setTimeout(resolve, 300));
    person.answer("allowed");
    await expect(sent).rejects.toMatchObject({ name: "TimeoutError" });
    expect(bench.seen).toHaveLength(1);
  });

  it("abort withdraws the question", async () => {
    const person = new Person();
    const { legacy } = await open(person);
    const { abort, end, events } = record(legacy, { url: `${bench.base}/text` });
    await askedOf(person);
    abort();
    await end;
    await expect.poll(() => person.withdrawn).toEqual(["127.0.0.1"]);
    expect(events).toEqual(["state 1", "loadstart", "state 4", "abort", "loadend"]);
    expect(bench.seen).toEqual([]);
  });

  it("the worker may die: the script asks again, nothing was sent, and it is sent once", async () => {
    const person = new Person();
    const { modern, world } = await open(person);
    const sent = modern({
      url: `${bench.base}/echo`,
      method: "POST",
      data: new Blob(["body"]),
      responseType: "json",
    });
    await askedOf(person);
    await world.restartWorker();
    await askedOf(person, 2);
    await world.restartWorker();
    await askedOf(person, 3);
    person.answer("allowed");
    expect((await sent).status).toBe(200);
    expect(bench.seen.map(({ body }) => body)).toEqual(["body"]);
  });

  it("once something was sent, a death is an error as ever: also when it is a redirect that asks", async () => {
    const person = new Person();
    const { modern, world } = await open(person);
    const other = `http://localhost:${new URL(bench.base).port}/text`;
    const sent = modern({ url: `${bench.base}/to?at=${encodeURIComponent(other)}` });
    await askedOf(person);
    person.answer("allowed");
    await askedOf(person, 2);
    const ended = expect(sent).rejects.toMatchObject({ name: "DisconnectedError" });
    await world.restartWorker();
    await ended;
    expect(bench.seen).toHaveLength(1);
    const covered = await bench.open({ world: new World({ consent: person }), connects: ["127.0.0.1"] });
    const slow = covered.modern({ url: `${bench.base}/slow` });
    await expect.poll(() => bench.held.length).toBe(1);
    const cut = expect(slow).rejects.toMatchObject({ name: "DisconnectedError" });
    await covered.world.restartWorker();
    await cut;
    expect(bench.seen).toHaveLength(2);
  });
});

it("what is taken back while it is under way ends at once, with the reason", async () => {
  const person = new Person();
  const { modern } = await open(person);
  const sent = modern({ url: `${bench.base}/slow` });
  await askedOf(person);
  person.answer("allowed");
  await expect.poll(() => bench.held.length).toBe(1);
  // As the bundle that decides has it: its classes are not those of the bundle that requests.
  const reason = { name: "PermissionDeniedError", code: "consent_revoked", data: undefined };
  person.allowed.abort(Object.assign(new Error("taken back"), reason));
  await expect(sent).rejects.toMatchObject({
    name: "PermissionDeniedError",
    code: "consent_revoked",
    message: "taken back",
  });
  await expect.poll(() => bench.cut).toBe(1);
});
