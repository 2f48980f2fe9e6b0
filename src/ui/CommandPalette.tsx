import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { useT } from "@/locales/react";
import { cx } from "./cx";
import { useFocusBack } from "./focus-back";
import { Kbd } from "./Kbd";
import { rank } from "./rank";

export interface Command {
  id: string;
  title: string;
  /** A word on what kind of thing it is. */
  hint?: string;
  icon?: ReactNode;
  shortcut?: string;
  run(): void;
}

export interface CommandPaletteProps {
  open: boolean;
  onClose(): void;
  commands: readonly Command[];
}

const MOST = 50;

/** Everything that can be done from here, by typing a part of its name. */
export function CommandPalette({ open, onClose, commands }: CommandPaletteProps) {
  const t = useT();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const listId = useId();
  const found = useMemo(() => findCommands(commands, query), [commands, query]);

  const chosen = useRef(false);
  const focusBack = useFocusBack();
  useEffect(() => {
    if (open) {
      chosen.current = false;
      setQuery("");
      setActive(0);
    }
  }, [open]);

  const choose = (command: Command | undefined): void => {
    if (!command) return;
    chosen.current = true;
    onClose();
    command.run();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    if (event.key === "ArrowDown") setActive((at) => (at >= last ? 0 : at + 1));
    else if (event.key === "ArrowUp") setActive((at) => (at <= 0 ? Math.max(0, last) : at - 1));
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(found[active]);
    else return;
    event.preventDefault();
  };

  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          // What was chosen leads elsewhere, and the focus with it.
          onOpenAutoFocus={focusBack.onOpenAutoFocus}
          onCloseAutoFocus={(event) =>
            chosen.current ? event.preventDefault() : focusBack.onCloseAutoFocus(event)
          }
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1rem))] -translate-x-1/2 animate-appear overflow-hidden rounded-ui border border-line bg-raised shadow-float focus:outline-none"
        >
          <Radix.Title className="sr-only">{t("palette.title")}</Radix.Title>
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={found[active] ? `${listId}-${active}` : undefined}
            aria-label={t("palette.title")}
            placeholder={t("palette.placeholder")}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
            className="h-11 w-full border-b border-line bg-transparent px-4 text-read outline-none"
          />
          <Results id={listId} found={found} active={active} onHover={setActive} onChoose={choose} />
          {found.length === 0 && (
            <p className="px-4 py-6 text-center text-faint">{t("palette.none", { query })}</p>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ResultsProps {
  id: string;
  found: readonly Command[];
  active: number;
  onHover(index: number): void;
  onChoose(command: Command): void;
}

function Results({ id, found, active, onHover, onChoose }: ResultsProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  return (
    <div id={id} role="listbox" className="max-h-[min(24rem,60vh)] overflow-auto p-1 empty:hidden">
      {found.map((command, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field; aria-activedescendant points here.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
        <div
          key={command.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          onMouseMove={() => onHover(at)}
          onClick={() => onChoose(command)}
          className={cx(
            "flex h-9 cursor-default items-center gap-3 rounded-inner px-3",
            at === active && "bg-chosen",
          )}
        >
          <span className="inline-flex size-4 shrink-0 items-center justify-center text-faint">
            {command.icon}
          </span>
          <span className="min-w-0 grow truncate">{command.title}</span>
          {command.hint && <span className="shrink-0 text-small text-faint">{command.hint}</span>}
          {command.shortcut && <Kbd>{command.shortcut}</Kbd>}
        </div>
      ))}
    </div>
  );
}

/** The commands that answer a query, best first; equal ones keep their order. */
export function findCommands(commands: readonly Command[], query: string): Command[] {
  return commands
    .map((command, at) => ({ command, at, score: rank(query, `${command.title} ${command.hint ?? ""}`) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MOST)
    .map(({ command }) => command);
}
