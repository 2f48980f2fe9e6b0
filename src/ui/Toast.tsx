import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { useT } from "@/locales/react";
import { Button, IconButton } from "./Button";
import { cx } from "./cx";

export interface ToastInput {
  text: string;
  tone?: "plain" | "danger";
  /** Such as Undo; the toast closes after it. */
  action?: { label: string; run(): void };
}

type Shown = ToastInput & { id: number };

const ToastContext = createContext<((toast: ToastInput) => void) | null>(null);

/** Shows a short message in the corner. Errors and what can be undone stay longer; pointing at it holds it. */
export function useToast(): (toast: ToastInput) => void {
  const show = useContext(ToastContext);
  if (!show) throw new Error("useToast() was called outside of <ToastProvider>. Wrap the page in it.");
  return show;
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const t = useT();
  const [toasts, setToasts] = useState<Shown[]>([]);
  const next = useRef(0);
  const show = useCallback((toast: ToastInput) => {
    next.current += 1;
    const id = next.current;
    setToasts((all) => [...all.slice(-3), { ...toast, id }]);
  }, []);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const label = useMemo(() => t("common.notifications"), [t]);

  return (
    <ToastContext value={show}>
      <Radix.Provider label={label} swipeDirection="right">
        {children}
        {toasts.map(({ id, text, tone, action }) => (
          <Radix.Root
            key={id}
            type={tone === "danger" ? "foreground" : "background"}
            duration={action || tone === "danger" ? 10_000 : 5_000}
            onOpenChange={(open) => !open && drop(id)}
            className={cx(
              "flex animate-rise items-center gap-2 rounded-ui border border-line p-2 pl-3 shadow-float",
              tone === "danger" ? "bg-danger-soft" : "bg-raised",
            )}
          >
            <Radix.Description className="min-w-0 grow py-1">{text}</Radix.Description>
            {action && (
              <Radix.Action asChild altText={action.label}>
                <Button kind="accent" onClick={action.run}>
                  {action.label}
                </Button>
              </Radix.Action>
            )}
            <Radix.Close asChild>
              <IconButton label={t("common.close")}>
                <X size={16} aria-hidden="true" />
              </IconButton>
            </Radix.Close>
          </Radix.Root>
        ))}
        <Radix.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 outline-none" />
      </Radix.Provider>
    </ToastContext>
  );
}
