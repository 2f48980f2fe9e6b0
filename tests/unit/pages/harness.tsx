import "@testing-library/jest-dom/vitest";
import { cleanup, configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type FakeState, type FakeWorker, fakeWorker } from "@tests/fixtures/pages/fake-worker";
import type { ReactNode } from "react";
import { afterEach, beforeEach, vi } from "vitest";
import { createTranslate, english } from "@/locales";
import { createServices, ServicesProvider } from "@/pages/connect";
import { SettingsProvider } from "@/pages/shared/settings";

configure({
  // The machine may be busy with other tests.
  asyncUtilTimeout: 5_000,
  // The whole document as the text of an error hides the error.
  getElementError: (message) => new Error(message ?? "No such element."),
});

/** What jsdom does not have and pages use only for where things are. */
function fillGaps(): void {
  class NoObserver {
    observe(): void {
      // Nothing is laid out here, so nothing comes near.
    }
    disconnect(): void {
      // See above.
    }
    unobserve(): void {
      // See above.
    }
  }
  vi.stubGlobal("IntersectionObserver", NoObserver);
  vi.stubGlobal("ResizeObserver", NoObserver);
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  Element.prototype.setPointerCapture = () => undefined;
  Element.prototype.releasePointerCapture = () => undefined;
}

beforeEach(fillGaps);
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
  window.location.hash = "";
  vi.unstubAllGlobals();
});

export interface Shown {
  worker: FakeWorker;
  user: ReturnType<typeof userEvent.setup>;
}

/** Shows a page against a made-up worker, in English. */
export function show(page: ReactNode, state: Partial<FakeState> = {}, hash = ""): Shown {
  window.location.hash = hash;
  const worker = fakeWorker(state);
  render(
    <ServicesProvider services={createServices(worker.connect)}>
      <SettingsProvider translate={createTranslate(english)}>{page}</SettingsProvider>
    </ServicesProvider>,
  );
  return { worker, user: userEvent.setup() };
}

/** The inputs of all calls of one method. */
export function inputsOf(worker: FakeWorker, method: string): unknown[] {
  return worker.calls.filter((call) => call.method === method).map((call) => call.input);
}
