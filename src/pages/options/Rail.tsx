import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useT } from "@/locales/react";
import { cx } from "@/ui/cx";
import { commandKey, Kbd } from "@/ui/Kbd";
import { useOpenPalette } from "./OptionsPalette";
import { ROUTES } from "./routes";

/** The places of the options page: a column on the left, a bar on top when there is no room for one. */
export function Rail() {
  const t = useT();
  const [location] = useLocation();
  const openPalette = useOpenPalette();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is the reason to look again.
  useEffect(() => {
    // Where the bar has no room for all places, the one that is shown must not be the one out of sight.
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [location]);
  return (
    <header className="flex shrink-0 items-center gap-1 border-line bg-sunken px-3 py-2 max-md:sticky max-md:top-0 max-md:z-20 max-md:overflow-x-auto max-md:border-b md:sticky md:top-0 md:h-dvh md:w-52 md:flex-col md:items-stretch md:border-r md:py-4">
      <Link
        href="/"
        className="flex shrink-0 items-center gap-2 rounded-ui px-2 py-1 text-read font-semibold max-sm:hidden md:mb-3"
      >
        <img src="/icons/48.png" alt="" width={24} height={24} className="size-6" />
        <span className="max-md:sr-only">{t("product.name")}</span>
      </Link>
      <nav ref={nav} aria-label={t("nav.label")} className="flex gap-1 md:flex-col">
        {ROUTES.map(({ path, label, icon, aside: Aside }) => {
          const here = location === path || location.startsWith(`${path}/`);
          return (
            <Link
              key={path}
              href={path}
              aria-current={here ? "page" : undefined}
              className={cx(
                "flex h-8 items-center gap-2.5 rounded-ui px-2.5 font-medium whitespace-nowrap transition-colors",
                here ? "bg-chosen text-fg" : "text-muted hover:bg-hover hover:text-fg",
              )}
            >
              {icon}
              {t.any(label)}
              {Aside && (
                <span className="flex empty:hidden md:ml-auto">
                  <Aside />
                </span>
              )}
            </Link>
          );
        })}
      </nav>
      <button
        type="button"
        onClick={openPalette}
        className="flex h-8 items-center gap-2.5 rounded-ui px-2.5 text-muted transition-colors hover:bg-hover hover:text-fg max-md:ml-auto md:mt-auto"
      >
        <Search size={16} aria-hidden="true" />
        <span className="max-md:sr-only">{t("palette.open")}</span>
        <span className="ml-auto max-md:hidden">
          <Kbd>{commandKey("K")}</Kbd>
        </span>
      </button>
    </header>
  );
}
