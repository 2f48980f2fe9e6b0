import type { BadgeApi, BadgeLook } from "@/platform/badge";
import { SerialQueue } from "@/platform/serial-queue";
import type { SessionStorage } from "@/platform/session-storage";

/** What a source wants the toolbar button to show. Data only: it outlives the worker. */
export interface BadgeClaim {
  /** The highest wins; of two equal ones, the one whose source comes first in the alphabet. */
  priority: number;
  /** At most four characters. */
  text: string;
  tone: BadgeTone;
  /** What it means, in words. */
  title: string;
}

export type BadgeTone = "accent" | "danger" | "neutral";

/**
 * The values of the theme's tokens `accent` on `on-accent`, `danger` on `on-danger` and `fg-muted` on `bg`, in their light halves: the
 * browser does not tell the colour of its toolbar, and these are readable by themselves.
 */
export const BADGE_COLOURS: Readonly<Record<BadgeTone, Pick<BadgeLook, "background" | "color">>> = {
  accent: { background: "#b45309", color: "#ffffff" },
  danger: { background: "#b3261e", color: "#ffffff" },
  neutral: { background: "#57534b", color: "#ffffff" },
};

/** By source. */
type BadgeClaims = Readonly<Record<string, BadgeClaim>>;

const KEY = "badge";

/**
 * Decides what the toolbar button shows. The browser keeps what it was told until it ends, and the claims are kept as long in session
 * storage: a start of the worker has nothing to do here.
 */
export class Badge {
  readonly #changes = new SerialQueue();

  constructor(
    private readonly api: BadgeApi,
    private readonly session: SessionStorage,
  ) {}

  /** Sets or takes back what a source claims. */
  set(source: string, claim: BadgeClaim | null): Promise<void> {
    return this.#changes.run(async () => {
      const claims = (await this.session.get<BadgeClaims>(KEY)) ?? {};
      if (same(claims[source], claim)) return;
      const { [source]: _, ...others } = claims;
      const next = claim ? { ...others, [source]: claim } : others;
      await this.session.set(KEY, next);
      await this.api.show(lookOf(winner(next)));
    });
  }
}

/** The claim that is shown. */
function winner(claims: BadgeClaims): BadgeClaim | undefined {
  const [first] = Object.entries(claims).sort(
    ([nameA, a], [nameB, b]) => b.priority - a.priority || (nameA < nameB ? -1 : 1),
  );
  return first?.[1];
}

function lookOf(claim: BadgeClaim | undefined): BadgeLook {
  if (!claim) return { text: "", title: "", ...BADGE_COLOURS.neutral };
  return { text: claim.text.slice(0, 4), title: claim.title, ...BADGE_COLOURS[claim.tone] };
}

function same(a: BadgeClaim | undefined, b: BadgeClaim | null): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b);
}
